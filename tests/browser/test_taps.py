"""Board first: an army is tapped and says what it can do; ordinary actions take few taps, counted here."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from driving import Seat
from tables import RunningTable, answer
from test_pages import SIZES, overflow, serious, small_targets

from referee.hall.table import Table
from referee.kernel.requests import ChooseSome
from web.drafts import uses_at


def after(table: Table, seat: str, values: list[Any]) -> tuple[Any, list[Any]]:
    """The next question of a draft, and the draft with what is proposed."""
    request = table.preview(seat, values).request
    while isinstance(request, ChooseSome) and request.seat == seat and request.proposal is not None:
        values = [*values, request.proposal]
        request = table.preview(seat, values).request
    return request, values


def marches_and_attacks(table: Table, seat: str) -> Iterator[tuple[str, str, str, str, str]]:
    """(army, die, action, region, target): marches after which an enemy can be attacked."""
    for place, shown in table.view(seat, "en")["places"].items():
        if shown["owner"] != seat:
            continue
        for die in uses_at(table, table.game, seat, [], place, "en"):
            for action in (one["value"] for one in die["then"] if one["value"] == "attack"):
                step, values = after(table, seat, [die["value"], action, place])
                for region in step.options:
                    target, _ = after(table, seat, [*values, region])
                    if region != "stay" and target is not None and target.prompt == "prompt.choose_target":
                        yield place, die["value"], action, region, target.options[0]


def until_asked(table: RunningTable, chance: random.Random, wanted: Callable[[Any], Any]) -> Any:
    """Answer at random until an action die is to be chosen and ``wanted(request)`` finds something."""
    hall = table.hall.table
    assert hall is not None
    with table.web.hub.lock:
        while True:
            assert hall.request is not None
            if hall.request.prompt == "prompt.choose_die" and (found := wanted(hall.request)):
                return found
            answer(hall, hall.request.sample(chance))


def goes_and_attacks(player: Seat, hall: Table, march: tuple[str, str, str, str, str]) -> None:
    """An army says what it can do; a move and an attack take five taps."""
    place, die, action, region, target = march
    player.taps = 0
    player.tap_place(place)
    player.until(lambda: player.find('[data-key="army-card"]'), "what this army does")
    for name, size in SIZES.items():
        player.size(*size)
        player.settle()
        player.shot(f"army-{name}")
        assert overflow(player) <= 0 and small_targets(player) == [] and serious(player) == []
    player.size(*SIZES["wide"])
    player.tap_on(f'[data-option="{die}/{action}"]')
    player.tap_on(f'.hit.can[data-place="{region}"]')  # once the board shows where it may go
    player.until(lambda: "angegriffen" in player.prompt, "the enemy")
    player.tap_on(f'.hit.can[data-place="{target}"]')
    revision = hall.revision
    player.tap("confirm")
    player.until(lambda: hall.revision > revision)
    assert player.taps == 5 and hall.view(None, "en")["focus"] is not None, "a move and an attack"


def test_an_army_says_what_it_can_do_and_ordinary_actions_take_few_taps(
    tmp_path: Path, devices: list[Seat]
) -> None:
    table, chance, player = RunningTable(tmp_path, "five_armies", seed=1), random.Random(5), devices[0]
    hall = table.hall.table
    assert hall is not None
    try:
        march = until_asked(
            table, chance, lambda request: next(marches_and_attacks(hall, request.seat), None)
        )
        assert hall.request is not None
        player.sit(table, hall.request.seat, "de", SIZES["wide"])
        goes_and_attacks(player, hall, march)
        player.leave()
        for wanted, key in (("pass", "pass"), ("skip", "skip")):
            until_asked(table, chance, lambda request, w=wanted: w == "skip" or w in request.options)
            seat, revision = hall.request.seat, hall.revision
            player.driver.get(table.url)
            player.until(lambda: player.find('[data-key^="sit-"], [data-key^="go-"]'), "the seats")
            player.tap(f"sit-{seat}" if player.find(f'[data-key="sit-{seat}"]') else f"go-{seat}")
            player.until(lambda: player.find("#prompt"))
            player.settle()
            player.taps = 0
            player.tap_on(f'[data-option="{key}"], [data-option$="/{key}"]')
            player.until(lambda r=revision: hall.revision > r, "the next question")
            assert player.taps == 1
            player.leave()
    finally:
        player.leave()
        table.close()

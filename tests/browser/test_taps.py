"""Board first: an army is tapped and says what it can do; ordinary actions take few taps, counted here."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from tables import RunningTable, answer
from test_pages import SIZES, overflow, serious, small_targets

from referee.hall.table import Table
from referee.kernel.requests import ChooseSecretly, ChooseSome, RollDice
from web.asks import FEW_ANSWERS
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


def until_asked(
    table: RunningTable,
    chance: random.Random,
    wanted: Callable[[Any], Any],
    prompt: str = "prompt.choose_die",
) -> Any:
    """Play at random until ``prompt`` asks something at which ``wanted`` finds something; what it finds."""
    hall = table.hall.table
    assert hall is not None
    with table.web.hub.lock:
        while True:
            assert hall.request is not None, "the game ended first"
            if hall.request.prompt == prompt and (found := wanted(hall.request)):
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


def recruits(table: Table, seat: str) -> list[tuple[str, str, str]]:
    """(place, die, action) of each way to recruit that begins with a tap on a place."""
    return [
        (place, die["value"], action["value"])
        for place in table.view(seat, "en")["places"]
        for die in uses_at(table, table.game, seat, [], place, "en")
        for action in die["then"]
        if action["steps"][0] == "recruit"
    ]


def cards(table: Table, seat: str) -> Iterator[tuple[str, str]]:
    """(die, card): event cards that say themselves what happens, so that nothing more is to be chosen."""
    for die in table.preview(seat, []).request.options:
        step = table.preview(seat, [die]).request
        if step is None or step.domain != "action" or "play_card" not in step.options:
            continue
        for card in table.preview(seat, [die, "play_card"]).request.options:
            following = table.preview(seat, [die, "play_card", card]).request
            if following is not None and following.prompt == "prompt.choose_die":
                yield die, card


def sits(player: Seat, table: RunningTable, seat: str) -> None:
    """The player takes the seat; taps are counted from now on."""
    player.sit(table, seat, "en", SIZES["wide"])
    player.settle()
    player.taps = 0


@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_recruiting_twice_takes_five_taps(tmp_path: Path, devices: list[Seat], game: str) -> None:
    table, player = RunningTable(tmp_path, game, seed=1), devices[0]
    hall = table.hall.table
    assert hall is not None

    def two(request: Any) -> list[tuple[str, str, str]] | None:
        # an elite unit comes alone
        found = [one for one in recruits(hall, request.seat) if not one[2].endswith("_elite")]
        other = next((one for one in found if one[0] != found[0][0]), None)
        return [found[0], other] if other else None

    try:
        (place, die, action), (other, _, again) = until_asked(table, random.Random(5), two)
        seat = hall.request.seat
        sits(player, table, seat)
        player.tap_place(place)
        player.until(lambda: player.find('[data-key="army-card"]'), "what may come there")
        player.tap_on(f'[data-option="{die}/{action}"]')
        if game == "five_armies":
            # a tap tells what the token shows, and the next one where another is turned up
            for following in (other, None):
                player.until(lambda: hall.request.prompt == "prompt.token_face", "the token")
                player.settle()  # a question is on screen a moment after the table asks it
                player.tap_on("#ask .option:not(.refused)")
                if following:
                    player.until(lambda: hall.request.prompt == "prompt.choose_token", "the second place")
                    player.settle()
                    player.tap_place(following)
        else:
            player.tap_on(f'#ask .option[data-option="{again.split("/")[1]}"]:not(.refused)')
            player.until(lambda: player.find(f'.hit.can[data-place="{other}"]'), "the second place")
            player.tap_place(other)
            revision = hall.revision
            player.tap("confirm")
            player.until(lambda: hall.revision > revision)
        player.until(lambda: hall.request.prompt not in ("prompt.token_face", "prompt.choose_token"))
        assert player.taps <= 5, player.taps
    finally:
        player.leave()
        table.close()


def twins(table: Table, request: Any) -> tuple[str, str, str] | None:
    """(figure, place, place): two of a kind that one die may bring to two places."""
    for die in request.options:
        step = table.preview(request.seat, [die]).request
        if step is None or step.domain != "action" or "recruit" not in step.options:
            continue
        for figure in table.preview(request.seat, [die, "recruit"]).request.options:
            where = table.preview(request.seat, [die, "recruit", figure]).request
            if figure.endswith("_elite") or where is None or where.domain != "place":
                continue
            values = [die, "recruit", figure, where.options[0]]
            second = table.preview(request.seat, values).request
            if second is None or figure not in second.options:
                continue
            where = table.preview(request.seat, [*values, figure]).request
            if where is not None and where.domain == "place":
                return figure, values[-1], where.options[0]
    return None


def test_two_of_a_kind_are_recruited_from_the_list_by_five_taps(tmp_path: Path, devices: list[Seat]) -> None:
    """Where the first came, the board shows where another of its kind may come: a tap there says both."""
    table, player = RunningTable(tmp_path, "war_of_the_ring", seed=1), devices[0]
    hall = table.hall.table
    assert hall is not None
    try:
        figure, place, other = until_asked(table, random.Random(5), lambda request: twins(hall, request))
        sits(player, table, hall.request.seat)
        player.tap_on('#ask .option[data-option$="/recruit"]')
        player.tap_on(f'#ask .option[data-option="{figure}"]:not(.refused)')
        player.until(lambda: player.find(f'.hit.can[data-place="{place}"]'), "the first place")
        player.tap_place(place)
        player.until(lambda: player.find("[data-again]"), "what a tap on the board says")
        assert player.find(f'#ask .option[data-option="{figure}"]'), "others may still be chosen"
        for name, size in SIZES.items():
            player.size(*size)
            player.settle()
            player.shot(f"again-{name}")
        assert overflow(player) <= 0 and small_targets(player) == [] and serious(player) == []
        player.until(lambda: player.find(f'.hit.can[data-place="{other}"]'), "the second place")
        player.tap_place(other)
        revision = hall.revision
        player.tap("confirm")
        player.until(lambda: hall.revision > revision)
        assert player.taps == 5
    finally:
        player.leave()
        table.close()


def test_what_nobody_can_choose_otherwise_is_confirmed_under_its_own_question(
    tmp_path: Path, devices: list[Seat]
) -> None:
    """ "Confirm this?" does not say what: there was no tap before it."""
    table, player = RunningTable(tmp_path, "five_armies", seed=1), devices[0]
    hall = table.hall.table
    assert hall is not None
    try:
        only = until_asked(
            table,
            random.Random(5),
            lambda request: len(request.options) == 1 and request.options,
            "prompt.choose_rally",
        )
        sits(player, table, hall.request.seat)
        assert player.prompt == "Which army rallies?"
        for name, size in SIZES.items():
            player.size(*size)
            player.shot(f"forced-{name}")
        revision = hall.revision
        player.tap("confirm")
        player.until(lambda: hall.revision > revision)
        assert player.taps == 1 and hall.events()[revision].answer == only[0]
    finally:
        player.leave()
        table.close()


@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_playing_a_card_takes_four_taps_at_most(tmp_path: Path, devices: list[Seat], game: str) -> None:
    table, player = RunningTable(tmp_path, game, seed=2), devices[0]
    hall = table.hall.table
    assert hall is not None
    try:
        die, card = until_asked(
            table, random.Random(3), lambda request: next(cards(hall, request.seat), None)
        )
        revision = hall.revision
        sits(player, table, hall.request.seat)
        if not player.find(f'#ask [data-option="{die}/play_card"]'):
            player.tap("with-play_card")  # another die than the one that is led with
        player.tap_on(f'#ask [data-option="{die}/play_card"]')
        player.tap_on(f'#ask .option[data-option="{card}"]')
        player.tap("confirm")
        player.until(lambda: hall.revision > revision)
        assert player.taps <= 4 and hall.request.prompt == "prompt.choose_die"
    finally:
        player.leave()
        table.close()


BEGINS = {"five_armies": "prompt.manoeuvre_both", "war_of_the_ring": "prompt.combat_card_back"}
"""The question with which a combat round begins."""
PREFERRED = ("no_card", "regroup", "go_on", "stay")


def a_hit(request: RollDice) -> dict[str, list[str]]:
    """One six, and else ones."""
    faces = ["6", *["1"] * sum(request.dice.values())]
    return {die: [faces.pop(0) for _ in range(count)] for die, count in request.dice.items() if count}


def plain(request: Any) -> Any:
    """No card, a hit with each roll, whole casualties, and on with the fight."""
    if isinstance(request, RollDice):
        return a_hit(request)
    if isinstance(request, ChooseSecretly):
        return {seat: plain(part) for seat, part in request.of.items()}
    if isinstance(request, ChooseSome):
        return request.proposal or request.few(FEW_ANSWERS)[0]
    return next((one for one in PREFERRED if one in request.options), request.options[0])


def is_long_round(table: Table, begins: str) -> bool:
    """Whether the round that begins now, if plainly played, has a re-roll, and both choose whom they lose."""
    ahead, again, lost = table.play.fork(), False, set()
    while not (again and ahead.request is not None and ahead.request.prompt == begins):
        request = ahead.request
        if request is None or request.prompt == "prompt.choose_die":
            return False
        if isinstance(request, ChooseSome) and request.proposal is None:
            if not request.at_once or len(request.few(FEW_ANSWERS)) < 2:
                return False
            lost.add(request.seat)
        again = again or "reroll" in request.prompt
        ahead.answer(plain(request))
    return len(lost) == 2


def until_a_long_round(table: Table, begins: str, chance: random.Random) -> None:
    """Play at random until one begins."""
    while True:
        assert table.request is not None, "the game ended first"
        if table.request.prompt == begins and is_long_round(table, begins):
            return
        answer(table, table.request.sample(chance))


@pytest.mark.parametrize(("game", "seed"), [("five_armies", 10), ("war_of_the_ring", 0)])
def test_a_combat_round_takes_five_taps_a_side(
    tmp_path: Path, devices: list[Seat], monkeypatch: pytest.MonkeyPatch, game: str, seed: int
) -> None:
    """Cards, rolls, re-rolls, casualties among several kinds, whether to go on; throwing the dice is the
    hands' work, no tap.  To choose which misses are rolled again, where the book asks that, is one more."""
    begins, table = BEGINS[game], RunningTable(tmp_path, game)
    hall = table.hall.table
    assert hall is not None
    with table.web.hub.lock:
        until_a_long_round(hall, begins, random.Random(seed))
    monkeypatch.setattr(RollDice, "sample", lambda request, _: a_hit(request))
    players = dict(zip(table.game.seats, devices, strict=False))
    taps = dict.fromkeys(players, 0)
    asked: list[str] = []
    try:
        for seat, player in players.items():
            sits(player, table, seat)
            player.driver.execute_script("window.playerPrefers = arguments[0]", list(PREFERRED))
        while hall.request.prompt != begins or set(asked) <= {begins}:
            assert hall.view(None, "en")["focus"] is not None, "the fight goes on"
            asked.append(hall.request.prompt)
            for seat in hall.asked_seats:
                revision = hall.revision
                while hall.revision == revision and seat in hall.asked_seats:
                    did = players[seat].sensible()
                    if did.startswith("option {"):
                        players[seat].shot(f"casualties-{game}-{seat}")
                    taps[seat] += did not in ("", "throw") and asked[-1] != "prompt.combat_reroll"
                    time.sleep(0.3)  # a hand that waits for what it did
        assert {"prompt.combat_roll", "prompt.casualties"} < set(asked), asked
        assert any("reroll" in one for one in asked), asked
        assert all(0 < count <= 5 for count in taps.values()), (taps, asked)
    finally:
        for player in players.values():
            player.leave()
        table.close()


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

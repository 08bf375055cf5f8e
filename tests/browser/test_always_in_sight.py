"""What each screen shows always: that a game rests, that it is a tournament game, what is in effect."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from tables import RunningTable, answer
from test_pages import SIZES, choose_language, overflow, serious, small_targets
from test_sitting import PLAY_PARTS_CUT, to_the_desk

SEATCARDS = "return [...document.querySelectorAll('.seatcard')].map((e) => e.innerText)"
ACTING = "return document.querySelectorAll('.seatcard.acting').length"


def test_while_board_and_record_are_compared_every_screen_says_that_the_game_rests(
    table: RunningTable, devices: list[Seat]
) -> None:
    player, other = devices
    player.sit(table, "white", "de", SIZES["wide"])
    with table.web.hub.lock:
        assert table.hall.table is not None
        table.hall.table.begin_board_check("black", everything=True)
    table.web.hub.changed()
    other.size(*SIZES["tall"])
    choose_language(other, table, "de")
    to_the_desk(other, table, waits_for=".seatcard")
    other.until(lambda: other.text("#seats").count("Partie ruht") == 1, "the arbiter's desk")
    other.driver.get(f"{table.url}/watch")
    for screen in (player, other):
        screen.until(lambda s=screen: s.text("#seats").count("Partie ruht") == 1)
        free, held = screen.driver.execute_script(SEATCARDS)[::-1]
        assert "Partie ruht" in held and "frei" in free
        assert screen.driver.execute_script(ACTING) == 0, "nobody is asked meanwhile"
    assert not player.find(".hit.can"), "nothing can be chosen while the game rests"
    assert player.find(".hit.chosen").get_attribute("data-place") == "north", "the place that is compared"
    player.shot("check-halts-seat")
    other.shot("check-halts-watch")


def test_a_place_that_is_compared_is_seen_in_a_fight_too(
    five_armies: Callable[..., RunningTable], devices: list[Seat]
) -> None:
    table, player = five_armies(until="manoeuvre_both", seed=2), devices[0]
    player.sit(table, "free", "en", SIZES["wide"])
    player.until(lambda: player.find(".focus"), "the fight")
    with table.web.hub.lock:
        assert table.hall.table is not None
        table.hall.table.begin_board_check("free", everything=True)
    table.web.hub.changed()
    player.until(lambda: player.find(".hit.chosen"), "the place that is compared")
    assert player.find(".focus") is None, "nothing covers the board"


@pytest.mark.parametrize(("language", "theme"), [("de", "light"), ("en", "dark")])
def test_a_tournament_game_is_begun_with_the_arbiters_key_and_says_so_everywhere(
    table: RunningTable, devices: list[Seat], language: str, theme: str
) -> None:
    player, other = devices
    player.expected = ["403"]
    words = {"de": "Turnierpartie", "en": "Tournament game"}[language]
    key = table.web.seats.new_arbiter_key()
    player.theme(theme)
    player.size(*SIZES["wide"])
    choose_language(player, table, language)
    player.tap("unfold")
    player.tap("house")
    player.tap("strict")
    player.until(lambda: player.find('[data-key="strict-key"]'), "the arbiter's key is asked for")
    for size, pixels in SIZES.items():
        player.size(*pixels)
        player.shot(f"tournament-start-{language}-{size}")
        assert overflow(player) <= 0 and small_targets(player) == [] and serious(player) == []
    player.tap("new-game")
    player.until(lambda: player.find("[role=alert]"), "no key, no tournament")
    assert not table.hall.table.header["tournament"]  # type: ignore[union-attr]
    player.write("strict-key", key)
    player.tap("new-game")
    player.until(lambda: player.find("[data-tournament]"), "the start page says so")
    player.tap("sit-white")
    other.size(*SIZES["tall"])
    choose_language(other, table, language)
    other.driver.get(f"{table.url}/watch")
    for screen in (player, other):
        screen.until(lambda s=screen: words in s.text("#bar"), "the bar says so")
        for size, pixels in SIZES.items():
            screen.size(*pixels)
            screen.shot(f"tournament-{language}-{size}-{'watch' if screen is other else 'seat'}")
            assert screen.driver.execute_script(PLAY_PARTS_CUT) == [] and overflow(screen) <= 0
            assert small_targets(screen) == [] and serious(screen) == []
    player.tap("tournament")
    player.until(lambda: len(player.text("#dialog p")) > 40, "what that means")
    player.tap("close")
    to_the_desk(other, table)
    assert words in other.text("#bar")


CUT = """
const said = document.querySelector('.notes span');
const box = document.querySelector('#tracks').getBoundingClientRect();
const [first, last] = [document.querySelector('#tracks > *'), said].map((e) => e.getBoundingClientRect());
return said.scrollHeight > said.clientHeight + 1 || first.top < box.top - 1 || last.bottom > box.bottom + 1;
"""


def in_play(table: Any) -> int:
    """How many cards lie in play beside the board."""
    return sum(note.startswith("Im Spiel: ") for note in table.view(None, "de")["notes"])


@pytest.mark.parametrize(("game", "cards"), [("five_armies", 2), ("war_of_the_ring", 2)])
def test_what_is_in_effect_is_told_in_full(
    tmp_path: Path, devices: list[Seat], game: str, cards: int
) -> None:
    """No line under the tracks is cut, at both sizes; what is of one kind stands together."""
    running, seat, chance = RunningTable(tmp_path, game), devices[0], random.Random(9)
    table = running.hall.table
    assert table is not None
    try:
        while in_play(table) < cards:
            assert table.request is not None
            answer(table, table.request.sample(chance))
        for path, language in (("/watch", "de"), ("/watch", "en")):
            choose_language(seat, running, language)
            seat.driver.get(running.url + path)
            seat.until(lambda: seat.find(".notes"))
            assert seat.text(".notes").count("Im Spiel: " if language == "de" else "In play: ") == 1
            for size, pixels in SIZES.items():
                seat.size(*pixels)
                seat.shot(f"notes-{game}-{cards}-{language}-{size}")
                assert seat.driver.execute_script(CUT) is False, (language, size)
    finally:
        seat.leave()
        running.close()


def test_a_game_given_up_in_a_fight_says_so_and_shows_the_board(tmp_path: Path, devices: list[Seat]) -> None:
    running = RunningTable(tmp_path, "five_armies", until="manoeuvre_both", seed=1)
    table, seat = running.hall.table, devices[0]
    assert table is not None
    try:
        seat.sit(running, "free", "en", SIZES["wide"])
        seat.until(lambda: seat.find("[data-focus]"), "the fight")
        with running.web.hub.lock:
            table.resign("shadow")
        seat.until(lambda: seat.prompt == "Winner: Free Peoples")
        assert "Shadow: resigned" in seat.text("#ask") and not seat.find("[data-focus]")
    finally:
        seat.leave()
        running.close()


WHOLE = """
const panel = document.querySelector('#ask').getBoundingClientRect();
const foot = document.querySelector('#ask .foot')?.getBoundingClientRect();
const bottom = Math.min(panel.bottom, foot?.top ?? Infinity, innerHeight);
const seen = [...document.querySelectorAll('#ask .option, #ask [data-key=undo]')].filter((e) => {
  const r = e.getBoundingClientRect();
  return r.height && r.bottom <= bottom && r.top >= panel.top;
});
return [seen.filter((e) => e.dataset.option).length, seen.some((e) => e.dataset.key === 'undo')];
"""


@pytest.mark.parametrize(("game", "language"), [("five_armies", "de"), ("war_of_the_ring", "en")])
def test_six_actions_are_in_sight_with_the_way_back_beside_the_question(
    tmp_path: Path, devices: list[Seat], game: str, language: str
) -> None:
    """The sixth lay half under a foot in which there was nothing but "take back"."""
    table, player = RunningTable(tmp_path, game, seed=2, until="choose_die"), devices[0]
    hall = table.hall.table
    assert hall is not None
    try:
        player.sit(table, hall.asked_seats[0], language, SIZES["wide"])
        if player.find('[data-key="learn-off"]'):
            player.tap("learn-off")
        for name, size in SIZES.items():
            player.size(*size)
            player.settle()
            whole, back = player.driver.execute_script(WHOLE)
            assert whole >= 6 and back, name
            assert serious(player) == [] and small_targets(player) == [], name
    finally:
        player.leave()
        table.close()

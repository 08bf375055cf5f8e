"""Help at the table: a first game, rules, events, the turn, symbols; set-up pages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from driving import ENGINES, Seat
from tables import RunningTable, answer
from test_pages import SIZES, overflow, serious

Start = Callable[..., RunningTable]
DRAWN = "const e = document.querySelector('.picturebox > img'); return [e.width, e.parentElement.clientWidth]"
"""Widths of a drawn position and of the window it is seen through; WebKit knows no natural size of an SVG."""


def phase_of(table: RunningTable) -> str:
    """The phase that the board is in."""
    assert table.hall.table is not None
    return str(table.hall.table.view(None, "en")["phase"]["id"])


def to_the_next_phase(table: RunningTable) -> None:
    """Answer at random until another phase begins."""
    hall, chance, before = table.hall.table, random.Random(2), phase_of(table)
    assert hall is not None
    with table.web.hub.lock:
        while phase_of(table) == before:
            assert hall.request is not None
            answer(hall, hall.request.sample(chance))


def test_each_phase_is_explained_the_first_time(five_armies: Start, devices: list[Seat]) -> None:
    table, seat = five_armies(), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    field = "return document.querySelector('svg.board').getBoundingClientRect().height"
    seat.until(lambda: seat.find("#learn"), "words for the first phase")
    assert not seat.find("#field #learn"), "what it speaks of stays in sight"
    first, height = seat.text("#learn"), seat.driver.execute_script(field)
    seat.shot(f"learn-{seat.engine}")
    seat.tap("learn-open")
    seat.tap("learn-ok")
    seat.until(lambda: seat.find("#learn") is None)
    assert seat.driver.execute_script(field) == height  # the board does not move
    seat.driver.refresh()
    seat.until(lambda: seat.find("#prompt"))
    assert seat.find("#learn") is None  # once is enough
    to_the_next_phase(table)
    seat.until(lambda: seat.find("#learn"), "words for the next phase")
    assert seat.text("#learn") != first
    seat.tap("learn-open")
    seat.tap("learn-off")
    to_the_next_phase(table)
    seat.until(lambda: seat.text("#log li"))
    assert seat.find("#learn") is None
    seat.tap("phase")
    seat.until(lambda: seat.find("#dialog [data-topic]"), "what this phase is about, to read again")
    seat.tap("learn-all")
    told = "return [...document.querySelectorAll('#dialog [data-topic]')].map((e) => e.dataset.topic)"
    seat.until(lambda: seat.driver.execute_script(told)[:2] == ["setup", "1"], "all of them in order")
    for name, size in SIZES.items():
        seat.size(*size)
        seat.shot(f"learn-all-{seat.engine}-{name}")
        assert overflow(seat) <= 0 and serious(seat) == [] and seat.ids_on_screen() == []
    seat.tap("close")
    seat.tap("menu")
    seat.tap("menu-learn")
    seat.tap("learn-again")
    to_the_next_phase(table)
    seat.until(lambda: seat.find("#learn"), "words again")


def test_rules_events_turn_and_symbols(five_armies: Start, devices: list[Seat]) -> None:
    table, seat = five_armies(until="choose_die", seed=1), devices[0]
    seat.sit(table, "free", "de", SIZES["wide"])
    seat.tap("menu")
    seat.tap("menu-rules")
    seat.write("rules-query", "Furt")
    seat.until(lambda: "Furt" in seat.text("#dialog article") or "furt" in seat.text("#dialog article"))
    assert "S. " in seat.text("#dialog article")
    seat.tap("close")
    events = seat.driver.find_elements("css selector", "#log li")
    assert len(events) == 5
    seat.tap("log-open")
    seat.tap_on('#dialog [data-key^="event-"]')
    seat.until(lambda: seat.find("[data-moment]"), "the moment")
    for size in SIZES.values():
        seat.size(*size)
        seat.settle()  # the picture follows the new size a frame or two later
        whole, _ = seat.driver.execute_script(DRAWN)
        seat.tap("picture-size")
        drawn, window = seat.driver.execute_script(DRAWN)
        assert drawn > max(window, 2 * whole), "names as large as they were drawn"
        assert overflow(seat) <= 0 and serious(seat) == []
        seat.tap("picture-size")
        assert seat.driver.execute_script(DRAWN) == [whole, whole], "the whole board"
    seat.tap("close")
    seat.tap("menu")
    seat.tap("menu-turn")
    seat.until(lambda: seat.find("#dialog ol"), "what happened this turn")
    assert "Zug 1" in seat.text("#dialog") or "Runde 1" in seat.text("#dialog")
    seat.tap("close")
    for what in ("track-fate", "score-vp"):
        seat.tap(f"explain-{what}")
        seat.until(lambda: len(seat.text("#dialog p")) > 20, what)
        seat.tap("close")
    assert seat.ids_on_screen() == []


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_english_times_have_24_hours_and_the_day_first(five_armies: Start, devices: list[Seat]) -> None:
    table, seat = five_armies(until="choose_die", seed=1), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    seat.tap("log-open")
    seat.tap_on('#dialog [data-key^="event-"]')
    seat.until(lambda: seat.find("[data-moment]"), "the moment")
    assert re.search(r"\b\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d$", seat.text("[data-moment] .soft"))


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_what_lies_there_and_what_it_does(five_armies: Start, devices: list[Seat]) -> None:
    table, seat = five_armies(), devices[0]
    seat.sit(table, "shadow", "en", SIZES["tall"])
    seat.tap_place("ravenhill")
    seat.tap("explain-character-gandalf")
    seat.until(lambda: seat.find('[data-key="help-all"]'), "what Gandalf does")
    seat.tap("help-all")
    seat.until(lambda: seat.find("[data-help]"), "everything that is explained")
    assert seat.ids_on_screen() == []
    for path in ("/setup", "/health", "/watch"):
        seat.driver.get(table.url + path)
        seat.until(lambda: len(seat.text("main").strip()) > 40, path)
        assert overflow(seat) <= 0
        assert seat.ids_on_screen() == []
        seat.shot(f"{seat.engine}-{path.strip('/').replace('/', '-')}")

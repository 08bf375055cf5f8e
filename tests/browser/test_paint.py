"""A tap costs little, on any machine: what the browser styles, lays out and paints for it is counted."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from driving import Seat
from tables import RunningTable
from test_pages import SIZES
from tracing import Work, traced

Start = Callable[..., RunningTable]
PRESS = """
const r = document.querySelector(arguments[0]).getBoundingClientRect();
return [r.x + r.width / 2, r.y + r.height / 2];
"""
PARTS = {
    "question": "#ask .body",
    "seats": ".seatcard .counters",
    "tracks": "#tracks",
    "latest": "#log",
    "bar": "#bar",
}


@pytest.fixture
def seat(five_armies: Start, devices: list[Seat]) -> Seat:
    """A seat that is asked for a die, at rest."""
    table, seat = five_armies(until="choose_die", seed=2), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    seat.until(lambda: seat.find("svg.board [data-stack]"))
    if seat.find('[data-key="learn-off"]'):
        seat.tap("learn-off")
    settle()
    return seat


def settle() -> None:
    """Until nothing moves any more."""
    time.sleep(0.7)


def pressed(seat: Seat, css: str) -> Work:
    """What one real tap costs, all that follows from it included."""
    x, y = seat.driver.execute_script(PRESS, css)
    with traced(seat) as work:
        for kind in ("mousePressed", "mouseReleased"):
            seat.cdp(
                "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            )
        settle()
    return work


@pytest.mark.parametrize("size", ["wide", "tall"])
def test_a_change_beside_the_board_does_not_touch_it(seat: Seat, size: str) -> None:
    seat.size(*SIZES[size])
    settle()
    for name, css in PARTS.items():
        with traced(seat) as work:
            seat.driver.execute_script("document.querySelector(arguments[0]).append(' and more')", css)
            settle()
        assert work.laid_out > 0, f"{name}: the trace saw it"
        assert work.drawing == 0, f"{name}: shapes of the board were laid out"


def test_what_a_tap_costs(seat: Seat) -> None:
    nodes = int(seat.driver.execute_script("return document.querySelectorAll('*').length"))
    assert nodes < 800
    choice = pressed(seat, "#ask .option:not(.refused)")
    seat.until(lambda: seat.find('[data-key="back"]'))
    nearer = pressed(seat, '[data-key="zoom-in"]')
    menu = pressed(seat, '[data-key="menu"]')
    assert seat.find("#dialog[open]")
    assert choice.styled < 400 and choice.laid_out < 500 and choice.drawing < 100
    assert menu.styled < 650 and menu.drawing == 0
    assert nearer.styled < 900 and nearer.laid_out < 700

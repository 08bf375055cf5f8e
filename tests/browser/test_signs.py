"""Dice and figures on the screen in their colours, looked at as pictures: a wrong style leaves them black."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from driving import Seat
from tables import RunningTable
from test_pages import SIZES

COLOURS = """
const style = getComputedStyle(arguments[0]);
return ['--die', '--dieink'].map((name) => style.getPropertyValue(name).trim());
"""
PLATE = "return getComputedStyle(arguments[0]).fill"
NEAR = 40.0
"""Distance of two colours of 3 x 8 bits that count as one; edges are smoothed."""


def share(picture: np.ndarray, colour: str) -> float:
    """The share of a BGR picture that has a colour, given as ``#rrggbb`` or ``rgb(r, g, b)``."""
    if colour.startswith("#"):
        rgb = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    else:
        rgb = [int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    away = np.linalg.norm(picture[:, :, :3].astype(float) - np.array(rgb[::-1], float), axis=2)
    return float((away < NEAR).mean())


def picture_of(seat: Seat, css: str) -> np.ndarray:
    """What is seen of an element, BGR."""
    png = seat.find(css).screenshot_as_png
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def test_dice_and_figures_were_black(five_armies: Callable[..., RunningTable], devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(five_armies(until="choose_die", seed=2), "free", "en", SIZES["wide"])
    seat.until(lambda: seat.find("svg.board [data-stack] .plate"))
    seat.settle()
    for css in (".seatcard .dieface:not(.used)", "#ask .option .dieface", "#log .dieface"):
        die = seat.find(css)
        body, ink = seat.driver.execute_script(COLOURS, die)
        picture = picture_of(seat, css)
        assert share(picture, body) > 0.3, (css, "the body")
        assert share(picture, ink) > 0.02, (css, "the symbol")
    plate = seat.find("svg.board [data-stack] .plate")
    picture = picture_of(seat, "svg.board [data-stack] .plate")
    assert share(picture, seat.driver.execute_script(PLATE, plate)) > 0.2


FIGHT = """
const focus = document.querySelector('.focus');
return [focus.scrollHeight - focus.clientHeight, [...focus.querySelectorAll('.combatant')].map((side) => [
  side.querySelectorAll('.rolled .dieface.used').length,
  Math.min(...[...side.querySelectorAll('.rolled .dieface, .figure')]
    .map((e) => e.getBoundingClientRect().width))])];
"""


def test_a_fight_fills_a_tablet(five_armies: Callable[..., RunningTable], devices: list[Seat]) -> None:
    """Dice that are to be thrown are there already, hollow; figures and dice are large, all is in sight."""
    table, seat = five_armies(until="combat_roll", seed=2), devices[0]
    hall = table.hall.table
    assert hall is not None
    focus = hall.view(None, "en")["focus"]
    assert focus is not None
    wanted = [side["dice"] for side in focus["sides"].values()]
    assert min(wanted) > 0
    seat.sit(table, "free", "de", SIZES["wide"])
    for name in ("wide", "tall"):
        seat.size(*SIZES[name])
        seat.settle()
        hidden, sides = seat.driver.execute_script(FIGHT)
        assert [hollow for hollow, _ in sides] == wanted, name
        assert hidden <= 1 and min(width for _, width in sides) >= 38, (name, hidden, sides)

"""A tray in a free photograph: its markers are no dice, and the tray is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.reader import DiceReader
from vision.throws_bench import THROWN
from vision.traymarks import marks_in
from vision.virtual.tray import VirtualTray

GROUNDS = (("side_lamp", "black"), ("mixed", "blue_cloth"), ("diffuse", "red_cloth"), ("glare", "wood"))


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


@pytest.mark.parametrize(("light", "cloth"), GROUNDS)
def test_a_marker_was_read_as_a_3_among_the_dice(reader: DiceReader, light: str, cloth: str) -> None:
    tray = VirtualTray(THROWN, seed=GROUNDS.index((light, cloth)), light=light, cloth=cloth)
    reading = reader.read(tray.throw({"combat_white": 2, "combat_black": 3}, 1, "plain"))
    faces = sorted(die["face"] for die in tray.truth()["dice"])
    assert (reading.status, sorted(str(d.face) for d in reading.dice)) == ("ok", faces)


@pytest.mark.parametrize(("light", "cloth"), GROUNDS)
def test_one_die_of_drawings_made_a_1_or_3_of_its_tray(reader: DiceReader, light: str, cloth: str) -> None:
    tray = VirtualTray(THROWN, seed=GROUNDS.index((light, cloth)), light=light, cloth=cloth)
    reading = reader.read(tray.throw({"battle": 1}, 1, "plain"))
    assert reading.status == "ask" and all(d.face is None for d in reading.dice)


def test_one_marker_alone_is_not_believed() -> None:
    """By chance a die's pips may be like a marker's fields; two, by different numbers, are not."""
    tray = VirtualTray(THROWN, seed=3)
    image = tray.throw({"combat_white": 1}, 1, "plain")
    marks = marks_in(image)
    assert len(marks.quads) == 4 and marks.largest_die() < image.shape[0] / 4
    for quad in marks.quads[:3]:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (200, 200, 200))
    left = marks_in(image)
    assert len(left.quads) == 0 and left.largest_die() == np.inf and left.hidden(image) is image


def test_markers_are_painted_over_and_nothing_else() -> None:
    image = VirtualTray(THROWN, seed=3).throw({"combat_white": 4}, 1, "plain")
    marks = marks_in(image)
    changed = (marks.hidden(image) != image).any(axis=2)
    for quad in marks.quads:
        x, y = quad.mean(axis=0).astype(int)
        reach = int(np.linalg.norm(quad[1] - quad[0]))
        changed[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach] = False
    assert not changed.any() and len(marks_in(marks.hidden(image)).quads) == 0

"""Second looks: a die of which the finder saw halves, pips under a lamp's mirror image, a die on another."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.trayreader as trayreader
from tests.vision.tray.dice import TYPES
from vision.faces.find import LocatedDie
from vision.faces.pips import count_pips, strong_pips
from vision.faces.pose import around, between, examine
from vision.tray import TrayView, find_tray
from vision.trayreader import TrayReader
from vision.trayscan import TrayScan
from vision.virtual.tray import VirtualTray


@pytest.fixture(scope="module")
def two() -> tuple[np.ndarray, TrayView, np.ndarray]:
    """A rectified picture of one black die that shows a two, its view, and the face's corners (4 x 2)."""
    tray = VirtualTray(TYPES, 3, "diffuse", "grey_felt")
    image = tray.show("combat_black", "2", 5)
    view = find_tray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    assert isinstance(view, TrayView)
    (die,) = tray.truth()["dice"]
    quad = cv2.perspectiveTransform(np.array([die["quad_px"]]), view.rectifier(16.0))[0]
    return view.rectify(image), view, quad


def found(x: float, y: float, score: float) -> LocatedDie:
    return LocatedDie(x, y, 0.3, score, 0.0, 0.0, 0.0, 0.0, 1.0)


def nearest(finds: list[LocatedDie], middle: np.ndarray) -> float:
    return min((float(np.hypot(f.x - middle[0], f.y - middle[1])) for f in finds), default=np.inf)


def test_a_die_is_found_between_its_halves(two: tuple[np.ndarray, TrayView, np.ndarray]) -> None:
    picture, view, quad = two
    middle = quad.mean(axis=0)
    halves = [found(*(0.6 * corner + 0.4 * middle), 0.4) for corner in (quad[0], quad[2])]
    whole = between(picture, view, halves)
    assert nearest(whole, middle) < 2.5
    assert all(f.score == pytest.approx(0.8) for f in whole)
    sure = [replace(f, score=0.9) for f in halves]
    assert between(picture, view, sure) == []


def test_a_die_is_found_around_a_find_beside_its_middle(two: tuple[np.ndarray, TrayView, np.ndarray]) -> None:
    picture, view, quad = two
    middle = quad.mean(axis=0)
    astray = found(middle[0] + 9.0, middle[1] - 8.0, 0.4)
    assert nearest(around(picture, view, [astray]), middle) < 2.5
    bare = found(*(middle + np.where(middle > 200, -90.0, 90.0)), 0.4)
    assert examine(picture, view, [bare]) == []
    assert nearest(around(picture, view, [bare]), middle) > 30


def test_strong_spots_are_counted_where_a_mirror_image_ends_on_the_face() -> None:
    crop = np.full((48, 48, 3), 20, np.uint8)
    crop[9:, 9:39] = 150  # the lamp's image; its corners are spots to the usual count
    cv2.circle(crop, (24, 24), 4, (255, 255, 255), -1, cv2.LINE_AA)
    assert count_pips(crop) is None
    assert strong_pips(crop) == 1
    assert strong_pips(np.full((48, 48, 3), 90, np.uint8)) is None


def test_a_level_die_on_another_is_asked_about_only_where_one_may_be_hidden(
    reader: TrayReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture shows level dice side by side; one of them is said to lie higher than a die."""
    tray = VirtualTray(TYPES, 2)
    image = tray.throw({"combat_white": 2, "action_a": 2}, 11, "wall")
    seen = trayreader.look(image)
    plain = {"combat_white": 2, "action_a": 2}
    assert len(seen.dice) == 4 and reader.read(image, plain).status == "ok"

    def higher(covered: float) -> TrayScan:
        first = replace(seen.dice[0], found=replace(seen.dice[0].found, raised=0.99))
        second = replace(seen.dice[1], found=replace(seen.dice[1].found, covered=covered))
        return replace(seen, dice=(first, second, *seen.dice[2:]))

    monkeypatch.setattr(trayreader, "look", lambda *_: higher(0.0))
    assert reader.read(image, plain).status == "ok"
    assert "stacked" in {r.code for r in reader.read(image).reasons}  # nobody said how many there are
    more = {"combat_white": 3, "action_a": 2}
    assert {"stacked", "wrong_count"} <= {r.code for r in reader.read(image, more).reasons}
    monkeypatch.setattr(trayreader, "look", lambda *_: higher(0.3))
    assert {r.code for r in reader.read(image, plain).reasons} == {"stacked"}

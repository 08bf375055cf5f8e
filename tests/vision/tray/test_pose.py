"""Tests of the second look: where a level die would be seen, and that turned and mirrored dice are alike."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tray.dice import TYPES
from vision.faces import colour
from vision.faces.find import LocatedDie
from vision.faces.pose import (
    ABOVE,
    BESIDE,
    Foot,
    Sight,
    foot_of,
    level_planes,
    on_side_of,
    planes,
    towards,
)
from vision.tray import DEFAULT, TrayView, find_tray
from vision.virtual.tray import VirtualTray

ROLL = {"combat_white": 3, "action_a": 3}


def _in_crop(points: np.ndarray, middle: np.ndarray, angle: float, sight: Sight) -> np.ndarray:
    """Rectified pixels (N x 2) in the upright crop around ``middle``."""
    c, s = np.cos(angle), np.sin(angle)
    return (points - middle) @ np.array([[c, -s], [s, c]]) * sight.scale + (sight.side - 1) / 2


def _silhouette(points: np.ndarray, sight: Sight) -> np.ndarray:
    mask = np.zeros((sight.side, sight.side), np.uint8)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


@pytest.mark.parametrize("sight", [ABOVE, BESIDE])
def test_the_outline_of_a_level_die_is_foreseen(sight: Sight) -> None:
    """The corners of each thrown die, projected and rectified, fill the outline that the network is given."""
    for seed in range(3):
        tray = VirtualTray(TYPES, seed)
        image = tray.throw(ROLL, seed, "plain")
        view = find_tray(colour.grey(image), DEFAULT)
        assert isinstance(view, TrayView)
        matrix, foot = view.rectifier(DEFAULT.die_mm), foot_of(view)
        for die in tray.scene.dice:
            corners = np.concatenate([die.quad(*die.top_axis()), die.corners()])
            seen = tray.scene.camera.project(corners)[None].astype(np.float64)
            flat = cv2.perspectiveTransform(seen, matrix)[0]
            top = flat[:4]
            middle, edge = top.mean(axis=0), top[1] - top[0]
            angle = float(np.arctan2(edge[1], edge[0]))
            truth = _silhouette(_in_crop(flat[4:], middle, angle, sight), sight)
            whole, sides = level_planes(towards(*middle, angle, foot), sight) > 0.5
            assert (truth & whole).sum() / (truth | whole).sum() > 0.93
            upper = _silhouette(_in_crop(top, middle, angle, sight), sight)
            assert (sides & upper).sum() <= 0.12 * upper.sum()


@pytest.mark.parametrize("sight", [ABOVE, BESIDE])
def test_a_die_below_the_camera_shows_no_sides(sight: Sight) -> None:
    whole, sides = level_planes(np.zeros(2, np.float32), sight)
    assert sides.max() == 0 and whole.sum() > 0.85 * (32 * sight.scale) ** 2
    away = level_planes(np.array([1.0, 0.0], np.float32), sight)[1]  # the camera stands to the right
    half = sight.side // 2
    assert away[:, half:].sum() > 20 * max(away[:, :half].sum(), 1.0)


@pytest.mark.parametrize("sight", [ABOVE, BESIDE])
def test_mirrored_input_is_the_input_of_the_mirrored_die(sight: Sight) -> None:
    crop = np.random.default_rng(0).integers(0, 255, (sight.side, sight.side, 3), np.uint8)
    direction = np.array([0.4, -0.3], np.float32)
    there = planes(crop[None], direction[None], sight)[0, :, :, ::-1]
    here = planes(crop[None, :, ::-1], direction[None] * np.array([-1, 1], np.float32), sight)[0]
    assert np.allclose(here[:3], there[:3], atol=1e-5) and np.allclose(here[5:], there[5:], atol=0.1)


def test_the_markers_tell_where_a_camera_beside_the_tray_stands() -> None:
    """Its height is not assumed: their perspective tells focal length and place to one part in thirty."""
    for seed in range(4):
        tray = VirtualTray(TYPES, seed, camera="oblique")
        view = find_tray(colour.grey(tray.throw({}, seed)), tray.spec)
        assert isinstance(view, TrayView)
        truth = tray.scene.camera.position
        assert np.linalg.norm(view.position - truth) < np.linalg.norm(truth) / 30


def test_a_find_on_the_side_of_a_level_die_is_no_die_of_its_own() -> None:
    die = LocatedDie(200.0, 200.0, 0.0, 0.9, cocked=0.1, raised=0.0, covered=0.0, blurred=0.0, square=1.0)
    foot = Foot(200.0, 1100.0, 1.0, aside=True)  # the camera stands below in the picture
    side = replace(die, y=222.0, score=0.5)
    assert on_side_of(side, die, foot)
    assert not on_side_of(replace(side, y=178.0), die, foot)  # its other side cannot be seen
    assert not on_side_of(replace(side, y=236.0), die, foot)  # a die beside it
    assert not on_side_of(side, replace(die, cocked=0.9), foot)
    assert not on_side_of(side, die, foot._replace(aside=False))

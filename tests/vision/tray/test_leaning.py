"""Dice of training scenes that are put against walls and neighbours: they touch, and are tilted as asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.faces.leaning import against, lean, level, overlap, slid_to, supported
from vision.faces.make_poses import CROP, window
from vision.faces.world import random_scene
from vision.virtual.scene import EDGE_MM, TRAY_MM, DieLook, ThrownDie
from vision.virtual.tray import up_turn

LOOK = DieLook((0.9, 0.9, 0.9), (0.1, 0.1, 0.1))


def lying(x: float, y: float, angle: float = 0.0) -> ThrownDie:
    at = np.array([x, y, EDGE_MM / 2])
    return ThrownDie("die", "white", LOOK, ("1",) * 6, at, up_turn(4, angle))


@pytest.mark.parametrize("way", [0.0, 1.0, 4.0])
def test_a_leant_die_stands_on_the_floor_and_is_raised_where_it_is_said(way: float) -> None:
    die = lean(lying(5, 5, 0.3), 16.0, way)
    assert die.tilt_deg == pytest.approx(16.0)
    assert die.corners()[:, 2].min() == pytest.approx(0.0)
    axis, sign = die.top_axis()
    normal = sign * die.rotation[:, axis]
    assert normal[:2] @ [np.cos(way), np.sin(way)] == pytest.approx(-np.sin(np.radians(16.0)))


def test_dice_that_come_together_touch_and_are_not_in_each_other() -> None:
    target = lying(0, 0)
    put = slid_to(target, lying(-40, 0), 0.0)
    assert put.position[0] == pytest.approx(-EDGE_MM, abs=0.03)
    corner = slid_to(target, lying(-40, 0, np.pi / 4), 0.0)
    assert corner.position[0] == pytest.approx(-EDGE_MM / 2 * (1 + np.sqrt(2)), abs=0.03)
    for die in (put, corner):
        nearer = replace(die, position=die.position + np.array([0.2, 0, 0]))
        assert overlap(nearer, target) and not overlap(die, target)


def test_a_die_over_another_is_not_in_it() -> None:
    below = lying(0, 0)
    upon = replace(below, position=np.array([3.0, 2.0, 1.5 * EDGE_MM + 0.01]))
    assert not overlap(upon, below)
    assert overlap(replace(upon, position=upon.position - np.array([0, 0, 1.0])), below)


@pytest.mark.parametrize("degrees", [0.0, 16.0])
def test_a_die_is_put_against_the_wall_or_a_neighbour_within_the_tray(degrees: float) -> None:
    rng = np.random.default_rng(2)
    half, touched = np.array(TRAY_MM) / 2, {"wall": 0, "neighbour": 0}
    for _ in range(40):
        die, other = lying(100, 20, rng.uniform(0, 1.5)), lying(80, -5, rng.uniform(0, 1.5))
        put = against(die, [other], degrees, rng)
        if put is None:  # the neighbour stands in the way
            continue
        assert put.tilt_deg == pytest.approx(degrees, abs=0.01)
        wall = float((half - np.abs(put.corners()[:, :2])).min())
        ahead = other.position - put.position
        nearer = replace(put, position=put.position + 0.3 * ahead / np.linalg.norm(ahead))
        assert wall > -0.01
        touched["wall" if wall < 0.01 else "neighbour"] += 1
        assert wall < 0.01 or overlap(nearer, other)
    assert min(touched.values()) > 5
    assert against(lying(0, 0), [], degrees, rng) is None


def test_scenes_have_slightly_leant_dice_and_none_are_in_each_other() -> None:
    slight = 0
    for seed in range(12):
        before = random_scene(seed, 1024, ("plain",))
        after = supported(before, np.random.default_rng(seed))
        moved = [d for d, was in zip(after.dice, before.dice, strict=True) if d is not was]
        slight += sum(12 < d.tilt_deg < 26 for d in moved)
        for die in moved:
            assert not any(overlap(die, d, 0.1) for d in after.dice if d is not die)
        assert all(level(was) for d, was in zip(after.dice, before.dice, strict=True) if d is not was)
    assert slight > 5


def test_a_window_beyond_the_picture_shows_its_rim() -> None:
    flat = np.random.default_rng(0).integers(0, 255, (408, 528, 3), np.uint8)
    crop, corner = window(flat, np.array([10.4, 200.0]))
    assert crop.shape == (CROP, CROP, 3) and corner.tolist() == [10 - CROP // 2, 200 - CROP // 2]
    assert np.array_equal(crop[:, CROP // 2], flat[corner[1] : corner[1] + CROP, 10])
    assert (crop[:, :40] == crop[:, :1]).all()

"""Tests of what makes the virtual tray hard to read: a camera beside the tray or near it, glare that leaves
outlines only, dice with drawings of their owner's; and of measuring with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.tray.dice import TYPES
from vision.throws_bench import TRICKS, Throws, holds, measure_throws, measure_tricks, own_dice
from vision.tray import TrayView, find_tray
from vision.tray_bench import Tally, answered, wanted
from vision.virtual.render import render, shade_side
from vision.virtual.scene import (
    EDGE_MM,
    TRAY_MM,
    DieLook,
    Lamp,
    ThrownDie,
    behind_walls,
    camera_at,
    painted,
)
from vision.virtual.tray import BLAZE, CAMERAS, VirtualTray, covered_share, up_turn

ROLL = {"combat_white": 2, "action_a": 2}


@pytest.mark.parametrize("camera", CAMERAS)
def test_each_camera_stands_where_it_is_said_and_sees_the_markers(camera: str) -> None:
    for seed in range(4):
        tray = VirtualTray(TYPES, seed=seed, camera=camera)
        x, y, height = tray.scene.camera.position
        tilt = np.degrees(np.arctan2(np.hypot(x, y), height))
        assert (15 <= tilt <= 35) if camera == "oblique" else tilt <= 4
        assert (height <= 480) if camera == "near" else height >= 560
        view = find_tray(tray.throw(ROLL, seed)[..., 1].copy(), tray.spec)
        assert isinstance(view, TrayView), view


def test_a_wall_before_the_camera_hides_what_lies_at_its_foot() -> None:
    camera = camera_at(650, 20, 0, 0, 0.6)  # to the right of the tray
    foot = np.array([[TRAY_MM[0] / 2 - 2, 0, 0], [-TRAY_MM[0] / 2 + 2, 0, 0], [0, 0, 0]], float)
    assert behind_walls(camera, foot).tolist() == [True, False, False]
    above = camera_at(650, 2, 0, 0, 0.6)
    assert not behind_walls(above, foot).any()


def test_a_die_behind_the_wall_is_covered_and_drawn_behind_it() -> None:
    tray = VirtualTray(TYPES, seed=1, camera="oblique", cloth="black")
    tray.show("combat_white", "1", 1)
    (die,) = tray.scene.dice
    away = camera_at(650, 20, 0, 0, 0.6)
    at = np.array([TRAY_MM[0] / 2 - EDGE_MM / 2, 0.0, EDGE_MM / 2])
    scene = replace(tray.scene, camera=away, dice=(replace(die, position=at, rotation=up_turn(4, 0.0)),))
    picture = render(scene)
    assert 0.1 < covered_share(scene, 0) < 0.5
    # two places of its white upper side: near the wall, and away from it
    places = away.project(np.array([[TRAY_MM[0] / 2 - 1, 4.0, EDGE_MM], [TRAY_MM[0] / 2 - 12, 4.0, EDGE_MM]]))
    hidden, seen = (int(picture[round(y), round(x)].min()) for x, y in places)
    assert hidden < 100 < seen


@pytest.mark.parametrize("nearer", [0, 1])
def test_a_die_hides_what_lies_behind_it_whatever_their_order_and_height(nearer: int) -> None:
    camera = camera_at(650, 30, 270, 0, 0.6)  # before the tray
    look = DieLook((0.9, 0.9, 0.9), (0.1, 0.1, 0.1))
    places = [np.array([0, y, EDGE_MM / 2 + up]) for y, up in ((-EDGE_MM, 0.0), (0.0, 0.02))]
    dice = tuple(ThrownDie("die", "white", look, ("1",) * 6, at, np.eye(3)) for at in places)
    order = painted(camera, dice if nearer == 0 else dice[::-1])
    assert order == [1 - nearer, nearer]
    upon = replace(dice[0], position=np.array([0, -EDGE_MM / 2, 1.5 * EDGE_MM]))
    assert painted(camera, (upon, *dice)) == [2, 1, 0]


def lit(engraved_mm: float, panel: float) -> np.ndarray:
    look = DieLook((0.1, 0.2, 0.6), (0.93, 0.93, 0.93), gloss=0.4, engraved_mm=engraved_mm)
    tray = VirtualTray(TYPES, seed=1)
    lamp = Lamp((0.0, 0.0, 1000.0), (0.5, 0.5, 0.5), 100, (300.0, 300.0, panel))
    scene = replace(tray.scene, camera=camera_at(650, 0, 0, 0, 0.6), lamps=(lamp,))
    die = ThrownDie("die", "blue", look, ("event",) * 6, np.array([0, 0, EDGE_MM / 2]), np.eye(3))
    # on an 8 bit picture: what is brighter than white is white
    return np.clip(shade_side(scene, die, 2, 1, [], 56), 0, 1)[8:-8, 8:-8, 2]


def test_engraved_drawings_keep_their_outlines_under_a_mirrored_lamp_and_printed_ones_do_not() -> None:
    assert lit(0.0, 0.0).std() > 0.1  # without a mirrored lamp the ink stands out
    assert lit(0.0, 150.0).std() < 0.01  # under it nothing does
    outlines = lit(0.35, 150.0)
    assert 0.03 < (outlines < 0.8).mean() < 0.5 and np.median(outlines) == 1.0


def test_glare_that_leaves_outlines_only_blinds_more_of_the_faces() -> None:
    usual, blaze = (
        VirtualTray(TYPES, seed=3, light=light, engraved=light == BLAZE) for light in ("diffuse", BLAZE)
    )
    roll = {"action_a": 5, "action_b": 5}
    blinded = [(tray.throw(roll, 3, "plain").min(axis=2) > 245).mean() for tray in (usual, blaze)]
    assert blinded[1] > 3 * blinded[0]
    assert all(d.look.engraved_mm > 0 for d in blaze.scene.dice)
    assert all(d.look.engraved_mm == 0 for d in usual.scene.dice)


@pytest.mark.parametrize("trick", TRICKS)
def test_a_throw_with_a_trick_follows_from_its_number(trick: str) -> None:
    first, again = Throws(4, trick), Throws(4, trick)
    name, picture, truth, roll = first.throw(7)
    assert (name, truth, roll) == (again.throw(7)[0], again.throw(7)[2], again.throw(7)[3])
    assert np.array_equal(picture, again.throw(7)[1])
    assert sum(roll.values()) == len(truth)


def test_dice_of_the_owners_own_have_drawings_that_follow_from_the_seed() -> None:
    assert own_dice(1) == own_dice(1) and own_dice(1) != own_dice(2)
    thrown = {d["type"] for number in range(6) for d in Throws(4, "own_faces").throw(number)[2]}
    assert {"own_a", "own_b"} <= thrown <= {"own_a", "own_b", "combat_white", "combat_black"}


def test_tallies_are_counted_together() -> None:
    first = Tally(pictures=2, silent=["a"], ms=[1.0], badness={"a": 100})
    second = Tally(pictures=3, plain=1, asked=["b"], badness={"b": 3})
    both = first + second
    assert (both.pictures, both.plain, both.silent, both.asked) == (5, 1, ["a"], ["b"])
    assert both.worst() == ["a", "b"] and both.ms == [1.0]
    assert (first.pictures, second.pictures) == (2, 3)
    assert not holds(both) and holds(Tally(pictures=1, plain=1))


def test_worst_throws_of_each_trick_are_drawn_into_a_folder_of_its_name(tmp_path: Path) -> None:
    tally, each = measure_tricks(len(TRICKS), seed=3, draw=tmp_path)
    assert set(each) == set(TRICKS) == {folder.name for folder in tmp_path.iterdir()}
    assert tally.pictures == sum(one.pictures for one in each.values()) == len(TRICKS)
    for trick, one in each.items():
        assert len(list((tmp_path / trick).iterdir())) == len(one.worst())


def test_from_near_nothing_plain_is_asked_about_where_the_owner_measured_the_cameras_height() -> None:
    """With a height assumed the sides of level dice look cocked in the corners of the tray."""
    tray = VirtualTray(TYPES, seed=1, camera="near")
    assert abs(tray.spec.camera_height_mm - tray.scene.camera.position[2]) <= 5
    tally = measure_throws(100, seed=33, trick="near")
    assert not tally.silent and not tally.asked and not tally.refused
    assert tally.plain >= 10 and tally.figures()["cocked_false"] == 0


def test_engraved_faces_are_read_under_mirrored_lamps() -> None:
    """One plain roll in five was asked about."""
    tally = measure_throws(150, seed=32, trick=BLAZE)
    assert not tally.silent and tally.figures()["precision"] == 1.0
    assert tally.plain >= 15 and len(tally.asked) + len(tally.refused) <= 1


def test_level_dice_are_known_from_beside_the_tray() -> None:
    """Half of the plain rolls were asked about, and one level die in ten called cocked."""
    tally = measure_throws(100, seed=31, trick="oblique")
    figures = tally.figures()
    assert not tally.silent and figures["precision"] == 1.0
    assert not tally.asked and not tally.refused
    assert figures["cocked_false"] == 0 and figures["recall"] >= 0.95


@pytest.mark.parametrize(("trick", "number"), [("ordinary", 157), ("near", 157), ("oblique", 434)])
def test_a_shadow_on_a_dotted_cloth_is_no_die_where_all_dice_of_the_roll_are_there(
    trick: str, number: int
) -> None:
    """It has a die's outline and a dot for a pip: every fourth roll on such a cloth was asked about."""
    throws = Throws(818181, trick)
    _, picture, truth, roll = throws.throw(number)
    reading = throws.read(number, picture, roll)
    assert reading.status == "ok" and wanted(truth) == answered(reading.dice)
    untold = throws.read(number, picture, None)
    assert untold.status == "ask"  # what is no die is known by the count alone


def test_a_cocked_die_too_many_is_asked_about() -> None:
    """Its face cannot be read, as a shadow's cannot, but its colour is that of the roll's dice."""
    tally = measure_throws(250, seed=818181)
    assert tally.too_many >= 5 and tally.figures()["passed_over"] == 0
    blind = measure_throws(20, seed=818181, told=False).figures()
    assert "passed_over" not in blind  # no count, nothing to be short of


def test_a_die_that_nobody_can_see_is_what_passes_for_none() -> None:
    """The figure counts what it should: with its only cocked die out of sight the roll is answered."""
    throws = Throws(818181)
    number = next(k for k in range(40) if _is_plain(throws.throw(k)[2]) and len(throws.throw(k)[2]) > 2)
    _, picture, truth, roll = throws.throw(number)
    hidden = {**truth[0], "cocked": True}
    more = {**roll, hidden["type"]: roll[hidden["type"]] + 1}  # one die more than there is was rolled
    assert throws.read(number, picture, roll).status == "ok"
    assert throws.passes_over([hidden], more) == [True]
    assert throws.passes_over([hidden], roll) == [False]


def _is_plain(truth: list[dict[str, Any]]) -> bool:
    return all(d["readable"] and not d["on_another_die"] for d in truth)


@pytest.mark.parametrize(("seed", "trick", "number"), [(838383, "oblique", 179), (838383, "near", 179)])
def test_a_single_pip_of_a_dark_die_is_read_where_its_outline_is_lost(
    seed: int, trick: str, number: int
) -> None:
    throws = Throws(seed, trick)
    _, picture, truth, roll = throws.throw(number)
    reading = throws.read(number, picture, roll)
    assert reading.status == "ok" and wanted(truth) == answered(reading.dice)
    assert any(d["face"] == "1" and d["colour"] == "black" for d in truth)


def test_an_edge_hidden_by_cloth_does_not_make_a_face_look_lit_by_a_lamp() -> None:
    """From beside the tray a dark cloth may lie where the rounded edge should be, though never all around."""
    for number in (102, 193):  # ivory dice were taken for blue and white ones
        throws = Throws(818181, "oblique")
        _, picture, truth, roll = throws.throw(number)
        reading = throws.read(number, picture, roll)
        assert reading.status == "ok" and wanted(truth) == answered(reading.dice)


def test_the_count_confirms_which_of_two_colours_a_mirroring_die_has_and_never_turns_it() -> None:
    """A black die under a lamp may be a white one; here all white ones are there."""
    throws = Throws(838383, BLAZE)
    _, picture, truth, roll = throws.throw(192)
    reading = throws.read(192, picture, roll)
    assert roll == {"combat_white": 3, "combat_black": 2, "action_b": 2}
    assert reading.status == "ok" and wanted(truth) == answered(reading.dice)
    other = throws.read(192, picture, {"combat_white": 4, "combat_black": 1, "action_b": 2})
    assert other.status == "ask"

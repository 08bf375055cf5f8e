"""Tests of the virtual tray: physics, truth, determinism, mishaps, drawings."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import vision.virtual.tray
from referee.hall.dicehall import KeptDice
from referee.serving.cameradice import kept_positions
from tests.vision.tray.dice import TYPES
from vision.sources import open_camera
from vision.tray import TrayView, find_tray
from vision.virtual.drawings import DRAWINGS, drawing_of, raster, svg
from vision.virtual.scene import Scene, cube_turns, poses, throw_library
from vision.virtual.tray import MISHAPS, VirtualTray, lay_out, up_turn

ROLL = {"combat_white": 2, "combat_black": 1, "action_a": 2, "action_b": 2, "battle": 1}


@pytest.fixture(scope="module")
def tray() -> VirtualTray:
    return VirtualTray(TYPES, seed=3)


def test_a_throw_follows_from_its_seed(tray: VirtualTray) -> None:
    first = tray.throw(ROLL, 5)
    truth = tray.truth()
    other = tray.throw(ROLL, 6)
    again = tray.throw(ROLL, 5)
    assert np.array_equal(first, again) and tray.truth() == truth
    assert not np.array_equal(first, other)
    assert first.shape == (960, 1280, 3) and first.dtype == np.uint8


def test_what_is_thrown_is_what_was_asked_for(tray: VirtualTray) -> None:
    tray.throw(ROLL, 9)
    dice = tray.truth()["dice"]
    assert {t: sum(d["type"] == t for d in dice) for t in ROLL} == ROLL
    for die in dice:
        assert die["face"] in tray.types[die["type"]].faces


def test_a_throw_was_lost_where_an_empty_tray_was_still_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    tray = VirtualTray(TYPES, seed=1, width=320)
    thrown: list[np.ndarray] = []
    draw = vision.virtual.tray.render

    def slow(scene: Scene) -> np.ndarray:
        picture = draw(scene)
        if not scene.dice and not thrown:
            thrown.append(tray.throw(ROLL, 7))  # while the camera's thread draws
        return picture

    monkeypatch.setattr(vision.virtual.tray, "render", slow)
    frame = tray.frame(1.0)
    assert frame is not None and np.array_equal(frame.image, thrown[0])
    tray.clear()
    cleared = tray.frame(1.0)
    assert cleared is not None and not np.array_equal(cleared.image, thrown[0])


def test_faces_fall_evenly() -> None:
    tray = VirtualTray(TYPES, seed=1, width=320)
    counts = dict.fromkeys("123456", 0)
    for seed in range(40):
        tray.throw({"combat_white": 13}, seed)
        for die in tray.truth()["dice"]:
            counts[die["face"]] += 1
    expected = sum(counts.values()) / 6
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 20.5  # 0.999 quantile, 5 degrees


def test_library_poses_are_cubes_at_rest_in_the_tray() -> None:
    starts, place, turn = throw_library()
    assert len(starts) > 1000
    assert np.allclose(np.einsum("nij,nkj->nik", turn, turn), np.eye(3), atol=1e-3)
    assert (np.linalg.det(turn) > 0.99).all()
    corners = place[:, None] + np.einsum(
        "nij,kj->nki", turn, np.array(np.meshgrid(*[[-8, 8]] * 3)).reshape(3, -1).T
    )
    assert corners[..., 2].min() > -0.6
    assert np.abs(corners[..., 0]).max() < 121.5 and np.abs(corners[..., 1]).max() < 91.5
    tilt = np.degrees(np.arccos(np.clip(np.abs(turn[:, 2]).max(axis=1), 0, 1)))
    assert not ((tilt > 6.5) & (tilt < 13.5)).any()


@pytest.mark.parametrize("kind", ["plain", "cocked", "stacked", "touching", "wall"])
def test_kinds_of_throws_are_what_they_are_called(kind: str) -> None:
    for seed in range(10):
        place, turn = poses(8, np.random.default_rng(seed), kind)
        assert (np.linalg.det(turn) > 0.99).all(), "mirroring must keep frames right-handed"
        tilt = np.degrees(np.arccos(np.clip(np.abs(turn[:, 2]).max(axis=1), 0, 1)))
        assert (tilt > 12).any() == (kind == "cocked")
        if kind != "cocked":
            assert (place[:, 2] > 13).any() == (kind == "stacked")


def test_opposite_pips_add_up_to_seven() -> None:
    for mirrored in (False, True):
        sides = lay_out(tuple("123456"), mirrored)
        assert all(int(sides[k]) + int(sides[k + 1]) == 7 for k in (0, 2, 4))
    assert lay_out(tuple("123456"), True) != lay_out(tuple("123456"), False)


def test_turns() -> None:
    turns = cube_turns()
    assert len({tuple(m.ravel().round().astype(int)) for m in turns}) == 24
    assert np.allclose(np.linalg.det(turns), 1)
    for side in range(6):
        m = up_turn(side, 0.7)
        axis, sign = divmod(side, 2)
        assert np.allclose(m @ (np.eye(3)[axis] * (1 if sign == 0 else -1)), [0, 0, 1])
        assert np.linalg.det(m) == pytest.approx(1)


def test_every_face_can_be_shown(tray: VirtualTray) -> None:
    for kind in TYPES:
        for face in kind.distinct_faces:
            tray.show(kind.id, face, 1)
            (die,) = tray.truth()["dice"]
            assert (die["type"], die["face"], die["cocked"], die["readable"]) == (kind.id, face, False, True)


def test_truth_agrees_with_the_picture(tray: VirtualTray) -> None:
    """The quads of white dice on green cloth are brighter than the cloth around them."""
    image = tray.throw({"combat_white": 4}, 12).astype(float)
    for die in tray.truth()["dice"]:
        if die["cocked"] or die["visible_fraction"] < 0.9:
            continue
        corners, middle = np.array(die["quad_px"]), np.array(die["centre_px"])
        inside = np.round(middle + 0.85 * (corners - middle)).astype(int)
        outside = np.round(middle + 2.6 * (corners - middle)).astype(int)
        red_in = np.median([image[y, x, 2] for x, y in inside])
        red_out = np.median([image[y, x, 2] for x, y in outside if 0 <= x < 1280 and 0 <= y < 960])
        assert red_in > red_out + 40


@pytest.mark.parametrize("mishap", MISHAPS)
def test_mishaps_happen(tray: VirtualTray, mishap: str) -> None:
    plain = tray.throw(ROLL, 21)
    image = tray.throw(ROLL, 21, mishap)
    truth = tray.truth()["dice"]
    if mishap == "cocked":
        assert any(d["cocked"] for d in truth)
    elif mishap == "stacked":
        assert any(d["on_another_die"] or d["position_mm"][2] > 13 for d in truth)
    elif mishap in ("rolling", "shake", "hand"):
        assert not any(d["readable"] for d in truth)
    elif mishap == "dark":
        assert image.mean() < 0.3 * plain.mean()
    elif mishap == "plain":
        assert all(d["readable"] and d["tilt_deg"] < 6 for d in truth)
    assert not np.array_equal(image, plain) or mishap == "plain"


def test_an_unknown_mishap_is_refused(tray: VirtualTray) -> None:
    with pytest.raises(KeyError, match="earthquake"):
        tray.throw(ROLL, 1, "earthquake")


def test_the_pose_found_from_the_markers_is_the_camera(tray: VirtualTray) -> None:
    import cv2

    tray.throw(ROLL, 4)
    frame = tray.frame(0)
    assert frame is not None
    view = find_tray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY))
    assert isinstance(view, TrayView)
    points = np.array([[-120, 90, 0], [120, 90, 0], [120, -90, 0], [-120, -90, 0], [0, 0, 0.0]])
    assert np.abs(view.project(points) - tray.scene.camera.project(points)).max() < 2.0
    upper = points + np.array([0, 0, 16.0])
    assert np.abs(view.project(upper) - tray.scene.camera.project(upper)).max() < 4.5


def test_as_a_camera_it_gives_numbered_frames_until_closed() -> None:
    camera = open_camera("virtual:2", TYPES)
    first, second = camera.frame(0), camera.frame(0)
    assert first is not None and second is not None and second.sequence > first.sequence
    camera.close()
    assert camera.frame(0) is None


def test_drawings_differ_and_are_drawn_alike_as_svg() -> None:
    white, black = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
    pictures = {name: raster(drawing, white, black, 32) for name, drawing in DRAWINGS.items()}
    names = list(pictures)
    for k, a in enumerate(names):
        assert 0.02 < float((pictures[a] < 0.5).any(axis=2).mean()) < 0.6
        for b in names[k + 1 :]:
            assert float(np.abs(pictures[a] - pictures[b]).mean()) > 0.004, (a, b)
    for name in [*names, "1", "6", "no_such_face"]:
        tree = ElementTree.fromstring(svg(name))
        assert len([e for e in tree.iter() if e.tag.endswith("path")]) >= len(drawing_of(name)) - 1
        assert ElementTree.fromstring(svg(name, "#fff", "#123")).tag.endswith("svg")


def test_a_re_roll_moves_only_the_dice_that_are_rolled_again() -> None:
    tray = VirtualTray(TYPES, 3)
    for seed in range(8):
        tray.throw({"combat_white": 9, "action_a": 4}, seed)
        before = tray.scene.dice
        stay = [(d.type, float(d.position[0]) + 1.0, float(d.position[1])) for d in before[:9]]
        tray.throw({"action_a": 4}, 100 + seed, stay=stay)
        assert tray.scene.dice[:9] == before[:9] and len(tray.scene.dice) == 13
        thrown = np.array([d.position for d in tray.scene.dice[9:]])
        lying = np.array([d.position for d in before[:9]])
        gaps = np.linalg.norm(thrown[:, None, :2] - lying[None, :, :2], axis=-1)
        assert gaps.min() > 16 and (np.abs(thrown[:, :2]) < [120, 90]).all()
    tray.throw({"action_a": 1}, 7)
    assert len(tray.scene.dice) == 1


def test_of_equal_dice_one_is_taken_up_where_one_is_rolled_again() -> None:
    dice = tuple(
        {"type": "d6", "face": face, "centre_mm": [x, 5.0, 8.0]}
        for face, x in (("2", 0.0), ("2", 30.0), ("5", 60.0))
    )
    assert kept_positions(KeptDice(dice, {("d6", "2"): 1})) == [("d6", 30.0, 5.0), ("d6", 60.0, 5.0)]
    assert kept_positions(KeptDice()) == []


def test_rolling_dice_all_roll() -> None:
    for seed in range(12):
        tray = VirtualTray(TYPES, seed)
        tray.throw({"combat_white": 6}, seed, "rolling")
        assert np.linalg.norm(tray.scene.motion_px, axis=1).min() >= 13
        assert not any(die["readable"] for die in tray.truth()["dice"])

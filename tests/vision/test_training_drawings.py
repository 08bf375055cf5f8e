"""What the drawings for training promise: ring lamps, lone marks, sizes as asked for, the same for a seed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.backgrounds import mark
from vision.training.patches import EDGE, SIZE, marks
from vision.training.scenes import Shares, _mixed_places, scene
from vision.training.solids import _in_lamp


def _away(degrees: float) -> np.ndarray:
    """A direction so far from straight up."""
    a = np.radians(degrees)
    return np.array([[np.sin(a), 0, np.cos(a)]], np.float32)


@pytest.mark.parametrize(("degrees", "ring", "disc"), [(0, 0, 1), (6, 0, 1), (9.5, 1, 1), (16, 0, 0)])
def test_a_ring_lamp_has_a_dark_middle_and_a_round_one_has_none(degrees: float, ring: int, disc: int) -> None:
    up, outer, inner = np.array([0, 0, 1], np.float32), np.cos(np.radians(11)), np.cos(np.radians(8))
    assert round(float(_in_lamp(np.append(up, [outer, inner]), _away(degrees))[0])) == ring
    assert round(float(_in_lamp(np.append(up, [outer, 1]), _away(degrees))[0])) == disc


@pytest.mark.parametrize("seed", range(6))
def test_a_mark_lies_in_the_middle_and_has_no_die_round_it(seed: int) -> None:
    ground = np.full((SIZE, SIZE, 3), 0.45, np.float32)
    drawn = ground.copy()
    mark(np.random.default_rng(seed), drawn, EDGE)
    changed = np.abs(drawn - ground).max(2) > 0.01
    yy, xx = np.nonzero(changed)
    assert changed.any()
    assert np.hypot(yy - SIZE / 2, xx - SIZE / 2).max() < EDGE


def test_drawings_are_the_same_for_a_seed() -> None:
    a, b = (marks(np.random.default_rng(3), 2) for _ in range(2))
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert a[0].shape == (SIZE, SIZE, 3)
    assert a[0].dtype == np.uint8


def test_dice_are_as_large_as_asked_for() -> None:
    rng = np.random.default_rng(4)
    truths = [t for _ in range(4) for t in scene(rng, 160, Shares(edges=(24, 26)))[1] if t.face]
    edges = [t.edge for t in truths]
    assert len(edges) > 3
    assert min(edges) > 12
    assert max(edges) < 40


@pytest.mark.parametrize("seed", range(4))
def test_dice_of_several_sizes_touch_and_never_overlap(seed: int) -> None:
    places = _mixed_places(np.random.default_rng(seed), 20, 4.0)
    pairs = [(a, b) for i, a in enumerate(places) for b in places[:i]]
    assert len({p.size for p in places}) > 1
    assert not any(a.overlaps(b) for a, b in pairs)
    assert any(a.apart(b) < 1.45 for a, b in pairs)


def test_a_larger_die_is_drawn_larger() -> None:
    rng = np.random.default_rng(4)
    shares = Shares(edges=(24, 26), low=0.0, sizes=1.0)
    edges = [t.edge for _ in range(6) for t in scene(rng, 200, shares)[1] if t.face]
    assert max(edges) > 1.2 * min(edges)
    assert max(edges) < 26 * 1.35 * 1.6

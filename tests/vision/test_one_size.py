"""Dice of a roll are about one size: a doubtful find of another size is no die, a sure one is asked about."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.detect import DetectedCentre
from vision.lattice import NOT_LAID
from vision.limits import Limits
from vision.reader import DiceReader, Evidence

PICTURE = np.full((480, 640, 3), 120, np.uint8)
EVEN = np.full(6, 1 / 6, np.float32)


def _seen(x: float, edge: float, heat: float, no_face: float) -> Evidence:
    """A candidate that shows a four, if it shows anything."""
    faces = np.array([no_face, 0, 0, 0, 1 - no_face, 0, 0], np.float32)
    combined = np.array([0, 0, 0, 1, 0, 0], np.float32)
    return Evidence(DetectedCentre(x, 240.0, edge, heat, True, EVEN), faces, NOT_LAID, combined)


def _codes(*seen: Evidence) -> list[str]:
    reader = DiceReader.__new__(DiceReader)  # only its judgement is needed, no networks
    reader.limits = Limits()
    return [r.code for r in reader.judge(PICTURE, list(seen))[1]]


DICE = (_seen(100.0, 30.0, 0.8, 0.01), _seen(200.0, 34.0, 0.8, 0.01))


@pytest.mark.parametrize(("edge", "asked"), [(32.0, ["maybe_a_die"]), (90.0, []), (14.0, [])])
def test_what_may_be_a_die_is_asked_about_only_if_it_has_the_size_of_the_others(
    edge: float, asked: list[str]
) -> None:
    assert _codes(*DICE, _seen(400.0, edge, 0.36, 0.22)) == asked


def test_a_sure_die_of_another_size_is_still_asked_about() -> None:
    assert _codes(*DICE, _seen(400.0, 90.0, 0.8, 0.01)) == ["odd_size"]


def test_what_is_hardly_found_and_of_another_size_is_no_die_even_if_it_looks_like_a_pip() -> None:
    assert _codes(*DICE, _seen(400.0, 90.0, 0.35, 0.01)) == []  # a round foot, a screw


@pytest.mark.parametrize(("edge", "asked"), [(26.0, ["maybe_a_die"]), (22.0, []), (46.0, [])])
def test_three_dice_tell_the_size_more_closely_than_two(edge: float, asked: list[str]) -> None:
    third, doubtful = _seen(300.0, 32.0, 0.8, 0.01), _seen(400.0, edge, 0.36, 0.22)
    assert _codes(*DICE, doubtful) == ["maybe_a_die"]
    assert _codes(*DICE, third, doubtful) == asked


def test_a_die_of_the_right_size_that_is_hardly_found_is_still_read() -> None:
    reader = DiceReader.__new__(DiceReader)
    reader.limits = Limits()
    dice, _ = reader.judge(PICTURE, [*DICE, _seen(400.0, 30.0, 0.35, 0.01)])
    assert len(dice) == 3


def test_the_size_is_that_of_the_dice_plainly_found_even_if_they_are_fewer() -> None:
    feet = (_seen(400.0, 90.0, 0.35, 0.01), _seen(500.0, 90.0, 0.35, 0.01))
    assert _codes(DICE[0], *feet) == []


def test_where_nothing_is_sure_no_size_is_known() -> None:
    assert _codes(_seen(400.0, 90.0, 0.36, 0.22)) == ["maybe_a_die"]


def _mark(outlined: bool) -> np.ndarray:
    """A picture with a dark dot, with or without a die round it."""
    picture = np.full((480, 640, 3), 190, np.uint8)
    if outlined:
        cv2.rectangle(picture, (385, 225), (415, 255), (235, 235, 235), -1)
        cv2.rectangle(picture, (385, 225), (415, 255), (90, 90, 90), 2)
    cv2.circle(picture, (400, 240), 4, (60, 60, 60), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("outlined", "others", "asked"), [(True, 0, 1), (False, 0, 0), (False, 2, 1)])
def test_where_no_die_is_sure_a_dot_without_an_outline_is_none(
    outlined: bool, others: int, asked: int
) -> None:
    reader = DiceReader.__new__(DiceReader)
    reader.limits = Limits()
    seen = [*DICE[:others], _seen(400.0, 32.0, 0.36, 0.22)]
    assert [r.code for r in reader.judge(_mark(outlined), seen)[1]] == ["maybe_a_die"] * asked

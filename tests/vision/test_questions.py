"""Which faces are asked about: no further look overrules a plain face, nothing else a classifier in doubt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.bench import PHOTOGRAPHS, load_labels
from vision.bench_views import VIEWS
from vision.detect import DetectedCentre
from vision.imagefile import read_image
from vision.lattice import NOT_LAID
from vision.limits import Limits
from vision.quality import DIM, MOST_BRIGHTER, WHITE, brightened
from vision.reader import DiceReader, Evidence

PICTURE = np.full((480, 640, 3), 120, np.uint8)
EVEN = np.full(6, 1 / 6, np.float32)


def _four(heat: float, classified: float, turned_face: int = 0) -> Evidence:
    """A four, of that heat and with that share of the classifiers' answer; all readings together are sure."""
    faces = np.array([0, 0, 0, 0, classified, 1 - classified, 0], np.float32)
    combined = np.array([0, 0, 0, 0.999, 0.001, 0], np.float32)
    found = DetectedCentre(320.0, 240.0, 30.0, heat, True, EVEN)
    return Evidence(found, faces, NOT_LAID, combined, turned_face=turned_face)


def _codes(*seen: Evidence) -> list[str]:
    reader = DiceReader.__new__(DiceReader)  # only its judgement is needed, no networks
    reader.limits = Limits()
    return [r.code for r in reader.judge(PICTURE, list(seen))[1]]


@pytest.mark.parametrize(
    ("heat", "classified", "turned"),
    [(0.6, 0.999, False), (0.6, 0.98, True), (0.49, 0.9997, True), (0.7, 0.98, False)],
)
def test_a_further_look_that_read_another_face_was_believed_against_a_plain_one(
    heat: float, classified: float, turned: bool
) -> None:
    reader = DiceReader.__new__(DiceReader)
    reader.limits = Limits()
    seen = _four(heat, classified)
    assert reader._worth_turning([seen]) == ([seen] if turned else [])
    assert _codes(seen) == []


def test_what_a_further_look_reads_as_another_face_is_asked_about() -> None:
    assert _codes(_four(0.6, 0.98, turned_face=6)) == ["unsure"]


@pytest.mark.parametrize(("edge", "asked"), [(20.0, ["unsure"]), (30.0, [])])
def test_a_five_of_14_pixels_was_read_as_six_without_a_question(edge: float, asked: list[str]) -> None:
    """The detector takes it for one of 20; the classifiers of faces were less sure than of larger dice."""
    seen = _four(0.6, 0.96)
    seen.found.edge = edge
    assert _codes(seen) == asked
    plain = _four(0.6, 0.999)
    plain.found.edge = edge
    assert _codes(plain) == []


@pytest.mark.parametrize(("edge", "asked"), [(20.0, ["not_understood"]), (30.0, [])])
def test_a_1_of_14_pixels_was_left_out_beside_dice_that_were_read(edge: float, asked: list[str]) -> None:
    plain, lost = _four(0.6, 0.999), _four(0.36, 0.9)
    plain.found.edge = edge
    lost.found.edge, lost.found.either, lost.found.x = 1.2 * edge, 0.65, 400.0
    lost.found.pip, lost.faces[:] = False, [0.9, 0.1, 0, 0, 0, 0, 0]
    lost.combined[:] = EVEN
    assert _codes(plain, lost) == asked


@pytest.mark.parametrize(("heat", "asked"), [(0.6, []), (0.37, ["unsure"])])
def test_a_faint_five_was_read_as_four_though_the_classifiers_were_in_doubt(
    heat: float, asked: list[str]
) -> None:
    assert _codes(_four(heat, 0.86)) == asked
    assert _codes(_four(heat, 0.95)) == []


def test_a_dim_picture_is_made_brighter_and_a_dark_table_is_not() -> None:
    picture = np.full((480, 640, 3), 20, np.uint8)
    picture[200:260, 200:260] = 240
    assert np.array_equal(brightened(picture), picture)  # a white die on a dark table
    dim = (picture * 0.45).astype(np.uint8)
    out = brightened(dim)
    assert dim.max() < DIM and abs(int(out.max()) - WHITE) <= 1
    assert abs(int(out[0, 0, 0]) - 20) <= 2 and out.dtype == np.uint8
    dimmer = (picture * 0.25).astype(np.uint8)
    assert abs(int(brightened(dimmer).max()) - MOST_BRIGHTER * int(dimmer.max())) <= 1


@pytest.mark.photographs
def test_a_dark_die_of_a_dim_photograph_was_missed_with_no_word() -> None:
    if not PHOTOGRAPHS.is_file():
        pytest.skip("no labelled photographs in ../shared/dice beside the checkout")
    (label,) = (x for x in load_labels(PHOTOGRAPHS) if Path(x.file).name == "IMG_20191208_111628.jpg")
    reading = DiceReader().read(VIEWS["darkened"](read_image(PHOTOGRAPHS.parent / label.file)))
    assert tuple(sorted(int(d.face or 0) for d in reading.dice)) == label.values or reading.status == "ask"

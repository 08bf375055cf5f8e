"""Which kind of die it is, and which of two faces is the upper one, where the detector is of two minds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.detect import STRIDE, DetectedCentre, _peaks
from vision.lattice import NOT_LAID
from vision.limits import Limits
from vision.reader import DiceReader, Evidence

PICTURE = np.full((480, 640, 3), 120, np.uint8)
EVEN = np.full(6, 1 / 6, np.float32)


def _judged(heat: float, either: float, no_face: float) -> tuple[list[str | None], list[str]]:
    """Faces and questions about a find that the detector takes for another kind of die."""
    faces = np.array([no_face, 0, 0, 0, 1 - no_face, 0, 0], np.float32)
    found = DetectedCentre(300.0, 240.0, 30.0, heat, False, EVEN, 0.0, either)
    evidence = Evidence(found, faces, NOT_LAID, np.array([0, 0, 0, 1, 0, 0], np.float32))
    reader = DiceReader.__new__(DiceReader)  # only its judgement is needed, no networks
    reader.limits = Limits()
    dice, reasons = reader.judge(PICTURE, [evidence])
    return [d.face for d in dice], [r.code for r in reasons]


@pytest.mark.parametrize(
    ("heat", "either", "no_face", "faces", "asked"),
    [
        (0.42, 0.75, 0.005, ["4"], []),  # of two minds, and plainly pips: read
        (0.33, 0.55, 0.05, [], ["maybe_a_die"]),  # of two minds, and probably pips: asked about
        (0.42, 0.45, 0.005, [None], ["not_understood"]),  # certain that it is another kind
        (0.42, 0.75, 0.6, [None], ["not_understood"]),  # no pips to be seen
    ],
)
def test_classifiers_decide_where_the_detector_is_of_two_minds(
    heat: float, either: float, no_face: float, faces: list[str | None], asked: list[str]
) -> None:
    assert _judged(heat, either, no_face) == (faces, asked)


def _output(*dice: tuple[int, int, float]) -> np.ndarray:
    """What the detector would say of faces (column, row, heat) of 32 pixels."""
    out = np.zeros((9, 40, 40), np.float32)
    out[:2] = -8.0
    for x, y, heat in dice:
        out[0, y, x] = np.log(heat / (1 - heat))
    return out


@pytest.mark.parametrize(("above", "upper"), [(0.45, 15), (0.33, 20)])
def test_of_two_faces_nearly_as_likely_the_higher_is_the_upper_one(above: float, upper: int) -> None:
    (found,) = _peaks(_output((20, 20, 0.5), (20, 15, above)))
    assert found.y == pytest.approx(upper * STRIDE + 1.5, abs=1)
    assert found.rival > 0.55 and found.heat == pytest.approx(0.5, abs=0.01)


class Says:
    """A face reader that sees another face a little higher in the picture."""

    def __init__(self, higher: int) -> None:
        self.higher = higher

    def read(self, _: np.ndarray, faces: list[tuple[float, float, float]], __: object = None) -> np.ndarray:
        out = np.full((len(faces), 7), 0.001, np.float32)
        for row, (_x, y, _edge) in zip(out, faces, strict=True):
            row[self.higher if y < 239 else 4] = 0.994
        return out


class Finds:
    """A detector that finds one die."""

    def __init__(self, heat: float) -> None:
        self.found = [DetectedCentre(300.0, 240.0, 30.0, heat, True, EVEN)]

    def find(self, _: np.ndarray) -> list[DetectedCentre]:
        return self.found

    def find_at(self, image: np.ndarray, _: float) -> list[DetectedCentre]:
        """The same in the picture turned round."""
        h, w = image.shape[:2]
        return [replace(f, x=w - 1 - f.x, y=h - 1 - f.y) for f in self.found]


@pytest.mark.parametrize(("heat", "higher", "doubted"), [(0.45, 6, True), (0.45, 4, False), (0.8, 6, False)])
def test_a_weak_find_is_doubted_if_it_shows_another_face_a_little_higher(
    heat: float, higher: int, doubted: bool
) -> None:
    reader = DiceReader(None, Finds(heat), Says(higher))  # type: ignore[arg-type]
    (evidence,) = reader.evidence(PICTURE)
    assert (evidence.confidence < Limits().face) is doubted

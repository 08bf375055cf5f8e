"""Two classifiers look at each face: where they agree it is sure, where they differ it is doubted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.bench import MENDED, PictureOutcome, Result, mended
from vision.confidence import combine
from vision.lattice import Fit
from vision.limits import Limits
from vision.pipfaces import VIEWS, FaceReader

PICTURE = np.full((120, 160, 3), 90, np.uint8)


class Says:
    """A network that answers the same for every crop, and remembers what it was shown."""

    def __init__(self, face: int, gap: float = 6.0) -> None:
        self.logits = np.zeros(7, np.float32)
        self.logits[face] = gap
        self.shown: list[tuple[int, ...]] = []

    def run(self, inputs: np.ndarray) -> np.ndarray:
        self.shown.append(inputs.shape)
        return np.tile(self.logits, (len(inputs), 1))


def _read(near: Any, wide: Any, hint: int) -> np.ndarray:
    return FaceReader(near, wide).read(PICTURE, [(80.0, 60.0, 30.0)], [hint])[0]


def _confidence(faces: np.ndarray) -> float:
    nothing = Fit(1, np.full(6, 0.5, np.float32), 0.0, 0.0, 0.25)
    return float(combine(np.full(6, 1 / 6, np.float32), faces[1:] / faces[1:].sum(), nothing).max())


def test_agreement_is_sure_and_disagreement_is_asked_about() -> None:
    together, apart = _read(Says(4), Says(4), 5), _read(Says(4), Says(6), 5)
    assert together.argmax() == 4
    assert _confidence(together) > Limits().face > _confidence(apart)


def test_the_wide_view_shows_more_of_the_surroundings() -> None:
    near, wide = Says(2), Says(2)
    _read(near, wide, 1)
    assert [n.shown[0][2:] for n in (near, wide)] == [(VIEWS[0][0],) * 2, (VIEWS[1][0],) * 2]
    assert VIEWS[1][0] / VIEWS[1][1] > VIEWS[0][0] / VIEWS[0][1]


@pytest.mark.parametrize(("hint", "gap", "looks"), [(3, 9.0, (1, 0)), (5, 9.0, (2, 2)), (3, 3.0, (2, 2))])
def test_what_is_plain_and_confirmed_is_looked_at_once(hint: int, gap: float, looks: tuple[int, int]) -> None:
    near, wide = Says(3, gap), Says(3, gap)
    _read(near, wide, hint)
    assert (len(near.shown), len(wide.shown)) == looks


def test_the_worst_are_named_silent_ones_first() -> None:
    def outcome(file: str, status: str, values: tuple[int, ...], read: tuple[int, ...]) -> PictureOutcome:
        return PictureOutcome(
            file, "s", len(values), values == read, 0, len(read), status, 1.0, values, read, 0, True
        )

    result = Result(
        [
            outcome("right", "ok", (1, 2), (1, 2)),
            outcome("asked", "ask", (1, 2), (1, 2)),
            outcome("two_wrong", "ask", (1, 2), (3, 4)),
            outcome("silent", "ok", (1, 2), (1, 3)),
        ]
    )
    assert [o.file for o in result.worst()] == ["silent", "two_wrong", "asked"]
    assert [o.file for o in result.worst(1)] == ["silent"]


def test_a_label_that_looks_wrong_is_scored_as_it_is_and_told_apart() -> None:
    file, (away, besides) = next((f, m) for f, m in MENDED.items() if m[0])
    shown = tuple(sorted((5, *besides)))
    assert mended(file, (5, *away)) == shown
    assert mended("another.jpg", (2, 5)) == (2, 5)
    seen = PictureOutcome(file, "s", 2, False, 1, len(shown), "ok", 1.0, (5, *away), shown, 0, True)
    shares = Result([seen]).shares([seen])
    assert (shares["silent"], shares["silent_mended"]) == (1.0, 0.0)

"""How well areas were found, against what is true of a drawn board: pairs that touch."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.boards.areas import Areas, questions
from vision.boards.lines import WORK
from vision.virtual.area_boards import DrawnBoard

Pair = tuple[int, int]

LEAST_SHARE = 0.3
"""Of a true area, that what was found of it takes up at least."""


@dataclass(frozen=True, slots=True)
class PairScore:
    """Pairs found and missed, and how many of the wrong ones nobody would be asked about."""

    right: int
    wrong: int
    missing: int
    silent: int
    asked: int
    """Questions that settle all doubts."""

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missing)


def score(board: DrawnBoard, areas: Areas) -> PairScore:
    """Compare what was found in the squared picture of ``board`` with what is true."""
    found_of, true_of = _matched(board, areas)
    doubtful, asked = areas.doubtful_pairs, _asked(board, areas)
    right: set[Pair] = set()
    wrong = silent = 0
    for pair in areas.joins:
        named = [true_of.get(one, -1) for one in pair]
        true = (min(named), max(named))
        if true in board.joins and true not in right:
            right.add(true)
            continue
        wrong += 1
        silent += pair not in doubtful
    missing = board.joins - right
    for a, b in missing:
        one, other = found_of.get(a), found_of.get(b)
        if one is None or other is None:
            silent += not {a, b} - set(found_of) <= asked  # an area was lost, and its pair with it
        elif one == other:
            silent += one not in areas.doubts
        else:
            silent += (min(one, other), max(one, other)) not in doubtful
    return PairScore(len(right), wrong, len(missing), silent, questions(areas))


def _asked(board: DrawnBoard, areas: Areas) -> set[int]:
    """True areas that were taken for rock, and of which a person is asked."""
    found = set()
    for true, (x, y) in enumerate(board.middles):
        scale = (WORK - 1) / (board.areas.shape[0] - 1)
        if int(areas.ground.pieces[round(y * scale), round(x * scale)]) in areas.stones:
            found.add(true)
    return found


def _matched(board: DrawnBoard, areas: Areas) -> tuple[dict[int, int], dict[int, int]]:
    """Found area by true one, where most of it lies; true area by that found one which is its."""
    truth = cv2.resize(board.areas, (WORK, WORK), interpolation=cv2.INTER_NEAREST).astype(int)
    count = len(board.groups)
    both = np.zeros((count + 1, int(areas.labels.max()) + 1), int)
    np.add.at(both, (truth.reshape(-1) + 1, areas.labels.reshape(-1)), 1)
    found_of = {}
    for true in range(count):
        row = both[true + 1].copy()
        whole, row[0] = int(row.sum()), 0
        if row.max() > LEAST_SHARE * whole:
            found_of[true] = int(row.argmax())
    true_of = {}
    for found in areas.numbers:
        true = int(both[1:, found].argmax())  # rock that it took in besides makes it no other area
        if found_of.get(true) == found:
            true_of[found] = true
    return found_of, true_of

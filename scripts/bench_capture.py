"""Figures of boards captured from photographs, ``calibration.board_*``.

calibration.board_joins
    F1 of neighbour pairs found before any tap, over 30 drawn boards of fixed seeds in styles that were held
    out (nobody looked at boards of them while finding areas was made): 3 to 15 % of each border missing or
    displaced by 1 % of the width, photographed at a slant of up to 25 degrees, lit 1:3 from one side
calibration.board_joins_worst
    the same of the worst of these boards
calibration.board_joins_silent
    wrong and missing pairs that are not among the doubtful ones
calibration.board_joins_asked
    questions a board that settle all that is doubtful, on average
calibration.board_joins_asked_share
    the same as a share of the pairs that there are
calibration.board_ms
    finding the areas of one photograph, on average
"""

from __future__ import annotations

import time

from vision.boards.areas import find_areas
from vision.boards.squaring import propose_corners, squared
from vision.boards.truth import score
from vision.virtual.area_boards import SIZE, UNSEEN, Wear, draw_board

BOARDS = 30
FIRST_SEED = 91_000


def figures(boards: int = BOARDS, first: int = FIRST_SEED) -> dict[str, float]:
    """All figures of this module; about a minute and a half."""
    right = wrong = missing = silent = asked = pairs = 0
    worst, spent = 1.0, 0.0
    for number in range(boards):
        board = draw_board(first + number, UNSEEN[number % len(UNSEEN)], wear=Wear())
        began = time.perf_counter()
        areas = find_areas(squared(board.photo, propose_corners(board.photo), SIZE))
        spent += time.perf_counter() - began
        found = score(board, areas)
        right, wrong, missing = right + found.right, wrong + found.wrong, missing + found.missing
        pairs += len(board.joins)
        silent, asked, worst = silent + found.silent, asked + found.asked, min(worst, found.f1)
    return {
        "calibration.board_joins": 2 * right / (2 * right + wrong + missing),
        "calibration.board_joins_worst": worst,
        "calibration.board_joins_silent": float(silent),
        "calibration.board_joins_asked": asked / boards,
        "calibration.board_joins_asked_share": asked / pairs,
        "calibration.board_ms": spent / boards * 1e3,
    }


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:44} {value:14.4f}")

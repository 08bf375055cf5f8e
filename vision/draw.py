"""Annotated pictures: what was read, where, and what is asked about."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import DiceReading, Quad

OK, ASK, NO = (60, 190, 60), (0, 165, 255), (60, 60, 230)


def annotate(image: NDArray[np.uint8], reading: DiceReading) -> NDArray[np.uint8]:
    """A copy of the picture with each die's quad, face and confidence, and the reasons' places."""
    out = image.copy()
    thick = max(1, round(max(out.shape[:2]) / 500))
    size = max(0.45, max(out.shape[:2]) / 1100)
    asked = [r.quad for r in reading.reasons if r.quad is not None]
    for die in reading.dice:
        colour = NO if die.face is None else ASK if die.quad in asked else OK
        _outline(out, die.quad, colour, thick)
        text = f"{die.face or '?'} {die.confidence:.2f}"
        at = (int(max(p[0] for p in die.quad)) + 2, int(min(p[1] for p in die.quad)) + 4)
        _write(out, text, at, size, colour, thick)
    for quad in asked:
        if all(quad != d.quad for d in reading.dice):
            _outline(out, quad, ASK, thick)
            _write(out, "?", (int(quad[1][0]), int(quad[1][1])), size, ASK, thick)
    banner = f"{reading.status}: " + (
        "; ".join(dict.fromkeys(r.code for r in reading.reasons)) or f"{len(reading.dice)} dice"
    )
    colour = {"ok": OK, "ask": ASK}.get(reading.status, NO)
    _write(out, banner, (6, int(24 * size) + 4), size * 1.1, colour, thick)
    return out


def _outline(image: NDArray[np.uint8], quad: Quad, colour: tuple[int, int, int], thick: int) -> None:
    cv2.polylines(image, [np.round(np.array(quad)).astype(np.int32)], True, colour, thick, cv2.LINE_AA)


def _write(
    image: NDArray[np.uint8],
    text: str,
    at: tuple[int, int],
    size: float,
    colour: tuple[int, int, int],
    thick: int,
) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick * 3, cv2.LINE_AA)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)

"""Drawings on the faces of training dice: pips, and marks that are not pips."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.solids import TEX, F

# lattice positions of a western die in units of the pip distance
LATTICE: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
SUB = 4  # fractional bits of drawing coordinates


def pip_face(value: int, spacing: float, radius: float, turn: float) -> F:
    """Alpha map of a face with ``value`` pips; spacing and radius in edges, turn in radians."""
    tex = np.zeros((TEX, TEX), np.float32)
    c, s = np.cos(turn), np.sin(turn)
    for i, j in LATTICE[value]:
        x, y = c * i - s * j, s * i + c * j
        centre = tuple(int(((v * spacing + 0.5) * (TEX - 1)) * 2**SUB) for v in (x, y))
        cv2.circle(tex, centre, int(radius * TEX * 2**SUB), 1.0, -1, cv2.LINE_AA, SUB)
    return tex


def logo(rng: np.random.Generator, tex: F) -> F:
    """Some dice carry a word on the one."""
    word = "".join(rng.choice(list("ABCDEKLMORSTY"), int(rng.integers(4, 8))))
    return np.maximum(tex, _text(word, (10, int(rng.integers(20, 90))), cv2.FONT_HERSHEY_COMPLEX, 0.55, 2))


def _text(word: str, at: tuple[int, int], font: int, scale: float, thick: int) -> F:
    page = np.zeros((TEX, TEX), np.uint8)
    cv2.putText(page, word, at, font, scale, 255, thick, cv2.LINE_AA)
    return page.astype(np.float32) / 255


def symbol_face(rng: np.random.Generator) -> F:
    """A mark that is not a pattern of pips: digit, letter, star, ring, arrow, polygon."""
    tex = np.zeros((TEX, TEX), np.float32)
    c = TEX // 2
    kind = rng.integers(5)
    if kind == 0:
        text = str(rng.integers(1, 21))
        scale = float(rng.uniform(0.9, 1.7)) / (1 if len(text) == 1 else 1.4)
        size = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 4)[0]
        tex = _text(text, (c - size[0] // 2, c + size[1] // 2), cv2.FONT_HERSHEY_DUPLEX, scale, 4)
    elif kind == 1:
        n, r = int(rng.integers(3, 9)), float(rng.uniform(18, 34))
        a = np.arange(2 * n) * np.pi / n + rng.uniform(0, 6)
        rad = np.where(np.arange(2 * n) % 2, r * rng.uniform(0.3, 0.7), r)
        pts = np.stack([c + rad * np.cos(a), c + rad * np.sin(a)], 1)
        cv2.fillPoly(tex, [np.round(pts).astype(np.int32)], 1.0, cv2.LINE_AA)
    elif kind == 2:
        r = int(rng.integers(16, 34))
        cv2.circle(tex, (c, c), r, 1.0, int(rng.integers(3, 9)), cv2.LINE_AA)
        for _ in range(int(rng.integers(1, 4))):
            a = rng.uniform(0, 6.28)
            tip = (int(c + r * np.cos(a)), int(c + r * np.sin(a)))
            cv2.line(tex, (c, c), tip, 1.0, int(rng.integers(3, 8)), cv2.LINE_AA)
    elif kind == 3:
        pts = rng.integers(14, TEX - 14, (int(rng.integers(3, 8)), 2))
        cv2.fillPoly(tex, [pts.astype(np.int32)], 1.0, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(2, 5))):
            axes = (int(rng.integers(8, 32)), int(rng.integers(4, 20)))
            at = tuple(int(v) for v in rng.integers(30, TEX - 30, 2))
            start = float(rng.uniform(0, 360))
            cv2.ellipse(tex, at, axes, float(rng.uniform(0, 180)), start, start + 250, 1.0, 5, cv2.LINE_AA)
    return tex

"""Take a hard shadow's edge off a face: where a lamp's shadow ends on it, the darker side is made as light.

The edge is sought as the straight line that best parts the ring of bare body around the drawing into a darker
and a lighter side.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.faces.describe import FACE_SHARE, SIZE

RING = (0.70, 0.93)  # of half the face's edge: bare body around the drawing
ANGLES, OFFSETS = (
    24,
    np.arange(-14.0, 14.1, 1.0),
)  # lines that are tried: directions, and pixels from the middle
LEAST = 0.10  # share of the ring that must lie on either side
STEP = 0.2  # log of the brightness's ratio from which it is a shadow
EXPLAINED = 0.7  # share of the ring's variance that the line must explain
SOFT = 0.8  # pixels within which the shadow ends
BLACK = 6.0  # grey levels that count as light where there is none


@cache
def _ring() -> np.ndarray:
    """Places (N x 2: x, y from the crop's middle) of the ring's pixels."""
    y, x = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    reach = np.maximum(np.abs(x), np.abs(y)) / (SIZE * FACE_SHARE / 2)
    kept = (reach > RING[0]) & (reach < RING[1])
    return np.stack([x[kept], y[kept]], axis=1)


@cache
def _lines() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lines (angle, offset) and for each which of the ring's pixels lie beyond (lines x N), and how many."""
    lines = np.array([(np.pi * k / ANGLES, o) for k in range(ANGLES) for o in OFFSETS])
    across = np.cos(lines[:, :1]) * _ring()[:, 0] + np.sin(lines[:, :1]) * _ring()[:, 1]
    beyond = (across > lines[:, 1:]).astype(np.float32)
    count = beyond.sum(axis=1)
    kept = (count > LEAST * len(_ring())) & (count < (1 - LEAST) * len(_ring()))
    return lines[kept], beyond[kept], count[kept]


def unshaded(crop: np.ndarray) -> np.ndarray | None:
    """A face's crop (48 x 48 x 3, uint8) without the shadow that ends on it; None where none does."""
    x, y = np.round(_ring() + (SIZE - 1) / 2).astype(int).T
    light = np.log(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[y, x].astype(np.float32) + BLACK)
    lines, beyond, count = _lines()
    level = light - light.mean()
    there = beyond @ level / count
    here = -(beyond @ level) / (len(level) - count)
    between = (count * there**2 + (len(level) - count) * here**2) / len(level)
    best = int(between.argmax())
    step = float(there[best] - here[best])
    if abs(step) < STEP or float(between[best]) < EXPLAINED * float(level.var()):
        return None
    angle, offset = lines[best]
    v, u = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    across = np.cos(angle) * u + np.sin(angle) * v - offset
    dark = np.clip(0.5 - np.sign(step) * across / (2 * SOFT), 0, 1)[..., None]
    lit: np.ndarray = np.clip(crop * np.exp(abs(step) * dark), 0, 255).astype(np.uint8)
    return lit

"""Naming the body colour of a die from the pixels of its face."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

# upper bound of the hue in degrees -> name, for saturated bodies
_HUES = (
    (12, "red"),
    (40, "orange"),
    (70, "yellow"),
    (165, "green"),
    (255, "blue"),
    (330, "purple"),
    (361, "red"),
)


def body_colour(crop: NDArray[np.uint8], background_white: float = 255.0) -> str:
    """Colour name of a face crop (48, 48, 3) BGR, edge 28 pixels: the commonest colour, pips being fewer.

    ``background_white``: the brightest common value of the picture, by which
    a dim photograph is scaled.
    """
    n = crop.shape[0]
    a = int(n * 0.26)
    face = crop[a : n - a, a : n - a].reshape(-1, 3).astype(np.float32)
    grey = face.mean(1)
    # pips are the smaller of two groups of brightness
    middle = float(np.median(face.mean(1)))
    body = face[np.abs(grey - middle) <= max(18.0, float(np.percentile(np.abs(grey - middle), 60)))]
    colour = np.median(body, axis=0) * (255.0 / max(background_white, 60.0))
    bgr = np.clip(colour, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    h, s, v = (float(t) for t in cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)[0, 0])
    h, s = h * 2, s / 255
    return _name(h, s, v)


def _name(h: float, s: float, v: float) -> str:
    if v < 62 or (v < 115 and s < 0.4):
        return "black"
    if s < 0.16 or (s < 0.24 and v > 170):
        return "white" if v > 140 else "grey" if v > 85 else "black"
    if 18 <= h < 75 and s < 0.5 and v > 130:
        return "ivory"
    if 12 <= h < 45 and v < 150:
        return "brown"
    return next(name for bound, name in _HUES if h < bound)

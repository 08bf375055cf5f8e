"""Crops of single faces for the classifier, drawn exactly as the reader cuts them."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import CROP, cut
from vision.training import augment
from vision.training.data import Picture


def crop_batch(
    rng: np.random.Generator, pick: Callable[[], Picture], n: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A batch of crops (n, 48, 48, 3) and their classes (0 no pip face, 1..6)."""
    xs, ts = [], []
    while len(xs) < n:
        pic = pick()
        for _ in range(4):
            made = _one(rng, pic)
            if made is not None and len(xs) < n:
                xs.append(made[0])
                ts.append(made[1])
    return np.stack(xs), np.array(ts, np.int64)


def _one(rng: np.random.Generator, pic: Picture) -> tuple[NDArray[np.uint8], int] | None:
    h, w = pic.image.shape[:2]
    d = pic.dice
    if len(d) == 0 or rng.random() < (0.25 if pic.negatives else 0.1):
        return _nothing(rng, pic)
    face, x, y, edge, known = d[rng.integers(len(d))]
    if (
        int(known) & 2
        or edge < 9
        or not (0.2 * edge < x < w - 0.2 * edge and 0.2 * edge < y < h - 0.2 * edge)
    ):
        return None
    edge = float(edge) * float(np.exp(rng.normal(0, 0.1)))
    x, y = x + rng.normal(0, 0.06) * edge, y + rng.normal(0, 0.06) * edge
    image = pic.image
    if edge > 45 and rng.random() < 0.4:  # also learn what few pixels look like
        f = float(rng.uniform(22, 40)) / edge
        x0, y0 = max(0, int(x - 1.6 * edge)), max(0, int(y - 1.6 * edge))
        part = image[y0 : int(y + 1.6 * edge), x0 : int(x + 1.6 * edge)]
        image = cv2.resize(part, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        x, y, edge = (x - x0) * f, (y - y0) * f, edge * f
    crop = cut(image, (float(x), float(y)), edge, float(rng.uniform(0, 360)), bool(rng.random() < 0.5))
    return augment.colours(rng, crop), int(face)


def _nothing(rng: np.random.Generator, pic: Picture) -> tuple[NDArray[np.uint8], int] | None:
    """A crop centred on no top face: background, the side of a die, the gap between two."""
    h, w = pic.image.shape[:2]
    d = pic.dice
    edge = float(np.median(d[:, 3])) if len(d) else 40.0
    if pic.negatives and rng.random() < 0.7:
        x, y, edge = pic.negatives[rng.integers(len(pic.negatives))]
        x, y = x + rng.normal(0, 0.08) * edge, y + rng.normal(0, 0.08) * edge
        edge *= float(np.exp(rng.normal(0, 0.15)))
    elif len(d) and rng.random() < 0.6:
        x, y = d[rng.integers(len(d)), 1:3] + np.array(
            [np.cos(a := rng.uniform(0, 6.283)), np.sin(a)]
        ) * edge * rng.uniform(0.6, 1.0)
    else:
        x, y = rng.uniform(0, w), rng.uniform(0, h)
    if len(d) and (np.hypot(d[:, 1] - x, d[:, 2] - y) < 0.45 * d[:, 3]).any():
        return None
    return augment.colours(
        rng, cut(pic.image, (float(x), float(y)), edge, float(rng.uniform(0, 360)), False)
    ), 0


assert CROP == 48

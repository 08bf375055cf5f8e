"""The geometry of pips: an independent, classical reading of a face.

The pips of a western die sit on a lattice of three by three.  A matched filter
gives at each place how much it looks like a pip; the lattice is laid over it
at all turns, distances, tilts and shifts, and the pattern with the least
squared error wins.  No training, no network: it errs differently.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import pixels

F = NDArray[np.float32]
SIZE, EDGE = 64, 37.0  # pixels of the crop, and of a die's edge in it
# 3 x 3 places, row by row, that carry pips; two orientations where they differ
PATTERNS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((4,),),
    2: ((0, 8), (2, 6)),
    3: ((0, 4, 8), (2, 4, 6)),
    4: ((0, 2, 6, 8),),
    5: ((0, 2, 4, 6, 8),),
    6: ((0, 3, 6, 2, 5, 8), (0, 1, 2, 6, 7, 8)),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """``errors``: (6,) least error of each face, 0 perfect, about 1 nothing; ``angle``: radians, mod 90."""

    face: int
    errors: F
    margin: float
    angle: float
    spacing: float


NOT_LAID = Fit(0, np.zeros(6, np.float32), 0.0, 0.0, 0.25)  # of faces that need no lattice


@lru_cache(maxsize=1)
def _grids() -> tuple[NDArray[np.intp], F]:
    """Pixel indices (m, 9) into a flat crop for all poses of the lattice, and the poses (m, 2)."""
    unit = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
    grids, poses = [], []
    for angle in np.radians(np.arange(0, 90, 5)):
        c, s = np.cos(angle), np.sin(angle)
        turned = unit @ np.array([[c, s], [-s, c]], np.float32)
        for spacing in (0.19, 0.225, 0.26, 0.295):
            for squash in (None, 0, 45, 90, 135):  # the face seen at a slant, from four sides
                p = turned * spacing * EDGE
                if squash is not None:
                    d = np.array([np.cos(np.radians(squash)), np.sin(np.radians(squash))], np.float32)
                    p = p - 0.25 * (p @ d)[:, None] * d
                for shift in ((0, 0), (-3, 0), (3, 0), (0, -3), (0, 3)):
                    grids.append(p + np.array(shift, np.float32))
                    poses.append((angle, spacing))
    at = np.round(np.stack(grids) + (SIZE - 1) / 2).astype(np.intp).clip(0, SIZE - 1)
    return at[..., 1] * SIZE + at[..., 0], np.array(poses, np.float32)


@lru_cache(maxsize=1)
def _templates() -> tuple[F, NDArray[np.intp]]:
    """Zero-mean unit patterns (9, k), and the face index 0..5 of each."""
    columns, faces = [], []
    for face, variants in PATTERNS.items():
        for places in variants:
            t = np.zeros(9, np.float32)
            t[list(places)] = 1
            t -= t.mean()
            columns.append(t / np.linalg.norm(t))
            faces.append(face - 1)
    return np.stack(columns, 1), np.array(faces)


@lru_cache(maxsize=1)
def _inside() -> NDArray[np.bool_]:
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) - (SIZE - 1) / 2
    inside: NDArray[np.bool_] = xx**2 + yy**2 < (0.5 * EDGE) ** 2
    return inside


def _pip_likeness(crop: NDArray[np.uint8]) -> F:
    """Difference of Gaussians at the size of a pip, along the colour in which pips stand out."""
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float32)
    dog = cv2.GaussianBlur(lab, (0, 0), 1.75) - cv2.GaussianBlur(lab, (0, 0), 5.3)
    v = dog[_inside()]
    centred = v - v.mean(0)
    axis = np.linalg.eigh(centred.T @ centred)[1][
        :, -1
    ]  # principal direction of the contrast inside the face
    r = (dog @ axis).astype(np.float32)
    low, high = np.percentile(r[_inside()], (2, 98))
    turned: NDArray[np.float32] = r if abs(high) >= abs(low) else -r
    return turned


def _crop(image: NDArray[np.uint8], centre: tuple[float, float], edge: float) -> NDArray[np.uint8]:
    """(64, 64, 3) round a face, averaged where it must shrink."""
    s = EDGE / max(edge, 1.0)
    x, y = centre
    if s < 0.6:
        half = int(edge)
        x0, y0 = max(0, int(x) - half), max(0, int(y) - half)
        f = 1.3 * s
        part = image[y0 : int(y) + half, x0 : int(x) + half]
        image = pixels(cv2.resize(part, None, fx=f, fy=f, interpolation=cv2.INTER_AREA))
        x, y, s = (x - x0 + 0.5) * f - 0.5, (y - y0 + 0.5) * f - 0.5, s / f
    m = np.array([[s, 0, (SIZE - 1) / 2 - s * x], [0, s, (SIZE - 1) / 2 - s * y]])
    size = (SIZE, SIZE)
    return pixels(cv2.warpAffine(image, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def fit(image: NDArray[np.uint8], centre: tuple[float, float], edge: float) -> Fit:
    """Lay the lattice over a face of a BGR picture.

    The error of a face is the share of the variance at the nine places that
    its pattern leaves unexplained, in the best pose.
    """
    index, poses = _grids()
    patterns, faces = _templates()
    v = _pip_likeness(_crop(image, centre, edge)).ravel()[index]  # (m, 9)
    v -= v.mean(1, keepdims=True)
    gain = np.maximum(v @ patterns, 0)  # (m, k)
    error = 1 - gain**2 / ((v**2).sum(1, keepdims=True) + 30.0)
    least = error.argmin(0)
    best, pose = np.full(6, 9.0, np.float32), np.zeros(6, np.intp)
    for k, face in enumerate(faces):
        e = error[least[k], k]
        if e < best[face]:
            best[face], pose[face] = e, least[k]
    order = np.argsort(best)
    angle, spacing = poses[pose[order[0]]]
    margin = float(best[order[1]] - best[order[0]])
    return Fit(int(order[0]) + 1, best, margin, float(angle), float(spacing))

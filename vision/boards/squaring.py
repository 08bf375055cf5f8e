"""A photograph of a board becomes a square picture of it: corners are proposed, or given by hand."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Corners = tuple[tuple[float, float], ...]
"""Four points of a photograph (x, y), clockwise from the board's top left."""

SEARCH = 480
"""Pixels of the longer side of the picture in which corners are looked for."""
LEAST_SHARE, MOST_SHARE = 0.15, 0.985
"""Of the photograph, that a board takes up at least and at most."""
BLUR = 7
RIM = 8
"""Pixels along the edge of that picture that show the table."""


def propose_corners(photo: NDArray[np.uint8]) -> Corners:
    """Where the board's corners seem to lie: those of the largest quadrilateral that differs from its
    surroundings, or else of the whole photograph."""
    height, width = photo.shape[:2]
    scale = SEARCH / max(height, width)
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    best: tuple[float, NDArray[np.float64]] | None = None
    for mask in _masks(np.asarray(small, np.uint8)):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            hull = np.asarray(cv2.convexHull(contour), np.int32)
            area = cv2.contourArea(hull)
            quad = _quad(hull)
            if quad is None or not LEAST_SHARE * mask.size < area < MOST_SHARE * mask.size:
                continue
            quad = _refined(quad, hull)
            fit = area / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
            worth = min(fit, 1 / fit) ** 12 * area
            if best is None or worth > best[0]:
                best = (worth, quad)
    if best is None:
        return (0.0, 0.0), (width - 1.0, 0.0), (width - 1.0, height - 1.0), (0.0, height - 1.0)
    return clockwise([((float(x) + 0.5) / scale, (float(y) + 0.5) / scale) for x, y in best[1]])


def _masks(small: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """What may be board: all that differs from the picture's rim, whose light is taken off first."""
    logs = np.log(cv2.GaussianBlur(small, (BLUR, BLUR), 0).astype(np.float32) + 3)
    height, width = logs.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
    rim = np.ones((height, width), bool)
    rim[RIM:-RIM, RIM:-RIM] = False
    keep = rim.copy()
    for _ in range(4):
        slopes = np.linalg.lstsq(basis[keep], logs[keep], rcond=None)[0]
        off = np.linalg.norm(logs - basis @ slopes, axis=2)
        keep = rim & (off < 2.0 * np.median(off[rim]) + 0.02)
    noise = float(np.median(off[keep]))
    found = []
    for level in (2.5, 4.0, 6.0, 9.0, 14.0):
        mask = (off > max(0.04, noise) * level).astype(np.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        # smoothing made it larger all round
        found.append(np.asarray(cv2.erode(mask, np.ones((BLUR, BLUR), np.uint8)), np.uint8))
    return found


def _refined(quad: NDArray[np.float64], hull: NDArray[np.int32]) -> NDArray[np.float64]:
    """Corners where straight lines through the four sides of a hull meet."""
    points = hull.reshape(-1, 2).astype(np.float64)
    steps = np.linspace(0, 1, 40, endpoint=False)[:, None]
    dense = np.concatenate([a + steps * (b - a) for a, b in zip(points, np.roll(points, -1, 0), strict=True)])
    lines = []
    for n in range(4):
        a, b = quad[n], quad[(n + 1) % 4]
        way = (b - a) / (np.hypot(*(b - a)) or 1.0)
        along, across = (dense - a) @ way, np.abs((dense - a) @ np.array([-way[1], way[0]]))
        near = dense[(across < 6) & (along > 0.08 * np.hypot(*(b - a))) & (along < 0.92 * np.hypot(*(b - a)))]
        if len(near) < 8:
            return quad
        vx, vy, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([px, py], float), np.array([vx, vy], float)))
    found = []
    for n in range(4):
        (p, v), (q, w) = lines[n - 1], lines[n]
        cross = v[0] * w[1] - v[1] * w[0]
        if abs(cross) < 0.2:
            return quad
        d = q - p
        found.append(p + v * (d[0] * w[1] - d[1] * w[0]) / cross)
    return np.array(found)


def _quad(hull: NDArray[np.int32]) -> NDArray[np.float64] | None:
    """The four corners of a hull, None where it has another number."""
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.05, 0.08):
        found = cv2.approxPolyDP(hull, share * around, True)
        if len(found) == 4:
            return np.asarray(found.reshape(4, 2), np.float64)
    return None


def clockwise(points: Sequence[tuple[float, float]]) -> Corners:
    """Four corners in the order top left, top right, bottom right, bottom left."""
    middle = np.mean(points, 0)
    order = sorted(points, key=lambda p: float(np.arctan2(p[1] - middle[1], p[0] - middle[0])))
    start = min(range(4), key=lambda n: order[n][0] + order[n][1])
    return tuple((float(x), float(y)) for x, y in order[start:] + order[:start])


def squared(photo: NDArray[np.uint8], corners: Corners, size: int) -> NDArray[np.uint8]:
    """The board as seen from straight above, BGR (size, size, 3).

    Raises ValueError where the corners are no quadrilateral.
    """
    quad = np.array(corners, np.float32)
    if quad.shape != (4, 2) or not cv2.isContourConvex(quad) or cv2.contourArea(quad) < 400:
        raise ValueError("corners are no quadrilateral")
    to = np.array([(0, 0), (size - 1, 0), (size - 1, size - 1), (0, size - 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(quad, to)
    return np.asarray(cv2.warpPerspective(photo, matrix, (size, size), flags=cv2.INTER_AREA), np.uint8)

"""How the face of a die is cut out of a picture, and which way it is turned."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import pixels

CROP = 48  # pixels of a crop
EDGE = 28.0  # pixels of a die's edge in a crop


def cut(
    image: NDArray[np.uint8],
    centre: tuple[float, float],
    edge: float,
    turn: float = 0.0,
    mirror: bool = False,
    size: int = CROP,
    to: float = EDGE,
) -> NDArray[np.uint8]:
    """Cut (size, size, 3) round a face: ``edge`` pixels become ``to``; turned by ``turn`` degrees.

    The picture is averaged, not sampled, where it must shrink.
    """
    s = to / max(edge, 1.0)
    x, y = centre
    if s < 0.7:
        half = int(edge * size / to * 0.75) + 2
        x0, y0 = int(x) - half, int(y) - half
        x1, y1 = max(0, x0), max(0, y0)
        part = image[y1 : max(y1 + 1, y0 + 2 * half), x1 : max(x1 + 1, x0 + 2 * half)]
        f = min(1.0, 1.4 * s)
        image = pixels(cv2.resize(part, None, fx=f, fy=f, interpolation=cv2.INTER_AREA))
        x, y, s = (x - x1 + 0.5) * f - 0.5, (y - y1 + 0.5) * f - 0.5, s / f
    a = np.radians(turn)
    c, d = s * np.cos(a), s * np.sin(a)
    m = np.array([[-c if mirror else c, d], [d if mirror else -d, c]], np.float64)
    t = np.array([(size - 1) / 2, (size - 1) / 2]) - m @ np.array([x, y])
    turned = cv2.warpAffine(
        image, np.column_stack([m, t]), (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return pixels(turned)


def orientation(crop: NDArray[np.uint8]) -> float:
    """Turn of a square face in a crop, radians in (-pi/4, pi/4].

    The edges of a square pull the gradient to four directions 90 degrees
    apart, while round pips have gradients of all directions, which cancel.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    yy, xx = np.mgrid[0:CROP, 0:CROP] - (CROP - 1) / 2
    r = np.hypot(xx, yy)
    ring = (r > 0.33 * EDGE) & (r < 0.8 * EDGE)
    z = (gx + 1j * gy)[ring]
    return float(np.angle((z**4 / np.maximum(np.abs(z), 1e-6) ** 3).sum()) / 4)


def outline(crop: NDArray[np.uint8]) -> tuple[float, float]:
    """How strongly a face stands out from its surroundings, and what is on it from the face.

    Sums of the Sobel gradients of L, a and b: the first quartile of the strongest in each of sixteen
    directions where the outline of a die would lie, and the third quartile of those nearer to the middle.
    """
    lab = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0)
    slope = np.hypot(cv2.Sobel(lab, cv2.CV_32F, 1, 0), cv2.Sobel(lab, cv2.CV_32F, 0, 1)).sum(2)
    yy, xx = np.mgrid[0:CROP, 0:CROP] - (CROP - 1) / 2
    away = np.hypot(xx, yy) / EDGE
    towards = np.floor(np.arctan2(yy, xx) * 8 / np.pi).astype(int) % 16
    outer = [slope[(towards == k) & (away > 0.36) & (away < 0.85)].max() for k in range(16)]
    inner = [slope[(towards == k) & (away <= 0.36)].max() for k in range(16)]
    return float(np.percentile(outer, 25)), float(np.percentile(inner, 75))

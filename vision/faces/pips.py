"""Count pips by their spots: the second opinion beside the network's, without anything learned."""

from __future__ import annotations

import cv2
import numpy as np

LOW, HIGH = 5, 43  # pixels of the 48-pixel crop that belong to the face
RIM = 3  # of these, so many at each border may be rounded edge: they set no thresholds
LEAST, MOST = 9, 130  # area of a pip's spot in pixels


def count_pips(crop: np.ndarray) -> int | None:
    """How many round spots of about one size a face has (48 x 48 x 3); None where that is not a pip face."""
    gray = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 0.8).astype(np.float32)[
        LOW:HIGH, LOW:HIGH
    ]
    inner = gray[RIM:-RIM, RIM:-RIM]
    body = float(np.median(inner))
    away = gray - body
    strongest = np.percentile(np.abs(inner - body), 98.5)
    if strongest < 12:
        return None
    dark = float((inner - body < -0.5 * strongest).mean())
    light = float((inner - body > 0.5 * strongest).mean())
    mask = (away < -0.5 * strongest) if dark > light else (away > 0.5 * strongest)
    number, _, stats, middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    areas = []
    for k in range(1, number):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area < LEAST:
            continue
        edge = x == 0 or y == 0 or x + w == mask.shape[1] or y + h == mask.shape[0]
        if edge and not _near_middle(middles[k], mask.shape[0]):
            continue
        if area > MOST or max(w, h) > 1.7 * min(w, h) or area < 0.55 * w * h:
            return None
        areas.append(area)
    if not 1 <= len(areas) <= 6 or max(areas) > 2.6 * min(areas):
        return None
    return len(areas)


def _near_middle(middle: np.ndarray, side: int) -> bool:
    """Whether a spot that touches the border is still a pip and no rim: its middle lies well inside."""
    return bool(np.abs(middle - (side - 1) / 2).max() < 0.41 * side)

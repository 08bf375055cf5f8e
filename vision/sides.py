"""Side faces: seen from 45 degrees and lower, the faces below the upper ones look like dice of their own.

Two finds of which the lower in the picture lies under the other, about an edge away, are faces of one die
where one body goes on between them: no groove, no table, only the rounded edge, which may be lighter.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import DetectedCentre

Image = NDArray[np.uint8]
BELOW, NO_FARTHER = 0.45, 1.12  # edges from the upper face's middle to the lower one's
ASIDE = 0.62  # edges that it may lie to the left or right
LIKE = 0.6  # relative length of the shorter edge
SAMPLES = 32  # pixels of the strip from middle to middle
DARKER, OTHER_HUE = 14.0, 13.0  # L, and a and b together, by which the seam may differ from both bodies


def is_side_of(image: Image, lower: DetectedCentre, upper: DetectedCentre) -> bool:
    """Whether ``lower`` is a side face of the die whose upper face is ``upper``."""
    edge = (lower.edge + upper.edge) / 2
    aside, below = (lower.x - upper.x) / edge, (lower.y - upper.y) / edge
    if below < BELOW or abs(aside) > ASIDE or float(np.hypot(aside, below)) > NO_FARTHER:
        return False
    if min(lower.edge, upper.edge) < LIKE * max(lower.edge, upper.edge):
        return False
    return _one_body(_strip(image, upper, lower, edge))


def _strip(image: Image, upper: DetectedCentre, lower: DetectedCentre, edge: float) -> NDArray[np.float32]:
    """L, a, b along the line from middle to middle, the median of its width of half an edge."""
    along = np.array([lower.x - upper.x, lower.y - upper.y], np.float32)
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6) * edge * 0.25
    a, b = np.array([upper.x, upper.y]), np.array([lower.x, lower.y])
    corners = np.array([a - across, a + across, b + across], np.float32)
    to = np.array([[0, 0], [SAMPLES / 2, 0], [SAMPLES / 2, SAMPLES]], np.float32)
    size = (SAMPLES // 2, SAMPLES)
    strip = cv2.warpAffine(image, cv2.getAffineTransform(corners, to), size, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(strip, cv2.COLOR_BGR2LAB).astype(np.float32)
    return np.asarray(np.median(lab, axis=1), np.float32)


def _one_body(strip: NDArray[np.float32]) -> bool:
    """Whether nothing but an edge lies between the two ends of a strip (samples, 3)."""
    third = SAMPLES // 3
    ends = np.stack([np.median(strip[:third], axis=0), np.median(strip[-third:], axis=0)])
    seam = strip[third:-third]
    if float(np.hypot(*(ends[0, 1:] - ends[1, 1:]))) > OTHER_HUE * 1.6:
        return False  # two colours: two dice
    if float(seam[:, 0].min()) < float(ends[:, 0].min()) - DARKER:
        return False
    low, high = ends[:, 1:].min(0) - OTHER_HUE, ends[:, 1:].max(0) + OTHER_HUE
    return bool(((seam[:, 1:] > low) & (seam[:, 1:] < high)).all())

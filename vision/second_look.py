"""A second look at a picture, turned by half a turn and in another size: what differs is asked about.

Which way a picture is held, and how many pixels a die has, must not change what lies on the table.  Where it
does, the first look was right by luck at best.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import LONG_SIDE, DetectedCentre, Detector

Image = NDArray[np.uint8]
SHOWN = 32.0  # pixels of a typical face in the second look
LEAST, MOST = 0.4, 1.0  # size of the second look beside the first
SAME = 0.4  # edges within which finds of both looks are of one face
SEEN_AGAIN = 0.2  # heat of a find of the second look that confirms one of the first
NEW = 0.5  # heat from which a find that the first look did not have matters


def look_turned(detector: Detector, image: Image, edges: list[float]) -> list[DetectedCentre]:
    """Finds of the picture turned by 180 degrees, in its own pixels; ``edges``: those of the dice found."""
    first = min(1.0, LONG_SIDE / max(image.shape[:2]))
    typical = float(np.median(edges)) if edges else SHOWN / first
    scale = min(MOST, max(LEAST, SHOWN / (typical * first))) * first
    h, w = image.shape[:2]
    turned = detector.find_at(np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8), scale)
    return [replace(f, x=w - 1 - f.x, y=h - 1 - f.y) for f in turned]


def counterpart(f: DetectedCentre, others: list[DetectedCentre]) -> DetectedCentre | None:
    """The find of the other look that is of the same face."""
    near = [o for o in others if float(np.hypot(o.x - f.x, o.y - f.y)) < SAME * max(f.edge, o.edge)]
    return max(near, key=lambda o: o.either, default=None)

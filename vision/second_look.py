"""Further looks at a picture, turned and in another size: what differs is asked about.

Which way a picture is held, and how many pixels a die has, must not change what lies on the table.  Where it
does, the first look was right by luck at best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import LONG_SIDE, DetectedCentre, Detector

Image = NDArray[np.uint8]
HALF_TURN = cv2.ROTATE_180
QUARTER_TURNS = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE)
SHOWN = 32.0  # pixels of a typical face in a further look
LEAST, MOST = 0.4, 1.0  # size of a further look beside the first
SAME = 0.4  # edges within which finds of two looks are of one face
TOUCHING = 0.93  # mean edges from which two finds are of two dice
ONE_DIE = 1.1  # edges within which they may be of two faces of one die
SEEN_AGAIN = 0.2  # heat of a find of a further look that confirms one of the first
OTHERWISE = 0.3  # heat from which a find beside a face that is not seen again is another face of its die
NEW = 0.3  # heat from which a find that the first look did not have matters


def look_turned(
    detector: Detector, image: Image, edges: Sequence[float], turn: int = HALF_TURN
) -> list[DetectedCentre]:
    """Finds of the picture turned (``cv2.rotate``), in its own pixels; ``edges``: those of the dice found."""
    first = min(1.0, LONG_SIDE / max(image.shape[:2]))
    typical = float(np.median(edges)) if edges else SHOWN / first
    scale = min(MOST, max(LEAST, SHOWN / (typical * first))) * first
    h, w = image.shape[:2]
    turned = detector.find_at(np.asarray(cv2.rotate(image, turn), np.uint8), scale)
    return [_back(f, turn, w, h) for f in turned]


def _back(f: DetectedCentre, turn: int, width: int, height: int) -> DetectedCentre:
    """A find of the turned picture where it lies in the picture of that size as it was."""
    if turn == HALF_TURN:
        return replace(f, x=width - 1 - f.x, y=height - 1 - f.y)
    if turn == cv2.ROTATE_90_CLOCKWISE:
        return replace(f, x=f.y, y=height - 1 - f.x)
    return replace(f, x=width - 1 - f.y, y=f.x)


def counterpart(f: DetectedCentre, others: Sequence[DetectedCentre]) -> DetectedCentre | None:
    """The find of the other look that is of the same face."""
    near = [o for o in others if _apart(f, o) < SAME * max(f.edge, o.edge)]
    return max(near, key=lambda o: o.either, default=None)


def another_face(
    f: DetectedCentre, others: Sequence[DetectedCentre], neighbours: Sequence[DetectedCentre]
) -> bool:
    """Whether the other look does not see the face, but another one of the same die.

    ``neighbours``: the dice that the first look found; what is one of those is no face of this die.
    """
    twin = counterpart(f, others)
    if twin is not None and twin.either >= SEEN_AGAIN:
        return False
    near = [o for o in others if _apart(f, o) < ONE_DIE * min(f.edge, o.edge)]
    beside = [o for o in near if o is not twin and o.heat >= OTHERWISE]
    return any(all(_apart(o, n) > SAME * max(o.edge, n.edge) for n in neighbours) for o in beside)


def lie_apart(f: DetectedCentre, o: DetectedCentre) -> bool:
    """Whether two finds are too far apart to be faces of one die: those are 0.84 of their mean edge apart at
    any slant, and dice that touch 1.0."""
    return _apart(f, o) > TOUCHING * (f.edge + o.edge) / 2


def _apart(f: DetectedCentre, o: DetectedCentre) -> float:
    return float(np.hypot(f.x - o.x, f.y - o.y))

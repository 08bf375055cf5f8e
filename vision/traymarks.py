"""The fiducials of a tray in a free photograph: they are no dice, and they tell how large dice can be.

Black squares with white fields look like dice with pips; and a whole tray, seen from afar, like one near die
whose pips are the dice in it.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray import DEFAULT, find_markers

ENOUGH = 2  # markers, by different numbers, that no chance makes of dice
PAPER = 1.4  # sides of a marker within which its white paper lies as well,
AROUND = 1.8  # and within which is what lies around
LARGEST_MM = 40.0  # a die's edge; markers have ``DEFAULT.marker_mm``


class Marks(NamedTuple):
    """Corners of the markers that are seen (N x 4 x 2 pixels)."""

    quads: NDArray[np.float64]

    def largest_die(self) -> float:
        """The greatest edge in pixels that a die beside them can have."""
        sides = np.linalg.norm(self.quads - np.roll(self.quads, 1, axis=1), axis=2)
        return float(sides.mean(axis=1).max()) * LARGEST_MM / DEFAULT.marker_mm if len(sides) else np.inf

    def hidden(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture with each of them painted over in the colour of what lies around it."""
        if not len(self.quads):
            return image
        out = image.copy()
        for quad in self.quads:
            paper, around = (self._area(image, quad, sides) for sides in (PAPER, AROUND))
            out[paper] = np.median(image[around & ~paper], axis=0) if (around & ~paper).any() else 0
        return out

    @staticmethod
    def _area(image: NDArray[np.uint8], quad: NDArray[np.float64], sides: float) -> NDArray[np.bool_]:
        area = np.zeros(image.shape[:2], np.uint8)
        corners = quad.mean(axis=0) + sides * (quad - quad.mean(axis=0))
        cv2.fillConvexPoly(area, np.round(corners).astype(np.int32), 1)
        return area > 0


def marks_in(image: NDArray[np.uint8]) -> Marks:
    """The markers of a tray in a BGR picture."""
    corners = find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    return Marks(np.array(list(corners.values()) if len(corners) >= ENOUGH else [], float).reshape(-1, 4, 2))

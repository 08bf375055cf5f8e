"""Whether a picture may be read at all: too dark, blown out, blurred, empty of any detail."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.kernel.messages import Text
from vision.arrays import pixels
from vision.reading import Reason

DARK = 44.0  # brightness of the brightest 0.3 % under which nothing can be told
BLOWN = 0.85  # share of saturated pixels
SOFT, SOFT_AND_EMPTY = 1.26, 1.36  # sharpness under which a picture is blurred, and where no die was found
SHAKEN, SHAKEN_AND_EMPTY = 1.10, 1.15  # the same for the blurriest direction
FLAT = 2.0  # steepest slope, grey levels a pixel, of a picture that shows an empty, even surface
SMALL = 32  # pixels of the shorter side
BRIGHTEST = 99.7  # percentile of brightness that is taken for white
DIM = 130.0  # brightness of white under which a picture is made brighter before it is looked at,
WHITE = 240.0  # up to this, but no more than so many times: more would show its steps and noise
MOST_BRIGHTER = 2.5


def sharpness(image: NDArray[np.uint8]) -> tuple[float, float]:
    """How much steeper the steepest edges of a picture are than after a blur of 2.5 pixels (at 640 pixels).

    Over all directions, and the least of four directions, since a shaken
    picture is blurred in one only.  About 1 blurred; sharp photographs have
    1.3 to 2.8 and at least 1.11.  Infinite for an even surface, of which
    nothing can be told.
    """
    g = pixels(cv2.GaussianBlur(cv2.cvtColor(_small(image), cv2.COLOR_BGR2GRAY), (0, 0), 0.8))
    here, there = _slopes(g), _slopes(pixels(cv2.GaussianBlur(g, (0, 0), 2.5)))
    ratios = []
    for a, b in zip(here, there, strict=True):
        steep = b > FLAT  # the steepest few lie among these; the rest need not be put in order
        few = max(1, b.size // 500)
        if np.count_nonzero(steep) < few:
            return float("inf"), float("inf")
        values = b[steep]
        limit = np.partition(values, len(values) - few)[len(values) - few]
        strong = values >= limit
        ratios.append(float(np.median(a[steep][strong] / values[strong])))
    return ratios[0], min(ratios)


def is_blurred(image: NDArray[np.uint8], found_any: bool) -> bool:
    """Whether a picture is too blurred or shaken to be believed; stricter where no die was found."""
    sharp, least = sharpness(image)
    return sharp < (SOFT if found_any else SOFT_AND_EMPTY) or least < (
        SHAKEN if found_any else SHAKEN_AND_EMPTY
    )


def _slopes(grey: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    """Steepness over all and in four directions, grey levels a pixel, of every other pixel."""
    gx = cv2.Sobel(grey, cv2.CV_16S, 1, 0)[::2, ::2].astype(np.float32) / 8
    gy = cv2.Sobel(grey, cv2.CV_16S, 0, 1)[::2, ::2].astype(np.float32) / 8
    return [cv2.magnitude(gx, gy), np.abs(gx), np.abs(gy), np.abs(gx + gy) * 0.7071, np.abs(gx - gy) * 0.7071]


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    f = min(1.0, 640 / max(image.shape[:2]))
    return pixels(cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)) if f < 1 else image


def brightened(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A dim picture (BGR) as a longer exposure would have shown it; others as they are.

    Where even the brightest of it is grey, it is the light that is short, not a table that is dark: there a
    dark die was missed with no word.
    """
    white = float(np.percentile(cv2.cvtColor(_small(image), cv2.COLOR_BGR2GRAY)[::2, ::2], BRIGHTEST))
    brighter = min(MOST_BRIGHTER, WHITE / max(white, 1.0))
    return image if white >= DIM else pixels(cv2.convertScaleAbs(image, alpha=brighter))


def why_not_readable(image: NDArray[np.uint8]) -> list[Reason]:
    """Reasons to refuse a BGR picture before looking for dice; empty if it may be read."""
    h, w = image.shape[:2]
    if min(h, w) < SMALL:
        return [
            Reason(
                "too_small",
                Text("vision.picture_too_small", width=w, height=h),
            )
        ]
    grey = cv2.cvtColor(_small(image), cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey[::2, ::2], BRIGHTEST)) < DARK:
        return [
            Reason(
                "dark",
                Text("vision.dark"),
            )
        ]
    if float((grey >= 253).mean()) > BLOWN:
        return [
            Reason(
                "overexposed",
                Text("vision.overexposed"),
            )
        ]
    if float(grey.std()) < 1.0:
        return [
            Reason(
                "no_detail",
                Text("vision.no_detail"),
            )
        ]
    return []

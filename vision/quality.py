"""Whether a picture may be read at all: too dark, blown out, blurred, empty of any detail."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Reason

DARK = 22.0  # 98th percentile of brightness under which nothing can be told
BLOWN = 0.85  # share of saturated pixels
SOFT = (
    1.22  # sharpness under which a picture is blurred (sharp photographs: above 1.38; blur of 5 pixels: 1.1)
)
SOFT_AND_EMPTY = 1.38  # the same where no die was found
FLAT = 1.2  # steepest slope, grey levels a pixel, of a picture that shows an empty, even surface
SMALL = 32  # pixels of the shorter side


def sharpness(image: NDArray[np.uint8]) -> float:
    """How much steeper the steepest edges of a BGR picture are than after a blur of 2.5 pixels at 640 pixels.

    About 1 blurred, 1.5 to 2.8 sharp; infinite for an even surface, of which nothing can be told.
    """
    g = cv2.cvtColor(_small(image), cv2.COLOR_BGR2GRAY).astype(np.float32)
    g = cv2.GaussianBlur(g, (0, 0), 0.8)
    there = _slope(cv2.GaussianBlur(g, (0, 0), 2.5))[::2, ::2]
    limit = float(np.percentile(there, 99.8))
    if limit < FLAT:
        return float("inf")
    strong = there >= limit
    return float(np.median(_slope(g)[::2, ::2][strong] / there[strong]))


def _slope(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    return cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    )


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    f = min(1.0, 640 / max(image.shape[:2]))
    return cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA) if f < 1 else image


def why_not_readable(image: NDArray[np.uint8]) -> list[Reason]:
    """Reasons to refuse a BGR picture before looking for dice; empty if it may be read."""
    h, w = image.shape[:2]
    if min(h, w) < SMALL:
        return [
            Reason(
                "too_small",
                f"The picture is only {w} x {h} pixels; take one of at least 320 x 240.",
                f"Das Bild hat nur {w} x {h} Bildpunkte; bitte eines mit mindestens 320 x 240 aufnehmen.",
            )
        ]
    grey = cv2.cvtColor(_small(image), cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 98)) < DARK:
        return [
            Reason(
                "dark",
                "The picture is too dark. Switch the lamp on.",
                "Das Bild ist zu dunkel. Bitte Licht machen.",
            )
        ]
    if float((grey >= 253).mean()) > BLOWN:
        return [
            Reason(
                "overexposed",
                "The picture is blown out. Dim the light or shorten the exposure.",
                "Das Bild ist überbelichtet. Bitte das Licht dämpfen oder kürzer belichten.",
            )
        ]
    if float(grey.std()) < 1.0:
        return [
            Reason(
                "no_detail",
                "The picture shows nothing at all. Is the lens covered?",
                "Auf dem Bild ist gar nichts zu erkennen. Ist das Objektiv verdeckt?",
            )
        ]
    return []

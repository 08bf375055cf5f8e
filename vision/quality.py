"""Whether a picture may be read at all: too dark, blown out, blurred, empty of any detail."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Reason

DARK = 22.0  # 98th percentile of brightness under which nothing can be told
BLOWN = 0.85  # share of saturated pixels
SOFT = 1.28  # edge sharpness under which a picture is blurred
SMALL = 32  # pixels of the shorter side


def sharpness(grey: NDArray[np.uint8]) -> float:
    """How much steeper the steepest edges are than after a blur of sigma 2.5: about 3 sharp, 1 blurred."""
    g = grey.astype(np.float32)
    g = cv2.GaussianBlur(g, (0, 0), 0.8)
    soft = cv2.GaussianBlur(g, (0, 0), 2.5)
    here = cv2.magnitude(cv2.Sobel(g, cv2.CV_32F, 1, 0), cv2.Sobel(g, cv2.CV_32F, 0, 1))
    there = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    limit = np.percentile(there, 99)
    strong = there >= max(limit, 1e-3)
    return float(np.median(here[strong] / np.maximum(there[strong], 1e-3)))


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
    f = min(1.0, 640 / max(h, w))
    small = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA) if f < 1 else image
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
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

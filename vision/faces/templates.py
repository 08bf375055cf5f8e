"""Compare a face with taught faces by normalised correlation, at every turn: transparent, and hard to fool.

The crop is turned in steps about each quarter turn (the finder knows a die's angle but for the quarter),
halved
in size, and each face's template slides over it.  Colours take part: the mean of each colour channel is
removed,
so lamps and body colour do not count, but the contrast of the ink in each channel does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.faces.describe import SIZE

SMALL = 22  # pixels of the halved crop that are kept (of 24)
TEMPLATE = 18  # pixels of a template's side: nine tenths of the face
ANGLES = (-5.0, 0.0, 5.0)
FINE_ANGLES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)
BLUR = 0.9


def _turned(soft: np.ndarray, angle: float, size: int) -> np.ndarray:
    """A blurred crop, turned by ``angle`` degrees and halved, of which the middle ``size`` pixels are
    kept."""
    middle = (SIZE - 1) / 2
    m = 0.5 * cv2.getRotationMatrix2D((middle, middle), angle, 1.0)
    m[:, 2] += (size - 1) / 2 - 0.5 * middle
    return cv2.warpAffine(soft, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _soft(crop: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(crop, (0, 0), BLUR).astype(np.float32)


def template(crops: Sequence[np.ndarray]) -> np.ndarray:
    """Mean of a face's examples after each was turned and shifted onto the first: 18 x 18 x 3, float32."""
    low = (SIZE // 2 - TEMPLATE) // 2
    mean = _turned(_soft(crops[0]), 0.0, SIZE // 2)[low : low + TEMPLATE, low : low + TEMPLATE]
    parts = [mean]
    for crop in crops[1:]:
        soft, best, part = _soft(crop), -2.0, mean
        for quarter in range(4):
            for angle in FINE_ANGLES:
                turned = _turned(soft, 90.0 * quarter + angle, SIZE // 2)
                found = cv2.matchTemplate(turned, mean, cv2.TM_CCOEFF_NORMED)
                _, score, _, (x, y) = cv2.minMaxLoc(found)
                if score > best:
                    best, part = score, turned[y : y + TEMPLATE, x : x + TEMPLATE]
        parts.append(part)
    stack = np.stack(parts)
    stack = stack - stack.mean(axis=(1, 2), keepdims=True)
    stack = stack / (stack.std(axis=(1, 2, 3), keepdims=True) + 1e-3)
    result: np.ndarray = np.median(stack, axis=0).astype(np.float32)
    return result


def correlate(crop: np.ndarray, templates: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Best correlation (-1 to 1) of a crop (48 x 48 x 3, BGR) with each template, over turns and small
    shifts."""
    best = dict.fromkeys(templates, -1.0)
    soft = _soft(crop)
    for quarter in range(4):
        for angle in ANGLES:
            turned = _turned(soft, 90.0 * quarter + angle, SMALL)
            for face, wanted in templates.items():
                score = float(cv2.matchTemplate(turned, wanted, cv2.TM_CCOEFF_NORMED).max())
                if score > best[face]:
                    best[face] = score
    return best

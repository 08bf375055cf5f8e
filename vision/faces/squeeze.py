"""Is a face seen straight from above?  A tilted face looks narrower in one direction than its level example.

The example is laid onto the face by an affine map (ECC: G. Evangelidis and E. Psarakis, Parametric image
alignment
using enhanced correlation coefficient maximization, IEEE PAMI 30, 2008).  The ratio of the map's singular
values
is the cosine of the tilt, 0.97 at 14 degrees; a poor fit says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.faces.describe import SIZE

EXAMPLES = 2  # so many examples are tried
GOOD_FIT = 0.94  # correlation from which a fit is believed
LARGEST = (0.94, 1.06)  # a level or tilted face is as long as its example in one direction
LEVEL, STEEP = 0.955, 85.0  # ratio that says nothing, and how much the logit changes by ratio
LEAST, MOST = -2.0, 4.5


def _gray(crop: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)


def squeezed(crop: np.ndarray, examples: Sequence[np.ndarray]) -> float | None:
    """Ratio of the smaller to the larger stretch (0 to 1) of the best fit; None where no fit is good."""
    now = _gray(crop)
    mask = np.zeros((SIZE, SIZE), np.uint8)
    mask[7:-7, 7:-7] = 255
    middle = ((SIZE - 1) / 2, (SIZE - 1) / 2)
    best: tuple[float, float] | None = None
    for example in examples[:EXAMPLES]:
        wanted = _gray(example)
        turned = [
            cv2.warpAffine(
                now,
                cv2.getRotationMatrix2D(middle, 90.0 * q, 1.0),
                (SIZE, SIZE),
                borderMode=cv2.BORDER_REPLICATE,
            )
            for q in range(4)
        ]
        scores = [cv2.matchTemplate(t, wanted[6:-6, 6:-6], cv2.TM_CCOEFF_NORMED).max() for t in turned]
        fit = _affine(wanted, turned[int(np.argmax(scores))], mask)
        if fit is not None and (best is None or fit[0] > best[0]):
            best = fit
    return None if best is None else best[1]


def _affine(wanted: np.ndarray, now: np.ndarray, mask: np.ndarray) -> tuple[float, float] | None:
    start = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    try:
        fit, matrix = cv2.findTransformECC(wanted, now, start, cv2.MOTION_AFFINE, stop, mask, 5)
    except cv2.error:  # does not converge: the images have nothing in common
        return None
    large, small = np.linalg.svd(matrix[:, :2], compute_uv=False)
    if fit < GOOD_FIT or not LARGEST[0] < large < LARGEST[1]:
        return None
    return float(fit), float(small / large)


def evidence(ratio: float | None) -> float:
    """What a ratio adds to the logit of "cocked"."""
    return 0.0 if ratio is None else float(np.clip(STEEP * (LEVEL - ratio), LEAST, MOST))

"""How sure a reading is: three readers of each face, combined into one probability.

The detector, the face classifier and the pip lattice read a face each in its
own way.  Their log-probabilities are added with weights fitted to labelled
photographs (``training/calibrate.py``); two of the six collections were unseen
by the networks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.lattice import Fit

F = NDArray[np.float32]

W_DETECTOR = 0.0
W_FACE = 1.7
W_LATTICE = 0.5
WEIGHTS = (W_DETECTOR, W_FACE, W_LATTICE)
PRIOR_FLOOR = 0.004  # no reader may rule a face out altogether


def combine(detector: F, face: F, lattice: Fit, weights: tuple[float, float, float] = WEIGHTS) -> F:
    """Probability of the faces 1..6 from the three readings, shape (6,)."""
    score = (
        weights[0] * np.log(detector + PRIOR_FLOOR)
        + weights[1] * np.log(face + PRIOR_FLOOR)
        - weights[2] * np.minimum(lattice.errors, 1.0)
    )
    p = np.exp(score - score.max())
    found: np.ndarray = (p / p.sum()).astype(np.float32)
    return found


DIE_HEAT, DIE_FACE, DIE_BIAS = 2.2, 0.9, -0.3


def is_die(heat: float, not_a_face: float) -> float:
    """Probability that a candidate is a die, from the detector's heat and the classifier's "not a pip face".

    Logistic regression, fitted like the weights above.
    """
    h, f = min(max(heat, 1e-3), 0.999), min(max(not_a_face, 2e-3), 0.998)
    z = DIE_HEAT * np.log(h / (1 - h)) + DIE_FACE * np.log((1 - f) / f) + DIE_BIAS
    return float(1 / (1 + np.exp(-z)))

"""Small networks through ``cv2.dnn``, one input at a time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np


@cache
def load(path: Path) -> cv2.dnn.Net:
    """The network in an ONNX file.

    OpenCV 5 has two engines; the older one multiplies small convolutions in a fifth less time.  OpenCV 4 has
    that one only, and no word for it.
    """
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(str(path), *([] if engine is None else [engine]))


def each(path: Path, inputs: np.ndarray) -> np.ndarray:
    """Outputs (N x outputs) of a network for N inputs (N x channels x height x width, float32).

    One by one: that fits the processor's cache, and the engine prepares itself anew for each size of batch.
    """
    net = load(path)
    rows = []
    for k in range(len(inputs)):
        net.setInput(inputs[k : k + 1])
        rows.append(net.forward().ravel().copy())
    return np.stack(rows) if rows else np.zeros((0, 0), np.float32)

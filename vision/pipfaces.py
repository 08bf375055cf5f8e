"""The face classifier: a normalised crop of a top face -> what it shows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import cut
from vision.detect import load_network

F = NDArray[np.float32]
TURNS = (0.0, 45.0)  # degrees; a face keeps its value when turned


class FaceReader:
    """The classification network.  Not thread-safe."""

    def __init__(self, net: cv2.dnn.Net | None = None) -> None:
        self._net = net if net is not None else load_network("faces.onnx")

    def read(self, image: NDArray[np.uint8], faces: Sequence[tuple[float, float, float]]) -> F:
        """(n, 7) probabilities (no pip face, 1..6) of faces given as (x, y, edge) in a BGR picture.

        Log-probabilities are averaged over several turns of each crop.
        """
        if not faces:
            return np.zeros((0, 7), np.float32)
        crops = [cut(image, (x, y), edge, turn) for x, y, edge in faces for turn in TURNS]
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        logits = self._net.forward().reshape(len(faces), len(TURNS), 7)
        logits = logits - logits.max(2, keepdims=True)
        logp = logits - np.log(np.exp(logits).sum(2, keepdims=True))
        mean = logp.mean(1)
        p = np.exp(mean - mean.max(1, keepdims=True))
        return (p / p.sum(1, keepdims=True)).astype(np.float32)

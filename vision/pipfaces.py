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
PLAIN = 0.95  # probability from which one view is enough, if the hint says the same


class FaceReader:
    """The classification network.  Not thread-safe."""

    def __init__(self, net: cv2.dnn.Net | None = None) -> None:
        self._net = net if net is not None else load_network("faces.onnx")

    def read(
        self,
        image: NDArray[np.uint8],
        faces: Sequence[tuple[float, float, float]],
        hints: Sequence[int] | None = None,
    ) -> F:
        """(n, 7) probabilities (no pip face, 1..6) of faces given as (x, y, edge) in a BGR picture.

        Log-probabilities are averaged over several turns of each crop.
        ``hints``: what another reader says (1..6 each); a face that the first
        view plainly shows and the hint confirms is not looked at again.
        """
        if not faces:
            return np.zeros((0, 7), np.float32)
        mean = self._look(image, faces, TURNS[0])
        again = list(range(len(faces)))
        if hints is not None:
            again = [i for i in again if mean[i].argmax() != hints[i] or mean[i].max() < np.log(PLAIN)]
        if again:
            rest = [self._look(image, [faces[i] for i in again], turn) for turn in TURNS[1:]]
            mean[again] = np.mean([mean[again], *rest], axis=0)
        p = np.exp(mean - mean.max(1, keepdims=True))
        shares: F = (p / p.sum(1, keepdims=True)).astype(np.float32)
        return shares

    def _look(self, image: NDArray[np.uint8], faces: Sequence[tuple[float, float, float]], turn: float) -> F:
        """(n, 7) log-probabilities at one turn."""
        crops = [cut(image, (x, y), edge, turn) for x, y, edge in faces]
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        logits = self._net.forward().reshape(len(faces), 7)
        logits = logits - logits.max(1, keepdims=True)
        logp: F = (logits - np.log(np.exp(logits).sum(1, keepdims=True))).astype(np.float32)
        return logp

"""The face classifiers: normalised crops of a top face -> what it shows.

A small network looks closely at each face.  What it does not plainly see, or
sees otherwise than the detector, a larger one looks at too, with more of the
surroundings; where the two disagree, neither is believed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.arrays import as_input
from vision.crop import CROP, EDGE, cut
from vision.network import MODELS, Network

F = NDArray[np.float32]
TURNS = (0.0, 45.0)  # degrees; a face keeps its value when turned
PLAIN = 0.97  # probability from which one look is enough, if the hint says the same
VIEWS = ((CROP, EDGE), (60, 32.0))  # pixels of a crop and of the face's edge in it: near, wide


def is_plain(p: F, hint: int) -> bool:
    """Whether probabilities (7,) leave no doubt: a face as hinted at, or plainly none."""
    return bool(p.max() >= PLAIN and int(p.argmax()) in (0, hint))


class FaceReader:
    """The classification networks.  Not thread-safe."""

    def __init__(self, near: Network | None = None, wide: Network | None = None) -> None:
        files = (near, "faces.onnx"), (wide, "faces_wide.onnx")
        self._nets = tuple(net or Network(MODELS / name) for net, name in files)

    def read(
        self,
        image: NDArray[np.uint8],
        faces: Sequence[tuple[float, float, float]],
        hints: Sequence[int] | None = None,
    ) -> F:
        """(n, 7) probabilities (no pip face, 1..6) of faces given as (x, y, edge) in a BGR picture.

        ``hints``: what another reader says (1..6 each).  What the first look plainly
        shows and the hint confirms, or is plainly no face, is done with; of the others
        the log-probabilities of both networks and several turns are averaged.
        """
        if not faces:
            return np.zeros((0, 7), np.float32)
        mean = self._look(0, image, faces, TURNS[0])
        again = list(range(len(faces)))
        if hints is not None:
            again = [i for i in again if not is_plain(np.exp(mean[i]), hints[i])]
        if again:
            some = [faces[i] for i in again]
            looks = [self._look(k, image, some, turn) for k in (0, 1) for turn in TURNS if k or turn]
            mean[again] = np.mean([mean[again], *looks], axis=0)
        p = np.exp(mean - mean.max(1, keepdims=True))
        shares: F = (p / p.sum(1, keepdims=True)).astype(np.float32)
        return shares

    def _look(
        self, which: int, image: NDArray[np.uint8], faces: Sequence[tuple[float, float, float]], turn: float
    ) -> F:
        """(n, 7) log-probabilities by one network (0 near, 1 wide) at one turn."""
        size, to = VIEWS[which]
        crops = [cut(image, (x, y), edge, turn, size=size, to=to) for x, y, edge in faces]
        logits = self._nets[which].run(as_input(*crops)).reshape(len(faces), 7)
        logits = logits - logits.max(1, keepdims=True)
        logp: F = (logits - np.log(np.exp(logits).sum(1, keepdims=True))).astype(np.float32)
        return logp

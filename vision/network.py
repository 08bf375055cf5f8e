"""The one place that loads and runs a network: ``cv2.dnn`` with plain operators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.kernel.files import is_text

F = NDArray[np.float32]
MODELS = Path(__file__).parent / "models"


class Network:
    """A network of one input and one output, read from an ONNX file.  Thread-safe: one after the other.

    A thread that runs ``cv2.dnn`` while another does gets an error of its inside, or the other's numbers: the
    camera's roll is read while somebody teaches dice or a telephone sends a photograph.

    OpenCV 5 has two engines, of which the older one needs half the instructions on 128 bits for networks
    like these.  OpenCV 4 has the older one only, and no word for it.
    """

    def __init__(self, path: Path) -> None:
        with _without_warnings():
            self._net = _read(path)
        self._one_at_a_time = Lock()

    def run(self, inputs: F) -> F:
        """The output for a batch of inputs (n x ...)."""
        with self._one_at_a_time:
            self._net.setInput(inputs)
            return np.array(self._net.forward(), np.float32)

    def each(self, inputs: F) -> F:
        """Outputs (n x outputs) for n inputs, one by one.

        That fits the processor's cache, and the engine prepares itself anew for each size of batch.
        """
        rows = [self.run(inputs[k : k + 1]).ravel() for k in range(len(inputs))]
        return np.stack(rows) if rows else np.zeros((0, 0), np.float32)


def _read(path: Path) -> cv2.dnn.Net:
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if engine is not None and is_text(path):
        # OpenCV 5.0 forgets which engine is wanted where it is given bytes
        return cv2.dnn.readNetFromONNX(str(path), engine)
    # from bytes, whatever the path is made of
    return cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), np.uint8))


@contextmanager
def _without_warnings() -> Iterator[None]:
    """OpenCV 5.0 warns on the terminal of sizes that are open in a file and settled by the first picture."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


@cache
def load(path: Path) -> Network:
    """A network of the tray's in a file, loaded once."""
    return Network(path)

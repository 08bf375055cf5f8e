"""What OpenCV gives back, by its type: its own stubs promise only some array of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pixels(image: Any) -> NDArray[np.uint8]:
    """A picture of bytes as the array that it is; not copied."""
    return np.asarray(image, np.uint8)


def floats(values: Any) -> NDArray[np.float32]:
    """Points or a map as single floats; copied only where they are of another type."""
    return np.asarray(values, np.float32)

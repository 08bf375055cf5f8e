"""What every camera offers, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from referee.kernel.messages import Text
from referee.kernel.said import SaidError


@dataclass(frozen=True)
class Frame:
    """One picture: BGR uint8 (height x width x 3), its number, when it was taken (monotonic seconds)."""

    image: np.ndarray
    sequence: int
    monotonic_s: float
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Camera(Protocol):
    """A source of pictures, owned by one thread."""

    def frame(self, deadline_s: float) -> Frame | None:
        """The newest picture not yet given, or None where none came within ``deadline_s`` seconds.

        Raises CameraLost where the source is gone and has to be opened again.
        """
        ...

    def close(self) -> None:
        """Give the device back; calling it twice does no harm."""
        ...


class CameraLost(SaidError):
    """The camera is gone; the text says so to a person, with a way out."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(text)
        self.code = code

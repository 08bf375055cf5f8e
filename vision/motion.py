"""At rest?  A cheap gate on every frame: nothing moves in the tray for a set time."""

from __future__ import annotations

import time
from dataclasses import dataclass

import cv2
import numpy as np

SKIP = 2  # every second row and column is looked at
BLOCK = 6  # mean over blocks of so many of those pixels (4 mm of the tray), against sensor noise
MOVED = 4.0  # grey levels by which a block must change
NOISE = 8.0  # and by so many times the median change, which is the camera's noise
BLOCKS = 2  # so many changed blocks are motion


@dataclass(frozen=True)
class GateResult:
    """``moving`` in this frame; ``still_s`` since the last motion; ``box`` of the motion in the frame's
    pixels."""

    moving: bool
    still_s: float
    box: tuple[int, int, int, int] | None


class MotionGate:
    """Compares each frame with the one before, and with the frame at the start of the rest (slow drift).

    A change of brightness of the whole picture (a cloud, a lamp) is subtracted first.
    """

    def __init__(self, rest_s: float = 0.25) -> None:
        self.rest_s = rest_s
        self._before: np.ndarray | None = None
        self._anchor: np.ndarray | None = None
        self._moved_at: float | None = None

    @staticmethod
    def shrink(image: np.ndarray) -> np.ndarray:
        """A small picture (green channel, float32) by which two frames are compared."""
        sparse = np.ascontiguousarray(image[::SKIP, ::SKIP, 1])
        size = (max(1, sparse.shape[1] // BLOCK), max(1, sparse.shape[0] // BLOCK))
        return cv2.resize(sparse, size, interpolation=cv2.INTER_AREA).astype(np.float32)

    def feed(self, image: np.ndarray, now_s: float | None = None) -> GateResult:
        """Take in one frame (BGR); ``now_s`` is its time in monotonic seconds."""
        now = time.monotonic() if now_s is None else now_s
        small = self.shrink(image)
        if self._before is None or self._before.shape != small.shape or self._anchor is None:
            self._before, self._anchor, self._moved_at = small, small, now
            return GateResult(True, 0.0, None)
        changed = self._changed(small, self._before) | self._changed(small, self._anchor)
        moving = int(changed.sum()) >= BLOCKS
        self._before = small
        if moving:
            self._anchor, self._moved_at = small, now
        box = self._box(changed, image.shape) if moving else None
        return GateResult(moving, now - (self._moved_at if self._moved_at is not None else now), box)

    @staticmethod
    def _changed(now: np.ndarray, then: np.ndarray) -> np.ndarray:
        difference = now - then
        difference -= np.median(difference[::2, ::2])
        size = np.abs(difference)
        changed: np.ndarray = size > max(MOVED, NOISE * float(np.median(size[::2, ::2])))
        return changed

    @staticmethod
    def _box(changed: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
        ys, xs = np.nonzero(changed)
        fy, fx = shape[0] / changed.shape[0], shape[1] / changed.shape[1]
        return (int(xs.min() * fx), int(ys.min() * fy), int((xs.max() + 1) * fx), int((ys.max() + 1) * fy))

    def at_rest(self, result: GateResult) -> bool:
        """Whether nothing has moved for ``rest_s``."""
        return not result.moving and result.still_s >= self.rest_s

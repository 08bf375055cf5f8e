"""Pictures from a folder, or from a video file, as a camera: one after the other, the last one stays."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from referee.kernel.messages import Text
from vision.imagefile import SUFFIXES, UnreadableImage, read_image
from vision.sources.base import CameraLost, Frame


class FilesCamera:
    """The pictures of a folder in the order of their names, or one picture.

    Each ``advance`` shows the next.
    """

    def __init__(self, path: Path) -> None:
        self._paths = _pictures(path)
        self._index = 0
        self._sequence = 0
        self._cached: tuple[int, np.ndarray] | None = None

    def advance(self) -> None:
        """Show the next picture from now on; after the last one the first."""
        self._index = (self._index + 1) % len(self._paths)

    def frame(self, deadline_s: float) -> Frame | None:
        """The current picture; at most about 30 a second are given."""
        if self._cached is None or self._cached[0] != self._index:
            path = self._paths[self._index]
            try:
                image = read_image(path)
            except UnreadableImage as error:
                raise CameraLost(
                    "unreadable_image",
                    Text("vision.unreadable_image", name=path.name),
                ) from error
            self._cached = (self._index, image)
        elif deadline_s > 0:
            time.sleep(min(0.03, deadline_s))
        self._sequence += 1
        path = self._paths[self._index]
        return Frame(
            self._cached[1], self._sequence, time.monotonic(), {"source": "files", "name": path.name}
        )

    def close(self) -> None:
        """Nothing to give back."""
        self._cached = None


def _pictures(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted(p for p in path.glob("*") if p.suffix.lower() in SUFFIXES) if path.is_dir() else []
    if not found:
        raise CameraLost(
            "no_pictures",
            Text("vision.no_pictures", path=path),
        )
    return found

"""Safe mode: after several starts that failed in a row the table comes up without its hardware."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from referee.kernel.files import FileUnwritable, write_whole

FAILED_STARTS = 3
WITHIN_S = 600.0
GOOD_AFTER_S = 30.0
"""A run that lasts this long counts as a good start."""


class Starts:
    """Counts starts that did not last, in a small file of the data folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "starts.json"

    def begin(self, now: float | None = None) -> bool:
        """Note that a start begins; True where the ones before failed so often that it must be a safe one."""
        now = time.time() if now is None else now
        # a clock that jumped makes old starts look far away in either direction: they do not count then
        recent = [at for at in self._read() if abs(now - at) <= WITHIN_S]
        self._write([*recent, now])
        return len(recent) >= FAILED_STARTS

    def good(self) -> None:
        """The start lasted, or ended as it was asked to: forget the failures."""
        self._write([])

    def _read(self) -> list[float]:
        try:
            data = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return []
        return [float(at) for at in data if isinstance(at, int | float)] if isinstance(data, list) else []

    def _write(self, starts: list[float]) -> None:
        # not worth failing for: at worst safe mode comes later
        with suppress(FileUnwritable):
            write_whole(self._path, json.dumps(starts[-20:]))

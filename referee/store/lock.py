"""One writer: an operating system lock beside the store that names who holds it.

The lock goes away with its process, however that ends, so a stale lock file
never has to be deleted by hand.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path

from referee.journal.errors import InUse
from referee.kernel.messages import Text


class WriterLock:
    """An exclusive lock on ``path``.  Raises :class:`InUse` naming pid and port of the holder."""

    def __init__(self, path: Path, port: int | None = None) -> None:
        self.path = path
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(self._fd)
            os.close(self._fd)
            self._fd = -1
            raise _in_use(path, holder) from None
        self.note(port)

    def note(self, port: int | None) -> None:
        """Write who holds the lock, for whoever meets it."""
        text = json.dumps({"pid": os.getpid(), "port": port}).encode()
        # on a full disk the note is missing, but the lock holds
        with suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, text, 0)

    def release(self) -> None:
        """Give the lock back.  May be called twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _holder(fd: int) -> dict[str, int | None]:
    try:
        data = json.loads(os.pread(fd, 1000, 0) or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _in_use(path: Path, holder: dict[str, int | None]) -> InUse:
    pid = holder.get("pid") or "?"
    port = holder.get("port")
    where = f", http://localhost:{port}" if port else ""
    return InUse(
        Text("store.in_use", pid=pid, where=where, path=path.with_suffix("")),
    )

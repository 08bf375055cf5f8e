"""Small files that are there whole or not at all, whatever happens to power and disk meanwhile."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text


class FileUnwritable(RefereeError):
    """The disk is full, read-only or failing: the file is what it was before."""

    code = "unwritable"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(Text("kernel.file_unwritable", path=path, why=why))
        self.why = why


def write_whole(path: Path, data: bytes | str, mode: int = 0o666, *, new_folder: bool = True) -> None:
    """Write ``data`` (text as UTF-8) to ``path``: old or new, never half; when this returns it was read again
    from the disk.  What is no file (a terminal, a pipe) is just written to.

    ``mode``: the rights of the file, less the process's umask.  ``new_folder``: a folder that lacks is made.
    Raises :class:`FileUnwritable`; the old file is untouched then and nothing else is left.
    """
    raw = data.encode() if isinstance(data, str) else data
    try:
        path = Path(os.path.realpath(path))  # what a link leads to is written, the link stays
        if path.exists() and not path.is_file():
            path.write_bytes(raw)  # a terminal or a pipe
            return
        fresh = path.with_name(path.name + ".new")
        if new_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
            with os.fdopen(fd, "wb") as file:
                file.write(raw)
            sync_file(fresh)
            if fresh.read_bytes() != raw:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            fresh.replace(path)
        except OSError:
            with suppress(OSError):
                fresh.unlink()
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise FileUnwritable(path, error.strerror or str(error)) from error


def is_text(path: Path) -> bool:
    """Whether a path is text, not bytes that no encoding explains: given those OpenCV crashes."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Wait until the folder's own entries are on disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_file(path: Path) -> None:
    """Wait until ``path`` is on disk; the next look at it reads the disk, not what was meant to be on it."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(fd)

"""Pictures of accepted rolls, kept beside the store under their SHA-256, within a bounded amount of disk."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.journal.errors import StoreUnwritable
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text

log = logging.getLogger(__name__)
DIGEST = re.compile(r"[0-9a-f]{64}")
MAGIC = {b"\xff\xd8\xff": "jpg", b"\x89PNG": "png"}


LIMIT_BYTES = 2_000_000_000
"""Some ten thousand rolls."""
ROOM = 0.95
"""Share of the limit that is left when older pictures had to make way, so that this is done rarely."""


class Pictures:
    """A folder of pictures.  Pictures are written once and never changed.

    Where they take more than ``limit_bytes`` the oldest make way; the record keeps their digests.
    """

    def __init__(self, folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes
        self._total: int | None = None
        self._youngest_ns: int | None = None

    def keep(self, picture: bytes) -> str:
        """Put ``picture`` (JPEG or PNG bytes) on disk and give its digest; may raise ``StoreUnwritable``."""
        digest = hashlib.sha256(picture).hexdigest()
        if self.is_as_it_was(digest):
            return digest
        ending = next((end for magic, end in MAGIC.items() if picture.startswith(magic)), "bin")
        path = self.folder / digest[:2] / f"{digest}.{ending}"
        try:
            write_whole(path, picture)
        except FileUnwritable as error:
            raise StoreUnwritable(
                Text("store.picture_not_kept", why=error.why),
            ) from error
        self._total = None if self._total is None else self._total + len(picture)
        self._age(path)
        self.make_room(path)
        return digest

    def _age(self, path: Path) -> None:
        """What was kept later is younger, wherever the clock stood: without a battery it begins anywhere."""
        if self._youngest_ns is None:
            others = (seen.st_mtime_ns for one, seen in self._files() if one != path)
            self._youngest_ns = max(others, default=0)
        with suppress(OSError):
            at = path.stat().st_mtime_ns
            if at <= self._youngest_ns:
                at = self._youngest_ns + 1000
                os.utime(path, ns=(at, at))
            self._youngest_ns = at

    def make_room(self, newest: Path | None = None) -> int:
        """Delete the oldest pictures where the limit is passed, never ``newest``; gives how many."""
        if self._total is not None and self._total <= self.limit_bytes:
            return 0
        files = sorted((seen.st_mtime_ns, str(path), seen.st_size) for path, seen in self._files())
        total, gone = sum(size for _, _, size in files), 0
        wanted = self.limit_bytes if total <= self.limit_bytes else ROOM * self.limit_bytes
        for _, name, size in files:
            if total <= wanted:
                break
            if newest is None or name != str(newest):
                with suppress(OSError):  # it stays, and is tried again next time
                    Path(name).unlink()
                    total, gone = total - size, gone + 1
        self._total = total
        if gone:
            log.info("%d old pictures of dice made way for new ones", gone)
        return gone

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self.folder.glob("??/*"):
            with suppress(OSError):  # gone meanwhile
                yield path, path.stat()

    def find(self, digest: str) -> Path | None:
        """The file of a picture, or None where it is not kept here."""
        # it comes from a file that anybody may have written, and goes into a path
        found = (self.folder / digest[:2]).glob(f"{digest}.*") if DIGEST.fullmatch(digest) else ()
        return next((path for path in found if path.suffix != ".new"), None)  # not what a full disk broke off

    def read(self, digest: str) -> bytes | None:
        """A picture's bytes, or None where it is missing or no longer what it was."""
        path = self.find(digest)
        if path is None:
            return None
        picture = path.read_bytes()
        return picture if hashlib.sha256(picture).hexdigest() == digest else None

    def is_as_it_was(self, digest: str) -> bool:
        """Whether a picture is here and can be read, and has the digest that it was recorded with."""
        try:
            return self.read(digest) is not None
        except OSError:
            return False


def same_age(picture: Path, copy: Path) -> None:
    """A copy makes way when the picture would."""
    with suppress(OSError):  # a stick that keeps no times
        at = picture.stat().st_mtime_ns
        os.utime(copy, ns=(at, at))

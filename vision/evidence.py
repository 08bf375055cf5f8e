"""Pictures of accepted rolls: kept as JPEG under the digest of their bytes, within a bounded amount of
disk."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import cv2
import numpy as np

_NAME = re.compile(r"^[0-9a-f]{64}\.jpg$")


class EvidenceStore:
    """A folder of evidence pictures.  Oldest go first when ``limit_bytes`` is passed; the record keeps
    their digests.

    A picture is on disk (fsync) before ``keep`` returns.
    """

    def __init__(self, folder: Path, limit_bytes: int = 500_000_000, quality: int = 85) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes
        self.quality = quality
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, image: np.ndarray) -> str:
        """Keep a BGR picture; returns the SHA-256 of the JPEG file as 64 hex digits.

        Raises OSError where the disk is full or not writable, ValueError where the picture cannot be encoded.
        """
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        if not done:
            raise ValueError("the picture cannot be encoded as JPEG")
        raw = data.tobytes()
        digest = hashlib.sha256(raw).hexdigest()
        path = self.path(digest)
        if not path.exists():
            self._write(path, raw)
            self._make_room(path)
        return digest

    def _write(self, path: Path, raw: bytes) -> None:
        partial = path.with_suffix(".part")
        with partial.open("wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, path)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _make_room(self, newest: Path) -> None:
        files = sorted(
            (
                (p.stat().st_mtime_ns, p.stat().st_size, p)
                for p in self.folder.glob("*.jpg")
                if _NAME.match(p.name)
            ),
            key=lambda entry: (entry[0], entry[2].name),
        )
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total <= self.limit_bytes or path == newest:
                break
            path.unlink(missing_ok=True)
            total -= size

    def path(self, digest: str) -> Path:
        """Where the picture with this digest is, or was; raises ValueError for what is no digest."""
        if not _NAME.match(f"{digest}.jpg"):
            raise ValueError("not a SHA-256 digest")
        return self.folder / f"{digest}.jpg"

    def load(self, digest: str) -> bytes | None:
        """The JPEG, or None where it had to make way; raises ValueError where the file was altered."""
        path = self.path(digest)
        if not path.exists():
            return None
        raw = path.read_bytes()
        if hashlib.sha256(raw).hexdigest() != digest:
            raise ValueError(f"{path.name} was altered: its content does not have this digest")
        return raw

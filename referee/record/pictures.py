"""Pictures of accepted rolls, kept beside the store under their SHA-256."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from referee.hall.errors import StoreUnwritable
from referee.record.mirror import sync_folder

MAGIC = {b"\xff\xd8\xff": "jpg", b"\x89PNG": "png"}


class Pictures:
    """A folder of pictures.  Pictures are written once and never changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, picture: bytes) -> str:
        """Put ``picture`` (JPEG or PNG bytes) on disk and give its digest; may raise ``StoreUnwritable``."""
        digest = hashlib.sha256(picture).hexdigest()
        if self.find(digest) is not None:
            return digest
        ending = next((end for magic, end in MAGIC.items() if picture.startswith(magic)), "bin")
        path = self.folder / digest[:2] / f"{digest}.{ending}"
        fresh = path.with_suffix(".new")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with fresh.open("wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise StoreUnwritable(
                f"The picture of the dice could not be kept ({error.strerror}). Nothing was taken. "
                "Make room on the disk, or type the roll in.",
                f"Das Bild der Würfel konnte nicht abgelegt werden ({error.strerror}). Nichts wurde "
                "übernommen. Bitte Platz schaffen oder den Wurf eintippen.",
            ) from error
        return digest

    def find(self, digest: str) -> Path | None:
        """The file of a picture, or None where it is not kept here."""
        return next(iter((self.folder / digest[:2]).glob(f"{digest}.*")), None) if digest else None

    def read(self, digest: str) -> bytes | None:
        """A picture's bytes, or None where it is missing or no longer what it was."""
        path = self.find(digest)
        if path is None or path.suffix == ".new":
            return None
        picture = path.read_bytes()
        return picture if hashlib.sha256(picture).hexdigest() == digest else None

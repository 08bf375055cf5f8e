"""Backups to a folder or stick, every so many minutes while something changes."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from referee.config.settings import Config
from referee.journal.errors import StoreUnwritable
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text
from referee.store.copies import backup, prune
from referee.store.pictures import Pictures, same_age
from referee.store.store import Store

log = logging.getLogger(__name__)


def copy_pictures(source: Path, folder: Path) -> int:
    """Copy the pictures that ``folder`` lacks or has only a part of; gives how many.

    Each is read again and compared.  Raises :class:`StoreUnwritable`.
    """
    copied = 0
    for picture in source.glob("*/*"):
        target = folder / source.name / picture.parent.name / picture.name
        if picture.suffix == ".new" or _same_size(picture, target):
            continue
        try:
            write_whole(target, picture.read_bytes())
            same_age(picture, target)
        except FileNotFoundError:
            continue  # it made way for newer ones meanwhile
        except (OSError, FileUnwritable) as error:
            raise StoreUnwritable(
                Text("store.picture_not_copied", folder=folder, why=error),
            ) from error
        copied += 1
    return copied


def _same_size(picture: Path, target: Path) -> bool:
    try:
        return picture.stat().st_size == target.stat().st_size
    except OSError:
        return False


class Backups:
    """Makes backups when they are due.  ``trouble``: what failed last, in English and German."""

    def __init__(self, config: Config, store: Store) -> None:
        self._store = store
        self._folder = Path(config.record.backup_folder).expanduser() if config.record.backup_folder else None
        self._every_s = config.record.backup_minutes * 60
        self._keep = config.record.backup_keep
        self._picture_bytes = config.record.picture_megabytes * 1_000_000
        self._changed = False
        self._made_at = time.monotonic()
        self.trouble: Text | None = None

    def changed(self) -> None:
        """Something was recorded."""
        self._changed = True

    def tick(self) -> None:
        """Make a backup where one is due."""
        if self._changed and time.monotonic() - self._made_at >= self._every_s:
            self._make()

    def last(self) -> None:
        """Make a backup at the end where something changed since the last one."""
        if self._changed:
            self._make()

    def _make(self) -> None:
        self._made_at = time.monotonic()
        if self._folder is None or self._store.path is None:
            return
        try:
            made = backup(self._store.path, self._folder)
            pictures = self._store.path.name + ".pictures"
            copy_pictures(self._store.path.with_name(pictures), self._folder)
            Pictures(self._folder / pictures, self._picture_bytes).make_room()
            prune(self._folder, self._store.path.stem, self._keep)
        except StoreUnwritable as error:
            log.warning("no backup: %s", error)
            self.trouble = error.text
        else:
            log.info("backup made: %s", made.name)
            self.trouble = None
            self._changed = False

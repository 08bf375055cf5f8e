"""Backups to a folder or stick, every so many minutes while something changes."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
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


BESIDE = (".throw", ".walk")
"""Endings of files beside the record, a game each: what lies in the tray and is in no event yet, and a
comparison with the board that is under way."""


def copy_beside(store: Path, folder: Path) -> int:
    """Copy what lies beside the record ``store`` and belongs to it, pictures too; gives how many pictures.

    Whoever restores the copy has the throw that was read and not accepted, not another one.
    Raises :class:`StoreUnwritable`.
    """
    copied = copy_pictures(pictures_of(store), folder)
    for path in _beside(store):
        try:
            write_whole(folder / path.name, path.read_bytes())
        except FileNotFoundError:
            continue  # it was accepted meanwhile
        except (OSError, FileUnwritable) as error:
            raise StoreUnwritable(Text("store.no_backup", folder=folder, why=error)) from error
    return copied


def drop_gone(store: Path, folder: Path) -> None:
    """Take away copies of what lies beside the record no more."""
    names = {path.name for path in _beside(store)}
    for old in _beside(folder / store.name):
        if old.name not in names:
            with suppress(OSError):  # it belongs to no open roll and does not count
                old.unlink()


def pictures_of(store: Path) -> Path:
    """The folder of a record's pictures."""
    return store.with_name(store.name + ".pictures")


def _beside(store: Path) -> list[Path]:
    if not store.parent.is_dir():
        return []
    begins = f"{store.name}."
    return [path for path in store.parent.iterdir() if path.name.startswith(begins) and path.suffix in BESIDE]


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
            copy_beside(self._store.path, self._folder)
            drop_gone(self._store.path, self._folder)
            Pictures(pictures_of(self._folder / self._store.path.name), self._picture_bytes).make_room()
            prune(self._folder, self._store.path.stem, self._keep)
        except StoreUnwritable as error:
            log.warning("no backup: %s", error)
            self.trouble = error.text
        else:
            log.info("backup made: %s", made.name)
            self.trouble = None
            self._changed = False

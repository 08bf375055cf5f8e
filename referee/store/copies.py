"""Copies of the record: each is opened and compared before anybody is told that it was made.

A copy's name carries a number, and the highest number is the newest copy: the
clock of a table without a battery may stand anywhere, and so may a file's time.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path

from referee.journal.errors import StoreUnwritable
from referee.kernel.files import sync_file, sync_folder
from referee.kernel.messages import Text
from referee.store.engine import file_uri
from referee.store.upgrade import stamp

log = logging.getLogger(__name__)

_STAMP = r"\d{8}T\d{9}"


class CopyDiffers(Exception):
    """The copy is not what the record is."""


def backup(source: Path, folder: Path, note: str = "") -> Path:
    """A complete copy of the SQLite store ``source`` in ``folder``, safe while it is in use.

    It was read again from ``folder`` and is row for row what the record was when the copy began.
    Raises :class:`StoreUnwritable` where that cannot be had; no half copy is left then.
    """
    folder = folder.absolute()
    fresh: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = max((number for number, _, _ in _numbered(folder, source.stem)), default=0) + 1
        name = f"{source.stem}{'-' + note if note else ''}-{number:06d}-{stamp()}.sqlite"
        fresh = folder / (name + ".new")
        copy_whole(source, fresh)
        fresh.replace(folder / name)
        sync_folder(folder)
    except (OSError, sqlite3.Error, CopyDiffers) as error:
        if fresh is not None:
            remove_unfinished(fresh)  # what a full disk broke off would take the room of the next one
        raise StoreUnwritable(
            Text("store.no_backup", folder=folder, why=error),
        ) from error
    return folder / name


def remove_unfinished(fresh: Path) -> None:
    """Take away what was broken off."""
    for path in (fresh, fresh.with_name(fresh.name + "-journal")):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            log.exception("an unfinished copy could not be removed")


def copy_whole(source: Path, target: Path) -> None:
    """Copy a store as it is at one moment.  Raises :class:`CopyDiffers` or an error of SQLite or the disk."""
    with _one_moment(source) as origin:
        if (b"games",) not in origin.execute("SELECT name FROM sqlite_master"):
            raise CopyDiffers(f"{source}: no games")
        with closing(sqlite3.connect(target)) as copy:
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        sync_file(target)
        _compare(origin, target)


@contextmanager
def _one_moment(source: Path) -> Iterator[sqlite3.Connection]:
    """The record as it is now, whatever is written to it meanwhile."""
    with closing(sqlite3.connect(file_uri(source, mode="ro"), uri=True, isolation_level=None)) as origin:
        origin.text_factory = bytes
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield origin


def _compare(origin: sqlite3.Connection, target: Path) -> None:
    """Raises :class:`CopyDiffers` where the copy is damaged or lacks a row."""
    with closing(sqlite3.connect(file_uri(target, mode="ro"), uri=True)) as copy:
        said = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            raise CopyDiffers(said)
        copy.text_factory = bytes
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        names = [name.decode() for (name,) in origin.execute(tables)]
        if [name.decode() for (name,) in copy.execute(tables)] != names:
            raise CopyDiffers(f"{target.name}: other tables")
        for name in names:
            query = 'SELECT * FROM "{}"'.format(name.replace('"', '""'))
            rows = zip_longest(origin.execute(query), copy.execute(query))
            if any(one != other for one, other in rows):
                raise CopyDiffers(f"{target.name}: {name}")


def _numbered(folder: Path, stem: str) -> list[tuple[int, str, Path]]:
    """The copies of a store in ``folder``, oldest first; those of before there were numbers come first.

    Copies of a store whose name only begins alike are somebody else's; those made before an upgrade stay.
    """
    name = re.compile(rf"{re.escape(stem)}-(?:(\d+)-)?({_STAMP})\.sqlite")
    found = ((name.fullmatch(path.name), path) for path in folder.iterdir())
    return sorted((int(seen[1] or 0), seen[2], path) for seen, path in found if seen is not None)


def prune(folder: Path, stem: str, keep: int) -> list[Path]:
    """Delete all but the newest ``keep`` copies of a store, never the newest; gives those deleted.

    Raises :class:`StoreUnwritable` where one cannot be deleted.
    """
    try:
        old = [path for _, _, path in _numbered(folder, stem)[: -max(1, keep)]]
        for path in old:
            path.unlink()
    except OSError as error:
        raise StoreUnwritable(Text("store.no_room_made", folder=folder, why=error.strerror)) from error
    return old

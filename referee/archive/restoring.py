"""``referee restore BACKUP``: put a backup in the record's place, and say what it means for the table's key.

A backup holds the games and their pictures, not the table's private key: whoever
finds the stick could sign in the table's name.  What was there before is moved
aside, never deleted.
"""

from __future__ import annotations

import errno
import filecmp
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from referee.journal.errors import StoreError, StoreUnwritable
from referee.journal.signing import TableKey, fingerprint, key_path, load_or_make
from referee.kernel.files import sync_file, sync_folder, write_whole
from referee.kernel.messages import Text
from referee.store.backups import copy_beside
from referee.store.lock import WriterLock
from referee.store.mending import SIDE_FILES
from referee.store.recover import chain_from
from referee.store.store import Store
from referee.store.upgrade import stamp


@dataclass(frozen=True)
class Restored:
    """What came of it: games and events, where the old record went (None: there was none), the key."""

    games: int
    events: int
    pictures: int
    aside: Path | None
    key: TableKey
    key_came: str
    """``kept`` (it was there), ``brought`` (by ``--key``) or ``new``."""

    def key_sentence(self) -> Text:
        """What the key means from now on."""
        name = fingerprint(self.key.public)
        return {
            "kept": Text("archive.key_kept", name=name),
            "brought": Text("archive.key_brought", name=name),
            "new": Text("archive.key_not_in_backup", name=name),
        }[self.key_came]


def restore(source: Path, store: Path, key_file: Path | None = None) -> Restored:
    """Put the backup ``source`` in place of the record at ``store``.

    Raises ``StoreError`` where the backup is none or damaged, ``InUse`` where a table keeps the record
    now, ``StoreUnwritable`` where the disk refuses; nothing has changed then.
    """
    source, store = source.expanduser().resolve(), store.expanduser().resolve()
    if source == store:
        raise StoreError(
            Text("archive.backup_record_itself"),
        )
    events = _checked(source)
    # read first, so that a wrong file changes nothing
    brought = None if key_file is None else _brought(key_file)
    try:
        store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = WriterLock(store.with_name(store.name + ".lock"))
        try:
            aside = _exchange(source, store)
        finally:
            lock.release()
        # beside a copy lies what belongs to the record, under the record's own name
        pictures = copy_beside(source.with_name(store.name), store.parent)
        key, came = _key(store, brought)
    except OSError as error:
        raise StoreUnwritable(
            Text("archive.not_put_back", why=error, parent=store.parent),
        ) from error
    with Store.open(store) as opened:  # an older one is brought up to date here, and the mirror written
        found = {game_id: len(opened.load(game_id).events) for game_id in opened.game_ids()}
    if found != events:
        raise StoreError(
            Text("archive.restored_differs", listed=", ".join(sorted(_other(events, found)))),
        )
    return Restored(len(found), sum(found.values()), pictures, aside, key, came)


def _other(meant: dict[str, int], found: dict[str, int]) -> set[str]:
    return {game_id for game_id, _ in meant.items() ^ found.items()}


def _checked(source: Path) -> dict[str, int]:
    """The games of a backup with their number of events, each whole.  Raises ``StoreError``."""
    whole: dict[str, int] = {}
    damaged: list[str] = []
    with Store.open(source, write=False) as store:
        for game_id in store.game_ids():
            found = store.found(game_id)
            chain = chain_from(found.header, found.events, {})[0] if found.header else []
            whole[game_id] = len(chain)
            if found.header is None or len(chain) != found.rows:
                damaged.append(game_id)
    if damaged:
        listed = ", ".join(damaged)
        raise StoreError(
            Text("archive.backup_damaged", listed=listed),
        )
    return whole


def _brought(key_file: Path) -> bytes:
    if not key_file.is_file():
        raise StoreError(
            Text("archive.no_key", key_file=key_file),
        )
    load_or_make(key_file)  # says so where it is none
    return key_file.read_bytes()


def _exchange(source: Path, store: Path) -> Path | None:
    """The backup in place; the old record with all that belongs to it gets another name, which is given."""
    fresh = store.with_name(store.name + ".restoring")
    shutil.copyfile(source, fresh)
    sync_file(fresh)
    if not filecmp.cmp(source, fresh, shallow=False):
        fresh.unlink()
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(fresh))
    aside = store.with_name(f"{store.name}.before-{stamp()}")
    moved = False
    for ending in (*SIDE_FILES, ".mirror"):
        side = store.with_name(store.name + ending)
        if side.exists():
            side.replace(aside.with_name(aside.name + ending))
            moved = True
    fresh.replace(store)
    sync_folder(store.parent)
    return aside if moved else None


def _key(store: Path, brought: bytes | None) -> tuple[TableKey, str]:
    path = key_path(store)
    if brought is None:
        came = "kept" if path.exists() else "new"
        return load_or_make(path), came
    if path.exists() and path.read_bytes() != brought:
        path.replace(path.with_name(f"{path.name}.before-{stamp()}"))
    if not path.exists():
        write_whole(path, brought, 0o600)
    return load_or_make(path), "brought"

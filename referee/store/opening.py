"""Opening a store: lock, look, mend, upgrade."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from referee.journal.errors import StoreError, StoreUnwritable
from referee.kernel.messages import Text
from referee.store.copies import backup
from referee.store.engine import connect, connect_server, make_schema
from referee.store.lock import WriterLock
from referee.store.mending import rebuild
from referee.store.schema import FIRST, HEAD
from referee.store.upgrade import revision_of, upgrade

if TYPE_CHECKING:
    from referee.store.store import Store


BIG = 64 * 1024 * 1024
"""Bytes from which on a database gets the quick check only when it is opened."""


def open_store(cls: type[Store], where: str | Path, *, write: bool, port: int | None) -> Store:
    """See :meth:`referee.store.store.Store.open`."""
    if "://" in str(where):
        if write:
            raise StoreError(Text("store.server_refused"))
        return _open_server(cls, str(where))
    path = Path(where).expanduser().resolve()
    _check_ours(path)
    if not write:
        return _open_reading(cls, path)
    lock = _lock(path, port)
    try:
        return _open_writing(cls, path, lock)
    except BaseException:
        lock.release()
        raise


def _lock(path: Path, port: int | None) -> WriterLock:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return WriterLock(path.with_name(path.name + ".lock"), port)
    except OSError as error:
        raise _readonly(path, error.strerror or str(error)) from error


def _open_reading(cls: type[Store], path: Path) -> Store:
    if not path.exists():
        raise StoreError(
            Text("store.no_record", path=path),
        )
    # the side files of the write-ahead log cannot be made in a folder that is read-only
    frozen = {} if os.access(path.parent, os.W_OK) else {"immutable": "1"}
    return cls(connect(path, mode="ro", **frozen), path, None, False)


def _open_server(cls: type[Store], url: str) -> Store:
    """A record that earlier programs kept on a server, to be looked at and copied."""
    try:
        hidden = make_url(url).render_as_string(hide_password=True)
        engine = connect_server(url)
        found = revision_of(engine)
    except (SQLAlchemyError, ImportError) as error:
        cause = str(getattr(error, "orig", None) or error).strip()
        shown = url.split("://")[0] if isinstance(error, ArgumentError) else hidden
        raise StoreError(
            Text("store.database_unusable", shown=shown, cause=cause),
        ) from error
    if found is None:
        raise StoreError(Text("store.no_record", path=hidden))
    return cls(engine, None, None, False)


def _open_writing(cls: type[Store], path: Path, lock: WriterLock) -> Store:
    _check_writable(path)
    known = _mirrored(path)
    missing = not path.exists() and bool(known)
    store = cls(connect(path), path, lock, True)
    try:
        if missing:
            rebuild(store, "missing")
        else:
            _look_or_rebuild(store, path)
        for game_id in sorted(known - set(store.game_ids())):
            _fetch(store, game_id)
    except BaseException:
        store.engine.dispose()
        raise
    return store


def _look_or_rebuild(store: Store, path: Path) -> None:
    try:
        store.remarks += _look(store.engine, path)
    except (SQLAlchemyError, ValueError) as error:  # garbled text makes the driver raise ValueErrors
        cause = str(getattr(error, "orig", None) or error)
        if any(sign in cause for sign in ("readonly", "full", "unable to open", "locked")):
            raise _readonly(path, cause) from error
        rebuild(store, cause)


def _fetch(store: Store, game_id: str) -> None:
    """A game that only the mirror knows."""
    try:
        store.remarks += store.load(game_id).remarks
    except StoreError as error:
        store.remarks.append(error.text)


class _Damaged(SQLAlchemyError):
    """SQLite's own check found damage."""


def _look(engine: Engine, path: Path) -> list[Text]:
    """Check an existing file, or fill an empty one; upgrade where needed."""
    with engine.connect() as connection:
        # the full check also looks into indexes; a big file must not hold up the start
        check = "integrity_check(1)" if path.stat().st_size < BIG else "quick_check(1)"
        said = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {check}")]
    if said != ["ok"]:
        raise _Damaged(said[0])
    found = _revision(engine, path)
    if found is None:
        make_schema(engine)
        return []
    if found == HEAD:
        return []
    kept = backup(path, path.parent, f"before-{HEAD}")
    upgrade(engine, found)
    return [Text("store.upgraded", found=found, HEAD=HEAD, name=kept.name)]


def _revision(engine: Engine, path: Path) -> str | None:
    """The revision of a file; what cannot be one is damage where a mirror shows that the file is ours."""
    ours = bool(_mirrored(path))
    try:
        found = revision_of(engine)
    except StoreError as error:
        if ours:
            raise _Damaged("without its revision") from error
        raise
    if ours and (found is None or not found.isdigit() or found < FIRST):
        raise _Damaged(f"revision {found!r}")
    return found


def _mirrored(path: Path) -> set[str]:
    """The games that have a mirror."""
    folder = path.with_name(path.name + ".mirror")
    return {file.stem for file in folder.glob("*.lines")}


SQLITE = b"SQLite format 3\0"


def _check_ours(path: Path) -> None:
    """A file that is no database and has no mirror is somebody else's: it is not put aside as damaged."""
    try:
        with path.open("rb") as file:
            begins = file.read(len(SQLITE))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(
            Text("store.unreadable", path=path, why=error.strerror),
        ) from error
    if begins and begins != SQLITE and not _mirrored(path):
        raise StoreError(
            Text("store.not_a_record", path=path),
        )


def _check_writable(path: Path) -> None:
    for one in (path.parent, path):
        if one.exists() and not os.access(one, os.W_OK):
            raise _readonly(path, "read-only")


def _readonly(path: Path, cause: str) -> StoreUnwritable:
    return StoreUnwritable(
        Text("store.unwritable", path=path, cause=cause),
    )

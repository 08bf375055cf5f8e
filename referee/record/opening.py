"""Opening a store: lock, look, mend, upgrade."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.record.lock import WriterLock

if TYPE_CHECKING:
    from referee.record.store import Store


def open_store(cls: type[Store], where: str | Path, *, write: bool, port: int | None) -> Store:
    """See :meth:`referee.record.store.Store.open`."""
    from referee.record.store import connect, make_schema

    if "://" in str(where):
        engine = connect(str(where))
        store = cls(engine, None, None, write)
        make_schema(engine)
        return store
    path = Path(where).expanduser().resolve()
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = WriterLock(path.with_name(path.name + ".lock"), port)
        engine = connect(f"sqlite:///{path}", path)
        store = cls(engine, path, lock, True)
        make_schema(engine)
        return store
    return cls(connect(f"sqlite:///file:{path}?mode=ro&uri=true"), path, None, False)

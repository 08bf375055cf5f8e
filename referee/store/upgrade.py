"""Bringing an older store up to date, with a backup first, and backups on demand."""

from __future__ import annotations

import logging
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, inspect, select

from referee.journal.errors import StoreError, StoreUnwritable
from referee.kernel.messages import Text
from referee.store.mirror import sync_folder
from referee.store.schema import HEAD, version

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"


def revision_of(engine: Engine) -> str | None:
    """The store's revision; None for an empty database.  Raises :class:`StoreError` for a strange one."""
    names = inspect(engine).get_table_names()
    if not names:
        return None
    if "alembic_version" not in names:
        raise StoreError(
            Text("store.foreign_database", names=", ".join(sorted(names)[:5])),
        )
    with engine.connect() as connection:
        return connection.execute(select(version.c.version_num)).scalar()


def upgrade(engine: Engine, found: str) -> None:
    """Run the migrations from ``found`` on; :class:`StoreError` where ``found`` is unknown (newer)."""
    # imported here as it takes long and is needed once in a year
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found not in known:
        raise StoreError(
            Text("store.newer_form", found=found, HEAD=HEAD),
        )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    log.info("store upgraded from %s to %s", found, HEAD)


def stamp() -> str:
    """Now, as part of a file name."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")[:-3]


def backup(source: Path, folder: Path, note: str = "") -> Path:
    """A complete copy of the SQLite store ``source`` in ``folder``, safe while it is in use.

    Raises :class:`StoreUnwritable` where the folder cannot be written.
    """
    name = f"{source.stem}{'-' + note if note else ''}-{stamp()}.sqlite"
    fresh = folder / (name + ".new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _copy(source, fresh)
        fresh.replace(folder / name)
        sync_folder(folder)
    except (OSError, sqlite3.Error) as error:
        raise StoreUnwritable(
            Text("store.no_backup", folder=folder, why=error),
        ) from error
    return folder / name


def _copy(source: Path, target: Path) -> None:
    origin = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    try:
        copy = sqlite3.connect(target)
        try:
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        finally:
            copy.close()
    finally:
        origin.close()


def prune(folder: Path, stem: str, keep: int) -> list[Path]:
    """Delete all but the newest ``keep`` backups of a store; gives those deleted."""
    found = sorted(folder.glob(f"{stem}-*.sqlite"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    old = found[: max(0, len(found) - keep)]
    for path in old:
        path.unlink()
    return old

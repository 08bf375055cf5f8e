"""Bringing an older store up to date."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, inspect, select

from referee.journal.errors import StoreError
from referee.kernel.messages import Text
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

"""Connections to the database, and its tables when it is new."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from referee.store.schema import HEAD, metadata, version


def file_uri(path: Path, **options: str) -> str:
    """The file at ``path`` as SQLite takes it, whatever characters its name has; ``mode="ro"`` only reads."""
    return f"{path.absolute().as_uri()}?{urlencode(options)}"


def connect_server(url: str) -> Engine:
    """An engine for a database server."""
    return create_engine(url)


def connect(path: Path, **options: str) -> Engine:
    """An engine with one connection to a SQLite file, with a write-ahead log and full synchronisation.

    ``options`` are SQLite's own for files that are only looked at (:func:`file_uri`).
    """

    def opened() -> sqlite3.Connection:
        # never through a URL of SQLAlchemy: a folder may be called "Table #3", "a?b" or "a%20b"
        return sqlite3.connect(file_uri(path, **options), uri=True, check_same_thread=False)

    engine = create_engine("sqlite://", poolclass=StaticPool, creator=opened)

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _: Any) -> None:
        # a flipped bit in one text must not make a whole game unreadable; hashes find it out
        connection.text_factory = _decode
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA busy_timeout=5000")
            cursor.execute("PRAGMA foreign_keys=ON")
            if not options:
                cursor.execute("PRAGMA journal_mode=WAL")
                # an answer is acknowledged only after it is on disk, so each commit waits for the disk
                cursor.execute("PRAGMA synchronous=FULL")
        finally:
            cursor.close()

    return engine


def _decode(raw: bytes) -> str:
    return raw.decode(errors="replace")


def make_schema(engine: Engine) -> None:
    """All tables in an empty database, marked as being at the newest revision."""
    with engine.begin() as connection:
        metadata.create_all(connection)
        version.create(connection, checkfirst=True)
        connection.execute(version.delete())
        connection.execute(version.insert().values(version_num=HEAD))

"""The tables of the store: the same on SQLite and on PostgreSQL.

JSON is kept as text in its canonical form, so that what was hashed is what is
stored, byte for byte, on either database.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

FIRST = "0001"
HEAD = "0002"
"""The revision that this module describes; the newest file in ``migrations/versions``."""

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(64), primary_key=True),
    # the header, canonical JSON; its digest is what the first event follows
    Column("header", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", String(32), nullable=False),
    Column("boot", String(64), nullable=False),
    Column("seat", String(64), nullable=False),
    Column("source", String(32), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("request", Text, nullable=True),
    Column("answer", Text, nullable=False),
    Column("evidence", Text, nullable=True),
    Column("batch", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    PrimaryKeyConstraint("game", "number"),
    Index("events_by_hash", "hash", unique=True),
)

# what a seat chose in secret, until all have chosen; the event holds only a commitment to it
seals = Table(
    "seals",
    metadata,
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("opening", Text, nullable=False),
    PrimaryKeyConstraint("game", "number"),
)

# states at milestones, so that resuming does not replay a whole evening; they can always be made anew
snapshots = Table(
    "snapshots",
    metadata,
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    PrimaryKeyConstraint("game", "number"),
)

version = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))

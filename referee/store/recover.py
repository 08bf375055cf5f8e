"""Getting a game back from whatever is left of the database and of its mirror.

Every event carries its own hash and that of the one before it, so each can be
judged by itself wherever it was found.  The record is the longest chain that
can be put together; what does not join it is kept aside, never thrown away.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.journal.events import GAME_ID, Event, digest_of, event_hash, hash_of_texts
from referee.kernel.messages import Text
from referee.store.engine import file_uri
from referee.store.mirror import Mirrored
from referee.store.schema import events as events_table

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fork:
    """Two sound continuations of one game: after event ``after`` the database had another event, whose hash
    is ``other``, than the mirror."""

    after: int
    other: str


@dataclass
class Loaded:
    """One game as the store gives it: sound, with remarks on what was mended.

    ``fork``: somebody made a second continuation, and the record does not say so yet.
    """

    header: dict[str, Any]
    events: list[Event]
    openings: dict[int, Any]
    remarks: list[Text] = field(default_factory=list)
    fork: Fork | None = None


@dataclass
class SourceContents:
    """What one source holds of one game; any part of it may be damaged."""

    header: dict[str, Any] | None = None
    events: dict[int, Event] = field(default_factory=dict)
    openings: dict[int, Any] = field(default_factory=dict)
    rows: int = 0
    """Rows that were there, sound or not."""


Row = tuple[Any, ...]


def chain_from(
    header: Mapping[str, Any], proven: Mapping[int, Event], other: Mapping[int, Event]
) -> tuple[list[Event], list[Event]]:
    """The longest chain that starts at ``header``, and the events found that do not join it.

    ``proven`` are events whose hashes were checked when they were read; those of
    ``other`` are checked only where one is needed.
    """
    sources = (proven, other)
    previous = digest_of(header)
    chain: list[Event] = []
    while True:
        number = len(chain) + 1
        event = proven.get(number)
        if event is None or not _joins(event, header, previous):
            event = other.get(number)
            if event is None or not _joins(event, header, previous) or event_hash(event) != event.hash:
                break
        chain.append(event)
        previous = event.hash
    known = {event.hash for event in chain}
    lost = [one for source in sources for one in source.values() if one.hash not in known]
    return chain, lost


def _joins(event: Event, header: Mapping[str, Any], previous: str) -> bool:
    return event.previous == previous and event.game == header["id"]


def merge(game_id: str, database: SourceContents, mirror: Mirrored) -> tuple[Loaded | None, list[Event]]:
    """The best record of a game from both sources, and what could not be joined to it.

    None where neither source has a header that fits.  Where both are sound and tell the game differently,
    the mirror's stands, which is only ever added to, and the game has a :class:`Fork`.
    """
    forked = _forked(game_id, database, mirror)
    if forked is not None:
        return forked
    best: tuple[list[Event], list[Event]] | None = None
    chosen: dict[str, Any] | None = None
    # the mirror's lines carry a checksum, so its header is preferred where both fit
    headers = [mirror.header]
    if database.header != mirror.header:
        headers.append(database.header)
    for header in headers:
        if header is None or header.get("id") != game_id:
            continue
        result = chain_from(header, database.events, mirror.events)
        if best is None or len(result[0]) > len(best[0]):
            best, chosen = result, header
    if best is None or chosen is None:
        return None, []
    openings = {**mirror.openings, **database.openings}
    return Loaded(chosen, best[0], openings), best[1]


def _forked(game_id: str, database: SourceContents, mirror: Mirrored) -> tuple[Loaded, list[Event]] | None:
    """The mirror's game, and the database's other continuation, where there are two sound ones."""
    if mirror.header is None or database.header is None:
        return None
    if mirror.header.get("id") != game_id or database.header.get("id") != game_id:
        return None
    honest, _ = chain_from(mirror.header, {}, mirror.events)
    other, _ = chain_from(database.header, database.events, {})
    for one, second in zip(honest, other, strict=False):
        if one.hash != second.hash:
            openings = {**database.openings, **mirror.openings}
            fork = Fork(one.number - 1, second.hash)
            return Loaded(mirror.header, honest, openings, fork=fork), other[one.number - 1 :]
    return None


def salvage(path: Path) -> dict[str, SourceContents]:
    """Whatever can be read from a damaged SQLite file, by game."""
    games: dict[str, SourceContents] = {}
    try:
        with closing(sqlite3.connect(file_uri(path, mode="ro"), uri=True)) as connection:
            # a flipped bit must not make a whole table unreadable
            connection.text_factory = lambda raw: raw.decode(errors="replace")
            for row in _rows(connection, "SELECT id, header FROM games"):
                _salvage(games, row, put_header)
            for row in _rows(connection, f"SELECT {', '.join(COLUMNS)} FROM events"):
                _salvage(games, row, put_event)
            for row in _rows(connection, "SELECT game, number, opening FROM seals"):
                _salvage(games, row, put_opening)
    except (sqlite3.Error, ValueError) as error:
        log.warning("nothing more can be read from %s: %s", path, error)
    return games


COLUMNS = tuple(column.name for column in events_table.columns)


def _rows(connection: sqlite3.Connection, query: str) -> list[Row]:
    """Rows from both ends of a table, as far as they can be read."""
    rows: dict[Row, None] = {}
    for order in ("ASC", "DESC"):
        try:
            for row in connection.execute(f"{query} ORDER BY rowid {order}"):
                rows[row] = None
        except (sqlite3.Error, ValueError) as error:
            log.warning("a damaged table was met (%s): %s", order, error)
    return list(rows)


def _salvage(games: dict[str, SourceContents], row: Row, put: Callable[[SourceContents, Row], None]) -> None:
    if isinstance(row[0], str) and GAME_ID.fullmatch(row[0]):
        put(games.setdefault(row[0], SourceContents()), row)


def put_header(found: SourceContents, row: Row) -> None:
    """Take a row of ``games``, if it can be read."""
    try:
        header = json.loads(row[1])
    except (ValueError, TypeError) as error:
        log.warning("a damaged header is passed over: %s", error)
    else:
        found.header = header if isinstance(header, dict) else None


def put_event(found: SourceContents, row: Row) -> None:
    """Take a row of ``events``, if it is what its hash says."""
    values = dict(zip(COLUMNS, row, strict=True))
    found.rows += 1
    try:
        if hash_of_texts(values) != values["hash"]:
            log.warning("event %s is not what its hash says", values["number"])
            return
        for name in ("request", "answer", "evidence"):
            if values[name] is not None:
                values[name] = json.loads(values[name])
    except (ValueError, TypeError) as error:
        log.warning("a damaged event is passed over: %s", error)
        return
    found.events[values["number"]] = Event(**values)


def put_opening(found: SourceContents, row: Row) -> None:
    """Take a row of ``seals``, if it can be read."""
    try:
        found.openings[int(row[1])] = json.loads(row[2])
    except (ValueError, TypeError) as error:
        log.warning("a damaged secret is passed over: %s", error)

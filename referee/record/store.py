"""The store: games and their events in one SQLite file, or in PostgreSQL at a tournament.

Everything goes through one connection behind one lock: a game has one writer
and readers ask rarely.  An event counts as recorded when :meth:`Store.append`
has returned: it is then on disk twice, in the database and in the mirror.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, event, select
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from referee.hall.errors import InUse, NoSuchGame, StoreError, StoreUnwritable
from referee.kernel.play import canonical_json
from referee.record.events import Draft, Event, boot_id, digest_of, seal, utc_now
from referee.record.lock import WriterLock
from referee.record.mirror import Mirror
from referee.record.schema import HEAD, events, games, metadata, seals, snapshots, version


class Store:
    """Games and events.  ``Store.open`` makes one; close it when done (it is a context manager)."""

    def __init__(self, engine: Engine, path: Path | None, lock: WriterLock | None, writable: bool) -> None:
        self.engine = engine
        self.path = path
        self.writable = writable
        self.mirror = Mirror(path.with_name(path.name + ".mirror")) if path is not None else None
        self.remarks: list[tuple[str, str]] = []
        """Sentences (English, German) on what was found and mended when the store was opened."""
        self._lock = lock
        self._guard = RLock()
        self._claims: set[str] = set()

    @classmethod
    def open(cls, where: str | Path, *, write: bool = True, port: int | None = None) -> Store:
        """The store at ``where``: a file name, or a database URL such as ``postgresql+psycopg://...``.

        Raises :class:`InUse` (naming the other process) or :class:`StoreError`.
        A damaged or older SQLite file is mended or upgraded first; ``remarks`` then says so.
        """
        from referee.record.opening import open_store

        return open_store(cls, where, write=write, port=port)

    def close(self) -> None:
        """Let go of the database and the lock.  May be called twice."""
        with self._guard:
            self.engine.dispose()
            if self.mirror is not None:
                self.mirror.close()
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def note_port(self, port: int) -> None:
        """Name the port in the lock, for whoever finds the store in use."""
        if self._lock is not None:
            self._lock.note(port)

    @contextmanager
    def claim(self, game_id: str) -> Iterator[None]:
        """Be the one writer of this game within the process, while the context lasts."""
        with self._guard:
            if game_id in self._claims:
                raise InUse(
                    f"Game {game_id} is open already in this program. Close it there first.",
                    f"Die Partie {game_id} ist in diesem Programm schon offen. Bitte dort zuerst schließen.",
                )
            self._claims.add(game_id)
        try:
            yield
        finally:
            with self._guard:
                self._claims.discard(game_id)

    # -- writing -----------------------------------------------------------------------------------------

    def create(self, header: Mapping[str, Any]) -> None:
        """Put a new game's header on disk."""
        with self._writing() as connection:
            connection.execute(games.insert().values(id=header["id"], header=canonical_json(header)))
        if self.mirror is not None:
            self.mirror.start(header)

    def append(
        self,
        game_id: str,
        drafts: Sequence[Draft],
        *,
        after: int,
        previous: str,
        openings: Mapping[int, Any] | None = None,
        snapshot: tuple[Mapping[str, Any], str] | None = None,
    ) -> list[Event]:
        """Record ``drafts`` as the events that follow event ``after``, in one transaction.

        ``openings`` maps an event's number to a secret kept apart from it;
        ``snapshot`` is the state (and its digest) that holds after the last event.
        Raises :class:`StoreUnwritable`; nothing is recorded then.
        """
        made = seal(drafts, game_id, after, previous, utc_now(), boot_id())
        kept = [
            {"game": game_id, "number": number, "opening": canonical_json(opening)}
            for number, opening in (openings or {}).items()
        ]
        with self._writing() as connection:
            connection.execute(events.insert(), [_to_row(one) for one in made])
            if kept:
                connection.execute(seals.insert(), kept)
            if snapshot is not None:
                self._write_snapshot(connection, game_id, made[-1].number, *snapshot)
        if self.mirror is not None:
            self.mirror.append(game_id, made, kept)
        return made

    @staticmethod
    def _write_snapshot(
        connection: Connection, game_id: str, number: int, state: Mapping[str, Any], digest: str
    ) -> None:
        connection.execute(
            snapshots.insert().values(game=game_id, number=number, state=canonical_json(state), digest=digest)
        )

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._guard:
            try:
                with self.engine.begin() as connection:
                    yield connection
            except SQLAlchemyError as error:
                raise _unwritable(error, self.path) from error

    # -- reading -----------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._guard:
            try:
                with self.engine.connect() as connection:
                    yield connection
            except DatabaseError as error:
                raise _unreadable(error, self.path) from error

    def game_ids(self) -> list[str]:
        """The ids of all games, oldest first where the clock was right."""
        with self._reading() as connection:
            rows = [
                (json.loads(text).get("created", ""), key) for key, text in connection.execute(select(games))
            ]
        return [key for _, key in sorted(rows)]

    def header(self, game_id: str) -> dict[str, Any]:
        """The header of a game.  Raises :class:`NoSuchGame` naming those that are there."""
        with self._reading() as connection:
            text = connection.execute(select(games.c.header).where(games.c.id == game_id)).scalar()
        if text is None:
            raise self._no_such_game(game_id)
        header: dict[str, Any] = json.loads(text)
        return header

    def _no_such_game(self, game_id: str) -> NoSuchGame:
        known = ", ".join(self.game_ids()[-8:]) or "-"
        return NoSuchGame(
            f"There is no game {game_id!r} in this record. The latest are: {known}.",
            f"Eine Partie {game_id!r} steht nicht in diesem Protokoll. Die letzten sind: {known}.",
        )

    def events(self, game_id: str, since: int = 0) -> list[Event]:
        """The events after number ``since``, in order."""
        query = (
            select(events).where(events.c.game == game_id, events.c.number > since).order_by(events.c.number)
        )
        with self._reading() as connection:
            return [_from_row(row) for row in connection.execute(query)]

    def openings(self, game_id: str) -> dict[int, Any]:
        """What was chosen in secret, by event number."""
        query = select(seals.c.number, seals.c.opening).where(seals.c.game == game_id)
        with self._reading() as connection:
            return {number: json.loads(text) for number, text in connection.execute(query)}

    def snapshots(self, game_id: str) -> dict[int, tuple[str, str]]:
        """Snapshots by event number: the state as canonical JSON, and its digest."""
        query = select(snapshots.c.number, snapshots.c.state, snapshots.c.digest)
        with self._reading() as connection:
            rows = connection.execute(query.where(snapshots.c.game == game_id)).all()
        return {number: (state, digest) for number, state, digest in rows}


def connect(url: str, path: Path | None = None) -> Engine:
    """An engine with one connection; on SQLite with a write-ahead log and full synchronisation."""
    if not url.startswith("sqlite"):
        return create_engine(url)
    engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA busy_timeout=5000")
            cursor.execute("PRAGMA foreign_keys=ON")
            if path is not None:
                cursor.execute("PRAGMA journal_mode=WAL")
                # an answer is acknowledged only after it is on disk, so each commit waits for the disk
                cursor.execute("PRAGMA synchronous=FULL")
        finally:
            cursor.close()

    return engine


def make_schema(engine: Engine) -> None:
    """All tables in an empty database, marked as being at the newest revision."""
    with engine.begin() as connection:
        metadata.create_all(connection)
        version.create(connection, checkfirst=True)
        connection.execute(version.delete())
        connection.execute(version.insert().values(version_num=HEAD))


def _to_row(one: Event) -> dict[str, Any]:
    row = one.as_json()
    row["answer"] = canonical_json(one.answer)
    row["request"] = None if one.request is None else canonical_json(one.request)
    row["evidence"] = None if one.evidence is None else canonical_json(one.evidence)
    return row


def _from_row(row: Row[Any]) -> Event:
    values = row._asdict()
    try:
        for name in ("request", "answer", "evidence"):
            if values[name] is not None:
                values[name] = json.loads(values[name])
    except ValueError as error:
        raise StoreError(
            f"Event {row.number} of game {row.game} cannot be read: the database was damaged.",
            f"Ereignis {row.number} der Partie {row.game} ist nicht lesbar: Die Datenbank ist beschädigt.",
        ) from error
    return Event(**values)


def _unwritable(error: SQLAlchemyError, path: Path | None) -> StoreUnwritable:
    cause = str(getattr(error, "orig", None) or error)
    where = str(path.parent) if path is not None else "the database"
    return StoreUnwritable(
        f"The record could not be written ({cause}). Nothing was lost, and this answer was not taken. "
        f"Make room or mend the disk at {where}, then answer again.",
        f"Das Protokoll konnte nicht geschrieben werden ({cause}). Nichts ist verloren, diese Antwort gilt "
        f"nicht. Bitte bei {where} Platz schaffen oder den Datenträger richten, dann noch einmal antworten.",
    )


def _unreadable(error: DatabaseError, path: Path | None) -> StoreError:
    cause = str(error.orig or error)
    return StoreError(
        f"The record {path or ''} cannot be read ({cause}). Start `referee serve` to have it mended "
        "from its mirror.",
        f"Das Protokoll {path or ''} ist nicht lesbar ({cause}). `referee serve` stellt es beim Start "
        "aus dem Spiegel wieder her.",
    )


def header_digest(header: Mapping[str, Any]) -> str:
    """The hash that the first event follows."""
    return digest_of(header)

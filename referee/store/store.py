"""The store: games and their events in one SQLite file.

Everything goes through one connection behind one lock: a game has one writer
and readers ask rarely.  An event counts as recorded when :meth:`Store.append`
has returned: it is then on disk twice, in the database and in the mirror.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from sqlalchemy import Connection, Engine, select, text
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from referee.journal.errors import InUse, NoSuchGame, StoreError, StoreUnwritable
from referee.journal.events import Event, NewEvent, boot_id, seal, utc_now
from referee.kernel.messages import Text
from referee.kernel.play import canonical_json
from referee.store.lock import WriterLock
from referee.store.mending import load_game
from referee.store.mirror import Mirror
from referee.store.opening import open_store
from referee.store.recover import Loaded, SourceContents, put_event, put_header, put_opening
from referee.store.schema import events, games, seals, snapshots


class Store:
    """Games and events.  ``Store.open`` makes one; close it when done (it is a context manager)."""

    def __init__(self, engine: Engine, path: Path | None, lock: WriterLock | None, writable: bool) -> None:
        self.engine = engine
        self.path = path
        self.writable = writable
        self.mirror = Mirror(path.with_name(path.name + ".mirror")) if path is not None else None
        self.remarks: list[Text] = []
        """Sentences (English, German) on what was found and mended when the store was opened."""
        self._lock = lock
        self._guard = RLock()
        self._claims: set[str] = set()
        self._closed = False

    @classmethod
    def open(cls, where: str | Path, *, write: bool = True, port: int | None = None) -> Store:
        """The store at ``where``, a file name.  A database URL (``postgresql+psycopg://...``) names a record
        that an earlier program kept on a server: it is only read.

        Raises :class:`InUse` (naming the other process) or :class:`StoreError`.
        A damaged or older SQLite file is mended or upgraded first; ``remarks`` then says so.
        """
        return open_store(cls, where, write=write, port=port)

    def close(self) -> None:
        """Let go of the database and the lock.  May be called twice.

        Whoever still wants something, as the thread of a request that outlives its server may, is refused: a
        connection that is opened again would write what another process holds the lock of.
        """
        with self._guard:
            self._closed = True
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
        """Be the one writer of this game, while the context lasts; the store has one writing process."""
        with self._guard:
            if game_id in self._claims:
                raise InUse(
                    Text("store.open_already", game_id=game_id),
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
        drafts: Sequence[NewEvent],
        *,
        after: int,
        previous: str,
        openings: Mapping[int, Any] | None = None,
        snapshot: tuple[str, str] | None = None,
    ) -> list[Event]:
        """Record ``drafts`` as the events that follow event ``after``, in one transaction.

        ``openings`` maps an event's number to a secret kept apart from it;
        ``snapshot`` is the state that holds after the last event, as JSON text, and its digest.
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
                row = {"state": snapshot[0], "digest": snapshot[1]}
                connection.execute(snapshots.insert().values(game=game_id, number=made[-1].number, **row))
        if self.mirror is not None:
            self.mirror.append(game_id, made, kept)
        return made

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._guard:
            if self._closed:
                raise StoreUnwritable(Text("store.closed"))
            try:
                with self.engine.begin() as connection:
                    yield connection
            except SQLAlchemyError as error:
                raise _unwritable(error, self.path) from error

    # -- reading -----------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._guard:
            if self._closed:
                raise StoreError(Text("store.closed"))
            try:
                with self.engine.connect() as connection:
                    yield connection
            except (DatabaseError, ValueError) as error:  # garbled text makes the driver raise ValueErrors
                raise _unreadable(error, self.path) from error

    def game_ids(self) -> list[str]:
        """The ids of all games, oldest first; on a server as far as the tables' clocks were right."""
        with self._reading() as connection:
            if self.engine.dialect.name == "sqlite":
                return list(connection.execute(select(games.c.id).order_by(text("rowid"))).scalars())
            rows = [(_created(header), key) for key, header in connection.execute(select(games))]
        return [key for _, key in sorted(rows)]

    def no_such_game(self, game_id: str) -> NoSuchGame:
        """The error to raise where a game is not there; it names those that are."""
        known = ", ".join(self.game_ids()[-8:]) or "-"
        return NoSuchGame(
            Text("store.no_such_game", game_id=game_id, known=known),
        )

    def load(self, game_id: str) -> Loaded:
        """One game, checked against its chain and its mirror, and mended where the store is writable.

        Raises :class:`NoSuchGame`, or :class:`StoreError` where it cannot be read.
        """
        return load_game(self, game_id)

    def found(self, game_id: str) -> SourceContents:
        """What the database holds of a game, sound or not, without looking at the mirror."""
        found = SourceContents()
        with self._reading() as connection:
            for row in connection.execute(select(games).where(games.c.id == game_id)):
                put_header(found, tuple(row))
            for row in connection.execute(select(events).where(events.c.game == game_id)):
                put_event(found, tuple(row))
            query = select(seals.c.game, seals.c.number, seals.c.opening)
            for row in connection.execute(query.where(seals.c.game == game_id)):
                put_opening(found, tuple(row))
        return found

    def header(self, game_id: str) -> dict[str, Any]:
        """The header of a game as the database has it.  Raises :class:`NoSuchGame`."""
        with self._reading() as connection:
            text = connection.execute(select(games.c.header).where(games.c.id == game_id)).scalar()
        if text is None:
            raise self.no_such_game(game_id)
        header: dict[str, Any] = json.loads(text)
        return header

    def last(self, game_id: str) -> tuple[int, str]:
        """Number and kind of a game's last event; (0, "") where it has none."""
        query = select(events.c.number, events.c.kind).where(events.c.game == game_id)
        with self._reading() as connection:
            row = connection.execute(query.order_by(events.c.number.desc()).limit(1)).first()
        return (int(row[0]), str(row[1])) if row is not None else (0, "")

    def last_of(self, game_id: str, kinds: Collection[str]) -> tuple[str, Any]:
        """Kind and answer of a game's last event of one of these ``kinds``; ("", None) where it has none."""
        query = select(events.c.kind, events.c.answer).where(
            events.c.game == game_id, events.c.kind.in_(kinds)
        )
        with self._reading() as connection:
            row = connection.execute(query.order_by(events.c.number.desc()).limit(1)).first()
        return ("", None) if row is None else (str(row[0]), json.loads(row[1] or "null"))

    def replace(self, game: Loaded) -> None:
        """Write a mended game in place of the damaged rows, in one transaction."""
        key = game.header["id"]
        with self._writing() as connection:
            for table in (snapshots, seals, events):
                connection.execute(table.delete().where(table.c.game == key))
            connection.execute(games.delete().where(games.c.id == key))
            connection.execute(games.insert().values(id=key, header=canonical_json(game.header)))
            if game.events:
                connection.execute(events.insert(), [_to_row(one) for one in game.events])
            kept = [
                {"game": key, "number": number, "opening": canonical_json(opening)}
                for number, opening in game.openings.items()
            ]
            if kept:
                connection.execute(seals.insert(), kept)

    def openings(self, game_id: str) -> dict[int, Any]:
        """What was chosen in secret, by event number."""
        query = select(seals.c.number, seals.c.opening).where(seals.c.game == game_id)
        with self._reading() as connection:
            return {number: json.loads(text) for number, text in connection.execute(query)}

    def snapshots(self, game_id: str) -> dict[int, tuple[str, str]]:
        """Snapshots by event number: the state as JSON, and its digest."""
        query = select(snapshots.c.number, snapshots.c.state, snapshots.c.digest)
        with self._reading() as connection:
            rows = connection.execute(query.where(snapshots.c.game == game_id)).all()
        return {number: (state, digest) for number, state, digest in rows}


def _to_row(one: Event) -> dict[str, Any]:
    row = one.as_json()
    row["answer"] = canonical_json(one.answer)
    row["request"] = None if one.request is None else canonical_json(one.request)
    row["evidence"] = None if one.evidence is None else canonical_json(one.evidence)
    return row


def _created(header: str) -> str:
    try:
        return str(json.loads(header).get("created", ""))
    except (ValueError, AttributeError):
        return ""


def _unwritable(error: SQLAlchemyError, path: Path | None) -> StoreUnwritable:
    cause = str(getattr(error, "orig", None) or error)
    where = str(path.parent) if path is not None else "the database"
    return StoreUnwritable(
        Text("store.answer_not_written", cause=cause, where=where),
    )


def _unreadable(error: Exception, path: Path | None) -> StoreError:
    cause = str(getattr(error, "orig", None) or error)
    return StoreError(
        Text("store.unreadable_now", path=path or "", cause=cause),
    )

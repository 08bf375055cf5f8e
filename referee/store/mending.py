"""Mending: a game from database and mirror, a store from whatever is left of it, in words."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.journal.errors import StoreError, StoreUnwritable
from referee.journal.events import GAME_ID, Event
from referee.journal.pending import fork_of
from referee.kernel.files import sync_folder, write_whole
from referee.kernel.messages import Text
from referee.store.engine import connect, make_schema
from referee.store.mirror import Mirror, Mirrored
from referee.store.recover import Fork, Loaded, SourceContents, chain_from, merge, salvage
from referee.store.upgrade import stamp

if TYPE_CHECKING:
    from referee.store.store import Store

log = logging.getLogger(__name__)

SIDE_FILES = ("", "-wal", "-shm")


def load_game(store: Store, game_id: str) -> Loaded:
    """See :meth:`referee.store.store.Store.load`."""
    if not GAME_ID.fullmatch(game_id):
        raise store.no_such_game(game_id)
    database = _found(store, game_id)
    sound = _as_it_should_be(store, database)
    if sound is not None:
        _tell_fork(store, sound)
        return sound
    mirror = store.mirror.read(game_id) if store.mirror is not None else Mirrored()
    game, lost = merge(game_id, database, mirror)
    if game is None:
        if database.rows or mirror.events:
            raise _headless(game_id)
        raise store.no_such_game(game_id)
    if lost:  # first of all: what follows takes it out of where it was found
        game.remarks.append(_keep_aside(store, game, lost))
    numbers = {event.number for event in game.events}
    sound_rows = database.header == game.header and database.rows == len(game.events)
    if not sound_rows or set(database.events) != numbers or game.fork is not None:
        missing = len(numbers - set(database.events))
        _mend_database(store, game, missing)
    behind = len(numbers - set(mirror.events))
    if store.mirror is not None and (mirror.damaged or mirror.header != game.header or behind or lost):
        _mend_mirror(store, game, mirror, behind)
    _tell_fork(store, game)
    return game


def _as_it_should_be(store: Store, database: SourceContents) -> Loaded | None:
    """The game straight from the database where it is whole and the mirror says the same; else None."""
    if database.header is None:
        return None
    events, lost = chain_from(database.header, database.events, {})
    if lost or len(events) != database.rows:
        return None
    if store.mirror is not None and not store.mirror.agrees(database.header, events, len(database.openings)):
        return None
    return Loaded(database.header, events, database.openings)


def _found(store: Store, game_id: str) -> SourceContents:
    try:
        return store.found(game_id)
    except StoreError:
        if store.path is None:
            raise
        log.exception("the database cannot be read through; it is salvaged")
        found = salvage(store.path).get(game_id, SourceContents())
        found.rows = -1  # rows in the database need to be written anew
        return found


def _mend_database(store: Store, game: Loaded, missing: int) -> None:
    key = game.header["id"]
    if store.writable:
        if store.path is None:
            raise _headless(key)
        # where one page is damaged others may be: the whole file is made anew
        rebuild(store, f"{missing} events of game {key}")
    game.remarks.append(Text("store.restored_from_mirror", key=key, missing=missing, events=len(game.events)))


def _mend_mirror(store: Store, game: Loaded, mirror: Mirrored, behind: int) -> None:
    key = game.header["id"]
    if store.writable and store.mirror is not None:
        try:
            store.mirror.rewrite(game.header, game.events, game.openings)
        except OSError as error:
            raise StoreUnwritable(
                Text("store.mirror_unwritable", key=key, why=error.strerror),
            ) from error
    what = "store.mirror_completed" if not mirror.damaged else "store.damaged_mirror_completed"
    game.remarks.append(Text(what, key=key, behind=behind))


def _keep_aside(store: Store, game: Loaded, lost: Sequence[Event]) -> Text:
    """Put events that do not join the record into a file of their own, once, and say so.

    The file's name says which events, so that a fork is known by it until the record speaks of it.
    """
    key = str(game.header["id"])
    numbers = sorted({event.number for event in lost})
    path = _aside_path(store, game, lost)
    where = path.name if path is not None and (store.writable or path.exists()) else "-"
    if store.writable and path is not None and not path.exists():
        lines = [json.dumps(event.as_json(), ensure_ascii=False) + "\n" for event in lost]
        write_whole(path, "".join(lines), 0o600)
    if game.fork is not None:
        return Text("store.fork", key=key, after=game.fork.after, where=where)
    return Text(
        "store.events_put_aside",
        key=key,
        last=len(game.events),
        first=numbers[0],
        final=numbers[-1],
        where=where,
    )


def _aside_path(store: Store, game: Loaded, lost: Sequence[Event]) -> Path | None:
    if store.mirror is None:
        return None
    if game.fork is not None:
        return store.mirror.folder / f"{game.header['id']}.fork-{game.fork.after}-{game.fork.other}"
    mark = hashlib.sha256("".join(sorted(event.hash for event in lost)).encode()).hexdigest()[:16]
    return store.mirror.folder / f"{game.header['id']}.lost-{mark}"


_FORK_FILE = re.compile(r"fork-(\d+)-([0-9a-f]{64})")


def _tell_fork(store: Store, game: Loaded) -> None:
    """A fork that was found, perhaps by an earlier run that a power cut ended, and is not in the record."""
    if game.fork is not None or store.mirror is None:
        return
    told = {str(fork.get("other")) for fork in map(fork_of, game.events) if fork}
    for path in sorted(store.mirror.folder.glob(f"{game.header['id']}.fork-*")):
        found = _FORK_FILE.fullmatch(path.name.removeprefix(f"{game.header['id']}."))
        if found is not None and found[2] not in told:
            game.fork = Fork(int(found[1]), found[2])


def _headless(game_id: str) -> StoreError:
    return StoreError(
        Text("store.game_broken", game_id=game_id),
    )


def _salvaged(path: Path, mirror: Mirror) -> tuple[list[Loaded], dict[str, list[Event]]]:
    """All games that can be put together from a damaged file and its mirror, and what does not join."""
    found = salvage(path) if path.exists() else {}
    games: list[Loaded] = []
    lost: dict[str, list[Event]] = {}
    for key in sorted(set(found) | set(mirror.game_ids())):
        game, rest = merge(key, found.get(key, SourceContents()), mirror.read(key))
        if game is not None:
            games.append(game)
        if rest:
            lost[key] = rest
    return sorted(games, key=lambda game: str(game.header.get("created", ""))), lost


def put_aside(path: Path) -> Path:
    """Move a damaged database out of the way, with its side files; gives the new name."""
    aside = path.with_name(f"{path.name}.damaged-{stamp()}")
    for ending in SIDE_FILES:
        side = path.with_name(path.name + ending)
        if side.exists():
            side.replace(aside.with_name(aside.name + ending))
    return aside


def rebuild(store: Store, cause: str) -> None:
    """Make the database anew from the mirror and whatever can still be read; ``store.remarks`` tells.

    Raises ``StoreUnwritable`` where the disk refuses; everything is then left as it was.
    """
    path, mirror = store.path, store.mirror
    assert path is not None and mirror is not None
    store.engine.dispose()
    games, lost = _salvaged(path, mirror)
    fresh = path.with_name(path.name + ".fresh")
    fresh.unlink(missing_ok=True)
    store.engine = connect(fresh)
    make_schema(store.engine)
    remarks: list[Text] = []
    for game in games:
        key = game.header["id"]
        if key in lost:
            aside_path = _aside_path(store, game, lost[key])
            known = aside_path is not None and aside_path.exists()
            remark = _keep_aside(store, game, lost[key])
            remarks += [] if known else [remark]  # whoever asked for the mending tells it
        store.replace(game)
        mirror.rewrite(game.header, game.events, game.openings)
    store.engine.dispose()
    aside = put_aside(path) if path.exists() else None
    fresh.replace(path)
    sync_folder(path.parent)
    store.engine = connect(path)
    store.remarks.append(_rebuilt_remark(cause, aside, games))
    store.remarks += remarks


def _rebuilt_remark(cause: str, aside: Path | None, games: list[Loaded]) -> Text:
    """What to say after a store was made anew."""
    events = sum(len(game.events) for game in games)
    if aside is None:
        return Text("store.made_anew", cause=cause, games=len(games), events=events)
    return Text("store.made_anew_put_aside", cause=cause, aside=aside.name, games=len(games), events=events)

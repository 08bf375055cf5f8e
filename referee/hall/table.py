"""The hall: the only place where rules, record, reader, lights and screens meet.

    table = Table.create(store, game, players={"free": "Anna", "shadow": "Bert"})
    event = table.answer("free", "camp", revision=table.revision)

A table is one game, open for writing.  Its parts are in ``referee/hall``:
answers and drafts, taking back, dice, disputes.  All methods may be called
from any thread; each answer is on disk before its call returns.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from referee import __version__
from referee.hall.answers import Preview
from referee.hall.boardchecks import BoardChecks
from referee.hall.clocks import Clocks
from referee.hall.dice import DiceAtTable, Offer, Reading
from referee.hall.ending import Endings
from referee.hall.hands import HandsAtTable
from referee.hall.leaving import Leaving
from referee.hall.live_game import LiveGame
from referee.hall.silence import Silence
from referee.journal.events import FORMAT, GAME_ID, Event, NewEvent, as_read, digest_of, utc_now
from referee.journal.undo import Undo
from referee.kernel.at_table import at_table, board_of, first_state, game_of
from referee.kernel.board import Board
from referee.kernel.capabilities import FewerSeats, RedrawsBoard
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import Lights, Selection, lights_for, lit_places
from referee.kernel.messages import Text
from referee.kernel.play import Game, Play
from referee.kernel.requests import Request
from referee.kernel.seats import taken_seats
from referee.store.pictures import Pictures
from referee.store.store import Store

__all__ = ["Offer", "Preview", "Reading", "Table", "Undo"]

_CLOCK = Text("hall.clock_behind")


def _differs(number: int, was: str, today: str) -> Text:
    return Text("hall.rules_differ", number=number, today=today, was=was)


class Table(DiceAtTable, BoardChecks, Silence, Leaving, Clocks, Endings, HandsAtTable):
    """One game, open for writing.  Made by :meth:`create` or :meth:`open`; close it when done."""

    def __init__(self, live_game: LiveGame) -> None:
        super().__init__(live_game)
        live_game.subscribe(self.on_recorded)
        path = live_game.store.path
        self.pictures = None if path is None else Pictures(path.with_name(path.name + ".pictures"))
        self.walk_path = None if path is None else path.with_name(f"{path.name}.{self.id}.walk")
        self.throw_path = None if path is None else path.with_name(f"{path.name}.{self.id}.throw")
        self.recall_throw()
        self.recovery: list[Text] = list(live_game.store.remarks)
        """On what was found and mended; shown on every screen."""

    @classmethod
    def create(
        cls,
        store: Store,
        game: Game[Any],
        *,
        options: Mapping[str, Any] | None = None,
        players: Mapping[str, str] | None = None,
        seats: Collection[str] | None = None,
        table_name: str = "",
        house_rules: Sequence[str] = (),
        tournament: bool = False,
        game_id: str | None = None,
    ) -> Table:
        """A new game; its header is on disk when this returns.

        ``options`` go to ``game.new_state``; ``players`` maps seats to names; ``seats`` are those that
        play, where the game can be played by fewer than all (None: all).
        """
        taken = taken_seats(game, seats)
        options = dict(options or {})
        if isinstance(game, FewerSeats):
            options["seats"] = list(taken)
        # in the order in which the record will give them back
        options = as_read(options)
        if game_id is not None and not GAME_ID.fullmatch(game_id):
            raise InvalidAnswer(
                Text("hall.bad_game_id", game_id=game_id),
            )
        header = {
            "format": FORMAT,
            "id": game_id or f"{game.id}-{secrets.token_hex(4)}",
            "game": game.id,
            "edition": str(options.get("edition", "")),
            "rules_version": game.rules_version,
            "software": __version__,
            "box_book": digest_of(options["box"]) if "box" in options else "",
            "options": options,
            "players": {seat: (players or {}).get(seat, "") for seat in taken},
            "table": table_name,
            "house_rules": list(house_rules),
            "tournament": tournament,
            "created": utc_now(),
        }
        first_state(game, options)  # wrong options are refused before anything is written
        store.create(header)
        table = cls(LiveGame(store, at_table(game, options), header, []))
        table.go_past_the_obvious()
        return table

    @classmethod
    def open(cls, store: Store, game_id: str) -> Table:
        """Resume a game where its record ends.  What had to be mended is told in ``recovery``.

        Raises ``NoSuchGame``, ``InUse``, or ``StoreError`` where the record cannot be read at all.
        """
        loaded = store.load(game_id)
        table = cls(LiveGame(store, game_of(loaded.header), loaded.header, loaded.events))
        table.recovery += loaded.remarks
        if loaded.fork is not None:
            table.live_game.mark_fork(loaded.fork.after, loaded.fork.other)
        differs = table.live_game.differs_at
        if differs is not None:
            table.recovery.append(_differs(differs, loaded.header["rules_version"], table.game.rules_version))
        if loaded.events and utc_now() < loaded.events[-1].at:
            table.recovery.append(_CLOCK)
        return table

    def _agreed_to(self, asked: Event, said: NewEvent) -> Event:
        if asked.kind == "roll_asked":
            return self._roll_agreed(asked, said)
        if asked.kind == "draw_asked":
            return self._draw_agreed(asked, said)
        return super()._agreed_to(asked, said)

    def close(self) -> None:
        """Let the game go, so that it can be opened again.  May be called twice."""
        self.live_game.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def id(self) -> str:
        """The game's id."""
        return str(self.header["id"])

    @property
    def header(self) -> Mapping[str, Any]:
        """What was settled before the game: game, edition, versions, players, table, house rules."""
        return self.live_game.header

    @property
    def game(self) -> Game[Any]:
        """The rules."""
        return self.live_game.game

    @property
    def board(self) -> Board | None:
        """The board of this game as play has it; None where the game has no drawing of one."""
        if isinstance(self.game, RedrawsBoard):
            with self.guard:
                return self.game.board_now(self.play.state)
        return self._board

    @cached_property
    def _board(self) -> Board | None:
        """The board by the game's options."""
        return board_of(self.game, self.header["options"])

    @property
    def play(self) -> Play[Any]:
        """The running game; read only, and only while holding ``guard``."""
        return self.live_game.play

    def events(self, since: int = 0) -> list[Event]:
        """The events after number ``since``.  Secrets are in none of them before they are opened."""
        with self.guard:
            return self.live_game.events[since:]

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``listener`` after each event, in order, once it is on disk.  Returns the way to end that.

        Listeners run in the thread that answered, so they must be quick and must not wait.
        """
        return self.live_game.subscribe(listener)

    def view(self, seat: str | None, language: str) -> dict[str, Any]:
        """What ``seat`` (None: a spectator) may see."""
        with self.guard:
            return self.game.view(self.play.state, seat, language)

    @cached_property
    def lit(self) -> frozenset[str] | None:
        """All that may have LEDs; None where the game has no drawing of its board."""
        return None if self.board is None else frozenset(lit_places(self.game, self.header["options"]))

    def lights(self, selection: Selection | None = None, preview: Preview | None = None) -> Lights:
        """What each place's light shows, for the game or for a draft."""
        with self.guard:
            play = self.play if preview is None else preview.play
            request: Request | None = self.request if preview is None else preview.request
            usual = lights_for(self.game, play.state, request, selection, self.asked_seats, self.lit)
            if self.board_check is not None:
                return self.board_check.lights(usual)
            return self.hands_lights(usual) if self.hands_hold else usual

    def status(self, language: str) -> dict[str, Any]:
        """All that is true of the table besides the position, as JSON for screens."""
        with self.guard:
            standing = self.standing
            outcome = self.outcome
            undo = self.undo_class()
            offer = self.offer
            return {
                "game": self.id,
                "revision": self.revision,
                "asked": list(self.asked_seats),
                "sealed": sorted(standing.sealed),
                "objection": None if standing.objection is None else standing.objection.as_json(),
                "stopped": None if standing.stopped is None else standing.stopped.as_json(),
                "take_back_asked": None if standing.asked is None else standing.asked.as_json(),
                "agreed": sorted(standing.agreed),
                "undo": None if undo is None else undo.as_json(language),
                "offer": None if offer is None else offer.as_json(),
                "outcome": None if outcome is None else {**outcome.as_json(), "params": dict(outcome.params)},
                "confirmed": sorted(standing.confirmed),
                "recovery": [text.in_words(language) for text in self.recovery],
            }

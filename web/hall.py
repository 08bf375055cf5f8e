"""What the screens need of the hall: the running table, the dice desk, the lights, the devices.

Protocols only.  The hall that owns the hardware implements them; the web room
decides nothing about rules, reads no camera and opens no port.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from referee.kernel.lights import Lights, Selection
from referee.kernel.messages import Text
from referee.kernel.play import Game, Outcome, Play
from referee.kernel.requests import Request

Health = Literal["ok", "warn", "away", "fail"]
"""``ok``; ``warn``: works, but look at it; ``away``: not there, the game goes on without it; ``fail``: a part
of the machine that does not do its work."""

Unsubscribe = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Device:
    """One device and how it is: what is so and, where needed, what to do."""

    id: str
    health: Health
    text: Text


class Preview(Protocol):
    """Where a draft leads; see ``Table.preview``."""

    @property
    def request(self) -> Request | None: ...
    @property
    def view(self) -> Any: ...
    @property
    def open(self) -> bool: ...


class Table(Protocol):
    """The part of ``referee.hall.table.Table`` that screens use; errors as described there."""

    @property
    def revision(self) -> int: ...
    @property
    def header(self) -> Mapping[str, Any]: ...
    @property
    def request(self) -> Request | None: ...
    @property
    def play(self) -> Play[Any]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def standing(self) -> Any:
        """Sealed parts, objection, request to take back, stop: ``referee.journal.standing.Standing``."""

    def answer(
        self,
        seat: str,
        value: Any,
        *,
        revision: int,
        source: str = "tablet",
        evidence: Mapping[str, Any] | None = None,
    ) -> Any: ...
    def answer_many(
        self, seat: str, values: Sequence[Any], *, revision: int, source: str = "tablet"
    ) -> Any: ...
    def preview(self, seat: str, values: Sequence[Any], *, language: str = "en") -> Any: ...
    def take_back(self, seat: str, *, revision: int, to: int | None = None) -> Any: ...
    def consent(self, seat: str, yes: bool, *, revision: int) -> Any: ...
    @property
    def offer(self) -> Any:
        """The reading that may be accepted now (``number``, ``reading``, ``picture``), or None."""

    def accept_dice(
        self,
        seat: str,
        *,
        revision: int,
        corrections: Sequence[Mapping[str, Any]] = (),
        offer: int | None = None,
    ) -> Any: ...
    def undo_class(self, seat: str | None = None, *, to: int | None = None) -> Any: ...
    def object(self, seat: str, text: str, *, about: int | None = None) -> Any: ...
    def withdraw_objection(self, seat: str) -> Any: ...
    def rule(self, reason: str, *, seat: str = "arbiter", reopens: bool = False) -> Any: ...
    def let_stand(self, value: Any, reason: str, *, revision: int, seat: str = "arbiter") -> Any: ...
    @property
    def holding(self) -> Any:
        """A board check offered or under way: ``referee.hall.base.Holding``."""

    def begin_board_check(self, seat: str, *, everything: bool = False) -> Any: ...
    def answer_board_check(self, seat: str, place: str, says: str) -> Any: ...
    def back_in_board_check(self, seat: str) -> None: ...
    def end_board_check(self, seat: str) -> Any: ...
    def correction_form(self, place: str) -> Sequence[Any]: ...
    def primitives_for(self, place: str, counts: Mapping[str, Any]) -> list[dict[str, Any]]: ...
    def proposed_view(self, language: str) -> dict[str, Any]: ...
    def propose_correction(
        self, seat: str, primitives: Sequence[Mapping[str, Any]], reason: str, *, revision: int
    ) -> Any: ...
    def correct(
        self, primitives: Sequence[Mapping[str, Any]], reason: str, *, revision: int, seat: str = "arbiter"
    ) -> Any: ...
    def note_that_stands(self, about: int, reason: str, *, seat: str = "arbiter") -> Any: ...
    def note(
        self, seat: str, text: str, *, kind: Any = "note", about: str | None = None, value: int | None = None
    ) -> Any: ...
    @property
    def keeper(self) -> Any:
        """What replays any moment: ``referee.hall.keeper.Keeper``."""

    @property
    def pictures(self) -> Any:
        """Pictures of accepted rolls, or None where none are kept."""

    def resign(self, seat: str) -> Any: ...
    def confirm_result(self, seat: str) -> Any: ...
    def subscribe(self, listener: Callable[[Any], None]) -> Unsubscribe: ...
    def events(self, since: int = 0) -> Any: ...
    def view(self, seat: str | None, language: str) -> dict[str, Any]: ...


class DiceDesk(Protocol):
    """Where dice are rolled and read.  ``virtual``: the tray exists only here and can throw by itself.

    Whatever it reads it offers to the table (``Table.offer_reading``) and then tells
    its listeners.  It may have a ``state`` (``empty``, ``moving``...), shown in words.
    """

    @property
    def virtual(self) -> bool: ...

    def throw(self) -> None:
        """Throw the wanted dice (virtual trays only); the reading arrives as a new offer."""

    def look(self) -> None:
        """Look into the tray again now."""

    def subscribe(self, listener: Callable[[], None]) -> Unsubscribe:
        """Call ``listener`` after each new or withdrawn offer, from any thread."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game on disk that can be continued."""

    id: str
    title: Mapping[str, str]
    table_name: str
    revision: int
    finished: bool
    players: tuple[str, ...] = ()
    """Names that were typed in, in the order of the seats."""
    began: str = ""
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the start page asks for: a game, names per seat, options by id."""

    game: str
    players: Mapping[str, str]
    table_name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    tournament: bool = False
    """What dice or hidden information revealed is taken back by the arbiter only, who alone corrects."""


class Hall(Protocol):
    """The hall as the screens see it."""

    @property
    def folder(self) -> Path:
        """A private folder of this table for what must survive a restart (seats and keys, hashed)."""

    @property
    def table(self) -> Table | None:
        """The running table, or None before a game is started."""

    @property
    def always_tournament(self) -> bool:
        """Whether each game of this table is a tournament game, whatever is chosen when it is set up."""

    @property
    def dice(self) -> DiceDesk: ...

    def games(self) -> Sequence[Game[Any]]:
        """The games that can be started."""

    def saved(self) -> Sequence[GameInfo]:
        """Games of this table, the newest first."""

    def start(self, new: NewGame) -> None:
        """Start a game; it becomes :attr:`table`."""

    def resume(self, game_id: str) -> None:
        """Continue a saved game; it becomes :attr:`table`."""

    def subscribe(self, listener: Callable[[], None]) -> Unsubscribe:
        """Call ``listener`` whenever :attr:`table` is another one, or a device changed its health."""

    def examine(self) -> Sequence[Device]:
        """Machine, disk, record and tray in words, as ``referee doctor`` says them; may take a moment."""

    def devices(self) -> Sequence[Device]:
        """Camera, lights and whatever else there is."""

    def show_draft(self, selection: Selection | None, preview: Preview | None) -> None:
        """What a seat has under its finger, so that the lights under the board show it; None: no draft."""

    def shown_lights(self) -> Lights:
        """What the lights under the board show now."""

"""Running one game: a flow, its milestones, its audit, and going back to a milestone.

A flow is a generator that yields requests and :data:`MILESTONE`.  Of a request
that is :class:`Forced` nobody is asked: the flow goes on with its answer.  At a
milestone everything that matters is in the state, so a game restarts from the
state kept there and the answers after it; resume, undo, what-if and arbiter
corrections need nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from referee.kernel.board import Board
from referee.kernel.dice import DieType
from referee.kernel.errors import AuditFailed, InvalidAnswer
from referee.kernel.messages import Messages, Text
from referee.kernel.refusals import Catalogue
from referee.kernel.requests import Forced, Request

S = TypeVar("S")


class Milestone:
    """Yielded by a flow where a game may restart.  There is one instance, :data:`MILESTONE`."""

    __slots__ = ()
    answer: Final = None
    """What the flow goes on with, as with a :class:`Forced` question."""


MILESTONE: Final = Milestone()

Flow = Generator[Request | Milestone, Any, None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (nobody, one seat, or several who share the victory), and by which rule
    of the catalogue.

    ``ranking`` lists the places from the first on, each with the seats that share it; empty where
    the game knows no more than winners.
    """

    winners: tuple[str, ...]
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    ranking: tuple[tuple[str, ...], ...] = ()

    @property
    def winner(self) -> str | None:
        """The only winner; None where nobody won or several share the victory."""
        return self.winners[0] if len(self.winners) == 1 else None

    def as_json(self) -> dict[str, Any]:
        """As records keep it: ``winner``, ``rule``; ``winners`` and ``ranking`` only where they say more."""
        data: dict[str, Any] = {"winner": self.winner, "rule": self.rule}
        if len(self.winners) > 1:
            data["winners"] = list(self.winners)
        if self.ranking:
            data["ranking"] = [list(place) for place in self.ranking]
        return data


class SeatLeft(Exception):
    """Thrown into a flow at the open question: ``seat`` has resigned, and the others play on.

    Only into flows of games that play on (:class:`referee.kernel.seats.PlaysOn`), which catch it where
    their rules say how it goes on.
    """

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self.seat = seat


class Game(Protocol[S]):
    """What a game gives to the house.  Registered by entry point; see ``docs/adding_a_game.md``.

    States are mutable; ``copy`` must be deep where the flow writes.  ``to_json``
    and ``from_json`` are exact inverses and the base of the state digest.
    """

    @property
    def id(self) -> str:
        """Its id: the name of its entry point."""

    @property
    def title(self) -> Mapping[str, str]:
        """Its title by language."""

    @property
    def rules_version(self) -> str:
        """Which version of its rules this is; the header of a record names it."""

    @property
    def seats(self) -> Sequence[str]:
        """All seats that it can have; who plays the header says (:func:`referee.kernel.seats.seats_of`)."""

    @property
    def catalogue(self) -> Catalogue:
        """All its rules."""

    @property
    def dice(self) -> Mapping[str, DieType]:
        """Its die types by id."""

    @property
    def messages(self) -> Messages:
        """Its texts."""

    def new_state(self, options: Mapping[str, Any]) -> S:
        """A state before set-up.  ``options``: edition, house rules, box book values."""

    def flow(self, state: S) -> Flow:
        """The game from ``state`` on, which is a new state or one kept at a milestone."""

    def copy(self, state: S) -> S:
        """An independent copy."""

    def to_json(self, state: S) -> dict[str, Any]:
        """Everything that matters, as JSON."""

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state that ``to_json`` wrote."""

    def audit(self, state: S) -> list[str]:
        """What is wrong with ``state``; empty where all invariants hold."""

    def outcome(self, state: S) -> Outcome | None:
        """The outcome once the game is over."""

    def view(self, state: S, seat: str | None, language: str) -> dict[str, Any]:
        """What ``seat`` may see (None: a spectator), as JSON for screens."""

    def board(self, options: Mapping[str, Any] = ..., /) -> Board:
        """The drawing of the board that ``options`` of a game ask for, for screens and for laying out lights.

        The same options always give an equal board; without options, the usual one.
        """


class Play(Generic[S]):
    """One running game.  Not thread-safe: the table is its only writer.

    ``keep`` False skips the copies kept at milestones (and with them ``fork``):
    for measuring bare play.  ``asks_forced`` stops at :class:`Forced` questions
    too, with ``forced`` telling them apart; their answers are no part of ``since``
    (``passed`` counts those after it).
    """

    __slots__ = (
        "_audit",
        "_flow",
        "_keep",
        "answered",
        "asks_forced",
        "forced",
        "game",
        "kept",
        "on_milestone",
        "passed",
        "request",
        "since",
        "state",
    )

    def __init__(
        self,
        game: Game[S],
        state: S,
        *,
        audit: bool = True,
        keep: bool = True,
        on_milestone: Callable[[Play[S]], None] | None = None,
        asks_forced: bool = False,
    ) -> None:
        self.game = game
        self.state = state
        self.request: Request | None = None
        self.answered = 0
        self.kept: S | None = None
        self.since: list[Any] = []
        self.on_milestone = on_milestone
        self.asks_forced = asks_forced
        self.forced: Forced | None = None
        self.passed = 0
        self._audit = audit
        self._keep = keep
        if keep:
            self.kept = game.copy(state)
        self._flow = game.flow(state)
        self._run(None)

    def _run(self, value: Any) -> None:
        send = self._flow.send
        try:
            item = self._flow.throw(value) if isinstance(value, SeatLeft) else send(value)
            while True:
                if item is MILESTONE:
                    if self._keep:
                        self.kept = self.game.copy(self.state)
                        self.since = []
                        self.passed = 0
                    if self.on_milestone is not None:
                        self.on_milestone(self)
                    item = send(None)
                elif item.__class__ is Forced and not self.asks_forced:
                    item = send(item.answer)
                else:
                    break
        except StopIteration:
            self.request = self.forced = None
        else:
            self.forced = item if isinstance(item, Forced) else None
            self.request = item if self.forced is None else self.forced.request  # type: ignore[assignment]
        if self._audit:
            problems = self.game.audit(self.state)
            if problems:
                raise AuditFailed(problems, self.answered)

    def answer(self, value: Any) -> None:
        """Answer the open request and go on to the next one.

        Raises :class:`InvalidAnswer`, :class:`IllegalAnswer` (nothing has
        changed then) or :class:`AuditFailed`.
        """
        request = self.request
        if request is None:
            raise InvalidAnswer(Text("kernel.game_over"))
        value = (self.forced or request).check(value)
        if self.forced is None:
            if self._keep:
                self.since.append(value)
            self.answered += 1
            self.passed = 0
        else:
            self.passed += 1
        self._run(value)

    def ask_no_forced(self) -> None:
        """Go on past the forced question that stands open, if one does, and ask none from now on."""
        self.asks_forced = False
        if self.forced is not None:
            self._run(self.forced.answer)

    def answer_unchecked(self, value: Any) -> None:
        """Answer with a value that came from ``request.sample``; used to measure bare play."""
        if self._keep:
            self.since.append(value)
        self.answered += 1
        self._run(value)

    def leave(self, seat: str) -> None:
        """``seat`` has resigned, and the others play on: the flow hears of it at the open question."""
        if self.request is None:
            raise InvalidAnswer(Text("kernel.game_over"))
        left = SeatLeft(seat)
        if self._keep:
            self.since.append(left)
        self.answered += 1
        self._run(left)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return self.game.outcome(self.state)

    def fork(self, *, audit: bool = False, asks_forced: bool = False) -> Play[S]:
        """An independent game at the same point, by replay from the last milestone.

        With ``asks_forced`` it stops at forced questions too, at the first of those since the last answer,
        or where this one stands.
        """
        if self.kept is None:
            raise RuntimeError("this game keeps no milestones")
        since = list(self.since)
        twin = Play(self.game, self.game.copy(self.kept), audit=audit, asks_forced=asks_forced and not since)
        for left, value in zip(range(len(since) - 1, -1, -1), since, strict=True):
            twin.asks_forced = asks_forced and not left
            if isinstance(value, SeatLeft):
                twin.leave(value.seat)
            else:
                twin.answer(value)
        for _ in range(self.passed if asks_forced else 0):
            assert twin.forced is not None
            twin.answer(twin.forced.answer)
        twin.answered = self.answered
        return twin

    def digest(self) -> str:
        """SHA-256 over the canonical JSON of the state: equal for equal positions, in hex."""
        return state_digest(self.game.to_json(self.state))


# made once: json.dumps makes a new encoder for each call with other than its default options
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(data: Any) -> str:
    """JSON with sorted keys and no spaces: one text for one value."""
    return _encode(data)


def state_digest(data: Mapping[str, Any]) -> str:
    """SHA-256 in hex over :func:`canonical_json` of a state."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()

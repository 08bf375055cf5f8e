"""What the parts of a table share: the live game, what stands between answers, and the first checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from referee.hall.board_check import BoardCheck
from referee.hall.live_game import LiveGame
from referee.journal.errors import Frozen, GameOver, GameStopped, NotAllowed, NotPossible
from referee.journal.events import ARBITER, Event, NewEvent
from referee.journal.pending import PendingMatters
from referee.kernel.errors import InvalidAnswer, NotYourTurn, StaleAnswer
from referee.kernel.messages import Text
from referee.kernel.naming import domain_of
from referee.kernel.play import Outcome
from referee.kernel.requests import ChooseSecretly, Request


@dataclass
class AnswerHold:
    """Why no answer is taken just now, though no event says so: a board check ``offered`` or under way.

    ``begun`` is the number of the last event when the walk began; ``laying``: what is offered is to lay the
    board for a new game.
    """

    offered: bool = False
    laying: bool = False
    walk: BoardCheck | None = None
    begun: int = 0


@dataclass(frozen=True, slots=True)
class Acting:
    """The arbiter who acts: by ``name`` ("": by the table's own key), a ``head`` arbiter or not."""

    name: str = ""
    head: bool = True


class TableCore:
    """The common ground of :class:`referee.hall.table.Table`'s parts."""

    def __init__(self, live_game: LiveGame) -> None:
        self.live_game = live_game
        self.guard = live_game.guard
        """Held while anything is read or changed; may be taken again by the same thread."""
        self.holding = AnswerHold()
        self._acting = Acting()

    @property
    def standing(self) -> PendingMatters:
        """What stands between answers."""
        return self.live_game.standing

    @property
    def revision(self) -> int:
        """The number of the last event."""
        return self.live_game.revision

    @property
    def _strict(self) -> bool:
        """Whether this is a tournament game."""
        return bool(self.live_game.header["tournament"])

    @property
    def request(self) -> Request | None:
        """The open question, or None where the game is over."""
        return None if self.standing.is_over else self.live_game.request

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs; see :meth:`PendingMatters.outcome`."""
        return self.standing.outcome(self.seats, self.live_game.play.outcome)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this game, in the game's order: those that its header's players name."""
        return self.live_game.seats

    @property
    def asked_seats(self) -> tuple[str, ...]:
        """The seats whose answer is awaited now."""
        request = self.request
        if request is None:
            return ()
        if isinstance(request, ChooseSecretly):
            return tuple(seat for seat in request.of if seat not in self.standing.sealed)
        return (request.seat,)

    @property
    def hands_hold(self) -> bool:
        """Whether the game waits until hands have done at the table what was decided."""
        return False

    @contextmanager
    def acting(self, arbiter: Acting) -> Iterator[None]:
        """What the arbiter does within this block is done by ``arbiter``, and its events say so."""
        with self.guard:
            before, self._acting = self._acting, arbiter
            try:
                yield
            finally:
                self._acting = before

    def _record(self, drafts: list[NewEvent], openings: Mapping[int, Any] | None = None) -> list[Event]:
        return self.live_game.record([self._signed(draft) for draft in drafts], openings=openings)

    def _signed(self, draft: NewEvent) -> NewEvent:
        """``draft`` with the name of the arbiter whose it is."""
        said: dict[str, Any] = {"arbiter": self._acting.name} if self._acting.name else {}
        if self._acting.head and (said or self.standing.appeal is not None):
            said["head"] = True
        if draft.seat != ARBITER or not said:
            return draft
        return replace(draft, evidence={**(draft.evidence or {}), **said})

    def _let_roll_go(self) -> int:
        """Record the throw that lies in the tray as not taken; gives how many events that took."""
        return 0

    def _remark(self, seat: str, kind: str, answer: Any, *, source: str = "tablet") -> Event:
        """Record an event that leaves the position as it is."""
        return self._record([NewEvent(seat, source, kind, answer, self.live_game.play.digest())])[0]

    def _check_seat(self, seat: str) -> None:
        if seat not in self.seats:
            known = ", ".join(self.seats)
            raise InvalidAnswer(
                Text("hall.no_such_seat", seat=seat, known=known),
            )

    def _check_playing(self, seat: str) -> None:
        self._check_seat(seat)
        if seat not in self.live_game.playing:
            raise NotPossible(
                Text("hall.resigned_others_play_without"),
            )

    def _check_revision(self, revision: int) -> None:
        """An answer is stale where the question has changed since ``revision``."""
        if self.live_game.question <= revision <= self.revision:
            return
        raise StaleAnswer(
            Text("hall.moved_on"),
        )

    def _check_running(self) -> None:
        if self.standing.stopped is not None:
            raise GameStopped(
                Text("hall.stopped"),
            )
        if self.standing.objection is not None:
            raise Frozen(
                Text("hall.frozen"),
            )
        if self.holding.offered or self.holding.walk is not None:
            raise Frozen(
                Text("hall.board_check_open"),
            )
        if self.hands_hold:
            raise Frozen(Text("hall.hands_first"))
        if self.request is None:
            raise GameOver(
                Text("hall.game_over"),
            )

    def _check_asked(self, seat: str) -> Request:
        """The open question, which must be for ``seat``."""
        self._check_seat(seat)
        self._check_running()
        request = self.request
        assert request is not None
        if isinstance(request, ChooseSecretly) and seat in self.standing.sealed:
            raise StaleAnswer(
                Text("hall.sealed_already"),
            )
        if seat not in self.asked_seats:
            raise NotYourTurn(
                Text("hall.not_your_turn", seats=self._names(self.asked_seats)),
            )
        return request

    def _names(self, seats: Iterable[str]) -> list[Text]:
        return [self.live_game.game.messages.say(f"seat.{seat}") for seat in seats]

    def _check_arbiter(self, seat: str) -> None:
        if seat != ARBITER:
            raise NotAllowed(
                Text("hall.only_arbiter"),
            )
        if self.standing.appeal is not None and not self._acting.head:
            raise NotAllowed(Text("hall.only_head_arbiter"))


def request_in_short(request: Request | None) -> dict[str, Any] | None:
    """The question as the record keeps it."""
    if request is None:
        return None
    return {
        "kind": request.kind,
        "prompt": request.prompt,
        "seat": request.seat,
        "about": dict(request.about),
        "domain": domain_of(request),
        "rule": request.rule,
        "reveals": request.reveals,
    }

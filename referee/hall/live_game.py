"""One game open for writing: record, line and play, always in step.

Whatever changes a game goes through :meth:`LiveGame.record`: first on disk, then
in memory, then to the listeners.  Where the disk refuses, the play goes back
to what the record says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from threading import RLock
from typing import Any

from referee.journal.errors import GameStopped, StoreError
from referee.journal.events import ARBITER, Event, NewEvent, as_read, digest_of, moves
from referee.journal.line import apply, follow, left_of, replay, snapshot_of
from referee.journal.pending import PendingMatters
from referee.kernel.errors import AuditFailed, RefereeError
from referee.kernel.listeners import Listeners
from referee.kernel.messages import SOURCE, Text
from referee.kernel.play import Game, Play
from referee.kernel.requests import Request
from referee.kernel.seats import seats_of
from referee.store.store import Store

log = logging.getLogger(__name__)

SNAPSHOT_EVERY = 16
"""Answers between two snapshots, at least; a snapshot is taken at a milestone only."""

Listener = Callable[[Event], None]

# what a fault in a game's rules may raise; the play cannot be trusted afterwards
RULES_FAULTS = (
    AuditFailed,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    RefereeError,
)


class LiveGame:
    """Holds one game open for writing.  All public methods hold ``guard``."""

    def __init__(self, store: Store, game: Game[Any], header: Mapping[str, Any], events: list[Event]) -> None:
        self.store = store
        self.game = game
        self.header = header
        self.seats = seats_of(game, header)
        self.events = events
        self.guard = RLock()
        self.line: list[Event] = []
        self.standing = PendingMatters()
        self.snapshots = store.snapshots(header["id"])
        self.question = 0
        """Number of the event that put the open question; taps on an older one are stale."""
        self._listeners: Listeners[Listener] = Listeners()
        self._claim = ExitStack()
        self._claim.enter_context(store.claim(header["id"]))
        for event in events:
            self._sort_in(event)
        self.differs_at: int | None = None
        """The first event after which today's rules give another position than the record says."""
        self.resumed_from = 0
        try:
            self.play: Play[Any] = self._resumed()
        except BaseException:
            self._claim.close()
            raise

    def _resumed(self) -> Play[Any]:
        """The play where the record ends, by the latest snapshot if that gives what was recorded."""
        try:
            play, self.resumed_from = self.replayed(self.line)
        except RULES_FAULTS:
            log.exception("the latest snapshot of %s cannot be used", self.header["id"])
        else:
            if not self.line or play.digest() == self.line[-1].digest:
                return play
        # the program is another than the one that made the snapshot: everything is played again
        self.snapshots = {}
        self.resumed_from = 0
        return self._played_again()

    def _played_again(self) -> Play[Any]:
        play: Play[Any] = Play(self.game, self.game.new_state(self.header["options"]))
        for event in self.line:
            try:
                play = apply(play, event)
            except RULES_FAULTS as error:
                raise self._rules_differ(event, error) from error
            if self.differs_at is None and play.digest() != event.digest:
                self.differs_at = event.number
        return play

    def _rules_differ(self, event: Event, error: Exception) -> StoreError:
        return StoreError(
            Text(
                "hall.rules_refuse",
                game=self.header["id"],
                was=self.header["rules_version"],
                program=self.header["software"],
                today=self.game.rules_version,
                number=event.number,
                why=error.text if isinstance(error, RefereeError) else str(error),
            )
        )

    @property
    def revision(self) -> int:
        """The number of the last event."""
        return self.events[-1].number if self.events else 0

    @property
    def playing(self) -> tuple[str, ...]:
        """The seats that have not resigned."""
        left = left_of(self.line)
        return tuple(seat for seat in self.seats if seat not in left)

    @property
    def request(self) -> Request | None:
        """The open question."""
        return self.play.request

    def close(self) -> None:
        """Let the game go.  May be called twice."""
        self._claim.close()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` after each recorded event, in order; it must be quick.  Returns the way out."""
        return self._listeners.add(listener)

    def replayed(self, line: Sequence[Event]) -> tuple[Play[Any], int]:
        """A play made anew from ``line``, and the event it started from."""
        return replay(self.game, self.header["options"], line, self.snapshots)

    def rebuild(self) -> None:
        """Bring the play back to what the record says."""
        self.play, _ = self.replayed(self.line)

    def step(self, value: Any) -> Any:
        """Answer the open request in memory and return the answer in its normal form.

        Raises ``InvalidAnswer`` or ``IllegalAnswer`` (nothing has changed), or
        :class:`RulesFault` where the rules broke (the play must be rebuilt).
        """
        request = self.play.request
        assert request is not None
        # in the order in which the record will give it back, so that no rule can depend on another one
        value = as_read(request.check(value))
        try:
            self.play.answer(value)
        except RULES_FAULTS as error:
            log.exception("the rules of %s failed after event %s", self.game.id, self.revision)
            raise RulesFault(value, error) from error
        return value

    def leave(self, seat: str) -> None:
        """Take ``seat`` out of the game in memory; the others play on.  Raises :class:`RulesFault`."""
        try:
            self.play.leave(seat)
        except RULES_FAULTS as error:
            log.exception("the rules of %s failed where %s left", self.game.id, seat)
            raise RulesFault({"leaves": seat}, error) from error

    def record(self, drafts: Sequence[NewEvent], *, openings: Mapping[int, Any] | None = None) -> list[Event]:
        """Put ``drafts`` on disk and tell everyone.  The play must already stand where they lead."""
        snapshot = self._snapshot_due(drafts)
        try:
            made = self.store.append(
                self.header["id"],
                drafts,
                after=self.revision,
                previous=self.events[-1].hash if self.events else digest_of(self.header),
                openings=openings,
                snapshot=snapshot,
            )
        except StoreError:
            self.rebuild()
            raise
        if snapshot is not None:
            self.snapshots[made[-1].number] = snapshot
        for event in made:
            self.events.append(event)
            self._sort_in(event)
        for event in made:
            self._tell(event)
        return made

    def stop(self, fault: RulesFault, draft: NewEvent) -> GameStopped:
        """Go back to the record, note the fault in it, and give the error to raise."""
        self.rebuild()
        problems = fault.problems()
        stopped = NewEvent(
            draft.seat,
            draft.source,
            "stopped",
            {"value": fault.value, "problems": problems},
            self.play.digest(),
            draft.request,
            draft.evidence,
        )
        self.record([stopped])
        return GameStopped(
            Text("hall.program_fault", problems=problems[0]),
        )

    def mark_fork(self, after: int, other: str) -> None:
        """Stop the game before its arbiter: database and mirror told it differently after event ``after``,
        where the database went on with the event whose hash is ``other``."""
        problem = Text("hall.fork", after=after).in_words(SOURCE)
        answer = {"problems": [problem], "fork": {"after": after, "other": other}}
        self.record([NewEvent(ARBITER, "table", "stopped", answer, self.play.digest())])

    def _snapshot_due(self, drafts: Sequence[NewEvent]) -> tuple[str, str] | None:
        if self.play.since or not moves(drafts[-1]):
            return None
        since = 0
        for event in reversed(self.line):
            if event.number in self.snapshots:
                break
            since += 1
        if since + len(drafts) < SNAPSHOT_EVERY:
            return None
        return snapshot_of(self.play)

    def _sort_in(self, event: Event) -> None:
        follow(self.line, event, self.events)
        self.standing.add(event)
        if moves(event) or event.kind == "take_back":
            self.question = event.number

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            try:
                listener(event)
            # the event is recorded: whatever a listener does wrong must not look like a refusal of it
            except Exception:
                log.exception("a listener failed on event %s", event.number)


class RulesFault(Exception):
    """The rules of a game failed on a checked answer: a bug in us."""

    def __init__(self, value: Any, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.value = value
        self.cause = cause

    def problems(self) -> list[str]:
        """What went wrong, for the record."""
        if isinstance(self.cause, AuditFailed):
            return list(self.cause.problems)
        return [f"{type(self.cause).__name__}: {self.cause}"]

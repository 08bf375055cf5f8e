"""Taking back as events: free, by consent, or by the arbiter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.hall.base import TableCore
from referee.journal.errors import NotAllowed, NotPossible
from referee.journal.events import ARBITER, Event, NewEvent, moves
from referee.journal.kinds import UNASKED
from referee.journal.pending import ARBITER_AGREES
from referee.journal.undo import Undo, undo_of
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.messages import Text


class TakeBacks(TableCore):
    """The part of a table that goes back."""

    def undo_class(self, seat: str | None = None, *, to: int | None = None) -> Undo | None:
        """What ``seat`` (None: whoever answered last) can take back now and how, or None for nothing.

        The result has ``kind`` (``free``, ``consent`` or ``arbiter``), the reason
        (``sentence(language)``) and the number of the first event undone (``to``).
        """
        with self.guard:
            own = self.standing.sealed.get(seat or "")
            line = self.live_game.line
            if own is not None and to is None:
                if any(event.number > own.number for event in line):
                    # kept when another left: going back before it would bring that seat back
                    return undo_of(self.live_game.events, line, seat or "", self._strict, own.number)
                return Undo("free", "own", own.number, (own.number,))
            if seat is None:
                decided = (event for event in reversed(line) if event.source not in UNASKED)
                seat = next((event.seat for event in decided if event.seat != "*"), "")
            return undo_of(self.live_game.events, line, seat, self._strict, to)

    def take_back(self, seat: str, *, revision: int, to: int | None = None) -> Event:
        """Take back what was confirmed last, or everything from event ``to`` on.

        Done at once where it is free (or ``seat`` is the arbiter); where it needs
        consent, the event only asks for it (see :meth:`consent`).  Raises
        ``NotPossible`` where there is nothing, ``NotAllowed`` where only the arbiter may.
        """
        with self.guard:
            if seat == ARBITER:
                self._check_arbiter(seat)
            else:
                self._check_playing(seat)
            self._check_revision(revision)
            undo = self._undo(seat, to)
            if seat == ARBITER or undo.kind == "free":
                return self._go_back(seat, undo, [])
            if undo.kind == "arbiter":
                raise NotAllowed(
                    Text("hall.undo_by_arbiter", why=undo.text),
                )
            return self._remark(seat, "take_back_asked", undo.as_answer())

    def consent(self, seat: str, yes: bool, *, revision: int, asks: int | None = None) -> Event:
        """Agree to the open request (to take back, to correct...), or refuse it.  When all agree, it is done.

        ``asks`` is the number of the event that was seen asking: another one in between makes this stale.  To
        what an arbiter may agree for all (:data:`referee.journal.pending.ARBITER_AGREES`) the arbiter can.
        """
        with self.guard:
            asked = self.standing.asked
            if seat != ARBITER or asked is None or asked.kind not in ARBITER_AGREES:
                self._check_playing(seat)
            self._check_revision(revision)
            if asked is None or asked.seat == seat:
                raise NotPossible(Text("hall.no_undo_asked"))
            if asks is not None and asks != asked.number:
                raise StaleAnswer(Text("hall.moved_on"))
            return self._consented(seat, "arbiter" if seat == ARBITER else "tablet", None, yes)

    def _consented(
        self, seat: str, source: str, evidence: Mapping[str, Any] | None, yes: bool = True
    ) -> Event:
        """Record what ``seat`` says to the open request; where all have agreed, carry it out."""
        asked = self.standing.asked
        assert asked is not None
        answer = {"asks": asked.number, "yes": yes}
        digest = self.live_game.play.digest()
        said = NewEvent(seat, source, "consent", answer, digest, evidence=evidence)
        if not yes or not self.standing.all_agree(self.live_game.playing, seat):
            return self._record([said])[0]
        return self._agreed_to(asked, said)

    def _agreed_to(self, asked: Event, said: NewEvent) -> Event:
        """Carry out what all agreed to; ``said`` is the last consent, not yet recorded."""
        undo = self._undo(asked.seat, asked.answer["to"])
        return self._go_back(asked.seat, undo, [said])

    def _undo(self, seat: str, to: int | None) -> Undo:
        if to is not None and not isinstance(to, int):
            raise InvalidAnswer(Text("hall.event_by_number"))
        undo = self.undo_class(seat, to=to)
        if undo is None:
            raise NotPossible(Text("hall.nothing_to_take_back"))
        return undo

    def _go_back(self, seat: str, undo: Undo, before: list[NewEvent]) -> Event:
        line = [event for event in self.live_game.line if event.number < undo.to]
        line += [event for event in map(self._event, undo.restores) if moves(event)]
        if line != self.live_game.line:
            self.live_game.play, _ = self.live_game.replayed(line)
        source = "arbiter" if seat == ARBITER else "tablet"
        draft = NewEvent(seat, source, "take_back", undo.as_answer(), self.live_game.play.digest())
        return self._record([*before, draft])[-1]

    def _event(self, number: int) -> Event:
        return self.live_game.events[number - 1]

"""Disputes: objections, rulings, what stands though illegal, corrections, notes, the result.

All of it is events, so the opponent sees it, it replays, and nothing is lost.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from referee.hall.base import TableCore, request_in_short
from referee.hall.live_game import RULES_FAULTS
from referee.journal.errors import NotPossible
from referee.journal.events import ARBITER, Event, NewEvent, as_read
from referee.journal.line import corrected
from referee.kernel.capabilities import Correctable
from referee.kernel.errors import AuditFailed, IllegalAnswer, InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.play import Play

log = logging.getLogger(__name__)


class Disputes(TableCore):
    """The part of a table that settles disputes."""

    def raise_objection(self, seat: str, text: str, *, about: int | None = None) -> Event:
        """Object to event ``about`` (None: the last one): nothing moves before it is settled."""
        with self.guard:
            self._check_playing(seat)
            if self.standing.objection is not None:
                raise NotPossible(Text("hall.objection_open_already"))
            return self._remark(seat, "objection", {"text": text, "about": about or self.revision})

    def appeal(self, seat: str, text: str, *, about: int) -> Event:
        """Put the arbiter's decision, event ``about``, to the head arbiter: nothing moves before that rules.

        The decision stays in the record beside the head arbiter's.  Raises ``NotPossible`` where that event
        is none that can be appealed.
        """
        with self.guard:
            self._check_playing(seat)
            self._check_number(about)
            if self.standing.objection is not None:
                raise NotPossible(Text("hall.objection_open_already"))
            if about not in self.standing.appealable:
                raise NotPossible(Text("hall.not_appealable"))
            return self._remark(seat, "appeal", {"text": text, "about": about})

    def withdraw_objection(self, seat: str) -> Event:
        """Take one's own objection back; the game goes on."""
        with self.guard:
            self._check_seat(seat)
            objection = self.standing.objection
            if objection is None or objection.seat != seat:
                raise NotPossible(
                    Text("hall.no_objection"),
                )
            return self._remark(seat, "withdrawal", {"objection": objection.number})

    def rule(self, reason: str, *, seat: str = ARBITER, reopens: bool = False) -> Event:
        """The arbiter's decision: ends an objection or a stop.  ``reopens`` takes a resignation back."""
        with self.guard:
            self._check_arbiter(seat)
            self._check_reason(reason)
            objection = self.standing.objection
            answer: dict[str, Any] = {
                "text": reason,
                "settles": objection.number if objection else None,
                "reopens": reopens,
            }
            if self.standing.appeal is not None:
                answer["beside"] = self.standing.appeal.answer["about"]
            return self._remark(ARBITER, "ruling", answer, source="arbiter")

    def let_stand(self, value: Any, reason: str, *, revision: int, seat: str = ARBITER) -> Event:
        """ "Illegal, but it stands": answer the open question with what the rules refuse.

        Tried on a copy first.  Raises ``NotPossible`` where the rules cannot go on from it:
        the position is then brought about by :meth:`correct`.
        """
        with self.guard:
            self._check_arbiter(seat)
            self._check_reason(reason)
            self._check_revision(revision)
            request = self.request
            if request is None:
                raise NotPossible(Text("hall.no_question_open"))
            try:
                request.check(value)
            except IllegalAnswer as error:
                refusal = error.refusal
            else:
                raise NotPossible(Text("hall.legal_anyway"))
            self._try_unchecked(value)
            asked = request_in_short(request)
            value = as_read(value)
            self.live_game.play.answer_unchecked(value)
            answer = {"value": value, "reason": reason, "rule": refusal.rule if refusal else ""}
            return self._record(
                [NewEvent(ARBITER, "arbiter", "stands", answer, self.live_game.play.digest(), asked)]
            )[0]

    def _try_unchecked(self, value: Any) -> None:
        twin = self.live_game.play.fork(audit=True)
        try:
            twin.answer_unchecked(value)
        except RULES_FAULTS as error:
            log.info("an illegal answer cannot stand: %s", error)
            raise NotPossible(
                Text("hall.cannot_go_on", why=error),
            ) from error

    def note_that_stands(self, about: int, reason: str, *, seat: str = ARBITER) -> Event:
        """Note that event ``about``, found illegal later, stands."""
        with self.guard:
            self._check_arbiter(seat)
            self._check_reason(reason)
            self._check_number(about)
            answer = {"text": reason, "settles": None, "reopens": False, "stands": about}
            return self._remark(ARBITER, "ruling", answer, source="arbiter")

    def correct(
        self, primitives: Sequence[Mapping[str, Any]], reason: str, *, revision: int, seat: str = ARBITER
    ) -> Event:
        """Change the position by declared primitives, at the last milestone.

        Answers given since that milestone are undone by it (and stay in the
        record).  Raises ``InvalidAnswer`` for an unknown primitive, ``NotPossible``
        where the game has none or the audit refuses the position.
        """
        with self.guard:
            self._check_arbiter(seat)
            self._check_reason(reason)
            self._check_revision(revision)
            to, play = self._try_correction(primitives)
            if to > self.revision:
                to += self._let_roll_go()
            self.live_game.play = play
            answer = {"to": to, "primitives": [dict(one) for one in primitives], "reason": reason}
            return self._record([NewEvent(ARBITER, "arbiter", "correction", answer, play.digest())])[0]

    def _try_correction(self, primitives: Sequence[Mapping[str, Any]]) -> tuple[int, Play[Any]]:
        """From which event on the correction undoes, and the play that comes of it; nothing is changed."""
        if not isinstance(self.live_game.game, Correctable):
            raise NotPossible(
                Text("hall.not_correctable"),
            )
        to = self._after_milestone()
        base, _ = self.live_game.replayed([event for event in self.live_game.line if event.number < to])
        try:
            return to, corrected(base, as_read(primitives), strictly=True)
        except AuditFailed as error:
            listed = "; ".join(error.problems)
            raise NotPossible(
                Text("hall.impossible_position", listed=listed),
            ) from error

    def _after_milestone(self) -> int:
        """The number of the first event of the line that came after the last milestone."""
        since = len(self.live_game.play.since)
        if since == 0:
            return self.revision + 1
        return self.live_game.line[-since].number

    def note(
        self,
        seat: str,
        text: str,
        *,
        kind: Literal["note", "penalty", "time"] = "note",
        about: str | None = None,
        value: int | None = None,
        left: Mapping[str, int] | None = None,
    ) -> Event:
        """A remark; penalties and time adjustments (``value`` in points or seconds) only by the arbiter.

        ``left``: of a time adjustment, the seconds that each seat has on the clock from now on.
        """
        with self.guard:
            if kind != "note":
                self._check_arbiter(seat)
            elif seat != ARBITER:
                self._check_seat(seat)
            source = "arbiter" if seat == ARBITER else "tablet"
            answer: dict[str, Any] = {"text": text, "seat": about, "value": value}
            if left is not None:
                answer["left"] = dict(left)
            return self._remark(seat, kind, answer, source=source)

    def confirm_result(self, seat: str) -> Event:
        """Confirm the result; a slip shows who did."""
        with self.guard:
            self._check_seat(seat)
            outcome = self.outcome
            if outcome is None:
                raise NotPossible(Text("hall.game_not_over_yet"))
            return self._remark(seat, "result_confirmed", outcome.as_json())

    def _check_reason(self, reason: str) -> None:
        if not reason.strip():
            raise InvalidAnswer(Text("hall.reason_needed"))

    def _check_number(self, number: int) -> None:
        if not 1 <= number <= self.revision:
            raise InvalidAnswer(
                Text("hall.no_event", number=number, revision=self.revision),
            )

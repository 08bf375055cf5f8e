"""Ending a game besides by its rules, and handing its record over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.hall.base import TableCore
from referee.journal.endings import DRAW, is_possible
from referee.journal.errors import NotPossible
from referee.journal.events import ARBITER, Event, NewEvent
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

HANDED = ("slip", "export")
"""What can be handed over after a tournament game."""


class Endings(TableCore):
    """The part of a table that ends a game before its rules do."""

    @property
    def is_closed(self) -> bool:
        """A tournament game is over, and its slip or export was not handed over yet: no other game begins."""
        return self._strict and self.outcome is not None and not self.standing.handed_over

    def ask_for_draw(self, seat: str, *, revision: int) -> Event:
        """Offer a draw to the others; when all agree, the game has ended."""
        with self.guard:
            self._check_playing(seat)
            self._check_revision(revision)
            self._check_not_over()
            if self.standing.asked is not None:
                raise NotPossible(Text("hall.asked_already"))
            return self._remark(seat, "draw_asked", {})

    def _draw_agreed(self, asked: Event, said: NewEvent) -> Event:
        """All agreed to the draw that event ``asked`` offers; ``said`` is the last consent."""
        self._check_not_over()
        answer: dict[str, Any] = {"how": DRAW, "winners": [], "seat": None, "reason": ""}
        ended = NewEvent(asked.seat, "tablet", "ended", answer, said.digest)
        return self._record([said, ended])[-1]

    def end_game(
        self,
        how: str,
        winners: Sequence[str],
        reason: str,
        *,
        seat: str | None = None,
        revision: int,
    ) -> Event:
        """The arbiter ends the game: ``how`` is one of :data:`referee.journal.endings.HOWS`.

        ``seat``: who forfeited, left or never came.  A ruling that reopens takes it back.  Raises
        ``InvalidAnswer`` where it cannot have ended so, ``NotPossible`` where it is over already.
        """
        with self.guard:
            self._check_arbiter(ARBITER)
            self._check_revision(revision)
            self._check_not_over()
            if not reason.strip():
                raise InvalidAnswer(Text("hall.reason_needed"))
            if not is_possible(how, list(winners), seat, self.seats):
                raise InvalidAnswer(Text("hall.cannot_end_so"))
            answer = {"how": how, "winners": list(winners), "seat": seat, "reason": reason}
            return self._remark(ARBITER, "ended", answer, source="arbiter")

    def hand_over(self, what: str) -> Event:
        """The arbiter confirms that the ``slip`` or the ``export`` was handed over."""
        with self.guard:
            if self.outcome is None:
                raise NotPossible(Text("hall.game_not_over_yet"))
            if what not in HANDED or self.standing.handed_over:
                raise NotPossible(Text("hall.handed_over_already"))
            return self._remark(ARBITER, "handed_over", {"what": what}, source="arbiter")

    def _check_not_over(self) -> None:
        if self.outcome is not None:
            raise NotPossible(Text("hall.game_over_already"))

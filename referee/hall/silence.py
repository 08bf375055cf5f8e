"""What a seat may say without a tap: by a standing wish, or by a minute's silence of its tablet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from referee.hall.answers import Answers
from referee.hall.takeback import TakeBacks
from referee.journal.events import Event
from referee.kernel.capabilities import TakesReactions
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.together import ALWAYS, NEVER, Consent

SILENCE_S = 60.0
"""How long an absent tablet must have been silent for that to count as yes."""

Waited = tuple[str, int, str]
"""Whose yes is awaited to what: the kind of question, the event that put it, the seat."""


class Silence(TakeBacks, Answers):
    """The part of a table that hears silence and keeps standing wishes.

    Consent is asked of those present.  At home a minute's silence of an absent tablet counts as yes to
    taking back and to a step by hand, and the record says so; in a tournament only a yes or the arbiter
    counts.
    """

    _silent: dict[Waited, float] | None = None

    def hear(self, absent: Collection[str], now: float) -> list[Event]:
        """Count the silence of seats whose tablets are ``absent``; gives the events of those that are due.

        ``now`` is in seconds of any steady clock.  To be called about every second while
        :attr:`awaits_consent`; a tablet that comes back begins its minute anew.
        """
        with self.guard:
            known = self._silent or {}
            self._silent = {one: known.get(one, now) for one in self._awaited() if one[2] in absent}
            said = []
            for one, since in list(self._silent.items()):
                # what one silence completes may be what the next was asked for
                if now - since >= SILENCE_S and one in set(self._awaited()):
                    said.append(self._take_as_yes(one))
            return said

    @property
    def awaits_consent(self) -> bool:
        """Whether anybody's silence could count now."""
        with self.guard:
            return next(self._awaited(), None) is not None

    def _awaited(self) -> Iterator[Waited]:
        if self.live_game.header["tournament"] or self.outcome is not None:
            return
        asked = self.standing.asked
        if asked is not None and asked.kind == "take_back_asked":
            for seat in self.live_game.playing:
                if seat != asked.seat and seat not in self.standing.agreed:
                    yield "take_back", asked.number, seat
        if self.standing.objection is None and self.standing.stopped is None and not self._is_checked():
            for seat in self.asked_seats:
                if isinstance(self.own_part(seat), Consent):
                    yield "step", self.live_game.question, seat

    def _is_checked(self) -> bool:
        return self.holding.offered or self.holding.walk is not None or self.hands_hold

    def _take_as_yes(self, one: Waited) -> Event:
        kind, _, seat = one
        evidence = {"silence_s": round(SILENCE_S)}
        if kind == "take_back":
            return self._consented(seat, "table", evidence)
        part = self.own_part(seat)
        assert isinstance(part, Consent)
        return self.answer(seat, part.silence, revision=self.revision, source="table", evidence=evidence)

    # -- standing wishes -----------------------------------------------------------------------------------

    def wishes_of(self, seat: str) -> dict[str, str]:
        """What ``seat`` wishes of each question in others' turns; ``always`` where it has not said."""
        said = self.standing.wishes.get(seat, {})
        return {wish: said.get(wish, ALWAYS) for wish in self._wishes()}

    def wish(self, seat: str, wish: str, says: str) -> Event:
        """Record when ``seat`` wants to be asked in others' turns: ``never``, ``always`` or on a condition.

        It holds from the next such question on.
        """
        with self.guard:
            self._check_playing(seat)
            known = self._wishes().get(wish)
            if known is None or says not in (NEVER, ALWAYS, *known):
                raise InvalidAnswer(
                    Text("hall.game_knows_no_such"),
                )
            return self._remark(seat, "wish", {"wish": wish, "says": says})

    def _wishes(self) -> Any:
        game = self.live_game.game
        return game.wishes if isinstance(game, TakesReactions) else {}

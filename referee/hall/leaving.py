"""Resignation: the end of the game, or one seat less where its rules let the others play on."""

from __future__ import annotations

import logging

from referee.hall.answers import Answers
from referee.hall.live_game import RulesFault
from referee.journal.errors import NotPossible
from referee.journal.events import Event, NewEvent
from referee.kernel.capabilities import PlaysOn
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.requests import ChooseSecretly, Request

log = logging.getLogger(__name__)


class Leaving(Answers):
    """The part of a table that lets a seat give up."""

    def resign(self, seat: str) -> Event:
        """Give up the game; where its rules say so, the others play on."""
        with self.guard:
            self._check_playing(seat)
            if self.outcome is not None:
                raise NotPossible(Text("hall.game_over_already"))
            game, play = self.live_game.game, self.live_game.play
            if not isinstance(game, PlaysOn) or not game.plays_on_without(play.state, seat):
                return self._remark(seat, "resignation", {})
            return self._leave(seat)

    def _leave(self, seat: str) -> Event:
        """The others play on without ``seat``; what they had sealed stays where they are asked it again."""
        asked = self.request
        try:
            self.live_game.leave(seat)
        except RulesFault as fault:
            raise self.live_game.stop(fault, NewEvent(seat, "tablet", "resignation", {}, "")) from fault
        digest = self.live_game.play.digest()
        kept = self._still_sealed(asked, seat)
        answer = {"plays_on": True, **({"keeps": kept} if kept else {})}
        drafts = [NewEvent(seat, "tablet", "resignation", answer, digest)]
        request = self.request
        if isinstance(request, ChooseSecretly) and set(kept) == set(request.of):
            # whoever left was the last to choose
            parts = {one: self._sealed_opening(one) for one in kept}
            drafts.append(self._open_seals(parts))
        return self._record_steps(drafts)[0]

    def _still_sealed(self, asked: Request | None, leaver: str) -> list[str]:
        """The seats whose sealed parts answer the question that is open now, and are still allowed."""
        request, kept = self.request, []
        if not isinstance(request, ChooseSecretly):
            return []
        for seat in request.asks_again(asked):
            if seat == leaver or seat not in self.standing.sealed:
                continue
            try:
                request.of[seat].check(self._sealed_opening(seat)[1]["value"])
            except (InvalidAnswer, IllegalAnswer) as error:
                log.info("the sealed part of %s lapses: %s", seat, error)
            else:
                kept.append(seat)
        return kept

"""A position played through the public interface: what tests of the turn and the armies share."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Any

from referee.games.war_of_the_ring.armies import GROUP
from referee.games.war_of_the_ring.components import CHARACTER, FIGURE, NATION
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.map import PLACE, PLACES, places_in
from referee.games.war_of_the_ring.position import read_position
from referee.games.war_of_the_ring.state import State
from referee.kernel.errors import IllegalAnswer
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSome, Request


class Table:
    """A running game from a written position; answers go through the requests' own checks."""

    def __init__(self, text: str) -> None:
        state = read_position("position:\n" + indent(dedent(text).strip(), "  ") + "\n").state
        self.play: Play[State] = Play(GAME, state)

    @property
    def state(self) -> State:
        return self.play.state

    @property
    def request(self) -> Request:
        assert self.play.request is not None, "the game is over"
        return self.play.request

    @property
    def asked(self) -> str:
        """``seat prompt`` of what is asked, "over" at the end."""
        request = self.play.request
        return "over" if request is None else f"{request.seat} {request.prompt.removeprefix('prompt.')}"

    def do(self, *answers: Any) -> Table:
        """Answer one request after the other; ``...`` takes the default of a choice of several."""
        for answer in answers:
            if answer is ...:
                assert isinstance(self.request, ChooseSome) and self.request.default is not None, self.asked
                answer = dict(self.request.default)
            self.play.answer(answer)
        return self

    def refused(self, answer: Any) -> str:
        """The rule that refuses an answer now, "" where it is allowed."""
        refusal = self.request.why_not(answer)
        if refusal is None:
            return ""
        assert refusal.rule in GAME.catalogue, refusal.rule
        try:
            self.play.fork().answer(answer)
        except IllegalAnswer as error:
            assert error.refusal is not None and error.refusal.rule == refusal.rule
        else:
            raise AssertionError("refused, but taken")
        return refusal.rule

    def reason(self, answer: Any) -> str:
        """The particular reason of a refusal."""
        refusal = self.request.why_not(answer)
        assert refusal is not None
        return refusal.reason

    def offered(self) -> list[Any]:
        """What may be answered (single items of a choice of several)."""
        return [c.value for c in self.request.candidates() if c.allowed]

    # --- looking -------------------------------------------------------------------------------

    def units(self, place: str) -> dict[str, int]:
        return dict(GROUP[self.state.figures[PLACE[place]]].counts)

    def characters(self, place: str) -> set[str]:
        names = list(CHARACTER)
        return {names[c] for c in places_in(self.state.chars[PLACE[place]])}

    def steps(self, nation: str) -> int:
        return self.state.steps[NATION[nation]]

    def active(self, nation: str) -> bool:
        return bool(self.state.awake >> NATION[nation] & 1)

    def supply(self, figure: str) -> int:
        return self.state.supply[FIGURE[figure]]

    def fallen(self, figure: str) -> int:
        return self.state.fallen[FIGURE[figure]]

    @property
    def captured(self) -> set[str]:
        return {PLACES[place] for place in places_in(self.state.captured)}


ALL_AT_WAR = """\
politics: {dwarves: at_war, elves: at_war, gondor: at_war, north: at_war, rohan: at_war,
           isengard: at_war, sauron: at_war, southrons_easterlings: at_war}
"""

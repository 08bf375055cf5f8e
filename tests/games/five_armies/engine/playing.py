"""A position played through the public interface: what the engine's tests share."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Any

from referee.games.five_armies.armies import ARMY
from referee.games.five_armies.game import GAME
from referee.games.five_armies.map import PLACE
from referee.games.five_armies.position import read_position
from referee.games.five_armies.state import State
from referee.kernel.errors import IllegalAnswer
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSome, Request


class Board:
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

    def do(self, *answers: Any) -> Board:
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
        assert refusal.rule in GAME.catalogue
        try:
            self.play.fork().answer(answer)
        except IllegalAnswer as error:
            assert error.refusal is not None and error.refusal.rule == refusal.rule
        else:
            raise AssertionError("refused, but taken")
        return refusal.rule

    def offered(self) -> list[Any]:
        """What may be answered (single items of a choice of several)."""
        return [c.value for c in self.request.candidates() if c.allowed]

    # --- looking -------------------------------------------------------------------------------

    def army(self, place: str) -> dict[str, int]:
        return dict(ARMY[self.state.units[PLACE[place]]].counts)

    def damage(self, place: str) -> int:
        return self.state.damage[PLACE[place]]

    def leaders(self, place: str) -> int:
        return self.state.leaders[PLACE[place]]

    def where(self, character: str) -> str | None:
        found: str | None = GAME.to_json(self.state)["characters"][character]
        return found

    def controlled(self, place: str) -> bool:
        return bool(self.state.control >> PLACE[place] & 1)

    @property
    def winner(self) -> tuple[str | None, str] | None:
        outcome = self.play.outcome
        return None if outcome is None else (outcome.winner, outcome.rule)


def shadow(die: str, regions: str, extra: str = "") -> Board:
    """The Shadow to act with two dice of one face (and two more), the Free Peoples without dice."""
    return _turn("shadow", f"{{shadow: [{die}, {die}, event, event]}}", regions, extra)


def free(die: str, regions: str, extra: str = "") -> Board:
    """The Free Peoples to act with two dice of one face (and one more), the Shadow with two."""
    return _turn("free", f"{{free: [{die}, {die}, event], shadow: [event, event]}}", regions, extra)


def _turn(seat: str, dice: str, regions: str, extra: str) -> Board:
    return Board(f"phase: 5\nto_act: {seat}\nunused_dice: {dice}\n{extra}\nregions:\n{regions}")

"""A position played through the public interface: what driving tests of all games share."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Any, Generic, Self, TypeVar

from referee.games.kit.game import ModularGame
from referee.kernel.errors import IllegalAnswer
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSome, Request

S = TypeVar("S")


class PlayedPosition(Generic[S]):
    """A running game from a written position; answers go through the requests' own checks."""

    game: ModularGame[Any]

    def __init__(self, text: str) -> None:
        state: S = self.game.read_position("position:\n" + indent(dedent(text).strip(), "  ") + "\n").state
        self.play: Play[S] = Play(self.game, state)

    @property
    def state(self) -> S:
        """The position now."""
        return self.play.state

    @property
    def request(self) -> Request:
        """What is asked."""
        assert self.play.request is not None, "the game is over"
        return self.play.request

    @property
    def asked(self) -> str:
        """``seat prompt`` of what is asked, "over" at the end."""
        request = self.play.request
        return "over" if request is None else f"{request.seat} {request.prompt.removeprefix('prompt.')}"

    def do(self, *answers: Any) -> Self:
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
        assert refusal.rule in self.game.catalogue, refusal.rule
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

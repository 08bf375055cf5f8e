"""Questions with one answer left: the table does not ask them, words are held against them all the same."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.kernel.refusals import Candidate, Refusal
from referee.kernel.requests.choices import ChooseOne
from referee.kernel.requests.request import Request, not_an_answer


class Forced(Request):
    """A question with one answer left: the table asks nobody, and the flow goes on with ``answer``.

    A flow yields it all the same, so that whoever holds words against the questions of the rules
    (:mod:`referee.kernel.explain`) meets it: words that give the answer are right, words that give
    another are refused as ``request`` refuses them.
    """

    __slots__ = ("answer", "request")
    kind = "forced"

    def __init__(self, request: Request, answer: Any) -> None:
        self.request = request
        self.answer = answer
        self.seat = request.seat
        self.prompt = request.prompt
        self.about = request.about
        self.domain = request.domain
        self.rule = request.rule

    def candidates(self) -> list[Candidate]:
        return self.request.candidates()

    def why_not(self, value: Any) -> Refusal | None:
        return None if value == self.answer else self.request.why_not(value)

    def check(self, value: Any) -> Any:
        if value != self.answer and self.request.check(value) != self.answer:
            raise not_an_answer(value)
        return self.answer

    def sample(self, rng: Random) -> Any:
        return self.answer

    def is_forced(self) -> bool:
        return True


def unless_forced(request: ChooseOne) -> ChooseOne | Forced:
    """``request``, which the table is asked only where it leaves a choice."""
    return Forced(request, request.options[0]) if len(request.options) == 1 else request

"""Choosing in secret: several seats at once, whose answers are sealed together."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.kernel.refusals import Candidate, Refusal
from referee.kernel.requests.request import NOTHING, Request, not_an_answer


def same_question(first: Request, second: Request) -> bool:
    """Whether both ask the same of the same seat, as far as a glance tells: kind, words and candidates.

    Of a part in several steps only the first question can be compared.
    """
    alike = all(
        getattr(first, key) == getattr(second, key)
        for key in ("kind", "seat", "prompt", "domain", "rule", "about")
    )
    return alike and first.candidates() == second.candidates()


class ChooseSecretly(Request):
    """Several seats choose at once; nobody sees another's answer before all are in.

    ``of`` gives each seat its own part: a choice, counts, or several steps
    (:class:`referee.kernel.together.ChooseInSteps`).
    """

    __slots__ = ("of",)
    kind = "choose_secretly"
    reveals = True

    def __init__(
        self, prompt: str, of: Mapping[str, Request], *, about: Mapping[str, Any] = NOTHING, rule: str = ""
    ) -> None:
        self.seat = "*"
        self.prompt = prompt
        self.of = of
        self.domain = "secret"
        self.about = about
        self.rule = rule

    def asks_again(self, earlier: Request | None) -> tuple[str, ...]:
        """The seats that are asked here what ``earlier`` asked them: their answers to it may stay."""
        if not isinstance(earlier, ChooseSecretly) or (self.prompt, self.rule) != (
            earlier.prompt,
            earlier.rule,
        ):
            return ()
        both = (seat for seat in self.of if seat in earlier.of)
        return tuple(seat for seat in both if same_question(earlier.of[seat], self.of[seat]))

    def candidates(self) -> list[Candidate]:
        """Candidates of all seats, ``{seat: value}``; show a seat only its own."""
        return [
            Candidate({seat: c.value}, c.refusal)
            for seat, request in self.of.items()
            for c in request.candidates()
        ]

    def why_not(self, value: Any) -> Refusal | None:
        if not isinstance(value, dict) or set(value) != set(self.of):
            raise not_an_answer(value)
        for seat, request in self.of.items():
            refusal = request.why_not(value[seat])
            if refusal is not None:
                return refusal
        return None

    def check(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or set(value) != set(self.of):
            raise not_an_answer(value)
        return {seat: request.check(value[seat]) for seat, request in self.of.items()}

    def sample(self, rng: Random) -> dict[str, Any]:
        return {seat: request.sample(rng) for seat, request in self.of.items()}

    def is_forced(self) -> bool:
        return all(request.is_forced() for request in self.of.values())

"""Why not, where the flow asks something else: attempts that every game with action dice knows.

What a game adds are its rules for them and its own attempts (module ``explaining``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from referee.kernel.dice import DieType
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

Pairs = Sequence[tuple[Request, Any]]
"""Requests and the answers to them, oldest first."""
Found = Refusal | int | None
"""A refusal, how many words to go over as they only repeat what was forced, or neither."""


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """Words that do not speak to the open request, and all that may tell what they attempt.

    ``request`` is None after the end of what was to be played; ``pairs`` were asked
    and answered before.  Prompts are named without ``prompt.``.
    """

    play: Play[S]
    request: Request | None
    words: Words
    pairs: Pairs

    @property
    def state(self) -> S:
        """The position."""
        return self.play.state

    @property
    def prompt(self) -> str:
        """What is asked now, "" where nothing is."""
        return "" if self.request is None else self.request.prompt.removeprefix("prompt.")

    @property
    def last(self) -> str:
        """What was asked and answered last, "" where nothing was."""
        return self.pairs[-1][0].prompt.removeprefix("prompt.") if self.pairs else ""

    def asked(self, *prompts: str) -> bool:
        """Whether one of some prompts is asked now."""
        return self.prompt in prompts

    def answered(self, *prompts: str) -> list[Any]:
        """The answers given to some prompts, oldest first."""
        return [answer for request, answer in self.pairs if request.prompt.removeprefix("prompt.") in prompts]


Attempts = Mapping[str, Callable[[Moment[S]], Found]]
"""What a word attempts, at its moment, by the word."""


@dataclass(frozen=True, slots=True)
class Refused(Generic[S]):
    """An answer that was refused: with the words after it, for which there may be a better reason."""

    state: S
    request: Request
    answer: Any
    refusal: Refusal
    words: Words


Reasons = Mapping[str, Callable[[Refused[S]], Refusal | None]]
"""A better reason by prompt; None where there is none."""


def sharpener(reasons: Reasons[S]) -> Callable[[Play[S], Request, Any, Refusal, Words], Refusal]:
    """The ``sharpen`` of :class:`referee.kernel.explain.ExplainHooks` from a table of better reasons."""

    def sharpen(play: Play[S], request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
        better = reasons.get(request.prompt.removeprefix("prompt."))
        found = None if better is None else better(Refused(play.state, request, answer, refusal, words))
        return found or refusal

    return sharpen


@dataclass(frozen=True, slots=True)
class DiceWords:
    """What attempts with action dice need to know of a game."""

    seats: Sequence[str]
    faces: Mapping[str, int]
    dice: Mapping[str, DieType]
    action_die: Sequence[str]
    used_rule: str
    symbol_rule: str
    pass_rule: str

    def die(self, state: Any, request: Request, face: str) -> Found:
        """A die named where it was forced, or where there is none like it."""
        if request.about.get("face") == face:
            return 1
        seat = self.seats.index(request.seat)
        if face not in self.dice[self.action_die[seat]].faces:
            return Refusal(self.symbol_rule, "no_such_die", {"face": face})
        used = state.used[seat][self.faces[face]]
        return Refusal(self.used_rule if used else self.symbol_rule, "no_such_die", {"face": face})

    def passing(self, play: Play[Any], request: Request | None) -> Found:
        """Passing where the other side has no more dice than oneself."""
        if request is None or request.prompt != "prompt.choose_action":
            return None
        seat, before = self.seats.index(request.seat), play.kept or play.state
        left = [sum(dice) for dice in before.unused]
        about = {"mine": left[seat], "theirs": max(n for at, n in enumerate(left) if at != seat)}
        return Refusal(self.pass_rule, "not_fewer_dice", about)


def last_action_rule(
    pairs: Pairs, beyond: Mapping[str, str], otherwise: str, after: Mapping[str, str] | None = None
) -> str:
    """The rule of the last action chosen, after which no more can be done with its die.

    ``after`` are prompts that end an action by a rule of their own.
    """
    for request, answer in reversed(pairs):
        if request.prompt == "prompt.choose_action":
            return beyond.get(answer, otherwise)
        if after is not None and request.prompt in after:
            return after[request.prompt]
    return otherwise

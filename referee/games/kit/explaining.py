"""Why not, where the flow asks something else: attempts that every game with action dice knows.

What a game adds are its rules for them and its own attempts (module ``explaining``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.kernel.dice import DieType
from referee.kernel.notation import Notation, Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

Pairs = Sequence[tuple[Request, Any]]
"""Requests and the answers to them, oldest first."""
Found = Refusal | int | None
"""A refusal, how many words to go over as they only repeat what was forced, or neither."""


@dataclass(frozen=True, slots=True)
class DiceWords:
    """What attempts with action dice need to know of a game.

    ``why_not(state, seat, face)`` gives every action that a die does not allow;
    ``implied(face, words)`` the action that an army's way stands for.
    """

    seats: Sequence[str]
    faces: Mapping[str, int]
    dice: Mapping[str, DieType]
    action_die: Sequence[str]
    notation: Notation
    why_not: Callable[[Any, int, int], Sequence[tuple[str, Refusal]]]
    implied: Callable[[str, Words], str | None]
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
        about = {"mine": sum(before.unused[seat]), "theirs": sum(before.unused[1 - seat])}
        return Refusal(self.pass_rule, "not_fewer_dice", about)

    def forced_skip(
        self, state: Any, request: Request | None, words: Words, pairs: Pairs
    ) -> tuple[str, Refusal, bool] | None:
        """An action named with a die that allowed nothing at all, so that it was set aside unasked.

        Returns the action, why the die does not allow it, and whether the next
        word says it (or the way of an army only implies it).
        """
        if not pairs or pairs[-1][0].prompt != "prompt.choose_die" or pairs[-1][1] not in self.faces:
            return None
        seat, face = pairs[-1][0].seat, pairs[-1][1]
        if request is not None and request.prompt == "prompt.choose_action" and request.seat == seat:
            return None
        asked = ChooseOne("", "prompt.choose_action", (), about={"face": face})
        names = self.notation.style(asked).renamed(asked)
        implied = self.implied(face, words)
        for action, refusal in self.why_not(state, self.seats.index(seat), self.faces[face]):
            said = words.peek() in (action, *names.get(action, "").split("|"))
            if said or action == implied:
                return action, refusal, said
        return None


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

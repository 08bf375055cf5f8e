"""The requests this game makes more than once, and what the box book does not tell.

All of them are the house's kinds of request; here they only get this game's
manners: a fast random answer, and questions about what is printed on the
owner's components.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from random import Random
from typing import Any

from referee.games.five_armies.components import DICE, SEATS
from referee.games.five_armies.state import State
from referee.kernel.play import Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import BoxQuestion, ChooseSome, Counts, Request, RollDice

Ask = Generator[Request | Milestone, Any, Any]
"""A part of the flow that asks and returns something."""


class Pick(ChooseSome):
    """Choose some, with a quick random answer: the default half of the time, else a count of each item."""

    __slots__ = ()

    def sample(self, rng: Random) -> Counts:
        default = self.default
        assert default is not None, self.prompt
        random = rng.random
        if random() < 0.5:
            return dict(default)
        counts: Counts = {}
        total = 0
        for item, most in self.limits.items():
            number = int(random() * (most + 1))
            if number:
                counts[item] = number
                total += number
        if self.minimum <= total <= self.maximum and (self.refuses is None or self.refuses(counts) is None):
            return counts
        return dict(default)


class Exactly(ChooseSome):
    """Choose some of which the number is fixed (``minimum == maximum``): a quick random draw."""

    __slots__ = ()

    def sample(self, rng: Random) -> Counts:
        pool = [item for item, most in self.limits.items() for _ in range(most)]
        return draw_some(rng, pool, self.minimum)


def draw_some(rng: Random, pool: list[str], number: int) -> Counts:
    """``number`` items of ``pool`` at random, without repeating; ``pool`` is used up."""
    counts: Counts = {}
    random = rng.random
    for left in range(len(pool), len(pool) - number, -1):
        index = int(random() * left)
        item = pool[index]
        pool[index] = pool[left - 1]
        counts[item] = counts.get(item, 0) + 1
    return counts


def box_value(
    state: State,
    key: str,
    seat: int,
    prompt: str,
    options: Sequence[str],
    about: Mapping[str, Any],
    rule: str,
) -> Ask:
    """The value ``key`` of the box book; where it is absent the table is asked, and the state remembers.

    Returns one of ``options`` (a string).
    """
    value = state.values.get(key)
    if value is None:
        value = yield BoxQuestion(
            SEATS[seat], prompt, options, domain="box_book", about={**about, "key": key}, rule=rule
        )
        state.values[key] = value
    return str(value)


NUMBERS = tuple(str(number) for number in range(41))
"""Number words for options: ``NUMBERS[:4]`` is 0 to 3."""


def roll_dice(
    seat: int, prompt: str, number: int, about: Mapping[str, Any], rule: str
) -> Generator[Request | Milestone, Any, list[int]]:
    """Roll ``number`` combat dice where their colour does not matter, ten at a time; returns their pips."""
    pips: list[int] = []
    while number > 0:
        white, black = min(number, 5), min(max(number - 5, 0), 5)
        dice = {"combat_white": white, "combat_black": black} if black else {"combat_white": white}
        rolled = yield RollDice(SEATS[seat], prompt, dice, DICE, about=about, rule=rule)
        for faces in rolled.values():
            pips.extend(map(int, faces))
        number -= white + black
    return pips


def refuse_all(names: Sequence[str], why: Callable[[int], Refusal | None]) -> list[tuple[str, Refusal]]:
    """Every name whose index ``why`` has a refusal for."""
    found = []
    for index, name in enumerate(names):
        refusal = why(index)
        if refusal is not None:
            found.append((name, refusal))
    return found

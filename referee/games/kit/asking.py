"""Requests that games make more than once, with this house's manners: quick random answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.kernel.play import Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Counts, Request

Ask = Generator[Request | Milestone, Any, Any]
"""A part of the flow that asks and returns something."""
Refused = Callable[[], Iterable[tuple[Any, Refusal]]]
"""What is not allowed and why, reckoned when somebody looks."""


class ChooseWithDefault(ChooseSome):
    """Choose some, with a quick random answer: the default half of the time, else a count of each item.

    ``default`` must be given and legal.
    """

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


class ChooseExactly(ChooseSome):
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


def refuse_all(names: Sequence[str], why: Callable[[int], Refusal | None]) -> list[tuple[str, Refusal]]:
    """Every name whose index ``why`` has a refusal for."""
    found = []
    for index, name in enumerate(names):
        refusal = why(index)
        if refusal is not None:
            found.append((name, refusal))
    return found


NO, YES = "no", "yes"


@dataclass(frozen=True, slots=True)
class Asker:
    """The common shapes of a choice in a game with these seats and places.

    ``options[mask]`` are the ids of the places in a mask, ``index`` the way back.
    """

    seats: Sequence[str]
    options: Mapping[int, tuple[str, ...]]
    index: Mapping[str, int]

    def choose_place(
        self,
        seat: int,
        prompt: str,
        places: int,
        *,
        rule: str,
        about: Mapping[str, Any] | None = None,
        refused: Refused | None = None,
        ask_forced: bool = False,
    ) -> Ask:
        """Choose one place of a mask; returns its index.  A single place is taken without asking."""
        if not ask_forced and places & (places - 1) == 0 and places:
            return places.bit_length() - 1
        options = self.options[places]
        chosen = yield ChooseOne(
            self.seats[seat], prompt, options, domain="place", about=about or {}, rule=rule, refused=refused
        )
        return self.index[chosen]

    def choose(
        self,
        seat: int,
        prompt: str,
        options: Sequence[str],
        *,
        rule: str,
        domain: str = "option",
        about: Mapping[str, Any] | None = None,
        refused: Refused | None = None,
    ) -> Ask:
        """Choose one of some ids; a single option is taken without asking."""
        if len(options) == 1:
            return options[0]
        chosen = yield ChooseOne(
            self.seats[seat], prompt, options, domain=domain, about=about or {}, rule=rule, refused=refused
        )
        return chosen

    def ask_whether(
        self, seat: int, prompt: str, *, rule: str, about: Mapping[str, Any] | None = None
    ) -> Generator[Request | Milestone, Any, bool]:
        """Yes or no."""
        chosen = yield ChooseOne(self.seats[seat], prompt, (NO, YES), about=about or {}, rule=rule)
        return bool(chosen == YES)

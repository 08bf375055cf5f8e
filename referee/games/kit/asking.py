"""Requests that games make more than once, with this house's manners: quick random answers."""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.kernel.play import Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Counts, Request, unless_forced

Ask = Generator[Request | Milestone, Any, Any]
"""A part of the flow that asks and returns something."""
Question = Generator[Request, Any, Any]
"""A single question, and what is chosen."""
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


def refuse_all(
    names: Sequence[str], why: Callable[[int], Refusal | None], but: int = 0
) -> list[tuple[str, Refusal]]:
    """Every name whose index ``why`` has a refusal for, those in the mask ``but`` left out."""
    found = []
    for index, name in enumerate(names):
        refusal = None if but >> index & 1 else why(index)
        if refusal is not None:
            found.append((name, refusal))
    return found


def refuse_named(
    names: Container[str], rule: str, reason: str = "", about: str = ""
) -> Callable[[str], Refusal | None]:
    """The ``otherwise`` of a request that refuses these names, all by one rule; ``about`` tells the name."""
    return lambda name: Refusal(rule, reason, {about: name} if about else {}) if name in names else None


NO, YES, NOWHERE = "no", "yes", "done"
AT_ONCE = ("skip",)
"""Actions that do nothing: there is nothing to look at before they are taken."""


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
        nowhere: bool = False,
        otherwise: Callable[[str], Refusal | None] | None = None,
    ) -> Question:
        """Choose one place of a mask; returns its index.  A single place is taken without asking.

        ``nowhere``: there may be none, and then nobody is asked and -1 returned.
        """
        options = self.options[places] or (NOWHERE,) * nowhere
        request = ChooseOne(
            self.seats[seat],
            prompt,
            options,
            domain="place",
            about=about or {},
            rule=rule,
            refused=refused,
            otherwise=otherwise,
        )
        chosen = yield request if ask_forced else unless_forced(request)
        return self.index[chosen] if places else -1

    def place_or_stop(
        self,
        seat: int,
        prompt: str,
        places: int,
        *,
        rule: str,
        why_not: Callable[[int], Refusal | None],
        may_stop: bool,
        at_once: bool = False,
    ) -> Question:
        """Choose one place of a mask, or that it is enough; returns its index, or -1 for no more.

        With ``at_once`` a tap on a place is the answer, without a second one that confirms it.
        """
        chosen = yield from self.choose(
            seat,
            prompt,
            self.options[places] + ("done",) * may_stop,
            domain="place",
            rule=rule,
            refused=lambda: refuse_all(tuple(self.index), why_not, but=places),
            ask_forced=bool(places),
            at_once=self.options[places] if at_once else (),
        )
        return -1 if chosen == "done" else self.index[chosen]

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
        ask_forced: bool = False,
        obvious: str | None = None,
        at_once: Sequence[str] = (),
    ) -> Question:
        """Choose one of some ids; a single option is taken without asking."""
        request = ChooseOne(
            self.seats[seat],
            prompt,
            options,
            domain=domain,
            about=about or {},
            rule=rule,
            refused=refused,
            obvious=obvious,
            at_once=AT_ONCE if domain == "action" else at_once,
        )
        chosen = yield request if ask_forced else unless_forced(request)
        return chosen

    def ask_whether(
        self, seat: int, prompt: str, *, rule: str, about: Mapping[str, Any] | None = None
    ) -> Generator[Request | Milestone, Any, bool]:
        """Yes or no."""
        chosen = yield ChooseOne(self.seats[seat], prompt, (NO, YES), about=about or {}, rule=rule)
        return bool(chosen == YES)

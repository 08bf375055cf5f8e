"""Choosing: one of some options, or a count of each of some items; and reporting what a draw showed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

from referee.kernel.refusals import Candidate, Refusal
from referee.kernel.requests.request import (
    NOTHING,
    Counts,
    Notes,
    Refused,
    Request,
    not_allowed,
    not_an_answer,
)

TRIALS = 1000
"""So many combinations of counts are tried at most when whole answers are looked for."""


class ChooseOne(Request):
    """One of ``options`` (strings).  ``refused`` lists, when asked, what is not allowed and why.

    ``otherwise`` knows why not of what is not worth listing, where somebody names it.  ``notes`` says of an
    option what is good to know before it is chosen: messages of the game with their particulars.
    ``obvious`` is the one option that does anything, or the one without harm: a table takes it without
    asking, and the record says so.  ``at_once`` are options that one tap takes, since there is nothing to
    look at before.
    """

    __slots__ = ("at_once", "notes", "obvious", "options", "otherwise", "refused")
    kind = "choose_one"

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        domain: str = "option",
        about: Mapping[str, Any] = NOTHING,
        rule: str = "",
        refused: Callable[[], Refused] | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        notes: Callable[[str], Notes] | None = None,
        obvious: str | None = None,
        at_once: Sequence[str] = (),
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.options = options
        self.notes = notes
        self.obvious = obvious
        self.at_once = at_once
        self.domain = domain
        self.about = about
        self.rule = rule
        self.refused = refused
        self.otherwise = otherwise

    def candidates(self) -> list[Candidate]:
        found = [Candidate(option) for option in self.options]
        if self.refused is not None:
            found.extend(Candidate(value, refusal) for value, refusal in self.refused())
        return found

    def why_not(self, value: Any) -> Refusal | None:
        if value in self.options:
            return None
        if self.refused is not None:
            for candidate, refusal in self.refused():
                if candidate == value:
                    return refusal
        # a list or a mapping is no word that a game could have a reason against
        asked = self.otherwise if isinstance(value, str) else None
        found = None if asked is None else asked(value)
        if found is None:
            raise not_an_answer(value)
        return found

    def check(self, value: Any) -> str:
        if value in self.options:
            return value  # type: ignore[no-any-return]
        refusal = self.why_not(value)
        assert refusal is not None
        raise not_allowed(value, refusal)

    def sample(self, rng: Random) -> str:
        return self.options[int(rng.random() * len(self.options))]

    def is_forced(self) -> bool:
        return len(self.options) <= 1


class Report(ChooseOne):
    """What a physical draw or a turned token showed.  ``weights`` (a count an option) serves bots."""

    __slots__ = ("weights",)
    kind = "report"
    reveals = True
    is_chance = True

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        weights: Sequence[int] | None = None,
        domain: str = "option",
        about: Mapping[str, Any] = NOTHING,
        rule: str = "",
        refused: Callable[[], Refused] | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        at_once: Sequence[str] = (),
    ) -> None:
        super().__init__(
            seat,
            prompt,
            options,
            domain=domain,
            about=about,
            rule=rule,
            refused=refused,
            otherwise=otherwise,
            at_once=at_once,
        )
        self.weights = weights

    def sample(self, rng: Random) -> str:
        if self.weights is None:
            return ChooseOne.sample(self, rng)
        return rng.choices(self.options, self.weights)[0]


class BoxQuestion(Report):
    """Asks for a value printed on a component, once; nothing hidden is revealed by it."""

    __slots__ = ()
    reveals = False


class ChooseSome(Request):
    """A count of each item: ``{item: count}``.

    ``limits`` gives the most of each item; ``minimum`` and ``maximum`` bound the
    sum.  ``refuses`` judges a whole answer (None: allowed); ``examples`` may list
    legal answers where sampling by trial would be slow.  ``default`` is one legal
    answer, for those who play at random; ``proposes`` says that taking all has one
    sensible reading, see :attr:`proposal`.  ``otherwise`` knows why there is no
    more of an item, or none where that is not worth listing.  ``at_once`` says that a screen
    may list whole answers, each taken by one tap, where there are few: see :meth:`few`.
    """

    __slots__ = (
        "at_once",
        "default",
        "examples",
        "limits",
        "maximum",
        "minimum",
        "otherwise",
        "proposes",
        "refused",
        "refuses",
        "too_few",
        "too_many",
    )
    kind = "choose_some"

    def __init__(
        self,
        seat: str,
        prompt: str,
        limits: Mapping[str, int],
        *,
        minimum: int = 0,
        maximum: int | None = None,
        refuses: Callable[[Counts], Refusal | None] | None = None,
        examples: Callable[[], Sequence[Counts]] | None = None,
        default: Counts | None = None,
        domain: str = "unit",
        about: Mapping[str, Any] = NOTHING,
        rule: str = "",
        too_few: Refusal | None = None,
        too_many: Refusal | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        refused: Callable[[], Refused] | None = None,
        proposes: bool = False,
        at_once: bool = False,
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.at_once = at_once
        self.limits = limits
        self.minimum = minimum
        self.maximum = sum(limits.values()) if maximum is None else maximum
        self.refuses = refuses
        self.examples = examples
        self.default = default
        self.domain = domain
        self.about = about
        self.rule = rule
        self.too_few = too_few
        self.too_many = too_many
        self.otherwise = otherwise
        self.refused = refused
        self.proposes = proposes

    @property
    def proposal(self) -> Counts | None:
        """What screens may propose: the only answer, or all where that is the sensible reading.

        A part of what may be chosen is a choice, and so is taking nothing: neither is ever proposed.
        None where nothing is.
        """
        if self.maximum == 0:
            return {}
        forced = self.is_forced()
        if not self.proposes and not forced:
            return None
        if forced and self.examples is not None:
            return dict(self.examples()[0])
        everything = {item: most for item, most in self.limits.items() if most}
        if len(everything) == 1:  # as many as may be of the only kind
            everything = {item: min(most, self.maximum) for item, most in everything.items()}
        return everything if self.why_not(everything) is None else None

    def few(self, most: int) -> list[Counts]:
        """All the answers that are allowed, where they are at most so many; else none of them.

        Few things come before many, and more of the first items before more of the last.
        """
        if prod(there + 1 for there in self.limits.values()) > TRIALS:
            return []
        found: list[Counts] = []
        for numbers in product(*(range(there, -1, -1) for there in self.limits.values())):
            counts = {item: number for item, number in zip(self.limits, numbers, strict=True) if number}
            if self.why_not(counts) is None:
                found.append(counts)
                if len(found) > most:
                    return []
        return sorted(found, key=lambda counts: sum(counts.values()))

    def candidates(self) -> list[Candidate]:
        """One candidate an item, ``{item: 1}``, then the refused items."""
        found = [Candidate({item: 1}) for item, most in self.limits.items() if most > 0]
        if self.refused is not None:
            found.extend(Candidate({item: 1}, refusal) for item, refusal in self.refused())
        return found

    def _form(self, value: Any) -> Counts:
        if not isinstance(value, dict):
            raise not_an_answer(value)
        counts: Counts = {}
        for item, count in value.items():
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise not_an_answer(value)
            if count:
                counts[item] = count
        return counts

    def why_not(self, value: Any) -> Refusal | None:
        counts = self._form(value)
        total = 0
        for item, count in counts.items():
            most = self.limits.get(item)
            if most is None or count > most:
                return self._why_not_item(item, most, value)
            total += count
        if total < self.minimum:
            return self.too_few or Refusal(self.rule, "too_few", {"minimum": self.minimum})
        if total > self.maximum:
            return self.too_many or Refusal(self.rule, "too_many", {"maximum": self.maximum})
        return None if self.refuses is None else self.refuses(counts)

    def _why_not_item(self, item: str, most: int | None, value: Any) -> Refusal:
        if self.refused is not None:
            for candidate, refusal in self.refused():
                if candidate == item:
                    return refusal
        found = None if self.otherwise is None else self.otherwise(item)
        if found is not None:
            return found
        if most is None:
            raise not_an_answer(value)
        return self.too_many or Refusal(self.rule, "only_so_many", {"item": item, "maximum": most})

    def check(self, value: Any) -> Counts:
        refusal = self.why_not(value)
        if refusal is not None:
            raise not_allowed(value, refusal)
        return self._form(value)

    def sample(self, rng: Random) -> Counts:
        if self.examples is not None:
            examples = self.examples()
            return dict(examples[int(rng.random() * len(examples))])
        for _ in range(64):
            counts = self._guess(rng)
            if self.refuses is None or self.refuses(counts) is None:
                return counts
        if self.default is not None:
            return dict(self.default)
        raise LookupError(f"no legal answer found by trial for {self.prompt!r}: give it examples")

    def _guess(self, rng: Random) -> Counts:
        pool = [item for item, most in self.limits.items() for _ in range(most)]
        highest = min(self.maximum, len(pool))
        size = self.minimum + int(rng.random() * (highest - self.minimum + 1))
        counts: Counts = {}
        for item in rng.sample(pool, size):
            counts[item] = counts.get(item, 0) + 1
        return counts

    def is_forced(self) -> bool:
        if self.examples is not None:
            return len(self.examples()) <= 1
        total = sum(self.limits.values())
        return (
            self.maximum == 0
            or self.minimum >= total
            or (self.minimum == self.maximum and len(self.limits) == 1)
        )

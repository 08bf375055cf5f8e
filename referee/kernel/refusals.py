"""Rules with their pages, and refusals that cite them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game's catalogue, in our own words.

    ``page_de`` and ``page_en`` are printed pages of the German and the English
    book (a string, as a rule may be spread over several), or "" where unknown.
    ``atoms`` lists the ids of the atomic rules that a player would see as this
    one.  ``refusable`` tells whether a player can try something that breaks it.
    """

    id: str
    chapter: str
    title_en: str
    title_de: str
    page_de: str
    page_en: str
    sentence_en: str
    sentence_de: str
    refusable: bool = False
    atoms: tuple[str, ...] = ()
    note_en: str = ""
    note_de: str = ""
    book_en: str = ""
    """What ``page_en`` are pages of, where the game's own book is an English one ("" otherwise)."""

    def where(self, language: str) -> str:
        """Where the rule stands in print, in the words of ``language``."""
        if language == "de":
            return f"S. {self.page_de}"
        if self.book_en:
            return f"{self.book_en} p. {self.page_en}"
        return f"German rulebook p. {self.page_de}" + (f"; {self.page_en}" if self.page_en else "")


class Catalogue(Mapping[str, Rule]):
    """All rules of one game, by id.  Looking up an id that is missing is a bug in us.

    Given a function, the rules are read when somebody first looks: play itself
    only passes ids around.
    """

    def __init__(self, rules: Iterable[Rule] | Callable[[], Iterable[Rule]]) -> None:
        self._load: Callable[[], Iterable[Rule]] | None = None
        if callable(rules):
            self._load = rules
        else:
            self.__dict__["_rules"] = _by_id(rules)

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        assert self._load is not None
        return _by_id(self._load())

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


def _by_id(rules: Iterable[Rule]) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for rule in rules:
        if rule.id in found:
            raise ValueError(f"rule {rule.id!r} is in the catalogue twice")
        found[rule.id] = rule
    return found


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a candidate is not allowed: the rule, and particulars for the message.

    ``reason`` is an optional message id of the game's catalogue of messages that
    is more specific than the rule's sentence; ``params`` fills it.
    """

    rule: str
    reason: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a seat might answer: allowed where ``refusal`` is None."""

    value: Any
    refusal: Refusal | None = None

    @property
    def allowed(self) -> bool:
        """True where no rule stands in the way."""
        return self.refusal is None

"""Rules with their pages, and refusals that cite them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.kernel.messages import SOURCE, Messages, Text


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

    heading: str = ""
    """The heading of a book or a summary under which it stands, where pages are not known ("" otherwise)."""

    messages: Messages | None = field(default=None, repr=False, compare=False)
    """Where further languages have the rule's words: ``rule.<id>.title``, ``.sentence``, ``.note``."""

    def _in(self, what: str, language: str) -> str:
        own: str | None = getattr(self, f"{what}_{language}", None)
        if own is None and self.messages is not None:
            own = self.messages.find(f"rule.{self.id}.{what}", language)
        english: str = getattr(self, f"{what}_{SOURCE}")
        return english if own is None else own

    def title(self, language: str) -> str:
        """Its title."""
        return self._in("title", language)

    def sentence(self, language: str) -> str:
        """What it says."""
        return self._in("sentence", language)

    def note(self, language: str) -> str:
        """What is to be noted about it, or ""."""
        return self._in("note", language)

    def page(self, language: str) -> str:
        """The page in the book of ``language``, or in the English book."""
        return self._in("page", language)

    def book(self, language: str) -> str:
        """What the pages are pages of, where the game's own book is an English one ("" otherwise)."""
        return self._in("book", language)

    def where(self, language: str) -> str:
        """Where the rule stands in print, in the words of ``language``."""
        if self.heading and self.book_en:
            which = "kernel.heading_in_book_and_page" if self.page_de else "kernel.heading_in_book"
            text = Text(which, book=self.book(language), heading=self.heading, page_de=self.page_de)
        elif self.heading:
            which = "kernel.heading_and_page" if self.page_en else "kernel.heading"
            text = Text(which, heading=self.heading, page_en=self.page_en)
        elif self.book_en:
            book, page = self.book(language), self.page(language)
            text = Text("kernel.page", book=book, page_de=self.page_de, page_en=page)
        elif not self.page_de:
            return ""
        elif self.page_en:
            text = Text("kernel.page_and_chapter", page_de=self.page_de, page_en=self.page(language))
        else:
            text = Text("kernel.page_of_german_book", page_de=self.page_de)
        return text.in_words(language)


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

"""Catalogues as they lie on disk: the messages of one language, their plural forms and their fields.

How they are written is told in :mod:`referee.kernel.messages`.
"""

from __future__ import annotations

import email.parser  # noqa: F401  Babel loads it late, when a disk may be gone
import gettext
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Formatter

from babel.messages.pofile import read_po


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A field of a sentence: its name and what it asks for (a form of a name, words to choose from).

    ``quoted`` (``{name!r}``) shows the value as Python writes it: words of a person in quotation marks,
    with whatever cannot be seen in them.
    """

    name: str
    spec: str
    quoted: bool = False


Sentence = tuple[str | Placeholder, ...]
"""Literals and fields in their order."""


@dataclass(frozen=True)
class Message:
    """A message of one language.  ``forms`` are its plural forms, one where nothing is ``counted``."""

    forms: tuple[str, ...]
    counted: str = ""

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The forms as literals and fields."""
        return tuple(parse(form) for form in self.forms)


def parse(text: str) -> Sentence:
    """A text with braces as literals and fields."""
    found: list[str | Placeholder] = []
    for literal, name, spec, conversion in Formatter().parse(text):
        if literal:
            found.append(literal)
        if name is not None:
            found.append(Placeholder(name, spec or "", conversion == "r"))
    return tuple(found)


class Language:
    """One language of one catalogue: its messages and the rule of its plurals."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.messages: dict[str, Message] = {}
        self.plural: Callable[[int], int] = lambda number: 0
        for path in paths:
            with path.open("rb") as file:
                catalogue = read_po(file)
            self.plural = gettext.c2py(catalogue.plural_expr)
            for message in catalogue:
                if isinstance(message.id, tuple):
                    counted = str(message.id[1]).strip("{}")
                    self.messages[str(message.id[0])] = Message(
                        tuple(map(str, message.string or ())), counted
                    )
                elif message.id:
                    self.messages[str(message.id)] = Message((str(message.string),))

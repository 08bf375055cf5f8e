"""Forms that a game declares: what its box book may hold, which house rules it knows.

A game that has some offers ``box_book_form()`` and ``house_rules_form()``, each a
sequence of :class:`Field`.  Screens, files and checks work from these alone, so a
new game needs none of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.errors import InvalidAnswer

CERTAINTIES = ("high", "medium", "low")
"""How certain a value is: read off the component; told by somebody who knows; a guess."""


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of a form: a choice of one of ``options`` (ids or numbers, as strings).

    ``label`` is a message of the game with ``params`` (ids, shown by their names);
    ``group`` the message that heads the entries of a kind; ``domain`` is where options
    have their names ("" : they stand for themselves).  ``shipped`` is what the game
    knows already (None: nothing), ``source`` and ``certainty`` say how.
    """

    key: str
    options: tuple[str, ...]
    label: str
    group: str
    params: Mapping[str, Any] = field(default_factory=dict)
    domain: str = ""
    shipped: str | None = None
    source: str = ""
    certainty: str = ""


def form_of(game: Any, hook: str) -> Sequence[Field]:
    """The form that ``game`` declares by ``hook``; empty for a game that has none."""
    declare = getattr(game, hook, None)
    return () if declare is None else tuple(declare())


def check_value(form: Sequence[Field], key: str, value: Any) -> str:
    """``value`` if the form takes it for ``key``.  Raises :class:`InvalidAnswer`."""
    entry = next((one for one in form if one.key == key), None)
    if entry is None:
        raise InvalidAnswer(f"There is no entry {key!r} here.", f"Einen Eintrag {key!r} gibt es hier nicht.")
    if not isinstance(value, str) or value not in entry.options:
        known = ", ".join(entry.options[:12])
        raise InvalidAnswer(
            f"{value!r} cannot stand at {key}. Possible are: {known}.",
            f"{value!r} kann bei {key} nicht stehen. Möglich sind: {known}.",
        )
    return value

"""Forms that a game declares: what its box book may hold, which house rules it knows.

A game that has some offers ``box_book_form()`` and ``house_rules_form()``, each a
sequence of :class:`Field`.  Screens, files and checks work from these alone, so a
new game needs none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.capabilities import BoxBookForms, HouseRules
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text, joined

CERTAINTIES = ("high", "medium", "low")
"""How certain a value is: read off the component; told by somebody who knows; a guess."""


CHOICE, SOME, STEPS = "choice", "some", "steps"
"""Kinds of a field's value: one of its options; any of its options (a list); a list of steps."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a step is given: ``kind`` is ``number`` (``least`` to ``most``), ``flag`` (true),
    ``choice`` (one of ``options``) or ``counts`` (how many of each option).

    ``label`` is a message of the game; ``domain`` is where its options have their names.
    """

    id: str
    kind: str
    label: str
    required: bool = True
    options: tuple[Any, ...] = ()
    domain: str = ""
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class StepKind:
    """A kind of step that a program may have: its sentence, and what it is given.

    ``begins``: a program has one of this kind, as its first step.
    """

    id: str
    text: Text
    slots: tuple[Slot, ...] = ()
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of a form: a choice of one of ``options`` (ids or numbers, as strings).

    ``kind`` may also be ``some``, a list of options, or ``steps``, a list of steps
    ``{"do": id of a step kind, slot: value}``: ``steps`` are the kinds that a screen offers,
    ``check`` says what is wrong with a whole list, (a list written by
    hand may hold more than screens offer).

    ``label`` is a message of the game with ``params`` (ids, shown by their names);
    ``group`` the message that heads the entries of a kind; ``domain`` is where options
    have their names ("" : they stand for themselves).  ``shipped`` is what the game
    knows already (None: nothing), ``source`` and ``certainty`` say how.  What is not ``asked`` in play is
    told here or not at all.
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
    kind: str = CHOICE
    steps: tuple[StepKind, ...] = ()
    check: Callable[[Any], list[Text]] | None = None
    asked: bool = True


def box_book_form_of(game: object) -> Sequence[Field]:
    """What the owner of ``game`` may tell of the box; empty for a game that has no such form."""
    return tuple(game.box_book_form()) if isinstance(game, BoxBookForms) else ()


def house_rules_form_of(game: object) -> Sequence[Field]:
    """Where the players of ``game`` may choose; empty for a game that has no such form."""
    return tuple(game.house_rules_form()) if isinstance(game, HouseRules) else ()


def check_value(form: Sequence[Field], key: str, value: Any) -> Any:
    """``value`` if the form takes it for ``key``.  Raises :class:`InvalidAnswer`."""
    entry = next((one for one in form if one.key == key), None)
    if entry is None:
        raise InvalidAnswer(Text("kernel.no_entry", key=key))
    if entry.kind == STEPS:
        return _checked_steps(entry, value)
    if entry.kind == SOME:
        if not isinstance(value, list) or len(set(map(str, value))) != len(value):
            raise _cannot_stand(entry, value)
        for one in value:
            _checked_option(entry, one)
        return value
    return _checked_option(entry, value)


def _checked_option(entry: Field, value: Any) -> str:
    if not isinstance(value, str) or value not in entry.options:
        raise _cannot_stand(entry, value)
    return value


def _cannot_stand(entry: Field, value: Any) -> InvalidAnswer:
    known = ", ".join(entry.options[:12])
    return InvalidAnswer(
        Text("kernel.value_not_possible", value=value, key=entry.key, known=known),
    )


def _checked_steps(entry: Field, value: Any) -> Any:
    wrong = entry.check(value) if entry.check is not None else []
    if wrong:
        raise InvalidAnswer(Text("kernel.entry_wrong", key=entry.key, wrong=joined(wrong, "; ")))
    return value

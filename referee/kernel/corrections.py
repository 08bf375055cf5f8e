"""What may be said to stand at a place, for putting a record right without knowing the game.

A game that has ``correction_form(state, place)`` gives an :class:`Item` for each kind
of thing that may stand there; ``corrections(state, place, counts)`` turns the wanted
counts into the primitives of its ``correct`` hook.  The place "" stands for all that
is beside the board: tracks, hands, dice, whose turn it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Item:
    """``key`` names it in counts, ``label`` is a message of the game; ``count`` stand there, ``least`` to
    ``most`` may.  ``least`` is above 0 for what only leaves by being put elsewhere.

    ``of`` are messages in front of the label (whose hand, which die).  Where there are
    ``options`` (ids, named by ``domain``), the count is the number of one of them, from 0."""

    key: str
    label: str
    count: int
    most: int
    least: int = 0
    of: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    domain: str = ""


def check_counts(form: Sequence[Item], counts: Mapping[str, Any]) -> dict[str, int]:
    """The whole of what shall stand there: ``counts`` by key, the others as they are.

    Raises :class:`InvalidAnswer` for an unknown key or a count out of range.
    """
    wanted = {item.key: item.count for item in form}
    for key, value in counts.items():
        item = next((one for one in form if one.key == key), None)
        if item is None:
            raise InvalidAnswer(Text("kernel.cannot_stand", key=key))
        if isinstance(value, bool) or not isinstance(value, int) or not item.least <= value <= item.most:
            raise InvalidAnswer(
                Text("kernel.amount_out_of_range", key=key, least=item.least, most=item.most, value=value),
            )
        wanted[key] = value
    return wanted


def carry_out(
    primitives: Mapping[str, Callable[[S, Mapping[str, Any]], None]], state: S, primitive: Mapping[str, Any]
) -> None:
    """Carry out one primitive, ``{"do": name, ...}``.  Raises :class:`InvalidAnswer`, naming them all."""
    do = primitive.get("do")
    apply = primitives.get(str(do))
    if apply is None:
        raise no_correction(f"do: {do!r}", sorted(primitives))
    apply(state, primitive)


# --- reading the fields of a primitive, ``{"do": ..., field: value}`` --------------------------------


def no_correction(what: str, known: Sequence[str]) -> InvalidAnswer:
    """The error for something that cannot be corrected so; it says what is possible."""
    return InvalidAnswer(
        Text("kernel.no_such_correction", what=what, known=", ".join(known)),
    )


def one_of(primitive: Mapping[str, Any], key: str, names: Sequence[str]) -> int:
    """The index of the field's value among ``names``.  Raises :class:`InvalidAnswer`."""
    value = primitive.get(key)
    if value not in names:
        raise no_correction(f"{key}: {value!r}", names)
    return names.index(str(value))


def number_of(primitive: Mapping[str, Any], key: str, most: int, least: int = 0) -> int:
    """The field's whole number from ``least`` to ``most``.  Raises :class:`InvalidAnswer`."""
    value = primitive.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise no_correction(f"{key}: {value!r}", [f"{least} - {most}"])
    return value


def counts_of(primitive: Mapping[str, Any], key: str, names: Sequence[str]) -> dict[str, int]:
    """The field's counts by name; {} where it is absent.  Raises :class:`InvalidAnswer`."""
    found = primitive.get(key, {})
    if not isinstance(found, Mapping):
        raise no_correction(f"{key}: {found!r}", names)
    return {names[one_of({key: name}, key, names)]: number_of(found, name, 99) for name in found}

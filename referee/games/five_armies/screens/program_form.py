"""Primitives as steps of a form: what an owner may choose from to describe an ability or a card.

Each primitive of :mod:`programs` that a screen can fill in; those that take whole
programs themselves (``shift_character``) are written by hand in the box book's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from referee.games.five_armies.box.components import UNITS
from referee.games.five_armies.cards.programs import FLAG, NUMBER, PROGRAM, SPECS, UNIT_COUNTS
from referee.kernel.forms import Slot, StepKind

BOUNDS: Mapping[str, tuple[int, int]] = {
    "armies": (1, 9),
    "steps": (1, 4),
    "leadership": (0, 9),
    "no_retreat_in_round": (1, 9),
    "dice": (1, 10),
    "target": (2, 6),
    "success": (2, 6),
    "regions": (1, 9),
    "tokens": (1, 9),
    "tokens_by_west": (1, 9),
    "bats": (1, 4),
    "damage": (1, 9),
    "spaces": (-15, 15),
    "number": (1, 10),
    "by": (1, 5),
}
"""Least and most of each number, for steppers."""
MOST_UNITS = 5


@cache
def step_kinds(without: frozenset[str]) -> tuple[StepKind, ...]:
    """All primitives that a form can fill in but for those ``without``, in the order of the document."""
    return tuple(
        StepKind(name, spec.text, _slots(name))
        for name, spec in SPECS.items()
        if name not in without and PROGRAM not in spec.must.values()
    )


def _slots(name: str) -> tuple[Slot, ...]:
    spec = SPECS[name]
    return tuple(
        _slot(argument, kind, argument in spec.must)
        for argument, kind in (*spec.must.items(), *spec.may.items())
        if kind != PROGRAM
    )


def _slot(argument: str, kind: Any, required: bool) -> Slot:
    label = f"step.slot.{argument}"
    if kind == NUMBER:
        if argument == "by":  # elsewhere it names a character
            label = "step.slot.by_number"
        least, most = BOUNDS[argument]
        return Slot(argument, "number", label, required, least=least, most=most)
    if kind == FLAG:
        return Slot(argument, "flag", label, required)
    if kind == UNIT_COUNTS:
        return Slot(argument, "counts", label, required, tuple(UNITS), "unit", 0, MOST_UNITS)
    return Slot(argument, "choice", label, required, tuple(kind), "step.option")

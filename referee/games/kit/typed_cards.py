"""Printed cards that the owner types into the box book: each a list of steps, the card itself first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.kernel.forms import Slot, StepKind
from referee.kernel.messages import Text

PRACTICE, PRINTED = "practice", "printed"
"""Which cards lie on the table: those of this program, or those of the owner's box."""
CARD = "card"
"""The step that says what is printed on the card beside what it does."""


def checked(steps: tuple[StepKind, ...]) -> Callable[[Any], list[Text]]:
    """What says what is wrong with a typed card."""
    kinds = {kind.id: kind for kind in steps}
    return lambda value: list(_problems(value, kinds))


def _problems(value: Any, kinds: Mapping[str, StepKind]) -> Iterator[Text]:
    if not isinstance(value, list) or not value or not all(isinstance(step, dict) for step in value):
        yield Text("kit.steps_wanted")
        return
    done = [step.get("do") for step in value]
    if done[0] != CARD or done.count(CARD) > 1:
        yield Text("kit.card_first")
    for step in value:
        yield from step_problems(step, kinds)


def step_problems(step: Mapping[str, Any], kinds: Mapping[str, StepKind]) -> Iterator[Text]:
    """What is wrong with one step, by itself."""
    kind = kinds.get(str(step.get("do")))
    if kind is None:
        yield Text("kit.no_card_step", step=str(step.get("do")))
        return
    slots = {slot.id: slot for slot in kind.slots}
    lacks = [name for name, slot in slots.items() if slot.required and name not in step]
    wrong = [name for name in step if name != "do" and not (name in slots and _fits(slots[name], step[name]))]
    for name in (*lacks, *wrong):
        yield Text("kit.card_slot", step=kind.text, slot=name)


def _fits(slot: Slot, value: Any) -> bool:
    if slot.kind == "number":
        return isinstance(value, int) and not isinstance(value, bool) and slot.least <= value <= slot.most
    return isinstance(value, bool) if slot.kind == "flag" else value in slot.options

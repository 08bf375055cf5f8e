"""The decks that the owner has typed off his printed cards, card by card, into the box book.

Each front is one entry, a list of steps: ``card`` (how many of it there are, and of a lore card cost, phase
and what it is played on), then ``section`` for a section card, or what a tactic or lore card does.  A front
of which only the number is told is resolved by hand, and so is every card that is not typed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.games.battlelore.box.components import CLASSES, COLOURS, CREATURE, LORE_CLASSES, SECTIONS
from referee.games.battlelore.box.decks import ALL, HELD, OWN_TURN, REACTIONS, CommandCard, Deck, LoreCard
from referee.games.kit.typed_cards import CARD, PRINTED
from referee.kernel.forms import Slot, StepKind
from referee.kernel.messages import Text
from referee.kernel.play import canonical_json

USED = "deck.used"
"""Which cards lie on the table."""
COMMAND_FRONTS, LORE_FRONTS = 30, 15
"""Fronts of the command deck that can be typed, and of each class of the lore deck."""
DECK_SIZE = 60
SECTION, ORDER = "section", "order"
NAMES = (
    *("self", "opponent", "own", "own_hurt", "ordered", "ordered_foot", "enemy_in_sight"),
    *("enemy_next_to_ordered", "section", "defender", "attacker", "card"),
)
"""What a lore card may be played on."""
WHEN = (*OWN_TURN, *REACTIONS)
_WHO = ("colour", "class", "missile", "free")
_SOME = tuple(map(str, range(5)))
_LEVELS = (*_SOME[1:], "level")
_NUMBERED = {  # steps with a number, and whether it may be the master's level
    "dice": True, "hexes": True, "shield": True, "courage": True, "strike": True, "leap": True, "heal": True,
    "heal_section": True, "tokens": True, "steal": True,
    "parry": False, "attacks": False, "draw_command": False,
}  # fmt: skip
_PLAIN = ("order_this", "bonus_hits", "no_ceiling", "no_battle_back", "through", "brave", "cancel")
Told = Mapping[str, Any]


def command_key(number: int) -> str:
    """The key of a front of the command deck."""
    return f"deck.command.{number}"


def lore_key(of: str, number: int) -> str:
    """The key of a front of a class of the lore deck."""
    return f"deck.lore.{of}.{number}"


def command_id(number: int) -> str:
    """The id of a typed command card."""
    return f"command_{number}"


def lore_id(of: str, number: int) -> str:
    """The id of a typed lore card."""
    return f"{of}_{number}"


CARDS = (
    *(command_id(number) for number in range(1, COMMAND_FRONTS + 1)),
    *(lore_id(of, number) for of in LORE_CLASSES for number in range(1, LORE_FRONTS + 1)),
)


# --- what a screen offers ----------------------------------------------------------------------------


def _kind(step: str, *slots: Slot) -> StepKind:
    return StepKind(step, Text(f"battlelore.step_{step}"), slots, begins=step == CARD)


def _choice(name: str, options: tuple[str, ...], required: bool = True) -> Slot:
    return Slot(name, "choice", f"making.slot_{name}", required, options, "making")


def _numbered(step: str) -> StepKind:
    return _kind(step, _choice("number", _LEVELS if _NUMBERED[step] else _SOME))


def command_steps() -> tuple[StepKind, ...]:
    """Steps of a command card."""
    orders = (*map(str, range(7)), HELD)
    return (
        _kind(CARD, Slot("copies", "number", "making.slot_copies", least=1, most=12)),
        _kind(SECTION, *(_choice(section, orders) for section in SECTIONS)),
        _kind(
            ORDER,
            _choice("number", (*map(str, range(1, 7)), HELD, ALL)),
            _choice("colour", tuple(COLOURS), False),
            _choice("class", CLASSES[:CREATURE], False),
            Slot("missile", "flag", "making.slot_missile", False),
            _choice("free", ("yes", "no"), False),
        ),
        _kind("dice", _choice("number", _SOME)),
        _kind("hexes", _choice("number", _SOME)),
        _numbered("attacks"),
        _kind("stand"),
        _kind("far"),
        _kind("copy"),
    )


def lore_steps() -> tuple[StepKind, ...]:
    """Steps of a lore card."""
    card = (
        Slot("copies", "number", "making.slot_copies", least=1, most=6),
        Slot("cost", "number", "making.slot_cost", least=0, most=12),
        _choice("when", WHEN),
        _choice("names", NAMES),
        Slot("within", "number", "making.slot_within", False, least=1, most=12),
    )
    numbered = tuple(_numbered(step) for step in _NUMBERED if step != "attacks")
    return (_kind(CARD, *card), *numbered, *map(_kind, _PLAIN))


# --- what was typed ----------------------------------------------------------------------------------


def deck_told(values: Told) -> Deck | None:
    """The deck that the owner typed, where his box book says that it is played with; else None."""
    if values.get(USED) != PRINTED:
        return None
    return _deck(canonical_json({key: value for key, value in values.items() if key.startswith("deck.")}))


@lru_cache(maxsize=16)
def _deck(text: str) -> Deck:
    told = json.loads(text)
    command: dict[str, CommandCard] = {}
    for number in range(1, COMMAND_FRONTS + 1):
        steps = told.get(command_key(number))
        if steps:
            command[command_id(number)] = _command(command_id(number), steps)
    lore: dict[str, LoreCard] = {}
    for of in LORE_CLASSES:
        for number in range(1, LORE_FRONTS + 1):
            steps = told.get(lore_key(of, number))
            if steps:
                lore[lore_id(of, number)] = _lore(lore_id(of, number), of, steps)
    return Deck(PRINTED, command, lore, DECK_SIZE)


def _command(card: str, steps: Sequence[Told]) -> CommandCard:
    orders = next((step for step in steps if step["do"] == SECTION), None)
    if orders is not None:
        numbers = {name: told if (told := orders[name]) == HELD else int(told) for name in SECTIONS}
        return CommandCard(card, int(steps[0]["copies"]), numbers)
    again = any(step["do"] == "copy" for step in steps)
    return CommandCard(card, int(steps[0]["copies"]), None, _program(steps[1:]), copies_another=again)


def _lore(card: str, of: str, steps: Sequence[Told]) -> LoreCard:
    first = steps[0]
    return LoreCard(
        card, of, int(first["cost"]), first["when"], first["names"], int(first["copies"]),
        _program(steps[1:]), int(first.get("within", 0)),
    )  # fmt: skip


def _program(steps: Sequence[Told]) -> tuple[dict[str, Any], ...]:
    return tuple(_step(step) for step in steps)


def _step(step: Told) -> dict[str, Any]:
    found = {key: value for key, value in step.items() if key not in _WHO}
    number = found.get("number")
    if isinstance(number, str) and number.isdigit():
        found["number"] = int(number)
    if step["do"] == ORDER:
        who = {key: step[key] for key in _WHO if key in step}
        if "free" in who:
            who["free"] = who["free"] == "yes"
        found["who"] = who
    return found

"""Decks as data: ``box/decks/<id>.yaml``, command and lore cards as programs of primitives.

A printed deck that only its owner knows stands in his box book, card by card; until it is told, its cards are
named by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from referee.games.battlelore.box.components import FOLDER, SECTIONS

Step = Mapping[str, Any]
HELD, ALL = "held", "all"


@dataclass(frozen=True, slots=True)
class CommandCard:
    """A front of the command deck.

    ``orders``: how many units of each section it orders (None: a tactic card); ``program`` what it does else.
    """

    id: str
    copies: int
    orders: Mapping[str, int | str] | None
    program: tuple[Step, ...] = ()
    same_as: str = ""
    """The printed card that does the same, where one is known."""
    copies_another: bool = False
    """Whether it does what the opponent's last card did."""


@dataclass(frozen=True, slots=True)
class LoreCard:
    """A front of the lore deck: class, cost in tokens, ``when`` it is played, and ``on`` what."""

    id: str
    of: str
    cost: int
    when: str
    on: str
    copies: int
    program: tuple[Step, ...]
    within: int = 0


REACTIONS = ("attacked", "rolled", "lore")
"""Moments of the opponent's turn at which reaction cards are played."""
OWN_TURN = ("command", "movement", "combat", "end")


@dataclass(frozen=True)
class Deck:
    """Command and lore cards of a table."""

    id: str
    command: Mapping[str, CommandCard]
    lore: Mapping[str, LoreCard]
    command_size: int = 0
    """How many command cards there are; 0: those that are described."""
    by_when: Mapping[str, tuple[LoreCard, ...]] = field(init=False)
    fronts: tuple[tuple[str, int, bool], ...] = field(init=False)
    """Of each command card its id, its copies, and whether it copies another."""

    def __post_init__(self) -> None:
        found = {
            when: tuple(card for card in self.lore.values() if card.when == when)
            for when in (*REACTIONS, *OWN_TURN)
        }
        fronts = tuple((card.id, card.copies, card.copies_another) for card in self.command.values())
        object.__setattr__(self, "by_when", found)
        object.__setattr__(self, "fronts", fronts)
        if not self.command_size:
            object.__setattr__(self, "command_size", sum(card.copies for card in self.command.values()))


def deck_ids() -> Sequence[str]:
    """The decks that are shipped."""
    return sorted(path.stem for path in (FOLDER / "decks").glob("*.yaml"))


@cache
def deck_of(name: str) -> Deck:
    """A shipped deck.  Raises :class:`OSError` where there is none."""
    data = yaml.safe_load((FOLDER / "decks" / f"{name}.yaml").read_text(encoding="utf-8"))
    command = {
        card: _command(card, entry, tuple(entry.get("program", ())))
        for card, entry in data["command"].items()
    }
    lore = {
        card: LoreCard(
            card, entry["class"], entry["cost"], entry["when"], entry["names"],
            entry.get("copies", data["lore_copies"]), tuple(entry["program"]), entry.get("within", 0),
        )
        for card, entry in data["lore"].items()
    }  # fmt: skip
    return Deck(name, command, lore)


def _command(card: str, entry: Mapping[str, Any], program: tuple[Step, ...]) -> CommandCard:
    again = any(step["do"] == "copy" for step in program)
    return CommandCard(card, entry["copies"], entry.get("orders"), program, entry.get("same_as", ""), again)


def section_orders(card: CommandCard, held: int) -> tuple[int, int, int]:
    """How many units of left wing, centre and right wing a section card orders."""
    orders = card.orders or {}
    left, center, right = (
        held if orders.get(name) == HELD else int(orders.get(name, 0)) for name in SECTIONS
    )
    return left, center, right

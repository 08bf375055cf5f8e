"""A running combat: who fights whom, where, with which cards, and what this round has brought.

The flow in :mod:`combat` owns it; it lies in ``state.combat`` so that a game can
restart before any combat round and screens can show every step of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies.box.components import SEATS, UNITS, box_data
from referee.games.five_armies.box.map import PLACES
from referee.games.kit.codecs import Json, Part, Row, Several, each, flag, index, mask, number, text
from referee.games.kit.schema import Schema, declare

NO_CARD = -1
REGROUP, MIGHTY_STROKES, VAMPIRE_LIKE, EVENT_CARD = range(len(UNITS), len(UNITS) + 4)
CARDS: tuple[str, ...] = (*UNITS, "regroup", "thorins_mighty_strokes", "vampire_like", "event_card")
"""Manoeuvre cards by number: the unit cards, Regroup, the two special ones, and any Event card."""
CARD: Mapping[str, int] = {name: number for number, name in enumerate(CARDS)}
UNIT_CARDS = (1 << len(UNITS)) - 1


@dataclass(slots=True, eq=False)
class Side:
    """One side of a combat: the first three fields last, the others hold for one round."""

    hand: int = declare(mask(CARDS))
    """The unit and special cards taken to hand for this combat."""
    used: int = declare(mask(CARDS))
    """Those of them that lie open."""
    leadership: int = declare(number(-1), start=-1)
    """The army's leadership where it is fixed for this combat (-1: it is counted)."""

    card: int = declare(index(CARDS, {NO_CARD: None}), start=NO_CARD)
    effect: str = declare(text(tuple(box_data("cards")["combat_effects"])))
    """The combat effect of an Event card."""
    effect_spent: bool = declare(flag())
    """Whether what helps with casualties once has helped: Captain of War, Redoubtable."""
    dice: int = declare(number())
    target: int = declare(number())
    target_rule: str = declare(text())
    rolled: list[list[Any]] = declare(Json(list, Several(Row((number(0, 1), text(), flag(), flag())))))
    """``[1 if black else 0, face, hit, re-rolled]`` of each die."""
    hits: int = declare(number())
    ability: bool = declare(flag())
    """Whether the ability of the unit card may be used."""
    uses: bool = declare(flag())
    """Whether it is used."""
    suffered: int = declare(number())
    """The damage dealt to this side so far."""
    guarded: bool = declare(flag())
    """Whether a Bodyguard wards it off."""


@dataclass(slots=True, eq=False)
class Battle:
    """A combat."""

    attacker: int = declare(index(SEATS))
    armies: int = declare(mask(PLACES))
    """The places whose armies take part on the attacker's side (several in a combined attack)."""
    target: int = declare(index(PLACES))
    combined: bool = declare(flag())
    source: int = declare(index(PLACES))
    """The place of the attacker's army that fights this round."""
    beorn: bool = declare(flag())
    """Whether Beorn is the Free Peoples' side of it."""
    fought: int = declare(mask(PLACES))
    """The places whose armies have fought a round already, for ford and slope."""
    round: int = declare(number())
    step: str = declare(text(("manoeuvre", "roll", "reroll", "damage", "end")))
    """The step of the round, for screens."""
    no_retreat_in_round: int = declare(number())
    sure_superiority: bool = declare(flag())
    sides: list[Side] = declare(each(SEATS, Part(Schema(Side), always=True)))

    def __post_init__(self) -> None:
        self.combined = self.armies & (self.armies - 1) != 0
        self.source = self.armies.bit_length() - 1

    @property
    def defender(self) -> int:
        """The defending seat."""
        return 1 - self.attacker

    def place_of(self, seat: int) -> int:
        """Where the army (or Beorn) of a seat stands that fights this round."""
        return self.source if seat == self.attacker else self.target

    def new_round(self) -> None:
        """Forget what the last round brought."""
        self.sides = [Side(side.hand, side.used, side.leadership) for side in self.sides]


BATTLE = Schema(Battle)

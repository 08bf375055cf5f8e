"""A running battle, as it stands between two of its questions.

The attacking army is everything of the attacker in ``start`` but the rearguard;
the defending army is everything of the defender in ``target``.  Either may be a
siege box: a siege battle has its target there, a sortie starts there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from referee.games.war_of_the_ring.box.map import BOXES, region_of

BY_HAND = "card_by_hand"
"""``Side.card`` of a card whose effect its player declares."""
MOST_DICE = 5


@dataclass(slots=True, eq=False)
class Side:
    """What one side has done in the running combat round."""

    card: str = ""
    """The card used in this round, :data:`BY_HAND` for one whose effect is declared by hand, "" for none."""
    deck: int = -1
    """The back of that card."""
    effect: str = ""
    """Its combat effect, as :mod:`combat_data` knows it."""
    steps: list[dict[str, Any]] = field(default_factory=list)
    """The declared effect of a card by hand, in the steps of :mod:`combat_data`."""
    cancelled: bool = False
    forfeited: int = 0
    """Points of Nazgul leadership that were forfeited."""
    silent: int = 0
    """Mask of the characters whose leadership does not count in this round."""
    blank: int = 0
    """Mask of the characters whose abilities are cancelled in this round."""
    add: int = 0
    """Added to each die of the combat roll."""
    add_again: int = 0
    """Added to each die of the leader re-roll."""
    most: int = MOST_DICE
    """The most dice in the combat roll that a card allows."""
    fewer: int = 0
    """Dice that a card takes from the combat roll (one always stays)."""
    no_reroll: bool = False
    ones_fail: bool = False
    """Natural ones of the combat roll hit the own army and are not rolled again."""
    dice: int = 0
    """Dice of the combat roll."""
    target: int = 0
    """What a die of the combat roll must show to hit, before modifiers."""
    target_rule: str = ""
    rolled: list[list[int]] = field(default_factory=list)
    """Each die rolled, as [pips, 1 where it hit, 1 where it was rolled again]."""
    hits: int = 0
    """Hits that the enemy will suffer in the casualty step."""
    scored: int = 0
    """All hits scored in this round so far, those of attacks by cards included."""
    rerolled: int = 0
    """Hits of the leader re-roll."""

    def copy(self) -> Side:
        """An independent copy."""
        new = Side.__new__(Side)
        for name in _SIDE_FIELDS:
            setattr(new, name, getattr(self, name))
        new.steps = [dict(step) for step in self.steps]
        new.rolled = [die[:] for die in self.rolled]
        return new

    def to_json(self) -> dict[str, Any]:
        """The side as JSON; only what differs from a side that has done nothing."""
        data = {name: getattr(self, name) for name in _SIDE_FIELDS}
        data["steps"] = [dict(step) for step in self.steps]
        data["rolled"] = [die[:] for die in self.rolled]
        return {name: value for name, value in data.items() if value != _NOTHING_DONE[name]}


_SIDE_FIELDS = tuple(name.name for name in fields(Side))
_IDLE = Side()
_NOTHING_DONE = {name: getattr(_IDLE, name) for name in _SIDE_FIELDS}


@dataclass(slots=True, eq=False)
class Battle:
    """Who fights where, and what has happened so far in this battle."""

    attacker: int = 0
    """The attacking seat."""
    start: int = 0
    """The place of the attacking army and its rearguard."""
    target: int = 0
    """The place of the defending army."""
    rear: int = 0
    """Figures of the rearguard: they are no part of the battle."""
    rear_chars: int = 0
    """Characters of the rearguard."""
    round: int = 0
    """The combat round, 0 before the first."""
    rounds: int = 1
    """How many rounds a siege battle has without an elite being reduced."""
    no_cease: bool = False
    """The attacker may not cease the attack (a card)."""
    free_card_needs_companion: bool = False
    """In the first round the Free Peoples need a companion in the battle for a combat card (a card)."""
    shadow_dice_less: int = 0
    """Dice that the Shadow's combat rolls lack in this battle (a card); one always stays."""
    negated: bool = False
    """Gandalf the White negates all Nazgul leadership in this battle."""
    witch_king_draws: int = -1
    """The deck that the Shadow draws from after this round for the Witch-king (2: either), -1 for none."""
    ended: str = ""
    """How the battle ended, "" while it goes on: see :mod:`combat`."""
    step: str = ""
    """The step of the round, for screens: card, roll, reroll, casualties, end."""
    sides: list[Side] = field(default_factory=lambda: [Side(), Side()])

    @property
    def defender(self) -> int:
        """The defending seat."""
        return 1 - self.attacker

    @property
    def region(self) -> int:
        """The region in which the battle is fought."""
        return region_of(self.target)

    @property
    def siege(self) -> bool:
        """Whether it is a siege battle: the defenders are inside a stronghold."""
        return bool(BOXES >> self.target & 1)

    @property
    def sortie(self) -> bool:
        """Whether the attackers come out of a besieged stronghold."""
        return bool(BOXES >> self.start & 1)

    def place_of(self, seat: int) -> int:
        """Where the army of a seat stands."""
        return self.start if seat == self.attacker else self.target

    def new_round(self) -> None:
        """Forget what holds for one round only."""
        self.sides = [Side(), Side()]
        self.witch_king_draws = -1
        self.step = "card"

    def copy(self) -> Battle:
        """An independent copy."""
        new = Battle.__new__(Battle)
        for name in _FIELDS:
            setattr(new, name, getattr(self, name))
        new.sides = [side.copy() for side in self.sides]
        return new

    def to_json(self) -> dict[str, Any]:
        """The battle as JSON: places, figures and characters by their ids."""
        # state_json imports this module, so what needs figures and places by name is imported late
        from referee.games.war_of_the_ring.box.components import CHARACTERS, SEATS
        from referee.games.war_of_the_ring.box.map import PLACES, places_in
        from referee.games.war_of_the_ring.state.armies import GROUP

        data: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        data["attacker"] = SEATS[self.attacker]
        data["start"], data["target"] = PLACES[self.start], PLACES[self.target]
        data["rear"] = dict(GROUP[self.rear].counts)
        data["rear_chars"] = [CHARACTERS[c] for c in places_in(self.rear_chars)]
        data["sides"] = {seat: side.to_json() for seat, side in zip(SEATS, self.sides, strict=True)}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Battle:
        """The battle that :meth:`to_json` wrote.  Raises KeyError or TypeError for what is none."""
        from referee.games.war_of_the_ring.box.components import CHARACTER, SEATS
        from referee.games.war_of_the_ring.box.map import PLACE, mask_of
        from referee.games.war_of_the_ring.state.armies import pack

        battle = cls(**data)
        battle.attacker = SEATS.index(data["attacker"])
        battle.start, battle.target = PLACE[data["start"]], PLACE[data["target"]]
        battle.rear = pack(data["rear"])
        battle.rear_chars = mask_of(*(CHARACTER[name] for name in data["rear_chars"]))
        battle.sides = [Side(**data["sides"][seat]).copy() for seat in SEATS]
        return battle


_FIELDS = tuple(name.name for name in fields(Battle))

"""A running combat: who fights whom, where, with which cards, and what this round has brought.

The flow in :mod:`combat` owns it; it lies in ``state.combat`` so that a game can
restart before any combat round and screens can show every step of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box.components import SEATS, THORIN, UNITS
from referee.games.five_armies.box.map import BIT, PLACE, PLACES, TERRITORY, places_in
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import MIGHTY_STROKES_CARD

NO_CARD = -1
REGROUP, MIGHTY_STROKES, VAMPIRE_LIKE, EVENT_CARD = range(len(UNITS), len(UNITS) + 4)
CARDS: tuple[str, ...] = (*UNITS, "regroup", "thorins_mighty_strokes", "vampire_like", "event_card")
"""Manoeuvre cards by number: the unit cards, Regroup, the two special ones, and any Event card."""
CARD: Mapping[str, int] = {name: number for number, name in enumerate(CARDS)}
UNIT_CARDS = (1 << len(UNITS)) - 1

ROUND_STEPS = ("manoeuvre", "roll", "reroll", "damage", "end")


class Side:
    """One side of a combat.

    ``hand`` are the bits of the unit and special cards taken to hand for this
    combat, ``used`` those of them that lie open.  ``leadership`` fixes the
    army's leadership for this combat (-1: it is counted).  The rest lasts a
    round: ``card`` and the combat ``effect`` of an Event card; ``rolled`` lists
    ``[1 if black else 0, face, hit, re-rolled]`` of each die; ``hits`` their
    hits; ``ability`` tells whether the ability of the unit card may be used and
    ``uses`` whether it is; ``suffered`` is the damage dealt to this side so
    far, ``guarded`` that a Bodyguard wards it off.
    """

    __slots__ = (
        "ability",
        "card",
        "dice",
        "effect",
        "effect_spent",
        "guarded",
        "hand",
        "hits",
        "leadership",
        "rolled",
        "suffered",
        "target",
        "target_rule",
        "used",
        "uses",
    )

    def __init__(self) -> None:
        self.hand: int = 0
        self.used: int = 0
        self.leadership: int = -1
        self.new_round()

    def new_round(self) -> None:
        """Forget the last round."""
        self.card: int = NO_CARD
        self.effect: str = ""
        self.effect_spent: bool = False
        self.dice: int = 0
        self.target: int = 0
        self.target_rule: str = ""
        self.rolled: list[list[Any]] = []
        self.hits: int = 0
        self.ability: bool = False
        self.uses: bool = False
        self.suffered: int = 0
        self.guarded: bool = False

    def copy(self) -> Side:
        """An independent copy."""
        new = Side.__new__(Side)
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        new.rolled = [die[:] for die in self.rolled]
        return new

    def to_json(self) -> dict[str, Any]:
        """As plain JSON data."""
        data = {name: getattr(self, name) for name in self.__slots__}
        data["hand"] = [CARDS[card] for card in places_in(self.hand)]
        data["used"] = [CARDS[card] for card in places_in(self.used)]
        data["card"] = None if self.card == NO_CARD else CARDS[self.card]
        data["rolled"] = [die[:] for die in self.rolled]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Side:
        """What :meth:`to_json` wrote."""
        new = cls()
        for name in cls.__slots__:
            setattr(new, name, data[name])
        new.hand = sum(1 << CARD[name] for name in data["hand"])
        new.used = sum(1 << CARD[name] for name in data["used"])
        new.card = NO_CARD if data["card"] is None else CARD[data["card"]]
        new.rolled = [list(die) for die in data["rolled"]]
        return new


class Battle:
    """A combat.

    ``armies`` is the mask of places whose armies take part on the attacker's
    side (several in a combined attack), ``source`` the one that fights this
    round, ``fought`` those that have already fought a round, for ford and
    slope.  ``beorn`` tells that Beorn is the Free Peoples' side of it.
    ``sides`` goes by seat.  ``step`` is the step of the round, for screens.
    """

    __slots__ = (
        "armies",
        "attacker",
        "beorn",
        "combined",
        "fought",
        "no_retreat_in_round",
        "round",
        "sides",
        "source",
        "step",
        "sure_superiority",
        "target",
    )

    def __init__(self, attacker: int, armies: int, target: int) -> None:
        self.attacker = attacker
        self.armies = armies
        self.combined = armies & (armies - 1) != 0
        self.source = armies.bit_length() - 1
        self.target = target
        self.beorn = False
        self.fought: int = 0
        self.round: int = 0
        self.step: str = ""
        self.no_retreat_in_round: int = 0
        self.sure_superiority: bool = False
        self.sides: tuple[Side, Side] = (Side(), Side())

    @property
    def defender(self) -> int:
        """The defending seat."""
        return 1 - self.attacker

    def place_of(self, seat: int) -> int:
        """Where the army (or Beorn) of a seat stands that fights this round."""
        return self.source if seat == self.attacker else self.target

    def copy(self) -> Battle:
        """An independent copy."""
        new = Battle.__new__(Battle)
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        new.sides = (self.sides[0].copy(), self.sides[1].copy())
        return new

    def to_json(self) -> dict[str, Any]:
        """As plain JSON data."""
        data = {name: getattr(self, name) for name in self.__slots__}
        data["attacker"] = SEATS[self.attacker]
        data["armies"] = [PLACES[place] for place in places_in(self.armies)]
        data["fought"] = [PLACES[place] for place in places_in(self.fought)]
        data["source"] = PLACES[self.source]
        data["target"] = PLACES[self.target]
        data["sides"] = {seat: self.sides[i].to_json() for i, seat in enumerate(SEATS)}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Battle:
        """What :meth:`to_json` wrote."""
        new = cls.__new__(cls)
        for name in cls.__slots__:
            setattr(new, name, data[name])
        new.attacker = SEATS.index(data["attacker"])
        new.armies = sum(1 << PLACE[name] for name in data["armies"])
        new.fought = sum(1 << PLACE[name] for name in data["fought"])
        new.source = PLACE[data["source"]]
        new.target = PLACE[data["target"]]
        new.sides = (Side.from_json(data["sides"]["free"]), Side.from_json(data["sides"]["shadow"]))
        return new


def take_cards(state: State, battle: Battle) -> None:
    """Both players take the unit cards of the units in the combat and the special cards that fit (p. 26).

    Regroup needs no note: it is always at hand.
    """
    attacking = 0
    for place in places_in(battle.armies):
        attacking |= _unit_cards(state, place)
    battle.sides[battle.attacker].hand = attacking
    battle.sides[battle.defender].hand = _unit_cards(state, battle.target)
    free, shadow = battle.sides
    if battle.beorn:
        free.hand = 0
    elif MIGHTY_STROKES_CARD in state.table_cards and _thorin_takes_part(state, battle):
        free.hand |= 1 << MIGHTY_STROKES
    if state.bats[TERRITORY[battle.target]]:
        shadow.hand |= 1 << VAMPIRE_LIKE


def _unit_cards(state: State, place: int) -> int:
    cards = 0
    for unit in ARMY[state.units[place]].types:
        cards |= 1 << unit
    return cards


def _thorin_takes_part(state: State, battle: Battle) -> bool:
    where = state.where[THORIN]
    if where < 0:
        return False
    mine = battle.armies if battle.attacker == 0 else BIT[battle.target]
    return bool(mine >> where & 1)

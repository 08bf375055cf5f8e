"""What cards do in battle, as data: their conditions and their steps, and which cards a hand may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.components import box_data
from referee.games.war_of_the_ring.box.map import IN_NATION, OF_SEAT, PLACE, REACH
from referee.games.war_of_the_ring.rules.fighting import characters, force, has_nazgul, nazgul_leadership
from referee.games.war_of_the_ring.state.armies import GROUP, NATION_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.battle import Battle, Side
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS_OF
from referee.games.war_of_the_ring.state.state import State

_DATA: Mapping[str, Mapping[str, Any]] = box_data("combat_cards")["effects"]
STEPS: Mapping[str, Sequence[Mapping[str, Any]]] = {name: tuple(e["steps"]) for name, e in _DATA.items()}
"""The steps of each combat effect: ``at`` its timing number, ``do`` a primitive, and its arguments."""
NEEDS: Mapping[str, str] = {name: entry.get("needs", "") for name, entry in _DATA.items()}
"""The condition of each combat effect, "" for none."""

KINGS = 1 << box.STRIDER | 1 << box.ARAGORN
GANDALF = 1 << box.GANDALF_GREY | 1 << box.GANDALF_WHITE
ENT_COUNTRY = IN_NATION[box.ROHAN] | 1 << PLACE["fangorn"] | 1 << PLACE["orthanc"]
NEAR_MORIA = REACH[PLACE["moria"], 2]


def _companions(mask: int) -> Callable[[State, Battle], bool]:
    return lambda state, battle: bool(characters(state, battle, box.FREE) & mask)


def _elites(seat: int) -> Callable[[State, Battle], bool]:
    return lambda state, battle: GROUP[force(state, battle, seat)].elites > 0


def _isengard_in_siege(state: State, battle: Battle) -> bool:
    there = force(state, battle, box.SHADOW) & NATION_BITS[box.ISENGARD] & UNIT_BITS
    return battle.siege and bool(there)


def _leader_or_companion(state: State, battle: Battle) -> bool:
    return GROUP[force(state, battle, box.FREE)].leaders > 0 or bool(
        characters(state, battle, box.FREE) & box.COMPANIONS
    )


CONDITIONS: Mapping[str, Callable[[State, Battle], bool]] = {
    "": lambda s, b: True,
    "fellowship_there": lambda s, b: s.mordor < 0 and s.ring == b.region,
    "hobbit": _companions(box.HOBBITS),
    "companion": _companions(box.COMPANIONS),
    "gandalf": _companions(GANDALF),
    "king": _companions(KINGS),
    "leader_or_companion": _leader_or_companion,
    "ent_country": lambda s, b: bool(ENT_COUNTRY >> b.region & 1),
    "free_nation": lambda s, b: bool(OF_SEAT[box.FREE] >> b.region & 1),
    "defends_in_field": lambda s, b: b.defender == box.FREE and not b.siege,
    "free_elite": _elites(box.FREE),
    "shadow_elite": _elites(box.SHADOW),
    "southron_elite": lambda s, b: count(force(s, b, box.SHADOW), box.ELITE[box.SOUTHRONS]) > 0,
    "nazgul": has_nazgul,
    "nazgul_leadership_1": lambda s, b: nazgul_leadership(s, b) >= 1,
    "nazgul_leadership_2": lambda s, b: nazgul_leadership(s, b) >= 2,
    "near_moria": lambda s, b: bool(NEAR_MORIA >> b.region & 1),
    "isengard_and_stronghold": _isengard_in_siege,
}
"""Condition name to whether it holds in a battle."""


def met(state: State, battle: Battle, effect: str) -> bool:
    """Whether a card with this combat effect may be used now."""
    return CONDITIONS[NEEDS[effect]](state, battle)


def steps_of(side: Side) -> Sequence[Mapping[str, Any]]:
    """What the card of a side does in this round."""
    return STEPS[side.effect] if side.effect else side.steps


def _by_condition(seat: int, deck: int) -> tuple[tuple[str, int], ...]:
    masks: dict[str, int] = {}
    for card in CARDS_OF[seat]:
        if card.deck == deck:
            needs = NEEDS[card.combat]
            masks[needs] = masks.get(needs, 0) | CARD_BIT[card.id]
    return tuple(sorted(masks.items()))


BY_CONDITION = tuple(tuple(_by_condition(seat, deck) for deck in range(2)) for seat in range(2))
"""``BY_CONDITION[seat][deck]``: pairs of a condition and the mask of the cards that have it."""


def usable(state: State, battle: Battle, seat: int, deck: int) -> int:
    """Mask of the cards with this back that may be in the hand and whose condition holds."""
    unseen = ~state.shown[seat]
    found = 0
    for needs, mask in BY_CONDITION[seat][deck]:
        if mask & unseen and CONDITIONS[needs](state, battle):
            found |= mask
    return found & unseen


def any_usable(state: State, battle: Battle, seat: int, deck: int) -> bool:
    """Whether a card with this back could be used."""
    unseen = ~state.shown[seat]
    pairs = BY_CONDITION[seat][deck]
    return any(mask & unseen and CONDITIONS[needs](state, battle) for needs, mask in pairs)

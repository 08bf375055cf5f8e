"""Cards that stay in play and change how armies fight (``state.table_cards``), and the cards of a combat."""

from __future__ import annotations

from referee.games.five_armies.box.components import FREE, THORIN
from referee.games.five_armies.box.map import BIT, TERRITORY, places_in
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import MIGHTY_STROKES, VAMPIRE_LIKE, Battle
from referee.games.five_armies.state.state import State

GIANT_SIZE = "giant_size"
ROARING_VOICE = "roaring_voice"
NOT_KINDLY_BIRDS = "eagles_are_not_kindly_birds"
FURY_OF_THE_DWARVES = "fury_of_the_dwarves"
MIGHTY_STROKES_CARD = "mighty_strokes"
SHINING_ARMOUR = "shining_armour"
LUCKY_NUMBER = "lucky_number"
FLYING_ARROWS = "flying_arrows_and_wild_spears"
TROUBLED_MIND = "troubled_mind"
HOWLING_ORCS = "howling_orcs"

STORY_ON_TABLE = ({LUCKY_NUMBER}, {FLYING_ARROWS, TROUBLED_MIND, HOWLING_ORCS})
"""For each seat the Story cards that stay in play."""


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
    mine = battle.armies if battle.attacker == FREE else BIT[battle.target]
    return bool(mine >> where & 1)

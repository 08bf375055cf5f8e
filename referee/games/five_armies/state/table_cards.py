"""Ids of the cards that stay in play and change how armies fight, for ``state.table_cards``."""

from __future__ import annotations

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


def orcs_on_card(state: State) -> int:
    """Orcs that lie on the card Flying Arrows and Wild Spears: neither on the board nor in the supply."""
    memory = state.table_cards.get(FLYING_ARROWS)
    return int(memory.get("orcs", 0)) if memory else 0

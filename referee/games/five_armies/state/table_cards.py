"""Cards that stay in play and change how armies fight (``state.table_cards``)."""

from __future__ import annotations

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

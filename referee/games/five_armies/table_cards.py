"""Ids of the cards that stay in play and change how armies fight, for ``state.table_cards``."""

from __future__ import annotations

GIANT_SIZE = "fate_1"
ROARING_VOICE = "fate_3"
NOT_KINDLY_BIRDS = "fate_6"
FURY_OF_THE_DWARVES = "fate_7"
MIGHTY_STROKES_CARD = "fate_8"
SHINING_ARMOUR = "fate_9"
LUCKY_NUMBER = "free_2"
FLYING_ARROWS = "shadow_5"
TROUBLED_MIND = "shadow_6"
HOWLING_ORCS = "shadow_10"

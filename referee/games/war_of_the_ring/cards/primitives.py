"""All primitives gathered: importing this module makes every program run."""

from __future__ import annotations

from referee.games.war_of_the_ring.cards import (
    effects_armies,
    effects_cards,
    effects_march,
    effects_recruit,
    effects_ring,
)
from referee.games.war_of_the_ring.cards.effects import PRIMITIVES, Running, run_program

__all__ = [
    "PRIMITIVES",
    "Running",
    "effects_armies",
    "effects_cards",
    "effects_march",
    "effects_recruit",
    "effects_ring",
    "run_program",
]

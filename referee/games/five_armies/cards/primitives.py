"""All primitives gathered: importing this module makes every program run."""

from __future__ import annotations

from referee.games.five_armies.cards import (
    effects_armies,
    effects_characters,
    effects_march,
    effects_recruiting,
)
from referee.games.five_armies.cards.effects import PRIMITIVES, SELECTORS, Running, run_program

__all__ = [
    "PRIMITIVES",
    "SELECTORS",
    "Running",
    "effects_armies",
    "effects_characters",
    "effects_march",
    "effects_recruiting",
    "run_program",
]

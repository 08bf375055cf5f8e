"""The Battle of Five Armies: one module a chapter of the rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.kernel.messages import register
from referee.kernel.naming import GameTexts

if TYPE_CHECKING:
    from referee.games.five_armies.game import GAME

__all__ = ["GAME"]

register("five_armies", GameTexts(Path(__file__).parent / "texts" / "checks", "five_armies"))


def __getattr__(name: str) -> Any:
    """``GAME`` is made when somebody asks for it, so that parts can be imported by themselves."""
    if name == "GAME":
        from referee.games.five_armies.game import GAME

        return GAME
    raise AttributeError(name)

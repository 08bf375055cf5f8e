"""Fall of the Mountain King: one module a chapter of the rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.kernel.messages import register
from referee.kernel.naming import GameTexts

if TYPE_CHECKING:
    from referee.games.mountain_king.game import GAME

__all__ = ["GAME"]

register("mountain_king", GameTexts(Path(__file__).parent / "texts" / "checks", "mountain_king"))


def __getattr__(name: str) -> Any:
    """``GAME`` is made when somebody asks for it, so that parts can be imported by themselves."""
    if name == "GAME":
        from referee.games.mountain_king.game import GAME

        return GAME
    raise AttributeError(name)

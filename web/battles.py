"""Battles that are kept at this table, as a choice for the next game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration.battles import BattleShelf
from referee.kernel.capabilities import MakesBattles
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from web.context import Web

KEPT = "kept:"
"""What stands in front of the name of a kept battle, where a battle is chosen."""


def battle_name(data: Mapping[str, Any], language: str) -> str:
    """The name of a battle."""
    names = data.get("name", {})
    return str(names.get(language) or names.get("en") or data["id"])


def kept_battles(web: Web, game: Any, language: str) -> list[dict[str, str]]:
    """The battles of a game that are kept at this table, as options of a form."""
    shelf = _shelf(web, game)
    if shelf is None:
        return []
    return [{"value": f"{KEPT}{one.id}", "text": battle_name(one.data, language)} for one in shelf.kept()]


def chosen_battle(web: Web, game: Any, value: str) -> str:
    """The file of a chosen battle that is kept here.  Raises :class:`InvalidAnswer` where there is none."""
    shelf = _shelf(web, game)
    if shelf is None:
        raise InvalidAnswer(Text("calibration.no_battles"))
    return shelf.kept_text(value.removeprefix(KEPT))


def _shelf(web: Web, game: Any) -> BattleShelf | None:
    bench = getattr(web.hall, "workbench", None)
    if bench is None or not isinstance(game, MakesBattles):
        return None
    shelf: BattleShelf = bench.battles(game)
    return shelf

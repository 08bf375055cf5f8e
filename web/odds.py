"""Odds for the seats of the table: on request, where its house rule lets them, never in a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.hall.table import Table
from referee.kernel.capabilities import ReckonsOdds
from referee.kernel.errors import NotYourTurn
from referee.kernel.odds import may_be_told
from referee.kernel.requests import Request


def tells_odds(table: Table) -> ReckonsOdds | None:
    """The game on the table, where its seats may be told odds."""
    game = table.play.game
    return game if isinstance(game, ReckonsOdds) and may_be_told(table.header) else None


def odds_known(table: Table, state: Any, request: Request | None) -> bool:
    """Whether a seat may ask for odds here: a fight is on, or may begin by the answer to ``request``."""
    game = tells_odds(table)
    return game is not None and table.outcome is None and game.odds_known(state, request)


def odds_at(table: Table, seat: str, values: Sequence[Any], language: str) -> list[Mapping[str, Any]] | None:
    """The fights where a draft of ``seat`` leads, or that run; None where the table tells no odds."""
    game = tells_odds(table)
    if game is None:
        return None
    try:
        preview = table.preview(seat, values, language=language)
    except NotYourTurn:
        return list(game.odds(table.play.state, None, language))
    return list(game.odds(preview.play.state, preview.request, language))

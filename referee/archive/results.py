"""How a recorded game ended."""

from __future__ import annotations

from typing import Any

from referee.journal.line import line_of, replay
from referee.journal.standing import Standing
from referee.kernel.play import Outcome
from referee.kernel.registry import load_game
from referee.store.recover import Loaded


def outcome_of(loaded: Loaded) -> Any:
    """The outcome of a game as recorded (None: it still runs)."""
    game = load_game(loaded.header["game"])
    loser = Standing.of(loaded.events).resigned
    if loser is not None:
        others = [seat for seat in game.seats if seat != loser]
        return Outcome(others[0] if len(others) == 1 else None, "table.resignation", {"seat": loser})
    return replay(game, loaded.header["options"], line_of(loaded.events), {})[0].outcome

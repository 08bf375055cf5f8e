"""How a recorded game ended."""

from __future__ import annotations

from referee.journal.line import line_of, replay
from referee.journal.standing import Standing
from referee.kernel.at_table import game_of
from referee.kernel.play import Outcome
from referee.kernel.seats import seats_of
from referee.store.recover import Loaded


def outcome_of(loaded: Loaded) -> Outcome | None:
    """The outcome of a game as recorded (None: it still runs)."""
    game = game_of(loaded.header)
    resigned = Standing.of(loaded.events).outcome(seats_of(game, loaded.header), None)
    if resigned is not None:
        return resigned
    return replay(game, loaded.header["options"], line_of(loaded.events), {})[0].outcome

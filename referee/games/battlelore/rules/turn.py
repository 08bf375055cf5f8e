"""The turn in five phases, each a restart point: command, activation, movement, combat, drawing."""

from __future__ import annotations

from referee.games.battlelore.rules.combat import combat_phase
from referee.games.battlelore.rules.command import command_phase, order_phase
from referee.games.battlelore.rules.drawing import draw_phase
from referee.games.battlelore.rules.movement import move_phase
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask
from referee.games.kit.turn import turns

PHASES = (command_phase, order_phase, move_phase, combat_phase, draw_phase)


def play_turns(state: State) -> Ask:
    """Turn after turn until somebody has won."""
    yield from turns(state, PHASES)

"""Turns in six phases, each a restart point, until somebody wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.games.kit.asking import Ask
from referee.kernel.play import MILESTONE


class GameEnds(Exception):
    """A victory condition is met; the state says which.  Stops the flow."""


def turns(state: Any, phases: Sequence[Callable[[Any], Ask]]) -> Ask:
    """Turn after turn, each from the phase that ``state.phase`` (1 for the first) names, without end.

    ``state`` has a ``turn``, a ``phase`` and a ``step`` inside the phase, which
    is emptied after it.
    """
    while True:
        yield MILESTONE
        yield from phases[state.phase - 1](state)
        state.step = ""
        if state.phase == len(phases):
            state.phase = 1
            state.turn += 1
        else:
            state.phase += 1

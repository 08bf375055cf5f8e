"""The table of actions that symbols on dice allow: its lines, masks of them, and why the others do not go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.games.kit.asking import Ask
from referee.games.kit.places import IdTuples
from referee.kernel.refusals import Refusal

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Action(Generic[S]):
    """One line of the table: who may do it with which symbols, its rule, and how it is done.

    ``perform(state, seat, face)`` carries it out.
    """

    id: str
    seats: tuple[int, ...]
    symbols: int
    rule: str
    perform: Callable[[S, int, int], Ask]


def do_nothing(state: object, seat: int, face: int) -> Ask:
    """The die is set aside without effect."""
    return
    yield


def names_of(actions: Sequence[Action[S]]) -> IdTuples:
    """Mask of actions to the tuple of their ids."""
    return IdTuples([action.id for action in actions])


def refused_actions(
    actions: Sequence[Action[S]], seat: int, mask: int, why: Callable[[Action[S]], Refusal]
) -> list[tuple[str, Refusal]]:
    """Every action of a seat that is not in ``mask``, and why."""
    return [
        (action.id, why(action))
        for n, action in enumerate(actions)
        if not mask >> n & 1 and seat in action.seats
    ]

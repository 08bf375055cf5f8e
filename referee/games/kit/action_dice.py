"""Action dice of two seats: counts of unused and used dice by face, choosing one and spending it.

The state has ``unused`` and ``used``, for each seat how many dice show each face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.games.kit.asking import Ask
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, unless_forced


class DieOptions(dict[int, tuple[str, ...]]):
    """Mask of faces, and of what else may be chosen in bits behind them, to the options of a request."""

    def __init__(self, faces: Sequence[str], others: Sequence[str]) -> None:
        super().__init__()
        self._names = (*faces, *others)

    def __missing__(self, mask: int) -> tuple[str, ...]:
        self[mask] = options = tuple(name for bit, name in enumerate(self._names) if mask >> bit & 1)
        return options


def lay_out(state: Any, seat: int, faces: Sequence[str], rolled: Iterable[str]) -> None:
    """The dice just rolled lie there unused."""
    dice = [0] * len(faces)
    for face in rolled:
        dice[faces.index(face)] += 1
    state.unused[seat] = dice
    state.used[seat] = [0] * len(faces)


def spend(state: Any, seat: int, face: int) -> None:
    """One die is used."""
    state.unused[seat][face] -= 1
    state.used[seat][face] += 1


def mask_of_faces(dice: Sequence[int]) -> int:
    """The mask of the faces that some dice show."""
    mask = 0
    for face, number in enumerate(dice):
        if number:
            mask |= 1 << face
    return mask


def choose_die(
    seat: str, options: tuple[str, ...], rule: str, refused: Callable[[], list[tuple[str, Refusal]]]
) -> Ask:
    """The die (or what else may be chosen) of a seat; without a question where there is only one."""
    request = ChooseOne(
        seat, "prompt.choose_die", options, domain="die", rule=rule, refused=refused, at_once=("pass",)
    )
    chosen = yield unless_forced(request)
    return chosen


def why_not_faces(
    state: Any, seat: int, faces: Sequence[str], on_die: Iterable[str], used_rule: str, symbol_rule: str
) -> list[tuple[str, Refusal]]:
    """Every face of a die that no unused one shows: those dice were used, or there was none."""
    refused = []
    for face, name in enumerate(faces):
        if not state.unused[seat][face] and name in on_die:
            used = state.used[seat][face]
            rule, reason = (used_rule, "die_used") if used else (symbol_rule, "no_such_die")
            refused.append((name, Refusal(rule, reason, {"face": name})))
    return refused

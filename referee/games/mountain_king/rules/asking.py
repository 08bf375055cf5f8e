"""Questions as this game asks them: seats and places by index, what only one answer fits is not asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.games.kit.asking import Ask, Asker, Refused, refuse_all
from referee.games.mountain_king.box.components import OPTIONS, PLACE, PLACES, SEATS
from referee.games.mountain_king.state.state import FRAY, State, playing
from referee.kernel.play import SeatLeft
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Report, Request, unless_forced

ASKER = Asker(SEATS, OPTIONS, PLACE)
choose = ASKER.choose
choose_place = ASKER.choose_place
ask_whether = ASKER.ask_whether
NUMBERS = tuple(map(str, range(100)))
NONE = "none"


def number(
    seat: int, prompt: str, least: int, most: int, *, rule: str, about: Mapping[str, Any] | None = None,
    refused: Refused | None = None,
) -> Ask:  # fmt: skip
    """A number from the least to the most."""
    numbers = NUMBERS[least : max(least, most) + 1]
    answer = yield from choose(
        seat, prompt, numbers, domain="number", about=about or {}, rule=rule, refused=refused
    )
    return int(answer)


def beyond(most: int, refusal: Callable[[], Refusal], reach: int = 1) -> Refused:
    """Numbers past the most, refused: so many."""
    return lambda: [(NUMBERS[n], refusal()) for n in range(most + 1, most + 1 + reach)]


def report(
    state: State, prompt: str, options: Sequence[str], *, rule: str, domain: str,
    about: Mapping[str, Any] | None = None, weights: Sequence[int] | None = None,
    refused: Refused | None = None, otherwise: Callable[[str], Refusal | None] | None = None,
) -> Ask:  # fmt: skip
    """What a draw showed: whoever acts tells it, between turns the start player."""
    while True:
        seat = teller(state)
        try:
            answer = yield unless_forced(
                Report(
                    SEATS[seat], prompt, options, weights=weights, domain=domain, about=about or {},
                    rule=rule, refused=refused, otherwise=otherwise,
                )
            )  # fmt: skip
        except SeatLeft:
            if state.phase == FRAY:
                raise
            continue  # the next one tells it
        return answer


def teller(state: State) -> int:
    """Who tells what was drawn."""
    if state.phase == FRAY and not state.left >> state.active & 1:
        return state.active
    return playing(state)[0]


def of_another(state: State, seat: int, request: Request, otherwise: Any) -> Ask:
    """Ask a seat in another's turn; who has left, or leaves at this question, is answered for."""
    if state.left >> seat & 1:
        return otherwise
    try:
        answer = yield request
    except SeatLeft:
        return otherwise
    return answer


def why_each(mask: int, why: Callable[[int], Refusal | None]) -> Refused:
    """The refusals of all places of a mask, reckoned when somebody looks."""
    names = PLACES

    def refused() -> list[tuple[str, Refusal]]:
        return refuse_all(names, lambda place: why(place) if mask >> place & 1 else None)

    return refused

"""The requests this game makes more than once, and what the box book does not tell.

All of them are the house's kinds of request; here they only get this game's
manners: a fast random answer, and questions about what is printed on the
owner's components.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import DICE, SEATS
from referee.games.five_armies.box.map import OPTIONS, PLACE
from referee.games.five_armies.state.state import State
from referee.games.kit.asking import Ask, Asker, ChooseExactly, ChooseWithDefault, draw_some, refuse_all
from referee.kernel.play import Milestone
from referee.kernel.requests import BoxQuestion, Request, RollDice

__all__ = [
    "NUMBERS",
    "Ask",
    "ChooseExactly",
    "ChooseWithDefault",
    "box_value",
    "choose",
    "choose_place",
    "draw_some",
    "place_or_stop",
    "refuse_all",
    "roll_dice",
]

ASKER = Asker(SEATS, OPTIONS, PLACE)
choose, choose_place, place_or_stop = ASKER.choose, ASKER.choose_place, ASKER.place_or_stop


def box_value(
    state: State,
    key: str,
    seat: int,
    prompt: str,
    options: Sequence[str],
    about: Mapping[str, Any],
    rule: str,
) -> Ask:
    """The value ``key`` of the box book; where it is absent the table is asked, and the state remembers.

    Returns one of ``options`` (a string).
    """
    value = state.values.get(key)
    if value is None:
        value = yield BoxQuestion(
            SEATS[seat], prompt, options, domain="box_book", about={**about, "key": key}, rule=rule
        )
        state.values[key] = value
    return str(value)


NUMBERS = tuple(str(number) for number in range(201))
"""Number words for options: ``NUMBERS[:4]`` is 0 to 3; up to what an army without a limit may have."""


def roll_dice(
    seat: int, prompt: str, number: int, about: Mapping[str, Any], rule: str
) -> Generator[Request | Milestone, Any, list[int]]:
    """Roll ``number`` combat dice where their colour does not matter, ten at a time; returns their pips."""
    pips: list[int] = []
    while number > 0:
        white, black = min(number, 5), min(max(number - 5, 0), 5)
        dice = {"combat_white": white, "combat_black": black} if black else {"combat_white": white}
        rolled = yield RollDice(SEATS[seat], prompt, dice, DICE, about=about, rule=rule)
        for faces in rolled.values():
            pips.extend(map(int, faces))
        number -= white + black
    return pips

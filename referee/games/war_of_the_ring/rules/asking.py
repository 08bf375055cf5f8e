"""The requests this game makes more than once.

All of them are the house's kinds of request; here they only get this game's
manners: quick random answers and the common shapes of a choice.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from referee.games.kit.asking import Ask, Pick, Refused
from referee.games.war_of_the_ring.box.components import COMBAT_DIE, DICE, SEATS
from referee.games.war_of_the_ring.box.map import OPTIONS, PLACE
from referee.kernel.play import Milestone
from referee.kernel.requests import ChooseOne, Request, RollDice

__all__ = [
    "NO",
    "YES",
    "Ask",
    "Pick",
    "Refused",
    "ask_whether",
    "choose",
    "choose_place",
    "roll_combat_dice",
]

NO, YES = "no", "yes"


def choose_place(
    seat: int,
    prompt: str,
    places: int,
    *,
    rule: str,
    about: Mapping[str, Any] | None = None,
    refused: Refused | None = None,
    ask_forced: bool = False,
) -> Ask:
    """Choose one place of a mask; returns its index.  A single place is taken without asking."""
    if not ask_forced and places & (places - 1) == 0 and places:
        return places.bit_length() - 1
    chosen = yield ChooseOne(
        SEATS[seat], prompt, OPTIONS[places], domain="place", about=about or {}, rule=rule, refused=refused
    )
    return PLACE[chosen]


def choose(
    seat: int,
    prompt: str,
    options: Sequence[str],
    *,
    rule: str,
    domain: str = "option",
    about: Mapping[str, Any] | None = None,
    refused: Refused | None = None,
) -> Ask:
    """Choose one of some ids; a single option is taken without asking."""
    if len(options) == 1:
        return options[0]
    chosen = yield ChooseOne(
        SEATS[seat], prompt, options, domain=domain, about=about or {}, rule=rule, refused=refused
    )
    return chosen


def ask_whether(
    seat: int, prompt: str, *, rule: str, about: Mapping[str, Any] | None = None
) -> Generator[Request | Milestone, Any, bool]:
    """Yes or no."""
    chosen = yield ChooseOne(SEATS[seat], prompt, (NO, YES), about=about or {}, rule=rule)
    return bool(chosen == YES)


def roll_combat_dice(
    seat: int, prompt: str, number: int, *, rule: str, about: Mapping[str, Any] | None = None
) -> Generator[Request | Milestone, Any, list[int]]:
    """Roll ``number`` combat dice (at most five lie in a roll); returns their pips."""
    pips: list[int] = []
    die = COMBAT_DIE[seat]
    while number > 0:
        part = min(number, 5)
        rolled = yield RollDice(SEATS[seat], prompt, {die: part}, DICE, about=about or {}, rule=rule)
        pips.extend(map(int, rolled[die]))
        number -= part
    return pips

"""The requests this game makes more than once.

All of them are the house's kinds of request; here they only get this game's
manners: quick random answers and the common shapes of a choice.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

# the modules of the game take these from here
from referee.games.kit.asking import NO as NO
from referee.games.kit.asking import YES as YES
from referee.games.kit.asking import Ask as Ask
from referee.games.kit.asking import Asker
from referee.games.kit.asking import ChooseWithDefault as ChooseWithDefault
from referee.games.kit.asking import Refused as Refused
from referee.games.war_of_the_ring.box.components import COMBAT_DIE, DICE, SEATS
from referee.games.war_of_the_ring.box.map import OPTIONS, PLACE
from referee.kernel.play import Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request, RollDice

ASKER = Asker(SEATS, OPTIONS, PLACE)
choose_place, choose, ask_whether = ASKER.choose_place, ASKER.choose, ASKER.ask_whether


def roll_combat_dice(
    seat: int,
    prompt: str,
    number: int,
    *,
    rule: str,
    about: Mapping[str, Any] | None = None,
    number_rule: str = "",
) -> Generator[Request | Milestone, Any, list[int]]:
    """Roll ``number`` combat dice (at most five lie in a roll); returns their pips.

    ``number_rule`` is the rule that says how many.
    """
    pips: list[int] = []
    die = COMBAT_DIE[seat]
    while number > 0:
        part = min(number, 5)
        rolled = yield RollDice(
            SEATS[seat],
            prompt,
            {die: part},
            DICE,
            about=about or {},
            rule=rule,
            wrong=lambda given, part=part: Refusal(  # type: ignore[misc]
                number_rule or rule, "dice_of_the_roll", {"count": part, "given": given}
            ),
        )
        pips.extend(map(int, rolled[die]))
        number -= part
    return pips

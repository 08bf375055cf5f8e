"""Why not?  What somebody attempts although the flow does not ask for it.

Most attempts are candidates of the open question and carry their refusal.  The others are words of
``attempts.yaml``: turning a card, a third gnome, honour for a fallen troll in a breach...  What the referee
does itself, scoring above all, is refused by the rule that it goes by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.games.kit.explaining import Found, Moment, Pairs, sharpener
from referee.games.kit.tables import read_table, refusals_of
from referee.games.mountain_king.box.components import SEATS
from referee.games.mountain_king.state.state import FRAY, State
from referee.games.mountain_king.words.notation import NOTATION
from referee.kernel.explain import ExplainHooks
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

ATTEMPTS: Mapping[str, Callable[[Any], Refusal | None]] = refusals_of(
    {
        word: {"rule": rule, "reason": ""} if isinstance(rule, str) else rule
        for word, rule in read_table(Path(__file__).with_name("attempts.yaml")).items()
    },
    {},
)
"""What a word attempts, and the rule against it."""
TURN_RULES: Mapping[str, str] = {
    "gnome_way": "invasion.leader_choice",
    "which_falls": "fallen.owner_chooses",
    "fallen_to_lair": "fallen.champion_lair",
    "consolation": "champion.consolation_order",
    "lair_pair": "setup.lair_order",
    "wild_pairs": "supply.wild_order",
}
"""The rule by which somebody else is asked, by prompt."""


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    at = Moment(play, request, words, pairs)
    refuse = ATTEMPTS.get(words.peek() or "")
    return None if refuse is None else refuse(at)


def turn_rule(play: Play[State], request: Request, words: str) -> str:
    """The rule by which another seat is asked now."""
    own = TURN_RULES.get(request.prompt.removeprefix("prompt."))
    return own or ("turn.order" if play.state.phase == FRAY else "turn.phases")


WORDS = ExplainHooks(
    NOTATION,
    SEATS,
    turn_rule=turn_rule,
    over_rule="endgame.winner",
    stuck=stuck,
    sharpen=sharpener({}),
)
"""The notation of moves, and what explains attempts at the wrong moment."""


def attempt_rules() -> Mapping[str, str]:
    """The rule of each word that attempts something, for tests and help."""
    found = {}
    for word, refuse in ATTEMPTS.items():
        refusal = refuse(None)
        if refusal is not None:
            found[word] = refusal.rule
    return found

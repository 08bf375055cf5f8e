"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here are those that come at a moment
when the flow asks something else, or nothing: a step of an earlier phase, a second attack, a move after the fight.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.battlelore.box.components import SEATS
from referee.games.battlelore.state.state import State
from referee.games.battlelore.words import notation
from referee.games.kit.explaining import Found, Pairs
from referee.kernel.explain import ExplainHooks
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

PHASE_OF: Mapping[str, int] = {"play": 1, "order": 2, "move": 3, "rush": 3, "fight": 4, "take": 5}
"""The phase in which a word's action is asked for."""
OVER: Mapping[str, str] = {
    "ground": "ground.may_advance",
    "pursue": "pursuit.needs_gaining_ground",
    "bonus_attack": "extra.one_bonus_attack",
    "battle_back": "bold.battle_back",
    "ignore": "bold.may_ignore_one_flag",
    "back": "retreat.one_hex_per_flag",
    ">": "move.once_per_turn",
    "x": "range.target_conditions",
    "lore": "lore.printed_phase",
    "react": "lore.reaction_cards",
    "power": "special.use_when_rolled",
    "store": "special.store_symbols",
}
"""What else may be attempted, and the rule that says when it comes."""


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    word = words.peek()
    if word is None:
        return None
    if word in PHASE_OF and request is not None:
        phase = play.state.phase
        rule = "setup.five_phases" if PHASE_OF[word] > phase else "setup.phase_finished_before_next"
        if PHASE_OF[word] != phase:
            return Refusal(rule, "other_phase_now", {"phase": str(phase)})
        return Refusal(request.rule, "first_this", {})
    if word in OVER:
        return Refusal(OVER[word], "not_now", {})
    return None


def sharpen(play: Play[State], request: Request, answer: object, refusal: Refusal, words: Words) -> Refusal:
    """Requests refuse with all that is known."""
    return refusal


def turn_rule(play: Play[State], request: Request, words: str) -> str:
    """The rule by which the other side is asked now."""
    in_fight = {
        "prompt.ignore_flags": "bold.may_ignore_one_flag",
        "prompt.retreat_to": "retreat.owner_chooses_hex",
        "prompt.battle_back": "bold.battle_back",
        "prompt.roll_back": "bold.battle_back_full_dice",
    }
    return in_fight.get(request.prompt, "setup.alternate_turns")


WORDS = ExplainHooks(
    notation.NOTATION,
    SEATS,
    turn_rule=turn_rule,
    over_rule="victory.immediate_end",
    stuck=stuck,
    sharpen=sharpen,
)
"""The notation of moves, and what explains attempts at the wrong moment."""

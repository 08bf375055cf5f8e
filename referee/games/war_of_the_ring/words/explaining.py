"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here
are those that come at a moment when the flow asks something else, or nothing: a
die that is not there, a third army, what went without a question.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.kit.explaining import DiceWords, Found, Moment, Pairs, last_action_rule, sharpener
from referee.games.war_of_the_ring.box.components import ACTION_DIE, DICE, FACE, SEATS
from referee.games.war_of_the_ring.rules import actions
from referee.games.war_of_the_ring.state.state import State
from referee.games.war_of_the_ring.words import explaining_battle, notation
from referee.kernel.explain import ExplainHooks
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

DICE_WORDS = DiceWords(
    SEATS,
    FACE,
    DICE,
    ACTION_DIE,
    used_rule="dice.used_aside",
    symbol_rule="dice.symbol",
    pass_rule="turn.pass",
)
STARTS = ("", "choose_die", "choose_action", "roll_action_dice", "draw_tile")
"""Questions that begin something new (or none): what was attempted before them is over."""
BEYOND: Mapping[str, str] = {
    "move_armies": "move.two_armies",
    "led_move": "move.led_by_character_die",
    "attack": "dice.army_attack",
    "led_attack": "dice.character_attack",
    "recruit": "recruit.two_figures",
    "move_fellowship": "fellowship.progress",
}
"""Where an action is over and more is attempted with the same die: the rule of that action."""


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    at = Moment(play, request, words, pairs)
    word = words.peek()
    if word is None:
        return None
    meant = notation.ALIASES.get(word, word)
    if word == "pass":
        return DICE_WORDS.passing(play, request)
    refused = _other_sides(request, meant)
    if refused is not None:
        return refused
    if meant in FACE and request is not None and at.asked("choose_action", "choose_die"):
        return DICE_WORDS.die(at.state, request, meant)
    found = explaining_battle.attempted(at)
    if found is not None:
        return found
    if pairs and at.asked(*STARTS) and _means_something(meant):
        return Refusal(last_action_rule(pairs, BEYOND, "turn.alternate"), "action_is_over")
    return None


def _means_something(meant: str) -> bool:
    known = any(meant in ids for ids in notation.VOCABULARY.values())
    return known or meant.isdigit() or meant in notation.ACTION_WORDS or meant in (">", "x")


def _other_sides(request: Request | None, word: str) -> Refusal | None:
    """An action that only the other side has."""
    if request is None or request.prompt != "prompt.choose_action":
        return None
    names = notation.NOTATION.style(request).renamed(request)
    seat = SEATS.index(request.seat)
    for action in actions.ACTIONS:
        if seat not in action.seats and word in (action.id, *names.get(action.id, "").split("|")):
            return Refusal(action.rule, "other_sides_action", dict(request.about))
    return None


def turn_rule(play: Play[State], request: Request, words: str) -> str:
    """The rule by which the other side is asked now."""
    in_battle = explaining_battle.TURN_RULES.get(request.prompt.removeprefix("prompt."))
    return in_battle or ("turn.alternate" if play.state.phase == 5 else "turn.phases")


WORDS = ExplainHooks(
    notation.NOTATION,
    SEATS,
    turn_rule=turn_rule,
    over_rule="victory.order",
    stuck=stuck,
    sharpen=sharpener({}),
)
"""The notation of moves, and what explains attempts at the wrong moment."""

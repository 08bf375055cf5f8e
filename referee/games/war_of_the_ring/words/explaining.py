"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here
are those that come at a moment when the flow asks something else, or nothing: a
die that is not there, a third army, what went without a question.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.kit.explaining import DiceWords, Found, Pairs, last_action_rule
from referee.games.war_of_the_ring.box.components import ACTION_DIE, DICE, FACE, SEATS
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import actions
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.state import State
from referee.games.war_of_the_ring.words import explaining_battle
from referee.games.war_of_the_ring.words.notation import (
    ACTION_WORDS,
    ALIASES,
    NOTATION,
    VOCABULARY,
    implied_action,
)
from referee.kernel.explain import HouseOfWords
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

DICE_WORDS = DiceWords(
    SEATS,
    FACE,
    DICE,
    ACTION_DIE,
    NOTATION,
    why_not=lambda state, seat, face: actions.why_not(state, seat, face, actions.SKIP),
    implied=implied_action,
    used_rule="dice.used_aside",
    symbol_rule="dice.symbol",
    pass_rule="turn.pass",
)
STARTS = ("prompt.choose_die", "prompt.choose_action", "prompt.roll_action_dice", "prompt.draw_tile")
"""Questions that begin something new: what was attempted before them is over."""
_DICE = ("prompt.choose_action", "prompt.choose_die")
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
    word = words.peek()
    if word is None:
        return None
    meant = ALIASES.get(word, word)
    if word == "pass":
        return DICE_WORDS.passing(play, request)
    found = _forced_skip(play.state, request, words, pairs) or _other_sides(request, meant)
    if found is not None:
        return found
    if (
        meant in FACE
        and request is not None
        and request.prompt in ("prompt.choose_action", "prompt.choose_die")
    ):
        return DICE_WORDS.die(play.state, request, meant)
    in_battle = explaining_battle.attempted(play, request, words, pairs)
    if in_battle is not None:
        return in_battle
    went = _went_unasked(play.state, request, words, pairs)
    if went:
        return went
    if pairs and (request is None or request.prompt in STARTS) and _means_something(meant):
        return Refusal(_last_action_rule(pairs), "action_is_over")
    return None


def _means_something(meant: str) -> bool:
    return (
        meant.isdigit()
        or meant in ACTION_WORDS
        or meant in (">", "x")
        or any(meant in ids for ids in VOCABULARY.values())
    )


def _last_action_rule(pairs: Pairs) -> str:
    return last_action_rule(pairs, BEYOND, "turn.alternate")


def _other_sides(request: Request | None, word: str) -> Refusal | None:
    """An action that only the other side has."""
    if request is None or request.prompt != "prompt.choose_action":
        return None
    names = NOTATION.style(request).renamed(request)
    seat = SEATS.index(request.seat)
    for action in actions.ACTIONS:
        if seat not in action.seats and word in (action.id, *names.get(action.id, "").split("|")):
            return Refusal(action.rule, "other_sides_action", dict(request.about))
    return None


def _forced_skip(state: State, request: Request | None, words: Words, pairs: Pairs) -> Refusal | None:
    """An action named with a die that allowed nothing at all, so that it was set aside without a question."""
    found = DICE_WORDS.forced_skip(state, request, words, pairs)
    return None if found is None else found[1]


def _went_unasked(state: State, request: Request | None, words: Words, pairs: Pairs) -> int:
    """How many words only name a place that was the single one and so was not asked for."""
    arrow = words.peek() in (">", "x")
    name = words.peek(1) if arrow else words.peek()
    if name is None or name not in PLACE:
        return 0
    length = 2 if arrow else 1
    about = {} if request is None else request.about
    if request is not None and request.prompt in _ON_THE_WAY and name == about.get("to" if arrow else "from"):
        return length
    if pairs and pairs[-1][0].prompt in _RECRUITED and not arrow:
        return 1 if pairs[-1][1] in GROUP[state.figures[PLACE[name]]].counts else 0
    over = request is None or request.prompt in STARTS
    if not over or not pairs or pairs[-1][0].prompt != "prompt.choose_action" or pairs[-1][1] not in BEYOND:
        return 0
    if arrow:
        seat = SEATS.index(pairs[-1][0].seat)
        return length if state.armies[seat] >> PLACE[name] & 1 else 0
    return length if words.peek(1) in (">", "x") else 0


_RECRUITED = ("prompt.choose_recruit", "prompt.choose_second_recruit")
_ON_THE_WAY = (
    "prompt.choose_destination",
    "prompt.choose_target",
    "prompt.choose_movers",
    "prompt.choose_attackers",
)


def turn_rule(play: Play[State], request: Request, words: str) -> str:
    """The rule by which the other side is asked now."""
    in_battle = explaining_battle.TURN_RULES.get(request.prompt)
    return in_battle or ("turn.alternate" if play.state.phase == 5 else "turn.phases")


WORDS = HouseOfWords(
    NOTATION,
    SEATS,
    turn_rule=turn_rule,
    over_rule="victory.order",
    stuck=stuck,
    sharpen=explaining_battle.sharpen,
)
"""The notation of moves, and what explains attempts at the wrong moment."""

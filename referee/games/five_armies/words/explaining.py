"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here
are those that come at a moment when the flow asks something else, or nothing:
a third move, a retreat where nobody can leave, an advance after breaking off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import PLACE, TERRITORY
from referee.games.five_armies.rules import actions
from referee.games.five_armies.state.battle import VAMPIRE_LIKE, Battle, Side
from referee.games.five_armies.state.state import State
from referee.games.five_armies.words import explaining_marches as marches
from referee.games.five_armies.words import notation
from referee.games.five_armies.words.explaining_reasons import REASONS
from referee.games.kit.explaining import (
    Attempts,
    DiceWords,
    Found,
    Moment,
    Pairs,
    last_action_rule,
    sharpener,
)
from referee.games.kit.tables import read_table, refusals_of
from referee.kernel.explain import ExplainHooks
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

DICE_WORDS = DiceWords(
    SEATS,
    box.FACE,
    box.DICE,
    box.ACTION_DIE,
    used_rule="dice.used_die_aside",
    symbol_rule="dice.match_symbol",
    pass_rule="dice.pass_condition",
)
TABLE = read_table(Path(__file__).with_name("refusals.yaml"))
BEYOND: Mapping[str, str] = TABLE["beyond"]
STARTS = ("", "choose_die", "choose_action", "ask_entry_die", "roll_action_dice")


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    at = Moment(play, request, words, pairs)
    word = words.peek()
    if word is None:
        return None
    meant = notation.ALIASES.get(word, word)
    found = ATTEMPTS[meant](at) if meant in ATTEMPTS else None
    found = found if found is not None else _other_sides(at, meant)
    if found is not None:
        return found
    if meant in box.FACE:
        return _die(at, meant)
    if meant.startswith("ability_"):
        return _ability(at.state, meant.removeprefix("ability_"))
    if pairs and at.asked(*STARTS) and _means_something(meant):
        ended = {"prompt.advance": "advance.only_attacker"}
        return Refusal(last_action_rule(pairs, BEYOND, "dice.one_option_per_die", ended), "action_is_over")
    return None


def _means_something(meant: str) -> bool:
    known = any(meant in ids for ids in notation.VOCABULARY.values())
    return known or meant.isdigit() or meant in notation.ACTION_WORDS


# --- dice and abilities ------------------------------------------------------------------------


def _die(at: Moment[State], face: str) -> Found:
    """A die named where it was forced, or where there is none like it."""
    if at.request is not None and at.state.phase != 5:
        return Refusal("turn.six_phases", "not_this_phase", {"phase": at.state.phase})
    if at.request is None or not at.asked("choose_action"):
        return None
    return DICE_WORDS.die(at.state, at.request, face)


def _other_sides(at: Moment[State], word: str) -> Found:
    """An action that only the other side has."""
    if not isinstance(at.request, ChooseOne) or not at.asked("choose_action"):
        return None
    if word in at.request.options or word not in [action.id for action in actions.ACTIONS]:
        return None
    west = at.request.about.get("face") == "will_of_the_west"
    rule = "dice.west_joker" if west else "dice.match_symbol"
    return Refusal(rule, "wrong_symbol", dict(at.request.about))


def _ability(state: State, name: str) -> Found:
    character = box.CHARACTER.get(name)
    if character is None:
        return None
    if not state.activated >> character & 1:
        return Refusal("general.ability_needs_token", "no_activation", {"character": name})
    if state.ability_used:
        return Refusal("general.one_per_action", "one_ability", {"character": name})
    return Refusal("general.ability_timing", "ability_before_die", {"character": name})


# --- Fate and phases -----------------------------------------------------------------------------


def _tile(at: Moment[State]) -> Found:
    """One more tile than allowed, or after a special one."""
    if at.asked("fate_apply_or_draw"):
        return Refusal("fate.last_tile_counts", "last_tile_counts")
    tiles = at.answered("fate_tile")
    if not tiles and at.state.phase not in (3, 4):
        return None
    if tiles and tiles[-1] in box.SPECIAL_TILES:
        return Refusal("fate.special_stops", "special_tile")
    return Refusal("fate.draw_maximum", "too_many", {"maximum": max(1, at.state.generals_count)})


def _nothing(at: Moment[State]) -> Found:
    """``none`` where something must be chosen."""
    if at.asked("fate_tile", "fate_apply_or_draw"):
        rule = "fate.shadow_draws" if at.asked("fate_tile") else "fate.last_tile_counts"
        return Refusal(rule, "one_tile_must_be_applied")
    return None


# --- combat ---------------------------------------------------------------------------------------


def _rerolled_this_round(at: Moment[State]) -> bool:
    for request, _ in reversed(at.pairs):
        if request.prompt.startswith("prompt.manoeuvre"):
            break  # the round began here
        if request.prompt == "prompt.combat_reroll_dice":
            return True
    return False


def _battle(at: Moment[State]) -> Battle:
    """The running combat, asked of after ``fighting``."""
    assert at.state.combat is not None
    return at.state.combat


def _unit_cards(at: Moment[State]) -> list[Side]:
    """The sides of the running combat that laid unit cards."""
    return [side for side in _battle(at).sides if 0 <= side.card < len(box.UNITS)]


_WHO_DO_NOT_FREE = box.CHARACTER_BITS[FREE] & ~(1 << box.BEORN)
TESTS: Mapping[str, Callable[[Moment[State]], Any]] = {
    "fighting": lambda at: at.state.combat is not None,
    "free_acts": lambda at: at.state.active == FREE,
    "card_played_just_now": lambda at: any(r.prompt == "prompt.play_card" for r, _ in at.pairs[-3:]),
    "no_story_left": lambda at: not at.state.story_deck[at.state.active],
    "eagles_flew": lambda at: at.answered("eagles_fly", "lord_flies", "eagles_fly_or_muster"),
    "place_named": lambda at: at.words.peek(1) in PLACE,
    "character_there": lambda at: at.state.chars[PLACE[at.words.peek(1) or ""]] & _WHO_DO_NOT_FREE,
    "rallied": lambda at: at.last.startswith("rally"),
    "rerolled_this_round": _rerolled_this_round,
    "no_unit_card": lambda at: not _unit_cards(at),
    "no_black_hit": lambda at: not any(side.ability for side in _unit_cards(at)),
    "wargs_against_beorn": lambda at: (
        _battle(at).beorn and next(s for s in _unit_cards(at) if s.ability).card == box.WARGS
    ),
    "no_bat_there": lambda at: not at.state.bats[TERRITORY[_battle(at).target]],
    "vampire_like_laid": lambda at: _battle(at).sides[SHADOW].card == VAMPIRE_LIKE,
    "no_bodyguard": lambda at: at.state.where[box.BOLG] < 0 or not at.state.bodyguards,
    "beorns_side": lambda at: _battle(at).beorn and at.words.peek(1) == "free",
}
"""Conditions of ``refusals.yaml``."""
ATTEMPTS: Attempts[State] = {
    **refusals_of(TABLE["attempts"], TESTS),
    **marches.ATTEMPTS,
    "pass": lambda at: DICE_WORDS.passing(at.play, at.request),
    "tile": _tile,
    "draw": _tile,
    "none": _nothing,
}
"""What is attempted, by its first word."""


def _turn_rule(play: Play[State], request: Request, words: str) -> str:
    """Why a seat may not speak now."""
    rule: str | None = TABLE["turn"].get(request.prompt.removeprefix("prompt."))
    if rule is not None:
        return rule
    state = play.state
    begins = state.phase == 5 and state.active == FREE and not any(map(any, state.used))
    return "turn.p5_free_first" if begins else "turn.p5_alternate"


WORDS = ExplainHooks(
    notation=notation.NOTATION,
    seats=SEATS,
    turn_rule=_turn_rule,
    over_rule="turn.repeat_until_win",
    stuck=stuck,
    sharpen=sharpener(REASONS),
)
"""What explaining a written move of this game needs."""

"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here are those that come at a
moment
when the flow asks something else, or nothing: a step of another phase, an answer that a fight does not give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.battlelore.box.components import BACK, DISTANCE, LORE, PLACE, SEATS
from referee.games.battlelore.rules.movement import can_rush
from referee.games.battlelore.state.state import State
from referee.games.battlelore.words import notation
from referee.games.kit.explaining import Found, Moment, Pairs
from referee.kernel.explain import ExplainHooks
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

PHASE_OF: Mapping[str, int] = {"play": 1, "order": 2, "move": 3, "rush": 3, "fight": 4, "take": 5}
"""The phase in which a word's action is asked for."""
ROLLS = ("prompt.roll_attack", "prompt.roll_bonus", "prompt.roll_back")


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    at = Moment(play, request, words, pairs)
    word = words.peek()
    if word is None or request is None:
        return None
    if word in ATTEMPTS:
        rule = ATTEMPTS[word](at)
        if rule:
            return Refusal(rule, "not_now", {})
    if word in PHASE_OF:
        phase = play.state.phase
        if PHASE_OF[word] == phase:
            return Refusal(_unfinished(at, word), "first_this", {})
        later = PHASE_OF[word] > phase
        rule = "setup.five_phases" if later else "setup.phase_finished_before_next"
        return Refusal(rule, "other_phase_now", {"phase": str(phase)})
    return None


def _unfinished(at: Moment[State], word: str) -> str:
    """The rule by which what is begun is finished first."""
    assert at.request is not None
    if word == "play" and at.state.card:
        return "command.play_one_card"
    if word == "fight" and at.state.fight is not None:
        return "dice.fights_one_by_one"
    return "move.one_after_another" if word == "move" else at.request.rule


# --- what a fight does not give ----------------------------------------------------------------------


def _blow(at: Moment[State]) -> Request | None:
    """The last blow that was struck."""
    return next((request for request, _ in reversed(at.pairs) if request.prompt in ROLLS), None)


def _is_melee(blow: Request) -> bool:
    return DISTANCE[PLACE[blow.about["from"]]][PLACE[blow.about["place"]]] == 1


def _ground(at: Moment[State]) -> str:
    blow = _blow(at)
    if blow is None:
        return "ground.may_advance"
    if blow.prompt == "prompt.roll_back":
        return "bold.no_follow_on_after_battle_back"
    if blow.prompt == "prompt.roll_bonus":
        return "extra.no_ground_after_bonus"
    return "ground.may_advance" if _is_melee(blow) else "ground.melee_only"


def _pursue(at: Moment[State]) -> str:
    blow = _blow(at)
    if blow is not None and blow.prompt == "prompt.roll_back":
        return "pursuit.not_for_defender"
    gained = any(request.prompt == "prompt.gain_ground" and said == "yes" for request, said in at.pairs)
    if not gained or blow is None:
        return "pursuit.needs_gaining_ground"
    unit = at.state.unit_at[PLACE[blow.about["place"]]]
    creature = unit >= 0 and at.state.field.creatures >> unit & 1
    return "creature.no_pursuit" if creature else "pursuit.mounted_only"


def _bonus_attack(at: Moment[State]) -> str:
    blow = _blow(at)
    if blow is not None and blow.prompt == "prompt.roll_bonus":
        return "extra.one_bonus_attack"
    return _pursue(at)


def _battle_back(at: Moment[State]) -> str:
    """Why nobody is asked for a battle back."""
    blow = _blow(at)
    if at.request is not None and at.request.prompt in ROLLS:
        return "bold.battle_back_after_whole_roll"
    if blow is None:
        return "bold.only_bold_battles_back"
    if blow.prompt == "prompt.roll_back":
        return "bold.one_battle_back_per_combat"
    if not _is_melee(blow):
        return "bold.no_battle_back_vs_ranged"
    unit = at.state.unit_at[PLACE[blow.about["place"]]]
    struck = SEATS.index(blow.seat)
    stayed = unit >= 0 and at.state.field.units[unit].seat != struck
    return "bold.only_bold_battles_back" if stayed else "bold.no_battle_back_after_retreat"


def _retreats(at: Moment[State]) -> str:
    """A creature is asked nothing about its first flag; a hex that is closed, or taken, is no way back."""
    blow = _blow(at)
    place = PLACE.get(at.words.peek(1) or "", -1)
    if blow is not None and place in BACK[PLACE[blow.about["place"]]][1 - SEATS.index(blow.seat)]:
        if at.state.ground.closed >> place & 1:
            return "retreat.impassable_stays"
        if at.state.unit_at[place] >= 0:
            return "retreat.not_through_units"
    unit = -1 if blow is None else at.state.unit_at[PLACE[blow.about["place"]]]
    creature = unit >= 0 and at.state.field.creatures >> unit & 1
    return "creature.must_ignore_first_flag" if creature else "bold.level_n_ignores_n"


def _power(at: Moment[State]) -> str:
    """A power needs its signs, rolled or lying at the creature; the goblet pays none."""
    signs = any(LORE in said["battle"] for request, said in at.pairs if request.prompt in ROLLS)
    return "special.no_goblet_payment" if signs else "special.use_when_rolled"


def _lore(at: Moment[State]) -> str:
    if not at.state.field.lore:
        return "lore.none_outside_lore_scenario"
    return "lore.one_per_own_turn" if at.state.lore_played[at.state.active] else "lore.printed_phase"


def _react(at: Moment[State]) -> str:
    if not at.state.field.lore:
        return "lore.none_outside_lore_scenario"
    return "lore.one_per_enemy_turn" if at.state.lore_played[1 - at.state.active] else "lore.reaction_cards"


def _rush(at: Moment[State]) -> str:
    """Why a unit that is about to move is not asked for a rush."""
    request = at.request
    if request is None or request.prompt != "prompt.move_to":
        return ""
    unit = at.state.unit_at[PLACE[request.about["from"]]]
    return "" if can_rush(at.state, unit) else "merc.rush_foot_only"


ATTEMPTS: Mapping[str, Callable[[Moment[State]], str]] = {
    "ground": _ground,
    "pursue": _pursue,
    "bonus_attack": _bonus_attack,
    "battle_back": _battle_back,
    "ignore": _retreats,
    "back": _retreats,
    "lore": _lore,
    "react": _react,
    "rush": _rush,
    ">": lambda at: "move.once_per_turn",
    "x": lambda at: "dice.one_attack_each",
    "power": _power,
}
"""What may be attempted at the wrong moment, and the rule against it ("": none known)."""


def sharpen(play: Play[State], request: Request, answer: object, refusal: Refusal, words: Words) -> Refusal:
    """Requests refuse with all that is known."""
    return refusal


TURN_RULES: Mapping[str, str] = {
    "prompt.ignore_flags": "bold.level_n_ignores_n",
    "prompt.retreat_to": "retreat.owner_chooses_hex",
    "prompt.battle_back": "bold.only_bold_battles_back",
    "prompt.roll_back": "bold.battle_back_full_dice",
}
"""Why the other side is asked in the middle of a turn."""


def turn_rule(play: Play[State], request: Request, words: str) -> str:
    """The rule by which the other side is asked now."""
    first = play.state.turn == 1 and play.state.phase == 1
    return TURN_RULES.get(request.prompt, "setup.first_player" if first else "setup.alternate_turns")


WORDS = ExplainHooks(
    notation.NOTATION,
    SEATS,
    turn_rule=turn_rule,
    over_rule="victory.immediate_end",
    stuck=stuck,
    sharpen=sharpen,
)
"""The notation of moves, and what explains attempts at the wrong moment."""

"""Better reasons for a refusal, from the words after it and from the board (see :mod:`explaining`)."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.five_armies.box.components import BEORN, CHARACTER_BITS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACE
from referee.games.five_armies.rules import attacks, combat, movement
from referee.games.five_armies.state.state import State
from referee.games.kit.explaining import Reasons, Refused
from referee.kernel.notation import Words
from referee.kernel.refusals import Refusal


def _army(no: Refused[State]) -> Refusal | None:
    """Where an army was to go."""
    if no.answer not in PLACE:
        return None
    return _better_march(no.state, SEATS.index(no.request.seat), no.answer, no.refusal, no.words)


def _action(no: Refused[State]) -> Refusal | None:
    return better_action(no.state, SEATS.index(no.request.seat), no.answer, no.refusal, no.words)


REASONS: Reasons[State] = {"choose_army": _army, "choose_attacker": _army, "choose_action": _action}
"""By what is asked."""


def better_action(state: State, seat: int, action: str, refusal: Refusal, words: Words) -> Refusal:
    """A better reason why an action is not possible, by the places named after it."""
    if action == "combined_attack":
        return _better_combined(state, seat, refusal, words)
    name = words.peek() or ""
    if action == "rally" and name in PLACE and state.where[BEORN] == PLACE[name]:
        return Refusal("beorn.no_rally", "beorn_there", {"place": name})
    if action in ("recruit_goblins", "goblin_attack", "goblin_move") and seat == FREE:
        return Refusal("dice.west_joker", "no_eye", {})
    fort = FORTIFICATION_INDEX.get(PLACE.get(name, -1))
    if action == "rally" and fort is not None and state.fort_damage[fort]:
        return Refusal("rally.not_fortification", "walls_stay_broken", {"place": name})
    if refusal.reason == "no_army_can_move" and name in PLACE:
        words.at += 1
        refusal = Refusal(refusal.rule, "nowhere_to_go", {"place": name})
        return _better_march(state, seat, name, refusal, words)
    return refusal


def _better_march(state: State, seat: int, origin: str, refusal: Refusal, words: Words) -> Refusal:
    arrow, place = words.peek(), PLACE.get(words.peek(1) or "")
    alone = state.chars[PLACE[origin]] & CHARACTER_BITS[seat]
    if refusal.reason == "character_alone" and alone and arrow == "x":
        rule = "bolg.alone_cannot_attack" if seat == SHADOW else "char.alone_no_attack"
        return Refusal(rule, "character_alone", {"place": origin})
    if refusal.reason != "nowhere_to_go" or place is None:
        return refusal
    why_not: Callable[[State, int, int, int], Refusal | None]
    why_not = movement.why_not_step if arrow == ">" else combat.why_not_attack
    return why_not(state, seat, PLACE[origin], place) or refusal


def _better_combined(state: State, seat: int, refusal: Refusal, words: Words) -> Refusal:
    if words.peek() != "x" or words.peek(2) != "from" or refusal.rule != "combined.all_must_border":
        return refusal
    target, ahead = PLACE.get(words.peek(1) or ""), 3
    while target is not None and (place := PLACE.get(words.peek(ahead) or "")) is not None:
        better = attacks.why_not_join(state, seat, place, target)
        if better is not None:
            return better
        ahead += 1
    return refusal

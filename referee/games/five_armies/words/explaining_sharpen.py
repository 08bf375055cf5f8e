"""Better reasons for a refusal, from the words after it and from the board (see :mod:`explaining`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.five_armies.box.components import (
    BEORN,
    BOLG,
    CHARACTER_BITS,
    FREE,
    SEATS,
    SHADOW,
    SPECIAL_TILES,
    UNITS,
)
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACE, PLACES
from referee.games.five_armies.rules import attacks, combat, movement
from referee.games.five_armies.rules.turn import free_pool, shadow_pool
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.card_data import CARDS, COMBAT_EFFECTS
from referee.games.five_armies.state.state import ASIDE, State
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSome, Request, RollDice


def sharpen(play: Play[State], request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    """A better reason for a refusal: where an army was to go, who was to join, what stands there."""
    better = _BY_PROMPT.get(request.prompt)
    return refusal if better is None else better(play.state, request, answer, refusal, words)


def _army(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if answer == "eyrie":
        return Refusal("eagles.outside_normal_rules", "special_units", {"place": answer})
    if answer not in PLACE:
        return refusal
    return _sharpen_army(state, SEATS.index(request.seat), PLACE[answer], refusal, words)


def _action(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    return sharpen_action(state, SEATS.index(request.seat), answer, refusal, words)


def _marchers(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    return _sharpen_marchers(state, request, answer, refusal)


def _target(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    """An attack on a character alone, on Beorn from afar, or by Beorn on what he cannot reach."""
    place = PLACE.get(answer, -1)
    seat = SEATS.index(request.seat)
    if place < 0:
        return refusal
    if request.rule == "beorn.attack_after_move":
        return Refusal("beorn.attack_after_move", "not_next_to_beorn", {"place": answer})
    if seat == SHADOW and state.where[BEORN] == place:
        return Refusal("beorn.shadow_may_attack", "not_next_to_beorn", {"place": answer})
    if state.chars[place] & CHARACTER_BITS[1 - seat] and not state.armies[1 - seat] >> place & 1:
        bolg = state.where[BOLG] == place
        return Refusal(
            "bolg.alone_not_attackable" if bolg else "char.alone_not_attacked", "", {"place": answer}
        )
    return refusal


def _tile(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if answer in SPECIAL_TILES and state.special_tiles[SPECIAL_TILES.index(answer)] == ASIDE:
        return Refusal("setup.special_tiles_aside", "tile_aside", {"tile": answer})
    return refusal


def _dice(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    """More or fewer action dice than the pool has."""
    if not isinstance(request, RollDice):
        return refusal
    seat = SEATS.index(request.seat)
    given, wanted = sum(map(len, answer.values())), sum(request.dice.values())
    now = free_pool(state) if seat == FREE else shadow_pool(state)
    if given == now != wanted:
        rule = "dice.extra_joins_phase1" if given > wanted else "dice.extra_leaves_phase1"
    elif given > wanted and state.turn == 1:
        rule = "setup.extra_dice_aside"
    elif given > wanted:
        rule = "dice.free_sixth_die" if seat == FREE else "dice.shadow_seventh_die"
    else:
        return refusal
    return Refusal(rule, "dice_of_the_pool", {"count": wanted})


def _combat_dice(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if isinstance(request, RollDice) and sum(map(len, answer.values())) > sum(request.dice.values()):
        return Refusal("combat.dice_max_five", "dice_of_the_pool", {"count": sum(request.dice.values())})
    return refusal


def _generals(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if isinstance(answer, dict) and any(number > 1 for number in answer.values()):
        return Refusal("general.one_token_each", "general_one_token")
    return refusal


def _card(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if answer in COMBAT_EFFECTS:
        return Refusal("cards.event_combat_use", "combat_effect", {"card": answer})
    return refusal


def _token_place(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if answer == "front_gate" and refusal.rule == "cards.rules_still_apply":
        return Refusal("board.front_gate_not_settlement", "no_settlement", {"place": answer})
    return refusal


def _face(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    return Refusal("eagles.no_normal_muster", "special_units") if answer == "eagles" else refusal


def _discard(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    if isinstance(answer, dict) and any(item in CARDS for item in answer):
        return Refusal("cards.discard_facedown", "cards_stay_hidden")
    return refusal


def _rally(state: State, request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    place = PLACE.get(answer, -1)
    if place in FORTIFICATION_INDEX and state.fort_damage[FORTIFICATION_INDEX[place]]:
        return Refusal("rally.not_fortification", "walls_stay_broken", {"place": answer})
    return refusal


_SPECIAL_UNITS = {"eagles": "eagles.outside_normal_rules", "great_bats": "bats.outside_normal_rules"}
_BY_PROMPT: Mapping[str, Callable[[State, Request, Any, Refusal, Words], Refusal]] = {
    "prompt.choose_army": _army,
    "prompt.choose_attacker": _army,
    "prompt.choose_action": _action,
    "prompt.who_marches": _marchers,
    "prompt.choose_target": _target,
    "prompt.fate_tile": _tile,
    "prompt.roll_action_dice": _dice,
    "prompt.combat_roll": _combat_dice,
    "prompt.activate_generals": _generals,
    "prompt.play_card": _card,
    "prompt.card_token_place": _token_place,
    "prompt.token_face": _face,
    "prompt.discard": _discard,
    "prompt.choose_rally": _rally,
}


def sharpen_action(state: State, seat: int, action: str, refusal: Refusal, words: Words) -> Refusal:
    """A better reason why an action is not possible, by the places named after it."""
    if action == "combined_attack":
        return _sharpen_combined(state, seat, refusal, words)
    origin = PLACE.get(words.peek() or "")
    if action == "rally" and origin is not None and state.where[BEORN] == origin:
        return Refusal("beorn.no_rally", "beorn_there", {"place": PLACES[origin]})
    if action in ("recruit_goblins", "goblin_attack", "goblin_move") and seat == FREE:
        return Refusal("dice.west_joker", "no_eye", {})
    if action == "rally" and origin in FORTIFICATION_INDEX and state.fort_damage[FORTIFICATION_INDEX[origin]]:
        return Refusal("rally.not_fortification", "walls_stay_broken", {"place": PLACES[origin]})
    if refusal.reason == "no_army_can_move" and origin is not None:
        words.at += 1
        refusal = Refusal(refusal.rule, "nowhere_to_go", {"place": PLACES[origin]})
        return _sharpen_army(state, seat, origin, refusal, words)
    return refusal


def _sharpen_army(state: State, seat: int, origin: int, refusal: Refusal, words: Words) -> Refusal:
    arrow, place = words.peek(), PLACE.get(words.peek(1) or "")
    alone = state.chars[origin] & CHARACTER_BITS[seat]
    if refusal.reason == "character_alone" and alone and arrow == "x":
        rule = "bolg.alone_cannot_attack" if seat == SHADOW else "char.alone_no_attack"
        return Refusal(rule, "character_alone", {"place": PLACES[origin]})
    if refusal.reason != "nowhere_to_go" or place is None:
        return refusal
    if arrow == ">":
        return movement.why_not_step(state, seat, origin, place) or refusal
    return combat.why_not_attack(state, seat, origin, place) or refusal


def _sharpen_combined(state: State, seat: int, refusal: Refusal, words: Words) -> Refusal:
    if words.peek() != "x" or words.peek(2) != "from" or refusal.rule != "combined.all_must_border":
        return refusal
    target, ahead = PLACE.get(words.peek(1) or ""), 3
    while target is not None and (place := PLACE.get(words.peek(ahead) or "")) is not None:
        better = attacks.why_not_join(state, seat, place, target)
        if better is not None:
            return better
        ahead += 1
    return refusal


def _sharpen_marchers(state: State, request: Request, answer: Any, refusal: Refusal) -> Refusal:
    """Units that are there but have moved already, or that stand on the way instead of at the start."""
    if not isinstance(request, ChooseSome) or not isinstance(answer, dict):
        return refusal
    there = ARMY[state.units[PLACE[request.about["from"]]]].counts
    for item, number in answer.items():
        if item in _SPECIAL_UNITS:
            return Refusal(_SPECIAL_UNITS[item], "special_units", {"item": item})
        most = request.limits.get(item, 0)
        if number <= most or item not in UNITS:
            continue
        if there.get(item, 0) > most:
            return Refusal("move.no_unit_twice_per_action", "units_moved_already", {"item": item})
        if not there.get(item, 0):
            return Refusal("move.multi_no_pick_up", "not_in_the_army", {"item": item})
    return refusal

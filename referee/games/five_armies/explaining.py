"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here
are those that come at a moment when the flow asks something else, or nothing:
a third move, a retreat where nobody can leave, an advance after breaking off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.games.five_armies import actions, attacks, combat, movement, retreat
from referee.games.five_armies.armies import ARMY
from referee.games.five_armies.battle import VAMPIRE_LIKE, Battle
from referee.games.five_armies.components import (
    ACTION_DIE,
    BEORN,
    BOLG,
    CHARACTER,
    DICE,
    FACE,
    FREE,
    SEATS,
    SHADOW,
    UNITS,
    WARGS,
)
from referee.games.five_armies.map import PLACE, PLACES, TERRITORY
from referee.games.five_armies.notation import ALIASES, NOTATION, VOCABULARY
from referee.games.five_armies.state import State
from referee.kernel.explain import HouseOfWords
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Request

Pairs = Sequence[tuple[Request, Any]]
Found = Refusal | int | None

BEYOND: Mapping[str, str] = {
    "strategic_move": "move.army_die_strategic",
    "goblin_move": "move.eye_strategic",
    "fast_move": "move.character_die_fast",
    "attack": "combat.army_die_attack",
    "led_attack": "combat.character_die_attack",
    "goblin_attack": "combat.eye_attack",
    "recruit": "muster.die_flips_two",
    "rally": "rally.two_armies",
    "move_characters": "char.move_rating",
    "move_beorn": "beorn.move_is_not_character_move",
    "bat_cloud": "bats.cloud",
    "recruit_goblins": "muster.eye_goblins",
    "combined_attack": "combined.advance_one_army",
    "eagles_attack": "eagles.move_all_then_attack",
}
"""Where an action is over and more is attempted with the same die: the rule of that action."""
STARTS = ("prompt.choose_die", "prompt.choose_action", "prompt.ask_entry_die", "prompt.roll_action_dice")


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    word = words.peek()
    if word is None:
        return None
    meant = ALIASES.get(word, word)
    handler = _HANDLERS.get(meant)
    if handler is not None:
        found = handler(play, request, words, pairs)
        if found is not None:
            return found
    forced = _forced_skip(play.state, words, pairs)
    if forced is not None:
        return forced
    if meant in FACE:
        return _die(play.state, request, meant)
    if meant.startswith("ability_"):
        return _ability(play.state, request, meant.removeprefix("ability_"))
    repeated = _repeated_units(play.state, words, pairs)
    if repeated is not None:
        return repeated
    if pairs and (request is None or request.prompt in STARTS) and _means_something(meant):
        return Refusal(_last_action_rule(pairs), "action_is_over")
    return None


def _means_something(meant: str) -> bool:
    return meant.isdigit() or any(meant in ids for ids in VOCABULARY.values())


def _last_action_rule(pairs: Pairs) -> str:
    for request, answer in reversed(pairs):
        if request.prompt == "prompt.choose_action":
            return BEYOND.get(answer, "dice.one_option_per_die")
        if request.prompt == "prompt.advance":
            return "advance.only_attacker"
    return "dice.one_option_per_die"


# --- dice and abilities ------------------------------------------------------------------------


def _die(state: State, request: Request | None, face: str) -> Found:
    """A die named where it was forced, or where there is none like it."""
    if request is None or request.prompt != "prompt.choose_action":
        return None
    if request.about.get("face") == face:
        return 1
    seat = SEATS.index(request.seat)
    if face not in DICE[ACTION_DIE[seat]].faces:
        return Refusal("dice.match_symbol", "no_such_die", {"face": face})
    used = state.used[seat][FACE[face]]
    return Refusal("dice.used_die_aside" if used else "dice.match_symbol", "no_such_die", {"face": face})


def _forced_skip(state: State, words: Words, pairs: Pairs) -> Refusal | None:
    """An action named with a die that allowed nothing at all, so that it was set aside without a question."""
    if not pairs or pairs[-1][0].prompt != "prompt.choose_die" or pairs[-1][1] not in FACE:
        return None
    seat, face = SEATS.index(pairs[-1][0].seat), FACE[pairs[-1][1]]
    asked = ChooseOne("", "prompt.choose_action", (), about={"face": pairs[-1][1]})
    names = NOTATION.style(asked).renamed(asked)
    for action, refusal in actions.why_not(state, seat, face, actions.SKIP):
        if words.peek() in (action, *names.get(action, "").split("|")):
            words.at += 1
            return sharpen_action(state, seat, action, refusal, words)
    return None


def _ability(state: State, request: Request | None, name: str) -> Found:
    character = CHARACTER.get(name)
    if character is None:
        return None
    if not state.activated >> character & 1:
        return Refusal("general.ability_needs_token", "no_activation", {"character": name})
    if state.ability_used:
        return Refusal("general.one_per_action", "one_ability", {"character": name})
    return Refusal("general.ability_timing", "ability_before_die", {"character": name})


def _pass(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    if request is not None and request.prompt == "prompt.choose_action":
        return Refusal("dice.pass_condition", "not_fewer_dice")
    return None


# --- marching ----------------------------------------------------------------------------------


def _repeated_units(state: State, words: Words, pairs: Pairs) -> Found:
    """Units named where the whole of a small army went without a question."""
    if not pairs or pairs[-1][0].prompt not in ("prompt.choose_destination", "prompt.choose_attacker"):
        return None
    number, unit = words.peek(), words.peek(1)
    skip = 2
    if number is not None and not number.isdigit():
        number, unit, skip = "1", number, 1
    name = ALIASES.get(unit or "", unit or "")
    if name not in UNITS or number is None:
        return None
    place = PLACE.get(pairs[-1][1])
    there = 0 if place is None else ARMY[state.units[place]].counts.get(name, 0)
    if there < int(number):
        return Refusal("move.split_by_moving_part", "only_so_many", {"item": name, "maximum": there})
    return skip


def _attack_mark(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``x place`` where no target is asked for: the attack is impossible, or it was forced."""
    target = PLACE.get(words.peek(1) or "")
    if target is None:
        return None
    state = play.state
    battle = state.combat
    if battle is not None and battle.round <= 1 and battle.target == target:
        return 2
    if request is None:
        return None
    if request.prompt in ("prompt.reduce", "prompt.reduce_army"):
        return Refusal("move.merge_before_attack", "reduce_first")
    if request.prompt == "prompt.choose_destination":
        seat = SEATS.index(request.seat)
        return combat.why_not_attack(state, seat, PLACE[request.about["place"]], target)
    if pairs:
        last, answer = pairs[-1]
        seat = SEATS.index(last.seat)
        if last.prompt == "prompt.choose_action" and answer == "combined_attack":
            return Refusal("combined.all_must_border", "two_armies_needed", {"place": PLACES[target]})
        stood = [a for r, a in pairs if r.prompt in ("prompt.choose_attacker", "prompt.choose_destination")]
        if stood and stood[-1] in PLACE:
            return combat.why_not_attack(state, seat, PLACE[stood[-1]], target)
    return None


def _joined(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``from a b``: who joins a combined attack, where exactly two could and were not asked for."""
    state = play.state
    battle = state.combat
    if battle is None or not battle.combined:
        return None
    count = 1
    while (place := PLACE.get(words.peek(count) or "")) is not None:
        refusal = attacks.why_not_join(state, battle.attacker, place, battle.target)
        if refusal is not None:
            return refusal
        if not battle.armies >> place & 1:
            return Refusal("combined.all_must_border", "no_own_army", {"place": PLACES[place]})
        count += 1
    return count


# --- combat ------------------------------------------------------------------------------------


def _leave(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """Retreat or rout where it is not asked for."""
    battle = play.state.combat
    if battle is None:
        return Refusal("combat.attacker_may_break_off", "combat_over") if pairs else None
    if battle.round == battle.no_retreat_in_round + 1 and words.peek() == "retreat":
        return Refusal("cards.all_effects_apply", "no_retreat_this_round")
    if not retreat.can_leave(play.state, battle):
        return Refusal("retreat.impossible", "nowhere_to_go")
    return Refusal("combat.declare_attacker_first", "not_now")


def _advance(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """An advance that nobody is asked for."""
    broke_off = any(r.prompt == "prompt.break_off" and a == "break_off" for r, a in pairs)
    if broke_off:
        return Refusal("advance.only_if_defender_gone", "broke_off")
    if play.state.combat is None:
        return Refusal("advance.attacker_wins_when", "nobody_left")
    return Refusal("advance.only_if_defender_gone", "defender_stands")


def _reroll(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """A re-roll that is not offered: of a hit, without leadership, or a second time."""
    last = pairs[-1][0].prompt if pairs else ""
    if last.startswith("prompt.rally"):
        rule = "rally.reroll_final" if last == "prompt.rally_again" else "rally.reroll_leadership"
        return Refusal(rule, "no_reroll")
    if play.state.combat is None:
        return None
    if any(r.prompt == "prompt.combat_reroll_dice" for r, _ in _this_round(pairs)):
        return Refusal("combat.leader_reroll_once", "no_reroll")
    return Refusal("combat.leader_reroll", "no_reroll")


def _this_round(pairs: Pairs) -> Pairs:
    for index in range(len(pairs) - 1, -1, -1):
        if pairs[index][0].prompt.startswith("prompt.manoeuvre"):
            return pairs[index:]
    return pairs


def _use(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """An ability of a unit card that may not be used."""
    battle = play.state.combat
    if battle is None:
        return None
    return _why_no_ability(play.state, battle)


def _why_no_ability(state: State, battle: Battle) -> Refusal:
    played = [battle.sides[seat] for seat in (FREE, SHADOW) if 0 <= battle.sides[seat].card < len(UNITS)]
    if not played:
        return Refusal("manoeuvre.unit_card_depends_on_roll", "no_unit_card")
    triggered = [side for side in played if side.ability]
    if not triggered:
        return Refusal("manoeuvre.trigger_black_hit", "no_black_hit")
    if battle.beorn and triggered[0].card == WARGS:
        return Refusal("beorn.immune_wargs", "beorn_immune")
    return Refusal("manoeuvre.ability_optional_attacker_declares_first", "ability_not_now")


def _use_bat(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    battle = play.state.combat
    if battle is None:
        return None
    if not play.state.bats[TERRITORY[battle.target]]:
        return Refusal("bats.vampire_no_effect_without_bat", "no_bat")
    if battle.sides[SHADOW].card != VAMPIRE_LIKE:
        return Refusal("manoeuvre.vampire_like_every_round", "card_not_played")
    return Refusal("bats.vampire_extra_damage", "no_damage_dealt")


def _guard(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    state = play.state
    if state.where[BOLG] < 0 or not state.bodyguards:
        return Refusal("bolg.bodyguard_cancels_round", "no_bodyguard")
    return Refusal("bolg.bodyguard_own_army_only", "not_bolgs_army")


def _cards(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``cards free ...`` in a combat where Beorn's side lays none."""
    battle = play.state.combat
    if battle is not None and battle.beorn and "free" in (words.peek(1), words.peek(0)):
        return Refusal("beorn.no_cards", "beorn_no_cards")
    return None


# --- Fate --------------------------------------------------------------------------------------


def _tile(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """One more tile than allowed, or after a special one."""
    if request is not None and request.prompt == "prompt.fate_apply_or_draw":
        return Refusal("fate.last_tile_counts", "last_tile_counts")
    tiles = [answer for r, answer in pairs if r.prompt == "prompt.fate_tile"]
    if not tiles and play.state.phase not in (3, 4):
        return None
    if tiles and tiles[-1] in ("arkenstone", "necromancer"):
        return Refusal("fate.special_stops", "special_tile")
    return Refusal("fate.draw_maximum", "too_many", {"maximum": max(1, play.state.generals_count)})


def _nothing(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``none`` where something must be chosen, or ``skip`` where nothing else was possible."""
    if request is not None and request.prompt in ("prompt.fate_tile", "prompt.fate_apply_or_draw"):
        drawn = request.prompt != "prompt.fate_tile"
        return Refusal("fate.last_tile_counts" if drawn else "fate.shadow_draws", "one_tile_must_be_applied")
    if pairs and pairs[-1][0].prompt == "prompt.choose_die" and words.peek() == "skip":
        return 1
    return None


def _beorn(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    if play.state.where[BEORN] >= 0 and request is not None and request.prompt == "prompt.choose_rally":
        return Refusal("beorn.no_rally", "beorn_there")
    return None


def _damage(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``damage n`` where the share was forced by the numbers."""
    number = words.peek(1) or ""
    to = next((a for r, a in reversed(pairs) if r.prompt == "prompt.choose_destination" and a in PLACE), None)
    if to is None or not number.isdigit() or pairs[-1][0].prompt != "prompt.who_marches":
        return None
    there = play.state.damage[PLACE[to]]
    return (
        2 if int(number) <= there else Refusal("move.split_damage_tokens", "damage_share", {"maximum": there})
    )


def _drop(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    return Refusal("move.multi_split_only_at_start", "no_drop_on_the_way")


# --- better reasons ----------------------------------------------------------------------------


def sharpen(play: Play[State], request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    """A better reason for a refusal, with what is said after it: where an army was to go, who was to join."""
    state = play.state
    if request.prompt in ("prompt.choose_army", "prompt.choose_attacker") and answer in PLACE:
        return _sharpen_army(state, SEATS.index(request.seat), PLACE[answer], refusal, words)
    if request.prompt == "prompt.choose_action":
        return sharpen_action(state, SEATS.index(request.seat), answer, refusal, words)
    if request.prompt == "prompt.who_marches":
        return _sharpen_marchers(state, request, answer, refusal)
    return refusal


def sharpen_action(state: State, seat: int, action: str, refusal: Refusal, words: Words) -> Refusal:
    """A better reason why an action is not possible, by the places named after it."""
    if action == "combined_attack":
        return _sharpen_combined(state, seat, refusal, words)
    origin = PLACE.get(words.peek() or "")
    if refusal.reason == "no_army_can_move" and origin is not None:
        words.at += 1
        refusal = Refusal(refusal.rule, "nowhere_to_go", {"place": PLACES[origin]})
        return _sharpen_army(state, seat, origin, refusal, words)
    return refusal


def _sharpen_army(state: State, seat: int, origin: int, refusal: Refusal, words: Words) -> Refusal:
    arrow, place = words.peek(), PLACE.get(words.peek(1) or "")
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
        most = request.limits.get(item, 0)
        if number <= most or item not in UNITS:
            continue
        if there.get(item, 0) > most:
            return Refusal("move.no_unit_twice_per_action", "moved_already", {"item": item})
        if not there.get(item, 0):
            return Refusal("move.multi_no_pick_up", "not_in_the_army", {"item": item})
    return refusal


_HANDLERS: Mapping[str, Callable[[Play[State], Request | None, Words, Pairs], Found]] = {
    "pass": _pass,
    "x": _attack_mark,
    "from": _joined,
    "retreat": _leave,
    "rout": _leave,
    "advance": _advance,
    "reroll": _reroll,
    "use": _use,
    "use_bat": _use_bat,
    "guard": _guard,
    "cards": _cards,
    "tile": _tile,
    "draw": _tile,
    "beorn": _beorn,
    "none": _nothing,
    "skip": _nothing,
    "drop": _drop,
    "damage": _damage,
}

WORDS = HouseOfWords(
    notation=NOTATION,
    seats=SEATS,
    turn_rule="turn.p5_alternate",
    over_rule="turn.repeat_until_win",
    stuck=stuck,
    sharpen=sharpen,
)
"""What explaining a written move of this game needs."""

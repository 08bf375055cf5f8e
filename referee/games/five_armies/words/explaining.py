"""Why not?  What somebody attempts although the referee asks something else.

Most attempts are candidates of the open question and carry their refusal.  Here
are those that come at a moment when the flow asks something else, or nothing:
a third move, a retreat where nobody can leave, an advance after breaking off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.five_armies.box.components import (
    ACTION_DIE,
    BEORN,
    CHARACTER,
    DICE,
    FACE,
    FREE,
    GROUPS_OF_SEAT,
    SEATS,
    SHADOW,
    UNITS,
)
from referee.games.five_armies.box.map import NEIGHBOURS, PLACE, PLACES
from referee.games.five_armies.rules import actions, attacks, combat, recruiting
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.games.five_armies.words.explaining_attempts import ATTEMPTS
from referee.games.five_armies.words.explaining_combat import COMBAT_HANDLERS
from referee.games.five_armies.words.explaining_sharpen import sharpen, sharpen_action
from referee.games.five_armies.words.notation import (
    ACTION_WORDS,
    ALIASES,
    NOTATION,
    VOCABULARY,
    implied_action,
)
from referee.games.kit.explaining import DiceWords, Found, Pairs, last_action_rule
from referee.kernel.explain import HouseOfWords
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

DICE_WORDS = DiceWords(
    SEATS,
    FACE,
    DICE,
    ACTION_DIE,
    NOTATION,
    why_not=lambda state, seat, face: actions.why_not(state, seat, face, actions.SKIP),
    implied=implied_action,
    used_rule="dice.used_die_aside",
    symbol_rule="dice.match_symbol",
    pass_rule="dice.pass_condition",
)
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
    "draw_cards": "dice.event_draw",
    "eagles_attack": "eagles.move_all_then_attack",
}
"""Where an action is over and more is attempted with the same die: the rule of that action."""
_MARCH_BEGINS = ("prompt.choose_army", "prompt.choose_attacker", "prompt.choose_action")
STARTS = ("prompt.choose_die", "prompt.choose_action", "prompt.ask_entry_die", "prompt.roll_action_dice")


def stuck(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What words attempt that do not speak to the open request."""
    word = words.peek()
    if word is None:
        return _cannot_end(request)
    meant = ALIASES.get(word, word)
    handler = _HANDLERS.get(meant)
    if handler is not None:
        found = handler(play, request, words, pairs)
        if found is not None:
            return found
    forced = _forced_skip(play.state, request, words, pairs) or _other_sides(request, meant)
    if forced is not None:
        return forced
    if meant in FACE:
        return _die(play.state, request, meant)
    if meant.startswith("ability_"):
        return _ability(play.state, request, meant.removeprefix("ability_"))
    if meant in PLACE and pairs and pairs[-1][0].prompt == "prompt.play_card":
        return _card_place(play, pairs[-1][1], PLACE[meant])
    asking = request is not None and request.prompt == "prompt.choose_destination"
    repeated = None if asking else _repeated_units(play.state, words, pairs)
    if repeated is not None:
        return repeated
    if pairs and (request is None or request.prompt in STARTS) and _means_something(meant):
        return Refusal(_last_action_rule(pairs), "action_is_over")
    return None


def _cannot_end(request: Request | None) -> Found:
    if (
        isinstance(request, ChooseOne)
        and request.prompt == "prompt.beorn_step"
        and "stay" not in request.options
    ):
        return Refusal("beorn.never_ends_with_units", "army_there", {"place": request.about["from"]})
    return None


def _means_something(meant: str) -> bool:
    return meant.isdigit() or meant in ACTION_WORDS or any(meant in ids for ids in VOCABULARY.values())


def _last_action_rule(pairs: Pairs) -> str:
    ended = {"prompt.advance": "advance.only_attacker"}
    return last_action_rule(pairs, BEYOND, "dice.one_option_per_die", ended)


# --- dice and abilities ------------------------------------------------------------------------


def _die(state: State, request: Request | None, face: str) -> Found:
    """A die named where it was forced, or where there is none like it."""
    if request is not None and state.phase != 5:
        return Refusal("turn.six_phases", "not_this_phase", {"phase": state.phase})
    if request is None or request.prompt != "prompt.choose_action":
        return None
    return DICE_WORDS.die(state, request, face)


def _other_sides(request: Request | None, word: str) -> Refusal | None:
    """An action that only the other side has."""
    if request is None or request.prompt != "prompt.choose_action":
        return None
    if word not in [action.id for action in actions.ACTIONS]:
        return None
    west = request.about.get("face") == "will_of_the_west"
    return Refusal("dice.west_joker" if west else "dice.match_symbol", "wrong_symbol", dict(request.about))


def _forced_skip(state: State, request: Request | None, words: Words, pairs: Pairs) -> Refusal | None:
    """An action named with a die that allowed nothing at all, so that it was set aside without a question."""
    found = DICE_WORDS.forced_skip(state, request, words, pairs)
    if found is None:
        return None
    action, refusal, said = found
    words.at += said
    return sharpen_action(state, SEATS.index(pairs[-1][0].seat), action, refusal, words)


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
    return DICE_WORDS.passing(play, request)


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
    if (
        request is not None
        and request.prompt == "prompt.combined_armies"
        and request.about["to"] == words.peek(1)
    ):
        return 2
    if any(r.prompt == "prompt.card_move_or_attack" and a == "move" for r, a in pairs):
        return Refusal("cards.move_attack_optional", "move_or_attack")
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
    if request is not None and request.prompt.startswith("prompt.advance"):
        return Refusal("combined.survivor_may_advance", "army_fell")
    count = 1
    while (place := PLACE.get(words.peek(count) or "")) is not None:
        refusal = attacks.why_not_join(state, battle.attacker, place, battle.target)
        if refusal is not None:
            return refusal
        if not battle.armies >> place & 1:
            return Refusal("combined.all_must_border", "no_own_army", {"place": PLACES[place]})
        count += 1
    return count


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
        return Refusal("beorn.no_rally", "beorn_there", {"place": PLACES[play.state.where[BEORN]]})
    return None


def _damage(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``damage n`` where the share was forced by the numbers."""
    number = words.peek(1) or ""
    to = next((a for r, a in reversed(pairs) if r.prompt == "prompt.choose_destination" and a in PLACE), None)
    if to is None or not number.isdigit() or pairs[-1][0].prompt != "prompt.who_marches":
        return None
    there = PLACE[to]
    marched = sum(number for item, number in pairs[-1][1].items() if item in UNITS)
    share = play.state.damage[there]
    if ARMY[play.state.units[there]].size > marched or int(number) == share:
        return 2
    return Refusal("move.split_damage_tokens", "damage_share", {"minimum": share, "maximum": share})


def _card_place(play: Play[State], card: str, place: int) -> Found:
    """A place named for a card that left no choice: it is the one where the card did something."""
    before, after = play.kept, play.state
    if card in _TOKEN_CARDS:
        for group in GROUPS_OF_SEAT[after.active]:
            if not after.token_pool[group]:
                return recruiting.why_not_lay_token(after, after.active, place, group)
    if before is None or not play.since:
        return 1
    if any(getattr(before, what)[place] != getattr(after, what)[place] for what in _CARD_CHANGES):
        return 1
    return Refusal("cards.rules_still_apply", "not_by_card", {"place": PLACES[place]})


_TOKEN_CARDS = ("gather_and_marshal", "flying_banners", "ringing_trumpets", "rescue")
_CARD_CHANGES = ("units", "leaders", "damage")


def _farther(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``> place`` where the move is over: too far, or halted by an enemy next door."""
    if request is not None and request.prompt == "prompt.casualties":
        return Refusal("rout.casualties_before_move", "casualties_first")
    if pairs and pairs[-1][0].prompt in ("prompt.retreat_to", "prompt.forced_retreat_to"):
        return Refusal("retreat.one_region", "goes_no_farther")
    if pairs and pairs[-1][0].prompt in ("prompt.choose_character", "prompt.ask_movement"):
        return Refusal("char.move_rating", "goes_no_farther")
    steps: list[tuple[Request, Any]] = []
    for asked, answer in reversed(pairs):
        if asked.prompt not in ("prompt.choose_destination", "prompt.beorn_step"):
            if steps or asked.prompt in (
                "prompt.choose_army",
                "prompt.choose_attacker",
                "prompt.choose_action",
            ):
                break
            continue
        steps.append((asked, answer))
    if not steps or steps[0][1] not in PLACE:
        return None
    last, here = steps[0][0], PLACE[steps[0][1]]
    if last.prompt == "prompt.beorn_step":
        return Refusal("beorn.move_will_of_west", "goes_no_farther")
    if last.rule != "move.character_die_fast" or len(steps) > 1:
        strategic = last.rule in ("move.army_die_strategic", "move.eye_strategic")
        return Refusal("move.to_adjacent_region" if strategic else last.rule, "goes_no_farther")
    state, seat = play.state, SEATS.index(last.seat)
    if NEIGHBOURS[here] & state.armies[1 - seat]:
        return Refusal("move.multi_stop_near_enemy", "enemy_next_door", {"place": PLACES[here]})
    if seat == SHADOW and state.where[BEORN] >= 0 and NEIGHBOURS[here] >> state.where[BEORN] & 1:
        return Refusal("beorn.stops_fast_shadow", "beorn_next_door", {"place": PLACES[here]})
    return Refusal("move.to_adjacent_region", "nowhere_to_go", {"place": PLACES[here]})


def _roll(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    if request is not None and request.prompt == "prompt.eagle_targets":
        return Refusal("eagles.move_all_then_attack", "first_all_move")
    return None


def _and(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``and muster`` after the Eagles flew out, or the other way round."""
    if any(
        r.prompt in ("prompt.eagles_fly", "prompt.lord_flies", "prompt.eagles_fly_or_muster")
        for r, _ in pairs
    ):
        return Refusal("eagles.muster_by_lord", "fly_or_muster")
    return None


def _drop(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    return Refusal("move.multi_split_only_at_start", "no_drop_on_the_way")


_HANDLERS: Mapping[str, Callable[[Play[State], Request | None, Words, Pairs], Found]] = {
    **ATTEMPTS,
    **COMBAT_HANDLERS,
    "pass": _pass,
    "x": _attack_mark,
    "from": _joined,
    "tile": _tile,
    "draw": _tile,
    "beorn": _beorn,
    "none": _nothing,
    "skip": _nothing,
    "drop": _drop,
    ">": _farther,
    "roll": _roll,
    "and": _and,
    "damage": _damage,
}


def _turn_rule(play: Play[State], request: Request, words: str) -> str:
    """Why a seat may not speak now."""
    by_prompt = {
        "prompt.forced_retreat_to": "retreat.forced_by_attacker",
        "prompt.break_off": "combat.declare_attacker_first",
        "prompt.use_ability": "manoeuvre.ability_optional_attacker_declares_first",
        "prompt.advance": "advance.only_attacker",
        "prompt.advance_from": "advance.only_attacker",
    }
    if request.prompt in by_prompt:
        return by_prompt[request.prompt]
    state = play.state
    if state.phase == 5 and state.active == FREE and not any(map(any, state.used)):
        return "turn.p5_free_first"
    return "turn.p5_alternate"


WORDS = HouseOfWords(
    notation=NOTATION,
    seats=SEATS,
    turn_rule=_turn_rule,
    over_rule="turn.repeat_until_win",
    stuck=stuck,
    sharpen=sharpen,
)
"""What explaining a written move of this game needs."""

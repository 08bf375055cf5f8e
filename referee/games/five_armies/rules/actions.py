"""Chapter V: what each symbol of the action dice allows (the table on page 13).

One list, in the order of the book; each action has an id, the symbols that
allow it and the rule it rests on.  ``possible`` says which of them would do
anything now; ``why_not`` says for each of the others why not.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.five_armies.box import components as box
from referee.games.five_armies.rules import bats, beorn, characters, eagles, occasions
from referee.games.five_armies.rules.asking import Ask, choose
from referee.games.five_armies.rules.attacks import attack_action, combined_attack_action, combined_targets
from referee.games.five_armies.rules.decks import draw_one_of_each
from referee.games.five_armies.rules.marchers import ANY, GOBLIN, LED
from referee.games.five_armies.rules.movement import armies_fit_for, fast_move, prospects, strategic_move
from referee.games.five_armies.rules.rally import damaged_armies, rally
from referee.games.five_armies.rules.recruiting import flip_places, recruit, recruit_goblins
from referee.games.five_armies.state.state import NOT_IN_PLAY, State
from referee.games.kit.actions import Action, do_nothing, names_of, refused_actions
from referee.kernel.refusals import Refusal

ARMY, CHARACTER, MUSTER, EVENT, EYE = (1 << n for n in range(5))
SYMBOLS_OF_FACE: dict[int, int] = {
    box.F_ARMY: ARMY,
    box.F_CHARACTER: CHARACTER,
    box.F_MUSTER: MUSTER,
    box.F_MUSTER_ARMY: MUSTER | ARMY,
    box.F_EVENT: EVENT,
    box.F_WEST: ARMY | CHARACTER | MUSTER | EVENT,
    box.F_EYE: EYE,
}
ANY_SYMBOL = ARMY | CHARACTER | MUSTER | EVENT | EYE


BOTH = (box.FREE, box.SHADOW)


def _attack(need: str, rule: str) -> Callable[[State, int, int], Ask]:
    def perform(state: State, seat: int, face: int) -> Ask:
        movers, strikers = prospects(state, seat, armies_fit_for(state, seat, need))
        return attack_action(state, seat, movers | strikers, need, rule)

    return perform


def _enter(character: int) -> Callable[[State, int, int], Ask]:
    return lambda state, seat, face: characters.enter_play(state, character)


def _strategic(need: str, rule: str) -> Callable[[State, int, int], Ask]:
    return lambda state, seat, face: strategic_move(state, seat, need, rule)


NEWCOMERS = (box.LORD, box.THORIN, box.BILBO, box.BEORN, box.BOLG)
ACTIONS: tuple[Action[State], ...] = (
    Action("strategic_move", BOTH, ARMY, "dice.army_strategic", _strategic(ANY, "move.army_die_strategic")),
    Action("attack", BOTH, ARMY, "dice.army_attack", _attack(ANY, "move.army_die_attack")),
    Action(
        "combined_attack",
        BOTH,
        ARMY,
        "dice.army_combined",
        lambda s, seat, f: combined_attack_action(s, seat),
    ),
    Action("fast_move", BOTH, CHARACTER, "dice.char_fast_move", lambda s, seat, f: fast_move(s, seat)),
    Action("led_attack", BOTH, CHARACTER, "dice.char_attack", _attack(LED, "move.character_die_attack")),
    Action(
        "move_characters",
        BOTH,
        CHARACTER,
        "dice.char_move_characters",
        lambda s, seat, f: characters.move_characters(s, seat),
    ),
    Action("draw_cards", BOTH, EVENT, "dice.event_draw", lambda s, seat, f: draw_one_of_each(s, seat)),
    Action("recruit", BOTH, MUSTER, "dice.muster_recruit", lambda s, seat, f: recruit(s, seat)),
    Action("rally", BOTH, MUSTER, "dice.muster_rally", lambda s, seat, f: rally(s, seat)),
    Action(
        "eagles_attack", (box.FREE,), MUSTER, "eagles.muster_die_attack", lambda s, seat, f: eagles.attack(s)
    ),
    Action("bat_cloud", (box.SHADOW,), MUSTER, "bats.cloud", lambda s, seat, f: bats.bat_cloud(s)),
    Action("recruit_goblins", (box.SHADOW,), EYE, "dice.eye_recruit", lambda s, seat, f: recruit_goblins(s)),
    Action("goblin_attack", (box.SHADOW,), EYE, "dice.eye_attack", _attack(GOBLIN, "move.eye_attack")),
    Action("goblin_move", (box.SHADOW,), EYE, "dice.eye_strategic", _strategic(GOBLIN, "move.eye_strategic")),
    Action("play_card", BOTH, ANY_SYMBOL & ~EYE, "cards.play_needs_die", occasions.play_card),
    Action(
        "move_beorn",
        (box.FREE,),
        ANY_SYMBOL,
        "beorn.move_other_die_costs_wrath",
        lambda s, seat, f: beorn.act(s, f),
    ),
    Action("enter:lord_of_the_eagles", (box.FREE,), ANY_SYMBOL, "char.entry_by_die", _enter(box.LORD)),
    Action("enter:thorin", (box.FREE,), ANY_SYMBOL, "char.entry_by_die", _enter(box.THORIN)),
    Action("enter:bilbo", (box.FREE,), ANY_SYMBOL, "char.entry_by_die", _enter(box.BILBO)),
    Action("enter:beorn", (box.FREE,), ANY_SYMBOL, "char.entry_by_die", _enter(box.BEORN)),
    Action("enter:bolg", (box.SHADOW,), ANY_SYMBOL, "char.entry_by_die", _enter(box.BOLG)),
    Action(
        "orc_from_card",
        (box.SHADOW,),
        ANY_SYMBOL,
        "cards.stay_in_play",
        lambda s, seat, f: occasions.action(s, "orc_from_card", f),
    ),
    Action(
        "end_troubled_mind",
        (box.FREE,),
        ANY_SYMBOL,
        "cards.stay_in_play",
        lambda s, seat, f: occasions.action(s, "end_troubled_mind", f),
    ),
    Action(
        "eagles_on_mountain",
        (box.FREE,),
        MUSTER,
        "cards.stay_in_play",
        lambda s, seat, f: eagles.attack_on_mountain(s),
    ),
    Action("skip", BOTH, ANY_SYMBOL, "dice.skip_action", do_nothing),
)
INDEX = {action.id: index for index, action in enumerate(ACTIONS)}
STRATEGIC_MOVE, ATTACK, COMBINED_ATTACK, FAST_MOVE, LED_ATTACK, MOVE_CHARACTERS = (1 << n for n in range(6))
DRAW_CARDS, RECRUIT, RALLY, EAGLES_ATTACK, BAT_CLOUD = (1 << n for n in range(6, 11))
RECRUIT_GOBLINS, GOBLIN_ATTACK, GOBLIN_MOVE, PLAY_CARD, MOVE_BEORN = (1 << n for n in range(11, 16))
FIRST_ENTRY = INDEX["enter:lord_of_the_eagles"]
ENTER = {character: 1 << FIRST_ENTRY + n for n, character in enumerate(NEWCOMERS)}
ORC_FROM_CARD = 1 << INDEX["orc_from_card"]
END_TROUBLED_MIND = 1 << INDEX["end_troubled_mind"]
EAGLES_ON_MOUNTAIN = 1 << INDEX["eagles_on_mountain"]
SKIP = 1 << INDEX["skip"]


_OPTIONS = names_of(ACTIONS)


def use_die(state: State, seat: int, face: int) -> Ask:
    """Choose one action that the symbol allows and carry it out."""
    chosen = yield from _choose_action(state, seat, face)
    while chosen.startswith("enter:"):
        character = NEWCOMERS[INDEX[chosen] - FIRST_ENTRY]
        yield from characters.learn_entry(state, character)
        if characters.why_not_enter(state, character, face) is None:
            break
        chosen = yield from _choose_action(state, seat, face)  # the card, now known, wants another die
    yield from ACTIONS[INDEX[chosen]].perform(state, seat, face)
    if state.pending:
        yield from after_combat(state)


def _choose_action(state: State, seat: int, face: int) -> Ask:
    mask = possible(state, seat, face)
    return choose(
        seat,
        "prompt.choose_action",
        _OPTIONS[mask],
        domain="action",
        about={"face": box.FACES[face]},
        rule="dice.match_symbol",
        refused=lambda: why_not(state, seat, face, mask),
    )


def after_combat(state: State) -> Ask:
    """What is still to be done of an action after its combat."""
    while state.pending:
        yield from occasions.resume_card(state)


def possible(state: State, seat: int, face: int) -> int:
    """Mask of the actions that a die with this face allows and that would do something now."""
    symbols = SYMBOLS_OF_FACE[face]
    mask = SKIP
    if symbols & ARMY:
        movers, strikers = prospects(state, seat, state.armies[seat])
        if movers:
            mask |= STRATEGIC_MOVE | ATTACK
        elif strikers:
            mask |= ATTACK
        if strikers and combined_targets(state, seat):
            mask |= COMBINED_ATTACK
    if symbols & CHARACTER:
        movers, strikers = prospects(state, seat, armies_fit_for(state, seat, LED))
        if movers:
            mask |= FAST_MOVE | LED_ATTACK
        elif strikers:
            mask |= LED_ATTACK
        if characters.movable_characters(state, seat):
            mask |= MOVE_CHARACTERS
    if symbols & EVENT:
        mask |= DRAW_CARDS
    if symbols & MUSTER:
        if flip_places(state, seat):
            mask |= RECRUIT
        if damaged_armies(state, seat):
            mask |= RALLY
        if seat == box.FREE:
            if eagles.can_attack(state):
                mask |= EAGLES_ATTACK
        elif bats.cloud_armies(state):
            mask |= BAT_CLOUD
    if symbols & EYE:
        mask |= _possible_with_eye(state)
    elif occasions.can_play(state, seat, face):
        mask |= PLAY_CARD
    if state.table_cards:
        mask |= _possible_by_cards(state, seat, symbols)
    return mask | _possible_entries(state, seat, face)


def _possible_by_cards(state: State, seat: int, symbols: int) -> int:
    """What the cards in play add to the table."""
    mask = 0
    if seat == box.SHADOW:
        if occasions.why_not_action(state, "orc_from_card") is None:
            mask |= ORC_FROM_CARD
        return mask
    if occasions.why_not_action(state, "end_troubled_mind") is None:
        mask |= END_TROUBLED_MIND
    if symbols & MUSTER and eagles.why_not_on_mountain(state) is None:
        mask |= EAGLES_ON_MOUNTAIN
    return mask


def _possible_with_eye(state: State) -> int:
    mask = RECRUIT_GOBLINS if state.supply[box.GOBLINS] else 0
    movers, strikers = prospects(state, box.SHADOW, armies_fit_for(state, box.SHADOW, GOBLIN))
    if movers:
        mask |= GOBLIN_MOVE | GOBLIN_ATTACK
    elif strikers:
        mask |= GOBLIN_ATTACK
    return mask


def _possible_entries(state: State, seat: int, face: int) -> int:
    mask = 0
    if seat == box.SHADOW:
        if state.where[box.BOLG] == NOT_IN_PLAY and characters.why_not_enter(state, box.BOLG, face) is None:
            mask |= ENTER[box.BOLG]
        return mask
    for character in (box.LORD, box.THORIN, box.BILBO, box.BEORN):
        waits = state.where[character] == NOT_IN_PLAY and state.fate >= state.fate_space[character]
        if waits and characters.why_not_enter(state, character, face) is None:
            mask |= ENTER[character]
    if state.where[box.BEORN] >= 0 and beorn.can_act(state, face):
        mask |= MOVE_BEORN
    return mask


# --- why not -----------------------------------------------------------------------------------


def why_not(state: State, seat: int, face: int, mask: int) -> list[tuple[str, Refusal]]:
    """Every action that this die does not allow now, and why."""
    symbols = SYMBOLS_OF_FACE[face]
    return refused_actions(ACTIONS, seat, mask, lambda action: _why_not(state, seat, face, symbols, action))


def _why_not(state: State, seat: int, face: int, symbols: int, action: Action[State]) -> Refusal:
    about = {"face": box.FACES[face]}
    if not action.symbols & symbols:
        rule = _WRONG_SYMBOL.get(action.id, "dice.match_symbol")
        if face == box.F_EYE:
            rule = "dice.eye_no_other_use"
        return Refusal(rule, "wrong_symbol", about)
    if action.id in _NO_USE:
        return Refusal(*_NO_USE[action.id], about)
    if action.id.startswith("enter:"):
        refusal = characters.why_not_enter(state, NEWCOMERS[INDEX[action.id] - FIRST_ENTRY], face)
    else:
        refusal = _WHY_NOT[action.id](state, seat, face)
    return refusal or Refusal(action.rule, "", about)


_WHY_NOT: dict[str, Callable[[State, int, int], Refusal | None]] = {
    "move_beorn": lambda s, seat, f: beorn.why_not_act(s, f),
    "play_card": occasions.why_not_play,
    "orc_from_card": lambda s, seat, f: occasions.why_not_action(s, "orc_from_card"),
    "end_troubled_mind": lambda s, seat, f: occasions.why_not_action(s, "end_troubled_mind"),
    "eagles_on_mountain": lambda s, seat, f: eagles.why_not_on_mountain(s),
    "eagles_attack": lambda s, seat, f: eagles.why_not_attack(s),
    "bat_cloud": lambda s, seat, f: bats.why_not_cloud(s),
}
_WRONG_SYMBOL = {
    "combined_attack": "combined.army_symbol_only",
    "bat_cloud": "bats.cloud",
    "eagles_attack": "eagles.muster_die_attack",
    "play_card": "dice.eye_no_other_use",
}
_NO_USE = {
    "strategic_move": ("move.to_adjacent_region", "no_army_can_move"),
    "attack": ("combat.attack_adjacent_only", "no_army_can_move"),
    "combined_attack": ("combined.all_must_border", "no_combined"),
    "fast_move": ("move.character_die_needs_leadership", "no_led_army"),
    "led_attack": ("move.character_die_needs_leadership", "no_led_army"),
    "move_characters": ("char.move_any_number", "no_character"),
    "recruit": ("muster.die_flips_two", "no_token"),
    "rally": ("rally.die", "no_damage"),
    "recruit_goblins": ("army.figure_limit", "no_figure"),
    "goblin_attack": ("move.eye_needs_goblin", "no_goblin_army"),
    "goblin_move": ("move.eye_needs_goblin", "no_goblin_army"),
}

"""Chapter IV: what each symbol of the action dice allows (the chart of the action dice).

One list, in the order of the book; each action has an id, the symbols that
allow it and the rule it rests on.  ``possible`` says which of them would do
anything now; ``why_not`` says for each of the others why not.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.kit.actions import Action, do_nothing, names_of, refused_actions
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.rules import (
    attacks,
    characters,
    combat,
    decks,
    fellowship,
    marching,
    minions,
    movement,
    occasions,
    politics,
    recruiting,
    separation,
)
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

ARMY, CHARACTER, MUSTER, EVENT, WEST = (1 << n for n in range(5))
SYMBOLS_OF_FACE: dict[int, int] = {
    box.F_ARMY: ARMY,
    box.F_CHARACTER: CHARACTER,
    box.F_MUSTER: MUSTER,
    box.F_MUSTER_ARMY: MUSTER | ARMY,
    box.F_EVENT: EVENT,
    box.F_WEST: ARMY | CHARACTER | MUSTER | EVENT | WEST,
    box.F_EYE: 0,
}
ANY_SYMBOL = ARMY | CHARACTER | MUSTER | EVENT | WEST


def symbols_of(face: int) -> int:
    """The symbols that a face stands for: two on a Muster/Army face, all on the Will of the West."""
    return SYMBOLS_OF_FACE[face]


BOTH = (box.FREE, box.SHADOW)
ROUSERS = (box.BOROMIR, box.LEGOLAS, box.GIMLI)
"""Companions who, where they belong, let any die advance their nation."""
NEWCOMERS = (box.ARAGORN, box.GANDALF_WHITE, box.WITCH_KING, box.SARUMAN, box.MOUTH)


def _as_army_die(state: State, seat: int, face: int) -> Ask:
    """The Mouth of Sauron: a Muster die is used as an Army die, once a turn."""
    state.mouth_used = True
    return use_die(state, seat, box.F_ARMY)


def _rouse(character: int) -> Callable[[State, int, int], Ask]:
    return lambda state, seat, face: characters.rouse(state, character)


def _enter(character: int) -> Callable[[State, int, int], Ask]:
    return lambda state, seat, face: minions.enter_minion(state, character)


ACTIONS: tuple[Action[State], ...] = (
    Action("move_armies", BOTH, ARMY, "dice.army_move", lambda s, seat, f: movement.move_armies(s, seat)),
    Action(
        "attack",
        BOTH,
        ARMY,
        "dice.army_attack",
        lambda s, seat, f: attacks.attack_action(s, seat, "", "dice.army_attack"),
    ),
    Action("led_move", BOTH, CHARACTER, "dice.character_move", lambda s, seat, f: movement.led_move(s, seat)),
    Action(
        "led_attack",
        BOTH,
        CHARACTER,
        "dice.character_attack",
        lambda s, seat, f: attacks.attack_action(s, seat, marching.LED, "dice.character_attack"),
    ),
    Action(
        "move_fellowship",
        (box.FREE,),
        CHARACTER,
        "dice.fellowship_move",
        lambda s, seat, f: fellowship.move_fellowship(s, f),
    ),
    Action(
        "hide_fellowship",
        (box.FREE,),
        CHARACTER,
        "dice.fellowship_hide",
        lambda s, seat, f: fellowship.hide(s),
    ),
    Action("separate", (box.FREE,), CHARACTER, "dice.separate", lambda s, seat, f: separation.separate(s)),
    Action(
        "move_companions",
        (box.FREE,),
        CHARACTER,
        "dice.move_companions",
        lambda s, seat, f: characters.move_companions(s),
    ),
    Action(
        "move_minions",
        (box.SHADOW,),
        CHARACTER,
        "dice.move_minions",
        lambda s, seat, f: minions.move_minions(s),
    ),
    Action("negotiate", BOTH, MUSTER, "politics.diplomacy", lambda s, seat, f: politics.negotiate(s, seat)),
    Action(
        "recruit", BOTH, MUSTER, "recruit.with_die", lambda s, seat, f: recruiting.recruit_with_die(s, seat)
    ),
    Action(
        "saruman_muster",
        (box.SHADOW,),
        MUSTER,
        "minion.voice_of_saruman",
        lambda s, seat, f: minions.saruman_muster(s),
    ),
    Action("as_army_die", (box.SHADOW,), MUSTER, "minion.mouth_army_die", _as_army_die),
    Action("draw_card", BOTH, EVENT, "dice.event_draw", lambda s, seat, f: decks.draw_choice(s, seat)),
    Action("play_card", BOTH, ANY_SYMBOL, "cards.play_with_die", occasions.play_card),
    Action(
        "enter:aragorn",
        (box.FREE,),
        WEST,
        "char.aragorn_enters",
        lambda s, seat, f: characters.enter_aragorn(s),
    ),
    Action(
        "enter:gandalf_the_white",
        (box.FREE,),
        WEST,
        "char.gandalf_white_enters",
        lambda s, seat, f: characters.enter_gandalf_white(s),
    ),
    Action("enter:witch_king", (box.SHADOW,), MUSTER, "minion.witch_king_enters", _enter(box.WITCH_KING)),
    Action("enter:saruman", (box.SHADOW,), MUSTER, "minion.saruman_enters", _enter(box.SARUMAN)),
    Action("enter:mouth_of_sauron", (box.SHADOW,), MUSTER, "minion.mouth_enters", _enter(box.MOUTH)),
    Action("rouse:boromir", (box.FREE,), ANY_SYMBOL, "char.rouses_nation", _rouse(box.BOROMIR)),
    Action("rouse:legolas", (box.FREE,), ANY_SYMBOL, "char.rouses_nation", _rouse(box.LEGOLAS)),
    Action("rouse:gimli", (box.FREE,), ANY_SYMBOL, "char.rouses_nation", _rouse(box.GIMLI)),
    Action("end_card", BOTH, ANY_SYMBOL, "cards.end_with_die", occasions.end_card),
    Action("skip", BOTH, ANY_SYMBOL, "dice.skip", do_nothing),
)
INDEX = {action.id: index for index, action in enumerate(ACTIONS)}
(
    MOVE_ARMIES,
    ATTACK,
    LED_MOVE,
    LED_ATTACK,
    MOVE_FELLOWSHIP,
    HIDE_FELLOWSHIP,
    SEPARATE,
    MOVE_COMPANIONS,
    MOVE_MINIONS,
    NEGOTIATE,
    RECRUIT,
    SARUMAN_MUSTER,
    AS_ARMY_DIE,
    DRAW_CARD,
    PLAY_CARD,
) = (1 << n for n in range(15))
ENTER = {character: 1 << INDEX[f"enter:{box.CHARACTERS[character]}"] for character in NEWCOMERS}
ROUSE = {character: 1 << INDEX[f"rouse:{box.CHARACTERS[character]}"] for character in ROUSERS}
END_CARD = 1 << INDEX["end_card"]
SKIP = 1 << INDEX["skip"]


_OPTIONS = names_of(ACTIONS)


def use_die(state: State, seat: int, face: int) -> Ask:
    """Choose one action that the symbol allows and carry it out."""
    mask = possible(state, seat, face)
    chosen = yield from choose(
        seat,
        "prompt.choose_action",
        _OPTIONS[mask],
        domain="action",
        about={"face": box.FACES[face]},
        rule="dice.symbol",
        refused=lambda: why_not(state, seat, face, mask),
    )
    yield from ACTIONS[INDEX[chosen]].perform(state, seat, face)
    if state.pending:
        yield from finish(state)


def finish_battle(state: State) -> Ask:
    """Go on with a battle from one of its milestones, then with what was to follow it."""
    yield from combat.fight(state)
    yield from finish(state)


def finish(state: State) -> Ask:
    """What is still to be done of an action after its battle."""
    while state.pending:
        yield from occasions.resume_card(state)


def possible(state: State, seat: int, face: int) -> int:
    """Mask of the actions that a die with this face allows and that would do something now."""
    symbols = symbols_of(face)
    mask = SKIP
    if symbols & ARMY:
        if marching.can_move(state, seat):
            mask |= MOVE_ARMIES
        if attacks.can_attack(state, seat, ""):
            mask |= ATTACK
    if symbols & CHARACTER:
        if marching.can_move(state, seat, marching.LED):
            mask |= LED_MOVE
        if attacks.can_attack(state, seat, marching.LED):
            mask |= LED_ATTACK
    if symbols & MUSTER:
        if politics.can_negotiate(state, seat):
            mask |= NEGOTIATE
        if recruiting.can_recruit(state, seat):
            mask |= RECRUIT
    if symbols & EVENT and decks.can_draw(state, seat):
        mask |= DRAW_CARD
    if occasions.can_play(state, seat, face):
        mask |= PLAY_CARD
    if occasions.can_end_card(state, seat, face):
        mask |= END_CARD
    if seat == box.FREE:
        return mask | _possible_free(state, symbols)
    return mask | _possible_shadow(state, symbols)


def _possible_free(state: State, symbols: int) -> int:
    mask = 0
    if fellowship.can_hide(state, any_die=not symbols & CHARACTER):
        mask |= HIDE_FELLOWSHIP
    if symbols & CHARACTER:
        if fellowship.can_move(state):
            mask |= MOVE_FELLOWSHIP
        if separation.can_separate(state):
            mask |= SEPARATE
        if characters.can_move_companions(state):
            mask |= MOVE_COMPANIONS
    if symbols & WEST:
        for character in (box.ARAGORN, box.GANDALF_WHITE):
            if characters.can_enter(state, character):
                mask |= ENTER[character]
    for character in ROUSERS:
        if state.where[character] >= 0 and characters.can_rouse(state, character):
            mask |= ROUSE[character]
    return mask


def _possible_shadow(state: State, symbols: int) -> int:
    mask = 0
    if symbols & CHARACTER and minions.can_move_minions(state):
        mask |= MOVE_MINIONS
    if symbols & MUSTER:
        for character in (box.WITCH_KING, box.SARUMAN, box.MOUTH):
            if characters.can_enter(state, character):
                mask |= ENTER[character]
        if minions.can_saruman_muster(state):
            mask |= SARUMAN_MUSTER
        if not symbols & ARMY and _why_not_as_army_die(state) is None:
            mask |= AS_ARMY_DIE
    return mask


def _why_not_as_army_die(state: State) -> Refusal | None:
    if state.where[box.MOUTH] < 0:
        return Refusal("minion.mouth_army_die", "no_mouth")
    if state.mouth_used:
        return Refusal("minion.mouth_army_die", "mouth_used")
    return None


# --- why not -----------------------------------------------------------------------------------


def why_not(state: State, seat: int, face: int, mask: int) -> list[tuple[str, Refusal]]:
    """Every action that this die does not allow now, and why."""
    symbols = symbols_of(face)
    return refused_actions(ACTIONS, seat, mask, lambda action: _why_not(state, seat, face, symbols, action))


def _why_not(state: State, seat: int, face: int, symbols: int, action: Action[State]) -> Refusal:
    about = {"face": box.FACES[face]}
    if not action.symbols & symbols:
        if action.id == "hide_fellowship":
            return fellowship.why_not_hide(state, face=face) or Refusal(action.rule, "wrong_symbol", about)
        return Refusal(action.rule, "wrong_symbol", about)
    refusal = _REASONS[action.id](state, seat, face) if action.id in _REASONS else None
    return refusal or Refusal(action.rule, "nothing_to_do", about)


def _why_not_attack(need: str) -> Callable[[State, int, int], Refusal | None]:
    return lambda state, seat, face: attacks.why_not_attack(state, seat, need)


def _no_army_can_move(state: State, seat: int, face: int) -> Refusal:
    return Refusal("move.adjacent", "no_army_can_move")


def _no_led_army(state: State, seat: int, face: int) -> Refusal:
    return Refusal("move.led_by_character_die", "no_led_army")


def _nobody_to_recruit(state: State, seat: int, face: int) -> Refusal:
    return Refusal("recruit.at_war", "nobody_to_recruit")


def _nobody_to_persuade(state: State, seat: int, face: int) -> Refusal:
    return Refusal("politics.diplomacy", "no_nation_to_advance")


def _decks_are_empty(state: State, seat: int, face: int) -> Refusal:
    return Refusal("cards.deck_exhausted", "decks_empty")


def _army_die_already(state: State, seat: int, face: int) -> Refusal:
    return _why_not_as_army_die(state) or Refusal("minion.mouth_army_die", "is_army_die")


_REASONS: dict[str, Callable[[State, int, int], Refusal | None]] = {
    "move_armies": _no_army_can_move,
    "attack": _why_not_attack(""),
    "led_move": _no_led_army,
    "led_attack": _why_not_attack(marching.LED),
    "move_fellowship": lambda s, seat, f: fellowship.why_not_move(s),
    "hide_fellowship": lambda s, seat, f: fellowship.why_not_hide(s),
    "separate": lambda s, seat, f: separation.why_not_separate(s),
    "move_companions": lambda s, seat, f: characters.why_not_move_companions(s),
    "move_minions": lambda s, seat, f: minions.why_not_move_minions(s),
    "negotiate": _nobody_to_persuade,
    "recruit": _nobody_to_recruit,
    "saruman_muster": lambda s, seat, f: minions.why_not_saruman_muster(s),
    "as_army_die": _army_die_already,
    "draw_card": _decks_are_empty,
    "play_card": occasions.why_not_play,
    "end_card": occasions.why_not_end_card,
    **{
        f"enter:{box.CHARACTERS[c]}": lambda s, seat, f, c=c: characters.why_not_enter(s, c)  # type: ignore[misc]
        for c in NEWCOMERS
    },
    **{
        f"rouse:{box.CHARACTERS[c]}": lambda s, seat, f, c=c: characters.why_not_rouse(s, c)  # type: ignore[misc]
        for c in ROUSERS
    },
}

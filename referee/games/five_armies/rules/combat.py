"""Chapter X: combat (p. 26 to 30).

An action module calls :func:`attack` (or :func:`combined_attack`) as the last
thing of an action; from then on ``state.combat`` holds the combat, and a game
that restarts in the middle of one goes on with :func:`fight`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.five_armies.box.components import BEORN, BOLG, CHARACTER_BITS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import (
    EXIT_OF_PASS,
    NEIGHBOURS,
    OPTIONS,
    PASSES,
    PLACE,
    PLACES,
    REGION_COUNT,
    RIVER,
    TERRAIN,
    places_in,
)
from referee.games.five_armies.rules.advance import advance
from referee.games.five_armies.rules.asking import Ask, choose
from referee.games.five_armies.rules.combat_roll import combat_roll, leader_reroll
from referee.games.five_armies.rules.damage import armour_breaks, casualties, hurt_beorn, put_damage, ward_off
from referee.games.five_armies.rules.decks import draw_event
from referee.games.five_armies.rules.manoeuvres import (
    IN_DAMAGE_STEP,
    apply_damage_abilities,
    choose_manoeuvres,
    declare,
    end_of_round_abilities,
    regrouped,
    take_cards,
    vampire_like,
)
from referee.games.five_armies.rules.movement import why_not_alone
from referee.games.five_armies.rules.pieces import enemies
from referee.games.five_armies.rules.retreat import can_leave, withdraw
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.state import State
from referee.kernel.play import MILESTONE, Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

Step = Generator[Request, Any, None]

OVER, GOES_ON = True, False


# --- who may be attacked ---------------------------------------------------------------------


def targets(state: State, seat: int, source: int) -> int:
    """Mask of the regions that the army of ``seat`` in ``source`` (or Beorn there) may attack."""
    if PASSES >> source & 1:
        return 1 << EXIT_OF_PASS[source] & enemies(state, seat)
    return NEIGHBOURS[source] & enemies(state, seat)


def why_not_attack(state: State, seat: int, source: int, target: int) -> Refusal | None:
    """Why the army in ``source`` may not attack ``target``; None where it may."""
    params = {"from": PLACES[source], "to": PLACES[target], "place": PLACES[target]}
    fights = state.armies[seat] >> source & 1 or (seat == FREE and state.where[BEORN] == source)
    if fights and targets(state, seat, source) >> target & 1:
        return None
    if not fights:
        return why_not_alone(state, seat, source) or Refusal("combat.attack_adjacent_only", "", params)
    if not enemies(state, seat) >> target & 1:
        if state.chars[target] & CHARACTER_BITS[1 - seat]:
            bolg = state.where[BOLG] == target
            return Refusal("bolg.alone_not_attackable" if bolg else "char.alone_not_attacked", "", params)
        return Refusal("combat.attack_adjacent_only", "", params)
    if seat == FREE and not state.armies[FREE] >> source & 1:
        return Refusal("beorn.attack_after_move", "not_next_to_beorn", params)
    if not state.armies[1 - seat] >> target & 1:
        return Refusal("beorn.shadow_may_attack", "not_next_to_beorn", params)
    if target >= REGION_COUNT:
        return Refusal("pass.not_attackable", "", params)
    if PASSES >> source & 1:
        return Refusal("pass.attack_exit", "", params)
    across = (source, target) in RIVER
    return Refusal("combat.not_across_impassable" if across else "combat.attack_adjacent_only", "", params)


def combined_participants(state: State, seat: int, target: int) -> int:
    """Mask of the places whose armies of ``seat`` may join a combined attack on ``target`` (never a pass)."""
    return NEIGHBOURS[target] & state.armies[seat]


# --- the way in --------------------------------------------------------------------------------


def attack(
    state: State,
    seat: int,
    source: int,
    target: int,
    *,
    superiority: bool = False,
    leadership: int = -1,
    no_retreat_in_round: int = 0,
) -> Ask:
    """One army (or Beorn) attacks another and the combat is fought to its end.

    ``superiority``: the attacker has terrain superiority whatever the count;
    ``leadership``: the army's leadership counts so much; ``no_retreat_in_round``:
    the round after which the defender cannot retreat.  Cards set these.
    """
    battle = Battle(seat, 1 << source, target)
    battle.sure_superiority = superiority
    battle.sides[seat].leadership = leadership
    battle.no_retreat_in_round = no_retreat_in_round
    battle.beorn = beorn_fights(state, seat, source, target)
    state.combat = battle
    yield from fight(state)


def beorn_fights(state: State, seat: int, source: int, target: int) -> bool:
    """Whether Beorn is the Free Peoples' side of a combat."""
    place = source if seat == FREE else target
    return state.where[BEORN] == place and not state.armies[FREE] >> place & 1


def combined_attack(state: State, seat: int, armies: int, target: int) -> Ask:
    """Several armies, a mask of places next to ``target``, attack it together (p. 30)."""
    state.combat = battle = Battle(seat, armies, target)
    battle.beorn = seat == SHADOW and beorn_fights(state, seat, target, target)
    yield from fight(state)


def fight(state: State) -> Ask:
    """The running combat, from its beginning or from the start of a round, to its end."""
    battle = state.combat
    assert battle is not None
    if battle.round == 0:
        if battle.combined:
            yield from _choose_army(state, battle)
        yield from terrain_superiority(state, battle)
        take_cards(state, battle)
        battle.round = 1
    while True:
        yield MILESTONE
        over = yield from combat_round(state, battle)
        if over:
            break
        battle.round += 1
    yield from advance(state, battle)
    state.combat = None


# --- before the first round ----------------------------------------------------------------------


def favouring(state: State, battle: Battle, seat: int) -> int:
    """How many units of a side favour the terrain of the combat."""
    army = ARMY[state.units[battle.place_of(seat)]]
    return army.favouring[seat == battle.attacker][TERRAIN[battle.target]]


def superior_seat(state: State, battle: Battle) -> int:
    """The seat with terrain superiority, -1 where nobody has it."""
    if battle.beorn:
        return -1
    if battle.sure_superiority:
        return battle.attacker
    mine, theirs = favouring(state, battle, battle.attacker), favouring(state, battle, battle.defender)
    if mine == theirs:
        return -1
    return battle.attacker if mine > theirs else battle.defender


def terrain_superiority(state: State, battle: Battle) -> Ask:
    """Who has more units that favour the terrain draws an Event card; nobody does where Beorn fights."""
    seat = superior_seat(state, battle)
    if seat >= 0:
        yield from draw_event(state, seat)


# --- a combat round --------------------------------------------------------------------------------


def alive(state: State, battle: Battle, seat: int) -> bool:
    """Whether a side still stands where it fights this round."""
    if battle.beorn and seat == FREE:
        return state.where[BEORN] == battle.place_of(FREE)
    return state.armies[seat] >> battle.place_of(seat) & 1 != 0


def survivors(state: State, battle: Battle) -> int:
    """Mask of the attacker's participants that still stand."""
    if battle.beorn and battle.attacker == FREE:
        return battle.armies if state.where[BEORN] == battle.source else 0
    return battle.armies & state.armies[battle.attacker]


def combat_round(state: State, battle: Battle) -> Generator[Request | Milestone, Any, bool]:
    """One round in its five steps (p. 26); True where the combat is over."""
    battle.new_round()
    if battle.combined and battle.round > 1:
        yield from _choose_army(state, battle)
    attacker, defender = battle.attacker, 1 - battle.attacker
    battle.step = "manoeuvre"
    yield from choose_manoeuvres(state, battle)
    if alive(state, battle, attacker) and alive(state, battle, defender):
        battle.step = "roll"
        yield from combat_roll(state, battle, attacker)
        yield from combat_roll(state, battle, defender)
        battle.step = "reroll"
        yield from leader_reroll(state, battle, attacker)
        yield from leader_reroll(state, battle, defender)
        battle.step = "damage"
        yield from damage_step(state, battle)
    battle.step = "end"
    battle.fought |= 1 << battle.source
    return (yield from end_of_round(state, battle))


def _choose_army(state: State, battle: Battle) -> Step:
    """Combined attack: the attacker names the army of this round; a change brings used cards back."""
    standing = battle.armies & state.armies[battle.attacker]
    answer = yield from choose(
        battle.attacker,
        "prompt.choose_army",
        OPTIONS[standing],
        domain="place",
        about={"to": PLACES[battle.target]},
        rule="combined.choose_army_each_round",
        refused=lambda: [
            (PLACES[p], Refusal("combined.choose_army_each_round"))
            for p in places_in(NEIGHBOURS[battle.target] & state.armies[battle.attacker] & ~standing)
        ],
    )
    place = PLACE[answer]
    if place != battle.source:
        battle.source = place
        battle.sides[battle.attacker].used = 0


def damage_step(state: State, battle: Battle) -> Step:
    """Step 4: abilities, what wards damage off, tokens, casualties.

    The Free Peoples' tokens and casualties are settled before the Shadow's:
    both happen at once by the rules, and Bolg's death ends the game.
    """
    yield from declare(state, battle, IN_DAMAGE_STEP)
    yield from apply_damage_abilities(state, battle)
    yield from vampire_like(state, battle)
    for seat in (FREE, SHADOW):
        yield from _suffer(state, battle, seat)
    for seat in (FREE, SHADOW):
        if not (battle.beorn and seat == FREE):
            yield from casualties(state, seat, battle.place_of(seat), side=battle.sides[seat])


def _suffer(state: State, battle: Battle, seat: int) -> Step:
    side = battle.sides[seat]
    if side.suffered <= 0:
        return
    attacked = seat != battle.attacker
    if seat == FREE and battle.beorn:
        hurt_beorn(state, side.suffered, attacked=attacked)
        return
    place = battle.place_of(seat)
    if seat == SHADOW and (yield from ward_off(state, place, side.suffered)):
        side.guarded = True
        side.suffered = 0
        return
    yield from put_damage(state, seat, place, side.suffered, attacked=attacked)


# --- step 5 ------------------------------------------------------------------------------------------


def end_of_round(state: State, battle: Battle) -> Generator[Request | Milestone, Any, bool]:
    """Step 5: who stays, who leaves (p. 29); True where the combat is over."""
    attacker, defender = battle.attacker, 1 - battle.attacker
    if alive(state, battle, attacker) and alive(state, battle, defender):
        yield from end_of_round_abilities(state, battle)
    armour_breaks(state)
    fog = "dense_fog" in (battle.sides[0].effect, battle.sides[1].effect)
    if not alive(state, battle, defender) or not survivors(state, battle) or fog:
        return OVER
    if (yield from _attacker_breaks_off(battle)):
        return OVER
    if not alive(state, battle, attacker):
        return GOES_ON  # another army of the combined attack takes over; nobody drove the defender back
    return (yield from _defender_decides(state, battle))


def _attacker_breaks_off(battle: Battle) -> Generator[Request, Any, bool]:
    answer = yield ChooseOne(
        SEATS[battle.attacker],
        "prompt.break_off",
        ("go_on", "break_off"),
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="combat.attacker_may_break_off",
        refused=lambda: [(name, Refusal("combat.declare_attacker_first")) for name in ("retreat", "rout")],
        at_once=("go_on",),
    )
    return bool(answer == "break_off")


def _defender_decides(state: State, battle: Battle) -> Generator[Request | Milestone, Any, bool]:
    defender = 1 - battle.attacker
    beorn = battle.beorn and defender == FREE
    way = "retreat" if beorn or regrouped(battle.sides[defender]) else "rout"
    held = way == "retreat" and battle.round == battle.no_retreat_in_round
    if held and not beorn and state.house["elven_charge"] == "rout":
        way = "rout"
    options = ("stay",) if (held and way == "retreat") or not can_leave(state, battle) else ("stay", way)
    answer = yield ChooseOne(
        SEATS[defender],
        "prompt.stay_or_leave",
        options,
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="retreat.needs_regroup",
        refused=lambda: _why_not_leave(beorn, way, held, options),
        at_once=("stay",),
    )
    if answer == "stay":
        return GOES_ON
    yield from withdraw(state, battle, rout=way == "rout")
    return OVER


def _why_not_leave(beorn: bool, way: str, held: bool, options: tuple[str, ...]) -> list[tuple[str, Refusal]]:
    refused = []
    barred = Refusal("cards.all_effects_apply", "held_by_card")
    if way not in options:
        why = barred if held and way == "retreat" else Refusal("retreat.impossible", "no_retreat_region")
        refused.append((way, why))
    if way == "rout":
        refused.append(("retreat", barred if held else Refusal("retreat.needs_regroup")))
    else:
        refused.append(("rout", Refusal("beorn.no_rout" if beorn else "rout.without_regroup")))
    return refused

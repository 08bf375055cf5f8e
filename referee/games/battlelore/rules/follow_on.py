"""Follow-on actions: gaining ground, pursuit and the bonus attack."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import CREATURE, NEAR, OPTIONS, PLACE, PLACES, SEATS
from referee.games.battlelore.rules.morale import is_mounted
from referee.games.battlelore.state.fight import BONUS_ATTACK, Fight
from referee.games.battlelore.state.state import State, put
from referee.games.kit.asking import NO, YES, Ask
from referee.games.kit.places import places_in
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

NO_ATTACK = "no_attack"


def may_enter(state: State, fight: Fight) -> bool:
    """Whether the attacker may step into the hex that its target left."""
    if state.unit_at[fight.hex] >= 0 or state.ground.closed >> fight.hex & 1:
        return False
    creature = state.field.units[fight.attacker].kind == CREATURE
    return not creature or state.house["creature_gains_ground"] != "neither"


def _pursues(state: State, fight: Fight) -> bool:
    if state.field.units[fight.attacker].kind == CREATURE:
        return state.house["creature_gains_ground"] == "both"
    return is_mounted(state, fight.attacker)


def _step(state: State, fight: Fight, place: int) -> None:
    """A follow-on step is a movement: a special place ends the fighting of who enters it."""
    put(state, fight.attacker, place)
    state.left |= 1 << fight.attacker & state.ordered
    if state.ground.calm >> place & 1:
        state.barred |= 1 << fight.attacker


def gain_ground(state: State, fight: Fight) -> Ask:
    """The attacker may enter the hex that was left; a rider then pursues."""
    seat = SEATS[state.field.units[fight.attacker].seat]
    chosen = yield ChooseOne(
        seat,
        "prompt.gain_ground",
        (YES, NO),
        about={"from": PLACES[fight.where], "to": PLACES[fight.hex]},
        rule="ground.may_advance",
    )
    last = fight.step == "again"
    state.fight = None
    if chosen == NO:
        return
    _step(state, fight, fight.hex)
    if last or state.barred >> fight.attacker & 1 or not _pursues(state, fight):
        return
    woods = state.ground.woods >> fight.hex & 1
    way = state.house["follow_on_woods"]
    if woods and way == "ends":
        return
    stopped = state.ground.stop >> fight.hex & 1 and not (woods and way == "no_effect")
    fight.step = "bonus" if stopped else "pursue"
    state.fight = fight


def pursuit_hexes(state: State, fight: Fight) -> int:
    """Mask of the hexes to which a pursuer may ride on."""
    barred = state.stand[0] | state.stand[1] | state.ground.closed
    return NEAR[state.at[fight.attacker]] & ~barred


def pursue(state: State, fight: Fight) -> Ask:
    """A rider that gained ground may ride on by one hex; staying and riding back are pursuit as well."""
    at, seat = state.at[fight.attacker], SEATS[state.field.units[fight.attacker].seat]

    def refused() -> Iterator[tuple[str, Refusal]]:
        for place in places_in(NEAR[at] & ~pursuit_hexes(state, fight)):
            yield (
                PLACES[place],
                Refusal("pursuit.occupied_hexes_closed", "hex_taken", {"place": PLACES[place]}),
            )

    chosen = yield ChooseOne(
        seat,
        "prompt.pursue_to",
        (*OPTIONS[pursuit_hexes(state, fight)], "stay"),
        domain="place",
        about={"from": PLACES[at]},
        rule="pursuit.extra_hex",
        refused=refused,
    )
    if chosen != "stay":
        _step(state, fight, PLACE[chosen])
    fight.step = "bonus"
    if state.barred >> fight.attacker & 1:
        state.fight = None


def bonus_attack(state: State, fight: Fight) -> Ask:
    """A pursuer may strike once more, at any enemy beside it."""
    unit = fight.attacker
    at, seat = state.at[unit], state.field.units[unit].seat
    could = NEAR[at] & state.stand[1 - seat]
    state.fight = None
    if not could:
        return
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.bonus_attack",
        (*OPTIONS[could], NO_ATTACK),
        domain="place",
        about={"from": PLACES[at]},
        rule="extra.one_bonus_attack",
        refused=lambda: _refused_bonus(state, at, seat),
    )
    if chosen == NO_ATTACK:
        return
    again = Fight()
    again.attacker, again.target, again.kind = unit, state.unit_at[PLACE[chosen]], BONUS_ATTACK
    again.where, again.hex, again.start = at, PLACE[chosen], fight.start
    state.fight = again


def _refused_bonus(state: State, at: int, seat: int) -> Iterator[tuple[str, Refusal]]:
    for place in places_in(state.stand[1 - seat] & ~NEAR[at]):
        yield PLACES[place], Refusal("extra.any_adjacent_enemy", "not_beside", {"place": PLACES[place]})

"""Chapter XII: Beorn moves and attacks.  How he fights is in the combat modules."""

from __future__ import annotations

from referee.games.five_armies.box.components import BEORN, F_CHARACTER, F_WEST, FREE, SHADOW
from referee.games.five_armies.box.map import NEIGHBOURS, OPTIONS, PLACE, PLACES, RIVER
from referee.games.five_armies.rules.asking import Ask, choose, refuse_all
from referee.games.five_armies.rules.attacks import attack_from
from referee.games.five_armies.rules.characters import movement_rating
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal


def can_act(state: State, face: int) -> bool:
    """Whether a die with this face moves Beorn: he is in play and can pay."""
    return state.where[BEORN] >= 0 and why_not_act(state, face) is None


def why_not_act(state: State, face: int) -> Refusal | None:
    """Why a die does not move Beorn; he never spends his last Wrath on it."""
    if state.where[BEORN] < 0:
        return Refusal("char.must_be_ready", "not_in_play", {"character": "beorn"})
    if face == F_WEST:
        return None
    if state.house["beorn_move"] == "character_die" and face != F_CHARACTER:
        return Refusal("beorn.move_other_die_costs_wrath", "character_die_only")
    if state.wrath < 2:
        return Refusal("beorn.move_other_die_costs_wrath", "no_wrath_to_spare")
    return None


def act(state: State, face: int) -> Ask:
    """Beorn goes up to his movement, region by region, then he may attack a neighbouring army."""
    if face != F_WEST:
        state.wrath -= 1
    steps = yield from movement_rating(state, FREE, BEORN)
    while steps > 0:
        steps -= 1
        here = state.where[BEORN]
        mask = _next_steps(state, here, steps)
        stay = not state.armies[FREE] >> here & 1
        options = OPTIONS[mask]
        to = yield from choose(
            FREE,
            "prompt.beorn_step",
            (*options, "stay") if stay else options,
            domain="place",
            about={"from": PLACES[here], "steps": steps + 1},
            rule="beorn.move_will_of_west",
            refused=_refusals(state, here, mask, steps),
            ask_forced=bool(mask),
        )
        if to == "stay":
            break
        put_character(state, BEORN, PLACE[to])
    yield from _attack(state)


def _next_steps(state: State, here: int, steps_after: int) -> int:
    """Mask of the regions Beorn may step to, from which he can still end where no army units are."""
    mask = NEIGHBOURS[here] & ~state.armies[SHADOW]
    free = state.armies[FREE]
    found = mask & ~free
    through = mask & free
    while through:
        low = through & -through
        if steps_after and _next_steps(state, low.bit_length() - 1, steps_after - 1):
            found |= low
        through ^= low
    return found


def _refusals(state: State, here: int, mask: int, steps_after: int):  # type: ignore[no-untyped-def]
    def why_not(place: int) -> Refusal | None:
        if mask >> place & 1 or place == here:
            return None
        return why_not_step(state, here, place, steps_after)

    def refused() -> list[tuple[str, Refusal]]:
        found = refuse_all(PLACES, why_not)
        if state.armies[FREE] >> here & 1:
            about = {"place": PLACES[here]}
            found.append(("stay", Refusal("beorn.never_ends_with_units", "army_there", about)))
        return found

    return refused


def why_not_step(state: State, here: int, place: int, steps_after: int) -> Refusal | None:
    """Why Beorn may not step to a place with ``steps_after`` steps left then."""
    about = {"from": PLACES[here], "place": PLACES[place]}
    if not NEIGHBOURS[here] >> place & 1:
        rule = "move.no_cross_impassable" if (here, place) in RIVER else "move.to_adjacent_region"
        return Refusal(rule, "river_between" if (here, place) in RIVER else "not_adjacent", about)
    if state.armies[SHADOW] >> place & 1:
        return Refusal("beorn.not_through_shadow", "enemy_army_there", about)
    if state.armies[FREE] >> place & 1:
        return Refusal("beorn.never_ends_with_units", "army_there", {**about, "steps": steps_after})
    return None


def _attack(state: State) -> Ask:
    yield from attack_from(state, FREE, state.where[BEORN], "beorn.attack_after_move")

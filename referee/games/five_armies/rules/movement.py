"""Chapter IX: armies move, split, merge; strategic and fast movement, and why an army may not go somewhere.

A move is asked for in small steps: which army, where to, who goes along, how
its damage is shared out.  The figures are moved when all of that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from random import Random

from referee.games.five_armies.box.components import (
    ARMY_LIMIT,
    BEORN,
    BOLG,
    CHARACTER_BITS,
    FREE,
    SEATS,
    SHADOW,
    UNIT,
)
from referee.games.five_armies.box.map import (
    EXIT_OF_PASS,
    EYRIE,
    MUSTER_OF_PASS,
    NEAR,
    NEIGHBOURS,
    OPTIONS,
    PASS_OF_MUSTER,
    PASSES,
    PLACE,
    PLACES,
    REGION_COUNT,
    RIVER,
    STEPS,
    UNLIMITED,
    places_in,
)
from referee.games.five_armies.rules.asking import Ask, choose, draw_some, refuse_all
from referee.games.five_armies.rules.damage import casualties
from referee.games.five_armies.rules.marchers import (
    ANY,
    GOBLIN,
    LED,
    NOBODY,
    PEOPLES,
    Held,
    available,
    choose_marchers,
)
from referee.games.five_armies.rules.pieces import (
    enemies,
    enter,
    led_armies,
    lift_units,
    put_character,
    remove_units,
    set_down_units,
)
from referee.games.five_armies.rules.victory import check_at_once, wins_at_once
from referee.games.five_armies.state.armies import ARMY, GOBLIN_BITS, ONE
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSome, Counts

ATTACKER = "prompt.choose_attacker"

# --- where armies may go -----------------------------------------------------------------------


def closed_to(state: State, seat: int) -> int:
    """Mask of the places an army of ``seat`` may not end a step in."""
    if seat == SHADOW:
        return enemies(state, SHADOW) | state.closed_passes
    beorn = state.where[BEORN]
    return state.armies[SHADOW] if beorn < 0 else state.armies[SHADOW] | 1 << beorn


def armies_fit_for(state: State, seat: int, need: str) -> int:
    """Mask of own armies that an action with this need may use."""
    if need == ANY:
        return state.armies[seat]
    if need == LED:
        return led_armies(state, seat)
    mask, units, found = state.armies[seat], state.units, 0
    while mask:
        low = mask & -mask
        there = units[low.bit_length() - 1]
        if there & GOBLIN_BITS if need == GOBLIN else need in ARMY[there].peoples:
            found |= low
        mask ^= low
    return found


def prospects(state: State, seat: int, armies: int) -> tuple[int, int]:
    """Of some own armies: those that can step somewhere, and those that can attack from where they stand."""
    foes = enemies(state, seat)
    closed = closed_to(state, seat)
    movers = strikers = 0
    while armies:
        low = armies & -armies
        steps = STEPS[low.bit_length() - 1]
        if steps & ~closed:
            movers |= low
        if steps & foes:
            strikers |= low
        armies ^= low
    return movers, strikers


def why_not_step(state: State, seat: int, origin: int, to: int) -> Refusal | None:
    """Why an army of ``seat`` in ``origin`` may not step to ``to``; None where it may."""
    refusal = why_not_adjacent(state, origin, to)
    if refusal is not None:
        return refusal
    bit = 1 << to
    about = {"from": PLACES[origin], "place": PLACES[to]}
    if state.armies[1 - seat] & bit:
        return Refusal("move.not_into_enemy_army", "enemy_army_there", about)
    if state.where[BEORN] == to:
        if seat == SHADOW:
            return Refusal("beorn.blocks_shadow", "beorn_there", about)
        return _not_with_beorn(origin, to)
    return None


def _not_with_beorn(origin: int, to: int) -> Refusal:
    about = {"from": PLACES[origin], "place": PLACES[to]}
    return Refusal("beorn.never_ends_with_units", "beorn_there", about)


def why_not_adjacent(state: State, origin: int, to: int) -> Refusal | None:
    """Why ``to`` cannot be reached from ``origin`` in one step (or attacked), whoever stands there."""
    about = {"from": PLACES[origin], "place": PLACES[to]}
    if STEPS[origin] >> to & 1:
        if state.closed_passes >> to & 1:
            return Refusal("pass.closed_at_start", "pass_closed", about)
        return None
    if to >= REGION_COUNT:
        if PASSES >> to & 1:
            if EXIT_OF_PASS[to] == origin or origin < REGION_COUNT:
                return Refusal("pass.no_entry_from_region", "pass_one_way", about)
            return Refusal("pass.enter_by_any_army_move", "not_your_pass", about)
        return Refusal("board.goblin_boxes_not_regions", "no_region", about)
    if origin in MUSTER_OF_PASS:
        return Refusal("pass.single_exit", "only_the_exit", about)
    if origin in PASS_OF_MUSTER:
        return Refusal("board.goblins_need_pass", "only_the_pass", about)
    if (origin, to) in RIVER:
        return Refusal("move.no_cross_impassable", "river_between", about)
    return Refusal("move.to_adjacent_region", "not_adjacent", about)


def why_not_alone(state: State, seat: int, place: int) -> Refusal | None:
    """Why nobody attacks from a place where ``seat`` has characters and no army; None elsewhere."""
    alone = state.chars[place] & CHARACTER_BITS[seat] & ~(1 << BEORN)
    if not alone or state.armies[seat] >> place & 1:
        return None
    rule = "bolg.alone_cannot_attack" if state.where[BOLG] == place else "char.alone_no_attack"
    return Refusal(rule, "character_alone", {"place": PLACES[place]})


def why_not_use(state: State, seat: int, place: int, need: str, rule: str) -> Refusal | None:
    """Why the army in ``place`` cannot be used by an action; None where nothing stands against it."""
    bit = 1 << place
    about = {"place": PLACES[place]}
    if place == EYRIE:
        return Refusal("eagles.outside_normal_rules", "special_units", about)
    if not state.armies[seat] & bit:
        if state.chars[place] & CHARACTER_BITS[seat]:
            return Refusal(rule, "character_alone", about)
        return Refusal(rule, "enemy_army" if state.armies[1 - seat] & bit else "no_own_army", about)
    if need == LED and not led_armies(state, seat) & bit:
        return Refusal("move.character_die_needs_leadership", "no_leadership", about)
    if need == GOBLIN and not state.units[place] & GOBLIN_BITS:
        return Refusal("move.eye_needs_goblin", "no_goblin", about)
    if need in PEOPLES and need not in ARMY[state.units[place]].peoples:
        return Refusal("cards.rules_still_apply", "army_without_people", about)
    return None


# --- moving ------------------------------------------------------------------------------------


def march(
    state: State, seat: int, path: tuple[int, ...], units: int, chars: int, leaders: int, damage: int
) -> None:
    """Move a part of an army along ``path`` (origin first).  What is entered on the way may end the game."""
    origin, end = path[0], path[-1]
    state.damage[origin] -= damage
    state.leaders[origin] -= leaders
    lift_units(state, origin, units)
    set_down_units(state, end, units)
    state.damage[end] += damage
    state.leaders[end] += leaders
    while chars:
        low = chars & -chars
        put_character(state, low.bit_length() - 1, end)
        chars ^= low
    for place in path[1:]:
        enter(state, place, seat)


def reduce_to_limit(state: State, seat: int, place: int) -> Ask:
    """Cut a merged army down to five units; each unit taken off may take up to two damage tokens along."""
    army = ARMY[state.units[place]]
    surplus = army.size - ARMY_LIMIT
    if surplus <= 0 or (seat == SHADOW and UNLIMITED >> place & 1):
        return
    damage = min(state.damage[place], 2 * surplus)
    chosen = yield Removal(
        SEATS[seat],
        "prompt.reduce",
        {**army.counts, "damage": damage} if damage else army.counts,
        minimum=surplus,
        maximum=surplus + damage,
        refuses=_wrong_removal(surplus),
        domain="unit",
        about={"place": PLACES[place], "count": surplus},
        rule="move.merge_reduce_to_five",
        too_few=Refusal("move.merge_reduce_to_five", "too_few", {"minimum": surplus}),
        too_many=Refusal("move.merge_removal_heals", "two_damage_each", {"maximum": damage}),
    )
    state.damage[place] -= chosen.get("damage", 0)
    remove_units(state, place, sum(ONE[UNIT[i]] * n for i, n in chosen.items() if i != "damage"))
    # due only where damage was left on purpose
    yield from casualties(state, seat, place, only_duty=True)


class Removal(ChooseSome):
    """Units to take off, and how much damage they take along: by default as much as they can."""

    __slots__ = ()

    def sample(self, rng: Random) -> Counts:
        units = [item for item, most in self.limits.items() if item != "damage" for _ in range(most)]
        counts = draw_some(rng, units, self.minimum)
        if "damage" in self.limits:
            counts["damage"] = self.limits["damage"]
        return counts


def _wrong_removal(surplus: int) -> Callable[[Counts], Refusal | None]:
    def refuses(counts: Mapping[str, int]) -> Refusal | None:
        units = sum(number for item, number in counts.items() if item != "damage")
        if units != surplus:
            return Refusal("move.merge_reduce_to_five", "exactly", {"count": surplus})
        return None

    return refuses


# --- the actions -------------------------------------------------------------------------------


def choose_army(
    state: State,
    seat: int,
    mask: int,
    need: str,
    rule: str,
    *,
    done: bool = False,
    prompt: str = "prompt.choose_army",
    why_not: Callable[[int], Refusal | None] = lambda place: None,
) -> Ask:
    """Ask for an army in ``mask``; with ``done`` the move may be left unused.  Returns a place or -1.

    ``why_not`` knows more than the rules for all armies of why one is not in ``mask``.
    """

    def why(p: int) -> Refusal:
        alone = why_not_alone(state, seat, p) if prompt == ATTACKER else None
        return alone or why_not_use(state, seat, p, need, rule) or why_not(p) or _hemmed_in(state, seat, p)

    chosen = yield from choose(
        seat,
        prompt,
        (*OPTIONS[mask], "done") if done else OPTIONS[mask],
        domain="place",
        rule=rule,
        refused=lambda: refuse_all(PLACES, why, but=mask),
        ask_forced=not done,
    )
    return -1 if chosen == "done" else PLACE[chosen]


def _hemmed_in(state: State, seat: int, place: int) -> Refusal:
    """An army that can go nowhere: by the rule that closes a region next to it."""
    closed = (why_not_step(state, seat, place, to) for to in places_in(STEPS[place]))
    rule = next((refusal.rule for refusal in closed if refusal is not None), "move.to_adjacent_region")
    return Refusal(rule, "nowhere_to_go", {"place": PLACES[place]})


def choose_step(
    state: State,
    seat: int,
    origin: int,
    mask: int,
    rule: str,
    *,
    stay: bool = False,
    start: int = -1,
    why_not: Callable[[int], Refusal | None] = lambda place: None,
) -> Ask:
    """Ask where an army steps from ``origin``; with ``stay`` it may remain.  Returns a place or -1.

    ``why_not`` knows more than the rules for every step of why a place is not in ``mask``.
    """

    def refused() -> list[tuple[str, Refusal]]:
        found = refuse_all(
            PLACES, lambda p: why_not_step(state, seat, origin, p) or why_not(p), but=mask | 1 << origin
        )
        if seat == FREE and state.where[BEORN] == origin:
            found.append(("stay", _not_with_beorn(origin, origin)))
        return found

    chosen = yield from choose(
        seat,
        "prompt.choose_destination",
        (*OPTIONS[mask], "stay") if stay else OPTIONS[mask],
        domain="place",
        about={"from": PLACES[start if start >= 0 else origin], "place": PLACES[origin]},
        rule=rule,
        refused=refused,
        ask_forced=bool(mask),
    )
    return -1 if chosen == "stay" else PLACE[chosen]


def strategic_move(state: State, seat: int, need: str, rule: str) -> Ask:
    """Two different armies (or parts) each go one region; they merge only after both have moved."""
    movers, _ = prospects(state, seat, armies_fit_for(state, seat, need))
    held = yield from _strategic_step(state, seat, movers, need, rule, NOBODY)
    movers, _ = prospects(state, seat, armies_fit_for(state, seat, need) & ~_unable(state, held, need))
    second = yield from _strategic_step(state, seat, movers, need, rule, held)
    for place in sorted({held.place, second.place} - {-1}):
        yield from reduce_to_limit(state, seat, place)


def _unable(state: State, held: Held, need: str) -> int:
    """The place of the first move's end where nobody else stands who could make the second move."""
    others = state.units[held.place] - held.units
    if others and (need != GOBLIN or others & GOBLIN_BITS):
        return 0
    return 1 << held.place


def _strategic_step(state: State, seat: int, movers: int, need: str, rule: str, held: Held) -> Ask:
    origin = yield from choose_army(
        state, seat, movers, need, rule, done=held.place >= 0, why_not=moved_before({held.place})
    )
    if origin < 0:
        return NOBODY
    mask = STEPS[origin] & ~closed_to(state, seat)
    to = yield from choose_step(state, seat, origin, mask, rule)
    units, chars, leaders, damage = yield from choose_marchers(state, seat, origin, need, held)
    march(state, seat, (origin, to), units, chars, leaders, damage)
    return Held(to, units, chars, leaders, damage)


def moved_before(places: Collection[int]) -> Callable[[int], Refusal | None]:
    """Why an army cannot move again: nobody stands there but those who came by this action (p. 23)."""
    return lambda place: (
        Refusal("move.no_unit_twice_per_action", "moved_by_this_action", {"place": PLACES[place]})
        if place in places
        else None
    )


def fast_move(state: State, seat: int) -> Ask:
    """One army with leadership goes up to two regions; it stops next to an enemy army."""
    movers, _ = prospects(state, seat, led_armies(state, seat))
    origin = yield from choose_army(state, seat, movers, LED, "move.character_die_fast")
    yield from long_move(state, seat, origin, 2, LED, "move.character_die_fast")


def long_move(state: State, seat: int, origin: int, steps: int, need: str, rule: str) -> Ask:
    """Move an army up to ``steps`` regions; returns where it (or its part) ended."""
    path = yield from choose_path(state, seat, origin, steps, rule)
    units, chars, leaders, damage = yield from choose_marchers(state, seat, origin, need, path=path)
    march(state, seat, path, units, chars, leaders, damage)
    yield from reduce_to_limit(state, seat, path[-1])
    return path[-1]


def choose_path(state: State, seat: int, origin: int, steps: int, rule: str, held: Held = NOBODY) -> Ask:
    """Ask step by step where an army goes; returns the path, origin first.

    The tenth point on the way ends the game at once: nothing more is asked, and the whole army stands there
    (but for ``held``, which moved before).
    """
    path = [origin]
    closed = closed_to(state, seat)
    near = NEAR[enemies(state, seat)]
    beorn = 1 << state.where[BEORN] if seat == FREE and state.where[BEORN] >= 0 else 0
    while len(path) <= steps:
        here = path[-1]
        mask = STEPS[here] & ~closed
        through = beorn & STEPS[here] & ~near
        if through and len(path) < steps and NEIGHBOURS[state.where[BEORN]] & ~closed:
            mask |= through  # through Beorn's region, not to stay there
        halted = len(path) > 1 and near >> here & 1
        if halted:
            mask = 0  # next to an enemy army the move ends
        may_stay = (len(path) > 1 or not mask) and not beorn >> here & 1
        to = yield from choose_step(
            state,
            seat,
            here,
            mask,
            rule,
            stay=may_stay,
            start=origin,
            why_not=lambda p, here=here: _halted(state, seat, here),  # type: ignore[misc]
        )
        if to < 0:
            break
        path.append(to)
        if seat == SHADOW and wins_at_once(state, sum(1 << place for place in path[1:])):
            march(state, seat, tuple(path), *available(state, seat, origin, held))
            check_at_once(state)
    return tuple(path)


def _halted(state: State, seat: int, here: int) -> Refusal:
    """Why a fast move ends here, next to the enemy."""
    beorn = state.where[BEORN]
    if seat == SHADOW and not NEIGHBOURS[here] & state.armies[FREE] and beorn >= 0:
        return Refusal("beorn.stops_fast_shadow", "beorn_next_door", {"place": PLACES[here]})
    return Refusal("move.multi_stop_near_enemy", "enemy_next_door", {"place": PLACES[here]})

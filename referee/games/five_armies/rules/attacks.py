"""Chapters V and X: the actions that lead to a combat.  The combat itself is in :mod:`combat`."""

from __future__ import annotations

from referee.games.five_armies.box.components import BEORN, FREE, SEATS
from referee.games.five_armies.box.map import NEIGHBOURS, OPTIONS, PASSES, PLACE, PLACES, STEPS
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.asking import Ask, ChooseWithDefault, choose, refuse_all
from referee.games.five_armies.rules.marchers import choose_marchers, whole_army
from referee.games.five_armies.rules.movement import (
    ATTACKER,
    choose_army,
    choose_step,
    closed_to,
    march,
    reduce_to_limit,
)
from referee.games.five_armies.rules.pieces import enemies
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Forced


def attack_action(state: State, seat: int, armies: int, need: str, rule: str) -> Ask:
    """One army may move one region, merge and shrink, and may then attack."""
    origin = yield from choose_army(state, seat, armies, need, rule, prompt=ATTACKER)
    place = origin
    steps = STEPS[origin] & ~closed_to(state, seat)
    may_stay = bool(combat.targets(state, seat, origin))
    to = yield from choose_step(state, seat, origin, steps, rule, stay=may_stay)
    if to >= 0:
        units, chars, leaders, damage = yield from choose_marchers(state, seat, origin, need)
        march(state, seat, (origin, to), units, chars, leaders, damage)
        yield from reduce_to_limit(state, seat, to)
        place = to
    else:
        yield whole_army(state, seat, origin)
    yield from attack_from(state, seat, place, rule)


def attack_from(state: State, seat: int, place: int, rule: str) -> Ask:
    """The army in ``place`` may attack a neighbouring enemy; the last thing of an action."""
    chosen = yield from choose_target(state, seat, place, rule)
    if chosen != "no_attack":
        state.step = "fight"
        yield from combat.attack(state, seat, place, PLACE[chosen])


def choose_target(state: State, seat: int, place: int, rule: str, **about: str) -> Ask:
    """Ask whom the army (or Beorn) in ``place`` attacks, or nobody."""
    return choose(
        seat,
        "prompt.choose_target",
        (*OPTIONS[combat.targets(state, seat, place)], "no_attack"),
        domain="place",
        about={"from": PLACES[place], **about},
        rule=rule,
        refused=lambda: refuse_all(PLACES, lambda p: combat.why_not_attack(state, seat, place, p)),
    )


def combined_targets(state: State, seat: int) -> int:
    """Mask of enemy armies next to at least two own armies in regions."""
    mine, found = state.armies[seat], 0
    foes = enemies(state, seat)
    while foes:
        low = foes & -foes
        near = NEIGHBOURS[low.bit_length() - 1] & mine
        if near & (near - 1):
            found |= low
        foes ^= low
    return found


def combined_attack_action(state: State, seat: int) -> Ask:
    """Several armies around one enemy army attack it together."""
    mask = combined_targets(state, seat)
    chosen = yield from choose(
        seat,
        "prompt.combined_target",
        OPTIONS[mask],
        domain="place",
        rule="dice.army_combined",
        refused=lambda: refuse_all(PLACES, lambda p: _why_not_combined(state, seat, p, mask)),
    )
    target = PLACE[chosen]
    everyone = dict.fromkeys(OPTIONS[combat.combined_participants(state, seat, target)], 1)
    request = ChooseWithDefault(
        SEATS[seat],
        "prompt.combined_armies",
        everyone,
        minimum=2,
        default=everyone,
        domain="place",
        about={"to": PLACES[target]},
        rule="combined.all_must_border",
        refused=lambda: refuse_all(PLACES, lambda p: why_not_join(state, seat, p, target)),
    )
    armies = yield request if len(everyone) > 2 else Forced(request, everyone)
    near = sum(1 << PLACE[name] for name in armies)
    state.step = "fight"
    yield from combat.combined_attack(state, seat, near, target)


def _why_not_combined(state: State, seat: int, place: int, mask: int) -> Refusal | None:
    if mask >> place & 1 or not enemies(state, seat) >> place & 1:
        return None
    return Refusal("combined.all_must_border", "two_armies_needed", {"place": PLACES[place]})


def why_not_join(state: State, seat: int, place: int, target: int) -> Refusal | None:
    """Why the army in a place cannot join a combined attack on ``target``."""
    about = {"place": PLACES[place], "to": PLACES[target]}
    if seat == FREE and state.where[BEORN] == place:
        return Refusal("beorn.no_combined", "beorn_there", about)
    if not state.armies[seat] >> place & 1 or NEIGHBOURS[target] >> place & 1:
        return None
    if PASSES >> place & 1:
        return Refusal("pass.no_combined_with_region", "pass_alone", about)
    return Refusal("combined.all_must_border", "does_not_border", about)

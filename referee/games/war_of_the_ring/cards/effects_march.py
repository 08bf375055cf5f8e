"""Primitives that move armies and let them attack.  An attack is the last step of its card."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in, region_of
from referee.games.war_of_the_ring.cards.cards_in_play import closed_to_shadow
from referee.games.war_of_the_ring.cards.conditions import stronghold_besieged_by
from referee.games.war_of_the_ring.cards.effects import (
    RULE,
    SELECTORS,
    Running,
    Step,
    choose_place,
    primitive,
)
from referee.games.war_of_the_ring.rules import attacks, marching, movement, movement_refusals
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.rules.pieces import besieged
from referee.games.war_of_the_ring.state.armies import GROUP, NAZGUL_BITS, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

DONE = "done"


def _starts(state: State, seat: int, need: str) -> int:
    """Mask of the regions with an army of ``seat`` as a card names it."""
    return (SELECTORS[need](state, seat) if need else state.armies[seat]) & board.ALL_REGIONS


def _goes_along(need: str, figures: int, chars: int) -> bool:
    """Whether he who makes the army fit for the card goes along."""
    if need == "with_companion":
        return bool(chars & box.COMPANIONS)
    if need == "with_witch_king":
        return bool(chars >> box.WITCH_KING & 1)
    if need == "with_nazgul":
        return bool(figures & NAZGUL_BITS or chars >> box.WITCH_KING & 1)
    return True


# --- moving ------------------------------------------------------------------------------------------


@primitive("march")
def march(state: State, run: Running, step: Step) -> Ask:
    """So many different armies move up to so many regions; ``joins``: each ends with another own army."""
    moved: marching.Moved = {}
    for number in range(step["armies"]):
        if step.get("joins"):
            done = yield from _march_to_join(state, run, step["steps"], moved)
        else:
            done = yield from _march_freely(state, run, step, moved, may_stop=number > 0)
        if not done:
            return


def _march_freely(state: State, run: Running, step: Step, moved: marching.Moved, *, may_stop: bool) -> Ask:
    need = step.get("need", "")
    result = yield from movement.move_army(
        state,
        run.seat,
        steps=step["steps"],
        need=marching.LED if need else "",
        starts=_starts(state, run.seat, need),
        moved=moved,
        may_stop=may_stop,
        goes_along=lambda figures, chars: _goes_along(need, figures, chars),
    )
    return result is not None


def _march_to_join(state: State, run: Running, steps: int, moved: marching.Moved) -> Ask:
    """One army goes up to ``steps`` regions and ends with another army that is not under siege."""
    seat = run.seat
    able = sum(
        1 << place
        for place in places_in(marching.movers(state, seat, "", board.ALL_REGIONS, moved))
        if _onward(state, seat, place, place, marching.available(state, seat, place, moved)[0], steps)
    )
    if not able:
        return False
    chosen = yield ChooseOne(
        box.SEATS[seat],
        "prompt.card_march",
        (*board.OPTIONS[able], DONE),
        domain="place",
        about={"card": run.card, "steps": steps},
        rule="cards.move",
        refused=lambda: _why_not_march(state, seat, able, run.card),
    )
    if chosen == DONE:
        return False
    start = here = board.PLACE[chosen]
    figures, chars = yield from movement.choose_movers(state, seat, start, moved=moved)
    left = steps
    while left:
        onward = _onward(state, seat, start, here, figures, left)
        may_stop = here != start and _joined(state, seat, start, here, figures)
        if not onward:
            break
        options = (*board.OPTIONS[onward], DONE) if may_stop else board.OPTIONS[onward]
        target = yield from choose(
            seat,
            "prompt.choose_onward",
            options,
            rule="cards.move",
            domain="place",
            about={"from": board.PLACES[here], "card": run.card},
        )
        if target == DONE:
            break
        movement.march(state, here, board.PLACE[target], figures, chars, arrives=False)
        here = board.PLACE[target]
        left -= 1
    before = moved.get(here, (0, 0))
    moved[here] = (before[0] + figures, before[1] | chars)
    return True


def _why_not_march(state: State, seat: int, able: int, card: str) -> list[tuple[str, Refusal]]:
    """The places from which no army can reach another one."""
    found = []
    for place, name in enumerate(board.PLACES):
        if able >> place & 1:
            continue
        reason = "joins_nobody" if state.armies[seat] >> place & 1 else "no_army_there"
        found.append((name, Refusal("cards.move", reason, {"place": name, "card": card})))
    return found


def _joined(state: State, seat: int, start: int, here: int, figures: int) -> bool:
    """Whether another own army stands here, besides the one that came (and what it left where it started)."""
    others = state.figures[here] & SEAT_BITS[seat] & UNIT_BITS
    return here != start and bool(others - (figures & UNIT_BITS))


def _onward(state: State, seat: int, start: int, here: int, figures: int, left: int) -> int:
    """Mask of the next regions from which another own army can still be reached."""
    goals = state.armies[seat] & board.ALL_REGIONS & ~(1 << start)
    if not _joined(state, seat, start, here, figures):
        goals &= ~(1 << here)
    found = 0
    for region in _open_next(state, seat, here, figures):
        reached = 1 << region
        frontier = reached
        for _ in range(left - 1):
            wider = 0
            for place in places_in(frontier):
                for further in _open_next(state, seat, place, figures):
                    wider |= 1 << further
            frontier = wider & ~reached
            reached |= wider
        if reached & goals:
            found |= 1 << region
    return found


def _open_next(state: State, seat: int, place: int, figures: int) -> list[int]:
    return [
        region
        for region in places_in(board.NEIGHBOURS[place])
        if movement_refusals.may_enter(state, seat, place, region, figures) is None
    ]


@primitive("woses")
def woses(state: State, run: Running, step: Step) -> Ask:
    """An army of a Rohan region, a besieged one too, goes straight to Minas Tirith or next to it."""
    minas_tirith = board.PLACE["minas_tirith"]
    goals = 1 << minas_tirith
    if state.captured >> minas_tirith & 1 or besieged(state) >> minas_tirith & 1:
        goals = board.NEIGHBOURS[minas_tirith]
    goals &= marching.open_regions(state, box.FREE)
    starts = sum(
        1 << place
        for place in places_in(state.armies[box.FREE])
        if board.IN_NATION[box.ROHAN] >> region_of(place) & 1
        and movement.could_go(state, box.FREE, place, goals)
    )
    start = yield from choose_place(state, run, starts, "prompt.woses_from")
    if start < 0:
        return
    goals = movement.could_go(state, box.FREE, start, goals)
    end = yield from choose_place(state, run, goals, "prompt.woses_to")
    figures, chars = yield from movement.choose_movers(state, box.FREE, start, end)
    movement.march(state, start, end, figures, chars)


# --- attacking ----------------------------------------------------------------------------------------


ATTACK_NEEDS = {"with_nazgul": attacks.NAZGUL_LED, "with_witch_king": attacks.WITCH_KING_LED}
"""Whom the attacking army must include, for armies that a step names."""


@primitive("march_or_attack")
def march_or_attack(state: State, run: Running, step: Step) -> Ask:
    """So many armies move, or one of them attacks; without a number only an attack."""
    need = step.get("need", "")
    within = _starts(state, run.seat, need)
    ways = []
    if step["armies"] and marching.movers(state, run.seat, "", within):
        ways.append("move")
    led = ATTACK_NEEDS.get(need, attacks.ANY)
    if attacks.can_attack(state, run.seat, led):
        ways.append("attack")
    if not ways:
        return
    way = yield from choose(
        run.seat, "prompt.march_or_attack", tuple(ways), rule=RULE, about={"card": run.card}
    )
    if way == "move":
        yield from march(state, run, {"armies": step["armies"], "steps": 1, "need": need})
        return
    yield from attacks.attack_action(state, run.seat, led, RULE)


@primitive("siege_attack")
def siege_attack(state: State, run: Running, step: Step) -> Ask:
    """A siege battle of several rounds; the Free Peoples' first combat card needs a companion there."""
    mask = stronghold_besieged_by(state, step["led_by"])
    region = yield from choose_place(state, run, mask, "prompt.siege_target")
    if region < 0:
        return
    yield from attacks.attack_from(
        state,
        box.SHADOW,
        region,
        board.SIEGE_BOX[region],
        step["led_by"],
        rounds=step["rounds"],
        free_card_needs_companion=True,
    )


@primitive("relief_attack")
def relief_attack(state: State, run: Running, step: Step) -> Ask:
    """An army next to a siege attacks the besiegers, who fight with fewer dice for each unit inside."""
    able = attacks.can_attack(state, box.FREE, "") & board.ALL_REGIONS
    sieges = sum(
        1 << region for region in places_in(besieged(state)) if state.armies[box.SHADOW] >> region & 1
    )
    targets = sum(1 << region for region in places_in(sieges) if board.NEIGHBOURS[region] & able)
    target = yield from choose_place(state, run, targets, "prompt.relief_target")
    if target < 0:
        return
    start = yield from choose_place(state, run, board.NEIGHBOURS[target] & able, "prompt.relief_from")
    inside = GROUP[state.figures[board.SIEGE_BOX[target]] & UNIT_BITS].units
    yield from attacks.attack_from(state, box.FREE, start, target, "", shadow_dice_less=inside)


@primitive("corsairs")
def corsairs(state: State, run: Running, step: Step) -> Ask:
    """An army sails to a coast of Gondor; an army of the Free Peoples there must be fought to the end.

    Where the Shadow besieges already, the fleet joins the besiegers, and a siege battle begins that may be
    ceased as usual.
    """
    start = board.PLACE[step["from"]]
    if not state.armies[box.SHADOW] >> start & 1:
        return
    mask = board.COASTAL & board.IN_NATION[box.GONDOR] & ~closed_to_shadow(state)
    mask = movement.could_go(state, box.SHADOW, start, mask)
    end = yield from choose_place(state, run, mask, "prompt.corsairs_to")
    if end < 0:
        return
    figures, chars = yield from movement.choose_movers(state, box.SHADOW, start, end)
    if state.armies[box.FREE] >> end & 1:
        yield from attacks.begin(state, box.SHADOW, start, end, figures, chars, no_cease=True)
    else:
        movement.march(state, start, end, figures, chars)
        if besieged(state) >> end & 1:
            yield from attacks.attack_from(state, box.SHADOW, end, board.SIEGE_BOX[end])

"""Primitives that bring figures into play or change them: recruiting by card (second edition, page 27)."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import mask_of, places_in, region_of
from referee.games.war_of_the_ring.cards.effects import (
    RULE,
    Running,
    Step,
    choose_place,
    open_to_recruits,
    primitive,
    where,
)
from referee.games.war_of_the_ring.rules import recruiting
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose
from referee.games.war_of_the_ring.rules.pieces import (
    add_figures,
    lift,
    put_character,
    remove_figures,
    set_down,
    settle,
)
from referee.games.war_of_the_ring.state.armies import GROUP, ONE, UNIT_BITS, count
from referee.games.war_of_the_ring.state.state import State


def home_of(state: State, seat: int, region: int) -> int:
    """Where recruits for a region stand: with the garrison where its stronghold is under siege."""
    siege_box = board.SIEGE_BOX.get(region)
    return siege_box if siege_box is not None and state.armies[seat] >> siege_box & 1 else region


@primitive("recruit")
def recruit(state: State, run: Running, step: Step) -> Ask:
    """Figures of a nation come into a place, or the same into each of several different ones.

    ``unit`` is a regular or an elite as the player likes.  As many as the
    reinforcements hold: a card leaves no choice of fewer (ruling r57).
    """
    mask = 0
    for place in places_in(where(state, run.seat, step)):
        mask |= 1 << region_of(place)
    named = mask
    mask &= open_to_recruits(state, run.seat)
    for _ in range(step.get("places", 1)):
        region = yield from choose_place(state, run, mask, "prompt.recruit_where", named=named)
        if region < 0:
            return
        mask &= ~(1 << region)
        yield from bring(state, run, step, home_of(state, run.seat, region))


def bring(state: State, run: Running, step: Step, place: int) -> Ask:
    """The figures of a step come into a place, as many as the reinforcements hold."""
    nation = box.NATION[step["nation"]]
    fixed = [(box.REGULAR[nation], step.get("regular", 0)), (box.ELITE[nation], step.get("elite", 0))]
    for figure, number in fixed:
        recruiting.recruit(state, figure, place, number)
    for _ in range(step.get("unit", 0)):
        kinds = [figure for figure in (box.REGULAR[nation], box.ELITE[nation]) if state.supply[figure]]
        if not kinds:
            break
        name = yield from choose(
            run.seat,
            "prompt.recruit_unit",
            tuple(box.FIGURES[figure] for figure in kinds),
            rule=RULE,
            domain="unit",
            about={"card": run.card, "place": board.PLACES[place]},
        )
        recruiting.recruit(state, box.FIGURE[name], place, 1)
    if step.get("leader") and state.armies[box.FREE] >> place & 1:  # a leader never stands alone
        recruiting.recruit(state, box.LEADER[nation], place, step["leader"])
    if step.get("nazgul"):
        recruiting.recruit(state, box.NAZGUL, place, step["nazgul"])


@primitive("upgrade")
def upgrade(state: State, run: Running, step: Step) -> Ask:
    """One regular of an army is replaced by an elite of its nation."""
    place = yield from choose_place(state, run, where(state, run.seat, step), "prompt.upgrade_where")
    if place < 0:
        return
    group = GROUP[state.figures[place] & UNIT_BITS]
    options = tuple(
        box.FIGURES[figure] for figure in group.kinds if not figure & 1 and state.supply[figure + 1]
    )
    if not options:
        return
    name = yield from choose(
        run.seat,
        "prompt.upgrade",
        options,
        rule=RULE,
        domain="unit",
        about={"card": run.card, "place": board.PLACES[place]},
    )
    _replace(state, place, box.FIGURE[name], 1)


def _replace(state: State, place: int, regular: int, number: int) -> None:
    add_figures(state, place, ONE[regular + 1] * number)
    remove_figures(state, place, ONE[regular] * number)


@primitive("promote")
def promote(state: State, run: Running, step: Step) -> Ask:
    """Regulars of a nation, anywhere on the map, are replaced by elites."""
    regular = box.REGULAR[box.NATION[step["nation"]]]
    limits = {
        board.PLACES[place]: count(figures, regular)
        for place, figures in enumerate(state.figures)
        if count(figures, regular)
    }
    number = min(step["units"], state.supply[regular + 1], sum(limits.values()))
    if not number:
        return
    default: dict[str, int] = {}
    left = number
    for name, most in limits.items():
        if left:
            default[name] = min(most, left)
            left -= default[name]
    chosen = yield ChooseWithDefault(
        box.SEATS[run.seat],
        "prompt.promote",
        limits,
        minimum=number,
        maximum=number,
        default=default,
        domain="place",
        about={"card": run.card, "number": number},
        rule=RULE,
    )
    for name, part in chosen.items():
        _replace(state, board.PLACE[name], regular, part)


@primitive("move_character")
def move_character(state: State, run: Running, step: Step) -> Ask:
    """A character goes straight to a region."""
    character = box.CHARACTER[step["character"]]
    if state.where[character] >= 0:
        put_character(state, character, board.PLACE[step["to"]])
    return
    yield


_DUNLANDS = mask_of(board.PLACE["north_dunland"], board.PLACE["south_dunland"])


@primitive("dunlendings")
def dunlendings(state: State, run: Running, step: Step) -> Ask:
    """Isengard's regulars appear in a free region next to Dunland; units of Dunland may join them."""
    mask = board.NEAR[_DUNLANDS] & open_to_recruits(state, box.SHADOW)
    region = yield from choose_place(state, run, mask, "prompt.recruit_where")
    if region < 0:
        return
    place = home_of(state, box.SHADOW, region)
    recruiting.recruit(state, box.REGULAR[box.ISENGARD], place, step["regulars"])
    left = step["movers"]
    for start in places_in(_DUNLANDS & ~(1 << region)):
        kinds = (box.REGULAR[box.ISENGARD], box.ELITE[box.ISENGARD])
        limits = {
            box.FIGURES[figure]: count(state.figures[start], figure)
            for figure in kinds
            if count(state.figures[start], figure)
        }
        if not limits or not left:
            continue
        chosen = yield ChooseWithDefault(
            box.SEATS[box.SHADOW],
            "prompt.dunland_joins",
            limits,
            maximum=min(left, sum(limits.values())),
            default={},
            about={"card": run.card, "from": board.PLACES[start], "to": board.PLACES[region]},
            rule=RULE,
        )
        figures = sum(ONE[box.FIGURE[name]] * number for name, number in chosen.items())
        if figures:
            lift(state, start, figures)
            set_down(state, place, figures)
            settle(state, start)
            left -= sum(chosen.values())


@primitive("remove_leader")
def remove_leader(state: State, run: Running, step: Step) -> Ask:
    """The Free Peoples lose a leader there."""
    place = yield from choose_place(state, run, where(state, run.seat, step), "prompt.remove_leader_where")
    if place < 0:
        return
    options = tuple(
        box.FIGURES[figure]
        for figure in GROUP[state.figures[place]].kinds
        if box.UNIT_COUNT <= figure < box.NAZGUL
    )
    if not options:
        return
    name = yield from choose(
        box.FREE,
        "prompt.remove_leader",
        options,
        rule=RULE,
        domain="unit",
        about={"place": board.PLACES[place]},
    )
    remove_figures(state, place, ONE[box.FIGURE[name]])

"""Chapter VI: moving armies, their borders, and the stacking limit.

An army moves into a region next to it that holds no enemy army; units and
leaders of a nation that is not At War stay out of the regions of other nations.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules import politics
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose, choose_place
from referee.games.war_of_the_ring.rules.casualties import army_gone
from referee.games.war_of_the_ring.rules.marching import (
    ALLOWED,
    DONE,
    LED,
    NONE_MOVED,
    Moved,
    available,
    destinations,
    may_cross,
    movers,
    open_regions,
)
from referee.games.war_of_the_ring.rules.movement_refusals import (
    why_not_destinations,
    why_not_movers,
    why_not_onward,
    why_not_part,
    why_not_starts,
)
from referee.games.war_of_the_ring.rules.pieces import (
    capture,
    lift,
    put_character,
    remove_figures,
    seat_at,
    set_down,
    settle,
    units_at,
)
from referee.games.war_of_the_ring.state.armies import GROUP, NAZGUL_BITS, ONE, UNIT_BITS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts, Forced

# --- carrying a move out --------------------------------------------------------------------------


def march(state: State, start: int, end: int, figures: int, chars: int, *, arrives: bool = True) -> None:
    """Figures and characters go from a place to another, and what follows from it at once.

    A siege that they leave is lifted, the nation entered becomes active, an
    enemy settlement that nobody defends is captured.  ``arrives`` False: they
    only pass through, so companions wake nobody here.
    """
    lift(state, start, figures)
    set_down(state, end, figures)
    for character in places_in(chars):
        put_character(state, character, end)
    group = GROUP[figures & UNIT_BITS]
    if start in board.REGION_OF_BOX and group.units and not state.armies[group.seat] >> start & 1:
        army_gone(state, start, group.seat, with_characters=False)  # the besiegers have the stronghold
    settle(state, start)
    if group.units:
        enter(state, end, group.seat)
    if arrives:
        for character in places_in(chars & box.CHARACTERS_OF_SEAT[box.FREE]):
            politics.companion_arrived(state, character, end)


def enter(state: State, region: int, seat: int) -> None:
    """An army of ``seat`` came into a region: the nation wakes, an undefended enemy settlement falls."""
    politics.entered(state, region, seat)
    bit = 1 << region
    if not bit & board.SETTLEMENTS or (
        region in board.SIEGE_BOX and seat_at(state, board.SIEGE_BOX[region]) == 1 - seat
    ):
        return
    if capture(state, region, seat) and board.OF_SEAT[1 - seat] & bit:
        politics.captured(state, region)


# --- asking for a move ----------------------------------------------------------------------------


def move_army(
    state: State,
    seat: int,
    *,
    steps: int = 1,
    need: str = "",
    starts: int = board.ALL_REGIONS,
    within: int = board.ALL_REGIONS,
    moved: Moved | None = None,
    may_stop: bool = False,
    goes_along: Callable[[int, int], bool] | None = None,
) -> Ask:
    """Move one army up to ``steps`` regions: choose where it stands, where it goes, and who goes along.

    ``starts`` and ``within`` bound where it may start and go; ``moved`` holds
    what has moved in this action and is added to; ``goes_along`` says of figures
    and characters whether they are an army as a card names it.  Returns (start,
    end, figures, characters), or None where nothing moved.
    """
    moved = {} if moved is None else moved
    able = _able(state, seat, need, starts, within, moved, goes_along)
    start = yield from _choose_start(state, seat, need, able, moved, may_stop)
    if start < 0:
        return None
    figures, chars = available(state, seat, start, moved)
    end = yield from choose_place(
        seat,
        "prompt.choose_destination",
        destinations(state, seat, start, need, figures, chars) & within,
        rule="move.adjacent",
        about={"from": board.PLACES[start]},
        refused=lambda: why_not_destinations(state, seat, start, need, figures, chars, within),
    )
    figures, chars = yield from _choose_movers(state, seat, start, end, need, figures, chars, goes_along)
    march(state, start, end, figures, chars, arrives=steps == 1)
    _note(moved, end, figures, chars)
    if steps > 1:
        end = yield from _march_on(state, seat, end, figures, chars, steps - 1, within, moved)
        for character in places_in(chars & box.CHARACTERS_OF_SEAT[box.FREE]):
            politics.companion_arrived(state, character, end)
    return start, end, figures, chars


def _able(
    state: State,
    seat: int,
    need: str,
    starts: int,
    within: int,
    moved: Moved,
    goes_along: Callable[[int, int], bool] | None,
) -> int:
    """Mask of the places from which an army can move, and is one that a card names."""
    return sum(
        1 << place
        for place in places_in(movers(state, seat, need, starts, moved))
        if _ends(state, seat, place, need, moved) & within
        and (goes_along is None or goes_along(*available(state, seat, place, moved)))
    )


def _march_on(
    state: State, seat: int, place: int, figures: int, chars: int, steps: int, within: int, moved: Moved
) -> Ask:
    """An army on the march goes on for up to ``steps`` regions; returns where it ends."""
    for _ in range(steps):
        onward = yield from _choose_onward(state, seat, place, figures, within)
        if onward < 0:
            break
        _unnote(moved, place, figures, chars)
        march(state, place, onward, figures, chars, arrives=False)
        place = onward
        _note(moved, place, figures, chars)
    return place


def _ends(state: State, seat: int, place: int, need: str, moved: Moved) -> int:
    figures, chars = available(state, seat, place, moved)
    return destinations(state, seat, place, need, figures, chars)


def _note(moved: Moved, place: int, figures: int, chars: int) -> None:
    before = moved.get(place, (0, 0))
    moved[place] = (before[0] + figures, before[1] | chars)


def _unnote(moved: Moved, place: int, figures: int, chars: int) -> None:
    before = moved[place]
    moved[place] = (before[0] - figures, before[1] & ~chars)


def _choose_start(state: State, seat: int, need: str, able: int, moved: Moved, may_stop: bool) -> Ask:
    if not may_stop:
        start = yield from choose_place(
            seat,
            "prompt.choose_army",
            able,
            rule="move.army",
            nowhere=True,
            refused=lambda: why_not_starts(state, seat, need, able, moved),
        )
        return start
    chosen = yield from choose(
        seat,
        "prompt.choose_second_army",
        (*board.OPTIONS[able], DONE),
        domain="place",
        rule="move.two_armies",
        refused=lambda: why_not_starts(state, seat, need, able, moved),
    )
    return -1 if chosen == DONE else board.PLACE[chosen]


def _choose_onward(state: State, seat: int, place: int, figures: int, within: int) -> Ask:
    open_to_all = board.ALL_REGIONS
    at_war = politics.wars(state)
    for nation in places_in(GROUP[figures & ~NAZGUL_BITS].nations):
        open_to_all &= ALLOWED[place, 1 << nation, at_war]
    near = board.NEIGHBOURS[place] & open_to_all & open_regions(state, seat) & within
    chosen = yield from choose(
        seat,
        "prompt.choose_onward",
        (*board.OPTIONS[near], DONE),
        domain="place",
        about={"from": board.PLACES[place]},
        rule="move.through",
        refused=lambda: why_not_onward(state, seat, place, figures, near),
    )
    return -1 if chosen == DONE else board.PLACE[chosen]


def could_go(state: State, seat: int, start: int, ends: int) -> int:
    """Mask of those regions that a part of the army in ``start`` may go straight to, as a card has it."""
    figures, chars = available(state, seat, start, NONE_MOVED)

    def refuses(counts: Counts) -> Refusal | None:
        return why_not_part(state, seat, start, "", *unpack(counts))

    found = 0
    for end in places_in(ends & ~(1 << start)):
        crossing = may_cross(state, figures, end)
        if refuses(most_of(counted(crossing, chars), refuses)) is None:
            found |= 1 << end
    return found


def choose_movers(state: State, seat: int, start: int, end: int = -1, *, moved: Moved = NONE_MOVED) -> Ask:
    """Who of an army that a card moves goes along; ``end`` -1 where it is not known yet.

    Returns (figures, characters).
    """
    figures, chars = available(state, seat, start, moved)
    chosen = yield from _choose_movers(state, seat, start, end, "", figures, chars)
    return chosen


def _choose_movers(
    state: State,
    seat: int,
    start: int,
    end: int,
    need: str,
    figures: int,
    chars: int,
    goes_along: Callable[[int, int], bool] | None = None,
) -> Ask:
    """Who goes along; a single unit alone is not asked for.  Returns (figures, characters)."""
    crossing = may_cross(state, figures, end) if end >= 0 else figures
    limits = counted(crossing, chars)
    alone = len(limits) == 1 and crossing & UNIT_BITS == crossing and GROUP[crossing].units == 1

    def refuses(counts: Counts) -> Refusal | None:
        part = unpack(counts)
        if goes_along is not None and not goes_along(*part):
            return Refusal("cards.move", "card_names_another", {"place": board.PLACES[start]})
        return why_not_part(state, seat, start, need, *part)

    part = most_of(limits, refuses)
    request = ChooseWithDefault(
        box.SEATS[seat],
        "prompt.choose_movers",
        limits,
        minimum=1,
        default=part,
        proposes=True,
        refuses=refuses,
        domain="unit",
        about={"from": board.PLACES[start], "to": board.PLACES[end] if end >= 0 else ""},
        rule="move.split",
        refused=lambda: why_not_movers(state, seat, start, end, figures, crossing),
    )
    return unpack((yield Forced(request, limits) if alone else request))


def most_of(limits: Counts, refuses: Callable[[Counts], Refusal | None]) -> Counts:
    """The whole of an army, or all but a unit that stays with leaders who may not go along."""
    part = dict(limits)
    if refuses(part) is None:
        return part
    for name in limits:
        if name in box.FIGURE and box.FIGURE[name] < box.UNIT_COUNT:
            smaller = {key: number for key, number in {**part, name: part[name] - 1}.items() if number}
            if smaller and refuses(smaller) is None:
                return smaller
    return part


def counted(figures: int, chars: int) -> Counts:
    """Figures and characters by their ids, as a request lists them; :func:`unpack` reads its answer."""
    counts = dict(GROUP[figures].counts)
    for character in places_in(chars):
        counts[box.CHARACTERS[character]] = 1
    return counts


def unpack(counts: Counts) -> tuple[int, int]:
    """Packed figures and the mask of characters of an answer ``{figure or character id: count}``."""
    figures = chars = 0
    for name, number in counts.items():
        if name in box.FIGURE:
            figures += ONE[box.FIGURE[name]] * number
        elif number:
            chars |= 1 << box.CHARACTER[name]
    return figures, chars


def move_armies(state: State, seat: int) -> Ask:
    """An Army die moves up to two armies; no figure moves twice."""
    moved: Moved = {}
    yield from move_army(state, seat, moved=moved)
    yield from move_army(state, seat, moved=moved, may_stop=True)


def led_move(state: State, seat: int) -> Ask:
    """A Character die moves one army with a leader or a character."""
    yield from move_army(state, seat, need=LED)


# --- stacking --------------------------------------------------------------------------------------


def end_of_action(state: State) -> Ask:
    """Where more than ten units stand (five in a besieged stronghold) the owner takes the surplus off."""
    for seat in (box.FREE, box.SHADOW):
        for place in places_in(state.armies[seat]):
            figures = state.figures[place] & UNIT_BITS
            if GROUP[figures].units > box.SIEGE_LIMIT:
                yield from trim(state, place)


def trim(state: State, place: int) -> Ask:
    """The owner takes surplus units off a place, back to the reinforcements."""
    limit = box.ARMY_LIMIT if place < len(board.NEIGHBOURS) else box.SIEGE_LIMIT
    surplus = units_at(state, place) - limit
    if surplus <= 0:
        return
    seat = seat_at(state, place)
    limits = dict(GROUP[state.figures[place] & UNIT_BITS].counts)
    request = ChooseWithDefault(
        box.SEATS[seat],
        "prompt.choose_surplus",
        {name: min(number, surplus) for name, number in limits.items()},
        minimum=surplus,
        maximum=surplus,
        default=_first(limits, surplus),
        domain="unit",
        about={"place": board.PLACES[place], "count": surplus, "limit": limit},
        rule="stack.surplus",
    )
    gone = yield request if len(limits) > 1 else Forced(request, dict.fromkeys(limits, surplus))
    remove_figures(state, place, unpack(gone)[0], as_casualties=False)


def _first(limits: Counts, number: int) -> Counts:
    """The first ``number`` of some items, regulars before elites."""
    found: Counts = {}
    for name in sorted(limits, key=lambda item: box.FIGURE[item] & 1):
        take = min(limits[name], number)
        if take:
            found[name] = take
        number -= take
    return found

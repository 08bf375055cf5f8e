"""Chapter VI: moving armies, their borders, and the stacking limit.

An army moves into a region next to it that holds no enemy army; units and
leaders of a nation that is not At War stay out of the regions of other nations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.games.war_of_the_ring import cards_in_play, politics
from referee.games.war_of_the_ring.armies import GROUP, NAZGUL_BITS, ONE, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.asking import Ask, Pick, choose_place
from referee.games.war_of_the_ring.casualties import army_gone
from referee.games.war_of_the_ring.components import (
    ARMY_LIMIT,
    CHARACTER,
    CHARACTERS,
    CHARACTERS_OF_SEAT,
    ELITE,
    FIGURE,
    FREE,
    GOLLUM,
    ISENGARD,
    LEVEL,
    NATION_OF,
    NATIONS,
    SARUMAN,
    SEATS,
    SHADOW,
    SIEGE_LIMIT,
    UNIT_COUNT,
    WITCH_KING,
)
from referee.games.war_of_the_ring.map import (
    ALL_REGIONS,
    IN_NATION,
    NATION_OF_REGION,
    NEIGHBOURS,
    OF_SEAT,
    OPTIONS,
    PLACE,
    PLACES,
    REGION_OF_BOX,
    SETTLEMENTS,
    SIEGE_BOX,
    places_in,
)
from referee.games.war_of_the_ring.pieces import (
    LEADER_BITS,
    capture,
    lift,
    put_character,
    remove_figures,
    seat_at,
    set_down,
    settle,
    units_at,
)
from referee.games.war_of_the_ring.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Counts

LED = "led"
"""``need`` of an army that must take a leader or a character along."""
DONE = "done"
_NOBODYS = ALL_REGIONS & ~(OF_SEAT[FREE] | OF_SEAT[SHADOW])
_ISENGARD_ELITES = ONE[ELITE[ISENGARD]] * 63
_SINGLE = frozenset(ONE[:UNIT_COUNT])
IMMOBILE = 1 << SARUMAN | 1 << GOLLUM
"""Characters of level 0 who never move (the Witch-king's unlimited level is none)."""
assert all(LEVEL[c] or c == WITCH_KING or IMMOBILE >> c & 1 for c in range(len(CHARACTERS)))
Moved = dict[int, tuple[int, int]]
"""What has already moved in this action: place to (figures, characters)."""


class _Allowed(dict[tuple[int, int, int], int]):
    """(region, nations, nations At War) to the neighbours that at least one of the nations may enter."""

    def __missing__(self, key: tuple[int, int, int]) -> int:
        region, nations, at_war = key
        near = NEIGHBOURS[region]
        if not nations & at_war:
            own = _NOBODYS
            for nation in range(8):
                if nations >> nation & 1:
                    own |= IN_NATION[nation]
            near &= own
        self[key] = near
        return near


_ALLOWED = _Allowed()


def open_regions(state: State, seat: int) -> int:
    """Regions that are free for the purposes of army movement, cards in play included."""
    mask = ALL_REGIONS & ~state.armies[1 - seat]
    if seat == SHADOW and state.table_cards:
        mask &= ~cards_in_play.closed_to_shadow(state)
    return mask


def mobile_characters(state: State, place: int, seat: int) -> int:
    """Mask of the characters of ``seat`` in a place who can go along with an army."""
    return state.chars[place] & CHARACTERS_OF_SEAT[seat] & ~IMMOBILE


def leads(state: State, figures: int, chars: int) -> bool:
    """Whether there is a leader, a Nazgul or a character; with Saruman in play Isengard's elites count."""
    if chars or figures & (LEADER_BITS | NAZGUL_BITS):
        return True
    return bool(figures & _ISENGARD_ELITES) and state.where[SARUMAN] >= 0


def destinations(state: State, seat: int, place: int, need: str, figures: int, chars: int) -> int:
    """Where an army with these figures and characters, or a part of it, may go from a region."""
    nations = GROUP[figures].unit_nations
    if not nations:
        return 0
    at_war = politics.wars(state)
    allowed = _ALLOWED[place, nations, at_war]
    if need and not chars and not figures & NAZGUL_BITS:
        leaders = GROUP[figures & LEADER_BITS].nations
        led = _ALLOWED[place, leaders, at_war] if leaders else 0
        if not led and figures & _ISENGARD_ELITES and state.where[SARUMAN] >= 0:
            led = _ALLOWED[place, 1 << ISENGARD, at_war]
        allowed &= led
    if figures & LEADER_BITS and state.figures[place] & UNIT_BITS in _SINGLE:
        for nation in places_in(GROUP[figures & LEADER_BITS].nations):
            allowed &= _ALLOWED[place, 1 << nation, at_war]  # a leader who cannot follow is not left alone
    return allowed & open_regions(state, seat)


def _available(state: State, seat: int, place: int, moved: Moved) -> tuple[int, int]:
    figures = state.figures[place] & SEAT_BITS[seat]
    chars = mobile_characters(state, place, seat)
    if place in moved:
        gone, went = moved[place]
        figures -= gone
        chars &= ~went
    return figures, chars


_NONE_MOVED: Moved = {}


def movers(
    state: State, seat: int, need: str = "", starts: int = ALL_REGIONS, moved: Moved = _NONE_MOVED
) -> int:
    """Mask of the regions from which an army of ``seat`` could move."""
    found = 0
    for place in places_in(state.armies[seat] & starts & ALL_REGIONS):
        figures, chars = _available(state, seat, place, moved)
        if need and not leads(state, figures, chars):
            continue
        if destinations(state, seat, place, need, figures, chars):
            found |= 1 << place
    return found


def can_move(state: State, seat: int, need: str = "") -> bool:
    """Whether any army of ``seat`` could move."""
    for place in places_in(state.armies[seat] & ALL_REGIONS):
        figures, chars = _available(state, seat, place, _NONE_MOVED)
        if need and not leads(state, figures, chars):
            continue
        if destinations(state, seat, place, need, figures, chars):
            return True
    return False


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
    if start in REGION_OF_BOX and group.units and not state.armies[group.seat] >> start & 1:
        army_gone(state, start, group.seat, with_characters=False)  # the besiegers have the stronghold
    settle(state, start)
    if group.units:
        enter(state, end, group.seat)
    if arrives:
        for character in places_in(chars & CHARACTERS_OF_SEAT[FREE]):
            politics.companion_arrived(state, character, end)


def enter(state: State, region: int, seat: int) -> None:
    """An army of ``seat`` came into a region: the nation wakes, an undefended enemy settlement falls."""
    politics.entered(state, region, seat)
    bit = 1 << region
    if not bit & SETTLEMENTS or (region in SIEGE_BOX and seat_at(state, SIEGE_BOX[region]) == 1 - seat):
        return
    if capture(state, region, seat) and OF_SEAT[1 - seat] & bit:
        politics.captured(state, region)


# --- asking for a move ----------------------------------------------------------------------------


def move_army(
    state: State,
    seat: int,
    *,
    steps: int = 1,
    need: str = "",
    starts: int = ALL_REGIONS,
    within: int = ALL_REGIONS,
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
    able = movers(state, seat, need, starts, moved)
    able = sum(1 << p for p in places_in(able) if _ends(state, seat, p, need, moved) & within)
    if not able:
        return None
    start = yield from _choose_start(state, seat, need, able, moved, may_stop)
    if start < 0:
        return None
    figures, chars = _available(state, seat, start, moved)
    end = yield from choose_place(
        seat,
        "prompt.choose_destination",
        destinations(state, seat, start, need, figures, chars) & within,
        rule="move.adjacent",
        about={"from": PLACES[start]},
        refused=lambda: why_not_destinations(state, seat, start, need, figures, chars, within),
    )
    figures, chars = yield from _choose_movers(state, seat, start, end, need, figures, chars, goes_along)
    march(state, start, end, figures, chars, arrives=steps == 1)
    _note(moved, end, figures, chars)
    first = start
    for _ in range(steps - 1):
        onward = yield from _choose_onward(state, seat, end, figures, within)
        if onward < 0:
            break
        _unnote(moved, end, figures, chars)
        march(state, end, onward, figures, chars, arrives=False)
        end = onward
        _note(moved, end, figures, chars)
    if steps > 1:
        for character in places_in(chars & CHARACTERS_OF_SEAT[FREE]):
            politics.companion_arrived(state, character, end)
    return first, end, figures, chars


def _ends(state: State, seat: int, place: int, need: str, moved: Moved) -> int:
    figures, chars = _available(state, seat, place, moved)
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
            refused=lambda: why_not_starts(state, seat, need, able, moved),
        )
        return start
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.choose_second_army",
        (*OPTIONS[able], DONE),
        domain="place",
        rule="move.two_armies",
        refused=lambda: why_not_starts(state, seat, need, able, moved),
    )
    return -1 if chosen == DONE else PLACE[chosen]


def _choose_onward(state: State, seat: int, place: int, figures: int, within: int) -> Ask:
    open_to_all = ALL_REGIONS
    at_war = politics.wars(state)
    for nation in places_in(GROUP[figures & ~NAZGUL_BITS].nations):
        open_to_all &= _ALLOWED[place, 1 << nation, at_war]
    near = NEIGHBOURS[place] & open_to_all & open_regions(state, seat) & within
    if not near:
        return -1
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.choose_onward",
        (*OPTIONS[near], DONE),
        domain="place",
        about={"from": PLACES[place]},
        rule="move.through",
    )
    return -1 if chosen == DONE else PLACE[chosen]


def may_cross(state: State, figures: int, end: int) -> int:
    """The part of some figures that may enter a region: those of other nations only when At War."""
    nation = NATION_OF_REGION[end]
    if nation < 0:
        return figures
    allowed = 0
    for figure in GROUP[figures].kinds:
        own = NATION_OF[figure]
        if figure == FIGURE["nazgul"] or own == nation or not state.steps[own]:
            allowed += figures & ONE[figure] * 63
    return allowed


def choose_movers(state: State, seat: int, start: int, end: int = -1) -> Ask:
    """Who of an army that a card moves goes along; ``end`` -1 where it is not known yet.

    Returns (figures, characters).
    """
    figures, chars = _available(state, seat, start, _NONE_MOVED)
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
    if len(limits) == 1 and crossing & UNIT_BITS == crossing and GROUP[crossing].units == 1:
        return crossing, 0

    def refuses(counts: Counts) -> Refusal | None:
        part = unpack(counts)
        if goes_along is not None and not goes_along(*part):
            return Refusal("cards.move", "card_names_another", {"place": PLACES[start]})
        return why_not_part(state, seat, start, need, *part)

    part = most_of(limits, refuses)
    chosen = yield Pick(
        SEATS[seat],
        "prompt.choose_movers",
        limits,
        minimum=1,
        default=part,
        refuses=refuses,
        domain="unit",
        about={"from": PLACES[start], "to": PLACES[end] if end >= 0 else ""},
        rule="move.split",
        refused=lambda: why_not_movers(state, seat, start, end, figures, crossing),
    )
    return unpack(chosen)


def most_of(limits: Counts, refuses: Callable[[Counts], Refusal | None]) -> Counts:
    """The whole of an army, or all but a unit that stays with leaders who may not go along."""
    part = dict(limits)
    if refuses(part) is None:
        return part
    for name in limits:
        if name in FIGURE and FIGURE[name] < UNIT_COUNT:
            smaller = {key: number for key, number in {**part, name: part[name] - 1}.items() if number}
            if smaller and refuses(smaller) is None:
                return smaller
    return part


def counted(figures: int, chars: int) -> Counts:
    """Figures and characters by their ids, as a request lists them; :func:`unpack` reads its answer."""
    counts = dict(GROUP[figures].counts)
    for character in places_in(chars):
        counts[CHARACTERS[character]] = 1
    return counts


def unpack(counts: Counts) -> tuple[int, int]:
    """Packed figures and the mask of characters of an answer ``{figure or character id: count}``."""
    figures = chars = 0
    for name, number in counts.items():
        if name in FIGURE:
            figures += ONE[FIGURE[name]] * number
        elif number:
            chars |= 1 << CHARACTER[name]
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
    for seat in (FREE, SHADOW):
        for place in places_in(state.armies[seat]):
            figures = state.figures[place] & UNIT_BITS
            if GROUP[figures].units > SIEGE_LIMIT:
                yield from trim(state, place)


def trim(state: State, place: int) -> Ask:
    """The owner takes surplus units off a place, back to the reinforcements."""
    limit = ARMY_LIMIT if place < len(NEIGHBOURS) else SIEGE_LIMIT
    surplus = units_at(state, place) - limit
    if surplus <= 0:
        return
    seat = seat_at(state, place)
    limits = dict(GROUP[state.figures[place] & UNIT_BITS].counts)
    if len(limits) == 1:
        gone = {name: surplus for name in limits}
    else:
        gone = yield Pick(
            SEATS[seat],
            "prompt.choose_surplus",
            {name: min(number, surplus) for name, number in limits.items()},
            minimum=surplus,
            maximum=surplus,
            default=_first(limits, surplus),
            domain="unit",
            about={"place": PLACES[place], "count": surplus, "limit": limit},
            rule="stack.surplus",
        )
    remove_figures(state, place, unpack(gone)[0], as_casualties=False)


def _first(limits: Counts, number: int) -> Counts:
    """The first ``number`` of some items, regulars before elites."""
    found: Counts = {}
    for name in sorted(limits, key=lambda item: FIGURE[item] & 1):
        take = min(limits[name], number)
        if take:
            found[name] = take
        number -= take
    return found


# --- why not -----------------------------------------------------------------------------------------


def why_not_movers(
    state: State, seat: int, start: int, end: int, figures: int, crossing: int
) -> Iterable[tuple[str, Refusal]]:
    """Who of an army may not go along: those who may not cross, have moved, or never move."""
    about = {"from": PLACES[start], "place": PLACES[end] if end >= 0 else ""}
    for name in GROUP[figures].counts:
        if name not in GROUP[crossing].counts:
            nation = NATIONS[NATION_OF_REGION[end]]
            yield name, Refusal("move.borders", "border", about | {"nation": nation})
    for name in GROUP[state.figures[start] & SEAT_BITS[seat]].counts:
        if name not in GROUP[figures].counts:
            yield name, Refusal("move.once_per_action", "", about)
    for character in places_in(state.chars[start] & CHARACTERS_OF_SEAT[seat] & IMMOBILE):
        yield CHARACTERS[character], Refusal("char.level_zero", "", about)


def why_not_part(state: State, seat: int, start: int, need: str, figures: int, chars: int) -> Refusal | None:
    """Why this part of an army may not march off."""
    about = {"place": PLACES[start]}
    if not figures & UNIT_BITS:
        return Refusal("move.army", "no_unit", about)
    left = state.figures[start] & SEAT_BITS[seat] & ~0
    left -= figures
    if left & LEADER_BITS and not left & UNIT_BITS:
        return Refusal("move.leaders_follow", "leaders_alone", about)
    if need and not leads(state, figures, chars):
        return Refusal("move.led_by_character_die", "no_leader_along", about)
    return None


def may_enter(state: State, seat: int, start: int, end: int, figures: int) -> Refusal | None:
    """Why an army may not go from a region to another; None where it may."""
    about = {"from": PLACES[start], "place": PLACES[end]}
    if not NEIGHBOURS[start] >> end & 1:
        return Refusal("move.adjacent", "not_adjacent", about)
    if state.armies[1 - seat] >> end & 1:
        return Refusal("move.not_into_enemy_army", "enemy_army", about)
    if seat == SHADOW and cards_in_play.closed_to_shadow(state) >> end & 1:
        return Refusal("move.closed_by_card", "", about)
    if not may_cross(state, figures, end) & UNIT_BITS:
        return Refusal("move.borders", "border", about | {"nation": NATIONS[NATION_OF_REGION[end]]})
    return None


def why_not_destinations(
    state: State, seat: int, start: int, need: str, figures: int, chars: int, within: int
) -> Iterable[tuple[str, Refusal]]:
    """Every other region, with the reason why the army may not go there."""
    ends = destinations(state, seat, start, need, figures, chars) & within
    for end in places_in(ALL_REGIONS & ~ends & ~(1 << start)):
        refusal = may_enter(state, seat, start, end, figures)
        about = {"from": PLACES[start], "place": PLACES[end]}
        if refusal is None and not within >> end & 1:
            refusal = Refusal("move.adjacent", "outside_card", about)
        yield PLACES[end], refusal or _why_not_for_leaders(state, start, about)


def _why_not_for_leaders(state: State, start: int, about: dict[str, str]) -> Refusal:
    """Units may go there, but no leader with them."""
    if state.figures[start] & UNIT_BITS in _SINGLE:
        return Refusal("move.leaders_follow", "leader_would_stay", about)
    return Refusal("move.led_by_character_die", "leader_border", about)


def why_not_starts(
    state: State, seat: int, need: str, able: int, moved: Moved
) -> Iterable[tuple[str, Refusal]]:
    """Every other place, with the reason why no army of ``seat`` can move from there."""
    for place in range(len(PLACES)):
        if able >> place & 1:
            continue
        yield PLACES[place], why_not_move_from(state, seat, place, need, moved)


def why_not_move_from(state: State, seat: int, place: int, need: str, moved: Moved) -> Refusal:
    """Why no army of ``seat`` can move from a place."""
    about = {"place": PLACES[place]}
    if not state.armies[seat] >> place & 1:
        rule = "move.army" if seat_at(state, place) < 0 else "move.own_army"
        return Refusal(rule, "no_army_here" if rule == "move.army" else "enemy_army_here", about)
    if place >= len(NEIGHBOURS):
        return Refusal("siege.garrison_stays", "", about)
    figures, chars = _available(state, seat, place, moved)
    if not figures & UNIT_BITS:
        return Refusal("move.once_per_action", "", about)
    if need and not leads(state, figures, chars):
        return Refusal("move.led_by_character_die", "no_leader_here", about)
    return Refusal("move.adjacent", "nowhere_to_go", about)

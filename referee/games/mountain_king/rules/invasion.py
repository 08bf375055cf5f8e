"""Chapters "Invasionen" (page 12), "Gefallene Trolle" (page 13) and "Breschenauslöser" (page 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.games.kit.asking import Ask, refuse_all
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import (
    BREACH_GNOMES,
    CHAMPION,
    CHAMPIONS,
    CLANS,
    FIRST_FALLEN,
    OPTIONS,
    OTHER_FALLEN,
    PLACE,
    PLACES,
    SEATS,
    SWARM_SHIFT,
)
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.asking import of_another, report, why_each
from referee.games.mountain_king.rules.pieces import (
    TROLL,
    TROLLS,
    add_gnome,
    fall,
    figures,
    gain_honour,
    shuffle_in,
)
from referee.games.mountain_king.state.state import NOBODY, State, own_lairs, playing
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, unless_forced

Candidates = dict[int, tuple[int, int]]
"""Each cavern that a gnome reaches: how many trolls are there, and how many caverns it passes on the way."""


# --- where a gnome goes ---------------------------------------------------------------------------------


def candidates(state: State, clan: int) -> Candidates:
    """All caverns that a gnome from a swarm point could choose from, over overrun ones only."""
    found: Candidates = {}
    level = seen = state.box.gates[clan]
    near, passed = state.box.near, 0
    while level:
        for place in places_in(level & ~state.overrun):
            found[place] = trolls_in(state, place), passed
        level = near[level & state.overrun] & state.box.caverns & ~seen
        seen |= level
        passed += 1
    return found


def easiest(state: State, clan: int) -> tuple[int, int, int]:
    """The mask of the caverns that a gnome prefers: fewest trolls, then nearest; 0 where it reaches none.

    With it how many trolls are in each of them, and how many caverns it passes on the way.
    """
    near, overrun, caverns = state.box.near, state.overrun, state.box.caverns
    level = seen = state.box.gates[clan]
    anybody = 0
    for there in state.there:
        anybody |= there
    held: list[int] = []
    while level:
        empty = level & ~overrun & ~anybody
        if empty:
            return empty, 0, len(held)
        held.append(level & ~overrun)
        level = near[level & overrun] & caverns & ~seen
        seen |= level
    best, fewest, nearest = 0, 1 << 20, 0
    for passed, reached in enumerate(held):
        for place in places_in(reached):
            trolls = trolls_in(state, place)
            if trolls < fewest:
                best, fewest, nearest = 1 << place, trolls, passed
            elif trolls == fewest and best & reached:
                best |= 1 << place
    return best, fewest, nearest


def trolls_in(state: State, place: int) -> int:
    """All units of a cavern, whoever's."""
    return sum([row[place] for row in state.units])


def leader(state: State, clan: int) -> int:
    """Who decides for the gnomes of a gate card: most votes of its clan, else of the next clan below."""
    tracks = state.box.tracks
    at = tracks.index(clan)
    for step in range(len(tracks)):
        for seat, _ in state.votes[tracks[(at + step) % len(tracks)]]:
            if not state.left >> seat & 1:
                return seat
    return playing(state)[0]


@dataclass(slots=True)
class Invasion:
    """Gnomes from one swarm point.  ``active`` is whose breach it is, nobody at the end of a wave."""

    clan: int
    active: int = NOBODY

    @property
    def is_breach(self) -> bool:
        """Whether trolls that fall earn nothing."""
        return self.active != NOBODY


def invade(state: State, run: Invasion, number: int) -> Ask:
    """Gnomes one after the other, as many as the stock has."""
    if state.in_stock < number:
        shuffle_in(state)
    state.fallen = 0
    state.ways = []
    for coming in range(min(number, state.in_stock), 0, -1):
        yield from one_gnome(state, run, coming)


def one_gnome(state: State, run: Invasion, coming: int) -> Ask:
    """The way of least resistance: into an empty cavern, or against the trolls of another."""
    best, trolls, passed = easiest(state, run.clan)
    if not best:  # nothing that it reaches is free of gnomes: back to the stock
        return
    seat = decides(state, run)
    about = {"clan": CLANS[run.clan], "count": coming, "trolls": trolls, "passed": passed}
    place = yield from _chosen_way(state, run, best, seat, about)
    decided = seat if best & (best - 1) else NOBODY
    state.ways.append((place, trolls, passed, best.bit_count(), decided))
    if any([row[place] for row in state.units]):
        yield from _falls(state, run, place)
    else:
        add_gnome(state, place)


def decides(state: State, run: Invasion) -> int:
    """Who chooses among equally easy caverns."""
    return run.active if run.is_breach else leader(state, run.clan)


def _chosen_way(state: State, run: Invasion, best: int, seat: int, about: dict[str, Any]) -> Ask:
    options = OPTIONS[best]
    request = ChooseOne(
        SEATS[seat],
        "prompt.gnome_way",
        options,
        domain="place",
        about=about,
        rule="breach.choices" if run.is_breach else "invasion.leader_choice",
        refused=lambda: why_not_there(state, run.clan, best),
    )
    if run.is_breach:
        chosen = yield unless_forced(request)
    else:
        chosen = yield from of_another(state, seat, unless_forced(request), options[0])
    return PLACE[chosen]


def why_not_there(state: State, clan: int, best: int) -> list[tuple[str, Refusal]]:
    """Why a gnome goes to none of the other caverns: harder, farther, overrun, out of reach."""
    reached = candidates(state, clan)
    others = (state.box.caverns | state.box.lairs) & ~best
    fewest, nearest = reached[(best & -best).bit_length() - 1]

    def why(place: int) -> Refusal:
        about: dict[str, Any] = {"place": PLACES[place]}
        if state.overrun >> place & 1:
            return Refusal("invasion.never_stop_overrun", "overrun", about)
        if state.box.lairs >> place & 1:
            return Refusal("invasion.no_lair", "no_gnome_in_lair", about)
        if place not in reached:
            return Refusal("invasion.pass_overrun", "out_of_reach", about)
        trolls, passed = reached[place]
        if trolls > fewest:
            return Refusal("invasion.easiest", "more_trolls", {**about, "count": trolls, "fewest": fewest})
        return Refusal("invasion.nearest", "farther", {**about, "count": passed, "nearest": nearest})

    return refuse_all(PLACES, lambda place: why(place) if others >> place & 1 else None)


# --- fallen trolls --------------------------------------------------------------------------------------


def _falls(state: State, run: Invasion, place: int) -> Ask:
    """One unit of the cavern falls; with several owners a drawn cube tells whose."""
    owners = {SEATS[seat]: row[place] for seat, row in enumerate(state.units) if row[place]}
    drawn = yield from report(
        state,
        "prompt.falls",
        tuple(owners),
        rule="fallen.random_owner",
        domain="seat",
        about={"place": PLACES[place]},
        weights=tuple(owners.values()),
        refused=lambda: [
            (name, Refusal("fallen.random_owner", "nobody_there", {"seat": name}))
            for name in SEATS
            if name not in owners
        ],
    )
    seat = SEATS.index(drawn)
    unit = yield from _which_unit(state, seat, place)
    lair = yield from which_lair(state, seat, unit)
    fall(state, seat, place, unit, lair)
    state.fallen += 1
    if not run.is_breach:
        first = state.fallen == 1
        gained = FIRST_FALLEN[state.turn] if first else OTHER_FALLEN
        gain_honour(
            state, seat, gained, "fallen.first_value" if first else "fallen.other_value", PLACES[place]
        )


def _which_unit(state: State, seat: int, place: int) -> Ask:
    """The owner picks among normal trolls and figures."""
    here = figures(state, seat, place)
    safe = occasions.cannot_fall(state, seat, place) if here and state.powers else []
    items = [CHAMPIONS[champion] for champion in here if champion not in safe]
    if state.trolls[seat][place]:
        items.insert(0, TROLLS)
    if not items:
        items = [CHAMPIONS[champion] for champion in here]
    request = ChooseOne(
        SEATS[seat],
        "prompt.which_falls",
        items,
        domain="unit",
        about={"place": PLACES[place]},
        rule="fallen.owner_chooses",
        refused=lambda: [
            (
                CHAMPIONS[one],
                Refusal("fallen.owner_chooses", "does_not_fall", {"champion": CHAMPIONS[one]}),
            )
            for one in safe
            if CHAMPIONS[one] not in items
        ],
    )
    chosen = yield from of_another(state, seat, unless_forced(request), items[0])
    return TROLL if chosen == TROLLS else CHAMPION[chosen]


def which_lair(state: State, seat: int, unit: int) -> Ask:
    """The lair to which a fallen figure goes."""
    if unit == TROLL:
        return -1
    options = OPTIONS[own_lairs(state, seat)]
    request = ChooseOne(
        SEATS[seat],
        "prompt.fallen_to_lair",
        options,
        domain="place",
        about={"champion": CHAMPIONS[unit]},
        rule="fallen.champion_lair",
        refused=why_each(
            state.box.caverns,
            lambda place: Refusal("fallen.champion_lair", "only_own_lair", {"place": PLACES[place]}),
        ),
    )
    chosen = yield from of_another(state, seat, request, options[0])
    return PLACE[chosen]


# --- breaches -------------------------------------------------------------------------------------------


def breach_gnomes(state: State) -> int:
    """Two, and one more for every two gnomes beside the wheel, rounded up."""
    return BREACH_GNOMES + (sum(state.beside) + 1) // 2


def breach(state: State, seat: int) -> Ask:
    """An invasion in the middle of a turn, where the active player lets the swarm stand."""
    state.swarm = yield from _shift_swarm(state, seat)
    number = breach_gnomes(state)
    shuffle_in(state)
    yield from invade(state, Invasion(state.swarm, seat), number)


def _shift_swarm(state: State, seat: int) -> Ask:
    ring = state.box.ring
    at = ring.index(state.swarm)
    steps = [0, *(step for n in range(1, SWARM_SHIFT + 1) for step in (n, -n))]
    near = [ring[(at + step) % len(ring)] for step in steps]
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.swarm",
        tuple(CLANS[clan] for clan in dict.fromkeys(near)),
        domain="clan",
        about={"from_clan": CLANS[state.swarm]},
        rule="breach.swarm_shift",
        refused=lambda: [
            (
                CLANS[clan],
                Refusal("breach.swarm_shift", "too_far", {"clan": CLANS[clan], "count": SWARM_SHIFT}),
            )
            for clan in ring
            if clan not in near
        ],
    )
    return CLANS.index(chosen)

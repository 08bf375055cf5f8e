"""Chapter VI: removing casualties, in battle and where a card scores hits outside one.

For each hit a regular goes or an elite becomes a regular; for two hits an elite
may go.  Losses of the Free Peoples are out of the game, the Shadow's return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import BOXES, OF_SEAT, PLACES, places_in, region_of
from referee.games.war_of_the_ring.rules import politics
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault
from referee.games.war_of_the_ring.rules.fighting import alive, characters, force, why_not_fighting
from referee.games.war_of_the_ring.rules.pieces import (
    capture,
    eliminate,
    put_character,
    reduce_elite,
    regulars_left,
    remove_figures,
    settle,
)
from referee.games.war_of_the_ring.state.armies import (
    GROUP,
    LEADER_BITS,
    NAZGUL_BITS,
    ONE,
    SEAT_BITS,
    UNIT_BITS,
    count,
)
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts, Forced

REDUCE = "reduce_"
"""``reduce_<elite>``: an elite that becomes a regular, for one hit."""
RULE = "casualty.remove"
TWO_HITS = 2


# --- choosing ---------------------------------------------------------------------------------


def worth(counts: Mapping[str, int]) -> int:
    """How many hits a choice of casualties takes: two for an elite that goes, one for all else."""
    hits = 0
    for name, number in counts.items():
        figure = box.FIGURE.get(name, -1)
        hits += number * (TWO_HITS if figure >= 0 and figure & 1 else 1)
    return hits


def endurance(figures: int) -> int:
    """How many hits destroy these units."""
    group = GROUP[figures]
    return group.regulars + TWO_HITS * group.elites


class Casualties(ChooseWithDefault):
    """A choice of casualties that takes exactly so many hits; a random one spends them one by one."""

    __slots__ = ("figures", "hits")

    figures: int
    hits: int

    def sample(self, rng: Random) -> Counts:
        regulars = {f: count(self.figures, f) for f in GROUP[self.figures].kinds if not f & 1}
        whole = {f: count(self.figures, f) for f in GROUP[self.figures].kinds if f & 1}
        reduced = dict.fromkeys(whole, 0)
        found: Counts = {}
        for _ in range(self.hits):
            ways = [(regulars, f) for f in regulars if regulars[f]]
            ways += [(whole, f) for f in whole if whole[f]]
            ways += [(reduced, f) for f in reduced if reduced[f]]
            pool, figure = ways[int(rng.random() * len(ways))]
            pool[figure] -= 1
            if pool is whole:
                reduced[figure] += 1
            else:
                name = box.FIGURES[figure]
                found[name] = found.get(name, 0) + 1
        for figure, number in reduced.items():
            if number:
                found[REDUCE + box.FIGURES[figure]] = number
        if self.refuses is not None and self.refuses(found) is not None:  # not so many regulars to replace
            return dict(self.default or {})
        return found


Otherwise = Callable[[str], Refusal | None] | None
Left = Mapping[int, int]
"""Elite to how many regulars could replace it, those in the army apart."""


def _over(figures: int, hits: int, left: Left) -> int:
    """One where an odd hit takes a whole elite: no regular is there to go, nor one to replace an elite."""
    return hits & 1 if not GROUP[figures].regulars and not any(left.values()) else 0


def _default(figures: int, hits: int, left: Left) -> Counts:
    """Regulars go first, then elites become regulars as far as there are some, then elites go."""
    group = GROUP[figures]
    found: Counts = {}
    due = hits
    for figure in group.kinds:
        if not figure & 1 and due:
            found[box.FIGURES[figure]] = min(due, count(figures, figure))
            due -= found[box.FIGURES[figure]]
    room = {elite: _most_reduced(figures, elite, left, found) for elite in left}
    reduced = min(sum(room.values()), due, TWO_HITS * group.elites - due)
    if due - reduced & 1:
        if not reduced:  # a regular fewer goes, and a whole elite
            for name in list(found)[:1]:
                found[name] -= 1
            due += 1
        reduced = max(0, reduced - 1)
    gone = (due - reduced) // TWO_HITS
    for elite, most in room.items():
        part = min(most, reduced)
        whole = min(count(figures, elite) - part, gone)
        reduced, gone = reduced - part, gone - whole
        found |= {box.FIGURES[elite]: whole, REDUCE + box.FIGURES[elite]: part}
    return {name: number for name, number in found.items() if number}


def usual_losses(figures: int, hits: int, left: Left) -> Counts:
    """The casualties that a screen proposes; everybody where the hits suffice."""
    whole = hits + _over(figures, hits, left) >= endurance(figures)
    return dict(GROUP[figures].counts) if whole else _default(figures, hits, left)


def _most_reduced(figures: int, elite: int, left: Left, gone: Mapping[str, int]) -> int:
    """How many elites of a kind can become regulars when others have gone; one that goes may replace one."""
    return min(count(figures, elite), left[elite] + gone.get(box.FIGURES[elite - 1], 0))


def _refuses(figures: int, hits: int, left: Left, counts: Counts) -> Refusal | None:
    for elite in left:
        name = box.FIGURES[elite]
        number, there = counts.get(REDUCE + name, 0), count(figures, elite)
        if number and number + counts.get(name, 0) > there:
            return Refusal("casualty.elite", "elite_twice", {"figure": name, "number": there})
        if number > _most_reduced(figures, elite, left, counts):
            return _no_regular_left(name)
    total = worth(counts)
    due = hits + _over(figures, hits, left)
    if total == due:
        return None
    reason = "too_few_casualties" if total < due else "too_many_casualties"
    return Refusal(RULE, reason, {"hits": hits, "taken": total})


def _no_regular_left(elite: str) -> Refusal:
    return Refusal("casualty.replacement", "no_regular_left", {"figure": elite})


def _limits(figures: int, hits: int, left: Left) -> Counts:
    limits: Counts = {}
    everybody = dict(GROUP[figures].counts)
    for figure in GROUP[figures].kinds:
        name = box.FIGURES[figure]
        if figure & 1:
            limits[name] = min(count(figures, figure), (hits + _over(figures, hits, left)) // TWO_HITS)
            limits[REDUCE + name] = min(hits, _most_reduced(figures, figure, left, everybody))
        else:
            limits[name] = min(count(figures, figure), hits)
    return {name: most for name, most in limits.items() if most}


def _choose_casualties(
    seat: int,
    figures: int,
    hits: int,
    left: Left,
    place: int,
    about: Mapping[str, Any],
    otherwise: Otherwise,
) -> Ask:
    """The owner says how his units take ``hits``, of which enough destroy them all.  Returns the counts."""
    whole = hits + _over(figures, hits, left) >= endurance(figures)
    limits = dict(GROUP[figures].counts) if whole else _limits(figures, hits, left)
    irreplaceable = [box.FIGURES[elite] for elite in left if REDUCE + box.FIGURES[elite] not in limits]
    request = Casualties(
        box.SEATS[seat],
        "prompt.casualties",
        limits,
        minimum=1,
        default=usual_losses(figures, hits, left),
        refuses=partial(_refuses, figures, hits, left),
        domain="unit",
        about={"place": PLACES[place], "hits": hits, **about},
        rule=RULE,
        refused=lambda: [(REDUCE + name, _no_regular_left(name)) for name in irreplaceable],
        otherwise=otherwise,
        at_once=True,
    )
    request.figures, request.hits = figures, hits
    return (yield Forced(request, limits) if whole or len(limits) == 1 else request)


def _take_off(state: State, place: int, counts: Mapping[str, int]) -> None:
    """Regulars and whole elites first: a regular that goes may replace an elite."""
    for name, number in counts.items():
        if name in box.FIGURE:
            remove_figures(state, place, ONE[box.FIGURE[name]] * number)
    for name, number in counts.items():
        if name.startswith(REDUCE):
            for _ in range(number):
                reduce_elite(state, place, box.FIGURE[name.removeprefix(REDUCE)])


def lose(
    state: State,
    seat: int,
    place: int,
    figures: int,
    hits: int,
    about: Mapping[str, Any] | None = None,
    otherwise: Otherwise = None,
) -> Ask:
    """The units among ``figures`` in a place take hits; all of them fall where the hits suffice.

    ``otherwise`` says of any other item why it is none of them.
    """
    mine = figures & UNIT_BITS
    if hits <= 0 or not mine:
        return
    left = {elite: regulars_left(state, elite) for elite in GROUP[mine].kinds if elite & 1}
    counts = yield from _choose_casualties(seat, mine, hits, left, place, about or {}, otherwise)
    _take_off(state, place, counts)


# --- in battle --------------------------------------------------------------------------------


def take_hits(state: State, battle: Battle, seat: int, hits: int) -> Ask:
    """A side of a battle takes hits; when its last unit falls, its leaders and characters fall too."""
    if hits <= 0:
        return
    place = battle.place_of(seat)
    why = partial(_why_no_casualty, state, battle, seat)
    yield from lose(state, seat, place, force(state, battle, seat), hits, {"round": battle.round}, why)
    if not alive(state, battle, seat):
        _fall_with_army(state, battle, seat)


def _why_no_casualty(state: State, battle: Battle, seat: int, item: str) -> Refusal | None:
    """Why something is no casualty of a battle: leaders fall with their army, others do not fight."""
    name = item.removeprefix(REDUCE)
    if item != name and box.FIGURE.get(name, 1) % 2 == 0:
        return Refusal(RULE, "only_elites", {"figure": name})
    if box.FIGURE.get(name, -1) >= box.UNIT_COUNT or name in box.CHARACTER:
        return Refusal("battle.army_gone", "leaders_fall_with_army", {"figure": name})
    return why_not_fighting(state, battle, seat, name, RULE)


def _fall_with_army(state: State, battle: Battle, seat: int) -> None:
    place = battle.place_of(seat)
    for character in places_in(characters(state, battle, seat)):
        eliminate(state, character)
    remove_figures(state, place, force(state, battle, seat))


# --- outside a battle -------------------------------------------------------------------------


def suffer(
    state: State,
    place: int,
    seat: int,
    hits: int,
    *,
    about: Mapping[str, Any] | None = None,
    like_battle: bool = False,
) -> Ask:
    """The army of ``seat`` in a place takes hits from a card; what follows from it is applied.

    ``like_battle``: the effect counts as a battle (the Ents, the Dead Men), so
    characters and Nazgul fall with a destroyed army; else they stay.  A garrison
    that is destroyed loses its stronghold to the besiegers.
    """
    yield from lose(state, seat, place, state.figures[place] & SEAT_BITS[seat], hits, about)
    if not state.armies[seat] >> place & 1:
        army_gone(state, place, seat, with_characters=like_battle)
    settle(state, place)


def army_gone(state: State, place: int, seat: int, *, with_characters: bool) -> None:
    """The last unit has gone: leaders, and perhaps characters, go too; a garrison's stronghold falls."""
    for character in places_in(state.chars[place] & box.CHARACTERS_OF_SEAT[seat]):
        if with_characters:
            eliminate(state, character)
        elif BOXES >> place & 1:
            put_character(state, character, region_of(place))
    rest = state.figures[place] & SEAT_BITS[seat]
    remove_figures(state, place, rest & LEADER_BITS if seat == box.FREE else 0)
    if seat == box.SHADOW and rest & NAZGUL_BITS:
        if with_characters:
            remove_figures(state, place, rest & NAZGUL_BITS)
        elif BOXES >> place & 1:
            _fly_out(state, place, rest & NAZGUL_BITS)
    if BOXES >> place & 1:
        fall_of_stronghold(state, region_of(place), 1 - seat)


def _fly_out(state: State, siege_box: int, nazgul: int) -> None:
    state.figures[siege_box] -= nazgul
    state.figures[region_of(siege_box)] += nazgul


def fall_of_stronghold(state: State, region: int, besieger: int) -> None:
    """The garrison is gone: who besieges with at least one unit left captures the stronghold."""
    if not state.armies[besieger] >> region & 1:
        return
    if capture(state, region, besieger) and OF_SEAT[1 - besieger] >> region & 1:
        politics.captured(state, region)

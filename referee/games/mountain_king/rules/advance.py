"""Chapters "Vorstoß" and "Zwergenangriff": own units to one target, and the attack where gnomes are."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.kit.asking import Ask, ChooseWithDefault
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import CHAMPIONS, CLAN_OF, PLACES, SEATS, STRENGTHS
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.asking import choose_place, report, why_each
from referee.games.mountain_king.rules.caverns import Before, barred
from referee.games.mountain_king.rules.pieces import (
    TROLL,
    add_gnome,
    figures,
    gain_honour,
    gain_votes,
    move,
    strengths_left,
    take_gnomes,
    unit_of,
    units_in,
)
from referee.games.mountain_king.rules.wheel import move_pawn
from referee.games.mountain_king.state.state import State, own_lairs
from referee.games.mountain_king.state.tokens import COUNT, HIDDEN_IN, KNOWN, KNOWN_SUM, code_of
from referee.kernel.refusals import Refusal


def advance(state: State, seat: int, strength: int, before: Before) -> Ask:
    """Up to so many own units to one place.  Returns the champions that took part."""
    targets = targets_of(state, seat)
    if not targets:
        return []
    target = yield from choose_place(
        seat,
        "prompt.advance",
        targets,
        rule="advance.one_target",
        about={"strength": strength},
        ask_forced=True,
        refused=why_each(
            (state.box.caverns | state.box.lairs) & ~targets, lambda place: why_no_target(state, seat, place)
        ),
    )
    went = yield from _who_goes(state, seat, target, strength)
    if went is None:
        return []
    if state.overrun >> target & 1:
        yield from attack(state, seat, target, before)
    return went


def targets_of(state: State, seat: int) -> int:
    """Places next to one with own units, lairs of others not among them."""
    there = state.there[seat]
    found = state.box.near[there]
    if state.powers:
        for champion in occasions.passes_overrun(state, seat):
            found |= state.box.near[through(state, 1 << state.figure_at[champion], there | state.overrun)]
    return found & ~barred(state, seat)


def through(state: State, start: int, passable: int) -> int:
    """Places that can be reached over passable ones, ``start`` among them."""
    near = state.box.near
    found = edge = start
    while edge:
        edge = near[edge] & passable & ~found
        found |= edge
    return found


def origins(state: State, seat: int, target: int) -> int:
    """Places from which units come to a target over trolled ones only.

    Whoever stands farthest goes first, so the way of each is as it was at the start.
    """
    there = state.there[seat]
    return through(state, state.box.neighbours[target] & there, there) & ~(1 << target)


def why_no_target(state: State, seat: int, place: int) -> Refusal:
    """Why an advance cannot end there."""
    if barred(state, seat) >> place & 1:
        return Refusal("advance.not_foreign_lair", "foreign_lair", {"place": PLACES[place]})
    return Refusal("advance.path", "no_trolled_way", {"place": PLACES[place]})


def _who_goes(state: State, seat: int, target: int, strength: int) -> Ask:
    reach = origins(state, seat, target)
    limits: dict[str, int] = {}
    for origin in places_in(reach):
        limits |= units_in(state, seat, origin)
    if state.powers:
        for champion in occasions.passes_overrun(state, seat):
            limits |= _far_figure(state, seat, champion, target)
    most = min(strength, sum(limits.values()))
    went = yield ChooseWithDefault(
        SEATS[seat],
        "prompt.advance_units",
        limits,
        maximum=most,
        default=_first(limits, most),
        domain="unit",
        about={"to": PLACES[target], "strength": strength},
        rule="advance.max",
        too_many=Refusal("advance.max", "beyond_strength", {"strength": strength}),
        refused=lambda: _stay(state, seat, target, reach, limits),
    )
    champions = []
    for item, count in went.items():
        unit, origin = unit_of(state, item)
        move(state, seat, unit, origin, target, count)
        if unit != TROLL:
            champions.append(unit)
    return champions if went else None


def _far_figure(state: State, seat: int, champion: int, target: int) -> dict[str, int]:
    at = state.figure_at[champion]
    if at == target or at < 0:
        return {}
    way = through(state, state.box.neighbours[target] & (state.there[seat] | state.overrun),
                  state.there[seat] | state.overrun)  # fmt: skip
    return {CHAMPIONS[champion]: 1} if way >> at & 1 else {}


def _first(limits: dict[str, int], most: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for item, count in limits.items():
        taken = min(count, most)
        if taken:
            found[item] = taken
            most -= taken
    return found


def _stay(
    state: State, seat: int, target: int, reach: int, limits: dict[str, int]
) -> Iterator[tuple[str, Refusal]]:
    for place in places_in(state.there[seat] & ~reach & ~(1 << target)):
        for item in units_in(state, seat, place):
            if item not in limits:
                yield item, Refusal("advance.path", "no_trolled_way", {"place": PLACES[target]})
    for other, name in enumerate(SEATS):
        if other != seat and state.there[other]:
            yield f"{name}_trolls", Refusal("advance.own_only", "not_own", {"seat": name})


# --- attacking gnomes -----------------------------------------------------------------------------------


def attack(state: State, seat: int, place: int, before: Before) -> Ask:
    """All gnomes of the cavern show their strength; as many trolls or more win."""
    state.fight = place
    yield from reveal(state, place)
    strength = KNOWN_SUM[state.gnomes[place]]
    trolls = state.units[seat][place]
    if state.powers:
        trolls += occasions.attack_strength(state, seat, place)
    if trolls >= strength:
        yield from _won(state, seat, place, strength, before)
    else:
        yield from _lost(state, seat, place)


def reveal(state: State, place: int) -> Ask:
    """The strength of each hidden token, told by the table."""
    for number in range(HIDDEN_IN[state.gnomes[place]]):
        left = strengths_left(state)
        options = [name for name, tokens in zip(STRENGTHS, left, strict=True) if tokens > 0]
        shown = yield from report(
            state,
            "prompt.reveal",
            options,
            rule="dwarf_attack.reveal",
            domain="number",
            about={"place": PLACES[place], "number": number + 1},
            weights=[tokens for tokens in left if tokens > 0],
        )
        hidden = HIDDEN_IN[state.gnomes[place]] - 1
        state.gnomes[place] = code_of(*KNOWN[state.gnomes[place]], int(shown), *[4] * hidden)


def _won(state: State, seat: int, place: int, strength: int, before: Before) -> Ask:
    defeated = KNOWN[state.gnomes[place]]
    state.fight = -1
    take_gnomes(state, place)
    gain_honour(state, seat, strength, "dwarf_attack.honour", PLACES[place])
    gain_votes(state, seat, CLAN_OF[place], 1)
    before.voted |= 1 << place
    for one in defeated:
        state.beside[one - 1] += 1
    yield from move_pawn(state, seat, len(defeated), after_attack=True)


def _lost(state: State, seat: int, place: int) -> Ask:
    lair = yield from choose_place(
        seat,
        "prompt.driven_back",
        own_lairs(state, seat),
        rule="dwarf_attack.loss_return",
        about={"from": PLACES[place]},
        refused=why_each(
            state.box.caverns,
            lambda one: Refusal("dwarf_attack.loss_return", "only_own_lair", {"place": PLACES[one]}),
        ),
    )
    driven_back(state, seat, place, lair)
    if COUNT[state.gnomes[place]] == 1:
        add_gnome(state, place)


def driven_back(state: State, seat: int, place: int, lair: int = -1) -> None:
    """All units of a lost attack go to one lair of their owner; the first where none is named."""
    if lair < 0:
        lair = places_in(own_lairs(state, seat))[0]
    for champion in figures(state, seat, place):
        move(state, seat, champion, place, lair)
    if state.trolls[seat][place]:
        move(state, seat, TROLL, place, lair, state.trolls[seat][place])
    state.fight = -1

"""Ordering units: which of them a card's orders can reach together.

Each order serves one section; a unit on a hex that two sections share takes an order of either; a creature
takes
one of any section for tokens.  Whether a set of units can be ordered is a matching, judged by Hall's
condition:
for every set of sections, the units that stand in no other must not outnumber their orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from referee.games.battlelore.box.components import (
    CREATURE,
    OPTIONS,
    OUT_OF_SECTION,
    PLACE,
    PLACES,
    SEATS,
    SECTIONS,
    sections_of,
)
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

DONE = "done"
BESIDES = "besides"
"""The mark of a unit that was ordered besides the command card."""
WITH_DONE: dict[int, tuple[str, ...]] = {}
"""Mask of hexes to their ids with ``done`` behind them."""
Orders = tuple[int, int, int]
"""Orders of a section card for left wing, centre and right wing."""
ANYWHERE = 7


def with_done(mask: int, *more: str) -> tuple[str, ...]:
    """The hexes of a mask as options, with what else may be chosen behind them."""
    if more:
        return (*OPTIONS[mask], *more, DONE)
    found = WITH_DONE.get(mask)
    if found is None:
        if len(WITH_DONE) > 50_000:
            WITH_DONE.clear()
        found = WITH_DONE[mask] = (*OPTIONS[mask], DONE)
    return found


@lru_cache(maxsize=50_000)
def fits(orders: Orders, units: tuple[int, ...]) -> bool:
    """Whether units with these masks of sections can all be ordered."""
    for some in range(1, 8):
        most = sum(number for section, number in enumerate(orders) if some >> section & 1)
        if sum(1 for sections in units if not sections & ~some) > most:
            return False
    return True


def by_card(state: State) -> int:
    """The units that the command card ordered; those that a lore card orders besides are not among them."""
    if not state.marks:
        return state.ordered
    besides: int = sum(1 << unit for unit, what, _ in state.marks if what == BESIDES)
    return state.ordered & ~besides


# --- section cards -----------------------------------------------------------------------------------


def order_by_sections(state: State, orders: Orders) -> Ask:
    """Name the units of a section card, one after the other."""
    seat = state.active
    left = sum(orders) - by_card(state).bit_count()
    while left > 0:
        could = could_order(state, orders)
        if not could:
            return
        chosen = yield ChooseOne(
            SEATS[seat],
            "prompt.order_unit",
            with_done(could),
            domain="place",
            about={"count": left, "sections": section_names(orders)},
            rule="command.section_card",
            refused=lambda: refused_orders(state, orders),
        )
        if chosen == DONE:
            return
        order(state, orders, state.unit_at[PLACE[chosen]])
        left -= 1


def section_names(orders: Orders) -> list[str]:
    """The sections in which a card orders units."""
    return [name for name, number in zip(SECTIONS, orders, strict=True) if number]


def _taken(state: State) -> tuple[int, ...]:
    if not state.ordered:
        return ()
    sections = state.sections[state.active]
    return tuple(
        sorted(
            ANYWHERE if state.paid >> unit & 1 else sections[state.at[unit]]
            for unit in places_in(by_card(state))
        )
    )


def could_order(state: State, orders: Orders) -> int:
    """Mask of the hexes whose units can be ordered besides those that are."""
    seat, taken = state.active, _taken(state)
    found, anywhere = _reached(orders, taken, state.lines[0], state.lines[1], seat)
    if anywhere and _can_pay(state):
        found |= sum(1 << state.at[unit] for unit in places_in(state.field.creatures) if state.at[unit] >= 0)
    for unit in places_in(state.ordered):
        found &= ~(1 << state.at[unit])
    return found & state.stand[seat]


@lru_cache(maxsize=50_000)
def _reached(orders: Orders, taken: tuple[int, ...], first: int, second: int, seat: int) -> tuple[int, bool]:
    """Mask of the hexes whose units a further order reaches, and whether one of any section is left."""
    good = [one for one in range(1, 8) if fits(orders, tuple(sorted((*taken, one))))]
    hexes = section_hexes(first, second)[seat]
    found = 0
    for one in good:
        found |= hexes[one]
    return found, ANYWHERE in good


@lru_cache(maxsize=64)
def section_hexes(first: int, second: int) -> tuple[tuple[int, ...], ...]:
    """For each seat and each set of sections, the mask of the hexes that are in just these."""
    return tuple(
        tuple(sum(1 << at for at, here in enumerate(of) if here == one) for one in range(8))
        for of in sections_of((first, second))
    )


def _can_pay(state: State) -> bool:
    if not state.field.lore or not state.field.creatures or _paid_enough(state):
        return False
    return state.tokens[state.active] >= OUT_OF_SECTION


def _paid_enough(state: State) -> bool:
    """Whether no further creature may be ordered from elsewhere with this card."""
    return state.paid != 0 and state.house["creatures_from_elsewhere"] == "one"


def order(state: State, orders: Orders, unit: int) -> None:
    """Order a unit; a creature that no order of its own section reaches pays for it."""
    here = state.sections[state.active][state.at[unit]]
    if not fits(orders, tuple(sorted((*_taken(state), here)))):
        state.tokens[state.active] -= OUT_OF_SECTION
        state.paid |= 1 << unit
    state.ordered |= 1 << unit


def refused_orders(state: State, orders: Orders) -> Iterator[tuple[str, Refusal]]:
    """Own units that cannot be ordered now, and why."""
    could = could_order(state, orders)
    for place in places_in(state.stand[state.active] & ~could):
        yield PLACES[place], why_not_order(state, orders, place)
    for place in places_in(state.stand[1 - state.active]):
        yield PLACES[place], Refusal("setup.banner_pattern_side", "not_yours", {"place": PLACES[place]})


def why_not_order(state: State, orders: Orders, place: int) -> Refusal:
    """Why a section card cannot order the unit in a hex."""
    unit = state.unit_at[place]
    here = state.sections[state.active][place]
    stands = [name for bit, name in enumerate(SECTIONS) if here >> bit & 1]
    about: dict[str, Any] = {"place": PLACES[place], "sections": stands}
    if state.ordered >> unit & 1:
        return Refusal("activate.once_per_turn", "ordered_already", about)
    covered = any(orders[bit] for bit in range(3) if here >> bit & 1)
    if state.field.units[unit].kind == CREATURE and state.field.lore and not covered:
        if _paid_enough(state):
            return Refusal("creature.out_of_section_cost", "one_creature", about)
        if fits(orders, tuple(sorted((*_taken(state), ANYWHERE)))):
            return Refusal("creature.out_of_section_cost", "three_tokens", about)
        return Refusal("creature.out_of_section_counts", "no_order_left", about)
    if covered:
        return Refusal("command.section_card", "no_order_left", about)
    rule = "activate.surplus_not_transferred" if sum(orders) > len(_taken(state)) else "command.section_card"
    return Refusal(rule, "other_section", about)


# --- tactic cards ------------------------------------------------------------------------------------


def order_anywhere(
    state: State, fit: Callable[[int], Refusal | None], number: int, rule: str = "command.tactic_card"
) -> Ask:
    """Name up to so many units that a card's words fit (``fit``: None), wherever they stand."""
    seat = state.active
    while by_card(state).bit_count() < number:
        could = 0
        for place in places_in(state.stand[seat]):
            unit = state.unit_at[place]
            if not state.ordered >> unit & 1 and fit(unit) is None:
                could |= 1 << place
        if not could:
            return
        chosen = yield ChooseOne(
            SEATS[seat],
            "prompt.order_anywhere",
            with_done(could),
            domain="place",
            about={"count": number - by_card(state).bit_count(), "card": state.card},
            rule=rule,
            refused=lambda: _refused_anywhere(state, fit),
        )
        if chosen == DONE:
            return
        state.ordered |= 1 << state.unit_at[PLACE[chosen]]


def _refused_anywhere(state: State, fit: Callable[[int], Refusal | None]) -> Iterator[tuple[str, Refusal]]:
    for place in places_in(state.stand[state.active]):
        unit, about = state.unit_at[place], {"place": PLACES[place]}
        if state.ordered >> unit & 1:
            yield PLACES[place], Refusal("activate.once_per_turn", "ordered_already", about)
        else:
            why = fit(unit)
            if why is not None:
                yield PLACES[place], why

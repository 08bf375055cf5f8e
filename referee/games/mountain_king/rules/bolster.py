"""Chapter "Verstärkung": trolls from the stock to one dominated cavern or own lair."""

from __future__ import annotations

from referee.games.kit.asking import Ask, ChooseWithDefault
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import PLACES, SEATS
from referee.games.mountain_king.rules.asking import NUMBERS, choose_place, number, why_each
from referee.games.mountain_king.rules.caverns import Before, barred, dominated
from referee.games.mountain_king.rules.pieces import add_trolls, move, unit_of, units_in
from referee.games.mountain_king.state.state import State
from referee.kernel.refusals import Refusal


def bolster(state: State, seat: int, strength: int, before: Before | None = None) -> Ask:
    """Up to so many trolls; once the stock is empty, own units from anywhere for what is left."""
    place = yield from _target(state, seat, strength)
    most = min(strength, state.stock[seat])
    added = yield from number(
        seat,
        "prompt.bolster_count",
        0,
        most,
        rule="reinforce.max",
        about={"place": PLACES[place], "strength": strength},
        refused=lambda: _too_many(state, seat, strength, most),
    )
    if added:
        add_trolls(state, seat, place, added)
    if strength > added and not state.stock[seat]:
        yield from _bring(state, seat, place, strength - added)
    return []


def _too_many(state: State, seat: int, strength: int, most: int) -> list[tuple[str, Refusal]]:
    if strength > state.stock[seat]:
        return [(NUMBERS[most + 1], Refusal("reinforce.stock_limit", "stock_empty", {"count": most}))]
    return [(NUMBERS[most + 1], Refusal("reinforce.max", "beyond_strength", {"strength": strength}))]


def _target(state: State, seat: int, strength: int) -> Ask:
    mask = dominated(state, seat)
    foreign = barred(state, seat)

    def why(place: int) -> Refusal:
        if foreign >> place & 1:
            return Refusal("cave.lair_closed", "foreign_lair", {"place": PLACES[place]})
        if state.there[seat] >> place & 1:
            return Refusal("reinforce.not_shared", "shared", {"place": PLACES[place]})
        return Refusal("reinforce.target", "not_dominated", {"place": PLACES[place]})

    place = yield from choose_place(
        seat,
        "prompt.bolster",
        mask,
        rule="reinforce.target",
        about={"strength": strength},
        refused=why_each((state.box.caverns | state.box.lairs) & ~mask, why),
    )
    return place


def _bring(state: State, seat: int, place: int, most: int) -> Ask:
    """Own units from elsewhere, one for each strength that is left."""
    limits: dict[str, int] = {}
    for origin in places_in(state.there[seat] & ~(1 << place)):
        limits |= units_in(state, seat, origin)
    if not limits:
        return
    moved = yield ChooseWithDefault(
        SEATS[seat],
        "prompt.bolster_move",
        limits,
        maximum=min(most, sum(limits.values())),
        default={},
        domain="unit",
        about={"place": PLACES[place], "count": most},
        rule="reinforce.move_when_empty",
        too_many=Refusal("reinforce.move_when_empty", "beyond_strength", {"strength": most}),
    )
    for item, count in moved.items():
        unit, origin = unit_of(state, item)
        move(state, seat, unit, origin, place, count)

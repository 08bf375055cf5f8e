"""Special abilities of creatures: lore signs that are used at once, laid beside it, or go to the goblet."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.battlelore.box.components import CREATURES, PLACES, SEATS
from referee.games.battlelore.rules import occasions
from referee.games.battlelore.state.fight import BATTLE_BACK, Fight
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

NO_POWER = "no_power"


def powers_of(state: State, unit: int) -> Mapping[str, int]:
    """The powers of a unit with the signs that each costs; none of what is no creature."""
    card = CREATURES.get(state.field.units[unit].creature, {})
    powers: Mapping[str, int] = card.get("powers", {})
    return powers


def dearest(state: State, unit: int) -> int:
    """What the dearest power of a creature costs: no more tokens may lie beside it."""
    return max(powers_of(state, unit).values(), default=0)


def room(state: State, unit: int) -> int:
    """How many more tokens may lie beside a creature."""
    return max(0, dearest(state, unit) - state.store[unit])


def lore_signs(state: State, fight: Fight, signs: int) -> Ask:
    """What becomes of lore signs rolled: powers and store of a creature, the rest to its player's goblet."""
    unit = fight.attacker
    if powers_of(state, unit):
        if fight.kind != BATTLE_BACK:
            signs = yield from _use_power(state, fight, signs)
        elif state.house["store_in_battle_back"] == "neither":
            _to_goblet(state, unit, signs)
            return
        if signs and state.at[unit] >= 0:
            signs = yield from _store(state, unit, signs)
    _to_goblet(state, unit, signs)


def _to_goblet(state: State, unit: int, signs: int) -> None:
    if state.field.lore:
        state.tokens[state.field.units[unit].seat] += signs


def _use_power(state: State, fight: Fight, signs: int) -> Ask:
    """Use a power that signs and stored tokens pay together; the signs that are left."""
    unit, powers = fight.attacker, powers_of(state, fight.attacker)
    stored = state.store[unit]
    both = state.house["power_paid_by"] == "both"
    has = signs + stored if both else max(signs, stored)
    could = tuple(power for power, cost in powers.items() if cost <= has)
    if not could:
        return signs

    def refused() -> list[tuple[str, Refusal]]:
        about = {"count": has}
        dear = (power for power, cost in powers.items() if cost > has)
        return [(power, Refusal("special.no_goblet_payment", "too_few_signs", about)) for power in dear]

    chosen = yield ChooseOne(
        SEATS[state.field.units[unit].seat],
        "prompt.use_power",
        (*could, NO_POWER),
        domain="power",
        about={"place": PLACES[fight.where], "count": has},
        rule="special.use_when_rolled",
        refused=refused,
    )
    if chosen == NO_POWER:
        return signs
    fresh = min(signs, powers[chosen])
    if not both and fresh < powers[chosen]:
        fresh = 0
    state.store[unit] -= powers[chosen] - fresh
    yield from occasions.power(state, fight, chosen)
    return signs - fresh


def _store(state: State, unit: int, signs: int) -> Ask:
    """Lay signs beside the creature; those that are left."""
    most = min(signs, room(state, unit))
    if not most:
        return signs

    def refused() -> list[tuple[str, Refusal]]:
        too_many = range(most + 1, signs + 1)
        return [(str(n), Refusal("special.store_limit", "store_full", {"count": most})) for n in too_many]

    chosen = yield ChooseOne(
        SEATS[state.field.units[unit].seat],
        "prompt.store_signs",
        tuple(str(number) for number in range(most, -1, -1)),
        domain="number",
        about={"place": PLACES[state.at[unit]], "count": signs},
        rule="special.store_symbols",
        refused=refused,
    )
    state.store[unit] += int(chosen)
    return signs - int(chosen)

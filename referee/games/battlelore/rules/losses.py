"""Hits and losses: figures taken off, the bearer last, and the banner that goes with him."""

from __future__ import annotations

from referee.games.battlelore.box.components import CREATURE, DICE, HELMETS, PLACES, SEATS
from referee.games.battlelore.box.scenario import OFF
from referee.games.battlelore.rules.victory import win_banner
from referee.games.battlelore.state.state import State, put
from referee.games.kit.asking import Ask
from referee.kernel.requests import RollDice


def take_off(state: State, unit: int, figures: int, winner: int) -> bool:
    """Take figures of a unit off; whether it is still there.  ``winner`` gets its banner (-1: nobody)."""
    left = state.figures[unit] - figures
    if left > 0:
        state.figures[unit] = left
        return True
    state.figures[unit] = 0
    state.store[unit] = 0
    put(state, unit, OFF)
    if winner >= 0:
        win_banner(state, winner)
    return False


def slay(state: State, creature: int, winner: int) -> None:
    """A creature is destroyed: it goes to the winner's track, and pays a token where lore is in play."""
    if state.field.lore:
        state.tokens[winner] += 1
    counts = state.house["creature_banner_counts"] == "yes"
    take_off(state, creature, state.figures[creature], winner if counts else -1)


def critical(state: State, creature: int, roller: int, dice: int, rule: str) -> Ask:
    """Roll the dice that hit a creature once more; whether it died: a helmet of its colour is enough."""
    place = PLACES[state.at[creature]]
    rolled = yield RollDice(
        SEATS[roller], "prompt.critical_roll", {"battle": dice}, DICE, about={"place": place}, rule=rule
    )
    if HELMETS[state.colour[creature]] not in rolled["battle"]:
        return False
    slay(state, creature, roller)
    return True


def suffer(state: State, unit: int, hits: int, roller: int) -> Ask:
    """Carry out hits on a unit; whether it is still there."""
    if not hits:
        return True
    if state.field.units[unit].kind == CREATURE:
        dead = yield from critical(state, unit, roller, hits, "creature.reroll_hits")
        return not dead
    return take_off(state, unit, hits, roller)

"""What must always hold, checked after every answer.  A problem here is a bug in us."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import PLACE_COUNT, PLACES, SEATS
from referee.games.battlelore.state.state import SCHEMA, State, deck_of


def audit(state: State) -> list[str]:
    """Everything that is wrong with a state, in English, empty where all holds."""
    found = SCHEMA.out_of_bounds(state)
    for part in (_units, _turn, _cards):
        found.extend(part(state))
    return found


def _units(state: State) -> Iterator[str]:
    """Every unit stands in one hex with its figures, or nowhere with none; nobody is where nobody may be."""
    units, standing = state.field.units, [0, 0]
    for number, at in enumerate(state.at):
        unit, figures = units[number], state.figures[number]
        if not 0 <= figures <= unit.figures:
            yield f"{unit.id} has {figures} figures of {unit.figures}"
        if (at >= 0) != (figures > 0):
            yield f"{unit.id} has {figures} figures and stands {'somewhere' if at >= 0 else 'nowhere'}"
        if at >= 0:
            standing[unit.seat] |= 1 << at
            if not at < PLACE_COUNT or state.unit_at[at] != number:
                yield f"{unit.id} is not the unit of its hex {PLACES[at]}"
    if standing != state.stand:
        yield "the masks of units are not theirs"
    if sum(at >= 0 for at in state.unit_at) != sum(at >= 0 for at in state.at):
        yield "a hex has a unit that stands elsewhere"
    if (standing[0] | standing[1]) & state.ground.closed:
        yield "a unit stands where nobody may be"


def _turn(state: State) -> Iterator[str]:
    own = state.field.of_seat[state.active]
    if state.ordered & ~own or (state.moved | state.left | state.struck | state.fought) & ~state.ordered:
        yield "a unit acted that was not ordered"
    if state.winner >= 0 and state.winning_rule == "":
        yield "somebody won by no rule"
    for seat, name in enumerate(SEATS):
        if state.banners[seat] >= state.field.goals[seat] and state.winner < 0:
            yield f"{name} holds enough banners and the game goes on"


def _cards(state: State) -> Iterator[str]:
    """Command and lore cards are where cards may be, and none is lost."""
    if not state.phase:
        return
    whole = deck_of(state).command_size
    there = sum(state.hand) + state.deck + state.discard + (state.card != "")
    if there != whole:
        yield f"{there} command cards of {whole}"
    if sum(state.shown.values()) > state.discard:
        yield "more command cards were seen in the discard than lie there"
    if not state.field.lore and (any(state.tokens) or any(state.lore_hand)):
        yield "lore outside a lore scenario"
    if sum(state.lore_shown.values()) > state.lore_discard:
        yield "more lore cards were seen in the discard than lie there"

"""Moving units and gnomes, gaining honour and votes: the only functions that change masks and tracks."""

from __future__ import annotations

from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import CHAMPIONS, PLACES
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.state.state import OFF_BOARD, State
from referee.games.mountain_king.state.tokens import KNOWN, MORE
from referee.games.mountain_king.state.tracks import advance

TROLL = -1
"""Which unit: a normal troll, else the index of the champion whose figure it is."""
TROLLS = "trolls"
AT = "@"


def add_trolls(state: State, seat: int, place: int, number: int) -> None:
    """Trolls from the stock (or, where ``number`` is negative, back to it)."""
    state.trolls[seat][place] += number
    state.stock[seat] -= number
    _count(state, seat, place, number)


def place_figure(state: State, seat: int, champion: int, place: int) -> None:
    """Stand a champion's figure somewhere, wherever it was before."""
    before = state.figure_at[champion]
    if before != OFF_BOARD:
        _count(state, seat, before, -1)
    state.figure_at[champion] = place
    _count(state, seat, place, 1)


def move(state: State, seat: int, unit: int, origin: int, target: int, number: int = 1) -> None:
    """Move trolls, or a figure, from place to place."""
    if unit != TROLL:
        place_figure(state, seat, unit, target)
        return
    row = state.trolls[seat]
    row[origin] -= number
    row[target] += number
    _count(state, seat, origin, -number)
    _count(state, seat, target, number)


def _count(state: State, seat: int, place: int, number: int) -> None:
    row = state.units[seat]
    row[place] += number
    if row[place]:
        state.there[seat] |= 1 << place
    else:
        state.there[seat] &= ~(1 << place)


def figures(state: State, seat: int, place: int) -> list[int]:
    """A seat's champions that stand in a place."""
    if state.units[seat][place] == state.trolls[seat][place]:
        return []
    return [champion for champion in state.won[seat] if state.figure_at[champion] == place]


def units_in(state: State, seat: int, place: int) -> dict[str, int]:
    """A seat's units of a place as items of a question: ``trolls@moss_1`` to their number, figures to 1."""
    found = {}
    if state.trolls[seat][place]:
        found[f"{TROLLS}{AT}{PLACES[place]}"] = state.trolls[seat][place]
    for champion in figures(state, seat, place):
        found[CHAMPIONS[champion]] = 1
    return found


def unit_of(state: State, item: str) -> tuple[int, int]:
    """Which unit an item means, and where it stands."""
    what, _, place = item.partition(AT)
    if what == TROLLS:
        return TROLL, box.PLACE[place]
    champion = box.CHAMPION[item]
    return champion, state.figure_at[champion]


# --- gnomes ---------------------------------------------------------------------------------------------


def shuffle_in(state: State) -> None:
    """The gnomes beside the wheel go back into the stock."""
    state.in_stock += sum(state.beside)
    state.beside = [0] * len(state.beside)


def add_gnome(state: State, place: int) -> bool:
    """A token from the stock, unseen; False where there is none, or two lie there already.

    Where the stock is empty, those beside the wheel are shuffled in first.
    """
    more = MORE[state.gnomes[place]]
    if more < 0:
        return False
    if not state.in_stock:
        if not any(state.beside):
            return False
        shuffle_in(state)
    state.in_stock -= 1
    state.gnomes[place] = more
    state.overrun |= 1 << place
    return True


def take_gnomes(state: State, place: int) -> None:
    """All tokens leave a cavern; marks of who looked go with them."""
    state.gnomes[place] = state.looked[place] = 0
    state.overrun &= ~(1 << place)


def strengths_left(state: State) -> list[int]:
    """For each strength how many tokens may still show it."""
    left = [box.GNOMES_EACH - number for number in state.beside]
    mask = state.overrun
    while mask:
        low = mask & -mask
        for strength in KNOWN[state.gnomes[low.bit_length() - 1]]:
            left[strength - 1] -= 1
        mask ^= low
    return left


# --- honour and votes -----------------------------------------------------------------------------------


def gain_honour(state: State, seat: int, number: int, rule: str, what: str = "") -> None:
    """Mark honour at once; the track never shows less than nought."""
    number = max(number, -state.honour[seat])
    if number and not state.left >> seat & 1:
        state.honour[seat] += number
        state.ledger.append((state.turn, rule, what, seat, number))


def gain_votes(state: State, seat: int, clan: int, number: int) -> None:
    """Votes of a clan; the disc arrives last on its new space."""
    if number:
        advance(state.votes[clan], seat, number)


def fall(state: State, seat: int, place: int, unit: int, lair: int = OFF_BOARD) -> None:
    """A troll goes to the stock, a figure to one of its owner's lairs."""
    if unit == TROLL:
        add_trolls(state, seat, place, -1)
    else:
        place_figure(state, seat, unit, lair)
    occasions.fell(state, seat, unit, place)

"""What must hold of every state: nothing is lost, nobody stands where nobody may, tracks are in order."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.kit.places import places_in
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS, PLACES, SEATS
from referee.games.mountain_king.state.grid import FRAME, WINDOW, cells_of, edges
from referee.games.mountain_king.state.state import SCHEMA, SETUP, State, gnome_tokens_out, own_lairs
from referee.games.mountain_king.state.tokens import KNOWN
from referee.games.mountain_king.state.tracks import Track


def audit(state: State) -> list[str]:
    """Everything that is wrong, in English; called after every answer."""
    found = SCHEMA.out_of_bounds(state)
    found += _units(state)
    found += _gnomes(state)
    found += _champions(state)
    found += _ancestries(state)
    for clan, track in zip(CLANS, state.votes, strict=True):
        found += _track(clan, track)
    if max(state.tiles) >= len(state.box.tiles):
        found.append(f"vote tile {max(state.tiles)} is none of {len(state.box.tiles)}")
    if len(state.display) != len(state.influence):
        found.append(f"{len(state.influence)} tracks of influence, {len(state.display)} champions displayed")
    for champion, track in zip(state.display, state.influence, strict=False):
        found += _track(CHAMPIONS[champion], track)
    return found


def _units(state: State) -> Iterator[str]:
    allowed = state.box.caverns | state.box.lairs
    everybody = 0
    for seat, name in enumerate(SEATS):
        trolls, there = state.trolls[seat], state.there[seat]
        if min(trolls) < 0 or state.stock[seat] < 0 or sum(trolls) + state.stock[seat] != box.TROLLS:
            yield f"{name}: {sum(trolls)} trolls on the board, {state.stock[seat]} in the stock"
        if there & ~allowed:
            yield f"{name} stands where the board has no place"
        if there & state.box.lairs & ~own_lairs(state, seat):
            yield f"{name} stands in a lair that is not its own"
        if sum(state.units[seat]) != sum(trolls) + _figures_out(state, seat):
            yield f"{name}: units are not its trolls and figures"
        everybody |= there
    if everybody & state.overrun & ~(1 << state.fight if state.fight >= 0 else 0):
        yield f"trolls and gnomes together in {[PLACES[p] for p in places_in(everybody & state.overrun)]}"


def _figures_out(state: State, seat: int) -> int:
    return sum(state.figure_at[champion] >= 0 for champion in state.won[seat])


def _gnomes(state: State) -> Iterator[str]:
    if state.in_stock != box.GNOME_TOKENS - gnome_tokens_out(state) or state.in_stock < 0:
        yield f"{state.in_stock} gnomes in the stock, {gnome_tokens_out(state)} elsewhere"
    if state.overrun & ~state.box.caverns:
        yield "gnomes where no cavern is"
    shown = state.beside[:]
    for place in places_in(state.overrun):
        for strength in KNOWN[state.gnomes[place]]:
            shown[strength - 1] += 1
    if max(shown) > box.GNOMES_EACH:
        yield f"more gnomes of a strength than there are: {shown}"


def _champions(state: State) -> Iterator[str]:
    held = [*state.display, *(champion for won in state.won for champion in won)]
    if len(set(held)) < len(held):
        yield "a champion twice"
    won = {champion for one in state.won for champion in one}
    for champion, place in enumerate(state.figure_at):
        if place >= 0 and not (champion in won and state.box.champions[champion].is_figure):
            yield f"{CHAMPIONS[champion]} has no figure"
    for champion, covered in enumerate(state.claws):
        if covered and not (champion in won and covered <= state.box.champions[champion].claws):
            yield f"{CHAMPIONS[champion]} has {covered} covered claws"


def _ancestries(state: State) -> Iterator[str]:
    if state.phase == SETUP:
        return
    for seat in places_in(state.seats):
        cells = cells_of(state.grids[seat])
        top, bottom, left, right = edges(cells.cards & WINDOW)
        if max(bottom - top, right - left) >= FRAME:
            yield f"the ancestry of {SEATS[seat]} is larger than its frame"
        actions = cells.of_kind[0] | cells.of_kind[1] | cells.of_kind[2] | cells.of_kind[3] | cells.wild
        if state.covered[seat] & ~actions:
            yield f"{SEATS[seat]} has covered what is no action"


def _track(name: str, track: Track) -> Iterator[str]:
    values = [value for _, value in track]
    if values != sorted(values, reverse=True) or len({seat for seat, _ in track}) < len(track):
        yield f"the track of {name} is out of order: {track}"

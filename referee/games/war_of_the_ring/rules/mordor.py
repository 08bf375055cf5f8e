"""Chapter IX: the Mordor track, the last part of the way to Mount Doom."""

from __future__ import annotations

from referee.games.war_of_the_ring.box.components import TILES, box_data
from referee.games.war_of_the_ring.box.map import PLACE, PLACES, mask_of
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.company import corrupt
from referee.games.war_of_the_ring.rules.hunt import draw_tile
from referee.games.war_of_the_ring.rules.tiles import EYES
from referee.games.war_of_the_ring.rules.victory import check_mount_doom
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

GATES = mask_of(*(PLACE[name] for name in box_data("hunt")["tracks"]["mordor_gates"]))
"""Morannon and Minas Morgul."""


def can_enter(state: State) -> bool:
    """Whether the Fellowship may go on to the Mordor track in this Fellowship phase."""
    if state.mordor >= 0 or not GATES >> state.ring & 1:
        return False
    return not state.edition.mordor_by_declaring or state.declared


def why_not_enter(state: State) -> Refusal | None:
    """Why the Fellowship does not enter Mordor now."""
    if state.mordor >= 0:
        return Refusal("mordor.enter", "on_mordor_track")
    if not GATES >> state.ring & 1:
        return Refusal("mordor.gates", "not_at_gates", {"place": PLACES[state.ring]})
    if not can_enter(state):
        return Refusal("mordor.enter_declared", "declare_there")
    return None


def enter(state: State) -> None:
    """The figure goes to the first step; drawn Eyes and the special tiles that waited join the pool."""
    state.mordor = 0
    state.progress = 0
    for tile in EYES:
        state.tiles[tile] += state.tiles_out[tile]
        state.tiles_out[tile] = 0
    for tile, number in enumerate(state.tiles_ready):
        state.tiles[tile] += number
    state.tiles_ready = [0] * len(TILES)


def move(state: State) -> Ask:
    """A step on the Mordor track: a tile is drawn without a roll, then the figure goes on unless it stops.

    An Eye counts the dice of both sides in the Hunt Box; the die of this very
    move is not there yet.
    """
    tile = yield from draw_tile(state, source="mordor", eye=sum(state.hunt_dice))
    if tile >= 0 and TILES[tile].stop:
        return
    state.mordor += 1
    check_mount_doom(state)


def end_of_phase5(state: State) -> None:
    """On the Mordor track, a turn without an attempt to move or hide costs one corruption."""
    if state.mordor >= 0 and not state.ring_moved:
        corrupt(state, 1)

"""Chapter IX: the Hunt pool.  Tiles are drawn by hand; the referee is told which and keeps the counts."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.box.components import SEATS, SHADOW, STANDARD_TILES, TILE, TILES
from referee.games.war_of_the_ring.rules.asking import Ask, roll_combat_dice
from referee.games.war_of_the_ring.rules.pieces import tile_options
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Report

TILE_IDS = tuple(tile.id for tile in TILES)
EYES = tuple(tile for tile in STANDARD_TILES if TILES[tile].value == "eye")
"""Standard tiles with an Eye, which come back when Mordor is entered."""


def draw(state: State, *, source: str, rule: str = "hunt.draw") -> Ask:
    """The Shadow player draws a tile from the pool and reports it; returns its kind.

    ``source`` tells the screens what it is drawn for.  The tile is out of the
    pool then.
    """
    kinds = tile_options(state)
    drawn = yield Report(
        SEATS[SHADOW],
        "prompt.draw_tile",
        tuple([TILE_IDS[kind] for kind in kinds]),
        weights=[state.tiles[kind] for kind in kinds],
        domain="tile",
        about={"source": source},
        rule=rule,
        refused=lambda: _not_in_pool(state),
    )
    tile = TILE[drawn]
    state.tiles[tile] -= 1
    state.tiles_out[tile] += 1
    return tile


def _not_in_pool(state: State) -> Iterator[tuple[str, Refusal]]:
    for kind, tile in enumerate(TILES):
        if not state.tiles[kind]:
            if tile.seat < 0:
                yield tile.id, Refusal("hunt.tiles", "all_drawn", {"tile": tile.id})
            elif state.tiles_ready[kind]:
                yield tile.id, Refusal("hunt.special_wait", "waits_for_mordor", {"tile": tile.id})
            elif state.tiles_out[kind] or state.tiles_gone[kind]:
                yield tile.id, Refusal("hunt.special_once", "special_used", {"tile": tile.id})
            else:
                yield tile.id, Refusal("hunt.special_by_card", "special_not_played", {"tile": tile.id})


def put_back(state: State, tile: int) -> None:
    """A drawn tile returns to the pool."""
    state.tiles_out[tile] -= 1
    state.tiles[tile] += 1


def remove_for_good(state: State, tile: int) -> None:
    """A drawn tile leaves the game for good."""
    state.tiles_out[tile] -= 1
    state.tiles_gone[tile] += 1


def put_special_in_play(state: State, tile: int) -> None:
    """A card puts a special tile in play: it waits for the Mordor track, or joins the pool at once on it."""
    if state.mordor >= 0:
        state.tiles[tile] += 1
    else:
        state.tiles_ready[tile] += 1


def damage_of(state: State, tile: int, eye: int) -> Ask:
    """The Hunt damage of a tile: its number (below zero: 0), ``eye`` for an Eye, a roll for a die."""
    value = TILES[tile].value
    if value == "eye":
        return eye
    if value == "die":
        pips = yield from roll_combat_dice(SHADOW, "prompt.roll_tile", 1, rule="hunt.tile_die")
        return pips[0]
    assert isinstance(value, int)
    return max(0, value)


def relief_of(tile: int) -> int:
    """The corruption that a tile with a negative value takes away; 0 for all others."""
    value = TILES[tile].value
    return -value if isinstance(value, int) and value < 0 else 0

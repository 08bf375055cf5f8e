"""Chapter VII, phase 3: the Shadow draws Fate tiles, the marker moves, Fate cards are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import FREE, SHADOW
from referee.games.five_armies.rules import occasions
from referee.games.five_armies.rules.asking import Ask, choose
from referee.games.five_armies.rules.victory import check_fate
from referee.games.five_armies.state.state import ASIDE, ELIMINATED, IN_POOL, OUT, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Report

FATE_CARDS_BY_ID: Mapping[str, tuple[str, tuple[Mapping[str, Any], ...]]] = {
    name: (card["on"], tuple(card["program"])) for name, card in box.box_data("cards")["fate"].items()
}
"""Each Fate card: on whom it is played (a character or the Eagles), and what it does as a program."""
FATE_CARD_IDS = tuple(FATE_CARDS_BY_ID)
"""The nine Fate cards by number, from 1."""
assert len(FATE_CARD_IDS) == box.FATE_CARDS


def draw_tiles(state: State) -> Ask:
    """Phase 3: one tile, or more of which the last counts, up to the number of activated generals."""
    most = max(1, state.generals_count)
    tile = ""
    for aside in range(most):
        options = _tiles_in_pool(state, aside)
        if not options:
            break
        about = {"drawn": aside + 1, "maximum": most}
        tile = yield Report(
            "shadow",
            "prompt.fate_tile",
            options,
            weights=_weights(state, options),
            domain="fate_tile",
            about=about,
            rule="fate.shadow_draws",
            refused=lambda: [
                (name, Refusal("setup.special_tiles_aside", "tile_aside", {"tile": name}))
                for name, at in zip(box.SPECIAL_TILES, state.special_tiles, strict=True)
                if at == ASIDE
            ],
        )
        no_more = _why_not_draw(state, tile, aside + 1, most)
        go_on = yield from choose(
            SHADOW,
            "prompt.fate_apply_or_draw",
            ("apply", "draw") if no_more is None else ("apply",),
            about={"tile": tile, **about},
            rule="fate.apply_or_redraw",
            refused=lambda no_more=no_more: [] if no_more is None else [("draw", no_more)],  # type: ignore[misc]
        )
        if go_on == "apply":
            break
    if tile:
        yield from apply_tile(state, tile)


def _why_not_draw(state: State, tile: str, drawn: int, most: int) -> Refusal | None:
    """Why no further tile is drawn after this one; None where one may be."""
    if tile in box.SPECIAL_TILES:
        return Refusal("fate.special_stops", "special_tile")
    if drawn == most or not _tiles_in_pool(state, drawn):
        return Refusal("fate.draw_maximum", "too_many", {"maximum": drawn})
    return None


def _tiles_in_pool(state: State, aside: int) -> tuple[str, ...]:
    standard = _standard_left(state) if state.fate_tiles > aside else ()
    special = tuple(t for t, at in zip(box.SPECIAL_TILES, state.special_tiles, strict=True) if at == IN_POOL)
    return standard + special if special else standard


_BOTS_ASSUME = {"tile_1": 3, "tile_1_card": 2, "tile_2": 3, "tile_2_card": 2, "tile_3": 2}


def _weights(state: State, options: tuple[str, ...]) -> tuple[int, ...] | None:
    """How likely computer players take each tile to be.

    How often each face exists is unknown, and no report of a person is ever
    judged by this; it only keeps random games from drawing twelve ones.
    """
    out = state.fate_tiles_out
    weights = tuple(max(0, _BOTS_ASSUME.get(face, 1) - out.get(face, 0)) for face in options)
    return weights if any(weights) else None


def _standard_left(state: State) -> tuple[str, ...]:
    """The faces a standard tile can still show; the box book may tell how often each exists."""
    left = tuple(
        face
        for face in box.STANDARD_TILE_FACES
        if state.fate_tiles_out.get(face, 0) < int(state.values.get(f"copies.{face}", 99))
    )
    return left or box.STANDARD_TILE_FACES


def apply_tile(state: State, tile: str) -> Ask:
    """The tile leaves the game, the marker moves; then its icon brings a Fate card."""
    if tile in box.SPECIAL_TILES:
        state.special_tiles[box.SPECIAL_TILES.index(tile)] = OUT
    else:
        state.fate_tiles -= 1
    state.fate_tiles_out[tile] = state.fate_tiles_out.get(tile, 0) + 1
    number, icon = box.TILES[tile]
    move_marker(state, number)
    if icon:
        yield from draw_fate_card(state)


def move_marker(state: State, spaces: int) -> None:
    """Move the Fate marker right (or left by a card); it stops at the ends.  May end the game."""
    state.fate = min(max(state.fate + spaces, 0), box.FATE_END)
    check_fate(state)


def draw_fate_card(state: State) -> Ask:
    """The Free Peoples draw a Fate card and carry it out at once, at no cost."""
    left = tuple(card for n, card in enumerate(FATE_CARD_IDS, 1) if not state.fate_shown >> n & 1)
    if not left:
        return
    card = yield Report("free", "prompt.fate_card", left, domain="card", rule="fate.icon_draws_card")
    number = FATE_CARD_IDS.index(card) + 1
    state.fate_shown |= 1 << number
    state.fate_deck -= 1
    on, program = FATE_CARDS_BY_ID[card]
    if on in box.CHARACTER and state.where[box.CHARACTER[on]] == ELIMINATED:
        return  # discarded: it would be played on a character who is out of the game
    yield from occasions.run_program(state, FREE, card, program)


def add_wrath(state: State, tokens: int) -> None:
    """Wrath on Beorn's card, whether or not he is in play yet; sixteen at most in all."""
    state.wrath = min(state.wrath + tokens, box.WRATH_MOST)


def place_eagles(state: State, number: int) -> None:
    """Muster Eagles into the Eyrie, as far as there are figures."""
    state.eagles[4] += min(number, box.EAGLES_IN_BOX - sum(state.eagles))


def shift_on_track(state: State, character: int, spaces: int) -> None:
    """Move a character who waits on the Fate track."""
    track = list(state.fate_space)
    track[character] = min(max(track[character] + spaces, 0), box.FATE_END)
    state.fate_space = tuple(track)

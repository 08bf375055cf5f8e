"""The board as JSON for screens: the game's own drawing, or a plain grid where it has none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from referee.drawing.signs import signs_of
from referee.hall.table import Table
from referee.kernel.at_table import board_of
from referee.kernel.board import Board
from referee.kernel.capabilities import ExplainsPieces
from referee.kernel.play import Game
from web.words import name_of

CELL = 260.0
GAP = 30.0


def game_board_json(game: Game[Any], options: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The drawing of a game that is not running; without places where it has none."""
    drawn = board_of(game, options)
    if drawn is not None:
        return drawn_json(drawn, game, language)
    return {**_grid(game, [], language), **signs_of(game)}


def drawn_json(board: Board, game: Game[Any], language: str) -> dict[str, Any]:
    """A drawing of a board of ``game``, with what its pieces look like."""
    return {**_drawn(board, language), **signs_of(game)}


def board_json(table: Table, language: str) -> dict[str, Any]:
    """Width, height, places with names in ``language``, lines."""
    game = table.play.game
    if table.board is not None:
        data = _drawn(table.board, language)
    else:
        data = _grid(game, list(table.view(None, language).get("places", {})), language)
    # whether pieces and symbols say what they do when tapped
    explains = isinstance(game, ExplainsPieces)
    return {**data, **signs_of(game), "digest": digest_of(table), "explains": explains}


def digest_of(table: Table) -> str:
    """What names the board of ``table``: screens that show another one fetch it anew."""
    return table.board.digest if table.board is not None else str(table.header["game"])


def _drawn(board: Any, language: str) -> dict[str, Any]:
    data: dict[str, Any] = board.as_json()
    for key, place in data["places"].items():
        place["name"] = board.places[key].name(language)
        for names in ("name_de", "name_en", "more_names"):
            place.pop(names, None)
    return data


def _grid(game: Game[Any], places: list[str], language: str) -> dict[str, Any]:
    """Boxes in rows, for games without a drawing."""
    columns = max(1, math.ceil(math.sqrt(len(places) * 1.4)))
    found = {}
    for index, place in enumerate(places):
        x = GAP + (index % columns) * (CELL + GAP)
        y = GAP + (index // columns) * (CELL + GAP)
        found[place] = {
            "id": place,
            "name": name_of(game, place, language, "place"),
            "kind": "box",
            "terrain": "",
            "territory": "",
            "label": [x + CELL / 2, y + CELL / 2],
            "outline": [[x, y], [x + CELL, y], [x + CELL, y + CELL], [x, y + CELL]],
            "tags": [],
        }
    rows = max(1, math.ceil(len(places) / columns))
    return {
        "width": GAP + columns * (CELL + GAP),
        "height": GAP + rows * (CELL + GAP),
        "places": found,
        "lines": [],
        "territories": {},
    }

"""A game as it lies on one table: its board by the header's options, and the names that the board brings."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, TypeVar

from referee.kernel.board import Board
from referee.kernel.capabilities import CitesByOptions
from referee.kernel.errors import InvalidAnswer
from referee.kernel.fields import FieldsRead
from referee.kernel.messages import GivenMessages, Text, languages
from referee.kernel.odds import ODDS
from referee.kernel.play import Game
from referee.kernel.registry import load_game

S = TypeVar("S")


OPTIONS = frozenset({"board", "box", "edition", "house", ODDS, "position", "scenario", "seats", "setup"})
"""What options say of any game; not every game looks at each, and a game may have others that it looks at."""


def first_state(game: Game[S], options: Mapping[str, Any]) -> S:
    """The state before set-up.  Raises ``InvalidAnswer`` for an option that says nothing to ``game``."""
    read = FieldsRead(options)
    state = game.new_state(read)
    for name in read.unread():
        if name not in OPTIONS:
            raise InvalidAnswer(Text("kernel.no_such_option", option=name, game=game.id))
    return state


def board_of(game: Any, options: Mapping[str, Any]) -> Board | None:
    """The board that ``options`` ask for; None where the game has no drawing of one."""
    drawn = getattr(game, "board", None)
    board: Board | None = None if drawn is None else drawn(options)
    return board


def at_table(game: Game[Any], options: Mapping[str, Any]) -> Game[Any]:
    """``game`` with the names that the places of its board bring along, and the book that its options let it
    cite; itself where nothing is different."""
    if isinstance(game, CitesByOptions):
        catalogue = game.catalogue_of(options)
        if catalogue is not game.catalogue:
            game = copy.copy(game)
            game.catalogue = catalogue  # type: ignore[misc]
    board = board_of(game, options)
    if board is None:
        return game
    own: dict[str, dict[str, str]] = {language: {} for language in languages()}
    for key, place in board.places.items():
        for language in own:
            name = place.name(language)
            if name and game.messages.find(f"place.{key}", language) != name:
                own[language][f"place.{key}"] = name
    if not any(own.values()):
        return game
    named = copy.copy(game)
    named.messages = GivenMessages(own, game.messages)  # type: ignore[misc]
    return named


def layout_name(game: Any, options: Mapping[str, Any]) -> str:
    """Names what lies over the LEDs: the game where its board is the usual one, else that board too."""
    board, usual = board_of(game, options), board_of(game, {})
    if board is None or usual is None or board.layout_digest == usual.layout_digest:
        return str(game.id)
    return f"{game.id}-{board.layout_digest[:12]}"


def game_of(header: Mapping[str, Any]) -> Game[Any]:
    """The game of a record, as it lay on its table.  Raises ``InvalidAnswer`` where it is not installed."""
    return at_table(load_game(str(header["game"])), header["options"])

"""Which games there are: every package that offers an entry point in our group."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.play import Game

GROUP = "table_referee.games"

_registered: dict[str, Game[Any]] = {}


@cache
def game_ids() -> tuple[str, ...]:
    """The ids of all installed games, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)} | set(_registered)))


@cache
def load_game(game_id: str) -> Game[Any]:
    """The game of this id.  Raises :class:`InvalidAnswer` naming those that are there."""
    if game_id in _registered:
        return _registered[game_id]
    for point in entry_points(group=GROUP, name=game_id):
        game: Game[Any] = point.load()
        return game
    known = ", ".join(game_ids()) or "-"
    raise InvalidAnswer(
        Text("kernel.no_such_game", game_id=game_id, known=known),
    )


def register(game: Game[Any]) -> None:
    """Make a game known that no installed package offers: for tests and experiments, this process only."""
    _registered[game.id] = game
    load_game.cache_clear()
    game_ids.cache_clear()

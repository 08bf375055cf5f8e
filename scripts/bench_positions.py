"""Position files of all games under the laws of ``tests/game_laws.py``, on more games than the tests have.

rules.position_moments
    moments of random games written, read and written again
rules.position_shapes
    files with one value of another shape
rules.position_wrong
    moments that did not come back with the same file and the same next question, shapes that were not named
    with their line, and failures of the program (0)

``POSITION_GAMES=200`` in the environment tries so many games of each (20 otherwise).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from game_laws import every_moment_is_given_back_by_its_position_file as given_back
from game_laws import wrong_shapes_are_named_with_their_line as named

from referee.games.mountain_king.play.bots import options_of
from referee.kernel import positions
from referee.kernel.play import Play
from referee.kernel.registry import load_game

GAMES = {
    "five_armies": ({"setup": "suggested"}, {"setup": "ask"}),
    "war_of_the_ring": ({}, {"edition": "first"}),
    "battlelore": ({},),
    "mountain_king": tuple(options_of(seed) for seed in range(4)),
}
FIRST_SEED, MOST, TRIES = 800_000, 20, 40


def figures(games: int = 0) -> dict[str, float]:
    """All figures of this module; about two minutes."""
    found = dict.fromkeys(("moments", "shapes", "wrong"), 0)
    for name, ways in GAMES.items():
        game: Any = load_game(name)
        for seed in range(FIRST_SEED, FIRST_SEED + (games or int(os.environ.get("POSITION_GAMES", "20")))):
            options = ways[seed % len(ways)]
            try:
                found["moments"] += given_back(game, options, seed, 0.03, MOST, {})
                found["shapes"] += TRIES
                named(game, [_moment(game, options, seed)], Random(seed), TRIES)
            except AssertionError as error:
                found["wrong"] += 1
                print(f"FAILED {name}, seed {seed}: {str(error)[:2000]}", file=sys.stderr)
    return {f"rules.position_{key}": value for key, value in found.items()}


def _moment(game: Any, options: dict[str, Any], seed: int) -> str:
    """The position file of some moment of a random game."""
    rng = Random(seed)
    play: Play[Any] = Play(game, game.new_state(options), audit=False)
    stop = int(rng.random() * 900)
    while play.request is not None and play.answered < stop:
        play.answer(play.request.sample(rng))
    return positions.write(game, play)


if __name__ == "__main__":
    for key, value in figures().items():
        print(f"{key:36} {value:14.0f}")

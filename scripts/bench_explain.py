"""Whether ``explain`` says what the table would do, ``rules.explain_*``.

rules.explain_moves
    random written moves in positions of random games, over all games: legal ones, and illegal ones with
    another place, figure, count or die, or with words of another question; EXPLAIN_MOVES=2000 in the
    environment tries another number of each game
rules.explain_first_seed
    the seed of the first of them
rules.explain_wrong
    how many of them were answered wrongly: "allowed" unlike the table's own requests, by a reason whose
    rule is none of those by which these requests refuse that candidate, or with words left out
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module

from referee.games.kit.word_fuzzing import Found

GAMES = ("five_armies", "war_of_the_ring", "battlelore", "mountain_king")
FIRST_SEED = 500_000
CHUNK = 2500
"""Written moves of one seed."""


def figures(moves: int | None = None) -> dict[str, float]:
    """All figures of this module; about twenty minutes on two cores."""
    number = int(os.environ.get("EXPLAIN_MOVES", "100000")) if moves is None else moves
    parts = [min(CHUNK, number - at) for at in range(0, number, CHUNK)]
    with ProcessPoolExecutor() as pool:
        started = [
            pool.submit(_tried, game, FIRST_SEED + n, part) for game in GAMES for n, part in enumerate(parts)
        ]
        found = [one.result() for one in started]
    for examples in (kind for one in found for kind in one.examples.values()):
        print("\n".join(examples[:3]), file=sys.stderr)
    return {
        "rules.explain_moves": sum(one.tried for one in found),
        "rules.explain_first_seed": FIRST_SEED,
        "rules.explain_wrong": sum(one.wrong_answers for one in found),
    }


def _tried(game: str, seed: int, moves: int) -> Found:
    """What came of the written moves of one seed, in a process of its own."""
    found: Found = import_module(f"referee.games.{game}.play.fuzz").explained(seed, moves)
    return found

"""Figures of the rules of Five Armies, ``rules.*``; what each means: :mod:`measuring`.

rules.fuzz_games, rules.fuzz_first_seed, rules.fuzz_failures
    whole games of random and eager players, audited after every answer, how many of them failed;
    FIVE_ARMIES_FUZZ=20000 in the environment plays the 20,000 from seed 200000 on, without a failure so far
"""

from __future__ import annotations

import os

from measuring import Measured

from referee.games.five_armies.game import GAME
from referee.games.five_armies.play.bots import eager, play_random
from referee.games.five_armies.play.fuzz import fuzz

FIRST_FUZZ_SEED = 200_000
_OPTIONS = {"setup": "suggested"}


def figures(games: int = 150) -> dict[str, float]:
    """All figures of this module; about a minute."""
    measured = Measured(GAME, play_random, eager, _OPTIONS, "rules.")
    measured.bare(games)
    measured.audited(max(1, games // 3))
    measured.latencies(max(1, games // 15))
    measured.replayed(max(1, games // 15))
    measured.recorded(200 * games)  # a whole game, where more than a taste is wanted
    measured.fuzzed(fuzz, FIRST_FUZZ_SEED, int(os.environ.get("FIVE_ARMIES_FUZZ", "1000")))
    return measured.found


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:36} {value:14.2f}")

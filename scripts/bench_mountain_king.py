"""Figures of the rules of Fall of the Mountain King, ``rules.mountain_king_*``; see :mod:`measuring`.

rules.mountain_king_decisions_per_s and the others are those of games of two to five seats in turn.
rules.mountain_king_groups_ms
    listing every group of all four actions with its strength, in the ancestries at the end of wave III,
    uncovered: the 95th percentile over the seats of 60 games
rules.mountain_king_groups_most
    the most groups that one of these ancestries had
rules.mountain_king_fuzz_games, rules.mountain_king_fuzz_first_seed, rules.mountain_king_fuzz_failures
    whole games of random and eager players, audited after every answer, and how many of them failed;
    MOUNTAIN_KING_FUZZ=5000 in the environment plays more
"""

from __future__ import annotations

import os
import time

from measuring import Measured

from referee.games.kit.places import places_in
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import eager, play_random
from referee.games.mountain_king.play.fuzz import fuzz
from referee.games.mountain_king.rules.actions import all_groups

FIRST_FUZZ_SEED = 100_000
PREFIX = "rules.mountain_king_"


def figures(games: int = 200) -> dict[str, float]:
    """All figures of this module; about a minute."""
    measured = Measured(GAME, play_random, eager, {}, PREFIX)
    measured.bare(games)
    measured.audited(max(1, games // 8))
    measured.latencies(max(1, games // 40))
    measured.recorded(2 * games)
    measured.found |= _groups(60)
    measured.fuzzed(fuzz, FIRST_FUZZ_SEED, int(os.environ.get("MOUNTAIN_KING_FUZZ", "200")))
    return measured.found


def _groups(games: int) -> dict[str, float]:
    """How long all groups of a full ancestry take."""
    times, most = [], 0
    for seed in range(5000, 5000 + games):
        state = play_random(seed, audit=False, keep=False, checked=False).play.state
        for seat in places_in(state.seats):
            state.covered[seat] = 0
            began = time.perf_counter()
            found = all_groups(state, seat)
            times.append((time.perf_counter() - began) * 1e3)
            most = max(most, sum(map(len, found.values())))
    times.sort()
    return {PREFIX + "groups_ms": times[len(times) * 95 // 100], PREFIX + "groups_most": float(most)}


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:44} {value:14.2f}")

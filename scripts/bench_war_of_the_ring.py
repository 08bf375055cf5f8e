"""Figures of the rules of War of the Ring, ``rules.wotr_*``; what each means: :mod:`measuring`.

rules.wotr_actions_per_s
    action dice used (for whatever they were used) in bare random games: what other engines call an action
rules.wotr_fuzz_games, rules.wotr_fuzz_first_seed, rules.wotr_fuzz_failures
    whole games of random and eager players in both editions, audited after every answer, how many of
    them failed; WAR_OF_THE_RING_FUZZ=5000 in the environment plays more
"""

from __future__ import annotations

import os
import time
from random import Random

from measuring import Measured

from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.play.bots import eager, play_random
from referee.games.war_of_the_ring.play.fuzz import fuzz
from referee.kernel.play import Play

FIRST_FUZZ_SEED = 100_000
PREFIX = "rules.wotr_"


def figures(games: int = 60) -> dict[str, float]:
    """All figures of this module; about two minutes."""
    measured = Measured(GAME, play_random, eager, {}, PREFIX)
    measured.bare(games)
    measured.audited(max(1, games // 4))
    measured.latencies(max(1, games // 20))
    measured.replayed(max(1, games // 10))
    measured.recorded(200 * games)  # a whole game, where more than a taste is wanted
    measured.found[PREFIX + "actions_per_s"] = _actions_per_s(max(1, games // 3))
    measured.fuzzed(fuzz, FIRST_FUZZ_SEED, int(os.environ.get("WAR_OF_THE_RING_FUZZ", "200")))
    return measured.found


def _actions_per_s(games: int) -> float:
    """Actions a second of bare random play."""
    actions = 0
    began = time.process_time()
    for seed in range(4000, 4000 + games):
        rng = Random(seed)
        play = Play(GAME, GAME.new_state({}), audit=False, keep=False)
        while (request := play.request) is not None:
            actions += request.prompt == "prompt.choose_action"
            play.answer_unchecked(request.sample(rng))
    return actions / (time.process_time() - began)


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:36} {value:14.2f}")

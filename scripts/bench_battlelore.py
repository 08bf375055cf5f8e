"""Figures of the rules of BattleLore, ``rules.battlelore_*``; what each means: :mod:`measuring`.

rules.battlelore_targets_ms
    listing the targets of all units on the board with their lines of sight: the mean over positions of random
    battles, by the process's own time
rules.battlelore_targets_cold_ms
    the same in a process that has traced no line yet
rules.battlelore_fuzz_games, rules.battlelore_fuzz_first_seed, rules.battlelore_fuzz_failures
    whole battles of random and eager players over all that are shipped, audited after every answer, how many
    failed; BATTLELORE_FUZZ=20000 in the environment plays more
"""

from __future__ import annotations

import os
import time
from random import Random

from measuring import Measured

from referee.games.battlelore.box.scenario import shipped
from referee.games.battlelore.game import GAME
from referee.games.battlelore.play.bots import eager, play_random
from referee.games.battlelore.play.fuzz import fuzz
from referee.games.battlelore.rules import targeting
from referee.games.battlelore.state.state import State
from referee.games.kit.places import places_in
from referee.kernel.play import Play

FIRST_FUZZ_SEED = 100_000
PREFIX = "rules.battlelore_"


def figures(games: int = 60) -> dict[str, float]:
    """All figures of this module; about two minutes."""
    found = _targets_ms(max(1, games // 10))
    measured = Measured(GAME, play_random, eager, {}, PREFIX)
    measured.found.update(found)
    measured.bare(games)
    measured.audited(max(1, games // 4))
    measured.latencies(max(1, games // 20))
    measured.replayed(max(1, games // 10))
    measured.recorded(200 * games)
    measured.fuzzed(fuzz, FIRST_FUZZ_SEED, int(os.environ.get("BATTLELORE_FUZZ", "200")))
    return measured.found


def positions(games: int) -> list[State]:
    """Every fortieth position of random battles, all that are shipped in turn."""
    found = []
    for seed in range(games):
        rng = Random(seed)
        options = {"scenario": shipped()[seed % len(shipped())]}
        play = Play(GAME, GAME.new_state(options), audit=False, keep=False)
        while (request := play.request) is not None and play.answered < 1_000:
            if play.answered % 40 == 0 and play.state.phase:
                found.append(GAME.copy(play.state))
            play.answer_unchecked(request.sample(rng))
    return found


def list_targets(state: State) -> int:
    """Targets of every unit on the board; how many there are."""
    units = (state.unit_at[place] for seat in (0, 1) for place in places_in(state.stand[seat]))
    return sum(targeting.targets(state, unit).bit_count() for unit in units)


def _targets_ms(games: int) -> dict[str, float]:
    states = positions(games)
    targeting.SIGHTS.clear()
    began = time.process_time()
    list_targets(states[0])
    cold = time.process_time() - began
    for state in states:
        list_targets(state)
    began = time.process_time()
    for state in states:
        list_targets(state)
    warm = time.process_time() - began
    return {PREFIX + "targets_ms": warm / len(states) * 1e3, PREFIX + "targets_cold_ms": cold * 1e3}


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:40} {value:14.2f}")

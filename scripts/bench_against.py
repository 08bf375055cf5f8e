"""Rules and copies beside those of an older commit: ``python scripts/bench_against.py COMMIT [--rounds N]``.

The commit is laid beside the tree (``git archive``, in a folder that goes
afterwards).  Both are measured in processes of their own, in turns, so that
what else the machine does falls on both; of each the best round counts.  For
each game it prints decisions a second (random games, bare), audited answers a
second and copies of a state a second, then and now, and now divided by then.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).parents[1]
GAMES = ("five_armies", "war_of_the_ring")
MEASURE = '''
import json, sys, time
from random import Random
from referee.kernel.play import Play
from referee.kernel.registry import load_game

def walk(game, seed, answers, audit):
    """CPU seconds and decisions of random games with so many answers."""
    rng, decisions, given = Random(seed), 0, 0
    began = time.process_time()
    while given < answers:
        play = Play(game, game.new_state({"setup": "suggested"}), audit=audit, keep=False)
        while (request := play.request) is not None and given < answers:
            decisions += not request.is_chance and not request.is_forced()
            play.answer_unchecked(request.sample(rng))
            given += 1
    return time.process_time() - began, decisions

def states_of(game, seed, answers):
    """Every twentieth state of a random game."""
    rng, states = Random(seed), []
    play = Play(game, game.new_state({"setup": "suggested"}), audit=False, keep=False)
    while (request := play.request) is not None and play.answered < answers:
        if play.answered % 20 == 0:
            states.append(game.copy(play.state))
        play.answer_unchecked(request.sample(rng))
    return states

def copies(game, states, rounds=40):
    """Copies a second."""
    began = time.process_time()
    for _ in range(rounds):
        for state in states:
            game.copy(state)
    return rounds * len(states) / (time.process_time() - began)

found = {}
for name in sys.argv[1:]:
    game = load_game(name)
    walk(game, 1, 500, False)
    spent, decisions = walk(game, 2, 12000, False)
    found[name + " decisions/s"] = decisions / spent
    found[name + " audited answers/s"] = 4000 / walk(game, 3, 4000, True)[0]
    found[name + " copies/s"] = copies(game, states_of(game, 4, 2000))
print(json.dumps(found))
'''


def laid_out(commit: str, folder: Path) -> None:
    """The engine of a commit in a folder."""
    packed = subprocess.run(
        ["git", "archive", commit, "referee"], cwd=TREE, check=True, capture_output=True
    ).stdout
    # by the system's tar: Debian 12's Python does not know the filter that newer ones ask for
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)


def measured(tree: Path) -> dict[str, float]:
    """The figures of one tree, measured once by a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, *GAMES],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
        text=True,
    )
    figures: dict[str, float] = json.loads(run.stdout)
    return figures


def best(commit: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Each figure, then and now: the best of some rounds."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-against-") as folder:
        old = Path(folder)
        laid_out(commit, old)
        for _ in range(rounds):
            then, now = measured(old), measured(TREE)
            for name in now:
                before = found.get(name, (0.0, 0.0))
                found[name] = (max(before[0], then[name]), max(before[1], now[name]))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    print(f"{'':36} {asked.commit[:10]:>12} {'now':>12} {'ratio':>6}")
    for name, (then, now) in best(asked.commit, asked.rounds).items():
        print(f"{name:36} {then:12.0f} {now:12.0f} {now / then:6.2f}")


if __name__ == "__main__":
    main()

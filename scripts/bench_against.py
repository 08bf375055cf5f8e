"""Rules and copies beside those of an older commit: ``python scripts/bench_against.py COMMIT [--rounds N]``.
With ``--paint``: from a tap to the next paint, beside that of an older commit.

The commit is laid beside the tree (``git archive``, in a folder that goes
afterwards).  Both are measured in processes of their own, in turns, so that
what else the machine does falls on both; of each the best round counts.  For
each game it prints decisions a second (random games, bare), audited answers a
second and copies of a state a second, then and now, and now divided by then.

``--paint`` prints the slowed-down plays of ``bench_paint`` instead (``web.paint_4x_ms_p98`` and its like, in
milliseconds), each commit's own play by its own script, with packages of its own; six minutes a round.  What
a tap takes in milliseconds depends on the machine and the hour, the ratio less so.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).parents[1]
GAMES = ("five_armies", "war_of_the_ring")
BOARDS = {"": ("five_armies", 0), "wotr_": ("war_of_the_ring", 1), "wide_": ("wide", 0)}
"""Game and seat of each slowed-down play, as ``bench_paint`` has them."""
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


PAINT = """
import json, sys, tempfile
from pathlib import Path
sys.path.insert(0, "scripts")
import bench_paint
board, game, seat = sys.argv[1], sys.argv[2], int(sys.argv[3])
with tempfile.TemporaryDirectory() as folder:
    found = bench_paint._measured(Path(folder) / "play", game, 4, bench_paint.TAPS, seated=seat)
shares = {f"p{round(100 * part)}": bench_paint.share(found.paint, part) for part in (0.5, 0.98)}
print(json.dumps({f"web.{board}paint_4x_ms_{name}": value for name, value in shares.items()}))
"""


def laid_out(commit: str, folder: Path, *parts: str) -> None:
    """A commit, or parts of it, in a folder."""
    packed = subprocess.run(
        ["git", "archive", commit, *parts], cwd=TREE, check=True, capture_output=True
    ).stdout
    # by the system's tar: Debian 12's Python does not know the filter that newer ones ask for
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)


def measured(tree: Path, python: str, *script: str) -> dict[str, float]:
    """The figures that a script prints of one tree, in a process of its own."""
    run = subprocess.run(
        [python, "-c", *script],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    figures: dict[str, float] = json.loads(run.stdout)
    return figures


def equipped(tree: Path) -> str:
    """A Python with the packages that a tree needs."""
    subprocess.run([sys.executable, "-m", "venv", ".venv"], cwd=tree, check=True)
    python = str(tree / ".venv" / "bin" / "python")
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", ".[test]"]
    subprocess.run([python, *install], cwd=tree, check=True)
    return python


def painted(commit: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Milliseconds from a tap to the next paint, then and now: the best of some rounds."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-against-") as folder:
        old = Path(folder)
        laid_out(commit, old)
        python = equipped(old)
        for _ in range(rounds):
            for board, (game, seat) in BOARDS.items():
                play = PAINT, board, game, str(seat)
                then, now = measured(old, python, *play), measured(TREE, sys.executable, *play)
                for name in now:
                    before = found.get(name, (math.inf, math.inf))
                    found[name] = (min(before[0], then[name]), min(before[1], now[name]))
    return found


def best(commit: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Each figure, then and now: the best of some rounds."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-against-") as folder:
        old = Path(folder)
        laid_out(commit, old, "referee")
        for _ in range(rounds):
            then, now = (measured(tree, sys.executable, MEASURE, *GAMES) for tree in (old, TREE))
            for name in now:
                before = found.get(name, (0.0, 0.0))
                found[name] = (max(before[0], then[name]), max(before[1], now[name]))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--rounds", type=int, help="5, with --paint 2")
    parser.add_argument("--paint", action="store_true", help="from a tap to the next paint")
    asked = parser.parse_args()
    found = painted(asked.commit, asked.rounds or 2) if asked.paint else best(asked.commit, asked.rounds or 5)
    print(f"{'':36} {asked.commit[:10]:>12} {'now':>12} {'ratio':>6}")
    for name, (then, now) in found.items():
        print(f"{name:36} {then:12.0f} {now:12.0f} {now / then:6.2f}")


if __name__ == "__main__":
    main()

"""Whole games of Fall of the Mountain King on boards that were captured from drawn photographs, audited.

``python scripts/fuzz_captured.py [--games N] [--boards B] [--first SEED] [--json]`` draws ``B`` boards, has
each captured as its owner would (``tests/calibration/capturing.py``), and plays ``N`` random games with each
number of seats from two to five, board by board in turn.  It exits 0 only where no game failed or came to a
dead end.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "calibration"))

from capturing import Owner

from referee.games.kit.bots import Played
from referee.games.kit.fuzzing import NOBODY, play_seeds
from referee.games.mountain_king.box.components import SEATS
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import play_random
from referee.games.mountain_king.state.state import State
from vision.virtual.area_boards import SEEN, Wear, draw_board

FORM = GAME.capture_forms()[0]


def captured(number: int) -> dict[str, Any]:
    """A board's data, as its owner captured it from a worn board's photograph."""
    for seed in range(100 * number, 100 * number + 100):
        board = draw_board(seed, SEEN[number % len(SEEN)], wear=Wear())
        owner = Owner(board, FORM, board.photo)
        owner.capture_a_mountain((2, 3, 4, 5))
        if not owner.capture.troubles(GAME):
            return GAME.captured(FORM.id, owner.capture.drawing())
    raise LookupError(f"no board of a hundred was captured: {number}")


@click.command(help="Play whole games on captured boards, audited after every answer.")
@click.option("--games", default=5_000, show_default=True, help="How many games with each number of seats.")
@click.option("--boards", default=10, show_default=True, help="How many boards.")
@click.option("--first", default=0, show_default=True, help="The first seed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(games: int, boards: int, first: int, as_json: bool) -> None:
    """Play and tell."""
    sides = [captured(number) for number in range(boards)]
    told, failed = {}, False
    for seats in range(2, len(SEATS) + 1):

        def play(seed: int, seats: int) -> Played[State]:
            options = {"board": sides[seed % len(sides)], "seats": SEATS[:seats]}
            eager = seed // len(sides) % 2  # of each board's games every second
            return play_random(seed, options=options, seats={SEATS[0]: "eager"} if eager else {})

        found = play_seeds(first, games, partial(play, seats=seats), lambda seed: f"board {seed % boards}")
        told[seats] = {"games": found.games, "decisions": found.decisions, "failures": found.failures}
        failed = failed or bool(found.failures) or bool(found.outcomes[NOBODY])
        if not as_json:
            click.echo(
                f"{seats} seats: {found.games} games, {found.decisions} decisions in {found.seconds:.0f} s"
            )
            for failure in found.failures:
                click.echo(f"FAILED {failure}")
    if as_json:
        click.echo(json.dumps(told))
    raise SystemExit(failed)


if __name__ == "__main__":
    main()

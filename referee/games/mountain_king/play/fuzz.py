"""Whole games of two to five computer players with every invariant audited after every answer.

``python -m referee.games.mountain_king.play.fuzz [--games N] [--first SEED] [--json]`` exits 0 only where no
game failed, ran away or came to a dead end.  A failure is shown with its seed and players;
:func:`bots.play_random` with the same plays it again.
"""

from __future__ import annotations

from functools import partial

from referee.games.kit.bots import Played
from referee.games.kit.fuzzing import Fuzzed, Tell, command, play_seeds
from referee.games.kit.word_fuzzing import fuzz_words
from referee.games.mountain_king.box.components import SEATS
from referee.games.mountain_king.play.bots import eager, options_of, play_random
from referee.games.mountain_king.state.state import State


def _players(seed: int) -> dict[str, str]:
    """Half of the games, of each number of seats, with eager players on every second seat."""
    return {seat: "eager" for seat in SEATS[::2]} if seed // 4 % 2 else {}


def _play(seed: int) -> Played[State]:
    return play_random(seed, seats=_players(seed))


def _called(seed: int) -> str:
    return f"{len(options_of(seed)['seats'])} seats, {'half eager' if _players(seed) else 'random'}"


def fuzz(first: int, games: int, tell: Tell | None = None) -> Fuzzed:
    """Play ``games`` games from seed ``first`` on; ``tell`` hears of it after each."""
    return play_seeds(first, games, _play, _called, tell)


explained = partial(
    fuzz_words, "mountain_king", options=lambda rng: options_of(rng.randrange(4)), player=eager
)
"""Random written moves, held against the table's own requests: ``explained(seed, moves)``."""
main = command("Fall of the Mountain King", fuzz, games=5_000, tell_every=250)

if __name__ == "__main__":
    main()

"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.five_armies.play.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed and players; :func:`five_armies.bots.play_random` with the
same plays it again.
"""

from __future__ import annotations

from referee.games.five_armies.play.bots import play_random
from referee.games.five_armies.state.state import State
from referee.games.kit.bots import Played
from referee.games.kit.fuzzing import MIXES, Fuzzed, Tell, command, play_seeds


def _players(seed: int) -> tuple[str, str]:
    return MIXES[seed % len(MIXES)]


def _play(seed: int) -> Played[State]:
    free, shadow = _players(seed)
    return play_random(seed, free=free, shadow=shadow)


def fuzz(first: int, games: int, tell: Tell | None = None) -> Fuzzed:
    """Play ``games`` games from seed ``first`` on; ``tell`` hears of it after each."""
    return play_seeds(first, games, _play, lambda seed: " against ".join(_players(seed)), tell)


main = command("Five Armies", fuzz, games=20_000, tell_every=500)

if __name__ == "__main__":
    main()

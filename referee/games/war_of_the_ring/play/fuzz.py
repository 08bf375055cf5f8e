"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.war_of_the_ring.play.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed, edition and players; :func:`war_of_the_ring.bots.play_random`
with the same plays it again.
"""

from __future__ import annotations

from referee.games.kit.bots import Played
from referee.games.kit.fuzzing import MIXES, Fuzzed, Tell, command, play_seeds
from referee.games.war_of_the_ring.play.bots import play_random
from referee.games.war_of_the_ring.state.state import State

EDITIONS_PLAYED = ("second", "second", "first")
"""Every third group of four seeds plays the first edition."""


def _players(seed: int) -> tuple[str, str]:
    return MIXES[seed % len(MIXES)]


def _edition(seed: int) -> str:
    return EDITIONS_PLAYED[seed // len(MIXES) % len(EDITIONS_PLAYED)]


def _play(seed: int) -> Played[State]:
    free, shadow = _players(seed)
    return play_random(seed, free=free, shadow=shadow, options={"edition": _edition(seed)})


def _called(seed: int) -> str:
    return f"{_edition(seed)} edition, {' against '.join(_players(seed))}"


def fuzz(first: int, games: int, tell: Tell | None = None) -> Fuzzed:
    """Play ``games`` games from seed ``first`` on; ``tell`` hears of it after each."""
    return play_seeds(first, games, _play, _called, tell)


main = command("War of the Ring", fuzz, games=5_000, tell_every=100)

if __name__ == "__main__":
    main()

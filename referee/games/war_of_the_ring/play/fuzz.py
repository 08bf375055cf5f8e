"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.war_of_the_ring.play.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed, edition and players; :func:`bots.play_random`
with the same plays it again.
"""

from __future__ import annotations

from functools import partial

from referee.games.kit.fuzzing import MIXES, command, mixed
from referee.games.kit.word_fuzzing import fuzz_words
from referee.games.war_of_the_ring.play.bots import eager, play_random

EDITIONS_PLAYED = ("second", "second", "first")
"""Every third group of four seeds plays the first edition."""


def _edition(seed: int) -> str:
    return EDITIONS_PLAYED[seed // len(MIXES) % len(EDITIONS_PLAYED)]


fuzz = mixed(
    lambda seed, **how: play_random(seed, **how),
    options=lambda seed: {"edition": _edition(seed)},
    prefix=lambda seed: f"{_edition(seed)} edition, ",
)
explained = partial(
    fuzz_words,
    "war_of_the_ring",
    options=lambda rng: {"edition": rng.choice(EDITIONS_PLAYED)},
    player=eager,
)
"""Random written moves, held against the table's own requests: ``explained(seed, moves)``."""
main = command("War of the Ring", fuzz, games=5_000, tell_every=100)

if __name__ == "__main__":
    main()

"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.five_armies.play.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed and players; :func:`bots.play_random` with the same plays it again.
"""

from __future__ import annotations

from functools import partial

from referee.games.five_armies.play.bots import eager, play_random
from referee.games.kit.fuzzing import MIXES, command, mixed
from referee.games.kit.word_fuzzing import fuzz_words

fuzz = mixed(lambda seed, **how: play_random(seed, **how), MIXES)
explained = partial(fuzz_words, "five_armies", options=lambda rng: {"setup": "suggested"}, player=eager)
"""Random written moves, held against the table's own requests: ``explained(seed, moves)``."""
main = command("Five Armies", fuzz, games=20_000, tell_every=500)

if __name__ == "__main__":
    main()

"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.five_armies.play.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed and players; :func:`bots.play_random` with the same plays it again.
"""

from __future__ import annotations

from referee.games.five_armies.play.bots import play_random
from referee.games.kit.fuzzing import MIXES, command, mixed

fuzz = mixed(lambda seed, **how: play_random(seed, **how), MIXES)
main = command("Five Armies", fuzz, games=20_000, tell_every=500)

if __name__ == "__main__":
    main()

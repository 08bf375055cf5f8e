"""Whole games by computer players with every invariant audited after every answer.

``python -m referee.games.war_of_the_ring.fuzz [--games N] [--first SEED] [--json]``
exits 0 only where no game failed, ran away or came to a dead end.  A failure is
shown with its seed and players; :func:`war_of_the_ring.bots.play_random` with the
same plays it again.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from referee.games.war_of_the_ring.bots import play_random
from referee.kernel.errors import AuditFailed, RefereeError

MIXES = (("random", "random"), ("random", "eager"), ("eager", "eager"), ("eager", "random"))
"""Players of the Free Peoples and of the Shadow; seed by seed in turn."""
EDITIONS_PLAYED = ("second", "second", "first")
"""Every third group of four seeds plays the first edition."""
FAILURES = (AuditFailed, RefereeError, RuntimeError, LookupError, ArithmeticError, TypeError, AssertionError)
"""What a bug in the rules shows as; a failing game is noted and the next one played."""


@dataclass(slots=True)
class Fuzzed:
    """What came of some games: how each ended, the failures with their seeds, the longest game."""

    first: int
    games: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    decisions: int = 0
    longest: int = 0
    longest_seed: int = 0
    seconds: float = 0.0


def fuzz(first: int, games: int, tell: Callable[[Fuzzed], None] | None = None) -> Fuzzed:
    """Play ``games`` games from seed ``first`` on; ``tell`` hears of it after each."""
    found = Fuzzed(first)
    began = time.perf_counter()
    for seed in range(first, first + games):
        free, shadow = MIXES[seed % len(MIXES)]
        edition = EDITIONS_PLAYED[seed // len(MIXES) % len(EDITIONS_PLAYED)]
        found.games += 1
        try:
            played = play_random(seed, free=free, shadow=shadow, options={"edition": edition})
        except FAILURES as error:
            found.failures.append(
                f"seed {seed}, {edition} edition, {free} against {shadow}: {type(error).__name__}: {error}"
            )
        else:
            outcome = played.play.outcome
            found.outcomes[outcome.rule if outcome else "nobody has won"] += 1
            found.decisions += played.decisions
            if played.play.answered > found.longest:
                found.longest, found.longest_seed = played.play.answered, seed
        found.seconds = time.perf_counter() - began
        if tell is not None:
            tell(found)
    return found


@click.command()
@click.option("--games", default=5_000, show_default=True, help="How many games.")
@click.option("--first", default=0, show_default=True, help="The first seed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(games: int, first: int, as_json: bool) -> None:
    """Play whole games of War of the Ring by computer players, audited after every answer."""

    def tell(found: Fuzzed) -> None:
        if found.games % 100 == 0:
            click.echo(f"{found.games} games, {len(found.failures)} failed", err=True)

    found = fuzz(first, games, tell)
    if as_json:
        click.echo(json.dumps({name: getattr(found, name) for name in Fuzzed.__slots__}))
    else:
        click.echo(
            f"{found.games} games from seed {first} in {found.seconds:.0f} s, {found.decisions} decisions"
        )
        click.echo(f"longest: {found.longest} answers (seed {found.longest_seed})")
        for rule, number in found.outcomes.most_common():
            click.echo(f"  {number:>7}  {rule}")
        for failure in found.failures:
            click.echo(f"FAILED {failure}")
    raise SystemExit(1 if found.failures or found.outcomes["nobody has won"] else 0)


if __name__ == "__main__":
    main()

"""Whole games by computer players with every invariant audited after every answer.

A game's ``fuzz.py`` says how a seed is played; what is counted and told, and the
command, are the same for all.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import click

from referee.games.kit.bots import Played
from referee.kernel.errors import AuditFailed, RefereeError
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice
from referee.kernel.together import ChooseInSteps

MIXES = (("random", "random"), ("random", "eager"), ("eager", "eager"), ("eager", "random"))
"""Players of the first seat and of the second; seed by seed in turn."""
FAILURES = (AuditFailed, RefereeError, RuntimeError, LookupError, ArithmeticError, TypeError, AssertionError)
"""What a bug in the rules shows as; a failing game is noted and the next one played."""
NOBODY = "nobody has won"


def steps_of(request: ChooseInSteps, rng: Random) -> Iterator[Request]:
    """The questions of a choice in steps, each answered by drawing."""
    values: list[Any] = []
    while (step := request.following(values)) is not None:
        yield step
        values.append(step.sample(rng))


def has_an_answer(request: Request, rng: Random) -> bool:
    """Whether a request can be answered: with an option, by drawing, and as it proposes itself."""
    if isinstance(request, ChooseSecretly):
        return all(has_an_answer(own, rng) for own in request.of.values())
    if isinstance(request, ChooseInSteps):
        return all(has_an_answer(step, rng) for step in steps_of(request, rng))
    if isinstance(request, ChooseOne):
        return bool(request.options)
    if isinstance(request, ChooseSome):
        proposed = () if request.default is None else (request.default,)
        return all(request.why_not(counts) is None for counts in (*proposed, request.sample(rng)))
    return isinstance(request, RollDice) and any(request.dice.values())


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


Tell = Callable[[Fuzzed], None]


def play_seeds(
    first: int,
    games: int,
    play: Callable[[int], Played[Any]],
    called: Callable[[int], str],
    tell: Tell | None = None,
) -> Fuzzed:
    """Play ``games`` games from seed ``first`` on.

    ``play`` plays a seed; ``called`` names what was played, for a failure's
    message; ``tell`` hears of it after each game.
    """
    found = Fuzzed(first)
    began = time.perf_counter()
    for seed in range(first, first + games):
        found.games += 1
        try:
            played = play(seed)
        except FAILURES as error:
            found.failures.append(f"seed {seed}, {called(seed)}: {type(error).__name__}: {error}")
        else:
            outcome = played.play.outcome
            found.outcomes[outcome.rule if outcome else NOBODY] += 1
            found.decisions += played.decisions
            if played.play.answered > found.longest:
                found.longest, found.longest_seed = played.play.answered, seed
        found.seconds = time.perf_counter() - began
        if tell is not None:
            tell(found)
    return found


def mixed(
    play: Callable[..., Played[Any]],
    mixes: Sequence[tuple[str, str]] = MIXES,
    options: Callable[[int], Mapping[str, Any] | None] = lambda seed: None,
    prefix: Callable[[int], str] = lambda seed: "",
) -> Callable[[int, int, Tell | None], Fuzzed]:
    """The fuzzing of a two-sided game.

    ``play`` takes a seed, the players of ``free`` and ``shadow`` (the ``mixes`` in
    turn) and ``options``; ``prefix`` tells a seed's options in front of its players.
    """

    def play_seed(seed: int) -> Played[Any]:
        free, shadow = mixes[seed % len(mixes)]
        return play(seed, free=free, shadow=shadow, options=options(seed))

    def called(seed: int) -> str:
        return prefix(seed) + " against ".join(mixes[seed % len(mixes)])

    def fuzz(first: int, games: int, tell: Tell | None = None) -> Fuzzed:
        """Play ``games`` games from seed ``first`` on; ``tell`` hears of it after each."""
        return play_seeds(first, games, play_seed, called, tell)

    return fuzz


def command(
    title: str, fuzz: Callable[[int, int, Tell | None], Fuzzed], *, games: int, tell_every: int
) -> click.Command:
    """The command ``fuzz [--games N] [--first SEED] [--json]`` of a game.

    It exits 0 only where no game failed, ran away or came to a dead end.
    ``games`` are played unless another number is given.
    """

    @click.command(help=f"Play whole games of {title} by computer players, audited after every answer.")
    @click.option("--games", default=games, show_default=True, help="How many games.")
    @click.option("--first", default=0, show_default=True, help="The first seed.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def main(games: int, first: int, as_json: bool) -> None:
        def tell(found: Fuzzed) -> None:
            if found.games % tell_every == 0:
                click.echo(f"{found.games} games, {len(found.failures)} failed", err=True)

        found = fuzz(first, games, tell)
        click.echo(_as_json(found) if as_json else _as_text(found))
        raise SystemExit(1 if found.failures or found.outcomes[NOBODY] else 0)

    return main


def _as_json(found: Fuzzed) -> str:
    return json.dumps({name: getattr(found, name) for name in Fuzzed.__slots__})


def _as_text(found: Fuzzed) -> str:
    lines = [
        f"{found.games} games from seed {found.first} in {found.seconds:.0f} s, {found.decisions} decisions",
        f"longest: {found.longest} answers (seed {found.longest_seed})",
    ]
    lines += [f"  {number:>7}  {rule}" for rule, number in found.outcomes.most_common()]
    lines += [f"FAILED {failure}" for failure in found.failures]
    return "\n".join(lines)

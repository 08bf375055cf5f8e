"""Whole battles by computer players with every invariant audited after every answer.

``python -m referee.games.battlelore.play.fuzz [--games N] [--first SEED] [--json]`` exits 0 only where no
battle failed, ran away or came to a dead end.  All battles that are shipped are played in turn, and after
each round of them as many of the editor's battles by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.games.battlelore.box.house import HOUSE_RULES
from referee.games.battlelore.box.scenario import shipped
from referee.games.battlelore.play.bots import eager, play_random
from referee.games.battlelore.position.battles import BATTLES
from referee.games.kit.bots import Played
from referee.games.kit.fuzzing import MIXES, Fuzzed, Tell, command, play_seeds
from referee.games.kit.word_fuzzing import fuzz_words


def options_of(seed: int) -> Mapping[str, Any]:
    """The battles in turn; every fourth by the other house rules."""
    battles = shipped()
    house = {rule: ways[-1] for rule, ways in HOUSE_RULES.items()} if seed % 4 == 3 else {}
    return {"scenario": battles[seed % len(battles)], **({"house": house} if house else {})}


def battle_of(seed: int) -> Mapping[str, Any]:
    """A shipped battle, or one by chance, each by the usual and by the other house rules."""
    battles = len(shipped())
    if seed % (2 * battles) < battles:
        return options_of(seed)
    return {**options_of(seed), "scenario": BATTLES.write(BATTLES.random(seed))}


def _called(seed: int) -> str:
    scenario = str(battle_of(seed)["scenario"])
    return "a battle by chance" if "\n" in scenario else scenario


def _play(seed: int) -> Played[Any]:
    south, north = MIXES[seed // len(shipped()) % len(MIXES)]
    return play_random(seed, options=battle_of(seed), south=south, north=north)


def fuzz(first: int, games: int, tell: Tell | None = None) -> Fuzzed:
    """Play ``games`` battles from seed ``first`` on; ``tell`` hears of it after each."""
    return play_seeds(first, games, _play, _called, tell)


explained = partial(
    fuzz_words, "battlelore", options=lambda rng: options_of(rng.randrange(4 * len(shipped()))), player=eager
)
"""Random written moves, held against the table's own requests: ``explained(seed, moves)``."""
main = command("BattleLore", fuzz, games=20_000, tell_every=100)

if __name__ == "__main__":
    main()

"""What is pinned: seeded games and battles of several kinds, and tables; run one by one and compared.

Mutation testing runs them before any test: they find most mutants at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

from battlefields import battlefield, crowded
from pinned_tables import GROUPS, marks_of_tables
from pinning import KEPT, WRITE, Changed, Trail, fight_battle, play_game

from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.game import GAME

MIXES = (("random", "eager"), ("eager", "eager"), ("random", "random"), ("eager", "random"))
BATTLES = range(0, 320)
HARD_BATTLES = range(2000, 2480)
POSITIONS = 12
GAMES = range(0, 48)
LOOKED_AT = range(1000, 1012)
OTHER_WAYS = {rule: ways[-1] for rule, ways in HOUSE_RULES.items()}


def battle(seed: int, kept: str | None) -> str:
    rng = Random(seed)
    trail = Trail(f"battle {seed}", kept, every=1_000_000)
    fight_battle(trail, rng, *battlefield(rng))
    return trail.marks


def hard_battle(seed: int, kept: str | None) -> str:
    rng = Random(seed)
    trail = Trail(f"hard battle {seed}", kept, every=1_000_000)
    fight_battle(trail, rng, *crowded(rng), keen=True)
    return trail.marks


def game(seed: int, kept: str | None) -> str:
    """Every third game plays by the other house rules; every second asks for its set-up."""
    trail = Trail(f"game {seed}", kept)
    options: dict[str, Any] = {"setup": "suggested" if seed % 2 else "ask"}
    if seed % 3 == 0:
        options["house"] = OTHER_WAYS
    play_game(trail, seed, MIXES[seed % 4], options)
    return trail.marks


def looked_at(seed: int, kept: str | None) -> str:
    trail = Trail(f"game {seed} with all refusals", kept, every=4)
    play_game(trail, seed, MIXES[seed % 4], {"setup": "suggested"}, look=True, most=160)
    return trail.marks


KINDS = {
    "hard_battles": (hard_battle, HARD_BATTLES, 40),
    "battles": (battle, BATTLES, 20),
    "looked_at": (looked_at, LOOKED_AT, 2),
    "games": (game, GAMES, 4),
}
CHUNKS = [
    (kind, tuple(seeds)[at : at + size])
    for kind, (_, seeds, size) in KINDS.items()
    for at in range(0, len(seeds), size)
]


@cache
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text())
    return found


def compare(kind: str, seeds: tuple[int, ...]) -> None:
    """Run these again.  Raises :class:`Changed` where one goes another way."""
    marks = kept()[kind]
    for seed in seeds:
        KINDS[kind][0](seed, marks[str(seed)])


def compare_tables(group: str, seed: int) -> None:
    """Reckon the tables of a position again.  Raises :class:`Changed`."""
    now, then = marks_of_tables(group, seed), kept()["tables"][f"{group} {seed}"]
    if now != then:
        changed = sorted(name for name in then if now.get(name) != then[name])
        raise Changed(f"reckoned differently: {', '.join(changed)}. Raise rules_version, then {WRITE}")


TABLES = [(group, seed) for seed in range(POSITIONS) for group in GROUPS]


def everything() -> dict[str, Any]:
    """All marks as they are now, for the file."""
    found: dict[str, Any] = {"rules_version": GAME.rules_version}
    found["tables"] = {f"{group} {seed}": marks_of_tables(group, seed) for group, seed in TABLES}
    for kind, (run, seeds, _) in KINDS.items():
        found[kind] = {str(seed): run(seed, None) for seed in seeds}
    return found


def one_by_one() -> list[tuple[str, Callable[[], None]]]:
    """Every game, battle and group of tables by itself, for mutation testing; each raises what differs."""
    units = [(f"{group} {seed}", partial(compare_tables, group, seed)) for group, seed in TABLES]
    for kind, (_, seeds, _) in KINDS.items():
        units.extend((f"{kind} {seed}", partial(compare, kind, (seed,))) for seed in seeds)
    return units

"""Seeded games and battles go today as they went when ``rules_version`` was set.

They pin every question, every option, every refusal with its rule, reason and
particulars, and the state.  Whoever changes how a rule is reckoned raises
``rules_version`` (records made before are then not held against the new rules)
and writes the marks anew:

    python tests/games/five_armies/pinned/test_pinned_games.py
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from battlefields import battlefield, crowded
from pinning import KEPT, WRITE, Changed, Trail, fight_battle, play_game
from tables import marks_of_tables

from referee.games.five_armies.game import GAME
from referee.games.five_armies.house import HOUSE_RULES

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


def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text())
    return found


@pytest.mark.parametrize(("kind", "seeds"), CHUNKS, ids=[f"{kind}-{seeds[0]}" for kind, seeds in CHUNKS])
def test_seeded_games_go_as_they_went(kind: str, seeds: tuple[int, ...]) -> None:
    marks = kept()[kind]
    for seed in seeds:
        KINDS[kind][0](seed, marks[str(seed)])


def test_what_the_rules_reckon_is_as_it_was() -> None:
    now, then = marks_of_tables(POSITIONS), kept()["tables"]
    changed = sorted(name for name in then if now.get(name) != then[name])
    assert now == then, f"reckoned differently: {', '.join(changed)}. Raise rules_version, then {WRITE}"


def test_the_marks_are_those_of_this_rules_version() -> None:
    assert kept()["rules_version"] == GAME.rules_version, f"rules_version was raised: run {WRITE}"


def test_a_game_that_goes_another_way_is_found() -> None:
    marks = kept()["games"]["1"]
    with pytest.raises(Changed, match="goes another way"):
        game(1, "0000" + marks[4:])
    with pytest.raises(Changed, match="ends earlier"):
        game(1, marks + "0000")


def main() -> None:
    found: dict[str, Any] = {"rules_version": GAME.rules_version}
    found["tables"] = marks_of_tables(POSITIONS)
    for kind, (run, seeds, _) in KINDS.items():
        found[kind] = {str(seed): run(seed, None) for seed in seeds}
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{KEPT} written")


if __name__ == "__main__":
    main()

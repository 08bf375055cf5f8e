"""Seeded games and battles go today as they went when ``rules_version`` was set.

They pin every question, every option, every refusal with its rule, reason and
particulars, and the state.  Whoever changes how a rule is reckoned raises
``rules_version`` (records made before are then not held against the new rules)
and writes the marks anew:

    python tests/games/five_armies/pinned/test_pinned_games.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from pinned import CHUNKS, POSITIONS, compare, compare_tables, everything, game, kept
from pinned_tables import GROUPS
from pinning import KEPT, WRITE, Changed

from referee.games.five_armies.game import GAME


@pytest.mark.parametrize(("kind", "seeds"), CHUNKS, ids=[f"{kind}-{seeds[0]}" for kind, seeds in CHUNKS])
def test_seeded_games_go_as_they_went(kind: str, seeds: tuple[int, ...]) -> None:
    compare(kind, seeds)


@pytest.mark.parametrize("seed", range(POSITIONS))
def test_what_the_rules_reckon_is_as_it_was(seed: int) -> None:
    for group in GROUPS:
        compare_tables(group, seed)


def test_the_marks_are_those_of_this_rules_version() -> None:
    assert kept()["rules_version"] == GAME.rules_version, f"rules_version was raised: run {WRITE}"


def test_a_game_that_goes_another_way_is_found() -> None:
    marks = kept()["games"]["1"]
    with pytest.raises(Changed, match="goes another way"):
        game(1, "0000" + marks[4:])
    with pytest.raises(Changed, match="ends earlier"):
        game(1, marks + "0000")


if __name__ == "__main__":
    KEPT.write_text(json.dumps(everything(), indent=1) + "\n")
    print(f"{KEPT} written")

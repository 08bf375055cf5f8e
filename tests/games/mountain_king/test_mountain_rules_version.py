"""What old records of Fall of the Mountain King rest on changes only with ``rules_version``.

See ``tests/game_fingerprint.py`` for the form of states and the catalogue, and ``tests/game_pins.py`` for
seeded games of two to five seats: they pin every question, every option, refusals with rule, reason and
particulars, and the state.  Whoever changes how a rule is reckoned raises ``rules_version`` and writes both
anew:

    python tests/games/mountain_king/test_mountain_rules_version.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from game_pins import Trail, play_along
from game_versions import Versioned
from mountain_driving import BOARD, SEATS

from referee.games.mountain_king.box.house import HOUSE_RULES
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import PLAYERS

STARTS = ({}, {"seats": SEATS[:2], "board": BOARD})
OTHER_WAYS = {rule: ways[-1] for rule, ways in HOUSE_RULES.items()}
GAMES = range(12)
EVERY = 24
VERSIONED = Versioned(GAME, __file__, STARTS, GAMES, "pinned_games.json")
LOOKED_AT = 0.1


def options(seed: int) -> dict[str, Any]:
    """Two to five seats, every third game on the other board, every fourth by the other house rules."""
    return {
        "seats": SEATS[: 2 + seed % 4],
        **({"board": BOARD} if seed % 3 == 0 else {}),
        **({"house": OTHER_WAYS} if seed % 4 == 3 else {}),
    }


def game(seed: int, kept: str | None) -> str:
    """The marks of a seeded game."""
    trail = Trail(GAME, f"game {seed}", kept, VERSIONED.write_command, EVERY)
    players = {seat: PLAYERS["eager"] for seat in SEATS[seed % 2 :: 2]}
    play_along(trail, seed, players, options(seed), look=LOOKED_AT)
    return trail.marks


@pytest.mark.parametrize("seed", GAMES)
def test_seeded_games_go_as_they_went(seed: int) -> None:
    VERSIONED.goes_as_it_went(game, seed)


def test_the_marks_are_those_of_this_rules_version() -> None:
    VERSIONED.version_is_kept()


def test_a_game_that_goes_another_way_is_found() -> None:
    VERSIONED.another_way_is_found(game, 1)


def test_states_and_catalogue_change_only_with_the_version() -> None:
    VERSIONED.form_is_kept()
    VERSIONED.other_form_is_found()


if __name__ == "__main__":
    VERSIONED.write(game)

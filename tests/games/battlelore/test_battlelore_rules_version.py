"""What old records of BattleLore rest on changes only with ``rules_version``.

See ``tests/game_fingerprint.py`` for the form of states and the catalogue, ``tests/game_pins.py`` for
seeded battles.  Whoever changes how a rule is reckoned raises ``rules_version`` and writes both anew:

    python tests/games/battlelore/test_battlelore_rules_version.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from game_pins import Trail, play_along
from game_versions import Versioned

from referee.games.battlelore.box.scenario import shipped
from referee.games.battlelore.game import GAME
from referee.games.battlelore.play.bots import PLAYERS
from referee.games.battlelore.play.fuzz import options_of
from referee.games.battlelore.rules import dice, morale, movement, targeting

POSITION = """\
game: battlelore
position:
  scenario: own_05
  turn: 6
  phase: 4
  to_act: north
  banners: {south: 2, north: 1}
  tokens: {south: 3, north: 1}
  units: {S1: gone, S2: e6 3, N2: e7 2}
  ordered: [N2, N3]
  moved: [N2]
  left: [N2]
  fight: {attacker: N2, target: S2}
"""
STARTS = (*({"scenario": name} for name in shipped()), {"position": POSITION})
MIXES = (("eager", "random"), ("eager", "eager"), ("random", "eager"))
GAMES = range(18)
VERSIONED = Versioned(GAME, __file__, STARTS, GAMES, "pinned_battles.json")
LOOKED_AT = 0.15
MOST = 700


def marks_of(seed: int, kept: str | None) -> str:
    """The marks of a battle; in every second one refusals are looked at."""
    trail = Trail(GAME, f"battle {seed}", kept, VERSIONED.write_command)
    south, north = MIXES[seed // len(shipped()) % len(MIXES)]
    players = {"south": PLAYERS[south], "north": PLAYERS[north]}
    look = LOOKED_AT if seed % 2 else 0.0
    play_along(trail, seed, players, dict(options_of(seed)), look=look, most=MOST)
    return trail.marks


@pytest.mark.parametrize("seed", GAMES)
def test_seeded_battles_go_as_they_went(seed: int) -> None:
    VERSIONED.goes_as_it_went(marks_of, seed)


def test_the_marks_are_those_of_this_rules_version() -> None:
    VERSIONED.version_is_kept()


@pytest.mark.parametrize(
    ("module", "name", "other"),
    [
        (dice, "bonus_strikes", lambda state, fight, rolled: rolled),
        (morale, "supported", lambda state, unit: False),
        (movement, "allowance", lambda state, unit: (1, 1)),
        (targeting, "sees", lambda state, start, end, blocking: True),
    ],
    ids=["bonus strikes", "support", "moves", "sight"],
)
def test_a_rule_reckoned_differently_is_found(
    module: ModuleType, name: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    VERSIONED.other_reckoning_is_found(marks_of, monkeypatch, module, name, other)


def test_what_old_records_rest_on_changes_only_with_the_version() -> None:
    VERSIONED.form_is_kept()


def test_a_changed_field_rule_or_house_rule_is_found() -> None:
    VERSIONED.other_form_is_found()


if __name__ == "__main__":
    VERSIONED.write(marks_of)

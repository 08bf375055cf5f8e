"""What old records of War of the Ring rest on changes only with ``rules_version``.

See ``tests/game_fingerprint.py`` for the form of states and the catalogue, and
``tests/game_pins.py`` for seeded games: they pin every question, every option, a
third of all refusals with rule, reason and particulars, and the state.  Whoever
changes how a rule is reckoned raises ``rules_version`` (records made before are
then not held against the new rules) and writes both anew:

    python tests/games/war_of_the_ring/test_wotr_rules_version.py
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

from referee.games.war_of_the_ring.box.house import HOUSE_RULES
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.play.bots import PLAYERS
from referee.games.war_of_the_ring.rules import combat_roll, retreat, victory

POSITION = """\
game: war_of_the_ring
position:
  edition: first
  turn: 3
  phase: 5
  to_act: shadow
  unused_dice: {free: [muster, event], shadow: [army, army, character]}
  hunt_box: {shadow: 2}
  fellowship: {at: moria, progress: 2, corruption: 3, companions: [strider, gimli], guide: strider}
  politics: {gondor: at_war, sauron: at_war}
  tiles: {out: [three]}
  regions:
    osgiliath: {units: {gondor_regular: 2}, characters: [boromir]}
    minas_morgul: {units: {sauron_regular: 5, sauron_elite: 1, nazgul: 1}}
    helms_deep: {units: {isengard_regular: 4}, besieged: {units: {rohan_regular: 2}}}
"""
STARTS = ({}, {"edition": "first"}, {"position": POSITION})
MIXES = (("random", "eager"), ("eager", "eager"), ("eager", "random"), ("random", "random"))
OTHER_WAYS = {rule: ways[-1] for rule, ways in HOUSE_RULES.items()}
GAMES = range(24)
VERSIONED = Versioned(GAME, __file__, STARTS, GAMES, "pinned_games.json")
LOOKED_AT = 0.3


def options_of(seed: int) -> dict[str, Any]:
    """Every third game is one of the first edition, every fourth plays by the other house rules."""
    options: dict[str, Any] = {"edition": "first" if seed % 3 == 2 else "second"}
    if seed % 4 == 3:
        options["house"] = OTHER_WAYS
    return options


def marks_of(seed: int, kept: str | None) -> str:
    """The marks of a game; in every second one refusals are looked at."""
    trail = Trail(GAME, f"game {seed}", kept, VERSIONED.write_command)
    free, shadow = MIXES[seed % len(MIXES)]
    players = {"free": PLAYERS[free], "shadow": PLAYERS[shadow]}
    play_along(trail, seed, players, options_of(seed), look=LOOKED_AT if seed % 2 else 0.0)
    return trail.marks


@pytest.mark.parametrize("seed", GAMES)
def test_seeded_games_go_as_they_went(seed: int) -> None:
    VERSIONED.goes_as_it_went(marks_of, seed)


def test_the_marks_are_those_of_this_rules_version() -> None:
    VERSIONED.version_is_kept()


def test_a_game_that_goes_another_way_is_found() -> None:
    VERSIONED.another_way_is_found(marks_of)


@pytest.mark.parametrize(
    ("module", "name", "other"),
    [
        (combat_roll, "rerolls", lambda state, battle, seat: 0),
        (combat_roll, "is_hit", lambda pips, target, add: pips + add > target),
        (retreat, "ways_out", lambda state, battle: 0),
        (victory, "POINTS_TO_WIN", (4, 9)),
    ],
    ids=["re-rolls", "hits", "retreat", "victory"],
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

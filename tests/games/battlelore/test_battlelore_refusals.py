"""For every rule that a player can try to break: an attempt that it refuses, by a written move."""

from __future__ import annotations

from typing import Any

import game_refusals
import yaml

from referee.games.battlelore.catalogue.loading import CATALOGUE, FILES
from referee.games.battlelore.game import GAME
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play

CASES = game_refusals.cases_beside(__file__)
USUAL = ["S1 e6 foot blue 4", "N1 e7 foot blue 4"]
OWN = ("units", "unit_figures", "terrain", "lore", "do", "options")


def position_of(case: dict[str, Any]) -> State:
    """The position of a case: its battle is made of its units and terrain."""
    if "options" in case:
        return GAME.new_state(case["options"])
    units = [line.split() for line in case.get("units", USUAL)]
    whole = {unit[0]: unit for unit in units}
    scenario = {
        "id": "case",
        "kind": "lore" if case.get("lore") else "plain",
        "sections": "cut_twelve",
        "victory_banners": {"south": 9, "north": 9},
        "command_hand": {"south": 5, "north": 5},
        "terrain": case.get("terrain", {}),
        "units": {
            seat: [" ".join(unit) for unit in whole.values() if unit[0][0] == seat[0].upper()]
            for seat in ("south", "north")
        },
    }
    position = {key: value for key, value in case.items() if key not in OWN}
    told = {"scenario": scenario, "units": case.get("unit_figures", {}), **position}
    return GAME.read_position(yaml.safe_dump({"position": told}, sort_keys=False)).state


@game_refusals.each(CASES)
def test_the_attempt_is_refused(rule: str) -> None:
    case = CASES[rule]
    game_refusals.is_refused(GAME, Play(GAME, position_of(case)), case, rule, FILES.seen_as)


def test_every_rule_that_can_be_refused_is() -> None:
    """Those that a player sees as another rule are refused as that."""
    refusable = {FILES.seen_as[rule.id] for rule in CATALOGUE.values() if rule.refusable}
    assert sorted(refusable - set(CASES)) == []

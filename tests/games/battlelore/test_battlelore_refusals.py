"""For every rule that a player can try to break: an attempt that it refuses, by a written move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.games.battlelore.catalogue.loading import CATALOGUE, FILES
from referee.games.battlelore.game import GAME
from referee.games.battlelore.state.state import State
from referee.kernel.explain import attempt
from referee.kernel.play import Play

CASES: dict[str, Any] = yaml.load(
    (Path(__file__).with_name("refusals.yaml")).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
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


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=pytest.mark.rule(rule, refuses=True), id=rule) for rule in CASES]
)
def test_the_attempt_is_refused(rule: str) -> None:
    case = CASES[rule]
    play: Play[State] = Play(GAME, position_of(case))
    moves = case["do"] if isinstance(case["do"], list) else [case["do"]]
    history: list[Any] = []
    for move in moves[:-1]:
        result = attempt(play, move, GAME.words, finish=False, history=history)
        assert result.allowed, f"{result.at}: {result.sentence('en', GAME)}"
        history += result.pairs
    before = GAME.to_json(play.state)
    result = attempt(play, moves[-1], GAME.words, history=history)
    said = f"{result.verdict} at {result.at!r}: {result.sentence('en', GAME)}"
    assert result.verdict == "refused", said
    assert result.rule is not None and FILES.seen_as[result.rule.id] == rule, said
    if not result.pairs:
        assert GAME.to_json(play.state) == before


def test_every_rule_that_can_be_refused_is() -> None:
    """Those that a player sees as another rule are refused as that."""
    refusable = {FILES.seen_as[rule.id] for rule in CATALOGUE.values() if rule.refusable}
    assert sorted(refusable - set(CASES)) == []

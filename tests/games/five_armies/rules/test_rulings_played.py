"""Every ruling on an open point of the books is played."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "scenarios"))

from harness import Case, _Names

from referee.games.five_armies import GAME
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.catalogue.loading import FILES
from referee.kernel.explain import attempt
from referee.kernel.play import Play

CASES: dict[str, Any] = yaml.load(
    Path(__file__).with_name("rulings.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
COMMON = {"phase": 5, "turn": 2, "values": {"leadership.gandalf": 0}}
IN_PYTHON = {"opening_hand", "start_region_two_sources"}


class Ruling(Case):
    """A case of its own position, with the harness's probes."""

    def __init__(self, case: dict[str, Any]) -> None:
        position = {**COMMON, **case["position"]}
        self.read = GAME.read_position(yaml.safe_dump(position, sort_keys=False))
        self.play = Play(GAME, self.read.state)
        self.start = self.before = GAME.copy(self.read.state)
        self.read.lead_in(self.play)
        self.step = case
        self.pairs = []
        self.last = None


def test_every_ruling_is_played() -> None:
    played = {name.partition(" ")[0] for name in CASES} | IN_PYTHON
    assert played == set(FILES.rulings)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.ruling(name.partition(" ")[0]), id=name) for name in CASES]
)
def test_ruling(name: str) -> None:
    case = CASES[name]
    played = Ruling(case)
    moves = case.get("do", [])
    for number, move in enumerate(moves):
        finish = not (case.get("open") and number == len(moves) - 1)
        played.last = attempt(played.play, move, GAME.words, finish=finish, history=played.pairs)
        played.pairs += played.last.pairs
        assert played.last.allowed, f"{played.last.said} | {played.last.at}: {played.why()}"
    for move, rule in case.get("refuses", {}).items():
        result = attempt(played.play.fork(), move, GAME.words, history=played.pairs)
        assert result.verdict == "refused", f"{result.verdict}: {result.at} {result.sentence('en', GAME)}"
        assert result.rule is not None and FILES.seen_as[result.rule.id] == FILES.seen_as[rule], (
            result.rule.id
        )
    for check in case.get("check", []):
        assert eval(check, {"PLACE": PLACE}, _Names(played)), check


@pytest.mark.ruling("opening_hand")
def test_no_cards_before_phase_one() -> None:
    play = Play(GAME, GAME.new_state({"setup": "suggested", "box": {"leadership.gandalf": 0}}))
    assert play.state.phase == 2
    assert (play.state.hand_event, play.state.hand_story) == ([1, 1], [1, 1])


@pytest.mark.ruling("start_region_two_sources")
def test_characters_start_with_their_group_of_the_chart() -> None:
    options = {
        "setup": "suggested",
        "box": {"leadership.gandalf": 0, "setup.free_3": "camp", "setup.free_4": "eastern_spur"},
    }
    play = Play(GAME, GAME.new_state(options))
    assert play.state.where[0] == PLACE["camp"]

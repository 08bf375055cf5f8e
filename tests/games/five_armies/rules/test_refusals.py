"""For every rule that a player can try to break: an attempt that it refuses, by a written move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.games.five_armies import GAME
from referee.games.five_armies.catalogue.loading import FILES
from referee.kernel.explain import attempt
from referee.kernel.play import Play

CASES: dict[str, Any] = yaml.load(
    (Path(__file__).with_name("refusals.yaml")).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
COMMON: dict[str, Any] = CASES.pop("common")


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=pytest.mark.rule(rule, refuses=True), id=rule) for rule in CASES]
)
def test_the_attempt_is_refused(rule: str) -> None:
    case = CASES[rule]
    position = {**COMMON, **case.get("position", {})}
    read = GAME.read_position(yaml.safe_dump(position, sort_keys=False))
    play = Play(GAME, read.state)
    read.lead_in(play)
    moves = case["do"] if isinstance(case["do"], list) else [case["do"]]
    history: list[Any] = []
    for move in moves[:-1]:
        result = attempt(play, move, GAME.words, finish=False, history=history)
        assert result.allowed, f"{result.at}: {result.sentence('en', GAME)}"
        history += result.pairs
    before = GAME.to_json(play.state)
    result = attempt(play, moves[-1], GAME.words, history=history)
    assert result.verdict == "refused", f"{result.verdict} at {result.at!r}: {result.sentence('en', GAME)}"
    assert result.rule is not None and result.refusal is not None
    assert FILES.seen_as[result.rule.id] == FILES.seen_as[rule], result.rule.id
    if not result.pairs:
        assert GAME.to_json(play.state) == before
    for language in ("de", "en"):
        assert result.rule.page_de in result.sentence(language, GAME)

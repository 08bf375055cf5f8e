"""For every rule that a player can try to break: an attempt that it refuses, by a written move.

The cases of a game lie beside its tests in ``refusals.yaml``, by rule: a position, and ``do``: one written
move, or several of which the last is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.kernel.explain import Explanation, attempt
from referee.kernel.play import Game, Play


def cases_beside(module: str) -> dict[str, Any]:
    """The cases beside a test module."""
    text = Path(module).with_name("refusals.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return found


def each(cases: dict[str, Any]) -> pytest.MarkDecorator:
    """Runs a test for the ``rule`` of each case, which has to be refused by it."""
    marked = [pytest.param(rule, marks=pytest.mark.rule(rule, refuses=True), id=rule) for rule in cases]
    return pytest.mark.parametrize("rule", marked)


def is_refused(
    game: Game[Any], play: Play[Any], case: dict[str, Any], rule: str, seen_as: Any
) -> Explanation:
    """The moves before the last are allowed; that one the rule refuses, and nothing has changed by it."""
    words = game.words  # type: ignore[attr-defined]
    moves = case["do"] if isinstance(case["do"], list) else [case["do"]]
    history: list[Any] = []
    for move in moves[:-1]:
        result = attempt(play, move, words, finish=False, history=history)
        assert result.allowed, f"{result.at}: {result.sentence('en', game)}"
        history += result.pairs
    before = game.to_json(play.state)
    result = attempt(play, moves[-1], words, history=history)
    said = f"{result.verdict} at {result.at!r}: {result.sentence('en', game)}"
    assert result.verdict == "refused", said
    assert result.rule is not None and result.refusal is not None, said
    assert seen_as[result.rule.id] == seen_as[rule], said
    if not result.pairs:
        assert game.to_json(play.state) == before
    return result

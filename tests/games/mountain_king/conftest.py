"""Tests say which rules they exercise and are held to it; see ``tests/rule_marks.py``."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from rule_marks import RuleMarks

from referee.games.mountain_king.catalogue.loading import CATALOGUE, FILES
from referee.games.mountain_king.game import GAME

PLACES = GAME.rule_places
MARKS = RuleMarks(CATALOGUE, lambda: FILES.seen_as, PLACES, lambda rule: FILES.traceable(rule, PLACES))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from MARKS.watch(item))

"""Tests say which rules they exercise and are held to it; see ``tests/rule_marks.py``."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest
from rule_marks import RuleMarks

from referee.games.five_armies import GAME
from referee.games.five_armies.catalogue.loading import CATALOGUE, FILES

MUTANT = "MUTANT_UNDER_TEST" in os.environ
"""Set by mutmut: what finds most goes first then, and rules are not watched, for that is slow."""
PLACES = GAME.rule_places
MARKS = RuleMarks(
    CATALOGUE,
    lambda: FILES.seen_as,
    PLACES,
    lambda rule: FILES.traceable(rule, PLACES),
    off=MUTANT,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if MUTANT:
        items.sort(key=lambda item: "test_pinned_games" not in item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from MARKS.watch(item))

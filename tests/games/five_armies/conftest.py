"""Tests say which rules they exercise and are held to it; see ``tests/rule_marks.py``."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from rule_marks import RuleMarks

from referee.games.five_armies.catalogue import CATALOGUE, seen_as
from referee.games.five_armies.rule_places import PLACES, traceable

MUTANT = "MUTANT_UNDER_TEST" in os.environ
"""Set by mutmut: rules are not watched then, for that is slow."""
MARKS = RuleMarks(CATALOGUE, seen_as, PLACES, traceable, off=MUTANT)


def pytest_cmdline_main() -> None:
    """A mutant that goes another way than what is pinned needs no test: the exception is noticed."""
    if _is_mutant():
        sys.path.insert(0, str(Path(__file__).parent / "pinned"))
        from pinned import first_difference

        first_difference()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if _is_mutant():
        items[:] = [item for item in items if "test_pinned_games" not in item.nodeid]


def _is_mutant() -> bool:
    return "__mutmut_" in os.environ.get("MUTANT_UNDER_TEST", "")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from MARKS.watch(item))

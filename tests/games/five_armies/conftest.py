"""Tests say which rules they exercise, ``@pytest.mark.rule("move.optional")``, and are held to it.

While such a test runs, the rules that it meets are watched (requests, refusals,
outcomes, the functions that carry a rule out).  A marked rule that was not met
fails the test.  ``refuses=True`` asks that it was refused.
With ``REFEREE_RULES_OUT`` set, what every test met is written to that file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.games.five_armies.catalogue import CATALOGUE, seen_as
from referee.games.five_armies.rule_places import PLACES, traceable
from referee.rule_watch import Met, watching

OUT = os.environ.get("REFEREE_RULES_OUT", "")
MUTANT = "MUTANT_UNDER_TEST" in os.environ
"""Set by mutmut: quick killers go first then, and rules are not watched, for that is slow."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "rule(*ids, refuses=False): rules of the catalogue that a test exercises"
    )
    config.addinivalue_line("markers", "ruling(*ids): rulings on open points that a test exercises")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if MUTANT:
        items.sort(key=lambda item: "test_pinned_games" not in item.nodeid)


def marked(item: pytest.Item) -> tuple[set[str], set[str]]:
    """Rules a test says it exercises, and those of them it says it refuses."""
    exercised, refused = set(), set()
    for mark in item.iter_markers("rule"):
        for rule in mark.args:
            assert rule in CATALOGUE, f"{item.nodeid}: there is no rule {rule}"
        exercised.update(mark.args)
        if mark.kwargs.get("refuses"):
            refused.update(mark.args)
    return exercised, refused


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    exercised, refused = marked(item)
    if (not exercised and not OUT) or MUTANT:
        yield
        return
    with watching(PLACES) as met:
        outcome = yield
    if outcome.excinfo is None:
        _check(met, exercised, refused)
    if OUT and outcome.excinfo is None:
        _write(item, met, exercised)


def _check(met: Met, exercised: set[str], refused: set[str]) -> None:
    shown = seen_as()
    found = {shown.get(rule, rule) for rule in met.rules()}
    turned_down = {shown.get(rule, rule) for rule in met.refused}
    for rule in exercised:
        if traceable(rule):
            assert shown[rule] in found, f"the test says that it exercises {rule}, but did not meet it"
    for rule in refused:
        assert shown[rule] in turned_down, f"the test says that it refuses {rule}, but nothing did"


def _write(item: pytest.Item, met: Met, exercised: set[str]) -> None:
    line = {
        "test": item.nodeid,
        "marked": sorted(exercised),
        "rulings": sorted(r for mark in item.iter_markers("ruling") for r in mark.args),
        "met": dict(met.asked + met.outcome + met.called),
        "refused": dict(met.refused),
    }
    with Path(OUT).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")

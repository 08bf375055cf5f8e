"""Tests say which rules they exercise, ``@pytest.mark.rule("move.optional")``, and are held to it.

While such a test runs, the rules that it meets are watched (requests, refusals,
outcomes, the functions that carry a rule out).  A marked rule that was not met
fails the test.  ``refuses=True`` asks that it was refused.
With ``REFEREE_RULES_OUT`` set, what every test met is written to that file.
A game's tests have a ``conftest.py`` with a :class:`RuleMarks` of that game.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from referee.commands.rule_watch import Met, watching
from referee.kernel.refusals import Catalogue

OUT = os.environ.get("REFEREE_RULES_OUT", "")


class RuleMarks:
    """Watches the tests of one game.  ``off`` True lets them run unwatched."""

    def __init__(
        self,
        catalogue: Catalogue,
        seen_as: Callable[[], Mapping[str, str]],
        places: Mapping[str, tuple[CodeType, ...]],
        traceable: Callable[[str], bool],
        *,
        off: bool = False,
    ) -> None:
        self.catalogue = catalogue
        self.seen_as = seen_as
        self.places = places
        self.traceable = traceable
        self.off = off

    def marked(self, item: pytest.Item) -> tuple[set[str], set[str]]:
        """Rules a test says it exercises, and those of them it says it refuses."""
        exercised, refused = set(), set()
        for mark in item.iter_markers("rule"):
            for rule in mark.args:
                assert rule in self.catalogue, f"{item.nodeid}: there is no rule {rule}"
            exercised.update(mark.args)
            if mark.kwargs.get("refuses"):
                refused.update(mark.args)
        return exercised, refused

    def watch(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Around the call of a test: for a hook ``pytest_runtest_call`` with ``wrapper=True``."""
        exercised, refused = self.marked(item)
        if (not exercised and not OUT) or self.off:
            return (yield)
        with watching(self.places) as met:
            result = yield
        self._check(met, exercised, refused)
        if OUT:
            _write(item, met, exercised)
        return result

    def _check(self, met: Met, exercised: set[str], refused: set[str]) -> None:
        shown = self.seen_as()
        found = {shown.get(rule, rule) for rule in met.rules()}
        turned_down = {shown.get(rule, rule) for rule in met.refused}
        for rule in exercised:
            if self.traceable(rule):
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

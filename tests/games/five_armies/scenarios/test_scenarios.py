"""Every case of the open scenarios is a test, by its id."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Case, case_ids, scenarios, sees, steps


def test_every_case_is_translated() -> None:
    missing = [case for case in case_ids() if case.split("-")[1] not in steps().get(case.split("-")[0], {})]
    assert missing == []
    assert len(scenarios()) == 55 and len(case_ids()) == 343


@pytest.mark.parametrize("case_id", case_ids())
def test_scenario(case_id: str, request: pytest.FixtureRequest) -> None:
    scenario, _, n = case_id.partition("-")
    step = steps().get(scenario, {}).get(n, {"xfail": "not translated yet"})
    if "xfail" in step:
        request.node.add_marker(pytest.mark.xfail(reason=step["xfail"], strict=True))
    case = Case(scenario, n).run()
    _verdict(case)
    for key, wanted in case.expect.get("numbers", {}).items():
        found = case.number(key, wanted)
        assert found == wanted, f"{key}: {found!r}, expected {wanted!r} ({case.why()})"
    _offers(case)
    for move in case.step.get("allows", ()):
        assert case.tries(move), move
    for move, rule in case.step.get("refuses", {}).items():
        assert sees(rule, case.refusing_rule(move)), f"{move}: {case.refusing_rule(move)}"


def _verdict(case: Case) -> None:
    if case.expect["verdict"] == "refused":
        for move in case.step.get("also_refused", []):
            assert case.refused(move), move
        assert case.last is not None and case.last.verdict == "refused", case.why()
        assert case.last.rule is not None, case.last.refusal
        rule = case.step["rule"]
        assert sees(rule, case.last.rule.id), f"refused by {case.last.rule.id}, expected {rule}"
    elif case.last is not None:
        assert case.last.allowed, f"{case.last.said} | {case.last.at} | {case.why()}"


def _offers(case: Case) -> None:
    must, must_not = case.expect.get("must_offer"), case.expect.get("must_not_offer")
    if must is None and must_not is None:
        return
    names = case.step.get("names", {})
    offered: list[Any] = eval_offer(case)
    if must is not None:
        wanted = [names.get(str(item), item) for item in must]
        if case.step.get("at_least"):
            for item in wanted:
                assert item in offered, f"{item} is not offered: {offered}"
        else:
            assert sorted(map(str, offered)) == sorted(map(str, wanted))
    for item in must_not or ():
        name = names.get(str(item), item)
        assert name not in offered, f"{name} is offered"


def eval_offer(case: Case) -> list[Any]:
    """What is offered, by the case's own expression or by the open request."""
    from harness import _Names

    expression = case.step.get("offer")
    if expression is None:
        return case.options()
    return list(eval(expression, {}, _Names(case)))

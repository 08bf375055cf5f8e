"""Walks a seat's draft to its end at random, as taps on a tablet do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

LONGEST = 300
"""Steps after which a draft counts as one without an end."""


def walked(
    draft: dict[str, Any], preview: Callable[[list[Any]], dict[str, Any]], rng: random.Random
) -> list[Any]:
    """The values of a whole draft.  ``preview`` asks the table about values: a draft, or what was refused."""
    for _ in range(LONGEST):
        ask = draft["ask"]
        if ask is None:
            return list(draft["values"])
        for _ in range(200):
            tried = preview([*draft["values"], pick(ask, rng)])
            if "refused" not in tried:
                draft = tried
                break
        else:
            raise AssertionError(f"no way on from {ask}")
    raise AssertionError(f"a draft of {LONGEST} steps")


def pick(ask: dict[str, Any], rng: random.Random) -> Any:
    """Something that the step of a draft allows by itself."""
    if "options" in ask:
        return rng.choice([one["value"] for one in ask["options"] if one["refused"] is None])
    some = ask["some"]
    if some["default"] is not None and rng.random() < 0.7:
        return some["default"]
    # kinds first, then how many: of a dozen damage markers and three units, units alone come up too
    kinds = [item for item in some["items"] if rng.random() < 0.6] or some["items"]
    pool = [item["value"] for item in kinds for _ in range(item["most"])]
    if len(pool) < some["minimum"]:
        pool = [item["value"] for item in some["items"] for _ in range(item["most"])]
    counts: dict[str, int] = {}
    for item in rng.sample(pool, rng.randint(some["minimum"], min(some["maximum"], len(pool)))):
        counts[item] = counts.get(item, 0) + 1
    return counts

"""Cards as programs of primitives: a list of steps, each a mapping whose ``do`` names a primitive.

The other keys of a step are its arguments.  Steps run in order under the
ordinary rules; what cannot be done is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from referee.games.kit.asking import Ask

S = TypeVar("S")
R = TypeVar("R")
Step = Mapping[str, Any]


class Primitives(dict[str, Callable[[S, R, Step], Ask]]):
    """Every primitive by the name that programs use.  ``R`` is what a game knows of a running card."""

    def named(self, name: str) -> Callable[[Callable[[S, R, Step], Ask]], Callable[[S, R, Step], Ask]]:
        """Make a function known as the primitive ``name``."""

        def add(function: Callable[[S, R, Step], Ask]) -> Callable[[S, R, Step], Ask]:
            self[name] = function
            return function

        return add

    def run(self, state: S, run: R, program: Iterable[Step]) -> Ask:
        """Carry a program out, step by step."""
        for step in program:
            yield from self[step["do"]](state, run, step)

"""TEMPORARY: stands in for modules that are not there yet; goes away when the last of them is.

A part that is missing offers nothing: its ``can_*`` are false, its
``why_not_*`` refuse, its questions ask nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.kernel.refusals import Refusal

PACKAGE = "referee.games.war_of_the_ring"


def _asks_nothing(*args: Any, **named: Any) -> Any:
    return None
    yield


def _refuses(*args: Any, **named: Any) -> Any:
    return Refusal("dice.symbol", "not_there_yet")


def _is_false(*args: Any, **named: Any) -> Any:
    return 0


class Part:
    """A module, or what stands in for what it lacks."""

    def __init__(self, name: str) -> None:
        self._name = name
        try:
            self._module: Any = import_module(f"{PACKAGE}.{name}")
        except ImportError as error:
            if PACKAGE not in str(error) and "cannot import name" not in str(error):
                raise
            self._module = None

    def __getattr__(self, function: str) -> Any:
        found = getattr(self._module, function, None)
        if found is None:
            if function.startswith("why_not"):
                found = _refuses
            elif function.startswith("can_"):
                found = _is_false
            elif function == "free_pool":
                found = lambda state: 4  # noqa: E731
            elif function == "shadow_pool":
                found = lambda state: 7  # noqa: E731
            elif function == "end_of_phase5":
                found = _is_false
            else:
                found = _asks_nothing
        setattr(self, function, found)
        return found


attacks, card_play, combat = (Part(name) for name in ("attacks", "card_play", "combat"))

"""Where in a game's code its rules are carried out: rule to functions, for coverage.

A game names, for rules that no request asks by and no refusal cites, functions
as ``module:function`` (or ``module:Class.method``) inside its package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import CodeType
from typing import Any


def code_of(package: str, name: str) -> CodeType:
    """The code object of ``module:function`` in a package.  Raises ImportError or AttributeError."""
    module, _, function = name.partition(":")
    found: Any = import_module(f"{package}.{module}")
    for part in function.split("."):
        found = getattr(found, part)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    code: CodeType = found.__code__
    return code


class CodePlaces(Mapping[str, tuple[CodeType, ...]]):
    """Code objects by rule, looked up when somebody asks.  ``names`` gives the functions of each rule."""

    def __init__(self, package: str, names: Callable[[], Mapping[str, list[str]]]) -> None:
        self._package = package
        self._names = names
        self._found: dict[str, tuple[CodeType, ...]] | None = None

    @property
    def _all(self) -> dict[str, tuple[CodeType, ...]]:
        if self._found is None:
            self._found = {
                rule: tuple(code_of(self._package, name) for name in names)
                for rule, names in self._names().items()
            }
        return self._found

    def __getitem__(self, rule: str) -> tuple[CodeType, ...]:
        return self._all[rule]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

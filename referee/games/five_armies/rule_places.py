"""Where in the code a rule is carried out: rule to functions, for coverage.

``catalogue/code.yaml`` maps rule ids to ``module:function`` (or
``module:Class.method``) inside this package.  Rules that a request asks by or a
refusal cites need no entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import CodeType
from typing import Any

import yaml

from referee.games.five_armies.catalogue import FOLDER, entries

_PACKAGE = __name__.rpartition(".")[0]


def _names() -> Mapping[str, list[str]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, list[str]] = yaml.load((FOLDER / "code.yaml").read_text(encoding="utf-8"), Loader=loader)
    return data


def _code(name: str) -> CodeType:
    module, _, function = name.partition(":")
    found: Any = import_module(f"{_PACKAGE}.{module}")
    for part in function.split("."):
        found = getattr(found, part)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    code: CodeType = found.__code__
    return code


class _Places(Mapping[str, tuple[CodeType, ...]]):
    """Code objects by rule, looked up when somebody asks."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[CodeType, ...]] | None = None

    @property
    def _all(self) -> dict[str, tuple[CodeType, ...]]:
        if self._found is None:
            self._found = {rule: tuple(_code(name) for name in names) for rule, names in _names().items()}
        return self._found

    def __getitem__(self, rule: str) -> tuple[CodeType, ...]:
        return self._all[rule]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


PLACES = _Places()


def traceable(rule: str) -> bool:
    """Whether play can meet a rule in a way that is noticed: all but what is printed on components."""
    return rule in PLACES or bool(entries()[rule]["refusable"])

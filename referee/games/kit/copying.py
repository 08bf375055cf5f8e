"""Copies of plain data, and of a state's fields by their sorts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any


def copy_json(value: Any) -> Any:
    """A deep copy of plain JSON data."""
    if isinstance(value, dict):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


def plain_fields(state: Any, *others: Iterable[str]) -> tuple[str, ...]:
    """The fields of a state's class that are in none of the ``others``, which say how those are copied:
    numbers, strings, tuples and mappings that are never changed in place."""
    return tuple(
        sorted({field.name for field in fields(state)} - {name for names in others for name in names})
    )

"""Which fields of what came from outside were looked at, so that one that says nothing is noticed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class FieldsRead(Mapping[str, Any]):
    """A mapping that knows which of its fields were looked at."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields, self._read = fields, set[str]()

    def __getitem__(self, key: str) -> Any:
        self._read.add(key)
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def unread(self) -> list[str]:
        """The fields that nobody has looked at."""
        return [key for key in self._fields if key not in self._read]

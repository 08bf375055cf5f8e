"""A running battle, as it stands between two of its questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(slots=True, eq=False)
class Battle:
    """Who fights where, and what has happened so far in this battle."""

    attacker: int = 0
    """The attacking seat."""

    def copy(self) -> Battle:
        """An independent copy."""
        new = Battle.__new__(Battle)
        for name in fields(self):
            value = getattr(self, name.name)
            setattr(new, name.name, value[:] if isinstance(value, list) else value)
        return new

    def to_json(self) -> dict[str, Any]:
        """The battle as JSON."""
        return {name.name: getattr(self, name.name) for name in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Battle:
        """The battle that :meth:`to_json` wrote."""
        return cls(**data)

"""Which LEDs lie under which place of the board: a file that calibration writes.

version = 1
leds = 105
[places]
"A1" = [0]
"gate" = [1, 2, 3]
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.kernel.files import write_whole


class LedMapError(ValueError):
    """The file cannot be used; the text says what to mend."""


@dataclass(frozen=True)
class LedMap:
    """Place id to LED indices along the strip, and how long the strip is."""

    places: Mapping[str, tuple[int, ...]]
    leds: int

    def __post_init__(self) -> None:
        owner: dict[int, str] = {}
        for place, indices in self.places.items():
            for index in indices:
                if not 0 <= index < self.leds:
                    raise LedMapError(f"{place}: LED {index} is not on a strip of {self.leds}")
                if index in owner:
                    raise LedMapError(f"LED {index} belongs to both {owner[index]} and {place}")
                owner[index] = place

    @classmethod
    def identity(cls, places: Iterable[str]) -> LedMap:
        """One LED a place, in the order given: the demo's strip."""
        names = list(places)
        return cls({name: (index,) for index, name in enumerate(names)}, len(names))

    @classmethod
    def load(cls, path: Path) -> LedMap:
        """From a .toml or .json file; LedMapError if it is not one of ours."""
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except FileNotFoundError:
            raise LedMapError(f"there is no LED map at {path}") from None
        except (OSError, ValueError) as error:
            raise LedMapError(f"{path}: {error}") from error
        return cls.from_data(data, str(path))

    @classmethod
    def from_data(cls, data: object, name: str = "LED map") -> LedMap:
        """From the parsed file."""
        if not isinstance(data, dict) or data.get("version") != 1:
            raise LedMapError(f"{name}: version = 1 expected")
        places, leds = data.get("places"), data.get("leds")
        if not isinstance(places, dict) or not isinstance(leds, int):
            raise LedMapError(f"{name}: needs `leds` and a table `places`")
        table: dict[str, tuple[int, ...]] = {}
        for place, indices in places.items():
            if not isinstance(indices, list) or not all(type(i) is int for i in indices):
                raise LedMapError(f"{name}: {place} must be a list of LED numbers")
            table[str(place)] = tuple(indices)
        return cls(table, leds)

    def to_toml(self) -> str:
        """The text of the file."""
        lines = ["version = 1", f"leds = {self.leds}", "", "[places]"]
        lines += [f"{json.dumps(p, ensure_ascii=False)} = {list(i)}" for p, i in self.places.items()]
        return "\n".join(lines) + "\n"

    def save(self, path: Path) -> None:
        """Write .toml or .json, whole or not at all."""
        data = {"version": 1, "leds": self.leds, "places": {p: list(i) for p, i in self.places.items()}}
        text = json.dumps(data, indent=1, ensure_ascii=False) if path.suffix == ".json" else self.to_toml()
        write_whole(path, text)

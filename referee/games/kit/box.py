"""Reading what is in a game's box: ``box/*.toml``, each value bare or with its source and certainty."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee.kernel.dice import PIP_FACES, DieType

BoxData = Callable[[str], Mapping[str, Any]]


def box_reader(folder: Path) -> BoxData:
    """The function that reads ``<name>.toml`` of a folder, each file once."""

    @cache
    def box_data(name: str) -> Mapping[str, Any]:
        """One file of the shipped box data."""
        with (folder / f"{name}.toml").open("rb") as file:
            return tomllib.load(file)

    return box_data


def value_of(entry: Any) -> Any:
    """The bare value of a box entry: ``{value, source, certainty}`` or the value itself."""
    return entry["value"] if isinstance(entry, dict) and "value" in entry else entry


def indices(ids: Iterable[str]) -> dict[str, int]:
    """Id to index."""
    return {name: index for index, name in enumerate(ids)}


def die_types(dice: Mapping[str, Mapping[str, Any]]) -> Mapping[str, DieType]:
    """The dice of a box by their ids: ``faces`` and ``colour`` of each; without faces it shows pips."""
    return {
        name: DieType(name, "symbol", tuple(die["faces"]), die["colour"])
        if "faces" in die
        else DieType(name, "pip", PIP_FACES, die["colour"])
        for name, die in dice.items()
    }


def neighbours(borders: Iterable[tuple[int, int]], places: int) -> tuple[int, ...]:
    """For each of so many places the mask of those next to it."""
    masks = [0] * places
    for a, b in borders:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return tuple(masks)


def where(entries: Sequence[Mapping[str, Any]], key: str) -> int:
    """The mask of those entries that have something under a key."""
    return sum(1 << index for index, entry in enumerate(entries) if entry.get(key))

"""The drawn board says the same as the map data: who is whose neighbour, and across what."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

BOX = Path(__file__).parents[3] / "referee" / "games" / "five_armies" / "box"


@pytest.fixture(scope="module")
def board() -> dict[str, Any]:
    return json.loads((BOX / "board.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def box_map() -> dict[str, Any]:
    return tomllib.loads((BOX / "map.toml").read_text(encoding="utf-8"))


def drawn(board: dict[str, Any], *kinds: str) -> set[frozenset[str]]:
    return {frozenset(line["between"]) for line in board["lines"] if line["kind"] in kinds}


def test_every_border_of_the_map_is_drawn_and_no_other(
    board: dict[str, Any], box_map: dict[str, Any]
) -> None:
    land = {frozenset((b["a"], b["b"])) for b in box_map["borders"] if b["kind"] != "ford"}
    assert drawn(board, "border", "slope") == land


def test_every_ford_is_drawn_on_a_river(board: dict[str, Any], box_map: dict[str, Any]) -> None:
    fords = {frozenset((b["a"], b["b"])) for b in box_map["borders"] if b["kind"] == "ford"}
    assert drawn(board, "ford") == fords
    assert fords <= drawn(board, "river")


def test_slopes_name_the_mountain_second(board: dict[str, Any], box_map: dict[str, Any]) -> None:
    terrain = {key: region["terrain"] for key, region in box_map["regions"].items()}
    slopes = [line["between"] for line in board["lines"] if line["kind"] == "slope"]
    assert len(slopes) == 14
    for low, high in slopes:
        assert terrain[high] == "mountain" != terrain[low]


def test_each_label_lies_inside_its_outline(board: dict[str, Any]) -> None:
    for key, place in board["places"].items():
        if place["kind"] != "rock":
            assert inside(place["label"], place["outline"]), key


def inside(point: list[float], outline: list[list[float]]) -> bool:
    x, y = point
    crossings = 0
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            crossings += 1
    return crossings % 2 == 1

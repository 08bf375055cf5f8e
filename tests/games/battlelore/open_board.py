"""The open scenarios as they are written, and the position of a step in plain words."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import PLACE, SEATS
from referee.games.battlelore.position.position import read_position
from referee.games.battlelore.state.state import State

FILE = Path(__file__).parent / "scenarios_open.yaml"


@cache
def scenarios() -> dict[str, dict[str, Any]]:
    """The scenarios by id."""
    data = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {scenario["id"]: scenario for scenario in data["scenarios"]}


def step_ids() -> list[str]:
    """Every step as ``open_14-a2``."""
    return [f"{name}-{act['n']}" for name, one in scenarios().items() for act in one["act"]]


class Board:
    """The position of a step in plain words."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.units = {words[0]: words[1:] for words in (unit.split() for unit in told.get("units", ()))}
        self.terrain: dict[str, list[str]] = {at: [kind] for at, kind in told.get("terrain", {}).items()}
        self.rest = {key: deepcopy(value) for key, value in told.items() if key not in ("units", "terrain")}

    def change(self, now: dict[str, Any]) -> None:
        """Changes made before a step."""
        for key, value in now.items():
            if key == "terrain":
                for at, kinds in value.items():
                    self.terrain[at] = kinds if isinstance(kinds, list) else [kinds]
            elif value == "gone":
                self.units.pop(key)
            else:
                self._unit(key, str(value).split())

    def _unit(self, name: str, words: list[str]) -> None:
        if len(words) >= 4:
            self.units[name] = words
            return
        unit = self.units[name]
        for word in words:
            if word in PLACE:
                unit[0] = word
            elif word.startswith("fig"):
                unit[3] = word[3:]
            elif word in box.COLOURS:
                unit[2] = word
            elif word in box.CLASSES:
                unit[1] = word
                unit[3] = str(min(int(unit[3]), box.FIGURES[box.CLASSES.index(word)]))
            else:
                unit.append(word)

    def told(self, change: str) -> None:
        """A change in words: ``active: north``, ``tokens south 2``."""
        for part in change.split(", ") if "{" not in change and "wizard" not in change else [change]:
            key, _, value = part.partition(": ")
            if not value:
                what, side, number = part.split()
                self.rest[what][side] = int(number)
            elif key in SEATS:
                members = (one.split() for one in value.split(", ") if not one.startswith("no "))
                self.rest["councils"][key] = {name: int(level) for name, level in members}
            else:
                self.rest[key] = yaml.safe_load(value)

    def state(self, **more: Any) -> State:
        """The position as a state, through a position file."""
        rest = self.rest
        lore = rest.get("scenario") == "lore"
        councils = rest.get("councils", rest.get("council", {}))
        council = {seat: {one: councils.get(seat, {}).get(one, 0) for one in box.COUNCIL} for seat in SEATS}
        position = {
            "scenario": self._scenario(),
            "to_act": rest.get("active", "south"),
            "units": {
                name: "gone" if unit[0] == "off" else f"{unit[0]} {unit[3]}"
                for name, unit in self.units.items()
            },
            "council": council if councils else None,
            "hands": rest.get("command_hand") and {**{"north": 5}, **rest["command_hand"]},
            "lore_hands": rest.get("lore_hand"),
            "tokens": rest.get("tokens") if lore else None,
            "banners": rest.get("banners"),
            "lore_deck": 30 if lore else None,
            **more,
        }
        told = {key: value for key, value in position.items() if value is not None}
        return read_position(yaml.safe_dump({"position": told}, sort_keys=False)).state

    def _scenario(self) -> dict[str, Any]:
        """The battle on whose field the units stand, each of them whole."""
        kinds: dict[str, list[str]] = {}
        for at, there in self.terrain.items():
            for kind in there:
                kinds.setdefault(kind, []).append(at)
        units: dict[str, list[str]] = {seat: [] for seat in SEATS}
        for name, (at, kind, colour, _figures, *tags) in self.units.items():
            whole = box.FIGURES[box.CLASSES.index(kind)]
            line = " ".join((name, at, kind, colour, str(whole), *tags))
            units[SEATS["SN".index(name[0])]].append(line)
        if not self.units:
            units = {"south": ["S1 c3 foot blue 4"], "north": ["N1 g3 foot blue 4"]}
        rest, goal = self.rest, self.rest.get("goal", 9)
        return {
            "id": "open",
            "kind": rest.get("scenario", "plain"),
            "sections": rest.get("sections", "cut_twelve"),
            "first": rest.get("active", "south"),
            "victory_banners": {"south": goal, "north": goal},
            "command_hand": {"south": 5, "north": 5},
            "kinds": {"cap3": {"cap": 3}},
            "terrain": kinds,
            "units": units,
        }

    def keep(self, state: State) -> None:
        """What a step changed and the next one goes on with: tokens and banners."""
        for key in ("banners", "tokens") if state.field.lore else ("banners",):
            self.rest[key] = dict(zip(SEATS, getattr(state, key), strict=True))

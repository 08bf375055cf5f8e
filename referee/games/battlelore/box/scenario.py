"""Scenarios: one file a battle, read with complaints line by line, and the battlefield that it describes.

A file (``box/scenarios/*.yaml``, or one that players exchange) has ``scenario``: names, ``kind`` (plain or
lore),
``sections`` (a layout, two lines, or ``board``: the lines of the board on the table), who begins, banners
to win,
hands, council, landmarks, ``terrain`` by kind, ``kinds`` of terrain of its own, and ``units`` of each
side, one
line a unit: ``S1 c3 foot green 4 sword``, with weapon, race, or the name of its creature at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import yaml

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.decks import Deck, deck_ids, deck_of
from referee.kernel.located import LocatedValue, read_yaml
from referee.kernel.messages import Text
from referee.kernel.play import canonical_json

PLAIN, LORE = "plain", "lore"
BY_COMMANDER = "by commander"
"""Hands of a lore battle are those of the commanders."""
PRINTED, IN_SECRET = "printed", "by choice in secret"
"""How councils are made."""
MOST_HAND = 12
BOARD = "board"
"""The section lines are those of the board on the table."""
OFF = -1
_KEYS = (
    *(
        "id",
        "ours",
        "name",
        "kind",
        "sections",
        "first",
        "victory_banners",
        "camps",
        "command_hand",
        "council",
    ),
    *("landmarks", "kinds", "terrain", "units", "decks"),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """What never changes of a unit in a battle; ``dice``, ``reach`` and ``bonus`` are those of its card (0
    and
    "": those of colour and weapon)."""

    id: str
    seat: int
    start: int
    kind: int
    colour: int
    figures: int
    weapon: str = "none"
    race: str = ""
    creature: str = ""
    dice: int = 0
    reach: int = 0
    bonus: str = ""

    @property
    def name(self) -> str:
        """What it is called: class, colour and race, or its creature (``foot_blue_dwarf``, ``spider``)."""
        if self.creature:
            return self.creature
        return "_".join(filter(None, (box.CLASSES[self.kind], box.COLOURS[self.colour], self.race)))


class Field:
    """A battlefield: what a scenario's file says, as tables.  Made once for each; states share it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.id = str(data["id"])
        self.lore = data.get("kind", PLAIN) == LORE
        self.first = box.SEATS.index(data.get("first", box.SEATS[0]))
        self.goals = tuple(int(data["victory_banners"][seat]) for seat in box.SEATS)
        self.units = tuple(unit for seat in box.SEATS for unit in _units_of(data, seat))
        self.index = {unit.id: number for number, unit in enumerate(self.units)}
        kinds = {**box.TERRAIN, **data.get("kinds", {})}
        self.kinds: dict[str, Mapping[str, Any]] = {kind: kinds[kind] for kind in data.get("terrain", {})}
        self.masters = bool(data.get("landmarks", {}).get("master_landmarks"))
        self.lairs = bool(data.get("landmarks", {}).get("lairs"))
        self.of_seat = tuple(
            sum(1 << n for n, unit in enumerate(self.units) if unit.seat == seat) for seat in (0, 1)
        )
        self.creatures = sum(1 << n for n, unit in enumerate(self.units) if unit.kind == box.CREATURE)

    @cached_property
    def deck(self) -> Deck:
        """Its command and lore cards."""
        return deck_of(self.data.get("decks", {}).get("command", "practice"))

    @cached_property
    def terrain(self) -> dict[str, tuple[int, ...]]:
        """Terrain to its hexes."""
        return {
            kind: tuple(box.PLACE[at] for at in there) for kind, there in self.data.get("terrain", {}).items()
        }

    @property
    def lines(self) -> tuple[int, int] | None:
        """Where the section lines lie; None where the board on the table tells."""
        told = self.data.get("sections", BOARD)
        if isinstance(told, Mapping):
            first, second = told["lines_x"]
            return int(first), int(second)
        return box.LAYOUTS.get(told)

    def hand(self, seat: int) -> int:
        """Command cards that the scenario deals to a seat."""
        hands = self.data.get("command_hand", {})
        return int(hands.get(box.SEATS[seat], 4)) if isinstance(hands, Mapping) else 0

    def name(self, language: str) -> str:
        """Its name."""
        names = self.data.get("name", {})
        return str(names.get(language) or names.get("en") or self.id)

    @property
    def council(self) -> Mapping[str, Any]:
        """What it says of the war council."""
        told: Mapping[str, Any] = self.data.get("council", {})
        return told


def _units_of(data: Mapping[str, Any], seat: str) -> Iterator[Unit]:
    for line in data["units"].get(seat, ()):
        yield unit_of(line, box.SEATS.index(seat))


def unit_of(line: str, seat: int) -> Unit:
    """The unit of one line.  Raises ValueError or KeyError for what is none."""
    name, at, kind, colour, figures, *tags = line.split()
    more: dict[str, Any] = {}
    for tag in tags:
        if tag in box.WEAPONS:
            more["weapon"] = tag
        elif tag in box.RACES:
            more["race"] = tag
        elif tag in box.CREATURES:
            more["creature"] = tag
        elif tag == "bs":
            more["bonus"] = "all"
        elif tag[0] in "rd" and tag[1:].isdigit():
            more["reach" if tag[0] == "r" else "dice"] = int(tag[1:])
        else:
            raise ValueError(tag)
    start = OFF if at == "off" else box.PLACE[at]
    kinds = box.CLASSES.index(kind)
    return Unit(name, seat, start, kinds, box.COLOURS.index(colour), int(figures), **more)


def line_of(unit: Unit) -> str:
    """The line of a unit: :func:`unit_of` reads it back."""
    at = "off" if unit.start < 0 else box.PLACES[unit.start]
    tags = [unit.weapon, unit.race, unit.creature]
    tags = [tag for tag in tags if tag not in ("", "none")]
    tags += [f"r{unit.reach}"] * bool(unit.reach) + [f"d{unit.dice}"] * bool(unit.dice)
    tags += ["bs"] * (unit.bonus == "all")
    words = (unit.id, at, box.CLASSES[unit.kind], box.COLOURS[unit.colour], str(unit.figures), *tags)
    return " ".join(words)


@lru_cache(maxsize=256)
def _field(text: str) -> Field:
    return Field(json.loads(text))


def field_of(data: Mapping[str, Any]) -> Field:
    """The battlefield of a scenario's data, made once."""
    return _field(canonical_json(data))


def shipped() -> list[str]:
    """The scenarios that are shipped, by id."""
    return sorted(path.stem for path in (box.FOLDER / "scenarios").glob("*.yaml"))


@lru_cache(maxsize=64)
def load(name: str) -> Field:
    """A shipped scenario.  Raises :class:`OSError` where there is none."""
    return read_scenario((box.FOLDER / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8"))


def read_scenario(text: str) -> Field:
    """A scenario from its file.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    body = whole.get("scenario") or whole
    check(body)
    whole.problems.check()
    return field_of(body.plain())


def write_scenario(field: Field) -> str:
    """The file of a scenario: reading it gives the same."""
    data = {"game": "battlelore", "scenario": json.loads(canonical_json(field.data))}
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return text


def check(body: LocatedValue) -> None:
    """Note what is wrong with a scenario at its lines."""
    if not isinstance(body.value, dict):
        body.wrong(Text("battlelore.scenario_wanted"))
        return
    told = {}
    for key, entry in body.entries():
        name = key.word(_KEYS)
        if name is not None:
            told[name] = entry
    for needed in ("id", "victory_banners", "units"):
        if needed not in told:
            body.wrong(Text("battlelore.key_missing", key=needed))
    if "kind" in told:
        told["kind"].word((PLAIN, LORE))
    if "first" in told:
        told["first"].word(box.SEATS)
    if "victory_banners" in told:
        _check_goals(told["victory_banners"])
    if "sections" in told:
        _check_sections(told["sections"])
    if "decks" in told:
        for _, deck in told["decks"].entries():
            deck.word(deck_ids())
    _check_terrain(told.get("terrain"), told.get("kinds"))
    if "command_hand" in told:
        _check_hands(told["command_hand"])
    if "camps" in told:
        for key, camp in told["camps"].entries():
            key.word(box.SEATS)
            camp.word(box.CAMPS)
    if "council" in told:
        _check_council(told["council"])
    if "landmarks" in told:
        for key, value in told["landmarks"].entries():
            key.word(("master_landmarks", "lairs"))
            value.flag()
    if "units" in told:
        _check_units(told["units"])


def _check_hands(spot: LocatedValue) -> None:
    if spot.value == BY_COMMANDER:
        return
    if not isinstance(spot.value, dict):
        spot.wrong(Text("battlelore.number_of_hand"))
    for key, cards in spot.entries():
        key.word(box.SEATS)
        cards.number(0, MOST_HAND)


def _check_council(spot: LocatedValue) -> None:
    for key, told in spot.entries():
        what = key.word(("made", "levels", "must_spend", *box.SEATS))
        if what == "made":
            told.word((PRINTED, IN_SECRET))
        elif what == "levels":
            for seat, levels in told.entries():
                seat.word(box.SEATS)
                levels.number(0, box.HIGHEST_LEVEL * len(box.COUNCIL))
        elif what is not None:
            _check_levels(told, by_seat=what == "must_spend")


def _check_levels(spot: LocatedValue, *, by_seat: bool) -> None:
    for key, told in spot.entries():
        if by_seat:
            key.word(box.SEATS)
            _check_levels(told, by_seat=False)
        else:
            key.word(box.COUNCIL)
            told.number(0, box.HIGHEST_LEVEL)


def _check_goals(spot: LocatedValue) -> None:
    for seat in box.SEATS:
        goal = spot.get(seat)
        if goal is None:
            spot.wrong(Text("battlelore.key_missing", key=seat))
        else:
            goal.number(1, 20)


def _check_sections(spot: LocatedValue) -> None:
    lines = spot.get("lines_x")
    if lines is None:
        spot.word((BOARD, *box.LAYOUTS))
    elif len([line.number(0, box.WIDEST) for line in lines.items()]) != 2:
        lines.wrong(Text("battlelore.two_lines"))


def _check_terrain(terrain: LocatedValue | None, kinds: LocatedValue | None) -> None:
    own = tuple(str(key.value) for key, _ in kinds.entries()) if kinds is not None else ()
    for key, hexes in terrain.entries() if terrain is not None else ():
        key.word((*box.TERRAIN, *own))
        for at in hexes.items():
            at.word(box.PLACES)


def _check_units(spot: LocatedValue) -> None:
    ids: set[str] = set()
    taken: dict[str, str] = {}
    for key, units in spot.entries():
        seat = key.word(box.SEATS)
        for item in units.items():
            try:
                unit = unit_of(item.text(), 0)
            except (ValueError, KeyError) as error:
                item.wrong(Text("battlelore.no_unit", unit=str(item.value), word=str(error).strip("'")))
                continue
            where = box.PLACES[unit.start] if unit.start >= 0 else ""
            if unit.id in ids:
                item.wrong(Text("battlelore.unit_twice", unit=unit.id))
            if where and where in taken:
                item.wrong(Text("battlelore.hex_taken", unit=unit.id, other=taken[where], place=where))
            if seat is not None:
                ids.add(unit.id)
                taken[where] = unit.id
    if not ids:
        spot.wrong(Text("battlelore.no_units"))

"""One side of a board with the wheel, tracks and cards that are played with it, read from a file's data.

``practice_board.yaml`` has the form.  A board that a table has captured may leave sections out: wheel,
tracks and cards are then those of the practice set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from referee.games.kit.places import NeighbourMasks, mask_of, places_in
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.symbols import codes
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import ByLanguage, Text, worded
from referee.kernel.play import canonical_json, state_digest

PRACTICE = "practice"
FOLDER = Path(__file__).parent
EFFECTS = ("honour", "bolster", "influence", "move")
BOOST, BREACH = "boost", "breach"
CARD = "/"
"""Between the cells of an ancestry card's id."""


@dataclass(frozen=True, slots=True)
class Champion:
    """What is printed on a champion's card.

    ``powers`` are its abilities by name with their number, ``when`` names the moment of each: ``passive``,
    ``ability`` (covers a claw), ``instant``, ``end_of_wave`` or ``star``.
    """

    index: int
    deck: int
    clan: int
    votes: int
    letter: bool
    lines: tuple[int, ...]
    """The space behind each yellow line."""
    claws: int
    symbols: bytes
    when: str
    power: str
    amount: int

    @property
    def is_figure(self) -> bool:
        """Whether it becomes a figure: lettered ones of the last deck use their star tags instead."""
        return self.letter and self.deck < 2

    def lines_passed(self, influence: int) -> int:
        """Yellow lines that a disc with so much influence has passed, those of further laps too."""
        laps, space = divmod(influence - 1, box.LAP) if influence else (0, -1)
        return laps * len(self.lines) + sum(space + 1 >= line for line in self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A board side and its cards.  Places, clans, halls and champions are indices of :mod:`components`."""

    name: str
    """``practice``, or the digest of its data."""
    data: Mapping[str, Any]
    digest: str
    players: tuple[int, ...]
    """How many may play on this side."""
    caverns: int
    lairs: int
    neighbours: tuple[int, ...]
    near: NeighbourMasks
    domains: tuple[int, ...]
    """For each clan the mask of its caverns, lairs printed inside the domain among them."""
    gates: tuple[int, ...]
    ring: tuple[int, ...]
    tracks: tuple[int, ...]
    """The clans from the top of the clan board down."""
    pairs: Mapping[int, tuple[int, ...]]
    """Pairs of lairs offered, by the number of players."""
    halls: tuple[int, ...]
    tiles: tuple[tuple[int, int, int], ...]
    spaces: int
    star: int
    effects: tuple[str, ...]
    triggers: Mapping[int, tuple[str, ...]]
    """Space of the wheel to what the pawn sets off by entering it."""
    boosts: tuple[int, ...]
    supply: tuple[int, ...]
    desperation: int
    """Mask of the spaces of the supply track with a desperation sign."""
    start: bytes
    fronts: Mapping[str, bytes]
    """Ancestry cards by their four cells, ``A2/./A/B``; none where each card is told when it is laid."""
    copies: Mapping[str, int]
    champions: Mapping[int, Champion]
    decks: tuple[tuple[int, ...], ...]
    names: Mapping[str, Mapping[str, str]]
    at: Mapping[str, tuple[float, float]]
    outlines: Mapping[str, tuple[tuple[float, float], ...]]
    """Of caverns, where the board was captured; none where the drawing finds its own."""

    def lairs_beside(self, lair: int) -> int:
        """The mask of the caverns next to a lair."""
        return self.neighbours[lair] & self.caverns


class NoBoard(InvalidAnswer):
    """The data is no board that can be played."""


def _no_board(what: str) -> NoBoard:
    return NoBoard(Text("mountain_king.no_board", what=what))


@cache
def practice_data() -> Mapping[str, Any]:
    """The practice set as it stands in its file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: Mapping[str, Any] = yaml.load(
        (FOLDER / "practice_board.yaml").read_text(encoding="utf-8"), Loader=loader
    )
    return MappingProxyType({key: value for key, value in data.items() if not key.startswith("_")})


KNOWN: dict[str, Box] = {}
"""Captured boards that this process has read, by their digests."""


def box_of(board: Any = PRACTICE) -> Box:
    """The box of a header's option ``board``: ``practice``, a captured board's data, or the digest of one
    that was read before.

    Raises :class:`NoBoard` for what is none of them.
    """
    if board == PRACTICE:
        return _practice()
    if isinstance(board, str) and board in KNOWN:
        return KNOWN[board]
    if not isinstance(board, Mapping):
        raise _no_board(str(board))
    return _captured(canonical_json(dict(board)))


@cache
def _practice() -> Box:
    return _read(PRACTICE, practice_data())


@lru_cache(maxsize=64)
def _captured(text: str) -> Box:
    data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = _read("", data)
    KNOWN[found.digest] = found
    return found


def _read(name: str, own: Mapping[str, Any]) -> Box:
    data = {**practice_data(), **own}
    try:
        return _Reader(name, own, data).read()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise _no_board(f"{type(error).__name__}: {error}") from error


class _Reader:
    """Reads one box."""

    def __init__(self, name: str, own: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        self.name, self.own, self.data = name, own, data
        self.places = {**self._caverns(), **self._lairs()}

    def _caverns(self) -> dict[str, int]:
        found, counted = {}, [0] * len(box.CLANS)
        for cavern, entry in in_order(self.data["caverns"]):
            clan = box.CLANS.index(entry["domain"])
            if counted[clan] == box.CAVERNS_A_DOMAIN:
                raise ValueError(f"more than {box.CAVERNS_A_DOMAIN} caverns in {entry['domain']}")
            found[cavern] = clan * box.CAVERNS_A_DOMAIN + counted[clan]
            counted[clan] += 1
        return found

    def _lairs(self) -> dict[str, int]:
        pairs: dict[str, list[str]] = {}
        for lair, entry in in_order(self.data["lairs"]):
            pairs.setdefault(entry["glyph"], []).append(lair)
        self.glyphs = tuple(pairs)
        if any(len(pair) != 2 for pair in pairs.values()) or len(pairs) > len(box.PAIRS):
            raise ValueError("lairs do not come in pairs")
        return {
            lair: place
            for number, pair in enumerate(pairs.values())
            for lair, place in zip(pair, box.lairs_of(number), strict=True)
        }

    def mask(self, names: Sequence[str]) -> int:
        """The mask of some places by the file's ids."""
        return mask_of(*(self.places[name] for name in names))

    def read(self) -> Box:
        """The box.  Raises KeyError, ValueError... for what is none."""
        data, wheel, track = self.data, self.data["wheel"], self.data["supply_track"]
        neighbours = self._neighbours()
        champions = {one.index: one for one in self._champions()}
        fronts = {CARD.join(cells): codes(cells) for cells in data["ancestry_cards"]["fronts"].values()}
        digest = state_digest(dict(self.own))
        lairs = self.mask(tuple(data["lairs"]))
        return Box(
            name=self.name or digest,
            data=self.own,
            digest=digest,
            players=tuple(data["players"]),
            caverns=self.mask(tuple(data["caverns"])),
            lairs=lairs,
            neighbours=neighbours,
            near=NeighbourMasks(neighbours),
            domains=self._domains(),
            gates=self._gates(),
            ring=tuple(map(box.CLANS.index, data["swarm_ring"])),
            tracks=tuple(map(box.CLANS.index, data["clan_board"]["tracks_top_to_bottom"])),
            pairs=self._pairs(),
            halls=self._halls(),
            tiles=tuple((int(a), int(b), int(c)) for a, b, c in data["vote_tiles"]),
            spaces=wheel["spaces"],
            star=wheel["star"],
            effects=self._effects(),
            triggers=self._triggers(),
            boosts=tuple(wheel["boost_values"]),
            supply=(0, *(by_number(track["base"], wave) for wave in (1, 2, 3))),
            desperation=mask_of(*track["desperation_on"]),
            start=codes(data["start_card"]["cells"]),
            fronts=fronts,
            copies=self._copies(),
            champions=champions,
            decks=tuple(
                tuple(one.index for one in champions.values() if one.deck == deck) for deck in range(3)
            ),
            names=self._names(),
            at=self._at(),
            outlines=self._outlines(),
        )  # fmt: skip

    def _copies(self) -> dict[str, int]:
        cards, found = self.data["ancestry_cards"], dict[str, int]()
        for cells in cards["fronts"].values():
            found[CARD.join(cells)] = found.get(CARD.join(cells), 0) + cards["copies_each"]
        return found

    def _neighbours(self) -> tuple[int, ...]:
        found = [0] * box.PLACE_COUNT

        def join(a: int, b: int) -> None:
            found[a] |= 1 << b
            found[b] |= 1 << a

        for joined in self.data["joins"]:
            a, b = joined.split("-") if isinstance(joined, str) else joined
            join(self.places[a], self.places[b])
        for lair, entry in self.data["lairs"].items():
            for beside in entry["next_to"]:
                join(self.places[lair], self.places[beside])
        return tuple(found)

    def _domains(self) -> tuple[int, ...]:
        found = []
        for clan in box.CLANS:
            inside = [key for key, one in self.data["caverns"].items() if one["domain"] == clan]
            inside += [key for key, one in self.data["lairs"].items() if one.get("domain") == clan]
            found.append(self.mask(inside))
        return tuple(found)

    def _gates(self) -> tuple[int, ...]:
        found = []
        for clan in box.CLANS:
            gates = self.data["domains"][clan]["gates"]
            if not gates:
                raise ValueError(f"no gate in {clan}")
            found.append(self.mask(gates))
        return tuple(found)

    def _pairs(self) -> dict[int, tuple[int, ...]]:
        offered = self.data.get("lair_pairs_offered") or {}
        every = tuple(range(len(self.glyphs)))
        found = {}
        for players in box.GATE_CARDS:
            glyphs = offered.get(players, offered.get(str(players)))
            found[players] = tuple(map(self.glyphs.index, glyphs)) if glyphs else every
        return found

    def _halls(self) -> tuple[int, ...]:
        halls = [self.mask(one["next_to"]) for _, one in in_order(self.data["halls"])]
        if len(halls) > len(box.HALLS):
            raise ValueError("more halls than tokens")
        return tuple(halls)

    def _effects(self) -> tuple[str, ...]:
        effects, spaces = self.data["wheel"]["effects"], self.data["wheel"]["spaces"]
        found = tuple(by_number(effects, n) for n in range(spaces))
        if set(found) - set(EFFECTS):
            raise ValueError(f"unknown effects: {set(found) - set(EFFECTS)}")
        return found

    def _triggers(self) -> dict[int, tuple[str, ...]]:
        wheel, found = self.data["wheel"], dict[int, tuple[str, ...]]()
        for trigger in (BOOST, BREACH):
            space = wheel[f"{trigger}_trigger_between"][1]
            found[space] = (*found.get(space, ()), trigger)
        return found

    def _champions(self) -> list[Champion]:
        found = []
        for name, entry in self.data["champions"].items():
            moments = ("passive", "ability", "instant", "end_of_wave", "star")
            when = next((moment for moment in moments if entry.get(moment)), "")
            power, amount = next(iter(entry[when].items())) if when else ("", 0)
            clan = entry["clan"]
            found.append(
                Champion(
                    index=box.CHAMPION[name],
                    deck=box.DECKS.index(str(entry["deck"])),
                    clan=box.OUTSIDER if clan == "outsider" else box.CLANS.index(clan),
                    votes=entry["votes"],
                    letter=bool(entry.get("letter")),
                    lines=tuple(line[1] for line in entry.get("yellow_lines", ())),
                    claws=entry.get("claws", 0),
                    symbols=codes(entry.get("ancestry", ())),
                    when=when,
                    power=power,
                    amount=int(amount),
                )
            )
        return found

    def _names(self) -> dict[str, Mapping[str, str]]:
        glyphs = self.data.get("glyphs", {})
        found: dict[str, Mapping[str, str]] = {}
        for key, place in self.places.items():
            if place < box.FIRST_LAIR:
                found[box.PLACES[place]] = self.data["caverns"][key]["name"]
                continue
            glyph, which = self.data["lairs"][key]["glyph"], "AB"[place % 2]
            name = glyphs.get(glyph, {"en": glyph, "de": glyph})
            lair = Text("mountain_king.lair_named", glyph=worded(name), which=which)
            found[box.PLACES[place]] = ByLanguage(lair)
        return found

    def _at(self) -> dict[str, tuple[float, float]]:
        def point(raw: Sequence[float]) -> tuple[float, float]:
            return float(raw[0]), float(raw[1])

        found = {box.PLACES[place]: point(self._entry(key)["at"]) for key, place in self.places.items()}
        for hall, (_, entry) in zip(box.HALLS, in_order(self.data["halls"]), strict=False):
            found[hall] = point(entry["at"])
        for clan in box.CLANS:
            found[clan] = point(self.data["domains"][clan]["swarm_point"])
        found["volcano"] = point(self.data["volcano"]["at"])
        return found

    def _outlines(self) -> dict[str, tuple[tuple[float, float], ...]]:
        return {
            box.PLACES[self.places[key]]: tuple((float(x), float(y)) for x, y in one["outline"])
            for key, one in self.data["caverns"].items()
            if len(one.get("outline", ())) > 2
        }

    def _entry(self, key: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = {**self.data["caverns"], **self.data["lairs"]}[key]
        return found


def in_order(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Entries by their keys, ``mo2`` before ``mo10``: no place hangs on a file's order."""

    def key(entry: tuple[str, Any]) -> list[tuple[int, str]]:
        return [
            (int(part or 0), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", entry[0])
        ]

    return sorted(table.items(), key=key)


def by_number(table: Mapping[Any, Any], number: int) -> Any:
    """The entry of a number, which JSON has made a word of."""
    return table[number] if number in table else table[str(number)]


def connected(side: Box) -> bool:
    """Whether every cavern can be reached from every other."""
    reached = edge = side.caverns & -side.caverns
    while edge:
        edge = side.near[edge] & side.caverns & ~reached
        reached |= edge
    return reached == side.caverns


def places(mask: int) -> list[str]:
    """The ids of the places of a mask."""
    return [box.PLACES[place] for place in places_in(mask)]

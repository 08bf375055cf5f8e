"""A second, invented board for tests, and positions on it driven through the requests' own checks.

The graph, wheel and tracks are those of the open scenarios: another board than the practice board.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import Any

import yaml
from game_board import PlayedPosition

from referee.games.mountain_king.box.box import box_of
from referee.games.mountain_king.box.components import CLANS, PLACE
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.state.state import State
from referee.games.mountain_king.state.tokens import COUNT
from referee.kernel.at_table import at_table

LETTERS = dict(zip("MIOGHLF", CLANS, strict=True))
DOMAINS = {"M": 3, "I": 3, "O": 2, "G": 2, "H": 4, "L": 4, "F": 2}
GATES = {"M": [1], "I": [1, 2], "O": [1], "G": [1], "H": [1, 2], "L": [1], "F": [1]}
EDGES = [
    "M1-M2", "M2-M3", "I1-I3", "I2-I3", "O1-O2", "G1-G2", "H1-H3", "H2-H4", "H3-H4",
    "L1-L2", "L2-L3", "L1-L4", "F1-F2", "M1-I1", "M3-I3", "I2-O1", "I3-O2", "O1-G1",
    "O2-G2", "G1-H2", "G2-H4", "H1-L1", "H3-L2", "L4-F1", "L3-F2", "F1-M1", "F2-M2",
]  # fmt: skip
LAIRS = {
    "pinkA": ["M2", "M3"], "pinkB": ["G2"], "greenA": ["I3"], "greenB": ["L3"], "blueA": ["F2"],
    "blueB": ["H3"], "yellowA": ["O2"], "yellowB": ["L2"], "fifthA": ["G1", "H4"], "fifthB": ["L4", "F1"],
}  # fmt: skip
HALLS = [["M2", "M3", "F2"], ["I3", "O2", "G2"], ["H3", "H4", "L2", "L3"], ["G1", "O1", "H2", "I2", "G2"]]
SEATS = ("pink", "green", "blue", "yellow", "fifth")


def second_board() -> dict[str, Any]:
    """The board as a capture would give it; wheel, tracks and cards with it."""
    caverns, domains = {}, {}
    for number, (letter, count) in enumerate(DOMAINS.items()):
        angle = 2 * math.pi * number / len(DOMAINS)
        domains[LETTERS[letter]] = {
            "swarm_point": [500 + 490 * math.sin(angle), 500 - 490 * math.cos(angle)],
            "gates": [f"{letter}{gate}" for gate in GATES[letter]],
        }
        for cavern in range(1, count + 1):
            turn = angle + 0.35 * (cavern % 2 - 0.5)
            far = 430 - 95 * (cavern - 1)
            caverns[f"{letter}{cavern}"] = {
                "domain": LETTERS[letter],
                "at": [500 + far * math.sin(turn), 500 - far * math.cos(turn)],
                "name": {"en": f"Hollow {letter}{cavern}", "de": f"Grotte {letter}{cavern}"},
            }
    lairs = {
        lair: {"glyph": lair[:-1], "next_to": beside, "domain": None, "at": _between(caverns, beside, lair)}
        for lair, beside in LAIRS.items()
    }
    halls = {f"h{n}": {"next_to": hall, "at": _between(caverns, hall, "h")} for n, hall in enumerate(HALLS)}
    effects = ["honour", "bolster", "influence", "move"]
    return {
        "players": [2, 3, 4, 5],
        "volcano": {"at": [500, 500]},
        "domains": domains,
        "caverns": caverns,
        "joins": EDGES,
        "lairs": lairs,
        "lair_pairs_offered": {},
        "halls": halls,
        "swarm_ring": list(CLANS),
        "wheel": {
            "spaces": 12,
            "star": 0,
            "effects": {str(space): effects[space % 4] for space in range(12)},
            "boost_trigger_between": [3, 4],
            "breach_trigger_between": [8, 9],
            "boost_values": [0, 1, 2, 4],
        },
        "supply_track": {"spaces": 8, "base": {"1": 6, "2": 5, "3": 4}, "desperation_on": [8, 6, 5, 3]},
    }


def _between(caverns: dict[str, Any], beside: list[str], lair: str) -> list[float]:
    shift = 30.0 if lair.endswith("B") else -30.0
    points = [caverns[name]["at"] for name in beside]
    # not sum(), whose last digit is another one from Python 3.12 on, and so the digest of the board
    return [reduce(add, (point[axis] for point in points)) / len(points) + shift for axis in (0, 1)]


BOARD = second_board()
BOX = box_of(BOARD)
ON_BOARD = at_table(GAME, {"board": BOARD})


NAMED = {names["en"]: key for key, names in BOX.names.items()}
PAIR_OF = {seat: NAMED[f"Lair {seat} A"][5] for seat in SEATS}
"""The pair of lairs that is called by a seat."""


def place(name: str) -> str:
    """``M2`` to the place's id, ``pinkA`` to that of the lair."""
    return NAMED[f"Lair {name[:-1]} {name[-1]}" if name in LAIRS else f"Hollow {name}"]


def at(name: str) -> int:
    """The index of such a place."""
    return PLACE[place(name)]


class Mountain(PlayedPosition[State]):
    """A running game from a position on the second board.

    ``caverns`` maps short names to units by seat and ``gnomes`` (a number of hidden ones, or a list);
    ``grid`` are the rows of the active seat's ancestry.  What is not told is empty; the next seat has a
    supply, so that a turn ends with its question.
    """

    game = ON_BOARD  # type: ignore[assignment]

    def __init__(
        self,
        caverns: dict[str, dict[str, Any]] | None = None,
        *,
        active: str = "pink",
        seats: int = 4,
        grid: list[str] | None = None,
        **entries: Any,
    ) -> None:
        position: dict[str, Any] = {
            "board": BOX.digest,
            "seats": list(SEATS[:seats]),
            "lairs": {seat: PAIR_OF[seat] for seat in SEATS[:seats]},
            "to_act": active,
            "supply": {active: 1, SEATS[(SEATS.index(active) + 1) % seats]: 1},
        }
        if grid is not None:
            position["ancestry"] = {active: [*[""] * 4, *("- - - - " + row for row in grid)]}
        trolls: dict[str, dict[str, int]] = {}
        for name, there in (caverns or {}).items():
            for seat, number in there.items():
                if seat in SEATS and number:
                    trolls.setdefault(seat, {})[place(name)] = number
        gnomes = {
            place(name): there["gnomes"] for name, there in (caverns or {}).items() if "gnomes" in there
        }
        position["trolls"] = trolls
        position["gnomes"] = {name: number for name, number in gnomes.items() if number}
        super().__init__(yaml.safe_dump({**position, **entries}, sort_keys=False))

    def units(self, name: str) -> dict[str, int]:
        """Units of each seat in a place."""
        here = at(name)
        return {seat: row[here] for seat, row in zip(SEATS, self.state.units, strict=True) if row[here]}

    def gnomes(self, name: str) -> int:
        """Gnomes in a cavern."""
        return COUNT[self.state.gnomes[at(name)]]

    def votes(self, clan: str) -> list[list[Any]]:
        """A clan's track, from the leader down."""
        return [[SEATS[seat], value] for seat, value in self.state.votes[CLANS.index(clan)]]

    def honour(self, seat: str) -> int:
        """A seat's honour."""
        return self.state.honour[SEATS.index(seat)]


def cell(seat: str, row: int, column: int) -> str:
    """The id of a cell of a position's ``grid``."""
    return f"{seat}_{(row + 4) * 11 + column + 4}"


def cells(seat: str, *at_: tuple[int, int]) -> dict[str, int]:
    """Several cells as an answer."""
    return {cell(seat, row, column): 1 for row, column in at_}

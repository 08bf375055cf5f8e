"""A game for tests with a wide board: 105 places of very different size, many figures, several tracks.

It plays like the small game of ``toy_game``; what stands on the board and beside it is there to be looked at.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from toy_game import SEATS, State, ToyGame

from referee.kernel.board import Board, Line, Place, Point
from referee.kernel.naming import Namer
from referee.kernel.play import MILESTONE, Flow
from referee.kernel.refusals import Refusal
from referee.kernel.registry import register as register_game
from referee.kernel.requests import ChooseOne

COLUMNS, ROWS = 15, 7
WIDTH, HEIGHT = 1500.0, 1050.0
START = {"white": "r0703", "black": "r0704"}
SYLLABLES = (
    "Nor",
    "Dal",
    "Wes",
    "Mûr",
    "Eru",
    "Thal",
    "Gar",
    "Ith",
    "Os",
    "Pel",
    "Hîn",
    "Bar",
    "Lin",
    "Ang",
    "Rhov",
)
ENDS = ("mark", "fels", "au", "dûn", "hain", "tor", "furt")
TERRAINS = ("plain", "hill", "mountain", "forest", "swamp")


def place_id(column: int, row: int) -> str:
    """Column and row in two digits each."""
    return f"r{column:02d}{row:02d}"


PLACES = tuple(place_id(column, row) for column in range(COLUMNS) for row in range(ROWS))


def near(place: str) -> list[str]:
    """The places that share an edge."""
    column, row = int(place[1:3]), int(place[3:])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [place_id(c, r) for c, r in around if 0 <= c < COLUMNS and 0 <= r < ROWS]


def _corners() -> dict[tuple[int, int], Point]:
    """Corners of a grid whose columns grow narrower to the right, each a little out of place."""
    chance = random.Random(5)
    edges = [WIDTH * (1 - (1 - column / COLUMNS) ** 1.35) for column in range(COLUMNS + 1)]
    found = {}
    for column, x in enumerate(edges):
        for row in range(ROWS + 1):
            y = HEIGHT * row / ROWS
            inner = 0 < column < COLUMNS and 0 < row < ROWS
            found[column, row] = (x + inner * chance.uniform(-14, 14), y + inner * chance.uniform(-22, 22))
    return found


def wide_board() -> Board:
    """The board; every sixth place is a town and every ninth a stronghold."""
    corners = _corners()
    places, lines = {}, []
    for number, place in enumerate(PLACES):
        column, row = int(place[1:3]), int(place[3:])
        outline = tuple(
            corners[at] for at in ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        )
        name = f"{SYLLABLES[column]}{ENDS[row]}" + (" Tiefe Weite" if number % 11 == 3 else "")
        middle = (sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4)
        tags = ("stronghold",) if number % 9 == 0 else ("town",) if number % 6 == 0 else ()
        places[place] = Place(place, name, name, "region", TERRAINS[number % 5], "", middle, outline, tags)
        lines += [
            Line("border", (place, other), shared)
            for other in near(place)
            if other > place
            and len(shared := tuple(p for p in outline if p in _outline(corners, other))) == 2
        ]
    return Board(WIDTH, HEIGHT, places, tuple(lines), {})


def _outline(corners: Mapping[tuple[int, int], Point], place: str) -> tuple[Point, ...]:
    column, row = int(place[1:3]), int(place[3:])
    return tuple(
        corners[at] for at in ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    )


BOARD = wide_board()


class WideGame(ToyGame):
    """One figure a seat walks over a board that is full of other figures."""

    id = "wide"
    title: Mapping[str, str] = {"de": "Weites Land", "en": "Wide country"}

    def new_state(self, options: Mapping[str, Any]) -> State:
        return State(turns=int(options.get("turns", 40)), at=dict(START))

    def board(self, options: Mapping[str, Any] | None = None) -> Board:
        """See :func:`wide_board`."""
        return BOARD

    def flow(self, state: State) -> Flow:
        while state.turn < state.turns:
            yield MILESTONE
            seat = SEATS[state.turn % 2]
            ways = near(state.at[seat])

            def refused(ways: list[str] = ways) -> list[tuple[str, Refusal]]:
                return [(one, Refusal("step", params={"place": one})) for one in PLACES if one not in ways]

            state.at[seat] = yield ChooseOne(
                seat,
                "prompt.place",
                ways,
                domain="place",
                about={"from": state.at[seat]},
                rule="step",
                refused=refused,
            )
            state.turn += 1
        yield MILESTONE

    def view(self, state: State, seat: str | None, language: str) -> dict[str, Any]:
        names = Namer(self, language)  # type: ignore[arg-type]
        places: dict[str, Any] = {}
        for number, place in enumerate(PLACES):
            side = SEATS[number % 2]
            pieces = [
                _piece("walker", "W", 1, one, "character", names)
                for one, at in state.at.items()
                if at == place
            ]
            if number % 2 or number % 7 == 0:
                pieces += [_piece("regular", "R", 1 + number % 5, side, "unit", names)]
                pieces += [_piece("elite", "E", 1 + number % 3, side, "unit", names)] * (number % 3 == 0)
                pieces += [_piece("leader", "L", 1, side, "character", names)] * (number % 5 == 0)
            markers = [
                {"id": "control", "name": names.name("control", "marker"), "count": 1, "seat": side}
            ] * (number % 9 == 0)
            if pieces or markers:
                places[place] = {"owner": side, "pieces": pieces, "markers": markers}
        return {
            **super().view(_standing(state), seat, language),
            "places": places,
            "tracks": tracks(state, names),
        }


def _standing(state: State) -> State:
    """The same state with both figures where the small game knows places."""
    return State(state.turns, state.turn, {"white": "north", "black": "south"}, state.tokens, state.points)


def _piece(kind: str, short: str, count: int, seat: str, what: str, names: Namer) -> dict[str, Any]:
    name = names.name(kind, "unit")
    return {"id": kind, "name": name, "short": short, "count": count, "seat": seat, "kind": what}


def tracks(state: State, names: Namer) -> list[dict[str, Any]]:
    """A track of the old form, one with several markers, and one whose spaces have names."""
    nations = [
        {"name": names.name(nation), "at": at, "seat": seat}
        for nation, at, seat in (
            ("dwarves", 0, "white"),
            ("elves", 0, "white"),
            ("north", 1, "white"),
            ("south", 2, "black"),
            ("east", 3, "black"),
        )
    ]
    nations[1]["dim"] = True
    return [
        {
            "id": "way",
            "name": names.name("way", "track"),
            "length": 13,
            "marker": min(12, state.turn),
            "marks": [{"at": 6, "name": names.name("bridge", "place")}],
        },
        {
            "id": "points",
            "name": names.name("points", "track"),
            "length": 11,
            "markers": [{"name": names.seat(seat), "at": 3, "seat": seat} for seat in SEATS],
        },
        {
            "id": "politics",
            "name": names.name("politics", "track"),
            "length": 4,
            "spaces": [names.name(space, "special") for space in ("peace", "wary", "arming", "war")],
            "markers": nations,
        },
    ]


GAME = WideGame()


def register() -> WideGame:
    """Make the game known in this process and return it."""
    register_game(GAME)  # type: ignore[arg-type]
    return GAME

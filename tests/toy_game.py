"""A tiny game for tests: two seats take turns on four fields, and every kind of request comes up.

``register()`` makes it known to the house.  Its places are those of a small
cross; whoever's turn it is goes somewhere, spends some tokens, rolls, now and
then turns a tile, and every fourth turn both choose in secret.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from given_text import given

from referee.kernel.corrections import Item
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Messages
from referee.kernel.naming import Namer
from referee.kernel.play import MILESTONE, Flow, Outcome
from referee.kernel.refusals import Catalogue, Refusal, Rule
from referee.kernel.registry import register as register_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Report, RollDice

SEATS = ("white", "black")
PLACES = ("north", "east", "south", "west")
NEIGHBOURS = {"north": "east west", "east": "north south", "south": "east west", "west": "north south"}
LIMITS = {"men": 3, "elves": 2}

RULES = Catalogue(
    [
        Rule("step", "Moving", "One step", "Ein Schritt", "3", "4",
             "You move to a neighbouring field.", "Man zieht auf ein Nachbarfeld.", refusable=True),
        Rule("roll", "Fighting", "Roll", "Würfeln", "5", "6", "You roll a die a man.", "Ein Würfel je Mann."),
        Rule("win", "Winning", "Most points", "Meiste Punkte", "7", "8",
             "The seat with more points wins.", "Wer mehr Punkte hat, gewinnt."),
    ]
)  # fmt: skip

DICE = {
    "pip": DieType("pip", "pip", PIP_FACES, "white"),
    "sign": DieType("sign", "symbol", ("sun", "sun", "moon", "star", "star", "star"), "blue"),
}


@dataclass
class State:
    """Everything that matters at a milestone."""

    turns: int
    turn: int = 0
    at: dict[str, str] = field(default_factory=lambda: {"white": "north", "black": "south"})
    tokens: dict[str, dict[str, int]] = field(
        default_factory=lambda: {seat: {"men": 60_000, "elves": 40_000} for seat in SEATS}
    )
    points: dict[str, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    log: list[str] = field(default_factory=list)


class ToyGame:
    """The game object; see ``referee.kernel.play.Game``."""

    id = "toy"
    title: Mapping[str, str] = {"de": "Übungsspiel", "en": "Toy game"}
    rules_version = "1"
    seats = SEATS
    catalogue = RULES
    dice: Mapping[str, DieType] = DICE
    messages = Messages(Path(__file__).parent / "toy_locale")

    def new_state(self, options: Mapping[str, Any]) -> State:
        return State(turns=int(options.get("turns", 8)))

    def flow(self, state: State) -> Flow:
        while state.turn < state.turns:
            yield MILESTONE
            seat = SEATS[state.turn % 2]
            yield from self._turn(state, seat)
            state.turn += 1
        yield MILESTONE

    def _turn(self, state: State, seat: str) -> Flow:
        here = state.at[seat]
        near = NEIGHBOURS[here].split()

        def refused() -> list[tuple[str, Refusal]]:
            return [
                (place, Refusal("step", params={"place": place})) for place in PLACES if place not in near
            ]

        place = yield ChooseOne(
            seat, "prompt.place", near, domain="place", about={"from": here}, rule="step", refused=refused
        )
        state.at[seat] = place
        limits = {item: min(most, state.tokens[seat][item]) for item, most in LIMITS.items()}
        spent = yield ChooseSome(
            seat, "prompt.spend", limits, minimum=1, maximum=3, about={"place": place}, rule="step"
        )
        for item, count in spent.items():
            state.tokens[seat][item] -= count
        rolled = yield RollDice(
            seat,
            "prompt.roll",
            {"pip": sum(spent.values()), "sign": 1},
            DICE,
            about={"place": place},
            rule="roll",
        )
        state.points[seat] += sum(int(face) for face in rolled["pip"]) + (rolled["sign"] == ["sun"])
        if state.turn % 3 == 2:
            tile = yield Report(seat, "prompt.tile", ["gold", "trap"], weights=[3, 1], domain="card")
            state.points[seat] += 2 if tile == "gold" else -1
        if state.turn % 4 == 3:
            of = {one: ChooseOne(one, "prompt.secret", ["rock", "paper"]) for one in SEATS}
            both = yield ChooseSecretly("prompt.secret", of)
            state.points["white" if both["white"] == both["black"] else "black"] += 1
        state.log.append(f"{seat} {place}")

    def copy(self, state: State) -> State:
        return copy.deepcopy(state)

    def to_json(self, state: State) -> dict[str, Any]:
        return asdict(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(**copy.deepcopy(dict(data)))

    def audit(self, state: State) -> list[str]:
        return [
            f"{seat} has {count} {item}"
            for seat, tokens in state.tokens.items()
            for item, count in tokens.items()
            if count < 0
        ]

    def outcome(self, state: State) -> Outcome | None:
        if state.turn < state.turns:
            return None
        white, black = state.points["white"], state.points["black"]
        winners = () if white == black else ("white",) if white > black else ("black",)
        return Outcome(winners, "win", {"white": white, "black": black})

    def view(self, state: State, seat: str | None, language: str) -> dict[str, Any]:
        names = Namer(self, language)  # type: ignore[arg-type]
        places: dict[str, Any] = {place: {"owner": None, "pieces": [], "markers": []} for place in PLACES}
        for owner, place in state.at.items():
            name = names.seat(owner)
            places[place]["owner"] = owner
            places[place]["pieces"].append(
                {"id": owner, "name": name, "short": name[0], "count": 1, "seat": owner, "kind": "unit"}
            )
        return {
            "turn": state.turn + 1,
            "phase": {"id": "turn", "title": names.name("turn", "phase"), "rule": "step"},
            "to_act": SEATS[state.turn % 2] if state.turn < state.turns else None,
            "places": places,
            "seats": {
                one: {
                    "name": names.seat(one),
                    "dice": [],
                    "counters": [
                        {"id": "points", "name": names.name("points", "counter"), "value": state.points[one]},
                        *(
                            {"id": item, "name": names.name(item, "unit"), "value": left}
                            for item, left in state.tokens[one].items()
                        ),
                    ],
                    "pieces_off_board": [],
                }
                for one in SEATS
            },
            "tracks": [],
            "scores": [],
            "focus": None,
            "notes": [],
        }

    # -- hooks that a game may have ----------------------------------------------------------------------

    def correct(self, state: State, primitive: Mapping[str, Any]) -> None:
        """``{"do": "put", "seat", "place"}`` or ``{"do": "points", "seat", "value"}``."""
        seat = primitive.get("seat")
        if seat not in SEATS:
            raise InvalidAnswer(given(f"no seat {seat!r}", f"kein Platz {seat!r}"))
        if primitive.get("do") == "put" and primitive.get("place") in PLACES:
            state.at[seat] = primitive["place"]
        elif primitive.get("do") == "points":
            state.points[seat] = int(primitive["value"])
        elif primitive.get("do") == "tokens":
            state.tokens[seat][primitive["item"]] = int(primitive["value"])
        else:
            raise InvalidAnswer(given("unknown primitive", "unbekanntes Primitiv"))

    def correction_form(self, state: State, place: str) -> list[Item]:
        """Who may be said to stand at ``place``; nobody can be nowhere.  Beside the board: points."""
        if not place:
            return [
                Item(f"points.{seat}", "points", state.points[seat], 99, of=(f"seat.{seat}",))
                for seat in SEATS
            ]
        here = {seat: int(state.at[seat] == place) for seat in SEATS}
        return [Item(seat, f"seat.{seat}", count, 1, count) for seat, count in here.items()]

    def corrections(self, state: State, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that put those ``wanted`` at ``place``."""
        if not place:
            return [
                {"do": "points", "seat": seat, "value": wanted[f"points.{seat}"]}
                for seat in SEATS
                if wanted[f"points.{seat}"] != state.points[seat]
            ]
        return [
            {"do": "put", "seat": seat, "place": place}
            for seat in SEATS
            if wanted.get(seat) and state.at[seat] != place
        ]

    def holders(self, state: State) -> Mapping[str, str]:
        """Who stands somewhere holds it."""
        return {state.at[seat]: seat for seat in SEATS}


GAME = ToyGame()


def register() -> ToyGame:
    """Make the game known in this process and return it."""
    register_game(GAME)  # type: ignore[arg-type]
    return GAME

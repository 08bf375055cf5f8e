"""A game for tests with two to five seats: everything that a game of two never needs.

Its board is made from its options (so many caverns, whose names come with the board), its seats are
colours, the order of turns changes each wave.  Each wave all choose in secret, in steps and by counts;
then each seat in turn goes somewhere, lays a tile on its grid, moves the wheel, takes a card and may roll;
the others may react.  One resigns and the others play on; victory can be shared, and there is a ranking.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from referee.games.kit import by_hand, sheets
from referee.games.kit.by_hand import Declaration, Declared
from referee.games.kit.leaving import going_on
from referee.kernel.board import Board
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.lights import Meaning
from referee.kernel.messages import Messages
from referee.kernel.play import MILESTONE, Flow, Outcome, SeatLeft
from referee.kernel.refusals import Catalogue, Refusal, Rule
from referee.kernel.registry import register as register_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice
from referee.kernel.seats import Look
from referee.kernel.together import ChooseInSteps, Reaction

SEATS = ("green", "blue", "pink", "yellow", "grey")
CLANS = ("bragi", "dvalin", "eitri", "fjalar", "galar", "hornbori", "ivaldi")
CARDS = ("lantern", "rope", "riddle")
SIDE = 4
"""Cells of a tableau from edge to edge."""
WHEEL = 6
NAMES = ("Echo Hall", "Deep Stair", "Salt Lake", "Iron Gate", "Old Kiln", "Bat Loft", "Cold Forge",
         "Wide Nave")  # fmt: skip
NAMEN = ("Hallender Saal", "Tiefe Treppe", "Salzsee", "Eisentor", "Alter Ofen", "Fledermausboden",
         "Kalte Schmiede", "Weites Schiff")  # fmt: skip

RULES = Catalogue(
    [
        Rule("council", "Wave", "War council", "Kriegsrat", "3", "3",
             "All share their strength in secret.", "Alle teilen ihre Stärke geheim auf.", refusable=True),
        Rule("walk", "Wave", "Walking", "Gehen", "4", "4",
             "One walks to a neighbouring cavern.", "Man geht in eine Nachbarhöhle.", refusable=True),
        Rule("tile", "Wave", "Laying a tile", "Plättchen legen", "5", "5",
             "A tile is laid on an empty cell.", "Ein Plättchen kommt auf ein leeres Feld.", refusable=True),
        Rule("react", "Wave", "Reacting", "Reagieren", "6", "6",
             "Others may answer a step.", "Andere dürfen auf einen Schritt antworten."),
        Rule("cards", "Wave", "Cards", "Karten", "7", "7",
             "What no rule describes is agreed to by all.", "Was keine Regel beschreibt, vereinbaren alle."),
        Rule("win", "End", "Most honour", "Meiste Ehre", "8", "8",
             "Most honour wins; equal honour shares.", "Die meiste Ehre gewinnt; gleiche Ehre teilt sich."),
    ]
)  # fmt: skip
DICE = {"pip": DieType("pip", "pip", PIP_FACES, "white")}


@cache
def five_board(caverns: int) -> Board:
    """So many caverns in a circle; their names lie in the board."""
    data: dict[str, Any] = {"width": 1200.0, "height": 800.0, "lines": [], "territories": {}, "places": {}}
    ids = [f"cavern_{number}" for number in range(caverns)]
    step = 2 * math.pi / caverns

    def at(angle: float, share: float) -> list[float]:
        return [600 + 590 * share * math.sin(angle), 400 - 390 * share * math.cos(angle)]

    for number, place in enumerate(ids):
        angle = number * step
        ends = (angle - step / 2, angle + step / 2)
        data["places"][place] = {
            "kind": "region",
            "terrain": ("plain", "hill", "swamp")[number % 3],
            "territory": "",
            "label": at(angle, 0.7),
            "outline": [at(ends[0], 1), at(angle, 1), at(ends[1], 1), at(ends[1], 0.35), at(ends[0], 0.35)],
            "tags": ["settlement"],
            "names": {"de": NAMEN[number], "en": NAMES[number]},
        }
    for number, place in enumerate(ids):
        edge = number * step + step / 2
        data["lines"].append(
            {"kind": "border", "between": [place, ids[(number + 1) % caverns]],
             "points": [at(edge, 1), at(edge, 0.35)]}
        )  # fmt: skip
    return Board.from_json(data, MESSAGES)


MESSAGES = Messages(Path(__file__).parent / "five_locale")


@dataclass
class State:
    """Everything that matters at a milestone."""

    waves: int
    caverns: int
    seats: list[str]
    order: list[str]
    wave: int = 0
    turn: int = 0
    """How many have had their turn in this wave; -1: the council comes first."""
    at: dict[str, str] = field(default_factory=dict)
    honour: dict[str, int] = field(default_factory=dict)
    strength: dict[str, dict[str, int]] = field(default_factory=dict)
    tiles: dict[str, list[str]] = field(default_factory=dict)
    wheel: int = 0
    display: list[str] = field(default_factory=lambda: list(CARDS))
    clans: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLANS, 0))
    left: list[str] = field(default_factory=list)

    @property
    def playing(self) -> list[str]:
        """The seats that have not resigned, in the order of turns."""
        return [seat for seat in self.order if seat not in self.left]


class Hand(by_hand.Hand[State]):
    """A card resolved by hand: it gives honour."""

    SEATS = SEATS
    PLACES = ()
    OPTIONS: ClassVar[Any] = {}
    RULE = "cards"

    def opponents(self) -> Sequence[str]:
        """Those who still play."""
        return [seat for seat in self.state.playing if seat != SEATS[self.seat]]

    def honour(self) -> Declaration:
        """So much honour for its player."""
        gained = yield from self.number("prompt.by_hand_honour", 1, 3)

        def apply() -> Generator[Request, Any, None]:
            self.state.honour[SEATS[self.seat]] += gained
            yield from ()

        return Declared({"number": gained}, apply)


class FiveGame:
    """The game object; see ``referee.kernel.play.Game``."""

    id = "five"
    title: Mapping[str, str] = {"de": "Fünf unter dem Berg", "en": "Five below the mountain"}
    rules_version = "1"
    seats = SEATS
    least_seats = 2
    looks: Mapping[str, Look] = {
        "green": Look("green", "round"),
        "blue": Look("blue", "pointed"),
        "pink": Look("pink", "square"),
        "yellow": Look("yellow", "slanted"),
        "grey": Look("grey", "house"),
    }
    kinds: Mapping[str, Sequence[str]] = {"clan": ("clan",), "cell": ("cell",), "card": ("cell", "card")}
    wishes: Mapping[str, Sequence[str]] = {"react": ("here",)}
    catalogue = RULES
    dice: Mapping[str, DieType] = DICE
    messages = MESSAGES

    def new_state(self, options: Mapping[str, Any]) -> State:
        seats = list(options.get("seats", SEATS))
        caverns = int(options.get("caverns", 6))
        return State(
            waves=int(options.get("waves", 2)),
            caverns=caverns,
            seats=seats,
            order=list(seats),
            turn=-1,
            at={seat: f"cavern_{number % caverns}" for number, seat in enumerate(seats)},
            honour=dict.fromkeys(seats, 0),
            tiles={seat: [""] * SIDE * SIDE for seat in seats},
        )

    def board(self, options: Mapping[str, Any] = {}, /) -> Board:
        return five_board(int(options.get("caverns", 6)))

    # -- the rules ----------------------------------------------------------------------------------------

    def flow(self, state: State) -> Flow:
        while state.wave < state.waves and len(state.playing) > 1:
            yield MILESTONE
            try:
                yield from going_on(self._next(state), state.left.append)
            except SeatLeft:
                # its own turn ends; a council that it was part of is held anew
                if state.turn >= 0:
                    state.turn += 1
            if state.turn >= len(state.order):
                state.wave += 1
                state.turn = -1
                state.order = [*state.order[1:], state.order[0]]
        yield MILESTONE

    def _next(self, state: State) -> Flow:
        if state.turn < 0:
            yield from self._council(state)
            state.turn = 0
            return
        seat = state.order[state.turn]
        if seat not in state.left:
            yield from self._turn(state, seat)
        state.turn += 1

    def _council(self, state: State) -> Flow:
        parts = {seat: ChooseInSteps(seat, "prompt.council", self._shares(state, seat), rule="council")
                 for seat in state.playing}  # fmt: skip
        shared = yield ChooseSecretly("prompt.council", parts, rule="council")
        for seat, part in parts.items():
            state.strength[seat] = part.result(shared[seat])
        bids: dict[str, Request] = {
            seat: ChooseSome(seat, "prompt.bid", {"gold": 3, "gems": 2}, maximum=3, rule="council")
            for seat in state.playing
        }
        offered = yield ChooseSecretly("prompt.bid", bids, rule="council")
        for seat, bid in offered.items():
            state.honour[seat] += sum(bid.values()) % 2

    def _shares(self, state: State, seat: str) -> Any:
        def steps() -> Generator[Request, Any, dict[str, int]]:
            way = yield ChooseOne(seat, "prompt.way", ("attack", "guard", "rest"), rule="council")
            if way == "rest":
                return {}
            places = {f"cavern_{number}": 3 for number in range(3)}

            def refuses(counts: Mapping[str, int]) -> Refusal | None:
                return Refusal("council", "all_in_one") if len(counts) == 1 and way == "guard" else None

            shares = yield ChooseSome(
                seat, "prompt.share", places, minimum=3, maximum=3, refuses=refuses, domain="place",
                about={"way": way}, rule="council",
            )  # fmt: skip
            clan = yield ChooseOne(seat, "prompt.clan", CLANS, domain="clan", rule="council")
            return {**shares, clan: 1}

        return steps

    def _turn(self, state: State, seat: str) -> Flow:
        here = int(state.at[seat].removeprefix("cavern_"))
        near = sorted({f"cavern_{(here + step) % state.caverns}" for step in (-1, 1)})

        def refused() -> list[tuple[str, Refusal]]:
            every = (f"cavern_{number}" for number in range(state.caverns))
            return [(one, Refusal("walk", "too_far", {"place": one})) for one in every if one not in near]

        place = yield ChooseOne(
            seat, "prompt.walk", near, domain="place", about={"from": state.at[seat]}, rule="walk",
            refused=refused,
        )  # fmt: skip
        yield from self._reactions(state, seat, place)
        state.at[seat] = place
        yield from self._tile(state, seat)
        turned = yield ChooseOne(
            seat, "prompt.wheel", [f"wheel_{(state.wheel + step) % WHEEL}" for step in (1, 2)],
            domain="cell", rule="tile",
        )  # fmt: skip
        state.wheel = int(turned.removeprefix("wheel_"))
        yield from self._card(state, seat)

    def _reactions(self, state: State, seat: str, place: str) -> Flow:
        """Whoever could react is asked before the step is taken."""
        for other in [one for one in state.playing if one != seat]:
            when = ("here",) if state.at[other] == place else ()
            if other in state.left:
                continue
            said = yield Reaction(
                other, "prompt.react", ("block", "pass"), wish="react", decline="pass", when=when,
                about={"seat": seat, "place": place}, rule="react",
            )  # fmt: skip
            state.honour[other] += said == "block"

    def _tile(self, state: State, seat: str) -> Flow:
        cells = state.tiles[seat]
        free = [f"{seat}_{at}" for at, tile in enumerate(cells) if not tile]
        taken = [f"{seat}_{at}" for at, tile in enumerate(cells) if tile]

        def refused() -> list[tuple[str, Refusal]]:
            return [(one, Refusal("tile", "taken")) for one in taken]

        chosen = yield ChooseOne(seat, "prompt.tile", free, domain="cell", rule="tile", refused=refused)
        cells[int(chosen.rpartition("_")[2])] = "gem"
        state.honour[seat] += 1

    def _card(self, state: State, seat: str) -> Flow:
        card = yield ChooseOne(seat, "prompt.card", [*state.display, "no_card"], domain="cell", rule="cards")
        if card == "riddle":
            yield from by_hand.resolve(Hand(state, SEATS.index(seat), card), lambda: ("honour",))
        elif card == "rope":
            rolled = yield RollDice(seat, "prompt.roll", {"pip": 2}, DICE, rule="cards")
            state.honour[seat] += rolled["pip"].count("6")
            clan = CLANS[sum(map(int, rolled["pip"])) % len(CLANS)]
            state.clans[clan] = min(9, state.clans[clan] + 1)

    def plays_on_without(self, state: State, seat: str) -> bool:
        """Two are enough for a game."""
        return len([one for one in state.playing if one != seat]) >= 2

    def outcome(self, state: State) -> Outcome | None:
        playing = state.playing
        if state.wave < state.waves and len(playing) > 1:
            return None
        places: dict[int, list[str]] = {}
        for seat in state.seats:
            if seat in playing:
                places.setdefault(state.honour[seat], []).append(seat)
        ranking = [tuple(places[honour]) for honour in sorted(places, reverse=True)]
        if state.left:
            ranking.append(tuple(seat for seat in state.seats if seat in state.left))
        return Outcome(ranking[0], "win", ranking=tuple(ranking))

    # -- the state ----------------------------------------------------------------------------------------

    def copy(self, state: State) -> State:
        return copy.deepcopy(state)

    def to_json(self, state: State) -> dict[str, Any]:
        return asdict(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(**copy.deepcopy(dict(data)))

    def audit(self, state: State) -> list[str]:
        return [f"{seat} has {honour} honour" for seat, honour in state.honour.items() if honour < 0]

    def holders(self, state: State) -> dict[str, str]:
        """Who came first to a cavern holds it."""
        held: dict[str, str] = {}
        for seat in state.playing:
            held.setdefault(state.at[seat], seat)
        return held

    # -- screens ------------------------------------------------------------------------------------------

    def view(self, state: State, seat: str | None, language: str) -> dict[str, Any]:
        def text(message: str, **params: Any) -> str:
            return MESSAGES.text(message, language, params)

        over = self.outcome(state) is not None
        acting = None if over or state.turn < 0 else state.order[state.turn]
        places: dict[str, Any] = {}
        for number in range(state.caverns):
            places[f"cavern_{number}"] = {"owner": None, "pieces": [], "markers": []}
        for one, place in state.at.items():
            if one not in state.left:
                name = text(f"seat.{one}")
                places[place]["owner"] = one
                places[place]["pieces"].append(
                    {"id": "delver", "name": name, "short": name[:2], "count": 1, "seat": one, "kind": "unit"}
                )
        return {
            "turn": min(state.wave + 1, state.waves),
            "phase": {"id": "wave", "title": text("phase.wave"), "rule": "walk"},
            "to_act": acting,
            "order": state.playing,
            "places": places,
            "seats": {one: self._seat(state, one, text) for one in state.seats},
            "tracks": [
                {"id": clan, "name": text(f"clan.{clan}"), "length": 10, "markers": [
                    {"name": text(f"clan.{clan}"), "at": at, "seat": None}]}
                for clan, at in state.clans.items()
            ],
            "sheets": self._sheets(state, text),
            "scores": [
                {"id": "honour", "name": text("counter.honour"), "seat": one, "value": state.honour[one],
                 "target": None}
                for one in state.seats
            ],
            "focus": None,
            "notes": [],
        }  # fmt: skip

    def _seat(self, state: State, seat: str, text: Any) -> dict[str, Any]:
        counters = [("honour", state.honour[seat]), ("gems", sum(map(bool, state.tiles[seat])))]
        return {
            "name": text(f"seat.{seat}"),
            "dice": [],
            "counters": [
                {"id": one, "name": text(f"counter.{one}"), "value": value} for one, value in counters
            ],
            "pieces_off_board": [],
        }

    def _sheets(self, state: State, text: Any) -> list[dict[str, Any]]:
        def column(at: int) -> str:
            return str(text("cell.at", column="ABCD"[at % SIDE], row=at // SIDE + 1))

        tableaus = [
            sheets.grid(
                f"tableau_{seat}",
                text("sheet.tableau", seat=text(f"seat.{seat}")),
                [sheets.cell(f"{seat}_{at}", column(at), text=text(f"tile.{tile}") if tile else "", seat=seat)
                 for at, tile in enumerate(state.tiles[seat])],
                SIDE,
                seat,
            )
            for seat in state.seats
        ]  # fmt: skip
        wheel = [
            sheets.cell(
                f"wheel_{at}",
                text("cell.wheel", number=at + 1),
                text="●" * (at == state.wheel),
                light=Meaning.TURN if at == state.wheel else None,
            )
            for at in range(WHEEL)
        ]
        names = {card: text(f"cell.{card}") for card in state.display}
        display = [sheets.cell(card, name, text=name) for card, name in names.items()]
        return [
            *tableaus,
            sheets.ring("wheel", text("sheet.wheel"), wheel),
            sheets.cards("display", text("sheet.display"), display),
        ]

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """The name of a cell, whose id says where it is."""
        sheet, _, at = item.rpartition("_")
        if domain not in ("cell", "") or sheet not in (*SEATS, "wheel") or not at.isdigit():
            return None
        if sheet == "wheel":
            return MESSAGES.text("cell.wheel", language, {"number": int(at) + 1})
        return MESSAGES.text(
            "cell.at", language, {"column": "ABCD"[int(at) % SIDE], "row": int(at) // SIDE + 1}
        )


GAME = FiveGame()


def register() -> FiveGame:
    """Make the game known in this process and return it."""
    register_game(GAME)  # type: ignore[arg-type]
    return GAME

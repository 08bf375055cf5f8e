"""Fall of the Mountain King as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.kit.game import NO_OPTIONS, ModularGame
from referee.games.kit.leaving import going_on
from referee.games.kit.odds import TellsOdds
from referee.games.kit.places import places_in
from referee.games.mountain_king.box import capturing
from referee.games.mountain_king.box.box import CARD, PRACTICE, Box, box_of
from referee.games.mountain_king.box.components import CLANS, PLACES, SEATS
from referee.games.mountain_king.box.drawing import drawn
from referee.games.mountain_king.box.house import house_rules
from referee.games.mountain_king.cards import abilities, own_cards
from referee.games.mountain_king.rules.caverns import contested, controller
from referee.games.mountain_king.rules.scoring import standing
from referee.games.mountain_king.rules.turn import leave, next_step, turn_abandoned
from referee.games.mountain_king.screens import seen_cards
from referee.games.mountain_king.screens.figures import FIGURES, symbol_sign
from referee.games.mountain_king.state.grid import CARD_CELLS, cell_name
from referee.games.mountain_king.state.state import NOBODY, SETUP, State, new_state, playing
from referee.kernel.board import Board
from referee.kernel.capturing import CaptureForm, Drawing, Trouble
from referee.kernel.dice import DieType
from referee.kernel.errors import IllegalAnswer
from referee.kernel.lights import Meaning
from referee.kernel.messages import Text
from referee.kernel.play import MILESTONE, Flow, Outcome, SeatLeft
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request
from referee.kernel.seats import Look, taken_seats

CARDS_THAT_SPEAK = (abilities,)
"""Loaded with the game: importing it registers what answers the occasions of the rules."""


class MountainKing(TellsOdds, ModularGame[State]):
    """The game.  One instance, ``GAME``, is registered."""

    id = "mountain_king"
    rules_version = "2"
    seats = SEATS
    least_seats = 2
    texts = ("core", "box")
    only_counted = ("stock", "votes", "elders", *(f"votes_{clan}" for clan in CLANS))
    dice: Mapping[str, DieType] = {}
    figures = FIGURES
    looks: Mapping[str, Look] = {
        "pink": Look("pink", "round"),
        "green": Look("green", "pointed"),
        "blue": Look("blue", "square"),
        "yellow": Look("yellow", "slanted"),
        "fifth": Look("grey", "house"),
    }
    kinds: Mapping[str, Sequence[str]] = {
        "card": ("champion",),
        "clan": ("clan",),
        "champion": ("champion",),
        "kind": ("kind",),
        "hall": ("hall",),
        "cell": ("cell",),
        "from_clan": ("clan",),
        "move_unit": ("unit", "champion"),
        "unit": ("unit", "champion"),
        "gate_card": ("gate_card", "option"),
        "deck": ("champion_deck",),
        "effect": ("effect",),
        "glyph": ("glyph",),
        "trigger": ("trigger",),
        own_cards.DOMAIN: ("typed", "clan", "champion_deck"),
    }

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``board`` is ``"practice"`` (the default) or a captured board's data, ``box`` holds the
        box book's entries (:mod:`own_cards`), ``seats`` lists
        who plays, ``house`` maps house rules to the way chosen; ``position`` is the text of a position
        file to start from.
        """
        if "position" in options:
            found: State = self.read_position(options["position"]).state
            return found
        state = new_state()
        seats = taken_seats(self, options.get("seats"))
        state.box = _box(options, len(seats))
        abilities.check(state.box)
        if len(seats) not in state.box.players:
            raise IllegalAnswer(
                Text("mountain_king.other_side", players=len(seats)), refusal=Refusal("setup.board_side")
            )
        state.seats = sum(1 << SEATS.index(seat) for seat in seats)
        state.start = state.active = SEATS.index(seats[0])
        state.house = house_rules(options.get("house", {}))
        return state

    def flow(self, state: State) -> Flow:
        """Step by step; where a seat resigns, the others play on."""
        while state.winner < 0:
            yield MILESTONE
            try:
                yield from going_on(next_step(state), lambda seat: leave(state, SEATS.index(seat)))
            except SeatLeft:
                turn_abandoned(state)

    def plays_on_without(self, state: State, seat: str) -> bool:
        """Two are enough, once the mountain is set up."""
        return state.phase != SETUP and len(playing(state)) > 2

    def outcome(self, state: State) -> Outcome | None:
        """Who has won or shares the victory, and everybody's place."""
        if state.winner < 0:
            return None
        winners = tuple(SEATS[seat] for seat in places_in(state.winners))
        ranking = tuple(tuple(SEATS[seat] for seat in place) for place in standing(state))
        return Outcome(winners, state.winning_rule, ranking=ranking)

    # --- screens ---------------------------------------------------------------------------------------

    def board(self, options: Mapping[str, Any] = NO_OPTIONS, /) -> Board:
        """The drawing of the board side that ``options`` ask for."""
        return drawn(box_of(options.get("board", PRACTICE)), self.messages)

    def capture_forms(self) -> Sequence[CaptureForm]:
        """Board side and wheel."""
        return capturing.capture_forms()

    def capture_troubles(self, form: str, drawing: Drawing) -> list[Trouble]:
        """What the rulebook's counts miss in a drawing."""
        return capturing.troubles(form, drawing)

    def captured(self, form: str, drawing: Drawing) -> dict[str, Any]:
        """The data of a complete drawing."""
        return capturing.captured(form, drawing, self.messages)

    def card_steps(self, state: State, request: Request) -> int:
        """How many steps of a draft tell its card, which may be looked at instead; 0 in other questions."""
        return 0 if request.prompt != "prompt.draft" else 1 if state.box.fronts else len(CARD_CELLS)

    def seen_card(self, state: State, cells: Sequence[str | None]) -> list[str]:
        """The steps of a draft that a look at a card settles."""
        return seen_cards.of_card(state, cells)

    def seen_shapes(self, state: State, seat: str) -> list[tuple[int, int]]:
        """How many rows and columns of cells a photographed ancestry may have."""
        return seen_cards.shapes(state, SEATS.index(seat))

    def seen_tableau(
        self, state: State, seat: str, seen: Mapping[tuple[int, int], Sequence[Sequence[str | None]]]
    ) -> list[str]:
        """The steps that a photographed ancestry with its new card settles."""
        return seen_cards.of_ancestry(state, SEATS.index(seat), seen)

    def card_cells(self, state: State, values: Sequence[str]) -> tuple[str, ...] | None:
        """The cells of the card that these steps tell."""
        return seen_cards.cells_of_steps(state, values)

    def holders(self, state: State) -> dict[str, str]:
        """Who controls places of the board."""
        found = {}
        for place in places_in(state.box.caverns | state.box.lairs):
            owner = controller(state, place)
            if owner != NOBODY:
                found[PLACES[place]] = SEATS[owner]
        return found

    def markers(self, state: State) -> dict[str, Meaning]:
        """Where nobody has most of several rivals, where gnomes come in next, overrun caverns, a fight."""
        found = {}
        if state.swarm >= 0:
            gates = [PLACES[place] for place in places_in(state.box.gates[state.swarm])]
            found = dict.fromkeys([f"swarm_{CLANS[state.swarm]}", *gates], Meaning.THREAT)
        if state.fight < 0:
            found |= {PLACES[place]: Meaning.FIGHT for place in places_in(contested(state))}
        found |= {PLACES[place]: Meaning.OBJECTIVE_LOST for place in places_in(state.overrun)}
        if state.fight >= 0:
            found[PLACES[state.fight]] = Meaning.FIGHT
        return found

    def may_draw(self, state: State) -> bool:
        """A quick set-up on every board; of the practice set, which is in no box, all that is drawn."""
        return state.phase == SETUP or state.box.name == PRACTICE

    def token_picture(self, domain: str, value: str) -> Mapping[str, Any] | None:
        """Ancestry cards and their symbols, as they are printed."""
        if domain not in ("ancestry_card", "symbol"):
            return None
        return {"cells": [symbol_sign(word) for word in value.split(CARD)]}

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """Names of cells, cards, tiles and units, whose ids say what they are."""
        seat, _, cell = item.rpartition("_")
        if seat in SEATS and cell.isdigit():
            return cell_name(int(cell))
        found: str | None = self.part("words.names").composite(self, domain, item, language)
        return found


def _box(options: Mapping[str, Any], players: int) -> Box:
    """The board side of ``options`` with the cards of their box book."""
    board = options.get("board", PRACTICE)
    told = own_cards.told(options.get("box", {}), players)
    return box_of({**({} if board == PRACTICE else box_of(board).data), **told}) if told else box_of(board)


GAME = MountainKing()

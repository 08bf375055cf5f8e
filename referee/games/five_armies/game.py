"""The Battle of Five Armies as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from referee.games.five_armies import state_json
from referee.games.five_armies.audit import audit
from referee.games.five_armies.beside_form import beside_corrections, beside_form
from referee.games.five_armies.components import BOX, CHARACTER, DICE, SEATS, box_data
from referee.games.five_armies.correct import correct
from referee.games.five_armies.house import house_rules
from referee.games.five_armies.map import FORTIFICATIONS, PLACES, SETTLEMENTS, STRONGHOLDS, places_in
from referee.games.five_armies.place_form import correction_form, corrections
from referee.games.five_armies.setup import ASK, SUGGESTED, set_up
from referee.games.five_armies.state import State, copy
from referee.games.five_armies.turn import play_turns
from referee.games.five_armies.victory import GameEnds
from referee.kernel.board import Board
from referee.kernel.messages import Messages
from referee.kernel.play import Flow, Outcome
from referee.kernel.refusals import Catalogue
from referee.lights import Meaning

if TYPE_CHECKING:
    from referee.games.five_armies.position import Position
    from referee.kernel.corrections import Item
    from referee.kernel.explain import HouseOfWords
    from referee.kernel.forms import Field


def _fill_in(state: State, box: Mapping[str, Any]) -> None:
    """Take over from the box book what the state does not tell itself."""
    shipped = State()
    state.values = {**box, **state.values}
    state.ratings = tuple(
        int(box.get(f"leadership.{name}", rating)) if rating == shipped.ratings[character] else rating
        for (name, character), rating in zip(CHARACTER.items(), state.ratings, strict=True)
    )
    state.fort_values = tuple(
        int(box.get(f"fortification.{PLACES[place]}", value)) if value == usual else value
        for place, value, usual in zip(FORTIFICATIONS, state.fort_values, shipped.fort_values, strict=True)
    )


class FiveArmies:
    """The game.  One instance, ``GAME``, is registered."""

    id = "five_armies"
    title: Mapping[str, str] = {"de": "Die Schlacht der Fünf Heere", "en": "The Battle of Five Armies"}
    rules_version = "1"
    seats = SEATS
    dice = DICE

    @cached_property
    def messages(self) -> Messages:
        """Texts in German and English."""
        folder = Path(__file__).parent / "locale"
        return Messages(folder, (Messages(folder / "help"),))

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every rule, read when somebody looks."""
        from referee.games.five_armies.catalogue import CATALOGUE

        return CATALOGUE

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``house`` maps house rules to the way chosen, ``box`` maps
        keys of the box book to values, ``setup`` is ``"ask"`` (the default) or
        ``"suggested"`` to take the suggested regions without asking;
        ``position`` is the text of a position file to start from: its house
        rules stand, and its values go before those of the box book.
        """
        box = dict(options.get("box", {}))
        if box:
            from referee.games.five_armies.forms import as_asked
            from referee.games.five_armies.programs import check_box

            check_box(box)
            box = as_asked(box)
        if "position" in options:
            state = self.read_position(options["position"]).state
        else:
            state = State()
            state.house = house_rules(options.get("house", {}))
            state.step = ASK if options.get("setup", ASK) != SUGGESTED else ""
        _fill_in(state, box)
        return state

    def flow(self, state: State) -> Flow:
        """The game from a new state or a milestone to its end."""
        if state.winner >= 0:
            return
        try:
            if state.phase == 0:
                yield from set_up(state)
            yield from play_turns(state)
        except GameEnds:
            return

    def copy(self, state: State) -> State:
        """An independent copy."""
        return copy(state)

    def to_json(self, state: State) -> dict[str, Any]:
        """The state as JSON."""
        return state_json.to_json(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that ``to_json`` wrote."""
        return state_json.from_json(data)

    def audit(self, state: State) -> list[str]:
        """What is wrong with a state."""
        return audit(state)

    def outcome(self, state: State) -> Outcome | None:
        """Who has won, and by which rule."""
        if state.winner < 0:
            return None
        return Outcome(SEATS[state.winner], state.winning_rule)

    def view(self, state: State, seat: str | None, language: str) -> dict[str, Any]:
        """What a seat may see."""
        from referee.games.five_armies.view import view

        return view(self.messages, state, seat, language)

    def board(self) -> Board:
        """The board's drawing for screens and lights."""
        return self._board

    @cached_property
    def _board(self) -> Board:
        return Board.load(BOX / "board.json", self.messages)

    def markers(self, state: State) -> dict[str, Meaning]:
        """Lights that stand for the position: who controls settlements and fortifications, and a fight.

        When the game is over, the settlements show which the Free Peoples held and which they lost.
        """
        lights = {
            PLACES[place]: Meaning.CONTROL_B if state.control >> place & 1 else Meaning.CONTROL_A
            for place in places_in(STRONGHOLDS)
        }
        if state.winner >= 0:
            for place in places_in(SETTLEMENTS):
                lost = state.control >> place & 1
                lights[PLACES[place]] = Meaning.OBJECTIVE_LOST if lost else Meaning.OBJECTIVE_WON
        elif state.combat is not None:
            lights[PLACES[state.combat.target]] = Meaning.FIGHT
        return lights

    def correct(self, state: State, primitive: Mapping[str, Any]) -> None:
        """One primitive of an arbiter's correction; see :mod:`correct`."""
        correct(state, primitive)

    def correction_form(self, state: State, place: str) -> Sequence[Item]:
        """What may be said to stand at ``place``, or ("") of what is beside the board."""
        return correction_form(state, place) if place else beside_form(state)

    def corrections(self, state: State, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that make ``wanted`` stand at ``place``."""
        return corrections(state, place, wanted) if place else beside_corrections(state, wanted)

    def read_position(self, text: str) -> Position:
        """A position file.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
        from referee.games.five_armies.position import read_position

        return read_position(text)

    def write_position(self, state: State, title: str = "") -> str:
        """The position file of a state."""
        from referee.games.five_armies.position import write_position

        return write_position(state, title)

    @cached_property
    def words(self) -> HouseOfWords:
        """The notation of moves, and what explains attempts at the wrong moment."""
        from referee.games.five_armies.explaining import WORDS

        return WORDS

    def tale(self, start: State, events: Iterable[Mapping[str, Any]], language: str, players: str) -> str:
        """The readable record; ``events`` give the fields of a :class:`report.TaleStep`."""
        from referee.games.five_armies.report import TaleStep, tale

        return tale(start, (TaleStep(**event) for event in events), language, players=players)

    @cached_property
    def rule_places(self) -> Mapping[str, tuple[CodeType, ...]]:
        """Which functions carry out a rule that no request names, for coverage."""
        from referee.games.five_armies.rule_places import PLACES

        return PLACES

    def box_data(self, name: str) -> Mapping[str, Any]:
        """The shipped data of the components, for the box book."""
        return box_data(name)

    def box_book_form(self) -> Sequence[Field]:
        """What the owner may tell of his box; see :mod:`forms`."""
        from referee.games.five_armies.forms import box_book_form

        return box_book_form()

    def box_book_problems(self, values: Mapping[str, str]) -> list[tuple[str, str]]:
        """What entries of the box book cannot stand together."""
        from referee.games.five_armies.forms import box_book_problems

        return box_book_problems(values)

    def house_rules_form(self) -> Sequence[Field]:
        """Where tables may choose."""
        from referee.games.five_armies.forms import house_rules_form

        return house_rules_form()

    def explained(self) -> Sequence[tuple[str, str]]:
        """Everything that :meth:`explain_piece` knows, as (kind, id)."""
        from referee.games.five_armies.explaining_pieces import RULES

        return tuple(RULES)

    def explain_piece(self, kind: str, name: str, language: str) -> dict[str, str] | None:
        """What a piece, symbol, marker, track or card does: title, text and a rule; None where unknown."""
        from referee.games.five_armies.explaining_pieces import explain

        return explain(self.messages, kind, name, language)


GAME = FiveArmies()

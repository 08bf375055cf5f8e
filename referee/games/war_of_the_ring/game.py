"""War of the Ring as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from referee.games.war_of_the_ring import state_json
from referee.games.war_of_the_ring.audit import audit
from referee.games.war_of_the_ring.components import BOX, DICE, FREE, SEATS, SHADOW, TILE, TILES, box_data
from referee.games.war_of_the_ring.editions import EDITIONS
from referee.games.war_of_the_ring.house import house_rules
from referee.games.war_of_the_ring.map import OF_SEAT, PLACES, REGION_OF_BOX, places_in
from referee.games.war_of_the_ring.routes import way_text
from referee.games.war_of_the_ring.setup import ASK, SUGGESTED, set_up
from referee.games.war_of_the_ring.state import State, copy
from referee.games.war_of_the_ring.turn import play_turns
from referee.games.war_of_the_ring.victory import GameEnds
from referee.kernel.board import Board
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Messages
from referee.kernel.play import Flow, Outcome
from referee.kernel.refusals import Catalogue
from referee.kernel.requests import Request
from referee.lights import Meaning

if TYPE_CHECKING:
    from referee.games.war_of_the_ring.position_reader import Position
    from referee.kernel.corrections import Item
    from referee.kernel.explain import HouseOfWords
    from referee.kernel.forms import Field

TEXTS = ("core", "battle", "ring", "cards", "face", "log", "help")
"""Folders of messages, one a part of the rules."""


class WarOfTheRing:
    """The game.  One instance, ``GAME``, is registered."""

    id = "war_of_the_ring"
    title: Mapping[str, str] = {"de": "Der Ringkrieg", "en": "War of the Ring"}
    rules_version = "1"
    seats = SEATS
    dice = DICE

    @cached_property
    def messages(self) -> Messages:
        """Texts in German and English."""
        folder = Path(__file__).parent / "locale"
        there = [folder / name for name in TEXTS if (folder / name).is_dir()]
        return Messages(there[0], tuple(Messages(part) for part in there[1:]))

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every rule, read when somebody looks."""
        from referee.games.war_of_the_ring.catalogue import CATALOGUE

        return CATALOGUE

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``edition`` is ``"second"`` (the default) or ``"first"``,
        ``house`` maps house rules to the way chosen, ``box`` maps keys of the
        box book to values, ``setup`` ``"suggested"`` takes the second edition's
        numbers where the first edition's are not known and the box book tells
        none (the table is asked otherwise); ``position`` is the text of a position file to start
        from: its edition, house rules and values stand.
        """
        box = dict(options.get("box", {}))
        if "position" in options:
            state = self.read_position(options["position"]).state
            state.values = {**box, **state.values}
            return state
        edition = options.get("edition", "second")
        if edition not in EDITIONS:
            raise InvalidAnswer(
                f"There is no edition {edition!r}. Choose first or second.",
                f"Eine Ausgabe {edition!r} gibt es nicht. Möglich sind first und second.",
            )
        state = State()
        state.edition = EDITIONS[edition]
        if edition == "first" and options.get("setup", ASK) != SUGGESTED:
            state.step = ASK
        state.house = house_rules(options.get("house", {}))
        state.values = box
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
        from referee.games.war_of_the_ring.view import view

        return view(self.messages, state, seat, language)

    def option_text(self, request: Request, value: Any, language: str) -> str | None:
        """What an option is called that is none of the game's things by itself; None for all others."""
        if request.domain == "way" and isinstance(value, str):
            return way_text(self.messages, value, language)
        if request.domain == "figure" and isinstance(value, str) and "@" in value:
            figure, _, place = value.partition("@")
            kinds = (f"unit.{figure}", f"place.{place}")
            return ", ".join(self.messages.text(kind, language) for kind in kinds)
        return None

    def board(self) -> Board:
        """The board's drawing for screens and lights."""
        return self._board

    @cached_property
    def _board(self) -> Board:
        return Board.load(BOX / "board.json", self.messages)

    def markers(self, state: State) -> dict[str, Meaning]:
        """Lights of captured settlements and of a fight; when the game is over, what was taken."""
        lights: dict[str, Meaning] = {}
        for seat, meaning in ((FREE, Meaning.CONTROL_A), (SHADOW, Meaning.CONTROL_B)):
            for place in places_in(state.captured & OF_SEAT[1 - seat]):
                won = Meaning.OBJECTIVE_WON if state.winner == seat else Meaning.OBJECTIVE_LOST
                lights[PLACES[place]] = meaning if state.winner < 0 else won
        if state.winner < 0 and state.battle is not None:
            target = state.battle.target
            lights[PLACES[REGION_OF_BOX.get(target, target)]] = Meaning.FIGHT
        return lights

    def read_position(self, text: str) -> Position:
        """A position file.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
        from referee.games.war_of_the_ring.position import read_position

        return read_position(text)

    def write_position(self, state: State, title: str = "") -> str:
        """The position file of a state."""
        from referee.games.war_of_the_ring.position import write_position

        return write_position(state, title)

    @cached_property
    def words(self) -> HouseOfWords:
        """The notation of moves, and what explains attempts at the wrong moment."""
        from referee.games.war_of_the_ring.explaining import WORDS

        return WORDS

    def correct(self, state: State, primitive: Mapping[str, Any]) -> None:
        """One primitive of an arbiter's correction; see :mod:`correct`."""
        from referee.games.war_of_the_ring.correct import correct

        correct(state, primitive)

    def correction_form(self, state: State, place: str) -> Sequence[Item]:
        """What may be said to stand at ``place``, or ("") of what is beside the board."""
        from referee.games.war_of_the_ring.place_form import correction_form

        return correction_form(state, place)

    def corrections(self, state: State, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that make ``wanted`` stand at ``place``."""
        from referee.games.war_of_the_ring.place_form import corrections

        return corrections(state, place, wanted)

    def box_book_form(self) -> Sequence[Field]:
        """What the owner may tell of his box; see :mod:`forms`."""
        from referee.games.war_of_the_ring.forms import box_book_form

        return box_book_form()

    def box_book_problems(self, values: Mapping[str, str]) -> list[tuple[str, str]]:
        """What entries of the box book cannot stand together."""
        from referee.games.war_of_the_ring.forms import box_book_problems

        return box_book_problems(values)

    def house_rules_form(self) -> Sequence[Field]:
        """Where tables may choose."""
        from referee.games.war_of_the_ring.forms import house_rules_form

        return house_rules_form()

    @cached_property
    def rule_places(self) -> Mapping[str, tuple[CodeType, ...]]:
        """Which functions carry out a rule that no request names, for coverage."""
        from referee.games.war_of_the_ring.rule_places import PLACES

        return PLACES

    def explained(self) -> Sequence[tuple[str, str]]:
        """Everything that :meth:`explain_piece` knows, as (kind, id)."""
        from referee.games.war_of_the_ring.explaining_pieces import RULES

        return tuple(RULES)

    def explain_piece(self, kind: str, name: str, language: str) -> dict[str, str] | None:
        """What a piece, symbol, marker, track or card does: title, text and a rule; None where unknown."""
        from referee.games.war_of_the_ring.explaining_pieces import explain

        return explain(self.messages, kind, name, language)

    def token_picture(self, domain: str, name: str) -> Mapping[str, Any] | None:
        """How a Hunt tile looks, as data for the screens' own drawing; None for what is no tile."""
        tile = TILES[TILE[name]] if domain == "tile" and name in TILE else None
        if tile is None:
            return None
        shown = (
            {"shape": tile.value}
            if isinstance(tile.value, str)
            else {"text": str(tile.value).replace("-", "−")}
        )
        signs = [sign for sign, has in (("reveal", tile.reveal), ("stop", tile.stop)) if has]
        return {"tone": SEATS[tile.seat] if tile.seat >= 0 else "standard", "signs": signs, **shown}

    def tale(self, start: State, events: Iterable[Mapping[str, Any]], language: str, players: str) -> str:
        """The readable record; ``events`` give the fields of a :class:`report.TaleStep`."""
        from referee.games.war_of_the_ring.report import TaleStep, tale

        return tale(start, (TaleStep(**event) for event in events), language, players=players)

    def box_data(self, name: str) -> Mapping[str, Any]:
        """The shipped data of the components, for the box book."""
        return box_data(name)


GAME = WarOfTheRing()

"""A game as the house sees it, put together from the modules of its package.

Every game has the same modules under the same names (``flow`` is in ``turn``,
``view`` in ``view``, ``read_position`` in ``position``...), so the ``Game``
protocol and what screens want besides are written once, here.  A game's
``game.py`` adds what is its own and gives another method where it goes another
way.  Modules that play itself does not need are loaded when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from referee.games.kit.odds import ODDS_FIELD, TellsOdds
from referee.games.kit.report import NarrativeStep
from referee.games.kit.schema import Schema
from referee.games.kit.turn import GameEnds
from referee.kernel.battles import PlayedOut
from referee.kernel.board import Board
from referee.kernel.dice import DieType
from referee.kernel.forms import check_value
from referee.kernel.messages import ByLanguage, Messages, Text
from referee.kernel.naming import Namer, namer
from referee.kernel.play import Flow, Outcome
from referee.kernel.refusals import Catalogue

if TYPE_CHECKING:
    from referee.games.kit.corrections import Corrections
    from referee.games.kit.positions import Position
    from referee.kernel.corrections import Item
    from referee.kernel.explain import ExplainHooks
    from referee.kernel.forms import Field


class StateOfGame(Protocol):
    """What this class itself looks at in a state."""

    phase: int
    winner: int
    winning_rule: str


S = TypeVar("S", bound=StateOfGame)
NO_OPTIONS: Mapping[str, Any] = {}


class ModularGame(Generic[S]):
    """A game of one package, with modules of the usual names."""

    id: str
    rules_version: str
    seats: Sequence[str]
    dice: Mapping[str, DieType]
    texts: Sequence[str] = ("core",)
    """Folders of messages below ``texts``: the first is the game's own, the others stand behind it."""

    @cached_property
    def _package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    @cached_property
    def folder(self) -> Path:
        """The folder of the game's package."""
        return Path(str(import_module(self._package).__file__)).parent

    def part(self, name: str) -> Any:
        """A module of the game's package."""
        return import_module(f"{self._package}.{name}")

    @cached_property
    def messages(self) -> Messages:
        """Texts in German and English."""
        first, *others = (self.folder / "texts" / name for name in self.texts)
        return Messages(first, tuple(Messages(part) for part in others))

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every rule, read when somebody looks."""
        catalogue: Catalogue = self.part("catalogue.loading").CATALOGUE
        return catalogue

    kinds: Mapping[str, Sequence[str]] = {}
    """Kinds of names by domain, besides the common ones of ``referee.kernel.naming``."""

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """The name of an id that is put together from several; None for all others."""
        return None

    @cached_property
    def title(self) -> Mapping[str, str]:
        """Its title by language."""
        return ByLanguage(self.messages.say("game.title"))

    # --- play --------------------------------------------------------------------------------------

    def new_state(self, options: Mapping[str, Any]) -> S:
        """A state before set-up, by the options of the game's header."""
        raise NotImplementedError

    def flow(self, state: S) -> Flow:
        """The game from a new state or a milestone to its end."""
        if state.winner >= 0:
            return
        try:
            if state.phase == 0:
                yield from self.part("rules.setup").set_up(state)
            yield from self.part("rules.turn").play_turns(state)
        except GameEnds:
            return

    @cached_property
    def schema(self) -> Schema[S]:
        """The declaration of a state."""
        schema: Schema[S] = self.part("state.state").SCHEMA
        return schema

    # called after every answer: looked up once, so without a call in between

    @cached_property
    def copy(self) -> Callable[[S], S]:
        """An independent copy of a state."""
        return self.schema.copy

    @cached_property
    def to_json(self) -> Callable[[S], dict[str, Any]]:
        """The state as JSON."""
        return self.schema.to_json

    @cached_property
    def from_json(self) -> Callable[[Mapping[str, Any]], S]:
        """The state that ``to_json`` wrote."""
        return self.schema.from_json

    def audit(self, state: S) -> list[str]:
        """What is wrong with a state."""
        return self._audit(state)

    # looked up once, as they are called after every answer
    @cached_property
    def _audit(self) -> Callable[[S], list[str]]:
        audit: Callable[[S], list[str]] = self.part("state.audit").audit
        return audit

    def outcome(self, state: S) -> Outcome | None:
        """Who has won, and by which rule."""
        if state.winner < 0:
            return None
        return Outcome((self.seats[state.winner],), state.winning_rule)

    def play_out(self, options: Mapping[str, Any], seed: int) -> PlayedOut:
        """A whole game by its eager computer players."""
        played = self.part("play.bots").play_random(
            seed,
            options=options,
            audit=False,
            keep=False,
            checked=False,
            **dict.fromkeys(self.seats, "eager"),
        )
        outcome = played.play.outcome
        return PlayedOut(
            () if outcome is None else outcome.winners, int(getattr(played.play.state, "turn", 0))
        )

    # --- screens -----------------------------------------------------------------------------------

    def view(self, state: S, seat: str | None, language: str) -> dict[str, Any]:
        """What a seat may see."""
        shown: dict[str, Any] = self.part("screens.view").view(self.messages, state, seat, language)
        return shown

    def board(self, options: Mapping[str, Any] = NO_OPTIONS, /) -> Board:
        """The board's drawing for screens and lights; the one printed board, whatever the options."""
        return self._board

    @cached_property
    def _board(self) -> Board:
        return Board.load(self.folder / "box" / "board.json", self.messages)

    def explained(self) -> Sequence[tuple[str, str]]:
        """Everything that :meth:`explain_piece` knows, as (kind, id)."""
        return tuple(self.part("words.explaining_pieces").RULES)

    def explain_piece(self, kind: str, name: str, language: str) -> dict[str, str] | None:
        """What a piece, symbol, marker, track or card does: title, text and a rule; None where unknown."""
        explain = self.part("words.explaining_pieces").explain
        found: dict[str, str] | None = explain(namer(self, language), kind, name)
        return found

    # --- corrections and positions -----------------------------------------------------------------

    def correct(self, state: S, primitive: Mapping[str, Any]) -> None:
        """One primitive of an arbiter's correction; see the game's module ``correct``."""
        self._corrections.correct(state, primitive)

    @cached_property
    def _corrections(self) -> Corrections[S]:
        """What may be corrected."""
        corrections: Corrections[S] = self.part("position.correct").CORRECTIONS
        return corrections

    def correction_form(self, state: S, place: str) -> Sequence[Item]:
        """What may be said to stand at ``place``, or ("") of what is beside the board."""
        return self._corrections.form(state, place)

    def corrections(self, state: S, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that make ``wanted`` stand at ``place``."""
        return self._corrections.wanted(state, place, wanted)

    def read_position(self, text: str) -> Position[S]:
        """A position file, played to the moment that it describes.

        Raises :class:`referee.kernel.located.FileProblems`, line by line.
        """
        from referee.games.kit.positions import arrived

        position: Position[S] = self.part("position.position").read_position(text)
        return arrived(self, position)

    def position_state(self, text: str) -> S:
        """The state of a position file, from which a game begins; not yet the moment to which its answers
        lead."""
        state: S = self.part("position.position").read_position(text).state
        return state

    def write_position(self, state: S, title: str = "", answers: Sequence[Any] = ()) -> str:
        """The position file of a state and of what has been answered since."""
        from referee.games.kit.positions import with_answers

        text: str = self.part("position.position").write_position(state, title)
        return with_answers(text, answers) if answers else text

    # --- words -------------------------------------------------------------------------------------

    @cached_property
    def words(self) -> ExplainHooks:
        """The notation of moves, and what explains attempts at the wrong moment."""
        words: ExplainHooks = self.part("words.explaining").WORDS
        return words

    def tale(self, start: S, events: Iterable[Mapping[str, Any]], language: str, players: str) -> str:
        """The readable record; ``events`` give the fields of a :class:`NarrativeStep`."""
        steps = (NarrativeStep(**event) for event in events)
        tale = self.part("screens.report").Tale
        tell = tale.SENTENCES(Namer(self, language, self.report_texts))
        told: str = tale(self, start, steps, tell).text(players)
        return told

    @cached_property
    def report_texts(self) -> Messages:
        """The readable record's own texts, with the game's names behind them."""
        return Messages(self.folder / "texts" / "report", (self.messages,))

    @cached_property
    def rule_places(self) -> Mapping[str, tuple[CodeType, ...]]:
        """Which functions carry out a rule that no request names, for coverage."""
        places: Mapping[str, tuple[CodeType, ...]]
        places = self.part("catalogue.loading").FILES.code_places(self._package)
        return places

    # --- the owner's box ---------------------------------------------------------------------------

    def box_data(self, name: str) -> Mapping[str, Any]:
        """The shipped data of the components, for the box book."""
        data: Mapping[str, Any] = self.part("box.components").box_data(name)
        return data

    def box_book_form(self) -> Sequence[Field]:
        """What the owner may tell of his box; see the game's module ``forms``."""
        form: Sequence[Field] = self.part("screens.forms").box_book_form()
        return form

    def box_book_problems(self, values: Mapping[str, str]) -> list[Text]:
        """What entries of the box book cannot stand together."""
        problems: list[Text] = self.part("screens.forms").box_book_problems(values)
        return problems

    def check_value(self, key: str, value: Any) -> None:
        """A value of the box book as a position file tells it.  Raises :class:`InvalidAnswer`."""
        check_value(self.box_book_form(), key, value)

    def house_rules_form(self) -> Sequence[Field]:
        """Where tables may choose."""
        form: Sequence[Field] = self.part("screens.forms").house_rules_form()
        return (*form, ODDS_FIELD) if isinstance(self, TellsOdds) else form

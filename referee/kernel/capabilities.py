"""What a game may be able to do besides being played: declared here, one small protocol each.

The ``Game`` protocol (:mod:`referee.kernel.play`) is what every game has.
Everything else is optional, and asked for by its protocol, never by name:

    if isinstance(game, CorrectionForms):
        items = game.correction_form(state, place)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from referee.kernel.messages import Text

if TYPE_CHECKING:
    from referee.kernel.battles import BattleMaking, PlayedOut
    from referee.kernel.board import Board
    from referee.kernel.capturing import CaptureForm, Drawing, Trouble
    from referee.kernel.corrections import Item
    from referee.kernel.explain import ExplainHooks
    from referee.kernel.figures import Figure
    from referee.kernel.forms import Field
    from referee.kernel.lights import Meaning
    from referee.kernel.refusals import Catalogue
    from referee.kernel.requests import Request
    from referee.kernel.seats import Look


@runtime_checkable
class Correctable(Protocol):
    """Its position can be corrected by primitives."""

    def correct(self, state: Any, primitive: Mapping[str, Any]) -> None:
        """Carry out one primitive.  Raises :class:`referee.kernel.errors.InvalidAnswer`."""


@runtime_checkable
class CorrectionForms(Protocol):
    """What stands at a place can be told in a form."""

    def correction_form(self, state: Any, place: str) -> Sequence[Item]:
        """What may be said to stand at ``place``; "" stands for what is beside the board."""

    def corrections(self, state: Any, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that make ``wanted`` stand at ``place``."""


@runtime_checkable
class CitesByOptions(Protocol):
    """Its options decide which book its rules are cited from."""

    def catalogue_of(self, options: Mapping[str, Any]) -> Catalogue:
        """The rules as a game with these options cites them."""


@runtime_checkable
class PositionFiles(Protocol):
    """Its positions can be written to files and read from them."""

    def read_position(self, text: str) -> Any:
        """A position.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""

    def write_position(self, state: Any, title: str = "", answers: Sequence[Any] = ()) -> str:
        """The file of a state and of what has been answered since."""


@runtime_checkable
class Notated(Protocol):
    """Its moves can be written, and attempts at the wrong moment explained."""

    @property
    def words(self) -> ExplainHooks:
        """The notation, and what explains attempts."""


@runtime_checkable
class Narrated(Protocol):
    """It has a readable record of its own."""

    def tale(self, start: Any, events: Iterable[Mapping[str, Any]], language: str, players: str) -> str:
        """The record that began in ``start``, as text."""


@runtime_checkable
class ExplainsPieces(Protocol):
    """It says what its pieces, symbols, markers and cards do."""

    def explained(self) -> Sequence[tuple[str, str]]:
        """Everything that it knows, as (kind, id)."""

    def explain_piece(self, kind: str, name: str, language: str) -> Mapping[str, str] | None:
        """Title, text and rule; None where unknown."""


@runtime_checkable
class BoxBookForms(Protocol):
    """The owner's box may tell values that the shipped data leaves out."""

    def box_book_form(self) -> Sequence[Field]:
        """What may be told."""

    def box_book_problems(self, values: Mapping[str, str]) -> list[Text]:
        """What cannot stand together."""


@runtime_checkable
class HouseRules(Protocol):
    """Tables may choose how some points are played."""

    def house_rules_form(self) -> Sequence[Field]:
        """The points and their choices."""


@runtime_checkable
class ReckonsOdds(Protocol):
    """It reckons what the dice of its fights may bring."""

    def odds_known(self, state: Any, request: Request | None) -> bool:
        """Whether a fight is on, or may begin by the answer to ``request``."""

    def odds(self, state: Any, request: Request | None, language: str) -> Sequence[Mapping[str, Any]]:
        """Those fights with their odds, as JSON for screens: see ``referee.games.kit.odds.ReckonedFight``."""


@runtime_checkable
class TellsHolders(Protocol):
    """Seats hold places of its board, and the lights say so."""

    @property
    def seats(self) -> Sequence[str]:
        """All seats that it can have."""

    def holders(self, state: Any) -> Mapping[str, str]:
        """Seat by place that it holds; what nobody holds is left out."""


@runtime_checkable
class MarksPlaces(Protocol):
    """Its places show more than the question and who holds them: lost objectives, a fight."""

    def markers(self, state: Any) -> Mapping[str, Meaning]:
        """Meaning by place."""


@runtime_checkable
class DrawsLots(Protocol):
    """What is drawn blindly for it the table may draw, where nobody has a bag or a deck at hand."""

    def may_draw(self, state: Any) -> bool:
        """Whether it may now; what the hands hold by then stays theirs to draw."""


@runtime_checkable
class RedrawsBoard(Protocol):
    """Its board shows what play has told of it: lines that the options left open."""

    def board_now(self, state: Any) -> Board:
        """The board as the position has it; places and layout are those of the options."""


@runtime_checkable
class LaysTiles(Protocol):
    """Its board is laid of tiles before figures are put on it, another one for each game."""

    def tiles(self, state: Any) -> Mapping[str, Sequence[str]]:
        """The tiles that lie in each place, by id (domain ``terrain``); places without are left out."""


@runtime_checkable
class MakesBattles(Protocol):
    """Its battles can be made by its players, in an editor."""

    @property
    def battles(self) -> BattleMaking:
        """How they are made."""


@runtime_checkable
class PlaysItself(Protocol):
    """Computer players can play it to its end."""

    def play_out(self, options: Mapping[str, Any], seed: int) -> PlayedOut:
        """A whole game by its computer players; the same seed gives the same game."""


@runtime_checkable
class TellsHands(Protocol):
    """Some of what its screens count is no affair of hands: it follows from something else on the table."""

    @property
    def only_counted(self) -> Collection[str]:
        """Such counters (up to a full stop), tracks and markers, by id."""


@runtime_checkable
class PicturesTokens(Protocol):
    """Some of its options have a picture of their own."""

    def token_picture(self, domain: str, value: str) -> Mapping[str, Any] | None:
        """What to draw; None for all others."""


@runtime_checkable
class DrawsFigures(Protocol):
    """Its pieces have silhouettes; those of other games are told by the letters of their short names."""

    @property
    def figures(self) -> Mapping[str, Figure]:
        """How pieces and markers are drawn, by id."""


@runtime_checkable
class TracedRules(Protocol):
    """It names the functions that carry out rules which no request names, for coverage."""

    @property
    def rule_places(self) -> Mapping[str, tuple[CodeType, ...]]:
        """Code objects by rule."""


@runtime_checkable
class SeatLooks(Protocol):
    """A game whose seats have colours or outlines of their own."""

    @property
    def looks(self) -> Mapping[str, Look]:
        """How each seat is drawn."""


@runtime_checkable
class FewerSeats(Protocol):
    """A game that fewer than all its seats can play.  ``options["seats"]`` lists those who do."""

    @property
    def least_seats(self) -> int:
        """How many must play at least."""


@runtime_checkable
class PlaysOn(Protocol):
    """A game that goes on for the others where one resigns; its flow catches ``SeatLeft``."""

    def plays_on_without(self, state: Any, seat: str) -> bool:
        """Whether the others play on where ``seat`` resigns now."""


@runtime_checkable
class TakesReactions(Protocol):
    """A game in which seats may react in another's turn."""

    @property
    def wishes(self) -> Mapping[str, Sequence[str]]:
        """The standing wishes and the conditions that each knows besides ``never`` and ``always``."""


@runtime_checkable
class CapturesBoards(Protocol):
    """A game that is played on boards which its owner captures from photographs."""

    def capture_forms(self) -> Sequence[CaptureForm]:
        """What can be captured."""

    def capture_troubles(self, form: str, drawing: Drawing) -> list[Trouble]:
        """What is missing or cannot be so, by the rulebook's counts."""

    def captured(self, form: str, drawing: Drawing) -> dict[str, Any]:
        """The game's data of a complete drawing, a part of ``options["board"]``."""


@runtime_checkable
class NamesItsThings(Protocol):
    """A game with things that the common kinds do not know, or with ids put together from others."""

    @property
    def kinds(self) -> Mapping[str, Sequence[str]]:
        """Kinds of names by domain, besides those that ``referee.kernel.naming`` knows."""

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """The name of an id that is put together from several (``gondor_elite@edoras``); None for others."""


@runtime_checkable
class ReadsCards(Protocol):
    """Its players have cards of cells, which a camera knows once they were taught: a look becomes steps of a
    draft.  Cells are words, row by row, None where unclear."""

    def card_steps(self, state: Any, request: Request) -> int:
        """How many first steps of a draft tell a card that may be looked at instead; 0 where none do."""

    def seen_card(self, state: Any, cells: Sequence[str | None]) -> list[str]:
        """The first steps of the draft that a look at a card settles; none where it settles nothing."""

    def seen_shapes(self, state: Any, seat: str) -> Sequence[tuple[int, int]]:
        """How many rows and columns of cells the seat's cards may have once the next one lies."""

    def seen_tableau(
        self, state: Any, seat: str, seen: Mapping[tuple[int, int], Sequence[Sequence[str | None]]]
    ) -> list[str]:
        """The steps that a photograph of all the seat's cards settles, as it was read for each shape."""

    def card_cells(self, state: Any, values: Sequence[str]) -> tuple[str, ...] | None:
        """The cells of the card that these steps tell; None where they tell no whole card."""

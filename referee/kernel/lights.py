"""Lights: what each place under the board shows, as a pure value.

The palette gives each meaning a colour *and* a pattern; the tablet says the
same in words.  Nothing here knows about LEDs, wires or browsers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from referee.kernel.capabilities import MarksPlaces, TellsHolders

if TYPE_CHECKING:
    from referee.kernel.requests import Request


class Pattern(IntEnum):
    """How a light moves in time; the numbers go over the wire."""

    OFF = 0
    STEADY = 1
    PULSE = 2
    BLINK = 3
    CHASE = 4
    BREATHE = 5


@dataclass(frozen=True, slots=True)
class Light:
    """One place's light: red, green, blue 0..255 (linear, before gamma) and a pattern."""

    red: int
    green: int
    blue: int
    pattern: Pattern = Pattern.STEADY


class Meaning(Enum):
    """What a light says."""

    ORIGIN = "origin"
    TARGET = "target"
    SELECTED = "selected"
    REFUSED = "refused"
    FIGHT = "fight"
    CONTROL_A = "control_a"
    CONTROL_B = "control_b"
    HELD_ACTING = "held_acting"
    HELD_OTHER = "held_other"
    OBJECTIVE_LOST = "objective_lost"
    OBJECTIVE_WON = "objective_won"
    WAITING_DICE = "waiting_dice"
    WAITING_PERSON = "waiting_person"
    TURN = "turn"
    THREAT = "threat"
    AUDIT = "audit"


PALETTE: Mapping[Meaning, Light] = {
    Meaning.ORIGIN: Light(250, 220, 60, Pattern.PULSE),
    Meaning.TARGET: Light(90, 195, 255, Pattern.BREATHE),
    Meaning.SELECTED: Light(255, 255, 255, Pattern.STEADY),
    Meaning.REFUSED: Light(235, 100, 40, Pattern.BLINK),
    Meaning.FIGHT: Light(180, 0, 235, Pattern.CHASE),
    Meaning.CONTROL_A: Light(40, 40, 140, Pattern.STEADY),
    Meaning.CONTROL_B: Light(180, 50, 0, Pattern.STEADY),
    Meaning.HELD_ACTING: Light(35, 25, 115, Pattern.STEADY),
    Meaning.HELD_OTHER: Light(180, 20, 10, Pattern.STEADY),
    Meaning.OBJECTIVE_LOST: Light(110, 30, 45, Pattern.BLINK),
    Meaning.OBJECTIVE_WON: Light(0, 100, 100, Pattern.BREATHE),
    Meaning.WAITING_DICE: Light(170, 195, 150, Pattern.CHASE),
    Meaning.WAITING_PERSON: Light(115, 135, 115, Pattern.PULSE),
    Meaning.TURN: Light(255, 200, 140, Pattern.STEADY),
    Meaning.THREAT: Light(45, 96, 100, Pattern.BREATHE),
    Meaning.AUDIT: Light(195, 155, 255, Pattern.PULSE),
}
"""Chosen so that no two meanings that can be lit together look alike under the common
colour-vision deficiencies (CIEDE2000 of 15 or more), and that those of one pattern
differ threefold in brightness, so that one colour is enough (docs/lights.md)."""

HOLDING = frozenset({Meaning.CONTROL_A, Meaning.CONTROL_B, Meaning.HELD_ACTING, Meaning.HELD_OTHER})
"""Who holds a place: the first two in games of two sides, the others where there are more."""

Lights = Mapping[str, Light]
"""Place id (a region or box of the game's map) to its light; a place not named is dark."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person has under their finger: places chosen so far, where it starts, a place refused, and the
    places that are in its ``way``."""

    selected: tuple[str, ...] = ()
    origin: str | None = None
    refused: str | None = None
    way: tuple[str, ...] = ()


TRAY = "tray"
"""The dice tray counts as a place: it may have a light of its own."""


def seat_light(seat: str) -> str:
    """The place id of a seat's own light at the rim of the table."""
    return f"seat_{seat}"


def lit_places(game: Any, options: Mapping[str, Any] | None = None) -> list[str]:
    """All that may have LEDs: places of the board (if the game draws one), the tray, all seats it can have.

    ``options`` are those of the game on the table; None: the usual board.
    """
    board = getattr(game, "board", None)
    return [*(board(options or {}).places if board is not None else ()), TRAY, *map(seat_light, game.seats)]


def lights_for(
    game: Any,
    state: Any,
    request: Request | None,
    selection: Selection | None = None,
    asked: Sequence[str] = (),
    lit: Collection[str] | None = None,
) -> Lights:
    """What each place shows.  A pure function; later meanings cover earlier ones.

    From below: who holds what (the game's hook ``holders(state)``), the game's own markers (its hook
    ``markers(state)`` maps places to meanings: lost objectives, a fight), where the question comes
    from (``about``), what may be chosen, and what the person has tapped.
    ``asked``: the seats whose answer is awaited; their own lights say so.  ``lit``: all that may have
    LEDs on this board; None: on the usual one.
    """
    meanings: dict[str, Meaning] = {seat_light(seat): Meaning.TURN for seat in asked}
    if isinstance(game, TellsHolders):
        meanings.update(_held(game.seats, game.holders(state), asked))
    if isinstance(game, MarksPlaces):
        meanings.update(game.markers(state))
    if request is not None:
        meanings.update(_asked(request))
    if selection is not None:
        meanings.update(_tapped(selection))
    # among places to choose there may be an option that is none ("stay")
    if lit is None:
        lit = frozenset(lit_places(game)) if hasattr(game, "board") else meanings.keys()
    return {place: PALETTE[meaning] for place, meaning in meanings.items() if place in lit}


def _held(seats: Sequence[str], holders: Mapping[str, str], asked: Sequence[str]) -> dict[str, Meaning]:
    """Who holds what.  Two sides have a light each.

    Five would need five that nobody could tell apart, so with more than two seats a light says
    whether whoever is asked holds the place, and nothing where nobody or several are asked.
    """
    if len(seats) == 2:
        sides = dict(zip(seats, (Meaning.CONTROL_A, Meaning.CONTROL_B), strict=True))
        return {place: sides[seat] for place, seat in holders.items()}
    if len(asked) != 1:
        return {}
    return {
        place: Meaning.HELD_ACTING if seat == asked[0] else Meaning.HELD_OTHER
        for place, seat in holders.items()
    }


def _asked(request: Request) -> dict[str, Meaning]:
    about = request.about
    found: dict[str, Meaning] = {}
    if request.kind == "roll_dice":
        found[TRAY] = Meaning.WAITING_DICE
        if isinstance(about.get("place"), str):
            found[about["place"]] = Meaning.FIGHT
        return found
    if isinstance(about.get("place"), str):
        found[about["place"]] = Meaning.WAITING_PERSON
    if isinstance(about.get("from"), str):
        found[about["from"]] = Meaning.ORIGIN
    if request.domain == "place":
        for place in _places(request):
            found[place] = Meaning.TARGET
    return found


def _places(request: Request) -> list[str]:
    """The places that may be chosen, without computing refusals."""
    options = getattr(request, "options", None)
    if options is None:
        limits = getattr(request, "limits", {})
        return [place for place, most in limits.items() if most > 0]
    return list(options)


def _tapped(selection: Selection) -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    if selection.origin is not None:
        found[selection.origin] = Meaning.ORIGIN
    for place in selection.selected:
        found[place] = Meaning.SELECTED
    for place in (*selection.way, *filter(None, (selection.refused,))):
        found[place] = Meaning.REFUSED
    return found

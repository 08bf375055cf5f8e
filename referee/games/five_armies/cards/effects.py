"""Cards and abilities as programs of primitives: where they may act, and how a program is carried out.

A program is a list of steps, each a mapping whose ``do`` names a primitive;
the other keys are its arguments.  Steps run in order under the ordinary rules;
what cannot be done is left out (p. 15).  ``it`` is the place that an earlier
step of the same card dealt with.  The primitives themselves are in the
modules that :mod:`primitives` gathers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import FREE, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.rules import occasions
from referee.games.five_armies.rules.asking import Ask, choose, refuse_all
from referee.games.five_armies.rules.pieces import enemies, led_armies
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.games.kit.programs import Primitives
from referee.games.kit.programs import Step as Step  # the modules of primitives take it from here
from referee.kernel.refusals import Refusal

RULE = "cards.all_effects_apply"


@dataclass(slots=True)
class Running:
    """A card that is being carried out: whose, which, with which die face, and what it dealt with last."""

    seat: int
    card: str
    face: int
    it: int = -1
    step: Step = field(default_factory=lambda: {"do": "march_and_attack"})


# --- where -------------------------------------------------------------------------------------


def _of_people(people: str) -> Callable[[State, int], int]:
    def select(state: State, seat: int) -> int:
        return sum(1 << p for p in places_in(state.armies[seat]) if people in ARMY[state.units[p]].peoples)

    return select


def _with_goblins(state: State, seat: int) -> int:
    return sum(1 << p for p in places_in(state.armies[seat]) if ARMY[state.units[p]].has_goblin)


def _next_to_led(state: State, seat: int) -> int:
    near = board.NEAR[led_armies(state, seat)] & state.armies[1 - seat]
    return sum(1 << place for place in places_in(near) if state.leaders[place])


SELECTORS: Mapping[str, Callable[[State, int], int]] = {
    "own_army": lambda state, seat: state.armies[seat],
    "led_army": led_armies,
    "dwarves": _of_people("dwarves"),
    "elves": _of_people("elves"),
    "goblins": _with_goblins,
    "army_in_broken_lands": lambda state, seat: state.armies[seat] & board.IN_TERRITORY[board.BROKEN_LANDS],
    "army_in_goblin_box": lambda state, seat: state.armies[seat] & (board.GOBLIN_MUSTERS | board.PASSES),
    "own_settlement": lambda state, seat: board.SETTLEMENTS & ~state.control & ~state.armies[1 - seat],
    "ravenhill": lambda state, seat: (
        1 << board.RAVENHILL & ~enemies(state, SHADOW) | 1 << board.RAVENHILL & state.armies[FREE]
    ),
    "mustering": lambda state, seat: board.MUSTERING & ~enemies(state, seat),
    "dale_or_next": lambda state, seat: (
        (1 << board.RUINS_OF_DALE | board.NEIGHBOURS[board.RUINS_OF_DALE]) & ~enemies(state, seat)
    ),
    "next_to_led_army": _next_to_led,
}
"""Where a step may happen: selector to the mask of places, for the seat whose card it is."""


def choose_place(
    state: State,
    run: Running,
    mask: int,
    prompt: str,
    *,
    may_stop: bool = False,
    why_not: Callable[[int], Refusal | None] | None = None,
) -> Ask:
    """Ask for one of some places; returns -1 where there is none or the player stops.

    ``why_not`` knows more of the places that are not among them than that the card does not name them.
    """
    may_stop |= not mask
    options = OPTIONS[mask]

    def refusal(place: int) -> Refusal:
        return (None if why_not is None else why_not(place)) or why_not_there(run, place)

    chosen = yield from choose(
        run.seat,
        prompt,
        (*options, "done") if may_stop else options,
        domain="place",
        about={"card": run.card},
        rule=RULE,
        refused=lambda: refuse_all(PLACES, refusal, but=mask),
    )
    return -1 if chosen == "done" else PLACE[chosen]


def out_of_bounds(run: Running, place: int) -> Refusal | None:
    """Why a step does not reach a place outside the territory that the card is bound to."""
    within = run.step.get("within")
    if within is None or board.IN_TERRITORY[board.TERRITORIES.index(within)] >> place & 1:
        return None
    about = {"card": run.card, "place": PLACES[place], "territory": within}
    return Refusal("cards.rules_still_apply", "card_bound", about)


def why_not_there(run: Running, place: int) -> Refusal:
    """Why a step does not happen in a place: what the card asks for is not there."""
    wants = run.step.get("where", run.step.get("army", run.step.get("to", run.step["do"])))
    about = {"card": run.card, "place": PLACES[place]}
    return out_of_bounds(run, place) or Refusal("cards.rules_still_apply", f"card_wants_{wants}", about)


PRIMITIVES: Primitives[State, Running] = Primitives()
"""Every primitive by the name that programs use; the modules of primitives add theirs."""


def run_program(state: State, run: Running, program: tuple[Step, ...] | list[Step]) -> Ask:
    """Carry a program out, step by step."""
    for run.step in program:
        yield from PRIMITIVES.run(state, run, [run.step])


@occasions.run_program.answered_by
def run_by_rule(state: State, seat: int, card: str, program: Sequence[Step]) -> Ask:
    """Carry out the program of a Fate card or an ability, for which no die was used."""
    return run_program(state, Running(seat, card, -1), list(program))

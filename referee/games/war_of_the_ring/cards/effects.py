"""Cards as programs of primitives: where they may act, and how a program is carried out.

A program is a list of steps, each a mapping whose ``do`` names a primitive; the
other keys are its arguments.  Steps run in order under the ordinary rules; they
are mandatory, and what cannot be done is left out (second edition, page 22).
The primitives are in the modules that :mod:`primitives` gathers.  An attack
comes last in every program: the battle ends the action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from referee.games.kit.asking import refuse_all
from referee.games.kit.programs import Primitives
from referee.games.kit.programs import Step as Step  # the modules of primitives take it from here
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import mask_of, places_in, region_of
from referee.games.war_of_the_ring.cards.conditions import (
    armies_of_several_nations,
    free_armies_near_nazgul,
    king,
    places_with,
)
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.asking import choose_place as ask_place
from referee.games.war_of_the_ring.rules.pieces import besieged, free_for
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

RULE = "cards.effects_are_mandatory"


@dataclass(slots=True)
class Running:
    """A card that is being carried out: whose, which, with which die face (-1: without a die)."""

    seat: int
    card: str
    face: int


PRIMITIVES: Primitives[State, Running] = Primitives()
"""Every primitive by the name that programs use; the modules of primitives add theirs."""


primitive = PRIMITIVES.named


def run_program(state: State, run: Running, program: Iterable[Step]) -> Ask:
    """Carry a program out, step by step."""
    return PRIMITIVES.run(state, run, program)


# --- where ----------------------------------------------------------------------------------------


def _at(place: int) -> int:
    return 1 << place if place >= 0 else 0


def _named(*names: str) -> Callable[[State, int], int]:
    mask = mask_of(*(board.PLACE[name] for name in names))
    return lambda state, seat: mask


def _with_companion(regions: int) -> Callable[[State, int], int]:
    def select(state: State, seat: int) -> int:
        found = 0
        for character in places_in(box.COMPANIONS):
            where = state.where[character]
            if where >= 0 and regions >> region_of(where) & 1:
                found |= 1 << region_of(where)
        return found

    return select


_ITHILIEN = mask_of(*(board.PLACE[name] for name in ("osgiliath", "north_ithilien", "south_ithilien")))
_OSGILIATH = 1 << board.PLACE["osgiliath"]
_MINAS_TIRITH = board.PLACE["minas_tirith"]
_EDORAS = 1 << board.PLACE["edoras"]
_ROHAN_COMPANION = _with_companion(board.IN_NATION[box.ROHAN])


def _elven_armies(state: State, seat: int) -> int:
    return state.armies[box.FREE] & board.IN_NATION[box.ELVES] & board.STRONGHOLD_MASK


SELECTORS: Mapping[str, Callable[[State, int], int]] = {
    "own_army": lambda s, seat: s.armies[seat],
    "enemy_army": lambda s, seat: s.armies[1 - seat],
    "mixed_enemy_army": lambda s, seat: armies_of_several_nations(s, 1 - seat),
    "enemy_in_ithilien": lambda s, seat: s.armies[1 - seat] & _ITHILIEN,
    "own_army_in_osgiliath": lambda s, seat: s.armies[seat] & _OSGILIATH,
    "own_army_on_coast": lambda s, seat: s.armies[seat] & board.COASTAL,
    "with_boromir": lambda s, seat: (
        _at(region_of(s.where[box.BOROMIR])) & board.IN_NATION[box.GONDOR] if s.where[box.BOROMIR] >= 0 else 0
    ),
    "with_king": lambda s, seat: _at(king(s)) & s.armies[box.FREE],
    "with_witch_king": lambda s, seat: _at(s.where[box.WITCH_KING]),
    "with_companion": lambda s, seat: places_with(s, box.FREE, companion=True),
    "with_nazgul": lambda s, seat: places_with(s, box.SHADOW, nazgul=True),
    "edoras_or_rohan_with_companion": lambda s, seat: _EDORAS | _ROHAN_COMPANION(s, seat),
    "rohan_settlement": lambda s, seat: (
        board.IN_NATION[box.ROHAN] & board.SETTLEMENTS & free_for(s, box.FREE)
    ),
    "besieged_minas_tirith": lambda s, seat: _at(board.SIEGE_BOX[_MINAS_TIRITH]) & s.armies[box.FREE],
    "gram_or_moria": _named("mount_gram", "moria"),
    "east_edge": lambda s, seat: board.EAST_EDGE & free_for(s, box.SHADOW),
    "sauron_stronghold": lambda s, seat: board.IN_NATION[box.SAURON] & board.STRONGHOLD_MASK & ~s.captured,
    "elven_armies": _elven_armies,
    "near_nazgul": lambda s, seat: free_armies_near_nazgul(s),
}
"""Where a step may happen: selector to the mask of places, for the seat whose card it is."""


def where(state: State, seat: int, step: Step) -> int:
    """Mask of the places that a step names: a selector, a place, or the settlements of its nation."""
    name = step["where"]
    if name == "own_settlement_of_nation":
        return board.IN_NATION[box.NATION[step["nation"]]] & board.SETTLEMENTS & ~state.captured
    select = SELECTORS.get(name)
    return select(state, seat) if select is not None else 1 << board.PLACE[name]


def choose_place(
    state: State, run: Running, mask: int, prompt: str, *, seat: int = -1, named: int = 0
) -> Ask:
    """Ask for one of some places; -1 where there is none.

    ``seat`` is who chooses (-1: whose card it is); ``named`` are the places that
    the card names, of which those outside ``mask`` are not free to recruit in.
    """

    wants = f"card_wants_{prompt.removeprefix('prompt.')}"

    def why(place: int) -> Refusal:
        about = {"card": run.card, "place": board.PLACES[place]}
        if named >> place & 1:
            return Refusal("cards.recruit_free_region", "enemy_there", about)
        return Refusal("cards.rules_still_apply", wants, about)

    chosen = yield from ask_place(
        run.seat if seat < 0 else seat,
        prompt,
        mask,
        rule=RULE,
        about={"card": run.card},
        refused=lambda: refuse_all(board.PLACES, why, but=mask),
        nowhere=True,
    )
    return chosen


def open_to_recruits(state: State, seat: int) -> int:
    """Mask of the regions where a card of ``seat`` may recruit: free ones, and its besieged strongholds.

    Second edition, page 27; the region of a stronghold that one's own army besieges is free (pages 10, 31).
    """
    mine = sum(
        1 << region
        for region in places_in(besieged(state))
        if state.armies[seat] >> board.SIEGE_BOX[region] & 1
    )
    return free_for(state, seat) | mine

"""What must hold before a card can be played, and while it stays in play: the names in ``box/cards.toml``.

A condition looks at the position only.  "Settlement of a side" on a card means
by origin, whoever holds it now (official answer); "unconquered" means held by
its own nation, besieged or not (second edition, page 10).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in, region_of
from referee.games.war_of_the_ring.rules.pieces import besieged, controlled
from referee.games.war_of_the_ring.state.armies import GROUP, NATION_BITS, NAZGUL_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, State

FANGORN, MINAS_TIRITH = board.PLACE["fangorn"], board.PLACE["minas_tirith"]


def in_fellowship(state: State, *characters: int) -> bool:
    """Whether one of these characters travels with the Ring-bearers."""
    return any(state.where[character] == IN_FELLOWSHIP for character in characters)


def in_play(state: State, character: int) -> bool:
    """Whether a character stands on the map or travels with the Ring-bearers."""
    return state.where[character] >= 0 or state.where[character] == IN_FELLOWSHIP


def king(state: State) -> int:
    """The place of Strider or Aragorn on the map, -1 where neither stands there."""
    return max(state.where[box.STRIDER], state.where[box.ARAGORN], -1)


def places_with(state: State, seat: int, *, companion: bool = False, nazgul: bool = False) -> int:
    """Mask of the places where an army of ``seat`` has a companion, or Nazgul (the Witch-king counts)."""
    mask = 0
    for place in places_in(state.armies[seat]):
        if companion and state.chars[place] & box.COMPANIONS:
            mask |= 1 << place
        if nazgul and (state.figures[place] & NAZGUL_BITS or state.chars[place] >> box.WITCH_KING & 1):
            mask |= 1 << place
    return mask


def near_regions(places: int) -> int:
    """Mask of the regions in which the places lie and of those next to them."""
    mask = 0
    for place in places_in(places):
        region = region_of(place)
        mask |= 1 << region | board.NEIGHBOURS[region]
    return mask


def nazgul_armies_near(state: State) -> int:
    """Places of Shadow armies with Nazgul next to, or with, a Free Peoples army that has a companion."""
    near = near_regions(places_with(state, box.FREE, companion=True))
    return _in_regions(places_with(state, box.SHADOW, nazgul=True), near)


def free_armies_near_nazgul(state: State) -> int:
    """Places of Free Peoples armies next to, or in the region of, a Shadow army with Nazgul."""
    return _in_regions(state.armies[box.FREE], near_regions(places_with(state, box.SHADOW, nazgul=True)))


def _in_regions(places: int, regions: int) -> int:
    return sum(1 << place for place in places_in(places) if regions >> region_of(place) & 1)


def stronghold_besieged_by(state: State, leader: str) -> int:
    """Mask of the strongholds that the Witch-king, or an army with units of a nation, besieges."""
    sieges = besieged(state) & state.armies[box.SHADOW]
    if leader == "witch_king":
        where = state.where[box.WITCH_KING]
        return sieges & (1 << where) if where >= 0 else 0
    bits = NATION_BITS[box.NATION[leader]] & UNIT_BITS
    return sum(1 << region for region in places_in(sieges) if state.figures[region] & bits)


def nations_for_stormcrow(state: State) -> int:
    """Mask of the Free Peoples nations not At War inside whose borders the Fellowship or a companion is."""
    regions = 1 << state.ring if state.mordor < 0 else 0
    for character in places_in(box.COMPANIONS):
        if state.where[character] >= 0:
            regions |= 1 << region_of(state.where[character])
    return sum(
        1 << nation for nation in range(5) if state.steps[nation] and board.IN_NATION[nation] & regions
    )


def armies_of_several_nations(state: State, seat: int) -> int:
    """Mask of the places with an army of ``seat`` whose units are of two nations or more."""
    return sum(
        1 << place
        for place in places_in(state.armies[seat])
        if GROUP[state.figures[place]].unit_nations.bit_count() >= 2
    )


def _king_within(regions: int, *, army: bool) -> Callable[[State], bool]:
    def holds(state: State) -> bool:
        where = king(state)
        if where < 0 or not regions >> region_of(where) & 1:
            return False
        return not army or bool(state.armies[box.FREE] >> where & 1)

    return holds


def _at_war(*nations: int) -> Callable[[State], bool]:
    return lambda state: not any(state.steps[nation] for nation in nations)


def _gandalf_and_companion(state: State) -> bool:
    companions = state.chars[FANGORN] & box.COMPANIONS
    return in_play(state, box.GANDALF_WHITE) and bool(companions)


def _aragorn_abroad(state: State) -> bool:
    where = state.where[box.ARAGORN]
    return (
        where >= 0
        and bool(state.armies[box.FREE] >> where & 1)
        and not board.OF_SEAT[box.FREE] >> region_of(where) & 1
    )


def _boromir_in_gondor(state: State) -> bool:
    where = state.where[box.BOROMIR]
    return where >= 0 and bool(board.IN_NATION[box.GONDOR] >> region_of(where) & 1)


def ring_in_the_wild(state: State) -> bool:
    """Whether the Ring-bearers are in no settlement of the Free Peoples, by origin, and not in Mordor."""
    return state.mordor < 0 and not (board.SETTLEMENTS & board.OF_SEAT[box.FREE]) >> state.ring & 1


def _minas_tirith_besieged(state: State) -> bool:
    return bool(state.armies[box.FREE] >> board.SIEGE_BOX[MINAS_TIRITH] & 1)


CONDITIONS: Mapping[str, Callable[[State], bool]] = {
    "companion_in_fellowship": lambda s: any(where == IN_FELLOWSHIP for where in s.where[:7]),
    "gimli_or_legolas_in_fellowship": lambda s: in_fellowship(s, box.GIMLI, box.LEGOLAS),
    "no_gimli_or_legolas_in_fellowship": lambda s: not in_fellowship(s, box.GIMLI, box.LEGOLAS),
    "boromir_in_fellowship": lambda s: in_fellowship(s, box.BOROMIR),
    "no_boromir_in_fellowship": lambda s: not in_fellowship(s, box.BOROMIR),
    "gandalf_grey_in_fellowship": lambda s: in_fellowship(s, box.GANDALF_GREY),
    "no_gandalf_grey_in_fellowship": lambda s: not in_fellowship(s, box.GANDALF_GREY),
    "king_with_army_in_gondor_or_rohan": _king_within(
        board.IN_NATION[box.GONDOR] | board.IN_NATION[box.ROHAN], army=True
    ),
    "king_in_rohan": _king_within(board.IN_NATION[box.ROHAN], army=False),
    "king_with_army": _king_within(board.ALL_REGIONS, army=True),
    "companion_army_near_nazgul_army": lambda s: bool(nazgul_armies_near(s)),
    "gandalf_white_and_companion_in_fangorn": _gandalf_and_companion,
    "boromir_in_gondor": _boromir_in_gondor,
    "aragorn_with_army_abroad": _aragorn_abroad,
    "gondor_active": lambda s: bool(s.awake >> box.GONDOR & 1),
    "rohan_at_war": _at_war(box.ROHAN),
    "elves_at_war": _at_war(box.ELVES),
    "isengard_at_war": _at_war(box.ISENGARD),
    "sauron_at_war": _at_war(box.SAURON),
    "southrons_at_war": _at_war(box.SOUTHRONS),
    "all_shadow_at_war": _at_war(*box.SHADOW_NATIONS),
    "army_with_companion": lambda s: bool(places_with(s, box.FREE, companion=True)),
    "ring_in_the_wild": ring_in_the_wild,
    "fellowship_under_way": lambda s: s.mordor < 0 and s.progress >= 1,
    "fellowship_revealed": lambda s: not s.hidden,
    "nazgul_army_near_free_army": lambda s: bool(free_armies_near_nazgul(s)),
    "witch_king_besieging": lambda s: bool(stronghold_besieged_by(s, "witch_king")),
    "saruman_in_play": lambda s: s.where[box.SARUMAN] >= 0,
    "no_saruman": lambda s: s.where[box.SARUMAN] < 0,
    "witch_king_in_play": lambda s: s.where[box.WITCH_KING] >= 0,
    "aragorn_in_play": lambda s: in_play(s, box.ARAGORN),
    "shadow_holds_elven_stronghold": lambda s: bool(
        controlled(s, box.SHADOW) & board.IN_NATION[box.ELVES] & board.STRONGHOLD_MASK
    ),
    "saruman_and_isengard_besieging": lambda s: (
        s.where[box.SARUMAN] >= 0 and bool(stronghold_besieged_by(s, "isengard"))
    ),
    "minas_tirith_besieged": _minas_tirith_besieged,
    "minas_tirith_not_besieged": lambda s: not _minas_tirith_besieged(s),
    "nation_for_stormcrow": lambda s: bool(nations_for_stormcrow(s)),
}
"""Condition name to whether it holds; :mod:`card_data` names one for each card that has one."""


def met(state: State, condition: str) -> bool:
    """Whether a condition holds; "" always does."""
    return not condition or CONDITIONS[condition](state)

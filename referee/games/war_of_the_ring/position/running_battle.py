"""A running battle in a position file: what must hold of it, once its entries are read.

A game goes on from the beginning of the round that ``round`` names (0: before
the first); what the sides did in it is part of the state all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.box.components import SEATS
from referee.games.war_of_the_ring.box.map import COASTAL, NEIGHBOURS, PLACES, region_of
from referee.games.war_of_the_ring.cards.combat_effects import EFFECTS
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.battle import BATTLE, Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text


def read_battle(state: State, spot: LocatedValue) -> None:
    """Set ``state.battle`` up; what cannot be fought is noted as a problem."""
    for key in ("attacker", "from", "target"):
        if spot.get(key) is None:
            spot.wrong(Text("war_of_the_ring.battle_missing", key=key))
            return
    battle = Battle()
    BATTLE.hear(battle, spot)
    for seat in SEATS:
        _check_steps(spot.get(seat))
    state.phase, state.step, state.battle = 5, "fight", battle


def check_battle(state: State, battle: Battle, spot: LocatedValue) -> None:
    """What cannot be fought is noted as a problem."""
    for step in (step for side in battle.sides for step in side.steps):
        if not isinstance(step, dict) or step.get("do") not in EFFECTS:
            spot.wrong(Text("war_of_the_ring.step_needs_primitive_do", path=spot.path))
    for problem in _problems(state, battle):
        spot.wrong(Text("war_of_the_ring.at_place", place="battle", problem=problem))


def _problems(state: State, battle: Battle) -> Iterator[Text]:
    over = bool(battle.ended) or battle.step in ("casualties", "end")  # an army may be gone already
    for seat, place in ((battle.attacker, battle.start), (battle.defender, battle.target)):
        if not state.armies[seat] >> place & 1 and not over:
            yield Text("war_of_the_ring.no_army", seat=SEATS[seat], place=PLACES[place])
    start, target = region_of(battle.start), region_of(battle.target)
    by_sea = COASTAL >> start & 1 and COASTAL >> target & 1  # a card lets corsairs do so
    if start != target and not NEIGHBOURS[start] >> target & 1 and not by_sea:
        first, second = PLACES[start], PLACES[target]
        yield Text("war_of_the_ring.not_next", first=first, second=second)
    there = state.figures[battle.start] & SEAT_BITS[battle.attacker]
    counts, rear = GROUP[there].counts, GROUP[battle.rear].counts
    nobody_attacks = there & UNIT_BITS == battle.rear & UNIT_BITS and not over
    if nobody_attacks or any(number > counts.get(name, 0) for name, number in rear.items()):
        yield Text("war_of_the_ring.rearguard_part_army_leaves")


def _check_steps(side: LocatedValue | None) -> None:
    """The declared effect of a card by hand: steps of the same primitives that known cards use."""
    steps = None if side is None else side.get("steps")
    for item in () if steps is None else steps.items():
        do = item.get("do")
        if do is None or do.word(EFFECTS) is None:
            item.wrong(Text("war_of_the_ring.step_needs_primitive_do", path=item.path))

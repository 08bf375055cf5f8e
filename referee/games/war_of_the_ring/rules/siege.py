"""Chapter VI: strongholds and sieges: withdrawing inside, siege battles, what ends them."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACES, SIEGE_BOX, places_in
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.rules.fighting import force
from referee.games.war_of_the_ring.rules.pieces import (
    controlled,
    lift,
    put_character,
    reduce_elite,
    regulars_left,
    set_down,
)
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

FIELD, WITHDRAW = "field_battle", "withdraw"
CEASE, GO_ON = "cease", "go_on"


# --- withdrawing into a stronghold --------------------------------------------------------------


def can_withdraw(state: State, battle: Battle) -> bool:
    """Whether the defender stands around a stronghold of his own and may go inside."""
    return battle.target in SIEGE_BOX and bool(controlled(state, battle.defender) >> battle.target & 1)


def offer_withdrawal(state: State, battle: Battle) -> Ask:
    """Before each round of a battle at his stronghold the defender chooses: field battle or siege."""
    chosen = yield ChooseOne(
        box.SEATS[battle.defender],
        "prompt.field_or_siege",
        (FIELD, WITHDRAW),
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="siege.withdraw",
        refused=lambda: [("retreat", Refusal("retreat.after_round", "retreat_after_round"))],
    )
    if chosen == FIELD:
        return False
    withdraw(state, battle)
    return True


def withdraw(state: State, battle: Battle) -> None:
    """The defending army goes into the siege box, leaders and characters too."""
    region, seat = battle.target, battle.defender
    siege_box = SIEGE_BOX[region]
    figures = state.figures[region] & SEAT_BITS[seat]
    lift(state, region, figures)
    set_down(state, siege_box, figures)
    for character in places_in(state.chars[region] & box.CHARACTERS_OF_SEAT[seat]):
        put_character(state, character, siege_box)


# --- siege battles ------------------------------------------------------------------------------


def reducible(state: State, battle: Battle) -> tuple[str, ...]:
    """The elites of the attacker that may become regulars to prolong a siege battle."""
    figures = force(state, battle, battle.attacker) & UNIT_BITS
    return tuple(box.FIGURES[f] for f in GROUP[figures].kinds if f & 1 and regulars_left(state, f))


def prolong(state: State, battle: Battle) -> Ask:
    """After the last round of a siege battle: an elite is reduced for one more, or the battle ends."""
    elites = reducible(state, battle)
    chosen = yield from choose(
        battle.attacker,
        "prompt.prolong_siege",
        (CEASE, *elites),
        domain="unit",
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="siege.prolong",
        refused=lambda: _why_not_prolong(state, battle, elites),
    )
    if chosen == CEASE:
        return False
    reduce_elite(state, battle.start, box.FIGURE[chosen])
    return True


def _why_not_prolong(state: State, battle: Battle, elites: tuple[str, ...]) -> list[tuple[str, Refusal]]:
    refused = [(GO_ON, Refusal("siege.one_round", "siege_one_round"))]
    for figure in GROUP[force(state, battle, battle.attacker) & UNIT_BITS].kinds:
        name = box.FIGURES[figure]
        if figure & 1 and name not in elites:
            refused.append((name, Refusal("siege.prolong", "no_regular_left", {"figure": name})))
        elif not figure & 1:
            refused.append((name, Refusal("siege.prolong", "only_elites", {"figure": name})))
    return refused

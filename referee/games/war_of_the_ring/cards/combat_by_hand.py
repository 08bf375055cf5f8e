"""Combat cards whose effect the referee does not know: their players declare it, the opponent agrees.

The declaration is a list of steps of the same primitives that known cards use,
so each is carried out at its timing and under its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.games.war_of_the_ring.box.components import DECKS, SEATS
from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

DONE = "nothing_more"
AGREE, OBJECT = "agree", "object"
RULE = "combat_card.by_hand"
MOST_STEPS = 3
"""No combat card has more effects than this."""
Ways = Mapping[str, tuple[Mapping[str, Any], str, int]]
"""Option id to the step it stands for, the argument that takes a number ("" for none), and its most."""

_BOTH_SEATS: Ways = {
    "cancel_card": ({"at": 0, "do": "cancel_card"}, "", 0),
    "leave": ({"at": 1, "do": "leave"}, "", 0),
    "attack_before": ({"at": 2, "do": "attack"}, "dice", 5),
    "attack_before_easy": ({"at": 2, "do": "attack", "hits_on": 4}, "dice", 5),
    "add_combat": ({"at": 3, "do": "add"}, "combat", 2),
    "add_reroll": ({"at": 3, "do": "add"}, "reroll", 2),
    "add_both_armies": ({"at": 3, "do": "add", "who": "both"}, "combat", 2),
    "add_both_armies_reroll": ({"at": 3, "do": "add", "who": "both"}, "reroll", 2),
    "subtract_enemy": ({"at": 3, "do": "add", "who": "enemy", "combat": -1}, "", 0),
    "most_dice": ({"at": 3, "do": "most_dice"}, "dice", 5),
    "fewer_dice": ({"at": 3, "do": "fewer_dice"}, "dice", 4),
    "no_reroll": ({"at": 3, "do": "no_reroll"}, "", 0),
    "forfeit": ({"at": 3, "do": "forfeit"}, "points", 5),
    "turn_misses": ({"at": 4, "do": "turn_misses"}, "dice", 5),
    "ones_fail": ({"at": 4, "do": "ones_fail"}, "", 0),
    "more_hits": ({"at": 5, "do": "more_hits"}, "hits", 3),
    "cancel_hits": ({"at": 6, "do": "cancel_hits"}, "hits", 5),
    "own_hits_modifier": ({"at": 3, "do": "own_hits", "combat": 1}, "most", 2),
    "own_hits_dice": ({"at": 7, "do": "own_hits", "dice": True, "hits_on": 4}, "most", 4),
    "sure_hit": ({"at": 7, "do": "sure_hit"}, "hits", 3),
    "attack_after": ({"at": 7, "do": "attack"}, "dice", 5),
}
_OF_SEAT: tuple[Ways, Ways] = (
    {
        "sacrifice": ({"at": 6, "do": "sacrifice"}, "", 0),
        "slay_nazgul": ({"at": 6, "do": "slay", "who": "nazgul", "free": True}, "", 0),
        "slay_minion": ({"at": 6, "do": "slay", "who": "minion", "free": True}, "", 0),
    },
    {
        "silence": ({"at": 1, "do": "silence"}, "", 0),
        "slay_leader": ({"at": 6, "do": "slay", "who": "leader_or_companion", "free": True}, "", 0),
    },
)
WAYS: tuple[Ways, Ways] = ({**_BOTH_SEATS, **_OF_SEAT[0]}, {**_BOTH_SEATS, **_OF_SEAT[1]})
"""What each seat may declare."""
_OPTIONS = tuple((DONE, *ways) for ways in WAYS)


def declare(state: State, battle: Battle, seat: int) -> Ask:
    """The player says what his card does; where the opponent objects, he says it again."""
    side = battle.sides[seat]
    about = {"place": PLACES[battle.target], "deck": DECKS[side.deck]}
    while True:
        side.steps = []
        names: dict[str, int] = {}
        while len(names) < MOST_STEPS:
            chosen = yield ChooseOne(
                SEATS[seat],
                "prompt.combat_by_hand",
                tuple(option for option in _OPTIONS[seat] if option not in names),
                domain="combat_step",
                about={**about, "declared": len(names)},
                rule=RULE,
                refused=partial(_declared_already, names),
            )
            if chosen == DONE:
                break
            step, names[chosen] = yield from _step(seat, chosen, about)
            side.steps.append(step)
        agreed = yield ChooseOne(
            SEATS[1 - seat],
            "prompt.combat_by_hand_agree",
            (AGREE, OBJECT),
            about={**about, "steps": dict(names), "seat": SEATS[seat]},
            rule=RULE,
        )
        if agreed == AGREE:
            return


def _declared_already(names: dict[str, int]) -> list[tuple[str, Refusal]]:
    return [(name, Refusal(RULE, "step_declared_already")) for name in names]


def _step(seat: int, name: str, about: Mapping[str, Any]) -> Ask:
    step, argument, most = WAYS[seat][name]
    if not argument:
        return dict(step), 1
    number = yield ChooseOne(
        SEATS[seat],
        "prompt.combat_by_hand_number",
        tuple(str(n) for n in range(1, most + 1)),
        domain="number",
        about={**about, "step": name},
        rule=RULE,
    )
    return {**step, argument: int(number)}, int(number)

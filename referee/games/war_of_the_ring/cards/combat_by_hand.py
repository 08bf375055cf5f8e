"""Combat cards whose effect the referee does not know: their players declare it, the opponent agrees.

The declaration is a list of steps of the same primitives that known cards use,
so each is carried out at its timing and under its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.games.war_of_the_ring.box.components import DECKS, SEATS, box_data
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


def _ways(part: str) -> Ways:
    """A part of ``box/combat_by_hand.toml``."""
    entries = box_data("combat_by_hand")[part].items()
    return {name: (way["step"], way.get("argument", ""), way.get("most", 0)) for name, way in entries}


WAYS: tuple[Ways, ...] = tuple({**_ways("both"), **_ways(seat)} for seat in SEATS)
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

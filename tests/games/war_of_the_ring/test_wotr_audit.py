"""The audit finds each thing that must never be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.games.war_of_the_ring.box.components import (
    F_ARMY,
    FIGURE,
    LEADER,
    NAZGUL,
    REGULAR,
    ROHAN,
    SARUMAN,
    SAURON,
    STRIDER,
    TILE,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.position.position import read_position
from referee.games.war_of_the_ring.rules.pieces import lift
from referee.games.war_of_the_ring.state.armies import ONE
from referee.games.war_of_the_ring.state.audit import audit
from referee.games.war_of_the_ring.state.state import State

POSITION = """\
start: true
unused_dice: {free: [muster, event], shadow: [army, event]}
table_cards: [wizards_staff]
regions:
  minas_tirith: {units: {sauron_regular: 2}, besieged: {units: {gondor_regular: 3}}}
"""


def sound() -> State:
    return read_position(POSITION).state


def test_a_sound_position_has_no_problems() -> None:
    assert audit(sound()) == []


def _add(place: str, figure: int, number: int = 1) -> Callable[[State], None]:
    """Figures from the reinforcements, masks untouched."""

    def change(state: State) -> None:
        state.figures[PLACE[place]] += ONE[figure] * number
        state.supply[figure] -= number

    return change


def _set(name: str, value: object) -> Callable[[State], None]:
    return lambda state: setattr(state, name, value)


def _item(name: str, index: int, value: object) -> Callable[[State], None]:
    def change(state: State) -> None:
        getattr(state, name)[index] = value

    return change


CASES: dict[str, tuple[Callable[[State], None], str]] = {
    "a figure too many": (
        _item("figures", PLACE["edoras"], ONE[FIGURE["rohan_regular"]] * 9),
        "rohan_regular",
    ),
    "a figure lost": (_item("supply", NAZGUL, 3), "nazgul"),
    "the Shadow's fallen": (_item("fallen", FIGURE["sauron_regular"], 1), "fallen"),
    "leaders alone": (_add("fangorn", LEADER[ROHAN]), "leaders alone"),
    "thirteen units": (_add("barad_dur", REGULAR[SAURON], 8), "barad_dur: 13 units"),
    "masks": (_item("armies", 0, 0), "masks"),
    "both sides": (_add("edoras", REGULAR[SAURON]), "both sides"),
    "control of a wood": (_set("captured", 1 << PLACE["fangorn"]), "control"),
    "a siege without besiegers": (
        lambda s: lift(s, PLACE["minas_tirith"], s.figures[PLACE["minas_tirith"]]),
        "siege without besiegers",
    ),
    "figures in a box": (_add("erebor_siege", NAZGUL), "box of no siege"),
    "a character in two places": (_item("chars", PLACE["moria"], 1 << SARUMAN), "characters' places"),
    "progress": (_set("progress", 13), "progress"),
    "corruption": (_set("corruption", 12), "corruption"),
    "Mordor": (_set("mordor", 6), "mordor: 6"),
    "a guide who left": (_item("where", STRIDER, -2), ""),
    "the Ring-bearers nowhere": (_set("ring", 120), "no region"),
    "a passive nation At War": (_item("steps", ROHAN, 0), "rohan"),
    "tiles": (_item("tiles", TILE["three"], 4), "tile three"),
    "special tiles": (_item("tiles_ready", TILE["phial"], 2), "tile phial"),
    "rings": (_set("rings", [3, 1]), "rings"),
    "dice": (lambda s: s.unused[0].__setitem__(F_ARMY, 9), "action dice"),
    "cards": (lambda s: s.hand[0].__setitem__(0, 3), "cards"),
    "a card never shown": (_set("table_cards", {"horn_of_gondor": {}}), "horn_of_gondor"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_audit_finds(name: str) -> None:
    change, problem = CASES[name]
    state = sound()
    change(state)
    found = audit(state)
    if name == "a guide who left":
        state.guide = STRIDER
        found, problem = audit(state), "guides a Fellowship"
    assert any(problem in line for line in found), found


def test_a_hand_of_seven_between_actions() -> None:
    state = sound()
    state.hand[1], state.deck[1] = [4, 3], [20, 21]
    assert "hand of 7" in audit(state)


def test_nothing_is_looked_at_before_the_set_up() -> None:
    assert audit(State()) == []

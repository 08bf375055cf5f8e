"""Combat cards: what comes first, how they are chosen, and the conditions they need."""

from __future__ import annotations

from typing import Any

import pytest
from battle_driving import HERE, THERE, Fight, at, begin, card_with, clash, ground, lay

from referee.games.war_of_the_ring.box.components import CHARACTER, FREE, SHADOW
from referee.games.war_of_the_ring.cards.combat_data import CONDITIONS, NEEDS, met
from referee.games.war_of_the_ring.state.card_data import CARD_BIT

ORCS, MEN = {"sauron_regular": 5}, {"gondor_regular": 5}
ROHAN = {"start": "fords_of_isen", "target": "westemnet"}
NONE = (1,) * 5


def hits(fought: Fight, seat: str) -> int:
    return fought.side(seat).hits


# --- timing -------------------------------------------------------------------------------------


@pytest.mark.rule("combat_card.timing", "combat_card.defender_first")
@pytest.mark.parametrize(("attacker", "cancelled"), [("shadow", "shadow"), ("free", "free")])
def test_with_equal_timing_the_defenders_card_comes_first(attacker: str, cancelled: str) -> None:
    armies = (ORCS, MEN) if attacker == "shadow" else (MEN, ORCS)
    fought = clash(*armies, "gimli", attacker=attacker, free="daring_defiance", shadow="swarm_of_bats")
    assert fought.side(cancelled).cancelled
    assert not fought.side("free" if cancelled == "shadow" else "shadow").cancelled


@pytest.mark.rule("combat_card.one_round")
def test_effects_last_one_round_and_the_card_is_gone() -> None:
    fought = clash(ORCS, MEN, free="daylight").go((1, 1, 1), NONE, "go_on", "stay")
    assert fought.request.dice == {"combat_shadow": 5}  # type: ignore[attr-defined]
    assert fought.state.hand[FREE] == [0, 0]


@pytest.mark.rule("combat_card.additional_attack")
def test_an_attack_by_a_card_needs_the_number_of_the_combat_roll() -> None:
    """A city in the first round, and no modifier of the opponent's card."""
    state = ground(
        {"osgiliath": {"gondor_regular": 2, "gondor_elite": 3}, "pelargir": ORCS},
        free="charge",
        captured="pelargir",
    )
    fought = begin(state, "free", "osgiliath", "pelargir", free="charge").use_cards()
    fought.go((5, 5, 6))
    assert at(state, "pelargir") == {"sauron_regular": 4}


@pytest.mark.rule("combat_card.forfeit")
def test_leadership_that_is_cancelled_cannot_be_forfeited() -> None:
    fought = clash(
        {"sauron_regular": 5, "nazgul": 1}, MEN, "gimli", free="mighty_attack", shadow="words_of_power"
    )
    fought.go(NONE, NONE, (1,))
    assert fought.asked == "shadow cease_or_go_on"
    assert hits(fought, "free") == 0


# --- choosing -----------------------------------------------------------------------------------


@pytest.mark.rule("combat_card.choose", "combat_card.reveal")
def test_the_attacker_puts_a_card_down_first_and_both_are_turned_over_together() -> None:
    state = ground({HERE: ORCS, THERE: MEN}, free="daylight", shadow="great_host")
    fought = begin(state, "shadow", HERE, THERE)
    assert fought.asked == "shadow combat_card_back"
    assert fought.options == {"no_card", "strategy"}
    fought.go("strategy")
    assert fought.asked == "free combat_card_back"
    fought.go("strategy")
    assert fought.asked == "shadow reveal_combat_card"
    fought.go(card_with("great_host"))
    assert fought.asked == "free reveal_combat_card"
    fought.go(card_with("daylight"))
    assert state.hand == [[0, 0], [0, 0]]


@pytest.mark.rule("combat_card.requirement", refuses=True)
def test_cards_whose_condition_does_not_hold_are_refused_with_the_reason() -> None:
    state = ground({HERE: ORCS, THERE: MEN}, shadow="great_host")
    fought = begin(state, "shadow", HERE, THERE)
    assert fought.refused("character") == "combat_card.requirement"  # no such back in the hand
    fought.go("strategy")
    assert fought.refused(card_with("we_come_to_kill")) == "combat_card.requirement"
    assert fought.refused(card_with("durins_bane")) == "combat_card.choose"
    state = ground({HERE: ORCS, THERE: MEN}, shadow="great_host")
    state.shown[SHADOW] |= CARD_BIT[card_with("great_host")]
    state.deck[SHADOW][1] -= 1
    fought = begin(state, "shadow", HERE, THERE).go("strategy")
    assert fought.refused(card_with("great_host")) == "cards.discarded_for_good"


def test_a_back_without_a_usable_card_is_not_offered() -> None:
    state = ground({HERE: ORCS, THERE: MEN}, free="heroic_death")
    assert begin(state, "shadow", HERE, THERE).asked == "shadow combat_roll"


@pytest.mark.rule("combat_card.barred", refuses=True)
def test_denethors_folly_bars_cards_at_minas_tirith() -> None:
    state = ground({"minas_tirith_siege": MEN, "minas_tirith": ORCS}, free="daylight", shadow="great_host")
    lay(state, "denethors_folly")
    fought = begin(state, "shadow", "minas_tirith", "minas_tirith_siege")
    fought.go("no_card")
    assert fought.options == {"no_card"}
    assert fought.refused("strategy") == "combat_card.barred"


@pytest.mark.rule("combat_card.barred")
def test_grond_bars_cards_in_the_first_round_unless_a_companion_fights() -> None:
    places = {"minas_tirith_siege": MEN, "minas_tirith": {"sauron_regular": 4, "sauron_elite": 1}}
    fields: dict[str, Any] = {"rounds": 3, "free_card_needs_companion": True}
    fought = begin(ground(places, free="daylight"), "shadow", "minas_tirith", "minas_tirith_siege", **fields)
    assert fought.refused("strategy") == "combat_card.barred"
    fought.go("no_card", NONE, NONE, "go_on")
    assert fought.options == {"no_card", "strategy"}
    state = ground(places, {"gimli": "minas_tirith_siege"}, free="daylight")
    fought = begin(state, "shadow", "minas_tirith", "minas_tirith_siege", **fields)
    assert fought.options == {"no_card", "strategy"}


@pytest.mark.rule("combat_card.balrog")
def test_the_balrog_in_play_may_be_the_combat_card() -> None:
    places = {"hollin": ORCS, "north_dunland": MEN}
    state = ground(places)
    lay(state, "balrog_of_moria")
    fought = begin(state, "shadow", "hollin", "north_dunland")
    assert fought.options == {"no_card", "balrog_of_moria"}
    fought.go("balrog_of_moria")
    assert fought.asked == "shadow additional_attack"
    assert not state.table_cards


# --- conditions ---------------------------------------------------------------------------------

_CASES: list[tuple[str, bool, dict[str, Any]]] = [
    ("fellowship_there", True, {"ring": THERE}),
    ("fellowship_there", False, {"ring": HERE}),
    ("hobbit", True, {"with": ("peregrin",)}),
    ("hobbit", False, {"with": ("gimli",)}),
    ("companion", True, {"with": ("gimli",)}),
    ("companion", False, {"men": {"gondor_regular": 2, "gondor_leader": 1}}),
    ("gandalf", True, {"with": ("gandalf_the_white",)}),
    ("gandalf", False, {"with": ("strider",)}),
    ("king", True, {"with": ("aragorn",)}),
    ("king", False, {"with": ("boromir",)}),
    ("leader_or_companion", True, {"men": {"gondor_regular": 2, "gondor_leader": 1}}),
    ("leader_or_companion", False, {}),
    ("ent_country", True, {"start": "gap_of_rohan", "target": "fords_of_isen"}),
    ("ent_country", True, {"start": "parth_celebrant", "target": "fangorn"}),
    ("ent_country", False, {}),
    ("free_nation", True, {"start": "osgiliath", "target": "druadan_forest"}),
    ("free_nation", False, {"start": "lossarnach", "target": "osgiliath"}),
    ("defends_in_field", True, {}),
    ("defends_in_field", False, {"attacker": "free"}),
    ("free_elite", True, {"men": {"gondor_elite": 1}}),
    ("free_elite", False, {}),
    ("shadow_elite", True, {"orcs": {"isengard_elite": 1}}),
    ("shadow_elite", False, {}),
    ("southron_elite", True, {"orcs": {"southrons_easterlings_elite": 1}}),
    ("southron_elite", False, {"orcs": {"sauron_elite": 1}}),
    ("nazgul", True, {"with": ("witch_king",)}),
    ("nazgul", False, {"with": ("mouth_of_sauron",)}),
    ("nazgul_leadership_1", True, {"orcs": {"sauron_regular": 1, "nazgul": 1}}),
    ("nazgul_leadership_1", False, {}),
    ("nazgul_leadership_2", True, {"with": ("witch_king",)}),
    ("nazgul_leadership_2", False, {"orcs": {"sauron_regular": 1, "nazgul": 1}}),
    ("near_moria", True, {"start": "north_anduin_vale", "target": "gladden_fields"}),
    ("near_moria", False, {}),
    ("isengard_and_stronghold", False, {"orcs": {"isengard_regular": 1}}),
]


@pytest.mark.parametrize(("condition", "holds", "case"), _CASES)
def test_conditions(condition: str, holds: bool, case: dict[str, Any]) -> None:
    case = dict(case)
    orcs, men = case.pop("orcs", {"sauron_regular": 2}), case.pop("men", {"gondor_regular": 2})
    attacker = case.pop("attacker", "shadow")
    with_them = case.pop("with", ())
    armies = (orcs, men) if attacker == "shadow" else (men, orcs)
    fought = clash(*armies, *with_them, attacker=attacker, **case)
    assert CONDITIONS[condition](fought.state, fought.battle) == holds
    effect = next(name for name, needs in NEEDS.items() if needs == condition)
    assert met(fought.state, fought.battle, effect) == holds
    assert len(CHARACTER) == 13

"""Combined attacks with changing armies, and who may attack whom."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE, PLACES, mask_of, places_in
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.state import State


def names(mask: int) -> set[str]:
    return {PLACES[place] for place in places_in(mask)}


def control(state: State, *regions: str) -> State:
    state.control |= mask_of(*(PLACE[region] for region in regions))
    return state


# --- combined attacks ------------------------------------------------------------------------------


def combined(state: State, target: str, *sources: str) -> Fight:
    seat = state.armies[SHADOW] >> PLACE[sources[0]] & 1
    return Fight(
        state, combat.combined_attack(state, seat, mask_of(*(PLACE[s] for s in sources)), PLACE[target])
    )


def test_the_combined_attack_that_changes_armies() -> None:
    state = armies(
        v_northeast_plain="shadow orcs 3; leadership 1",
        eb_north_ford="shadow great_orcs 2, orcs 1",
        v_north_swamp="free elven_archers 3, lake_men 1",
    )
    state.event_deck, state.hand_event = 30, [0, 0]
    fight = combined(state, "v_north_swamp", "v_northeast_plain", "eb_north_ford")
    assert fight.asked == "shadow choose_army"
    fight.answer("v_northeast_plain")
    assert state.hand_event == [0, 1]
    fight.cards("regroup", "orcs").roll("5 4 2 |").roll("5 2 1 1").answer({"combat_black": 1}).roll("3 |")
    fight.until("shadow choose_army")
    assert [fight.damage(r) for r in ("v_north_swamp", "v_northeast_plain", "eb_north_ford")] == [1, 1, 0]
    fight.answer("eb_north_ford").cards("regroup", "orcs").roll("2 | 6 5 5 1")
    assert fight.side("shadow").target == 6
    fight.roll("6 5 1 1").until("shadow choose_army")
    assert [fight.damage(r) for r in ("v_north_swamp", "v_northeast_plain", "eb_north_ford")] == [2, 1, 2]
    fight.answer("eb_north_ford")
    assert fight.refusal({"free": "regroup", "shadow": "orcs"}) == "manoeuvre.unit_card_stays_used"
    fight.cards("regroup", "great_orcs").roll("5 3 | 5 3 1")
    assert fight.side("shadow").target == 5
    fight.roll("4 3 2 1").until("shadow choose_army")
    assert fight.damage("v_north_swamp") == 4
    fight.answer("v_northeast_plain")
    assert fight.refusal({"free": "regroup", "shadow": "orcs"}) == ""
    assert state.hand_event == [0, 1]  # superiority is settled once


def test_a_surviving_partner_wins_and_one_army_advances() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 1; damage 1",
        v_east_hill="shadow wargs 2",
        ruins_of_dale="free dwarf_veterans 1; damage 1",
    )
    fight = combined(state, "ruins_of_dale", "v_dale_east_plain", "v_east_hill").answer("v_dale_east_plain")
    fight.cards("regroup", "regroup").roll("6").roll("5 1").until("shadow advance")
    assert (fight.units("v_dale_east_plain"), fight.units("ruins_of_dale")) == (0, 0)
    fight.answer({"wargs": 1})
    assert fight.controlled("ruins_of_dale") == "shadow"


def test_the_attacker_goes_on_with_another_army_after_losing_one() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 1; damage 1",
        v_east_hill="shadow wargs 2",
        ruins_of_dale="free dwarf_veterans 1",
    )
    fight = combined(state, "ruins_of_dale", "v_dale_east_plain", "v_east_hill").answer("v_dale_east_plain")
    fight.cards("regroup", "regroup").roll("1").roll("5 1").until("shadow break_off").answer("go_on")
    assert state.combat is not None and PLACES[state.combat.source] == "v_east_hill"
    fight.cards("regroup", "wargs")
    assert fight.request.dice == {"combat_white": 0, "combat_black": 2}  # type: ignore[union-attr]


def test_two_armies_left_and_only_one_advances() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 1",
        v_east_hill="shadow wargs 2",
        ruins_of_dale="free lake_men 1; damage 1",
    )
    fight = combined(state, "ruins_of_dale", "v_dale_east_plain", "v_east_hill").answer("v_dale_east_plain")
    fight.cards("regroup", "regroup").roll("6").roll("1").until("shadow advance_from")
    assert set(fight.offered()) == {"v_dale_east_plain", "v_east_hill", "no_advance"}
    fight.answer("v_east_hill").answer({"wargs": 2})
    assert fight.army("ruins_of_dale") == {"wargs": 2}


# --- who may be attacked -------------------------------------------------------------------------------


ATTACKS = [
    ("v_dale_east_plain", "ruins_of_dale", ""),
    ("v_northeast_plain", "eb_north_ford", "combat.not_across_impassable"),
    ("eb_east_plain", "eb_north_ford", ""),
    ("v_dale_east_plain", "v_west_plain", "combat.attack_adjacent_only"),
    ("v_dale_east_plain", "eb_north_ford", "combat.attack_adjacent_only"),
]


@pytest.mark.parametrize(("source", "target", "rule"), ATTACKS)
def test_attacks_between_neighbours_only(source: str, target: str, rule: str) -> None:
    state = armies(
        v_northeast_plain="shadow wargs 2",
        eb_east_plain="shadow great_orcs 1",
        v_dale_east_plain="shadow orcs 4",
        ruins_of_dale="free lake_men 1",
        eb_north_ford="free dwarf_regulars 1",
    )
    refusal = combat.why_not_attack(state, SHADOW, PLACE[source], PLACE[target])
    assert (refusal.rule if refusal else "") == rule


def test_passes_attack_their_exit_and_are_not_attacked() -> None:
    state = armies(
        pass_north="shadow goblins 3", eb_ridge_mid="free dwarf_regulars 2", eb_ridge_west="free lake_men 1"
    )
    assert names(combat.targets(state, SHADOW, PLACE["pass_north"])) == {"eb_ridge_mid"}
    refusal = combat.why_not_attack(state, SHADOW, PLACE["pass_north"], PLACE["eb_ridge_west"])
    assert refusal is not None and refusal.rule == "pass.attack_exit"
    assert not combat.targets(state, FREE, PLACE["eb_ridge_mid"])
    refusal = combat.why_not_attack(state, FREE, PLACE["eb_ridge_mid"], PLACE["pass_north"])
    assert refusal is not None and refusal.rule == "pass.not_attackable"


def test_bolg_alone_neither_attacks_nor_is_attacked() -> None:
    state = armies(ruins_of_dale="free lake_men 2")
    put_character(state, CHARACTER["bolg"], PLACE["v_dale_east_plain"])
    for seat, source, target, rule in (
        (FREE, "ruins_of_dale", "v_dale_east_plain", "bolg.alone_not_attackable"),
        (SHADOW, "v_dale_east_plain", "ruins_of_dale", "bolg.alone_cannot_attack"),
    ):
        refusal = combat.why_not_attack(state, seat, PLACE[source], PLACE[target])
        assert refusal is not None and refusal.rule == rule


def test_beorn_attacks_from_where_he_stands() -> None:
    state = armies(eb_north_ford="shadow orcs 2", camp="free lake_men 1")
    put_character(state, CHARACTER["beorn"], PLACE["eb_north_plain"])
    target = PLACE["eb_north_ford"]
    assert combat.why_not_attack(state, FREE, PLACE["eb_north_plain"], target) is None
    for nobody in ("eb_ridge_mid", "camp"):
        refusal = combat.why_not_attack(state, FREE, PLACE[nobody], target)
        assert refusal is not None and refusal.rule in (
            "combat.attack_adjacent_only",
            "combat.not_across_impassable",
        )
    assert combat.why_not_attack(state, SHADOW, target, PLACE["eb_north_plain"]) is None


def test_a_combined_attack_counts_terrain_for_itself() -> None:
    state = armies(
        v_dale_east_plain="shadow goblins 1",
        v_east_hill="shadow goblins 1",
        ruins_of_dale="free dwarf_regulars 2",
    )
    state.event_deck, state.hand_event = 30, [0, 0]
    combined(state, "ruins_of_dale", "v_dale_east_plain", "v_east_hill").answer("v_dale_east_plain")
    assert state.hand_event == [0, 0]


def test_a_change_of_army_brings_every_card_back() -> None:
    state = armies(
        camp="free dwarf_regulars 3", eb_north_ford="free dwarf_regulars 2", eb_north_plain="shadow orcs 4"
    )
    fight = combined(state, "eb_north_plain", "camp", "eb_north_ford").answer("camp")
    fight.cards("dwarf_regulars", "regroup").roll("1 1 1 |").roll("1 1 1 1").until("free choose_army")
    fight.answer("eb_north_ford")
    assert fight.refusal({"free": "dwarf_regulars", "shadow": "regroup"}) == ""

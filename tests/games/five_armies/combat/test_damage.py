"""Damage and casualties in and outside combat: rulings on where tokens go and what wards them off."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.rules.damage import (
    KEEP,
    _tokens_to_keep,
    _wrong_casualties,
    casualties,
    damage_outside_combat,
    hurt_beorn,
)
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.state import ELIMINATED


@pytest.mark.parametrize(("attack", "fort", "army"), [(True, 2, 0), (False, 0, 2)])
def test_walls_absorb_attacks_but_not_what_a_card_places(attack: bool, fort: int, army: int) -> None:
    state = armies(ravenhill="shadow orcs 3")
    fight = Fight(state, damage_outside_combat(state, SHADOW, PLACE["ravenhill"], 2, attack=attack)).until(
        "*"
    )
    assert (max(state.fort_damage), fight.damage("ravenhill")) == (fort, army)


def test_a_bodyguard_helps_outside_combat_but_only_bolgs_army() -> None:
    state = armies(v_dale_east_plain="shadow orcs 3; bolg; damage 1", v_southeast_plain="shadow wargs 2")
    state.bodyguards = 1
    other = Fight(state, damage_outside_combat(state, SHADOW, PLACE["v_southeast_plain"], 2, attack=True))
    assert other.asked == "shadow casualties"
    fight = Fight(state, damage_outside_combat(state, SHADOW, PLACE["v_dale_east_plain"], 2, attack=True))
    assert fight.asked == "shadow bodyguard"
    fight.answer("discard_bodyguard")
    assert (state.bodyguards, fight.damage("v_dale_east_plain"), fight.asked) == (0, 1, "")
    fight = Fight(state, damage_outside_combat(state, SHADOW, PLACE["v_dale_east_plain"], 1, attack=True))
    assert fight.asked == "shadow casualties"


def test_no_army_no_damage() -> None:
    state = armies(camp="free lake_men 2")
    for place, tokens in (("ravenhill", 3), ("camp", 0)):
        assert Fight(state, damage_outside_combat(state, FREE, PLACE[place], tokens, attack=True)).asked == ""
    assert not any(state.damage) and not any(state.fort_damage)


def test_walls_shield_beorn() -> None:
    state = armies(camp="free lake_men 1")
    put_character(state, CHARACTER["beorn"], PLACE["ravenhill"])
    state.wrath = 4
    hurt_beorn(state, 5)
    assert (max(state.fort_damage), state.wrath) == (3, 2)
    hurt_beorn(state, 2, attacked=False)
    assert state.where[CHARACTER["beorn"]] == ELIMINATED


def test_a_bodyguard_wards_off_what_the_walls_would_take() -> None:
    state = armies(ravenhill="shadow orcs 2; bolg", ss_middle="free elven_archers 3")
    state.bodyguards = 1
    fight = Fight.attack(state, "ss_middle", "ravenhill").cards("regroup", "regroup")
    fight.rolls("6 6 1", "1 1").until("shadow bodyguard").answer("discard_bodyguard")
    assert max(state.fort_damage) == 0


def test_self_inflicted_damage_passes_the_walls_and_the_bodyguard() -> None:
    state = armies(ravenhill="shadow goblins 3; bolg", ss_middle="free elven_archers 2")
    state.bodyguards = 2
    fight = Fight.attack(state, "ss_middle", "ravenhill").cards("regroup", "goblins")
    fight.rolls("1 1", "5 1 1 |").until("shadow use_ability").answer("use")
    assert (fight.damage("ravenhill"), max(state.fort_damage), state.bodyguards) == (1, 0, 2)
    assert fight.damage("ss_middle") == 2


def test_goblin_charge_hits_the_walls_first() -> None:
    state = armies(ravenhill="free elven_archers 2", ss_middle="shadow goblins 3")
    fight = Fight.attack(state, "ss_middle", "ravenhill").cards("regroup", "goblins")
    fight.roll("6 1 1 |").roll("1 1").until("shadow use_ability").answer("use")
    assert (max(state.fort_damage), fight.damage("ravenhill"), fight.damage("ss_middle")) == (2, 0, 1)


def test_a_bodyguard_spent_covers_the_forced_retreat_of_the_round() -> None:
    def retreating(hits: str) -> Fight:
        state = armies(v_dale_east_plain="free elven_archers 4", v_southeast_plain="shadow orcs 3; bolg")
        state.bodyguards = 2
        fight = Fight.attack(state, "v_dale_east_plain", "v_southeast_plain").cards("regroup", "regroup")
        return fight.rolls(hits, "1 1 1")

    fight = retreating("5 1 1 1").until("shadow bodyguard").answer("discard_bodyguard")
    fight.until("free break_off").answer("go_on").answer("retreat").answer("v_south_swamp").answer(
        {"bolg": 1}
    )
    assert (fight.state.bodyguards, fight.damage("v_south_swamp"), fight.asked) == (1, 0, "free advance")
    fight = retreating("1 1 1 1").until("free break_off").answer("go_on").answer("retreat")
    fight.answer("v_south_swamp").answer({"bolg": 1})
    assert fight.asked == "shadow bodyguard"
    fight.answer("take_damage")
    assert fight.damage("v_south_swamp") == 1


def test_a_rout_may_destroy_the_army_by_choice() -> None:
    state = armies(v_dale_east_plain="shadow orcs 4", v_dale_south_plain="free lake_men 1; damage 1")
    fight = Fight.attack(state, "v_dale_east_plain", "v_dale_south_plain").cards("lake_men", "regroup")
    fight.rolls("1 |", "1 1 1 1").until("shadow break_off").answer("go_on").answer("rout")
    # one token may stay on one unit: nothing must go, and the army marches off
    assert fight.asked == "free casualties"
    fight.answer({"lake_men": 1})
    assert fight.units("v_dale_south_plain") == 0
    assert fight.asked == "shadow advance"


def test_voluntary_casualties_are_only_asked_where_there_is_damage() -> None:
    state = armies(camp="free lake_men 3")
    assert Fight(state, casualties(state, FREE, PLACE["camp"])).asked == ""
    state.damage[PLACE["camp"]] = 1
    fight = Fight(state, casualties(state, FREE, PLACE["camp"]))
    assert fight.refusal({"lake_men": 2}) == "damage.voluntary_casualties"
    fight.answer({})
    assert fight.damage("camp") == 1
    assert Fight(state, casualties(state, FREE, PLACE["camp"], only_duty=True)).asked == ""


def test_the_last_units_fall_without_a_question() -> None:
    state = armies(camp="free lake_men 1, elven_archers 1; damage 2; dain")
    state.damage[PLACE["camp"]] = 5
    fight = Fight(state, casualties(state, FREE, PLACE["camp"]))
    assert fight.asked == "" and fight.units("camp") == 0 and fight.damage("camp") == 0
    assert state.where[CHARACTER["dain"]] == ELIMINATED


def test_casualties_down_to_one_damage() -> None:
    state = armies(camp="free lake_men 4, elven_archers 1; damage 4")
    fight = Fight(state, casualties(state, FREE, PLACE["camp"], down_to=1))
    assert fight.refusal({"lake_men": 1}) == "rout.casualties_to_one"
    fight.answer({"lake_men": 1, "elven_archers": 1})
    assert (fight.units("camp"), fight.damage("camp")) == (3, 0)


def test_dwarf_regulars_lift_two_tokens_unless_redoubtable() -> None:
    state = armies(camp="free dwarf_regulars 3; damage 3")
    Fight(state, casualties(state, FREE, PLACE["camp"])).answer({"dwarf_regulars": 1})
    assert state.damage[PLACE["camp"]] == 1


@pytest.mark.rule("damage.voluntary_casualties")
def test_a_unit_may_take_fewer_tokens_along_but_no_duty_may_be_left() -> None:
    state = armies(camp="free lake_men 4, elven_archers 1; damage 3")
    fight = Fight(state, casualties(state, FREE, PLACE["camp"]))
    assert fight.refusal({"lake_men": 1, "keep_damage": 3}) == "damage.voluntary_casualties"
    assert fight.refusal({"keep_damage": 1}) == "damage.voluntary_casualties"
    assert fight.refusal({"lake_men": 2, "keep_damage": 2}) == ""
    fight.answer({"lake_men": 1, "keep_damage": 1})
    assert (fight.units("camp"), fight.damage("camp")) == (4, 2)
    state = armies(camp="free lake_men 2, elven_archers 1; damage 3")
    fight = Fight(state, casualties(state, FREE, PLACE["camp"]))
    # with both tokens kept three would lie on two units: another one had to go
    assert fight.refusal({"lake_men": 1, "keep_damage": 2}) == "damage.mandatory_above_unit_count"
    fight.answer({"lake_men": 1, "keep_damage": 1})
    assert (fight.units("camp"), fight.damage("camp")) == (2, 2)
    state = armies(camp="free lake_men 2, elven_archers 1; damage 3")
    state.damage[PLACE["camp"]] = 4
    fight = Fight(state, casualties(state, FREE, PLACE["camp"]))
    assert fight.refusal({"lake_men": 1, "keep_damage": 1}) == "damage.mandatory_above_unit_count"


def test_fewer_tokens_may_go_with_a_redoubtable_dwarf_too() -> None:
    assert _tokens_to_keep(3, 3, 1, 2, 1) == 3
    assert _tokens_to_keep(2, 4, 2, 2, None) == 0
    judge = _wrong_casualties(5, 4, 0, 2, None, True)
    assert judge({"dwarf_regulars": 1, KEEP: 3}) is None
    wrong = judge({"dwarf_regulars": 1, KEEP: 4})
    assert wrong is not None and wrong.rule == "damage.voluntary_casualties"

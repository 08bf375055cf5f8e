"""Bolg, Great Bats, Thorin and Beorn in combat."""

from __future__ import annotations

from fighting import Fight, armies

from referee.games.five_armies.box.components import BEORN, CHARACTER, SHADOW
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.state import ELIMINATED

DALE = {
    "v_dale_east_plain": "shadow orcs 2, great_orcs 1",
    "ruins_of_dale": "free dwarf_veterans 1, dwarf_regulars 1",
}


# --- Bolg ----------------------------------------------------------------------------------------


def bolgs_army(bodyguards: int) -> Fight:
    state = armies(
        v_dale_east_plain="shadow orcs 3; bolg; damage 1", ruins_of_dale="free dwarf_veterans 2, lake_men 1"
    )
    state.bodyguards = bodyguards
    return Fight.attack(state, "ruins_of_dale", "v_dale_east_plain").cards("regroup", "regroup")


def test_bodyguards_ward_off_a_round_and_bolgs_death_ends_the_game() -> None:
    fight = bolgs_army(1).rolls("6 5 5 5 1", "1 1 1").until("shadow bodyguard")
    assert fight.refusal("part_of_damage") == "bolg.bodyguard_cancels_round"
    fight.answer("discard_bodyguard").until("* manoeuvre_both")
    assert (fight.state.bodyguards, fight.units("v_dale_east_plain"), fight.damage("v_dale_east_plain")) == (
        0,
        3,
        1,
    )
    fight.cards("regroup", "regroup").rolls("6 6 5 5 2", "1 1 1").until("* manoeuvre_both")
    assert (fight.units("v_dale_east_plain"), fight.damage("v_dale_east_plain")) == (1, 1)
    fight.cards("regroup", "regroup").rolls("6 5 5 2 1", "1").until("*")
    assert fight.state.winner == 0
    assert fight.state.winning_rule == "victory.fp_bolg_eliminated"


def test_a_bodyguard_may_be_kept() -> None:
    fight = bolgs_army(1).rolls("6 5 5 5 1", "1 1 1").until("shadow bodyguard").answer("take_damage")
    fight.until("* manoeuvre_both")
    assert (fight.state.bodyguards, fight.units("v_dale_east_plain"), fight.damage("v_dale_east_plain")) == (
        1,
        1,
        1,
    )


def test_bolg_falls_before_anybody_advances() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 1; bolg; damage 1", ruins_of_dale="free dwarf_veterans 1; damage 1"
    )
    fight = Fight.attack(state, "v_dale_east_plain", "ruins_of_dale").cards("regroup", "regroup")
    fight.until("shadow combat_roll").roll("6").roll("5 1").until("*")
    assert (fight.units("v_dale_east_plain"), fight.units("ruins_of_dale")) == (0, 0)
    assert (state.winner, fight.controlled("ruins_of_dale")) == (0, "free")


# --- Great Bats ------------------------------------------------------------------------------------


def bats_over_the_valley(roll: str) -> Fight:
    state = armies(v_southeast_plain="shadow orcs 3", v_dale_east_plain="free lake_men 3")
    state.bats[1] = 1
    fight = Fight.attack(state, "v_southeast_plain", "v_dale_east_plain").cards("regroup", "vampire_like")
    return fight.rolls("1 1 1", roll)


def test_vampire_like_adds_a_damage_for_a_bat() -> None:
    fight = bats_over_the_valley("5 2 1").until("shadow vampire_like").answer("use")
    assert (fight.damage("v_dale_east_plain"), sum(fight.state.bats)) == (2, 0)
    fight.until("* manoeuvre_both")
    assert (
        fight.refusal({"free": "regroup", "shadow": "vampire_like"}) == "bats.vampire_no_effect_without_bat"
    )


def test_vampire_like_needs_damage_and_comes_back() -> None:
    fight = bats_over_the_valley("4 2 1")
    assert fight.asked == "shadow break_off"
    fight.until("* manoeuvre_both")
    assert fight.refusal({"free": "regroup", "shadow": "vampire_like"}) == ""


def test_vampire_like_looks_at_the_defenders_territory() -> None:
    state = armies(v_north_swamp="shadow orcs 3", eb_north_ford="free lake_men 2")
    state.bats[1] = 1
    fight = Fight.attack(state, "v_north_swamp", "eb_north_ford")
    assert fight.refusal({"free": "regroup", "shadow": "vampire_like"}) == "combat.hand_special_cards"


# --- Thorin -----------------------------------------------------------------------------------------


def thorins_army() -> Fight:
    state = armies(v_northeast_plain="shadow orcs 3", v_east_hill="free dwarf_regulars 3; thorin")
    state.table_cards = {"mighty_strokes": {}, "shining_armour": {"damage": 0}}
    return Fight.attack(state, "v_northeast_plain", "v_east_hill")


def test_mighty_strokes_once_until_regroup() -> None:
    fight = thorins_army().cards("thorins_mighty_strokes", "regroup").rolls("4 1 1", "1 1 1")
    assert fight.side("free").hits == 1
    fight.until("* manoeuvre_both")
    assert (
        fight.refusal({"free": "thorins_mighty_strokes", "shadow": "regroup"})
        == "manoeuvre.mighty_strokes_once"
    )
    fight.cards("regroup", "regroup").rolls("1 1 1", "1 1 1").until("* manoeuvre_both")
    assert fight.refusal({"free": "thorins_mighty_strokes", "shadow": "regroup"}) == ""


def test_shining_armour_takes_damage_and_breaks_above_five() -> None:
    fight = thorins_army().cards("regroup", "regroup").rolls("1 1 1", "5 5 5").until("free shining_armour")
    fight.answer({"shining_armour": 3}).until("* manoeuvre_both")
    assert fight.damage("v_east_hill") == 0
    assert fight.state.table_cards["shining_armour"] == {"damage": 3}
    fight.cards("regroup", "regroup").rolls("1 1 1", "5 5 5").until("free shining_armour")
    fight.answer({"shining_armour": 3}).until("* manoeuvre_both")
    assert "shining_armour" not in fight.state.table_cards


# --- Beorn --------------------------------------------------------------------------------------------


def test_beorn_fights_without_cards_and_loses_wrath() -> None:
    state = armies(eb_north_ford="shadow orcs 3, wargs 1")
    state.where[7], state.wrath = PLACE["eb_north_plain"], 8
    state.chars[PLACE["eb_north_plain"]] |= 1 << 7
    state.hand_event, state.event_deck = [3, 3], 24
    fight = Fight.attack(state, "eb_north_plain", "eb_north_ford")
    assert state.hand_event == [3, 3]
    assert fight.asked == "shadow manoeuvre"
    fight.answer("wargs").roll("5 2 6 1").roll("5 | 6 2 2")
    assert fight.asked == "free combat_reroll_dice"
    fight.roll("4 5")
    assert fight.damage("eb_north_ford") == 3
    assert state.wrath == 6
    fight.until("free break_off")  # no Rearguard Attack on Beorn in between
    assert (fight.asked, state.wrath) == ("free break_off", 6)
    fight.answer("go_on")
    assert fight.asked == "shadow stay_or_leave"


def test_beorn_dies_without_wrath() -> None:
    state = armies(eb_north_ford="shadow orcs 4")
    state.where[7], state.wrath = PLACE["eb_north_plain"], 2
    state.chars[PLACE["eb_north_plain"]] |= 1 << 7
    fight = Fight.attack(state, "eb_north_ford", "eb_north_plain").cards("", "regroup")
    fight.roll("5 5 5 1").roll("1 1 1 1").roll("1 1 1 1").until("*")
    assert (state.where[7], state.wrath) == (ELIMINATED, 0)
    assert state.combat is None and not state.armies[SHADOW] >> PLACE["eb_north_plain"] & 1


def test_goblin_charge_costs_beorn_one_wrath() -> None:
    state = armies(eb_north_ford="shadow goblins 3")
    put_character(state, BEORN, PLACE["eb_north_plain"])
    state.wrath = 6
    fight = Fight.attack(state, "eb_north_ford", "eb_north_plain").answer("goblins")
    fight.roll("5 1 1 |").roll("1 1 1 1").roll("1 1 1 1").until("shadow use_ability")
    assert state.wrath == 5
    fight.answer("use")
    assert (state.wrath, fight.damage("eb_north_ford")) == (4, 1)


def test_mighty_strokes_need_thorin_in_the_fighting_army() -> None:
    for where in (None, "camp"):
        state = armies(v_northeast_plain="shadow orcs 3", v_east_hill="free dwarf_regulars 3")
        state.table_cards = {"mighty_strokes": {}}
        if where is not None:
            put_character(state, CHARACTER["thorin"], PLACE[where])
        fight = Fight.attack(state, "v_northeast_plain", "v_east_hill")
        refusal = fight.refusal({"free": "thorins_mighty_strokes", "shadow": "orcs"})
        assert refusal == "combat.hand_special_cards"


def test_thorin_attacking_brings_his_card() -> None:
    state = armies(v_northeast_plain="shadow orcs 3", v_east_hill="free dwarf_regulars 3; thorin")
    state.table_cards = {"mighty_strokes": {}}
    fight = Fight.attack(state, "v_east_hill", "v_northeast_plain")
    assert fight.refusal({"free": "thorins_mighty_strokes", "shadow": "orcs"}) == ""


def test_a_card_at_hand_is_not_among_the_refused() -> None:
    fight = thorins_army()
    free = fight.request.of["free"]  # type: ignore[union-attr]
    assert "thorins_mighty_strokes" not in [c.value for c in free.candidates() if not c.allowed]


def test_beorn_may_die_attacking() -> None:
    state = armies(eb_north_ford="shadow orcs 4")
    put_character(state, BEORN, PLACE["eb_north_plain"])
    state.wrath = 1
    fight = Fight.attack(state, "eb_north_plain", "eb_north_ford").answer("regroup")
    fight.roll("5 5 5 5").roll("5 1 1 1").until("*")
    assert state.where[BEORN] == ELIMINATED and state.combat is None
    assert fight.damage("eb_north_ford") == 4

"""Chapters VIII and XII: characters enter and move; Beorn, the Eagles, the bats."""

from __future__ import annotations

import pytest
from playing import free, shadow

from referee.games.five_armies import GAME
from referee.games.five_armies.box.components import BEORN, FREE, LORD
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.rules.pieces import remove_units
from referee.games.five_armies.rules.victory import GameEnds
from referee.games.five_armies.state.state import ELIMINATED
from referee.kernel.explain import explain

KNOWN = (
    "values: {entry_die.thorin: muster, entry_place.thorin: front_gate, "
    "entry_die.bolg: army, entry_place.bolg: own_army}"
)
CAMP = "  camp: {side: free, units: {lake_men: 2}, characters: [bard]}"


def test_a_character_enters_when_fate_has_come_and_the_die_fits() -> None:
    board = free("muster", CAMP, f"fate_marker: 5\n{KNOWN}").do("muster")
    assert board.refused("enter:thorin") == "char.must_be_ready"
    board = free("event", CAMP, f"fate_marker: 6\n{KNOWN}").do(*_die("event", CAMP))
    assert board.refused("enter:thorin") == "char.entry_by_die"
    board = free("muster", CAMP, f"fate_marker: 7\n{KNOWN}").do("muster", "enter:thorin")
    assert board.where("thorin") == "front_gate"
    assert board.state.pool[FREE] == 5  # the sixth die comes in phase 1


def _die(face: str, regions: str) -> list[str]:
    return [face] if free(face, regions).asked.endswith("choose_die") else []


def test_the_card_is_asked_for_once_and_a_wrong_die_brings_nobody() -> None:
    board = free("muster", CAMP, "fate_marker: 6").do("muster", "enter:thorin")
    assert board.asked == "free ask_entry_die" and not board.request.reveals
    board.do("character", "front_gate")
    assert board.asked == "free choose_action" and board.refused("enter:thorin") == "char.entry_by_die"
    board = free("muster", CAMP, "fate_marker: 6").do("muster", "enter:thorin", "muster", "front_gate")
    assert board.where("thorin") == "front_gate"
    assert board.state.values["entry_die.thorin"] == "muster"


def test_an_entry_region_must_be_free_of_the_enemy() -> None:
    taken = CAMP + "\n  front_gate: {side: shadow, units: {orcs: 1}}"
    board = free("muster", taken, f"fate_marker: 6\n{KNOWN}").do("muster")
    assert board.refused("enter:thorin") == "char.entry_blocked_units"
    board = free("muster", CAMP, f"fate_marker: 6\n{KNOWN}\ncontrol_shadow: [front_gate]").do("muster")
    assert board.refused("enter:thorin") == "char.entry_blocked_control"


def test_who_enters_elsewhere_than_the_card_says_is_told_where_it_says() -> None:
    for said, named in (("territory.valley", "Anywhere in the Valley"), ("front_gate", "Front Gate")):
        values = f"{{entry_die.bilbo: any, entry_place.bilbo: {said}}}"
        board = free("muster", CAMP, f"fate_marker: 3\nvalues: {values}").do("muster")
        told = explain(board.play.fork(), "enter_bilbo at camp", GAME.words)
        assert told.refusal is not None and told.refusal.rule == "char.entry_extra_terms"
        assert named in told.sentence("en", GAME), told.sentence("en", GAME)


def test_who_may_not_enter_by_the_place_that_the_card_says_is_told_what_is_missing() -> None:
    enemies = "  bl_west_swamp: {side: shadow, units: {orcs: 3}}"
    values = "values: {entry_die.thorin: muster, entry_place.thorin: own_army}"
    board = free("muster", enemies, f"fate_marker: 7\n{values}").do("muster")
    assert board.refused("enter:thorin") == "char.entry_extra_terms", "there is no army of his side"
    values = "values: {entry_die.beorn: any, entry_place.beorn: eb_gate_road}\nfate_marker: 11"
    board = free("muster", "  eb_gate_road: {side: free, units: {lake_men: 2}}", values).do("muster")
    assert board.refused("enter:beorn") == "beorn.never_ends_with_units"
    values = "values: {entry_die.beorn: any, entry_place.beorn: any_region}\nfate_marker: 11"
    board = free("muster", CAMP, values).do("muster")
    told = explain(board.play.fork(), "enter_beorn at camp", GAME.words)
    assert told.refusal is not None and told.refusal.rule == "beorn.never_ends_with_units"


def test_bolg_is_ready_while_an_army_stands_in_the_valley() -> None:
    board = shadow("army", "  bl_west_swamp: {side: shadow, units: {orcs: 3}}", KNOWN).do("army")
    assert board.refused("enter:bolg") == "bolg.ready_condition"
    for control, guards in (("", 1), ("ruins_of_dale", 3)):
        regions = "  v_north_swamp: {side: shadow, units: {orcs: 3}}"
        board = shadow("army", regions, f"{KNOWN}\ncontrol_shadow: [{control}]").do("army", "enter:bolg")
        assert (board.where("bolg"), board.state.bodyguards) == ("v_north_swamp", guards)


def test_beorn_wins_or_stays_by_the_points() -> None:
    known = "values: {entry_die.beorn: any, entry_place.beorn: eb_gate_road}\nfate_marker: 11"
    board = free("muster", CAMP, f"{known}\ncontrol_shadow: [ravenhill]").do("muster", "enter:beorn")
    assert board.winner == ("free", "victory.fp_beorn_enters")
    board = free("muster", CAMP, f"{known}\ncontrol_shadow: [ravenhill, lower_slopes]").do(
        "muster", "enter:beorn"
    )
    assert board.winner is None and board.state.wrath == 8


def test_characters_move_by_their_rating_through_enemies() -> None:
    regions = CAMP + "\n  v_northwest_plain: {side: shadow, units: {orcs: 2}}"
    board = free("character", regions).do("character", "move_characters")
    assert board.refused("gandalf") == "char.must_be_ready"
    board.do("bard", "2")
    assert board.state.values["movement.bard"] == "2"
    assert board.refused("v_dale_east_plain") == "char.move_rating"
    assert board.refused("pass_north") == "board.goblin_boxes_not_regions"
    board.do("v_dale_west_plain")
    assert board.where("bard") == "v_dale_west_plain"


def test_each_character_goes_once_in_an_action() -> None:
    regions = "  camp: {side: free, units: {lake_men: 2}, characters: [bard, dain]}"
    board = free("character", regions, "values: {movement.bard: 1, movement.dain: 1}")
    board.do("character", "move_characters", "bard", "eb_gate_road")
    assert board.refused("bard") == "char.move_rating"
    assert board.refused("bolg") == "char.move_any_number"
    board.do("dain", "eb_gate_road")
    assert board.asked.startswith("shadow")


BEORN_THERE = """\
  camp: {control: shadow}
  eb_north_ford: {side: shadow, units: {orcs: 2}}
  eb_gate_road: {side: free, units: {lake_men: 2}}"""
BEORN_AT = "beorn: {region: eb_north_plain, wrath: 8}"


def test_beorn_walks_frees_settlements_and_pays_for_other_dice() -> None:
    board = free("will_of_the_west", BEORN_THERE, BEORN_AT).do("will_of_the_west", "move_beorn")
    assert board.refused("eb_north_ford") == "beorn.not_through_shadow"
    assert board.refused("v_north_swamp") == "move.no_cross_impassable"
    board.do("camp")
    assert not board.controlled("camp")
    board.do("eb_gate_road")
    assert "stay" not in board.offered()  # Free Peoples units stand here
    board.do("eb_bridge_bank")
    assert board.where("beorn") == "eb_bridge_bank" and board.state.wrath == 8
    board = free("character", BEORN_THERE, BEORN_AT).do("character", "move_beorn", "camp", "stay")
    assert board.state.wrath == 7


def test_beorn_does_not_end_with_units() -> None:
    board = free("will_of_the_west", BEORN_THERE, "beorn: {region: camp, wrath: 8, movement: 1}")
    board.state.values["movement.beorn"] = 1
    board.do("will_of_the_west", "move_beorn")
    assert board.refused("eb_gate_road") == "beorn.never_ends_with_units"


def test_beorn_keeps_his_last_wrath() -> None:
    board = free("character", BEORN_THERE, "beorn: {region: eb_north_plain, wrath: 1}").do("character")
    assert board.refused("move_beorn") == "beorn.move_other_die_costs_wrath"


@pytest.mark.parametrize(("way", "left"), [("stay", 2), ("removed", 0)])
def test_beorn_clears_enemy_tokens_where_he_comes_by_a_house_rule(way: str, left: int) -> None:
    regions = "  bl_spur_plain: {tokens: {shadow: 2}}"
    extra = f"beorn: {{region: eb_east_plain, wrath: 8}}\nhouse_rules: {{beorn_tokens: {way}}}"
    board = free("will_of_the_west", regions, extra)
    board.do("will_of_the_west", "move_beorn", "bl_spur_plain")
    assert board.state.tokens[2].get(PLACE["bl_spur_plain"], 0) == left


def test_beorn_is_in_the_way_of_the_fast() -> None:
    board = shadow("character", "  eb_ridge_east: {side: shadow, units: {wargs: 1}, leadership: 1}", BEORN_AT)
    board.do("character", "fast_move", "eb_ridge_east", "eb_ridge_mid", ...)
    assert board.army("eb_ridge_mid") == {"wargs": 1}


EAGLES = """\
  v_east_swamp: {side: shadow, units: {orcs: 3}}
  v_south_swamp: {side: shadow, units: {wargs: 2}}
  eb_north_ford: {side: shadow, units: {goblins: 2}}"""
EYRIE = "eyrie: {eagles: 2, lord_of_the_eagles: 1}\nactivation_tokens: [lord_of_the_eagles]"


def test_the_eagles_fly_strike_and_go_home() -> None:
    board = free("muster", EAGLES, EYRIE)
    assert board.refused("ability:bard") == "general.in_play_only"
    trial = free("muster", EAGLES, EYRIE).do("muster")
    assert trial.refused("eagles_attack") == "eagles.must_have_left_eyrie"
    board.do("ability:lord_of_the_eagles", "fly", {"valley": 2}, "eastern_bank")
    assert board.refused("ability:lord_of_the_eagles") == "general.ability_needs_token"
    assert board.refused("pass") == "dice.pass_condition"
    board.do("muster", "eagles_attack")
    assert board.refused({"v_east_swamp": 1, "eb_north_ford": 1}) == "eagles.attack_in_left_territory"
    board.do({"v_east_swamp": 1, "v_south_swamp": 1}, {"eb_north_ford": 1})
    assert board.state.eagles == [0, 0, 0, 0, 2] and board.where("lord_of_the_eagles") == "eyrie"
    board.do({"combat_white": ["4", "3", "1"]}, {"combat_white": ["5", "2"]})
    assert board.damage("v_east_swamp") == 2
    while board.asked.endswith("casualties"):
        board.do({})
    board.do({"combat_white": ["6", "5", "4"]})
    board.do({"wargs": 1})  # three damage on two units: one must go
    assert (board.damage("v_south_swamp"), board.army("v_south_swamp")) == (1, {"wargs": 1})


def test_the_lord_may_muster_instead() -> None:
    board = free("muster", EAGLES, EYRIE).do("ability:lord_of_the_eagles", "muster_eagles", "2")
    assert board.state.eagles[4] == 4 and board.state.values["eagles_mustered"] == "2"
    assert not board.state.activated


def test_eagles_wait_for_their_lord() -> None:
    board = free("muster", EAGLES + "\n" + CAMP, "eyrie: {eagles: 2}").do("muster")
    assert board.state.where[LORD] < 0
    assert board.refused("eagles_attack") == "eagles.unusable_before_lord"


def test_bat_cloud_moves_an_army_below() -> None:
    regions = (
        "  v_northeast_plain: {side: shadow, units: {wargs: 2}}\n"
        "  eb_ridge_mid: {side: shadow, units: {orcs: 1}}"
    )
    board = shadow("muster", regions, "bats: {valley: 1, broken_lands: 1}").do("muster", "bat_cloud")
    assert board.refused("eb_ridge_mid") != ""
    board.do("v_northeast_plain", "v_east_swamp", ...)
    assert board.army("v_east_swamp") == {"wargs": 2} and board.state.bats == [1, 0, 0, 0]
    board = shadow("muster", regions, "bats: {broken_lands: 1}").do("muster")
    assert board.refused("bat_cloud") == "bats.cloud_same_territory"


def test_an_eliminated_beorn_stays_out() -> None:
    regions = "  camp: {side: free, units: {lake_men: 1}, damage: 1}"
    board = free("muster", regions, "eliminated: [beorn]\nfate_marker: 12")
    assert board.state.where[BEORN] == ELIMINATED
    board.do("muster")
    assert board.refused("enter:beorn") == "char.must_be_ready"


def test_bolgs_death_ends_the_game() -> None:
    board = shadow("army", "  v_north_swamp: {side: shadow, units: {orcs: 1}, characters: [bolg]}")
    with pytest.raises(GameEnds):
        remove_units(board.state, PLACE["v_north_swamp"], board.state.units[PLACE["v_north_swamp"]])
    assert board.winner == ("free", "victory.fp_bolg_eliminated")
    assert board.where("bolg") == "eliminated" and not board.army("v_north_swamp")

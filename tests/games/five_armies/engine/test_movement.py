"""Chapter IX: how armies move, split and merge, and where they may not go."""

from __future__ import annotations

import pytest
from playing import free, shadow

from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules.movement import why_not_step


def test_an_army_splits_in_three_by_one_strategic_move() -> None:
    b = shadow("army", "  bl_east_plain: {side: shadow, units: {orcs: 3, great_orcs: 2}}")
    b.do("army", "strategic_move", "bl_east_plain", "bl_middle_plain", {"great_orcs": 2})
    b.do("bl_east_plain", "bl_southeast_plain", {"orcs": 2})
    assert b.army("bl_middle_plain") == {"great_orcs": 2}
    assert b.army("bl_southeast_plain") == {"orcs": 2}
    assert b.army("bl_east_plain") == {"orcs": 1}
    assert b.asked == "shadow choose_die"  # two moves, no third


def test_what_has_moved_does_not_move_again() -> None:
    regions = """\
      bl_upper_plain: {side: shadow, units: {orcs: 3}}
      bl_spur_plain: {side: shadow, units: {wargs: 3}}"""
    b = shadow("army", regions)
    b.do("army", "strategic_move", "bl_upper_plain", "bl_spur_plain", ...)
    assert b.offered() == ["bl_spur_plain", "done"]
    b.do("bl_spur_plain", "bl_west_swamp")
    assert b.refused({"wargs": 2, "orcs": 1}) == "move.no_unit_twice_per_action"
    assert b.refused({"wargs": 4}) == "move.no_unit_twice_per_action"
    b.do({"wargs": 3})
    assert (b.army("bl_spur_plain"), b.army("bl_west_swamp")) == ({"orcs": 3}, {"wargs": 3})


def test_an_army_alone_at_its_end_is_not_offered_again() -> None:
    b = shadow(
        "army",
        (
            "  bl_upper_plain: {side: shadow, units: {orcs: 1}}\n"
            "  bl_east_plain: {side: shadow, units: {wargs: 1}}"
        ),
    )
    b.do("army", "strategic_move", "bl_upper_plain", "bl_spur_plain")
    assert b.offered() == ["bl_east_plain", "done"]
    b.do("done")
    assert b.army("bl_east_plain") == {"wargs": 1}


def test_armies_merge_after_both_moves_and_shrink_to_five() -> None:
    regions = """\
      bl_middle_plain: {side: shadow, units: {orcs: 3}, damage: 1}
      bl_east_plain: {side: shadow, units: {wargs: 3}, damage: 2}"""
    b = shadow("army", regions)
    b.do("army", "strategic_move", "bl_middle_plain", "bl_east_plain", ..., "done")
    assert b.asked == "shadow reduce"
    assert b.refused({"orcs": 1, "damage": 3}) == "move.merge_removal_heals"
    assert b.refused({"orcs": 2}) == "move.merge_reduce_to_five"
    assert b.refused({}) == "move.merge_reduce_to_five"
    assert b.refused({"wargs": 1}) == ""
    b.do({"wargs": 1, "damage": 2})
    assert (b.army("bl_east_plain"), b.damage("bl_east_plain")) == ({"orcs": 3, "wargs": 2}, 1)


def test_mustering_regions_hold_any_number_of_shadow_units_only() -> None:
    b = shadow(
        "army",
        (
            "  bl_upper_plain: {side: shadow, units: {orcs: 3}}\n"
            "  bl_north_plain: {side: shadow, units: {wargs: 4}}"
        ),
    )
    b.do("army", "strategic_move", "bl_upper_plain", "bl_north_plain", ...)
    assert sum(b.army("bl_north_plain").values()) == 7
    b = free(
        "muster_army",
        (
            "  bl_upper_plain: {side: free, units: {lake_men: 3}}\n"
            "  bl_north_plain: {side: free, units: {elven_archers: 4}}"
        ),
    )
    b.do("muster_army", "strategic_move", "bl_upper_plain", "bl_north_plain", ..., "done")
    assert b.asked == "free reduce"


def test_a_fast_move_stops_beside_the_enemy() -> None:
    regions = """\
      v_northeast_plain: {side: shadow, units: {wargs: 2}, leadership: 1}
      v_dale_east_plain: {side: free, units: {lake_men: 2}}
      eb_east_plain: {side: free, units: {dwarf_regulars: 1}}"""
    b = shadow("character", regions)
    b.do("character", "fast_move", "v_northeast_plain", "v_east_swamp", ...)
    assert b.army("v_east_swamp") == {"wargs": 2}  # not asked to go on
    b = shadow("character", regions)
    b.do("character", "fast_move", "v_northeast_plain", "v_north_swamp", "v_northwest_plain", ...)
    assert (b.army("v_northwest_plain"), b.leaders("v_northwest_plain")) == ({"wargs": 2}, 1)


def test_a_fast_move_passes_a_full_region_and_picks_nobody_up() -> None:
    regions = """\
      v_dale_south_plain: {side: free, units: {dwarf_regulars: 2}, characters: [dain]}
      ruins_of_dale: {side: free, units: {lake_men: 2, elven_archers: 2}}"""
    b = free("character", regions)
    b.do("character", "fast_move", "v_dale_south_plain", "ruins_of_dale", "v_northwest_plain")
    assert set(b.request.limits) == {"dwarf_regulars", "dain"}  # type: ignore[attr-defined]
    assert b.refused({"dwarf_regulars": 2}) == "move.character_die_part_needs_leadership"
    assert b.refused({"dain": 1}) == "move.split_by_moving_part"
    assert b.refused({"dain": 1, "dwarf_regulars": 2, "lake_men": 1}) == "move.multi_no_pick_up"
    b.do({"dwarf_regulars": 1, "dain": 1})
    assert b.army("v_northwest_plain") == {"dwarf_regulars": 1} == b.army("v_dale_south_plain")
    assert b.where("dain") == "v_northwest_plain"
    b = free("character", regions)
    b.do("character", "fast_move", "v_dale_south_plain", "ruins_of_dale", "stay", ...)
    assert b.asked == "free reduce"


def test_the_character_symbol_wants_leadership_and_the_eye_a_goblin() -> None:
    regions = (
        "  bl_upper_plain: {side: shadow, units: {orcs: 3}}\n"
        "  bl_spur_plain: {side: shadow, units: {wargs: 1}, leadership: 1}"
    )
    b = shadow("character", regions)
    b.do("character", "fast_move")
    assert b.offered() == ["bl_spur_plain"]
    assert b.refused("bl_upper_plain") == "move.character_die_needs_leadership"
    regions = (
        "  bl_upper_plain: {side: shadow, units: {orcs: 3}}\n"
        "  bl_spur_plain: {side: shadow, units: {orcs: 1, goblins: 1}}"
    )
    b = shadow("lidless_eye", regions)
    b.do("lidless_eye", "goblin_move")
    assert b.refused("bl_upper_plain") == "move.eye_needs_goblin"
    b.do("bl_spur_plain", "bl_west_swamp")
    assert b.refused({"orcs": 1}) == "move.eye_needs_goblin"
    b.do({"goblins": 1})
    assert b.asked == "shadow choose_die"  # nobody with a Goblin is left to move


def test_the_eye_goes_on_with_another_goblin_army() -> None:
    regions = (
        "  bl_upper_plain: {side: shadow, units: {goblins: 1}}\n"
        "  bl_spur_plain: {side: shadow, units: {goblins: 1, orcs: 1}}"
    )
    b = shadow("lidless_eye", regions)
    b.do("lidless_eye", "goblin_move", "bl_upper_plain", "bl_spur_plain")
    assert b.offered() == ["bl_spur_plain", "done"]
    b.do("bl_spur_plain", "bl_west_swamp", {"goblins": 1, "orcs": 1})
    assert b.army("bl_spur_plain") == {"goblins": 1}


@pytest.mark.parametrize(
    ("origin", "to", "rule"),
    [
        ("v_northeast_plain", "eb_east_plain", "move.no_cross_impassable"),
        ("bl_spur_plain", "eastern_spur", "move.to_adjacent_region"),
        ("eb_ridge_west", "front_gate", "move.to_adjacent_region"),
        ("v_dale_east_plain", "ruins_of_dale", "move.not_into_enemy_army"),
        ("eb_ridge_west", "pass_north", "pass.no_entry_from_region"),
        ("v_dale_east_plain", "eyrie", "board.goblin_boxes_not_regions"),
        ("pass_west", "ss_middle", "pass.single_exit"),
        ("goblin_muster_north", "pass_north", "pass.closed_at_start"),
        ("goblin_muster_north", "eb_ridge_mid", "board.goblins_need_pass"),
    ],
)
def test_where_an_army_may_not_go(origin: str, to: str, rule: str) -> None:

    b = shadow(
        "army",
        """\
      v_northeast_plain: {side: shadow, units: {wargs: 2}}
      bl_spur_plain: {side: shadow, units: {orcs: 2}}
      eb_ridge_west: {side: shadow, units: {goblins: 2}}
      v_dale_east_plain: {side: shadow, units: {orcs: 4}}
      goblin_muster_north: {side: shadow, units: {goblins: 4}}
      pass_west: {side: shadow, units: {goblins: 1}}
      ruins_of_dale: {side: free, units: {lake_men: 1}}""",
        "passes: {west: open}",
    )
    refusal = why_not_step(b.state, 1, PLACE[origin], PLACE[to])
    assert refusal is not None and refusal.rule == rule
    b.do("army", "strategic_move")
    if origin in b.offered():
        b.do(origin)
        assert b.refused(to) == rule


def test_goblins_open_their_pass_and_go_down_it() -> None:
    b = shadow("lidless_eye", "  goblin_muster_west: {side: shadow, units: {goblins: 4}}")
    b.do("lidless_eye", "recruit_goblins")
    assert b.army("goblin_muster_west") == {"goblins": 5} and b.army("goblin_muster_north") == {"goblins": 1}
    b.do("lidless_eye", "goblin_move", "goblin_muster_west", "pass_west", ...)
    assert b.army("pass_west") == {"goblins": 5}
    data = GAME.to_json(b.state)
    assert data["open_passes"] == ["pass_west"]  # for good, though the Mustering Point is empty now


def test_fast_movement_takes_goblins_over_their_pass() -> None:
    regions = "  goblin_muster_west: {side: shadow, units: {goblins: 5}, leadership: 1}"
    b = shadow("character", regions, "passes: {west: open}")
    b.do("character", "fast_move", "goblin_muster_west", "pass_west", "ss_pass", ...)
    assert b.army("ss_pass") == {"goblins": 5}


def test_control_and_tokens_change_in_passing() -> None:
    regions = (
        "  v_west_plain: {side: shadow, units: {orcs: 2}, leadership: 1}\n"
        "  lower_slopes: {tokens: {elves: 1}}"
    )
    b = shadow("character", regions)
    pool = b.state.token_pool[1]
    b.do("character", "fast_move", "v_west_plain", "lower_slopes", "ss_east_hill", ...)
    assert b.controlled("lower_slopes") and not b.army("lower_slopes")
    assert not b.state.tokens[1] and b.state.token_pool[1] == pool + 1


def test_an_army_unit_frees_a_settlement_a_character_does_not() -> None:
    regions = """\
      lower_slopes: {control: shadow}
      v_dale_west_plain: {side: free, units: {elven_archers: 1}, characters: [gandalf], leadership: 1}"""
    b = free("character", regions, "values: {movement.gandalf: 2}")
    b.do("character", "move_characters", "gandalf", "lower_slopes")
    assert b.controlled("lower_slopes") and b.where("gandalf") == "lower_slopes"
    b = free("character", regions)
    b.do(
        "character",
        "fast_move",
        "v_dale_west_plain",
        "lower_slopes",
        "v_west_plain",
        {"elven_archers": 1, "leadership": 1},
    )
    assert not b.controlled("lower_slopes")


def test_damage_is_shared_so_that_no_part_has_too_much() -> None:
    b = free(
        "muster_army", "  v_dale_west_plain: {side: free, units: {lake_men: 1, elven_archers: 2}, damage: 2}"
    )
    b.do("muster_army", "strategic_move", "v_dale_west_plain", "v_west_plain", {"elven_archers": 2})
    assert b.offered() == ["1", "2"]
    assert b.refused("0") == "move.split_damage_tokens"
    b.do("1")
    assert b.damage("v_west_plain") == 1 == b.damage("v_dale_west_plain")


def test_leadership_left_alone_is_lost() -> None:
    b = free("muster_army", "  v_dale_west_plain: {side: free, units: {lake_men: 2}, leadership: 1}")
    b.do("muster_army", "strategic_move", "v_dale_west_plain", "v_northwest_plain", {"lake_men": 2})
    assert b.leaders("v_dale_west_plain") == 0 == b.leaders("v_northwest_plain")


def test_shadow_armies_keep_out_of_beorns_region_and_stop_beside_it() -> None:
    regions = "  eb_ridge_east: {side: shadow, units: {wargs: 2}, leadership: 1}"
    b = shadow("character", regions, "beorn: {region: eb_north_plain, wrath: 8}")
    b.do("character", "fast_move", "eb_ridge_east", "eb_ridge_mid", ...)
    assert b.army("eb_ridge_mid") == {"wargs": 2}
    b.do("event", "draw_cards") if b.asked.startswith("free") else None
    b = shadow(
        "army",
        "  eb_ridge_mid: {side: shadow, units: {wargs: 2}}",
        "beorn: {region: eb_north_plain, wrath: 8}",
    )
    b.do("army", "strategic_move", "eb_ridge_mid")
    assert b.refused("eb_north_plain") == "beorn.blocks_shadow"


def test_free_peoples_pass_beorn_but_do_not_join_him() -> None:
    regions = "  camp: {side: free, units: {lake_men: 1}, leadership: 1}"
    b = free("character", regions, "beorn: {region: eb_north_plain, wrath: 8}")
    b.do("character", "fast_move", "camp", "eb_north_plain")
    assert "stay" not in b.offered() and "eb_ridge_mid" in b.offered()
    b = free("muster_army", regions, "beorn: {region: eb_north_plain, wrath: 8}")
    b.do("muster_army", "strategic_move", "camp")
    assert b.refused("eb_north_plain") == "beorn.never_ends_with_units"


def test_ten_points_with_front_gate_win_in_the_middle_of_a_move() -> None:
    b = shadow(
        "army",
        "  v_west_plain: {side: shadow, units: {orcs: 2}}",
        "control_shadow: [front_gate, ruins_of_dale, lower_slopes]",
    )
    b.do("army", "strategic_move", "v_west_plain", "fallen_bridge", ...)
    assert b.winner == ("shadow", "victory.shadow_immediate_front_gate")


def test_merging_comes_before_the_attack() -> None:
    regions = """\
      v_south_swamp: {side: shadow, units: {orcs: 4}, damage: 2}
      v_southeast_plain: {side: shadow, units: {great_orcs: 2, wargs: 2}, damage: 1}
      v_dale_east_plain: {side: free, units: {lake_men: 3}}"""
    b = shadow("army", regions)
    b.do("army", "attack", "v_south_swamp", "v_southeast_plain", ...)
    assert b.asked == "shadow reduce"
    b.do({"orcs": 3, "damage": 3})
    assert b.asked == "shadow choose_target"
    assert b.refused("ruins_of_dale") == "combat.attack_adjacent_only"
    b.do("v_dale_east_plain")
    assert b.state.combat is not None


def test_ten_points_without_front_gate_wait_for_the_end_of_the_turn() -> None:
    b = shadow(
        "army",
        "  v_west_plain: {side: shadow, units: {orcs: 2}}",
        "control_shadow: [ravenhill, ruins_of_dale, lower_slopes]",
    )
    b.do("army", "strategic_move", "v_west_plain", "fallen_bridge", ...)
    assert b.winner is None and b.controlled("fallen_bridge")


def test_front_gate_without_ten_points_wins_nothing() -> None:
    b = shadow(
        "army",
        "  eb_gate_road: {side: shadow, units: {orcs: 2}}",
        "control_shadow: [ravenhill]",
    )
    b.do("army", "strategic_move", "eb_gate_road", "front_gate", ...)
    assert b.winner is None and b.controlled("front_gate")


def test_leadership_tokens_are_shared_out_with_the_units() -> None:
    b = shadow("army", "  bl_upper_plain: {side: shadow, units: {orcs: 4}, leadership: 3}")
    b.do("army", "strategic_move", "bl_upper_plain", "bl_spur_plain", {"orcs": 2, "leadership": 1})
    assert (b.leaders("bl_upper_plain"), b.leaders("bl_spur_plain")) == (2, 1)


def test_damage_left_on_purpose_brings_casualties() -> None:
    regions = """\
      bl_middle_plain: {side: shadow, units: {orcs: 4}, damage: 4}
      bl_east_plain: {side: shadow, units: {wargs: 4}, damage: 4}"""
    b = shadow("army", regions)
    b.do("army", "strategic_move", "bl_middle_plain", "bl_east_plain", ..., "done")
    b.do({"orcs": 3})
    assert b.damage("bl_east_plain") == 8
    assert b.asked == "shadow casualties"  # eight damage on five units
    assert b.refused({}) == "damage.mandatory_above_unit_count"


def test_a_box_is_no_neighbour_and_a_surrounded_army_stays() -> None:
    regions = """\
      ss_north: {side: shadow, units: {orcs: 1}}
      ss_pass: {side: free, units: {lake_men: 1}}
      bl_upper_plain: {side: shadow, units: {orcs: 1}}"""
    b = shadow("army", regions).do("army", "strategic_move")
    assert b.offered() == ["bl_upper_plain"]
    assert b.refused("ss_north") == "move.not_into_enemy_army"
    assert b.refused("ss_pass") == "move.army_die_strategic"
    b.do("bl_upper_plain")
    assert b.refused("goblin_muster_north") == "board.goblin_boxes_not_regions"


def test_the_army_that_was_there_takes_along_only_what_is_its_own() -> None:
    regions = """\
      camp: {side: free, units: {lake_men: 2}, characters: [bard], leadership: 1, damage: 2}
      front_gate: {side: free, units: {dwarf_regulars: 1}}
      eb_gate_road: {side: free, units: {elven_archers: 2}, characters: [dain], leadership: 1, damage: 1}"""
    b = free("muster_army", regions)
    b.do("muster_army", "strategic_move", "camp", "eb_gate_road", ...)
    assert b.offered() == ["front_gate", "eb_gate_road", "done"]
    b.do("eb_gate_road", "eb_south_hill")
    assert b.request.limits == {"elven_archers": 2, "dain": 1, "leadership": 1}  # type: ignore[attr-defined]
    b.do(...)
    assert (b.damage("eb_south_hill"), b.damage("eb_gate_road")) == (1, 2)
    assert (b.leaders("eb_south_hill"), b.leaders("eb_gate_road")) == (1, 1)
    assert (b.where("dain"), b.where("bard")) == ("eb_south_hill", "eb_gate_road")


def test_the_first_region_of_the_map_is_a_region_like_others() -> None:
    regions = """\
      camp: {side: free, units: {lake_men: 1}}
      front_gate: {side: free, units: {dwarf_veterans: 1}}"""
    b = free("muster_army", regions)
    b.do("muster_army", "strategic_move", "camp", "eb_south_hill", "front_gate", "eb_gate_road")
    assert b.army("eb_gate_road") == {"dwarf_veterans": 1}
    b = free(
        "muster_army",
        "  eb_gate_road: {side: free, units: {lake_men: 1}}",
        "beorn: {region: front_gate, wrath: 3}",
    )
    b.do("muster_army", "strategic_move", "eb_gate_road")
    assert b.refused("front_gate") == "beorn.never_ends_with_units"


def test_goblins_behind_a_closed_pass_neither_move_nor_attack() -> None:
    regions = """\
      goblin_muster_north: {side: shadow, units: {goblins: 4}}
      bl_upper_plain: {side: shadow, units: {orcs: 1}}"""
    b = shadow("army", regions).do("army", "attack")
    assert b.offered() == ["bl_upper_plain"]
    b = shadow("lidless_eye", "  goblin_muster_north: {side: shadow, units: {goblins: 4}}").do("lidless_eye")
    assert b.refused("goblin_move") == "move.eye_needs_goblin"
    assert b.refused("goblin_attack") == "move.eye_needs_goblin"


def test_several_characters_go_along_and_nobody_else_does() -> None:
    regions = "  camp: {side: free, units: {lake_men: 5}, characters: [bard, dain, thranduil]}"
    b = free("muster_army", regions).do("muster_army", "strategic_move", "camp", "eb_gate_road")
    b.do({"lake_men": 5, "bard": 1, "thranduil": 1})
    assert (b.where("bard"), b.where("dain"), b.where("thranduil")) == (
        "eb_gate_road",
        "camp",
        "eb_gate_road",
    )
    assert b.where("gandalf") is None and b.where("thorin") is None
    assert b.asked.startswith("shadow")  # five units are not too many


def test_five_after_merging_are_not_reduced() -> None:
    regions = """\
      bl_middle_plain: {side: shadow, units: {orcs: 2}}
      bl_east_plain: {side: shadow, units: {wargs: 3}}"""
    b = shadow("army", regions)
    b.do("army", "strategic_move", "bl_middle_plain", "bl_east_plain", ..., "done")
    assert b.asked != "shadow reduce" and b.army("bl_east_plain") == {"orcs": 2, "wargs": 3}


def test_a_fast_move_reaches_front_gate() -> None:
    b = free("character", "  eb_bridge_bank: {side: free, units: {lake_men: 1}, leadership: 1}")
    b.do("character", "fast_move", "eb_bridge_bank", "eb_gate_road", "front_gate", ...)
    assert b.army("front_gate") == {"lake_men": 1}


def test_the_lists_of_attackers_and_targets_know_characters_alone() -> None:
    regions = """\
      camp: {characters: [bard]}
      eb_ridge_west: {side: free, units: {lake_men: 1}}
      eb_north_plain: {side: shadow, units: {orcs: 1}}
      v_northwest_plain: {characters: [bolg]}"""
    b = free("muster_army", regions)
    b.do("muster_army", "attack")
    assert b.asked == "free choose_attacker"
    assert b.refused("camp") == "char.alone_no_attack"
    assert b.refused("v_northwest_plain") == "move.army_die_attack"
    b.do("eb_ridge_west", "stay")
    assert b.asked == "free choose_target"
    assert b.refused("v_northwest_plain") == "bolg.alone_not_attackable"
    b = shadow("army", regions)
    b.do("army", "attack")
    assert b.refused("v_northwest_plain") == "bolg.alone_cannot_attack"
    b.do("eb_north_plain", "stay")
    assert b.refused("camp") == "char.alone_not_attacked"


BY_HAND = ("event", "play_card", "event_card_by_hand", "move_armies", "1", "2", "agree")
MOVES = {
    "fast movement": ("character", "fast_move"),
    "a card that moves two armies with leadership": ("event", "play_card", "call_to_arms"),
    "a Story card that moves two armies": ("event", "play_card", "hurrying_multitude"),
    "a card that moves three armies": ("event", "play_card", "marching_companies"),
    "a card that moves an army and lets it attack": ("event", "play_card", "move_to_strike"),
    "a card by hand": BY_HAND,
    "Bat Cloud": ("muster", "bat_cloud"),
    "a strategic move": ("army", "strategic_move"),
    "a move before an attack": ("army", "attack"),
}
WHO_GOES = {"orcs": 2, "leadership": 1}


@pytest.mark.rule("control.changes_in_passing")
@pytest.mark.parametrize("way", MOVES)
def test_the_tenth_point_on_the_way_ends_the_game_before_anything_else_is_asked(way: str) -> None:
    """Pages 23 and 31: neither a second step, a second army, an attack nor, on the way, who goes along; the
    army stands where it won."""
    b = shadow(
        MOVES[way][0],
        "  v_west_plain: {side: shadow, units: {orcs: 2}, leadership: 1, damage: 1}\n"
        "  v_east_hill: {side: shadow, units: {wargs: 1}, leadership: 1}\n"
        "  v_north_swamp: {side: free, units: {lake_men: 1}}",
        "control_shadow: [front_gate, ruins_of_dale, lower_slopes]\nbats: {valley: 1}",
    )
    b.do(*MOVES[way][MOVES[way][0] == "event" :], "v_west_plain")  # four equal dice are not asked for
    if b.asked.endswith("card_move_or_attack"):
        b.do("move")
    b.do("fallen_bridge")
    if way in ("a strategic move", "a move before an attack") and b.asked.endswith("who_marches"):
        b.do(WHO_GOES)
    assert b.winner == ("shadow", "victory.shadow_immediate_front_gate")
    assert (b.army("v_west_plain"), b.army("fallen_bridge")) == ({}, {"orcs": 2})
    assert (b.leaders("fallen_bridge"), b.damage("fallen_bridge")) == (1, 1)


@pytest.mark.rule("control.marker_placed")
@pytest.mark.parametrize("units", ["1", "5"])
def test_the_tenth_point_by_units_that_a_card_by_hand_places_ends_the_game_at_once(units: str) -> None:
    """As the army that comes there takes the settlement (pages 23 and 31): no second step is asked for."""
    b = shadow(
        "event",
        "  v_north_swamp: {side: free, units: {lake_men: 1}}\n  camp: {side: free, units: {lake_men: 1}}",
        "control_shadow: [front_gate, ruins_of_dale, lower_slopes]",
    )
    b.do("play_card", "event_card_by_hand", "place_units", "orcs", units, "fallen_bridge", "agree")
    assert b.winner == ("shadow", "victory.shadow_immediate_front_gate")
    assert b.army("fallen_bridge") == {"orcs": int(units)}

"""Chapter IX: recruiting by tokens and by the Eye, and rallying."""

from __future__ import annotations

from playing import Board, free, shadow

from referee.games.five_armies.box.components import DWARVES_AND_MEN, FREE, GOBLINS
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.rules.recruiting import why_not_lay_token

EXHAUSTED = """\
  camp: {side: free, units: {dwarf_regulars: 2}}
  eastern_spur: {side: free, units: {dwarf_regulars: 3}}
  fallen_bridge: {side: free, units: {dwarf_veterans: 1}, tokens: {dwarves_and_men: 2}}
  lower_slopes: {side: free, units: {elven_spearmen: 2, elven_archers: 3}, tokens: {elves: 1}}
  bl_north_plain: {side: shadow, units: {orcs: 5}, tokens: {shadow: 2}}"""


def test_a_missing_figure_is_replaced_by_one_of_its_group() -> None:
    board = free("muster", EXHAUSTED).do("muster", "recruit")
    assert board.refused("bl_north_plain") == "muster.flip_matching_group"
    assert board.refused("camp") == "muster.die_flips_two"
    board.do("fallen_bridge", "dwarf_regulars")
    assert board.offered() == ["lake_men", "dwarf_veterans"]
    assert board.refused("elven_archers") == "muster.substitute_same_group"
    assert board.refused("dwarf_regulars") == "army.figure_limit"
    board.do("lake_men")
    assert board.army("fallen_bridge") == {"dwarf_veterans": 1, "lake_men": 1}
    assert board.state.tokens_shown == {"dwarves_and_men:dwarf_regulars": 1}
    assert board.refused("fallen_bridge") == "muster.die_regions_must_differ"
    board.do("lower_slopes", "elven_archers")
    assert board.asked == "free overflow"
    assert board.refused({}) == "muster.overflow_removed"
    board.do({"elven_spearmen": 1})
    assert board.army("lower_slopes") == {"elven_spearmen": 1, "elven_archers": 4}


def test_mustering_regions_overflow_not() -> None:
    board = shadow("muster", EXHAUSTED).do("muster", "recruit", "bl_north_plain", "orcs_2")
    assert board.army("bl_north_plain") == {"orcs": 7}
    assert board.asked != "shadow overflow"


def test_each_missing_orc_is_replaced_by_itself() -> None:
    regions = "  bl_north_plain: {side: shadow, units: {orcs: 35}, tokens: {shadow: 1}}"
    board = shadow("muster", regions).do("muster", "recruit", "bl_north_plain", "orcs_2")
    assert board.offered() == ["wargs", "great_orcs"]
    board.do("wargs")
    assert board.army("bl_north_plain") == {"orcs": 36, "wargs": 1}


def test_two_groups_in_a_region_are_told_apart() -> None:
    regions = "  camp: {side: free, units: {lake_men: 1}, tokens: {elves: 1, dwarves_and_men: 1}}"
    board = free("muster", regions).do("muster", "recruit", "camp")
    assert board.offered() == ["dwarves_and_men", "elves"]
    board.do("elves", "elven_archers")
    assert board.army("camp") == {"lake_men": 1, "elven_archers": 1}


def test_the_last_goblin_has_one_place_only() -> None:
    regions = "  bl_north_plain: {side: shadow, units: {goblins: 11}}"
    board = shadow("lidless_eye", regions).do("lidless_eye", "recruit_goblins")
    assert board.refused("bl_north_plain") == "board.goblin_recruit_site"
    board.do("goblin_muster_west")
    assert board.army("goblin_muster_west") == {"goblins": 1} and board.state.supply[GOBLINS] == 0
    board.do("lidless_eye")
    assert board.refused("recruit_goblins") == "army.figure_limit"


def test_no_token_under_the_enemy() -> None:
    board = Board(
        "phase: 5\ncontrol_shadow: [lower_slopes]\nsupply_tokens: {dwarves_and_men: 0}\n"
        "regions: {camp: {side: shadow, units: {orcs: 1}}}"
    )

    def rule(place: str, group: int = DWARVES_AND_MEN) -> str | None:
        refusal = why_not_lay_token(board.state, FREE, PLACE[place], group)
        return refusal and refusal.rule

    assert rule("camp") == "muster.token_not_with_enemy_army"
    assert rule("lower_slopes") == "muster.token_not_under_enemy_control"
    assert rule("ravenhill") == "muster.token_group_exhausted"
    assert rule("ravenhill", 1) is None


RALLY = """\
  ruins_of_dale: {side: free, units: {lake_men: 2, elven_archers: 2}, leadership: 2, damage: 3}
  camp: {side: free, units: {lake_men: 2}, damage: 2}
  ravenhill: {side: free, units: {elven_spearmen: 2}, damage: 1}
  lower_slopes: {side: free, units: {elven_spearmen: 2}}"""


def test_two_armies_rally() -> None:
    board = free("muster", RALLY, "fort_damage: {ravenhill: 2}").do("muster", "rally")
    assert board.refused("lower_slopes") == "rally.die"
    board.do("ruins_of_dale", {"combat_white": ["6", "4", "2", "1"]})
    assert board.offered() == ["2", "1", "0"] and board.refused("3") == "rally.reroll_leadership"
    board.do("2", {"combat_white": ["5", "3"]})
    assert board.damage("ruins_of_dale") == 1
    board.do({"lake_men": 1})
    assert (board.damage("ruins_of_dale"), sum(board.army("ruins_of_dale").values())) == (0, 3)
    assert board.refused("ruins_of_dale") == "rally.two_armies"
    board.do("camp", {"combat_white": ["5", "4"]}, {})
    assert board.damage("camp") == 1
    assert board.asked.startswith("shadow")


def test_rallying_leaves_the_fortification_as_it_is() -> None:
    board = free("muster", RALLY, "fort_damage: {ravenhill: 2}")
    board.do("muster", "rally", "ravenhill", {"combat_white": ["6", "6"]})
    assert board.damage("ravenhill") == 0 and board.state.fort_damage[2] == 2


def test_a_great_army_rolls_all_its_dice() -> None:
    regions = "  bl_north_plain: {side: shadow, units: {orcs: 12}, damage: 4}"
    board = shadow("muster", regions).do("muster", "rally")
    if board.asked == "shadow choose_rally":
        board.do("bl_north_plain")
    board.do({"combat_white": ["1"] * 5, "combat_black": ["6"] * 5}, {"combat_white": ["1", "1"]})
    assert board.damage("bl_north_plain") == 0


def test_beorn_does_not_rally() -> None:
    board = free("muster", RALLY, "beorn: {region: front_gate, wrath: 3}").do("muster", "rally")
    assert board.refused("front_gate") == "beorn.no_rally"


def test_nobody_is_recruited_beside_beorn() -> None:
    regions = "  camp: {tokens: {elves: 1}}\n  lower_slopes: {tokens: {elves: 1}}"
    board = free("muster", regions, "beorn: {region: camp, wrath: 3}").do("muster", "recruit")
    assert board.refused("camp") == "beorn.never_ends_with_units"
    assert board.offered() == ["lower_slopes"]


def test_the_box_book_tells_how_often_a_face_exists() -> None:
    regions = "  camp: {tokens: {elves: 2}}\n  lower_slopes: {tokens: {elves: 2}}"
    known = "values: {'copies.elves:elven_archers': 1}"
    board = free("muster", regions, known).do("muster", "recruit", "camp", "elven_archers", "lower_slopes")
    assert board.offered() == ["elven_spearmen"]

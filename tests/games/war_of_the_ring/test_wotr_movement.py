"""Moving armies: borders, splits, leaders, captures, sieges lifted, stacking (chapter VI)."""

from __future__ import annotations

import pytest
from wotr_board import ALL_AT_WAR, Table

from referee.games.war_of_the_ring.rules import marching

ARMY_DICE = "unused_dice: {free: [muster_army, event], shadow: [army, event]}\n"


def free(text: str, *, war: bool = True, dice: str = ARMY_DICE) -> Table:
    return Table((ALL_AT_WAR if war else "") + dice + "to_act: free\nregions:\n" + text)


def shadow(text: str, *, war: bool = True, dice: str = ARMY_DICE) -> Table:
    return Table((ALL_AT_WAR if war else "") + dice + "to_act: shadow\nregions:\n" + text)


ENEMY = "  nurn: {units: {sauron_regular: 1}}\n"


@pytest.mark.rule("move.adjacent", refuses=True)
@pytest.mark.rule("move.not_into_enemy_army", refuses=True)
@pytest.mark.rule("dice.army_move")
def test_an_army_goes_next_door_but_not_into_the_enemy() -> None:
    table = free(
        "  pelargir: {units: {gondor_regular: 2}}\n  west_harondor: {units: {sauron_regular: 1}}\n" + ENEMY
    ).do("muster_army", "move_armies")
    assert table.asked == "free choose_destination"
    assert table.offered() == ["lamedon", "lossarnach", "osgiliath"]
    assert table.refused("west_harondor") == "move.not_into_enemy_army"
    assert table.refused("minas_tirith") == "move.adjacent"
    table.do("lossarnach", {"gondor_regular": 2})
    assert table.units("lossarnach") == {"gondor_regular": 2} and table.units("pelargir") == {}


@pytest.mark.rule("move.adjacent", refuses=True)
def test_black_lines_are_no_borders_and_rivers_are() -> None:
    table = free("  anfalas: {units: {gondor_regular: 1}}\n" + ENEMY).do("muster_army", "move_armies")
    assert table.refused("helms_deep") == "move.adjacent"
    assert "dol_amroth" in table.offered()


@pytest.mark.ruling("r06")
@pytest.mark.rule("move.river")
def test_r06_rivers_may_be_crossed() -> None:
    """Osgiliath lies across the Anduin from North Ithilien."""
    table = free("  osgiliath: {units: {gondor_regular: 1}}\n" + ENEMY).do("muster_army", "move_armies")
    assert "north_ithilien" in table.offered()
    table.do("north_ithilien")
    assert table.units("north_ithilien") == {"gondor_regular": 1}


@pytest.mark.rule("move.borders", refuses=True)
def test_units_not_at_war_stay_out_of_other_nations() -> None:
    """Beyond the own borders they may go where nobody rules."""
    table = free("  edoras: {units: {rohan_regular: 2}}\n" + ENEMY, war=False)
    table.do("muster_army", "move_armies")
    assert "folde" in table.offered()
    table = free("  folde: {units: {rohan_regular: 2}}\n" + ENEMY, war=False).do("muster_army", "move_armies")
    assert table.refused("druadan_forest") == "move.borders"
    assert table.reason("druadan_forest") == "border"
    table = free("  fangorn: {units: {rohan_regular: 2}}\n" + ENEMY, war=False).do(
        "muster_army", "move_armies"
    )
    assert table.refused("parth_celebrant") in ("", "move.borders") and "eastemnet" in table.offered()


@pytest.mark.rule("move.borders", refuses=True)
def test_who_retreated_into_another_nation_must_leave_it() -> None:
    """North units in Erebor who are not At War may only go out of the Dwarves' land."""
    table = free("  erebor: {units: {north_regular: 2}}\n" + ENEMY, war=False).do(
        "muster_army", "move_armies"
    )
    assert table.offered() == ["dale", "withered_heath"]
    assert table.refused("iron_hills") == "move.borders"


def test_only_the_part_at_war_crosses() -> None:
    table = Table(
        "politics: {rohan: at_war, gondor: active 1}\n" + ARMY_DICE + "to_act: free\nregions:\n"
        "  druadan_forest: {units: {rohan_regular: 1, gondor_regular: 1, gondor_leader: 1}}\n" + ENEMY
    ).do("muster_army", "move_armies", "folde")
    assert table.units("folde") == {"rohan_regular": 1}
    assert table.units("druadan_forest") == {"gondor_regular": 1, "gondor_leader": 1}


@pytest.mark.rule("move.leaders_follow", refuses=True)
@pytest.mark.rule("move.split", refuses=False)
def test_leaders_never_stay_alone() -> None:
    table = free("  edoras: {units: {rohan_regular: 2, rohan_leader: 1}}\n" + ENEMY)
    table.do("muster_army", "move_armies", "folde")
    assert table.refused({"rohan_regular": 2}) == "move.leaders_follow"
    assert table.refused({"rohan_leader": 1}) == "move.army"
    assert table.refused({"rohan_regular": 1}) == ""
    table.do({"rohan_regular": 1, "rohan_leader": 1})
    assert table.units("edoras") == {"rohan_regular": 1}


def test_the_only_unit_does_not_leave_a_leader_who_cannot_follow() -> None:
    """Rohan is At War, Gondor is not: its leader cannot go to the Folde, so the unit cannot either."""
    table = Table(
        "politics: {rohan: at_war, gondor: active 1}\n" + ARMY_DICE + "to_act: free\nregions:\n"
        "  druadan_forest: {units: {rohan_regular: 1, gondor_leader: 1}}\n" + ENEMY
    ).do("muster_army", "move_armies")
    assert table.asked == "free choose_destination"
    assert "folde" not in table.offered() and "minas_tirith" in table.offered()
    assert table.refused("folde") == "move.leaders_follow"


def test_characters_and_nazgul_may_stay_or_go() -> None:
    table = shadow("  minas_morgul: {units: {sauron_regular: 2, nazgul: 2}, characters: [witch_king]}\n")
    table.do("army", "move_armies", "south_ithilien", {"sauron_regular": 2, "nazgul": 1})
    assert table.units("minas_morgul") == {"nazgul": 1}
    assert table.characters("minas_morgul") == {"witch_king"}


def test_saruman_never_leaves_orthanc() -> None:
    table = shadow("  orthanc: {units: {isengard_regular: 2}, characters: [saruman]}\n")
    table.do("army", "move_armies", "gap_of_rohan")
    assert table.asked == "shadow choose_movers" and table.offered() == [{"isengard_regular": 1}]
    assert table.refused({"isengard_regular": 1, "saruman": 1}) == "char.level_zero"


@pytest.mark.rule("move.characters_at_war")
def test_nazgul_cross_borders_with_an_army_at_war() -> None:
    table = Table(
        "politics: {southrons_easterlings: at_war}\n" + ARMY_DICE + "to_act: shadow\nregions:\n"
        "  near_harad: {units: {southrons_easterlings_regular: 1, nazgul: 1}}\n"
    ).do("army", "move_armies")
    assert {"nazgul", "southrons_easterlings_regular"} <= set(table.do("khand").request.limits)  # type: ignore[attr-defined]


@pytest.mark.rule("move.two_armies")
@pytest.mark.rule("move.once_per_action", refuses=True)
def test_an_army_die_moves_two_armies_and_no_figure_twice() -> None:
    table = free("  edoras: {units: {rohan_regular: 2}}\n  folde: {units: {rohan_elite: 1}}\n" + ENEMY).do(
        "muster_army", "move_armies", "edoras", "folde", {"rohan_regular": 2}
    )
    assert table.asked == "free choose_second_army" and table.offered() == ["folde", "done"]
    table.do("folde", "eastemnet")
    assert table.units("folde") == {"rohan_regular": 2} and table.units("eastemnet") == {"rohan_elite": 1}

    table = free("  edoras: {units: {rohan_regular: 2}}\n  erebor: {units: {dwarves_regular: 1}}\n" + ENEMY)
    table.do("muster_army", "move_armies", "edoras", "folde", {"rohan_regular": 2})
    assert table.refused("folde") == "move.once_per_action"


@pytest.mark.rule("move.two_armies", "move.split")
def test_two_parts_of_one_army_may_go_two_ways() -> None:
    table = free("  edoras: {units: {rohan_regular: 2}}\n" + ENEMY)
    table.do("muster_army", "move_armies", "folde", {"rohan_regular": 1}, "edoras", "westemnet")
    assert table.units("folde") == table.units("westemnet") == {"rohan_regular": 1}


@pytest.mark.rule("move.led_by_character_die", refuses=True)
@pytest.mark.rule("dice.character_move")
def test_a_character_die_moves_a_led_army_with_its_leader() -> None:
    dice = "unused_dice: {free: [character, event], shadow: [army, event]}\n"
    table = free(
        "  edoras: {units: {rohan_regular: 2, rohan_leader: 1}}\n  folde: {units: {rohan_regular: 1}}\n"
        "  erebor: {units: {dwarves_regular: 1, dwarves_leader: 1}}\n" + ENEMY,
        dice=dice,
    ).do("character", "led_move")
    assert table.refused("folde") == "move.led_by_character_die"
    assert table.refused("nurn") == "move.own_army"
    assert table.refused("moria") == "move.army"
    table.do("edoras", "westemnet")
    assert table.refused({"rohan_regular": 1}) == "move.led_by_character_die"
    table.do({"rohan_regular": 1, "rohan_leader": 1})
    assert table.asked != "free choose_second_army"


def test_isengards_elites_lead_while_saruman_is_in_play() -> None:
    dice = "unused_dice: {free: [muster, event], shadow: [character, event]}\n"
    text = "  gap_of_rohan: {units: {isengard_elite: 1, isengard_regular: 1}}\n"
    without = shadow(text, dice=dice).do("character")
    assert without.refused("led_move") == "move.led_by_character_die"
    led = shadow(text + "  orthanc: {characters: [saruman]}\n", dice=dice).do(
        "character", "led_move", "enedwaith"
    )
    assert led.refused({"isengard_regular": 1}) == "move.led_by_character_die"
    led.do({"isengard_elite": 1})
    assert led.units("enedwaith") == {"isengard_elite": 1}


@pytest.mark.rule(
    "move.captures", "move.enemy_settlement", "politics.captured", "politics.activated_by_entering"
)
def test_entering_an_undefended_settlement_captures_it() -> None:
    table = Table(
        "politics: {sauron: at_war}\n" + ARMY_DICE + "to_act: shadow\nregions:\n"
        "  osgiliath: {units: {sauron_regular: 3}}\n"
    ).do("army", "move_armies", "pelargir", {"sauron_regular": 2}, "done")
    assert table.captured == {"pelargir"}
    assert table.active("gondor") and table.steps("gondor") == 1


@pytest.mark.rule("move.captures")
def test_a_recaptured_settlement_is_its_nations_again() -> None:
    table = free("  lossarnach: {units: {gondor_regular: 1}}\n  pelargir: {control: shadow}\n" + ENEMY)
    assert table.captured == {"pelargir"}
    table.do("muster_army", "move_armies", "pelargir")
    assert table.captured == set()


@pytest.mark.rule("move.reinforce_siege", "move.lifts_siege")
@pytest.mark.rule("siege.garrison_stays", refuses=True)
def test_a_siege_is_reinforced_or_lifted() -> None:
    siege = (
        "  minas_tirith: {units: {sauron_regular: 2}, besieged: {units: {gondor_regular: 3}}}\n"
        "  osgiliath: {units: {sauron_elite: 1}}\n"
    )
    table = shadow(siege).do("army", "move_armies", "osgiliath", "minas_tirith", "done")
    assert table.units("minas_tirith") == {"sauron_regular": 2, "sauron_elite": 1}
    assert table.captured == set()

    table = shadow(siege).do(
        "army", "move_armies", "minas_tirith", "osgiliath", {"sauron_regular": 2}, "done"
    )
    assert table.units("minas_tirith") == {"gondor_regular": 3} and table.units("minas_tirith_siege") == {}

    table = free(siege + "  edoras: {units: {rohan_regular: 1}}\n  erebor: {units: {dwarves_regular: 1}}\n")
    table.do("muster_army", "move_armies")
    assert table.refused("minas_tirith_siege") == "siege.garrison_stays"


@pytest.mark.rule("stack.surplus", "stack.limit")
def test_the_eleventh_unit_goes_back_to_the_reinforcements() -> None:
    table = free(
        "  edoras: {units: {rohan_regular: 7, rohan_elite: 2}}\n  folde: {units: {gondor_regular: 2}}\n"
        + ENEMY
    )
    before = table.supply("rohan_regular")
    table.do("muster_army", "move_armies", "folde", "edoras", {"gondor_regular": 2}, "done")
    assert table.asked == "free choose_surplus"
    table.do({"rohan_regular": 1})
    assert sum(table.units("edoras").values()) == 10
    assert table.supply("rohan_regular") == before + 1 and table.fallen("rohan_regular") == 0


@pytest.mark.rule("politics.activated_by_entering")
def test_entering_wakes_a_nation_though_no_settlement_is_there() -> None:
    table = Table(
        "politics: {isengard: at_war}\n" + ARMY_DICE + "to_act: shadow\nregions:\n"
        "  gap_of_rohan: {units: {isengard_regular: 2}}\n"
    )
    assert not table.active("rohan")
    table.do("army", "move_armies", "fords_of_isen", {"isengard_regular": 1}, "done")
    assert table.active("rohan") and table.steps("rohan") == 3 and table.captured == set()


@pytest.mark.ruling("r54")
def test_r54_osgiliath_is_no_region_of_gondor() -> None:
    table = Table(
        "politics: {sauron: at_war}\n" + ARMY_DICE + "to_act: shadow\nregions:\n"
        "  north_ithilien: {units: {sauron_regular: 1}}\n"
    ).do("army", "move_armies", "osgiliath")
    assert not table.active("gondor") and table.steps("gondor") == 2
    table = Table(
        "politics: {isengard: at_war}\n" + ARMY_DICE + "to_act: shadow\nregions:\n"
        "  gap_of_rohan: {units: {isengard_regular: 1}}\n"
    ).do("army", "move_armies", "fords_of_isen")
    assert table.active("rohan") and table.steps("rohan") == 3


@pytest.mark.ruling("r63")
@pytest.mark.rule("politics.companion")
def test_r63_strider_wakes_the_north_when_his_army_marches_in() -> None:
    table = Table(
        "politics: {elves: at_war}\n" + ARMY_DICE + "to_act: free\nregions:\n"
        "  buckland: {units: {elves_regular: 1}, characters: [strider]}\n" + ENEMY
    ).do("muster_army", "move_armies", "the_shire", {"elves_regular": 1, "strider": 1})
    assert table.active("north")
    table = Table(
        "politics: {elves: at_war}\n" + ARMY_DICE + "to_act: free\nregions:\n"
        "  westemnet: {units: {elves_regular: 1}, characters: [strider]}\n" + ENEMY
    ).do("muster_army", "move_armies", "edoras", {"elves_regular": 1, "strider": 1})
    assert not table.active("rohan")


@pytest.mark.ruling("r04")
def test_r04_a_region_besieged_by_me_is_free_for_me() -> None:
    from referee.games.war_of_the_ring.box.components import FREE, SHADOW
    from referee.games.war_of_the_ring.box.map import PLACE
    from referee.games.war_of_the_ring.rules.pieces import free_for

    table = shadow(
        "  minas_tirith: {units: {sauron_regular: 2}, besieged: {units: {gondor_regular: 3}}}\n"
        "  pelargir: {control: shadow}\n"
    )
    state = table.state
    assert free_for(state, SHADOW) >> PLACE["minas_tirith"] & 1
    assert not free_for(state, FREE) >> PLACE["minas_tirith"] & 1
    assert not free_for(state, FREE) >> PLACE["pelargir"] & 1
    assert free_for(state, SHADOW) >> PLACE["pelargir"] & 1
    assert not free_for(state, SHADOW) >> PLACE["dol_amroth"] & 1


@pytest.mark.rule("move.closed_by_card", refuses=True)
def test_a_card_in_play_keeps_shadow_armies_out() -> None:
    text = (
        "  northern_dorwinion: {units: {sauron_regular: 1}}\n  dimrill_dale: {units: {sauron_regular: 2}}\n"
    )
    head = ALL_AT_WAR + ARMY_DICE + "to_act: shadow\n"
    table = Table(head + "table_cards: [a_power_too_great]\nregions:\n" + text)
    table.do("army", "move_armies", "dimrill_dale")
    assert table.refused("lorien") == "move.closed_by_card"
    open_way = Table(head + "regions:\n" + text).do("army", "move_armies", "dimrill_dale")
    assert "lorien" in open_way.offered()


def test_who_moved_already_makes_no_second_army_fit_for_a_card() -> None:
    """A card moves armies with Nazgul: where the only one came with the first army, the rest stays."""
    from referee.games.war_of_the_ring.box.components import SHADOW
    from referee.games.war_of_the_ring.box.map import PLACE
    from referee.games.war_of_the_ring.rules import movement
    from referee.games.war_of_the_ring.state.armies import NAZGUL_BITS, pack

    table = shadow(
        "  osgiliath: {units: {isengard_elite: 2, nazgul: 1}}\n  orthanc: {characters: [saruman]}\n"
        "  edoras: {units: {rohan_regular: 1}}\n"
    )

    def offered(moved: marching.Moved) -> object:
        army = movement.move_army(
            table.state,
            SHADOW,
            need=marching.LED,
            moved=moved,
            goes_along=lambda figures, chars: bool(figures & NAZGUL_BITS),
        )
        return next(army).request.options

    assert offered({PLACE["osgiliath"]: (pack({"nazgul": 1}), 0)}) == ("done",)
    assert offered({}) == ("osgiliath",)

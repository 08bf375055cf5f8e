"""Strongholds: withdrawing, siege battles, sorties, relief, capture; and retreats from the field."""

from __future__ import annotations

import pytest
from battle_driving import HERE, THERE, Fight, at, begin, clash, ground, lay
from ring_driving import Drive, where

from referee.games.war_of_the_ring.box.components import (
    FIGURE,
    FREE,
    GONDOR,
    REGULAR,
    SAURON,
    SHADOW,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards.primitives import PRIMITIVES, Running
from referee.games.war_of_the_ring.rules import attacks, politics
from referee.games.war_of_the_ring.rules.movement import march
from referee.games.war_of_the_ring.rules.pieces import besieged, controlled, free_for
from referee.games.war_of_the_ring.state.audit import audit
from referee.games.war_of_the_ring.state.state import ELIMINATED, State

CITY, BOX, NEAR = "minas_tirith", "minas_tirith_siege", "osgiliath"


def besieging(
    garrison: dict[str, int], besiegers: dict[str, int], chars: dict[str, str] | None = None, **more: object
) -> State:
    """Minas Tirith under siege."""
    return ground({BOX: garrison, CITY: besiegers}, chars, **more)  # type: ignore[arg-type]


def besieged_now(state: State) -> bool:
    return bool(besieged(state) >> PLACE[CITY] & 1)


# --- withdrawing --------------------------------------------------------------------------------


@pytest.mark.rule("siege.withdraw", "siege.begins", "siege.control")
def test_before_any_roll_the_defender_may_withdraw_and_the_siege_begins() -> None:
    fought = clash(
        {"sauron_regular": 5, "nazgul": 1},
        {"gondor_regular": 3, "gondor_elite": 1, "gondor_leader": 1},
        "boromir",
        start=NEAR,
        target=CITY,
    )
    assert fought.asked == "free field_or_siege"
    fought.go("withdraw")
    assert fought.asked == "shadow advance"
    fought.go({"sauron_regular": 4, "nazgul": 1})
    state = fought.state
    assert fought.asked == "over"
    assert at(state, BOX) == {"gondor_regular": 3, "gondor_elite": 1, "gondor_leader": 1}
    assert at(state, CITY) == {"sauron_regular": 4, "nazgul": 1}
    assert where(state, "boromir") == PLACE[BOX]
    assert besieged_now(state) and controlled(state, FREE) >> PLACE[CITY] & 1
    assert free_for(state, SHADOW) >> PLACE[CITY] & 1
    assert not free_for(state, FREE) >> PLACE[CITY] & 1


@pytest.mark.rule("siege.not_followed")
def test_if_nobody_follows_the_garrison_comes_out_with_all_its_units() -> None:
    fought = clash({"sauron_regular": 5}, {"gondor_regular": 7}, "boromir", start=NEAR, target=CITY)
    fought.go("withdraw", {})
    assert fought.asked == "over"
    assert at(fought.state, CITY) == {"gondor_regular": 7}
    assert where(fought.state, "boromir") == PLACE[CITY]
    assert not besieged_now(fought.state)


@pytest.mark.rule("siege.five_units")
def test_surplus_units_go_back_to_the_reinforcements_when_the_siege_begins() -> None:
    fought = clash(
        {"sauron_regular": 5},
        {"gondor_regular": 5, "gondor_elite": 3, "gondor_leader": 3},
        start=NEAR,
        target=CITY,
    )
    supply = fought.state.supply[:]
    fought.go("withdraw", {"sauron_regular": 5})
    assert fought.asked == "free choose_surplus"
    fought.go({"gondor_regular": 3})
    assert at(fought.state, BOX) == {"gondor_regular": 2, "gondor_elite": 3, "gondor_leader": 3}
    assert fought.state.supply[REGULAR[GONDOR]] == supply[REGULAR[GONDOR]] + 3
    assert fought.state.fallen[REGULAR[GONDOR]] == 0


@pytest.mark.rule("siege.withdraw", "siege.field_battle")
@pytest.mark.rule("retreat.after_round", refuses=True)
def test_the_choice_comes_before_every_round_and_the_field_has_no_walls() -> None:
    fought = clash({"sauron_regular": 3}, {"gondor_regular": 3}, start=NEAR, target=CITY)
    assert fought.refused("retreat") == "retreat.after_round"
    fought.go("field_battle", (5, 1, 1), (1, 1, 1))
    assert at(fought.state, CITY) == {"gondor_regular": 2}  # a five hits
    fought.go("go_on", "stay")
    assert fought.asked == "free field_or_siege"
    fought.go("withdraw", {"sauron_regular": 3})
    assert besieged_now(fought.state)


def test_a_captured_stronghold_shelters_its_new_owners() -> None:
    fought = clash(
        {"gondor_regular": 3}, {"sauron_regular": 3}, attacker="free", start=NEAR, target=CITY, captured=CITY
    )
    assert fought.asked == "shadow field_or_siege"
    fought.go("withdraw", {"gondor_regular": 3})
    assert at(fought.state, BOX) == {"sauron_regular": 3}


def test_enemies_find_no_shelter_in_a_stronghold_that_is_not_theirs() -> None:
    fought = clash({"gondor_regular": 3}, {"sauron_regular": 3}, attacker="free", start=NEAR, target=CITY)
    assert fought.asked == "free combat_roll"


def test_saruman_withdraws_into_orthanc_with_his_army() -> None:
    state = ground(
        {"fords_of_isen": {"rohan_regular": 5}, "orthanc": {"isengard_regular": 3}}, {"saruman": "orthanc"}
    )
    begin(state, "free", "fords_of_isen", "orthanc").go("withdraw", {"rohan_regular": 5})
    assert where(state, "saruman") == PLACE["orthanc_siege"]


# --- siege battles ------------------------------------------------------------------------------


@pytest.mark.rule("siege.attacker_hits_on_six", "siege.one_round", "siege.goes_on")
def test_a_siege_battle_has_one_round_and_the_attacker_needs_sixes() -> None:
    state = besieging({"gondor_regular": 3}, {"sauron_regular": 5})
    fought = begin(state, "shadow", CITY, BOX).go((5, 5, 5, 5, 6), (5, 1, 1))
    assert fought.asked == "over"
    assert at(state, BOX) == {"gondor_regular": 2}
    assert at(state, CITY) == {"sauron_regular": 4}
    assert besieged_now(state)


@pytest.mark.rule("siege.prolong")
def test_an_elite_reduced_gives_another_round_again_and_again() -> None:
    state = besieging({"gondor_regular": 5}, {"sauron_elite": 2, "southrons_easterlings_elite": 1})
    fought = begin(state, "shadow", CITY, BOX).go((1, 1, 1), (1,) * 5)
    assert fought.asked == "shadow prolong_siege"
    assert fought.options == {"cease", "sauron_elite", "southrons_easterlings_elite"}
    fought.go("sauron_elite", (6, 1, 1), (1,) * 5)
    assert at(state, CITY) == {"sauron_regular": 1, "sauron_elite": 1, "southrons_easterlings_elite": 1}
    fought.go("southrons_easterlings_elite", (1, 1, 1), (1,) * 4, "sauron_elite", (1, 1, 1), (1,) * 4)
    assert fought.asked == "over"
    assert at(state, CITY) == {"sauron_regular": 2, "southrons_easterlings_regular": 1}


@pytest.mark.rule("siege.one_round", "siege.prolong", refuses=True)
def test_another_round_costs_an_elite_that_can_be_reduced() -> None:
    state = besieging({"gondor_regular": 5}, {"sauron_elite": 2, "southrons_easterlings_elite": 1})
    state.fallen = state.fallen[:]
    fought = begin(state, "shadow", CITY, BOX).go((1, 1, 1), (1,) * 5)
    assert fought.refused("go_on") == "siege.one_round"
    state = besieging({"gondor_regular": 5}, {"sauron_regular": 1, "sauron_elite": 2, "isengard_elite": 1})
    # every regular of Isengard stands elsewhere
    everywhere = state.supply[REGULAR[2 * 2 + 1]]
    assert everywhere == 12
    from referee.games.war_of_the_ring.rules.pieces import add_figures
    from referee.games.war_of_the_ring.state.armies import ONE

    add_figures(state, PLACE["orthanc"], ONE[REGULAR[5]] * 6)
    add_figures(state, PLACE["north_dunland"], ONE[REGULAR[5]] * 6)
    fought = begin(state, "shadow", CITY, BOX).go((1,) * 4, (1,) * 5)
    assert fought.refused("isengard_elite") == "siege.prolong"
    assert fought.refused("sauron_regular") == "siege.prolong"


def test_only_elites_in_the_battle_prolong_it() -> None:
    state = besieging({"gondor_regular": 5}, {"sauron_regular": 3, "sauron_elite": 2})
    figures = 2 << 6 * FIGURE["sauron_regular"]
    flow = attacks.begin(state, SHADOW, PLACE[CITY], PLACE[BOX], figures, 0)
    fought = Fight(state, flow).go((1, 1), (1,) * 5)
    assert fought.asked == "over"


@pytest.mark.rule("siege.rounds_by_card")
def test_a_card_gives_three_rounds() -> None:
    state = besieging({"gondor_regular": 5}, {"sauron_regular": 4, "sauron_elite": 1})
    fought = begin(state, "shadow", CITY, BOX, rounds=3)
    for _ in range(2):
        fought.go((1,) * 5, (1,) * 5)
        assert fought.asked == "shadow cease_or_go_on"
        fought.go("go_on")
    fought.go((1,) * 5, (1,) * 5)
    assert fought.asked == "shadow prolong_siege"


@pytest.mark.rule("siege.capture")
def test_when_the_garrison_is_gone_the_besiegers_capture_the_stronghold() -> None:
    state = besieging({"gondor_regular": 1, "gondor_leader": 1}, {"sauron_regular": 5}, {"gimli": BOX})
    state.steps[GONDOR] = 2
    fought = begin(state, "shadow", CITY, BOX).go((6, 6, 1, 1, 1), (1, 1), (1, 1))
    assert fought.asked == "over"
    assert state.captured >> PLACE[CITY] & 1
    assert where(state, "gimli") == ELIMINATED
    assert state.steps[GONDOR] == 0  # attacked, then captured
    assert not besieged_now(state)


@pytest.mark.rule("siege.capture")
def test_nobody_captures_where_no_besieger_is_left() -> None:
    state = besieging({"gondor_regular": 1}, {"sauron_regular": 1})
    begin(state, "shadow", CITY, BOX).go((6,), (6,))
    assert not state.captured >> PLACE[CITY] & 1
    assert at(state, CITY) == {} == at(state, BOX)


@pytest.mark.rule("siege.capture")
def test_a_rearguard_is_enough_to_capture() -> None:
    state = besieging({"gondor_regular": 1}, {"sauron_regular": 2})
    flow = attacks.begin(state, SHADOW, PLACE[CITY], PLACE[BOX], 1 << 6 * FIGURE["sauron_regular"], 0)
    Fight(state, flow).go((6,), (6,))
    assert state.captured >> PLACE[CITY] & 1


@pytest.mark.rule("siege.ends")
def test_when_the_besiegers_are_destroyed_the_garrison_comes_out() -> None:
    state = besieging({"gondor_regular": 4, "gondor_leader": 1}, {"sauron_regular": 1, "nazgul": 1})
    fought = begin(state, "shadow", CITY, BOX).go((1,), (6, 1, 1, 1))
    fought.go((1,), (1,))
    assert at(state, CITY) == {"gondor_regular": 4, "gondor_leader": 1}
    assert at(state, BOX) == {}


def test_recapturing_brings_control_back_without_politics() -> None:
    state = ground({BOX: {"sauron_regular": 1}, CITY: {"gondor_regular": 5}}, captured=CITY)
    state.steps[SAURON] = 1
    begin(state, "free", CITY, BOX).go((6, 1, 1, 1, 1), (1,))
    assert not state.captured
    assert state.steps[GONDOR] == 0
    assert politics.active(state, SAURON) and state.steps[SAURON] == 0


@pytest.mark.rule("siege.only_besiegers", refuses=True)
def test_a_garrison_is_attacked_only_from_its_own_region() -> None:
    state = ground(
        {
            BOX: {"gondor_regular": 2},
            CITY: {"sauron_regular": 2},
            NEAR: {"southrons_easterlings_regular": 4},
            "lossarnach": {"gondor_regular": 1},
            "pelargir": {"gondor_regular": 1},
        }
    )
    drive = Drive(state, attacks.attack_action(state, SHADOW, "", "battle.army_die", within=1 << PLACE[NEAR]))
    assert drive.options == {"lossarnach", "pelargir"}
    assert drive.refused(BOX) == "siege.only_besiegers"
    assert attacks.targets(state, SHADOW, PLACE[CITY]) >> PLACE[BOX] & 1


@pytest.mark.rule("retreat.besieged")
def test_a_besieged_army_never_retreats() -> None:
    state = besieging({"gondor_regular": 3}, {"sauron_elite": 3})
    fought = begin(state, "shadow", CITY, BOX).go((1, 1, 1), (1, 1, 1), "sauron_elite")
    assert fought.asked == "shadow combat_roll"


# --- sorties ------------------------------------------------------------------------------------


@pytest.mark.rule("siege.sortie", "siege.sortie_field", "siege.sortie_ceases")
def test_a_sortie_is_fought_in_the_field_and_ends_inside_when_it_ceases() -> None:
    state = besieging({"gondor_regular": 4}, {"sauron_regular": 4})
    assert attacks.can_attack(state, FREE) == 1 << PLACE[BOX]
    fought = begin(state, "free", BOX, CITY).go((5, 1, 1, 1), (5, 1, 1, 1))
    assert at(state, BOX) == {"gondor_regular": 3}
    assert at(state, CITY) == {"sauron_regular": 3}
    assert fought.asked == "free cease_or_go_on"
    fought.go("cease")
    assert fought.asked == "over"
    assert at(state, BOX) == {"gondor_regular": 3}


@pytest.mark.rule("siege.sortie_no_advance")
def test_a_won_sortie_lifts_the_siege_and_goes_no_further() -> None:
    state = besieging({"gondor_regular": 4, "gondor_leader": 1}, {"sauron_regular": 1})
    flow = attacks.begin(state, FREE, PLACE[BOX], PLACE[CITY], 2 << 6 * FIGURE["gondor_regular"], 0)
    fought = Fight(state, flow).go((6, 1), (1,))
    assert fought.asked == "over"
    assert at(state, CITY) == {"gondor_regular": 4, "gondor_leader": 1}
    assert at(state, BOX) == {}


@pytest.mark.rule("siege.sortie_field")
def test_besiegers_may_retreat_from_a_sortie() -> None:
    state = besieging({"gondor_regular": 4}, {"sauron_regular": 3}, {"mouth_of_sauron": CITY})
    fought = begin(state, "free", BOX, CITY).go((1, 1, 1, 1), (1, 1, 1), (1, 1), "go_on", "retreat")
    assert CITY not in fought.options
    fought.go("osgiliath")
    assert at(state, "osgiliath") == {"sauron_regular": 3}
    assert where(state, "mouth_of_sauron") == PLACE["osgiliath"]
    assert at(state, CITY) == {"gondor_regular": 4}


@pytest.mark.rule("siege.capture")
def test_a_sortie_of_the_last_men_that_fails_loses_the_stronghold() -> None:
    state = besieging({"gondor_regular": 1}, {"sauron_regular": 5}, {"boromir": BOX})
    fought = begin(state, "free", BOX, CITY).go((1, 1), (6, 1, 1, 1, 1), (1,))
    assert fought.asked == "over"
    assert state.captured >> PLACE[CITY] & 1
    assert where(state, "boromir") == ELIMINATED


def test_a_rearguard_holds_the_stronghold_when_the_sortie_is_destroyed() -> None:
    state = besieging({"gondor_regular": 2}, {"sauron_regular": 5})
    flow = attacks.begin(state, FREE, PLACE[BOX], PLACE[CITY], 1 << 6 * FIGURE["gondor_regular"], 0)
    Fight(state, flow).go((1,), (6, 1, 1, 1, 1))
    assert at(state, BOX) == {"gondor_regular": 1}
    assert not state.captured and besieged_now(state)


@pytest.mark.rule("siege.sortie")
def test_from_inside_only_the_besiegers_are_attacked() -> None:
    state = ground(
        {BOX: {"gondor_regular": 2}, CITY: {"sauron_regular": 2}, NEAR: {"southrons_easterlings_regular": 4}}
    )
    able = attacks.targets(state, FREE, PLACE[BOX])
    assert able == 1 << PLACE[CITY]
    assert dict(attacks.why_not_targets(state, FREE, PLACE[BOX], able))[NEAR].rule == "siege.sortie"


@pytest.mark.rule("siege.capture")
def test_a_garrison_led_away_by_a_card_leaves_its_stronghold_to_the_besiegers() -> None:
    state = ground(
        {
            "helms_deep_siege": {"rohan_regular": 2, "rohan_leader": 1},
            "helms_deep": {"isengard_regular": 3},
            CITY: {"gondor_regular": 1},
        },
        {"gimli": "helms_deep_siege"},
    )
    figures = 2 << 6 * FIGURE["rohan_regular"]
    march(state, PLACE["helms_deep_siege"], PLACE[CITY], figures, 0)
    assert audit(state) == []
    assert state.captured >> PLACE["helms_deep"] & 1
    assert where(state, "gimli") == PLACE["helms_deep"]
    assert at(state, "helms_deep") == {"isengard_regular": 3}
    assert state.fallen[FIGURE["rohan_leader"]] == 1


@pytest.mark.rule("siege.capture")
def test_stormcrow_takes_the_last_of_a_garrison() -> None:
    state = ground(
        {"helms_deep_siege": {"rohan_regular": 1}, "helms_deep": {"isengard_regular": 3}},
        {"gimli": "helms_deep_siege"},
        not_at_war="rohan",
    )
    Drive(state, PRIMITIVES["stormcrow"](state, Running(SHADOW, "stormcrow", 0), {}))
    assert state.captured >> PLACE["helms_deep"] & 1
    assert where(state, "gimli") == PLACE["helms_deep"]


# --- relief -------------------------------------------------------------------------------------


@pytest.mark.rule("siege.relief", "siege.relief_advance")
def test_a_relief_army_frees_the_garrison_and_may_join_it() -> None:
    state = ground(
        {
            BOX: {"gondor_regular": 2, "gondor_leader": 1},
            CITY: {"sauron_regular": 1},
            "druadan_forest": {"rohan_regular": 3},
        }
    )
    fought = begin(state, "free", "druadan_forest", CITY)
    assert fought.request.dice == {"combat_free": 3}  # type: ignore[attr-defined]
    fought.go((6, 1, 1), (1,))
    assert at(state, CITY) == {"gondor_regular": 2, "gondor_leader": 1}
    fought.go({"rohan_regular": 2})
    assert at(state, CITY) == {"gondor_regular": 2, "gondor_leader": 1, "rohan_regular": 2}
    assert not state.captured


def test_help_unlooked_for_takes_dice_from_the_besiegers_in_every_round() -> None:
    state = ground(
        {BOX: {"gondor_regular": 3}, CITY: {"sauron_regular": 5}, "druadan_forest": {"rohan_regular": 3}}
    )
    fought = begin(state, "free", "druadan_forest", CITY, shadow_dice_less=3).go((1, 1, 1))
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    fought.go((1, 1), "go_on", "stay", (6, 6, 6))
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    fought.go((1, 1), "go_on", "stay", (1, 1, 1))
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]


# --- retreat ------------------------------------------------------------------------------------


@pytest.mark.rule("retreat.defender", "retreat.whole_army")
def test_the_defender_retreats_with_everything_after_the_attacker_goes_on() -> None:
    fought = clash({"sauron_regular": 3}, {"gondor_regular": 3, "gondor_leader": 1}, "gimli")
    fought.go((1, 1, 1), (1,) * 4, (1, 1))
    assert fought.asked == "shadow cease_or_go_on"
    fought.go("go_on", "retreat", "dead_marshes")
    assert at(fought.state, "dead_marshes") == {"gondor_regular": 3, "gondor_leader": 1}
    assert where(fought.state, "gimli") == PLACE["dead_marshes"]
    assert fought.asked == "shadow advance"
    fought.go({"sauron_regular": 3})
    assert at(fought.state, THERE) == {"sauron_regular": 3}


@pytest.mark.rule("retreat.free_region", refuses=True)
def test_a_retreat_needs_a_strictly_free_region() -> None:
    state = ground(
        {
            NEAR: {"sauron_regular": 3},
            "lossarnach": {"gondor_regular": 3},
            CITY: {"southrons_easterlings_regular": 2},
        },
        captured="pelargir",
    )
    fought = begin(state, "shadow", NEAR, "lossarnach").go((1, 1, 1), (1, 1, 1), "go_on")
    assert fought.asked == "shadow combat_roll"  # nowhere to go: nothing is asked
    state = ground(
        {HERE: {"sauron_regular": 3}, THERE: {"gondor_regular": 3}, "dagorlad": {"sauron_regular": 1}}
    )
    fought = begin(state, "shadow", HERE, THERE).go((1, 1, 1), (1, 1, 1), "go_on", "retreat")
    assert fought.refused(HERE) == "retreat.free_region"
    assert fought.refused("dagorlad") == "retreat.free_region"


def test_a_retreat_into_an_own_siege_ring_is_possible() -> None:
    state = ground(
        {
            BOX: {"gondor_regular": 2},
            CITY: {"sauron_regular": 2},
            NEAR: {"southrons_easterlings_regular": 3},
            "pelargir": {"gondor_regular": 4},
        }
    )
    fought = begin(state, "free", "pelargir", NEAR).go((1,) * 4, (1, 1, 1), "go_on", "retreat")
    assert CITY in fought.options
    fought.go(CITY)
    assert at(state, CITY) == {"sauron_regular": 2, "southrons_easterlings_regular": 3}


@pytest.mark.rule("retreat.level_zero")
def test_saruman_stays_behind_when_his_army_retreats() -> None:
    state = ground(
        {"fords_of_isen": {"rohan_regular": 5}, "orthanc": {"isengard_regular": 3}}, {"saruman": "orthanc"}
    )
    fought = begin(state, "free", "fords_of_isen", "orthanc")
    fought.go("field_battle", (1,) * 5, (1, 1, 1), (1,), "go_on", "retreat")
    assert at(state, "gap_of_rohan") == {"isengard_regular": 3}
    assert where(state, "saruman") == PLACE["orthanc"]
    fought.go({"rohan_regular": 5})
    assert where(state, "saruman") == PLACE["orthanc"]
    assert state.captured >> PLACE["orthanc"] & 1


@pytest.mark.rule("retreat.borders")
def test_units_not_at_war_cross_borders_in_retreat() -> None:
    state = ground(
        {"iron_hills": {"southrons_easterlings_regular": 3}, "dale": {"north_regular": 2}}, not_at_war="north"
    )
    fought = begin(state, "shadow", "iron_hills", "dale").go((1, 1, 1), (1, 1), "go_on", "retreat")
    assert {"erebor", "woodland_realm"} <= fought.options


def test_a_closed_region_is_no_way_out_for_the_shadow() -> None:
    state = ground({"parth_celebrant": {"sauron_regular": 2}, "fangorn": {"rohan_regular": 4}}, shadow="")
    lay(state, "a_power_too_great")
    fought = begin(state, "free", "fangorn", "parth_celebrant").go((1,) * 4, (1, 1), "go_on", "retreat")
    assert "lorien" not in fought.options

"""All 38 combat effects of the second edition: what each does in a round, and when."""

from __future__ import annotations

import pytest
from battle_driving import HERE, THERE, Fight, at, begin, card_with, clash, ground
from ring_driving import where

from referee.games.war_of_the_ring.box.components import FIGURE, FREE
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards.combat_data import CONDITIONS, NEEDS, STEPS
from referee.games.war_of_the_ring.cards.combat_effects import EFFECTS
from referee.games.war_of_the_ring.rules.fighting import combat_dice, leadership, nazgul_leadership
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, COMBAT_EFFECTS
from referee.games.war_of_the_ring.state.state import ELIMINATED

ORCS, MEN = {"sauron_regular": 5}, {"gondor_regular": 5}
ROHAN = {"start": "fords_of_isen", "target": "westemnet"}
NONE = (1,) * 5


def hits(fought: Fight, seat: str) -> int:
    return fought.side(seat).hits


# --- the data -----------------------------------------------------------------------------------


def test_every_effect_has_steps_at_its_timing_numbers_and_a_known_condition() -> None:
    assert set(STEPS) == set(COMBAT_EFFECTS) == set(NEEDS)
    assert len(STEPS) == 38
    for name, effect in COMBAT_EFFECTS.items():
        assert sorted({step["at"] for step in STEPS[name]}) == list(effect.timing), name
        assert all(step["do"] in EFFECTS for step in STEPS[name])
        assert NEEDS[name] in CONDITIONS
    assert {card.combat for card in CARDS.values()} == set(STEPS)


# --- the Free Peoples' effects --------------------------------------------------------------------


def test_it_is_a_gift_adds_one_to_roll_and_reroll_in_the_region_of_the_fellowship() -> None:
    men = {"gondor_regular": 4, "gondor_leader": 1}
    fought = clash(ORCS, men, free="it_is_a_gift", ring=THERE)
    fought.go(NONE, (4, 3, 3, 1))
    assert hits(fought, "free") == 1
    fought.go((4,))
    assert fought.side("free").rerolled == 1
    assert at(fought.state, HERE) == {"sauron_regular": 3}
    assert fought.state.hand[FREE] == [0, 0]
    assert fought.state.shown[FREE] & CARD_BIT[card_with("it_is_a_gift")]


def test_blade_of_westernesse_spends_a_hit_of_the_reroll_on_a_minion() -> None:
    fought = clash(ORCS, MEN, "meriadoc", "witch_king", "mouth_of_sauron", free="blade_of_westernesse")
    fought.go(NONE, NONE, (1, 1, 1, 1), (5,))
    assert fought.asked == "free slay"
    assert fought.options == {"witch_king", "mouth_of_sauron"}
    fought.go("witch_king")
    assert where(fought.state, "witch_king") == ELIMINATED
    assert at(fought.state, HERE) == {"sauron_regular": 5}  # the hit is spent


def test_blade_of_westernesse_does_nothing_without_a_hit_in_the_reroll() -> None:
    fought = clash(ORCS, MEN, "meriadoc", "witch_king", free="blade_of_westernesse")
    fought.go(NONE, (5, 1, 1, 1, 1), (1, 1), (1,))
    assert fought.asked == "shadow cease_or_go_on"
    assert where(fought.state, "witch_king") == PLACE[HERE]


def test_mighty_attack_turns_a_miss_into_a_hit_for_a_companions_leadership() -> None:
    fought = clash(ORCS, MEN, "gimli", "legolas", free="mighty_attack").go(NONE, NONE)
    assert fought.asked == "free forfeit_companion"
    fought.go("gimli")
    assert hits(fought, "free") == 1
    assert fought.request.dice == {"combat_free": 1}  # type: ignore[attr-defined]


def test_servant_of_the_secret_fire_adds_one_to_the_combat_roll_only() -> None:
    fought = clash(ORCS, MEN, "gandalf_the_grey", free="servant_of_the_secret_fire")
    fought.go(NONE, (4, 1, 1, 1, 1))
    assert hits(fought, "free") == 1
    fought.go((4,))
    assert fought.side("free").rerolled == 0


@pytest.mark.parametrize(("who", "turned"), [("strider", 1), ("aragorn", 2)])
def test_anduril_turns_one_miss_for_strider_and_two_for_aragorn(who: str, turned: int) -> None:
    fought = clash(ORCS, {"gondor_regular": 4}, who, free="anduril").go(NONE, NONE)
    assert fought.asked == "shadow cease_or_go_on"  # his leadership is gone: no re-roll
    assert at(fought.state, HERE) == {"sauron_regular": 5 - turned}


def test_anduril_turns_no_more_misses_than_there_are() -> None:
    fought = clash(ORCS, {"gondor_regular": 2}, "aragorn", free="anduril").go(NONE, (5, 5, 1))
    assert at(fought.state, HERE) == {"sauron_regular": 2}


@pytest.mark.parametrize(("victim", "cancelled"), [("gondor_leader", 1), ("boromir", 2), ("meriadoc", 1)])
def test_heroic_death_cancels_hits_for_a_leader_or_a_companion(victim: str, cancelled: int) -> None:
    men = {"gondor_regular": 5, "gondor_leader": 1}
    fought = clash(ORCS, men, "boromir", "meriadoc", free="heroic_death")
    fought.go((6, 6, 6, 1, 1), NONE, (1, 1, 1))
    assert fought.asked == "free sacrifice"
    assert fought.options == {"nobody", "gondor_leader", "boromir", "meriadoc"}
    fought.go(victim)
    assert at(fought.state, THERE)["gondor_regular"] == 2 + cancelled
    if victim == "gondor_leader":
        assert fought.state.fallen[FIGURE[victim]] == 1
    else:
        assert where(fought.state, victim) == ELIMINATED


def test_heroic_death_is_voluntary_and_needs_a_hit() -> None:
    men = {"gondor_regular": 5, "gondor_leader": 1}
    fought = clash(ORCS, men, free="heroic_death").go((6, 1, 1, 1, 1), NONE, (1,), "nobody")
    assert at(fought.state, THERE) == {"gondor_regular": 4, "gondor_leader": 1}
    fought = clash(ORCS, men, free="heroic_death").go(NONE, NONE, (1,))
    assert fought.asked == "shadow cease_or_go_on"


def test_daring_defiance_cancels_the_card_for_the_companions_leadership() -> None:
    fought = clash(ORCS, MEN, "gimli", "boromir", free="daring_defiance", shadow="deadly_strife")
    assert fought.side("shadow").cancelled
    assert fought.side("shadow").add == 0 == fought.side("free").add
    fought.go(NONE, NONE)
    assert fought.asked == "shadow cease_or_go_on"  # no leader re-roll is left


def test_daring_defiance_costs_nothing_where_there_is_no_card() -> None:
    fought = clash(ORCS, MEN, "gimli", free="daring_defiance").go(NONE, NONE)
    assert fought.asked == "free leader_reroll"


def test_fateful_strike_fells_a_nazgul_for_one_hit_and_may_take_a_minion_for_two() -> None:
    men = {"gondor_regular": 5, "gondor_leader": 2}
    orcs = {"sauron_regular": 5, "nazgul": 1}
    fought = clash(orcs, men, "witch_king", free="fateful_strike")
    fought.go(NONE, NONE, (1, 1, 1), (5, 1))
    assert at(fought.state, HERE) == {"sauron_regular": 4}
    assert where(fought.state, "witch_king") == PLACE[HERE]
    fought = clash(orcs, men, "witch_king", free="fateful_strike").go(NONE, NONE, (1, 1, 1), (5, 5))
    assert fought.options == {"nazgul", "witch_king"}
    fought.go("witch_king")
    assert where(fought.state, "witch_king") == ELIMINATED
    assert at(fought.state, HERE) == {"sauron_regular": 3, "nazgul": 1}  # additionally to the hits


def test_fateful_strike_finds_nobody_with_one_hit_where_only_the_witch_king_flies() -> None:
    men = {"gondor_regular": 5, "gondor_leader": 1}
    fought = clash(ORCS, men, "witch_king", free="fateful_strike").go(NONE, NONE, (1, 1), (5,))
    assert fought.asked == "shadow cease_or_go_on"
    assert where(fought.state, "witch_king") == PLACE[HERE]


@pytest.mark.rule("combat_card.additional_attack")
def test_sudden_strike_hits_before_the_combat_roll_with_leadership_dice() -> None:
    men = {"gondor_regular": 3, "gondor_leader": 2}
    fought = clash({"sauron_regular": 3}, men, "aragorn", free="sudden_strike")
    assert fought.asked == "free additional_attack"
    assert fought.request.dice == {"combat_free": 4}  # type: ignore[attr-defined]
    fought.go((5, 6, 4, 1))
    assert at(fought.state, HERE) == {"sauron_regular": 1}
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]
    fought.go((1,), (1, 1, 1, 1), (1, 1, 1, 1))
    assert fought.side("free").hits == 0  # those of the attack are not suffered again


def test_sudden_strike_may_end_the_battle_before_the_roll() -> None:
    fought = clash({"sauron_regular": 1}, {"gondor_regular": 1, "gondor_leader": 2}, free="sudden_strike")
    fought.go((6, 1))
    assert fought.asked == "over"
    assert at(fought.state, HERE) == {}


def test_brave_stand_takes_a_die_for_each_companion_but_leaves_one() -> None:
    fought = clash(ORCS, MEN, "gimli", "meriadoc", free="brave_stand")
    assert fought.request.dice == {"combat_shadow": 3}  # type: ignore[attr-defined]
    fought = clash({"sauron_regular": 2}, MEN, "gimli", "meriadoc", "legolas", free="brave_stand")
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]


def test_ents_rage_adds_two_in_the_country_of_the_ents() -> None:
    fought = clash({"isengard_regular": 4}, {"rohan_regular": 4}, free="ents_rage", **ROHAN)
    fought.go((1,) * 4, (3, 3, 2, 1))
    assert hits(fought, "free") == 2


def test_huorn_dark_leaves_the_shadow_two_dice() -> None:
    fought = clash({"isengard_regular": 4}, {"rohan_regular": 4}, free="huorn_dark", **ROHAN)
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]


def test_nameless_wood_adds_two_hits_to_any_hit() -> None:
    for rolled, wanted in (((5, 1, 1, 1), 3), ((1, 1, 1, 1), 0)):
        fought = clash({"isengard_regular": 4}, {"rohan_regular": 4}, free="nameless_wood", **ROHAN)
        fought.go((1,) * 4, rolled)
        assert hits(fought, "free") == wanted
        assert sum(at(fought.state, "fords_of_isen").values()) == 4 - wanted


def test_daylight_leaves_the_shadow_three_dice() -> None:
    fought = clash(ORCS, MEN, free="daylight")
    assert fought.request.dice == {"combat_shadow": 3}  # type: ignore[attr-defined]


def test_no_quarter_adds_a_hit_to_any_hit_of_roll_or_reroll() -> None:
    men = {"gondor_regular": 5, "gondor_leader": 1}
    for rolled, again, wanted in (((5, 1, 1, 1, 1), (1,), 2), (NONE, (5,), 2), (NONE, (1,), 0)):
        fought = clash(ORCS, men, free="no_quarter").go(NONE, rolled, again)
        assert hits(fought, "free") == wanted


def test_advantageous_position_takes_one_from_the_shadows_combat_roll_but_sixes_hit() -> None:
    fought = clash(
        {"sauron_regular": 5, "nazgul": 1},
        MEN,
        free="advantageous_position",
        start="osgiliath",
        target="lossarnach",
    )
    fought.go((5, 5, 6, 1, 1), NONE)
    assert hits(fought, "shadow") == 1
    fought.go((5,))
    assert fought.side("shadow").rerolled == 1


@pytest.mark.rule("combat_card.effect")
def test_scouts_leave_before_anything_slower_happens() -> None:
    """The rulebook's example: Scouts (1) goes before Durin's Bane (2); both cards are discarded (page 29)."""
    fought = clash(ORCS, MEN, free="scouts", shadow="durins_bane", start="hollin", target="north_dunland")
    assert fought.asked == "free choose_retreat"
    fought.go("cardolan")
    assert at(fought.state, "cardolan") == MEN
    assert fought.asked == "shadow advance"
    assert fought.state.hand == [[0, 0], [0, 0]]
    fought.go({"sauron_regular": 5})
    assert at(fought.state, "north_dunland") == ORCS


def test_scouts_may_withdraw_into_the_stronghold() -> None:
    fought = clash(ORCS, MEN, free="scouts", start="osgiliath", target="minas_tirith").go("field_battle")
    fought.use_cards()
    assert fought.options == {"retreat", "withdraw"}
    fought.go("withdraw", {"sauron_regular": 5})
    assert at(fought.state, "minas_tirith_siege") == MEN


def test_scouts_without_a_way_out_change_nothing() -> None:
    """The way out of Edoras is barred by armies of the Shadow."""
    state = ground(
        {"westemnet": {"sauron_regular": 2}, "folde": {"sauron_regular": 2}, "edoras": MEN}, free="scouts"
    )
    fought = begin(state, "shadow", "folde", "edoras", free="scouts").use_cards()
    assert fought.asked == "shadow combat_roll"


def test_shield_wall_cancels_one_of_two_or_more_hits() -> None:
    for rolled, wanted in (((5, 5, 5, 1, 1), 2), ((5, 5, 1, 1, 1), 1), ((5, 1, 1, 1, 1), 1)):
        fought = clash(ORCS, MEN, free="shield_wall").go(rolled, NONE)
        assert hits(fought, "shadow") == wanted
        assert at(fought.state, THERE) == {"gondor_regular": 5 - wanted}


def test_confusion_turns_natural_ones_against_the_shadow() -> None:
    orcs = {"sauron_regular": 4, "nazgul": 4}
    fought = clash(orcs, MEN, free="confusion").go((1, 1, 2, 5), NONE)
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]  # only the two
    fought.go((1,))
    assert hits(fought, "free") == 2  # the one of the re-roll does not count
    assert at(fought.state, HERE)["sauron_regular"] == 2


def test_charge_is_an_attack_by_elites_before_the_roll() -> None:
    fought = clash(ORCS, {"gondor_regular": 2, "gondor_elite": 2}, free="charge")
    assert fought.request.dice == {"combat_free": 2}  # type: ignore[attr-defined]
    fought.go((5, 4))
    assert at(fought.state, HERE) == {"sauron_regular": 4}


def test_valour_adds_one_to_the_combat_roll() -> None:
    fought = clash(ORCS, {"gondor_regular": 2, "gondor_elite": 2}, free="valour").go(NONE, (4, 4, 3, 1))
    assert hits(fought, "free") == 2


# --- the Shadow's effects -------------------------------------------------------------------------


def test_one_for_the_dark_lord_adds_one_to_roll_and_reroll() -> None:
    fought = clash({"sauron_regular": 4, "nazgul": 1}, MEN, shadow="one_for_the_dark_lord", ring=THERE)
    fought.go((4, 1, 1, 1), NONE, (4,))
    assert hits(fought, "shadow") == 2


def test_cruel_as_death_forfeits_two_points_for_one_on_the_roll() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 3}, MEN, shadow="cruel_as_death")
    fought.go((4, 1, 1, 1, 1), NONE)
    assert hits(fought, "shadow") == 1
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]


def test_they_are_terrible_adds_one_to_the_reroll_for_a_point() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 3}, MEN, shadow="they_are_terrible").go(NONE, NONE)
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    fought.go((4, 3))
    assert hits(fought, "shadow") == 1


def test_dread_and_despair_takes_a_die_for_each_point_forfeited() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 4}, MEN, shadow="dread_and_despair")
    assert fought.asked == "shadow forfeit_points"
    assert fought.options == {"1", "2", "3", "4"}
    fought.go("3", NONE)
    assert fought.request.dice == {"combat_free": 2}  # type: ignore[attr-defined]
    fought.go((1, 1))
    assert fought.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]


def test_dread_and_despair_leaves_the_free_peoples_a_die() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 4}, {"gondor_regular": 2}, shadow="dread_and_despair")
    fought.go("4", NONE)
    assert fought.request.dice == {"combat_free": 1}  # type: ignore[attr-defined]


def test_black_breath_may_take_a_leader_or_a_companion_of_low_level() -> None:
    men = {"gondor_regular": 5, "gondor_leader": 1}
    orcs = {"sauron_regular": 5, "nazgul": 2}
    fought = clash(orcs, men, "meriadoc", "boromir", shadow="black_breath")
    fought.go(NONE, NONE, (5, 1), (1, 1, 1))
    assert fought.options == {"nobody", "gondor_leader", "meriadoc"}  # one hit: no companion of level 2
    fought.go("meriadoc")
    assert where(fought.state, "meriadoc") == ELIMINATED
    fought = clash(orcs, men, "boromir", shadow="black_breath").go(NONE, NONE, (5, 5), (1, 1))
    assert "boromir" in fought.options
    fought.go("nobody")
    assert where(fought.state, "boromir") == PLACE[THERE]


def test_foul_stench_cancels_the_reroll_where_the_nazgul_lead_as_well() -> None:
    for leaders, cancelled in ((2, True), (3, False)):
        men = {"gondor_regular": 5, "gondor_leader": leaders}
        fought = clash({"sauron_regular": 5, "nazgul": 2}, men, shadow="foul_stench")
        fought.go(NONE, NONE, (1, 1))
        assert (fought.asked == "shadow cease_or_go_on") == cancelled


def test_words_of_power_silence_a_companion_and_his_abilities() -> None:
    fought = clash(
        {"sauron_regular": 5, "nazgul": 1},
        {"gondor_regular": 3},
        "boromir",
        "peregrin",
        shadow="words_of_power",
    )
    assert fought.options == {"boromir", "peregrin"}
    fought.go("boromir")
    assert leadership(fought.state, fought.battle, FREE) == 1
    assert combat_dice(fought.state, fought.battle, FREE) == 3  # he is no Captain in this round


def test_words_of_power_bring_the_nazgul_back_for_a_round() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 2}, MEN, "gandalf_the_white", shadow="words_of_power").go(
        "yes"
    )
    assert nazgul_leadership(fought.state, fought.battle) == 0
    fought.use_cards()
    assert nazgul_leadership(fought.state, fought.battle) == 2
    assert leadership(fought.state, fought.battle, FREE) == 0


def test_durins_bane_attacks_with_three_dice_that_hit_on_four() -> None:
    fought = clash(ORCS, MEN, shadow="durins_bane", start="hollin", target="north_dunland")
    assert fought.request.dice == {"combat_shadow": 3}  # type: ignore[attr-defined]
    fought.go((4, 5, 3))
    assert at(fought.state, "north_dunland") == {"gondor_regular": 3}


def test_devilry_of_orthanc_helps_isengard_against_a_garrison() -> None:
    state = ground(
        {"helms_deep_siege": {"rohan_regular": 5}, "helms_deep": {"isengard_regular": 5}},
        shadow="devilry_of_orthanc",
    )
    fought = begin(state, "shadow", "helms_deep", "helms_deep_siege", shadow="devilry_of_orthanc").use_cards()
    fought.go((5, 4, 1, 1, 1), NONE)
    assert (
        hits(fought, "shadow") == 1 if state.battle else at(state, "helms_deep_siege") == {"rohan_regular": 4}
    )


@pytest.mark.parametrize(("effect", "more"), [("deadly_strife", 2), ("desperate_battle", 1)])
def test_both_armies_roll_better(effect: str, more: int) -> None:
    fought = clash(
        {"sauron_regular": 5, "nazgul": 1}, {"gondor_regular": 5, "gondor_leader": 1}, shadow=effect
    )
    good, bad = 5 - more, 4 - more
    fought.go((good, bad, 1, 1, 1), (good, bad, 1, 1, 1), (good,), (good,))
    assert hits(fought, "shadow") == 2 == hits(fought, "free")


def test_onslaught_pays_with_own_units_for_dice_after_the_casualties() -> None:
    fought = clash(ORCS, MEN, shadow="onslaught").go(NONE, (5, 1, 1, 1, 1))
    assert fought.asked == "shadow own_hits"
    assert fought.options == {"0", "1", "2", "3", "4"}
    fought.go("3")
    assert at(fought.state, HERE) == {"sauron_regular": 1}
    fought.go((4, 5, 3))
    assert at(fought.state, THERE) == {"gondor_regular": 3}


def test_onslaught_is_bounded_by_what_is_left_and_may_be_declined() -> None:
    fought = clash({"sauron_regular": 2}, MEN, shadow="onslaught").go((1, 1), (5, 1, 1, 1, 1))
    assert fought.options == {"0", "1"}
    fought.go("0")
    assert fought.asked == "shadow cease_or_go_on"


def test_relentless_assault_pays_for_each_point_on_the_roll() -> None:
    fought = clash(ORCS, MEN, shadow="relentless_assault").go("2")
    assert at(fought.state, HERE) == {"sauron_regular": 3}
    fought.go((3, 3, 2))
    assert hits(fought, "shadow") == 2


def test_great_host_hits_where_it_is_twice_as_many_after_the_casualties() -> None:
    fought = clash(ORCS, {"gondor_regular": 3}, shadow="great_host").go((5, 1, 1, 1, 1), (1, 1, 1))
    assert at(fought.state, THERE) == {"gondor_regular": 1}
    fought = clash(ORCS, {"gondor_regular": 3}, shadow="great_host").go(NONE, (1, 1, 1))
    assert at(fought.state, THERE) == {"gondor_regular": 3}


def test_mumakil_trample_when_they_hit_more_than_they_are_hit() -> None:
    army = {"southrons_easterlings_elite": 2, "southrons_easterlings_regular": 3}
    for free, wanted in (((5, 1, 1, 1, 1), 3), ((5, 5, 1, 1, 1), 2)):
        fought = clash(army, MEN, shadow="mumakil").go((4, 4, 1, 1, 1), free)
        assert hits(fought, "shadow") == wanted


def test_mumakil_count_the_hits_of_an_attack_before_the_roll() -> None:
    army = {"southrons_easterlings_elite": 2, "southrons_easterlings_regular": 3}
    men = {"gondor_regular": 5, "gondor_leader": 2}
    fought = clash(army, men, shadow="mumakil", free="sudden_strike").go((5, 5))
    fought.go({"southrons_easterlings_regular": 2}, (4, 4, 1), NONE, (1, 1))
    assert hits(fought, "shadow") == 2


def test_swarm_of_bats_cancels_a_card_or_helps_the_reroll() -> None:
    fought = clash({"sauron_regular": 5, "nazgul": 1}, MEN, free="daylight", shadow="swarm_of_bats")
    assert fought.request.dice == {"combat_shadow": 5}  # type: ignore[attr-defined]
    assert fought.side("shadow").add_again == 0
    fought = clash({"sauron_regular": 5, "nazgul": 1}, MEN, shadow="swarm_of_bats").go(NONE, NONE, (4,))
    assert hits(fought, "shadow") == 1


def test_we_come_to_kill_is_an_attack_by_elites_after_the_casualties() -> None:
    fought = clash({"sauron_regular": 2, "sauron_elite": 2}, MEN, shadow="we_come_to_kill")
    fought.go((1,) * 4, NONE)
    assert fought.asked == "shadow additional_attack"
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    fought.go((5, 4))
    assert at(fought.state, THERE) == {"gondor_regular": 4}

"""Rounds of combat: cards, rolls, re-rolls, abilities, damage; worked examples of chapter X."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.components import BEORN, CHARACTER, SHADOW
from referee.games.five_armies.map import PLACE
from referee.games.five_armies.pieces import put_character
from referee.games.five_armies.state import ELIMINATED

DALE = {
    "v_dale_east_plain": "shadow orcs 2, great_orcs 1",
    "ruins_of_dale": "free dwarf_veterans 1, dwarf_regulars 1",
}


# --- choosing cards -----------------------------------------------------------------------------


def test_cards_of_the_units_present_regroup_and_events() -> None:
    state = armies(**DALE)
    state.hand_event = [1, 0]
    fight = Fight.attack(state, "v_dale_east_plain", "ruins_of_dale")
    free, shadow = (fight.request.of[seat] for seat in ("free", "shadow"))  # type: ignore[union-attr]
    assert set(free.options) == {"dwarf_veterans", "dwarf_regulars", "regroup", "event_card"}
    assert set(shadow.options) == {"orcs", "great_orcs", "regroup"}
    assert fight.refusal({"free": "regroup", "shadow": "goblins"}) == "combat.hand_unit_cards"
    assert fight.refusal({"free": "regroup", "shadow": "vampire_like"}) == "combat.hand_special_cards"
    assert fight.refusal({"free": "thorins_mighty_strokes", "shadow": "orcs"}) == "combat.hand_special_cards"
    assert fight.refusal({"free": "regroup", "shadow": "event_card"}) == "manoeuvre.allowed_cards"
    assert fight.refusal({"free": "story_card", "shadow": "orcs"}) == "combat.story_cards_set_aside"


def test_used_cards_stay_used_until_regroup() -> None:
    fight = Fight.attack(armies(**DALE), "v_dale_east_plain", "ruins_of_dale")
    fight.cards("dwarf_veterans", "orcs").rolls("1 | 1 1", "1 1 | 1 1").until("* manoeuvre_both")
    assert (
        fight.refusal({"free": "dwarf_veterans", "shadow": "great_orcs"}) == "manoeuvre.unit_card_stays_used"
    )
    assert fight.refusal({"free": "dwarf_regulars", "shadow": "orcs"}) == "manoeuvre.unit_card_stays_used"
    fight.cards("regroup", "regroup").rolls("1 1 1", "1 1 1 1").until("* manoeuvre_both")
    assert fight.refusal({"free": "dwarf_veterans", "shadow": "orcs"}) == ""
    assert fight.refusal({"free": "regroup", "shadow": "regroup"}) == ""


def test_event_card_is_named_and_counted() -> None:
    state = armies(**DALE)
    state.hand_event, state.event_deck = [2, 0], 28
    fight = Fight.attack(state, "v_dale_east_plain", "ruins_of_dale").cards("event_card", "orcs")
    assert fight.asked == "free event_card_played"
    fight.answer("fierce_defence")
    assert (state.hand_event, state.event_discard) == ([1, 0], 1)
    fight.until("shadow combat_roll")
    assert fight.side("shadow").target == 6


def test_unit_card_without_its_units_gives_no_black_die() -> None:
    state = armies(v_dale_east_plain="shadow orcs 2, great_orcs 1; damage 3", ruins_of_dale="free lake_men 5")
    fight = Fight.attack(state, "v_dale_east_plain", "ruins_of_dale")
    fight.cards("regroup", "regroup").rolls("5 1 1 1 1", "1 1 1 1")
    assert fight.asked == "shadow casualties"
    fight.answer({"great_orcs": 1}).until("* manoeuvre_both")
    fight.cards("regroup", "great_orcs")
    assert fight.asked == "shadow combat_roll"
    assert fight.request.dice == {"combat_white": 2}  # type: ignore[union-attr]


# --- the worked examples ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "hits", "usable"), [("6 | 5 3 1", 2, True), ("4 | 6 5 1", 2, False), ("4 | 1 1 1", 0, False)]
)
def test_example_of_the_great_orc_card(roll: str, hits: int, usable: bool) -> None:
    fight = Fight.attack(armies(**DALE), "v_dale_east_plain", "ruins_of_dale").cards("regroup", "great_orcs")
    assert fight.request.dice == {"combat_white": 3, "combat_black": 1}  # type: ignore[union-attr]
    fight.roll(roll).roll("1 1 1")
    assert fight.side("shadow").hits == hits
    assert (fight.asked == "shadow use_ability") is usable


def dains_army() -> Fight:
    state = armies(
        camp="free dwarf_regulars 2, dwarf_veterans 1; dain; leadership 1",
        eb_north_plain="shadow orcs 4; leadership 1",
    )
    return Fight.attack(state, "eb_north_plain", "camp").cards("dwarf_veterans", "regroup")


def test_example_of_dains_reroll() -> None:
    fight = dains_army().rolls("4 | 2 3 3", "1 1 1 1").until("free combat_reroll")
    assert fight.refusal({"combat_white": 3, "combat_black": 1}) == "combat.leader_reroll"
    fight.answer({"combat_white": 2, "combat_black": 1}).roll("5 | 6 4")
    assert fight.side("free").hits == 2
    assert sorted(die[1] for die in fight.side("free").rolled) == ["3", "4", "5", "6"]
    assert fight.asked == "free use_ability"
    fight.answer("use")
    assert (fight.damage("eb_north_plain"), fight.leaders("eb_north_plain")) == (3, 0)


def test_only_misses_are_rerolled_and_once() -> None:
    fight = dains_army().rolls("6 | 5 2 1", "1 1 1 1").until("free combat_reroll")
    assert fight.refusal({"combat_black": 1}) == "combat.leader_reroll_misses_only"
    assert fight.refusal({"combat_white": 3}) == "combat.leader_reroll_misses_only"
    fight.answer({"combat_white": 1}).roll("1")
    assert not fight.asked.endswith("combat_reroll")


def test_the_reroll_may_be_declined_and_needs_leadership() -> None:
    fight = Fight.attack(armies(**DALE), "v_dale_east_plain", "ruins_of_dale").cards("regroup", "regroup")
    fight.rolls("1 1 1", "1 1 1 1")
    assert fight.asked == "shadow break_off"


def test_ford_example_over_two_rounds() -> None:
    state = armies(v_northwest_plain="shadow orcs 3", camp="free lake_men 3")
    fight = Fight.attack(state, "v_northwest_plain", "camp").cards("regroup", "regroup")
    fight.rolls("5 2 1", "5 5 6").until("* manoeuvre_both")
    assert (fight.damage("camp"), fight.damage("v_northwest_plain")) == (1, 1)
    fight.cards("regroup", "regroup").rolls("1 1 2", "5 4 6").until("* manoeuvre_both")
    assert (fight.damage("camp"), fight.damage("v_northwest_plain")) == (3, 1)
    assert fight.units("camp") == 3


def test_fortification_absorbs_breaks_and_the_target_falls_a_round_later() -> None:
    state = armies(ss_south="shadow orcs 5", ravenhill="free elven_spearmen 2")
    fight = Fight.attack(state, "ss_south", "ravenhill")
    wanted = [("6 6 5 3 1", 2, 0), ("6 6 5 2 2", 3, 1)]
    for roll, fort, army in wanted:
        fight.cards("regroup", "regroup").rolls("1 2", roll).until("* manoeuvre_both")
        assert (max(state.fort_damage), fight.damage("ravenhill")) == (fort, army)
    fight.cards("regroup", "regroup").rolls("4 4", "5 5 2 1 1").until("* manoeuvre_both")
    assert (fight.units("ravenhill"), fight.damage("ravenhill")) == (1, 1)
    assert max(state.fort_damage) == 3


def test_walls_serve_the_shadow_too() -> None:
    state = armies(ss_middle="free elven_archers 3", ravenhill="shadow orcs 2")
    fight = Fight.attack(state, "ss_middle", "ravenhill").cards("regroup", "regroup")
    fight.rolls("6 5 5", "1 1").until("* manoeuvre_both")
    assert (max(state.fort_damage), fight.damage("ravenhill")) == (1, 0)


@pytest.mark.parametrize(
    ("black", "use", "fort", "target"),
    [("5 2 1", "use", 2, 6), ("5 2 1", "decline", 3, 5), ("4 2 1", "", 3, 5)],
)
def test_wall_of_spears_shields_a_fortification(black: str, use: str, fort: int, target: int) -> None:
    state = armies(eb_ridge_east="shadow great_orcs 2, orcs 1", eastern_spur="free elven_spearmen 3")
    fight = Fight.attack(state, "eb_ridge_east", "eastern_spur").cards("elven_spearmen", "regroup")
    fight.rolls(black + " |", "6 6 6 2 1")
    if use:
        assert fight.asked == "free use_ability"
        fight.answer(use)
    fight.until("* manoeuvre_both")
    assert (max(state.fort_damage), fight.damage("eastern_spur")) == (fort, 0)
    assert fight.damage("eb_ridge_east") == (1 if black.startswith("5") else 0)
    fight.cards("regroup", "regroup").until("shadow combat_roll").roll("1 1 1 1 1")
    assert fight.side("shadow").target == target


# --- the abilities ------------------------------------------------------------------------------


def round_of(free: str, shadow: str, cards: tuple[str, str], rolls: tuple[str, str]) -> Fight:
    """A round on open ground, the Shadow attacking, up to the first question after the rolls."""
    state = armies(v_northeast_plain=f"shadow {shadow}", v_east_hill=f"free {free}")
    fight = Fight.attack(state, "v_northeast_plain", "v_east_hill").cards(*cards).rolls(*rolls)
    return fight


def test_hail_of_darts_adds_one_damage() -> None:
    for unit in ("elven_archers", "lake_men"):
        fight = round_of(f"{unit} 2", "orcs 3", (unit, "regroup"), ("5 1 |", "1 1 1"))
        assert fight.asked == "free use_ability"
        fight.answer("use")
        assert fight.damage("v_northeast_plain") == 2


def test_an_ability_may_be_declined() -> None:
    fight = round_of("lake_men 2", "orcs 3", ("lake_men", "regroup"), ("5 1 |", "1 1 1"))
    fight.answer("decline")
    assert fight.damage("v_northeast_plain") == 1


def test_old_hatred_adds_damage_and_takes_a_leader() -> None:
    fight = round_of(
        "dwarf_veterans 1", "orcs 3; leadership 2", ("dwarf_veterans", "regroup"), ("5 | 1", "1 1 1")
    )
    fight.until("free use_ability").answer("use")
    assert (fight.damage("v_northeast_plain"), fight.leaders("v_northeast_plain")) == (2, 1)


@pytest.mark.parametrize(
    ("free", "answer", "damage", "leaders", "bard"),
    [
        ("lake_men 4; leadership 2; bard", "take_damage", 3, 2, True),
        ("lake_men 4; leadership 2; bard", "leadership", 1, 0, True),
        ("lake_men 4; leadership 2; bard", "bard", 1, 2, False),
        ("lake_men 4", "", 3, 0, False),
    ],
)
def test_fell_race(free: str, answer: str, damage: int, leaders: int, bard: bool) -> None:
    fight = round_of(free, "great_orcs 1, orcs 1", ("regroup", "great_orcs"), ("1 1 1 1", "5 | 1 1"))
    fight.until("shadow use_ability").answer("use")
    if answer:
        assert fight.asked == "free fell_race"
        fight.answer(answer)
    assert (fight.damage("v_east_hill"), fight.leaders("v_east_hill")) == (damage, leaders)
    assert (fight.state.where[CHARACTER["bard"]] == PLACE["v_east_hill"]) is bard
    if answer == "bard":
        assert fight.state.where[CHARACTER["bard"]] == ELIMINATED


def test_wall_of_spears_cancels_added_damage_too() -> None:
    state = armies(v_east_hill="free elven_spearmen 3", v_northeast_plain="shadow great_orcs 1, wargs 1")
    fight = Fight.attack(state, "v_northeast_plain", "v_east_hill").cards("elven_spearmen", "great_orcs")
    fight.rolls("6 2 1 |", "5 | 1 1")
    assert fight.asked == "shadow use_ability"  # the attacker declares first
    fight.answer("use")
    assert fight.asked == "free use_ability"
    fight.answer("use")
    assert fight.damage("v_east_hill") == 2  # one hit and two added, one cancelled


def test_wall_of_spears_is_not_asked_where_nothing_threatens() -> None:
    fight = round_of("elven_spearmen 2", "orcs 2", ("elven_spearmen", "regroup"), ("6 1 |", "1 1"))
    assert fight.asked == "shadow casualties"


def test_goblin_charge_costs_one_and_deals_one() -> None:
    fight = round_of("lake_men 3", "goblins 2", ("regroup", "goblins"), ("1 1 1", "5 1 |"))
    fight.until("shadow use_ability").answer("use")
    assert (fight.damage("v_northeast_plain"), fight.damage("v_east_hill")) == (1, 2)
    assert fight.asked == "shadow break_off"


def test_goblin_charge_forces_casualties_on_both() -> None:
    fight = round_of(
        "lake_men 1; damage 1", "goblins 1, orcs 1; damage 2", ("regroup", "goblins"), ("1", "5 | 1")
    )
    # one hit first: the lake-men fall, and then nobody charges
    assert (fight.until("shadow advance").units("v_east_hill"), fight.damage("v_northeast_plain")) == (0, 2)
    fight = round_of(
        "lake_men 2; damage 1", "goblins 1, orcs 1; damage 2", ("regroup", "goblins"), ("1 1", "5 | 1")
    )
    fight.until("shadow use_ability").answer("use")
    assert fight.asked == "free casualties"
    assert fight.refusal({}) == "damage.mandatory_above_unit_count"
    fight.answer({"lake_men": 1})
    assert (fight.units("v_east_hill"), fight.damage("v_east_hill")) == (1, 1)
    assert fight.asked == "shadow casualties"
    assert fight.refusal({}) == "damage.mandatory_above_unit_count"


def test_wild_rage_adds_a_leader() -> None:
    fight = round_of("lake_men 3", "orcs 2", ("regroup", "orcs"), ("1 1 1", "5 1 |"))
    fight.until("shadow use_ability").answer("use")
    assert fight.leaders("v_northeast_plain") == 1


def test_rearguard_attack_drives_casualties_to_one_damage() -> None:
    fight = round_of("lake_men 4; damage 3", "wargs 2", ("regroup", "wargs"), ("1 1 1 1", "5 1 |"))
    fight.until("shadow use_ability").answer("use")
    assert (fight.units("v_east_hill"), fight.damage("v_east_hill")) == (2, 0)


@pytest.mark.parametrize(
    ("free", "hits", "use", "choice", "left", "damage"),
    [
        ("dwarf_regulars 3; damage 2", 3, True, {"dwarf_regulars": 1}, 2, 2),
        ("dwarf_regulars 3; damage 2", 3, False, {"dwarf_regulars": 2}, 1, 1),
        ("dwarf_regulars 2, lake_men 3; damage 4", 5, True, {"dwarf_regulars": 2, "lake_men": 1}, 2, 2),
    ],
)
def test_redoubtable(free: str, hits: int, use: bool, choice: dict[str, int], left: int, damage: int) -> None:
    dice = " ".join(["5"] * hits + ["1"] * (5 - hits))
    black, white = ("5 1 1", "") if "lake" not in free else ("5 1", "1 1 1")
    fight = round_of(free, "orcs 5", ("dwarf_regulars", "regroup"), (f"{black} | {white}", dice))
    fight.until("free use_ability").answer("use" if use else "decline")
    if fight.asked == "free casualties":
        fewer = {"dwarf_regulars": 1} if "lake" in free else {}
        assert fight.refusal(fewer) == "damage.mandatory_above_unit_count"
        fight.answer(choice)
    assert (fight.units("v_east_hill"), fight.damage("v_east_hill")) == (left, damage)


def test_redoubtable_needs_a_regular_among_the_fallen() -> None:
    fight = round_of(
        "dwarf_regulars 2, lake_men 3; damage 4",
        "orcs 5",
        ("dwarf_regulars", "regroup"),
        ("5 1 | 1 1 1", "5 5 5 5 5"),
    )
    fight.until("free use_ability").answer("use")
    assert fight.refusal({"lake_men": 3}) == "damage.mandatory_above_unit_count"
    assert fight.refusal({"lake_men": 2, "dwarf_regulars": 1}) == ""


# --- casualties -----------------------------------------------------------------------------------


def test_example_of_obligatory_casualties() -> None:
    fight = round_of("lake_men 3; damage 2", "orcs 3", ("regroup", "regroup"), ("1 1 1", "5 5 5"))
    fight.until("shadow break_off")
    assert (fight.units("v_east_hill"), fight.damage("v_east_hill")) == (1, 1)


def test_a_choice_of_casualties_may_not_stop_early_but_go_on() -> None:
    fight = round_of(
        "lake_men 2, dwarf_regulars 1; damage 2", "orcs 3", ("regroup", "regroup"), ("1 1 1", "5 5 5")
    )
    assert fight.asked == "free casualties"
    assert fight.refusal({"lake_men": 1}) == "damage.mandatory_above_unit_count"
    assert fight.refusal({"lake_men": 2}) == ""
    assert fight.refusal({"lake_men": 2, "dwarf_regulars": 1}) == ""
    fight.answer({"lake_men": 2})
    assert fight.army("v_east_hill") == {"dwarf_regulars": 1}
    assert fight.state.supply[4] == 10  # back in the supply


def test_voluntary_casualties_end_with_the_damage() -> None:
    fight = round_of(
        "lake_men 2, dwarf_regulars 1; damage 1", "orcs 2", ("regroup", "regroup"), ("1 1 1", "5 5")
    )
    assert fight.asked == "free casualties"
    assert fight.refusal({"lake_men": 2, "dwarf_regulars": 1}) == "damage.voluntary_casualties"
    fight.answer({"lake_men": 1})
    assert (fight.units("v_east_hill"), fight.damage("v_east_hill")) == (2, 1)


def test_a_destroyed_army_loses_characters_and_leadership() -> None:
    fight = round_of(
        "lake_men 2; bard; leadership 1; damage 2", "orcs 3", ("regroup", "regroup"), ("1 1", "5 5 5")
    )
    fight.until("shadow advance")
    assert fight.state.where[CHARACTER["bard"]] == ELIMINATED
    assert fight.leaders("v_east_hill") == 0


# --- event cards --------------------------------------------------------------------------------


def with_event(effect: str, *, free: str = "lake_men 3", shadow: str = "orcs 3") -> Fight:
    """The Free Peoples play an Event card for its combat effect in their first round."""
    state = armies(v_northeast_plain=f"shadow {shadow}", v_east_hill=f"free {free}")
    state.hand_event, state.event_deck = [1, 0], 29
    fight = Fight.attack(state, "v_northeast_plain", "v_east_hill").cards("event_card", "regroup")
    return fight.answer(effect)


def test_commanding_voice_adds_rerolls() -> None:
    fight = with_event("commanding_voice").rolls("1 1 1", "1 1 1")
    assert fight.asked == "free combat_reroll"
    assert fight.request.maximum == 2  # type: ignore[union-attr]


def test_overmastered_forbids_the_opponents_reroll() -> None:
    fight = with_event("overmastered", shadow="orcs 3; leadership 2").rolls("1 1 1", "1 1 1")
    assert fight.asked == "shadow break_off"


def test_no_quarter_costs_one_damage() -> None:
    fight = with_event("no_quarter")
    assert fight.damage("v_east_hill") == 1
    fight.rolls("4 1 1", "1 1 1")
    assert fight.damage("v_northeast_plain") == 1


def test_no_quarter_may_cost_the_last_unit() -> None:
    fight = with_event("no_quarter", free="lake_men 1; damage 1")
    assert fight.units("v_east_hill") == 0
    assert fight.asked == "shadow advance"


def test_dense_fog_ends_the_combat_without_advance() -> None:
    fight = with_event("dense_fog").rolls("1 1 1", "5 1 1").until("*")
    assert fight.state.combat is None
    assert fight.units("v_northeast_plain") == 3


def test_captain_of_war_gives_up_a_leader_for_two_damage() -> None:
    fight = with_event("captain_of_war", free="lake_men 3; leadership 1; damage 2").rolls("1 1 1", "5 5 1")
    fight.until("free captain_of_war")
    assert fight.offered() == ["decline", "leadership"]
    fight.answer("leadership")
    assert (fight.damage("v_east_hill"), fight.leaders("v_east_hill")) == (2, 0)


def test_determined_attack_plays_a_unit_card_that_stays_at_hand() -> None:
    fight = with_event("determined_attack")
    assert fight.asked == "free determined_attack"
    fight.answer("lake_men")
    fight.roll("1 1 1")
    assert fight.request.dice == {"combat_black": 3, "combat_white": 0}  # type: ignore[union-attr]
    fight.roll("1 1 1 |").until("* manoeuvre_both")
    assert fight.refusal({"free": "lake_men", "shadow": "regroup"}) == ""


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
    assert state.wrath == 6


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


def test_a_reroll_takes_only_the_chosen_dice_from_the_table() -> None:
    fight = dains_army().rolls("4 | 5 3 3", "1 1 1 1").until("free combat_reroll").answer({"combat_white": 1})
    assert fight.request.kept == {"combat_white": ["5", "3"], "combat_black": ["4"]}  # type: ignore[union-attr]
    fight.roll("6")
    rolled = sorted((face, hit, again) for _, face, hit, again in fight.side("free").rolled)
    assert rolled == [("3", False, False), ("4", False, False), ("5", True, False), ("6", True, True)]


def test_a_card_at_hand_is_not_among_the_refused() -> None:
    fight = thorins_army()
    free = fight.request.of["free"]  # type: ignore[union-attr]
    assert "thorins_mighty_strokes" not in [c.value for c in free.candidates() if not c.allowed]

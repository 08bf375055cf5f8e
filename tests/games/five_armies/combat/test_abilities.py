"""The abilities of the unit cards, casualties, and Event cards in combat."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.state.state import ELIMINATED

DALE = {
    "v_dale_east_plain": "shadow orcs 2, great_orcs 1",
    "ruins_of_dale": "free dwarf_veterans 1, dwarf_regulars 1",
}


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

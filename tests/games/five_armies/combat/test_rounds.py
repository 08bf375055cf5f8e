"""Rounds of combat: cards, rolls, re-rolls, abilities, damage; worked examples of chapter X."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

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


def test_a_reroll_takes_only_the_chosen_dice_from_the_table() -> None:
    fight = dains_army().rolls("4 | 5 3 3", "1 1 1 1").until("free combat_reroll").answer({"combat_white": 1})
    assert fight.request.kept == {"combat_white": ["5", "3"], "combat_black": ["4"]}  # type: ignore[union-attr]
    fight.roll("6")
    rolled = sorted((face, hit, again) for _, face, hit, again in fight.side("free").rolled)
    assert rolled == [("3", False, False), ("4", False, False), ("5", True, False), ("6", True, True)]

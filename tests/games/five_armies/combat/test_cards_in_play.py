"""Cards that stay in play, generals' abilities, and resolving by hand."""

from __future__ import annotations

import pytest
from card_playing import EVENT, play, with_hand
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FACE, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.cards import cards_in_play
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import abilities, action_dice, actions, eagles
from referee.games.five_armies.rules.pieces import add_units, eliminate, put_character
from referee.games.five_armies.state.armies import pack
from referee.games.five_armies.state.state import ELIMINATED

# --- in play ----


def test_lucky_number_rerolls_one_die_and_goes_with_the_west_or_bilbo() -> None:
    state = armies(camp="free lake_men 1")
    put_character(state, CHARACTER["bilbo"], PLACE["camp"])
    state.table_cards["lucky_number"] = {}
    state.unused[FREE][FACE["muster"]] = 2
    fight = Fight(state, cards_in_play.after_action_roll(state, FREE))
    assert fight.offered() == ["muster", "keep"]
    fight.answer("muster").answer({"free_action": ["will_of_the_west"]})
    assert state.unused[FREE][FACE["will_of_the_west"]] == 1 and not state.table_cards
    state.table_cards["lucky_number"] = {}
    eliminate(state, CHARACTER["bilbo"])
    assert not state.table_cards and state.story_gone[FREE] == 2


def test_eagles_are_not_kindly_birds() -> None:
    state = armies(eb_ridge_mid="shadow goblins 5", v_west_plain="shadow orcs 2")
    put_character(state, CHARACTER["lord_of_the_eagles"], PLACE["eyrie"])
    state.eagles = [0, 2, 0, 0, 1]
    assert eagles.why_not_on_mountain(state) is not None
    state.table_cards["eagles_are_not_kindly_birds"] = {}
    assert actions.possible(state, FREE, FACE["muster"]) & actions.EAGLES_ON_MOUNTAIN
    fight = Fight(state, eagles.attack_on_mountain(state)).answer({"valley": 1})
    fight.answer({"combat_white": ["4", "1", "1", "6"]}).answer({"combat_white": ["4", "2"]})
    assert fight.damage("eb_ridge_mid") == 3 and state.eagles == [0, 1, 0, 0, 2]


# --- generals and by hand ----


def test_blast_of_magic_asks_the_card_once() -> None:
    state = armies(camp="free lake_men 1; gandalf", eb_north_plain="shadow orcs 3")
    state.activated = 1 << CHARACTER["gandalf"]
    fight = Fight(state, abilities.use(state, "gandalf")).answer("eb_north_plain")
    fight.answer("yes").answer("3").answer("5").answer({"combat_white": ["5", "6", "1"]})
    assert fight.damage("eb_north_plain") == 2 and not state.activated
    state.activated = 1 << CHARACTER["gandalf"]
    fight = Fight(state, abilities.use(state, "gandalf")).answer("eb_north_plain")
    assert fight.asked == "free blast_roll"


def test_an_ability_described_in_the_box_book_runs_like_a_card() -> None:
    state = armies(camp="free lake_men 1; bard")
    state.values["ability.bard"] = [{"do": "leadership", "tokens": 2}]
    state.activated = 1 << CHARACTER["bard"]
    Fight(state, abilities.use(state, "bard"))
    assert state.leaders[PLACE["camp"]] == 2


def test_an_unknown_ability_by_hand_needs_the_opponents_consent() -> None:
    state = armies(camp="free lake_men 2; dain; damage 1", eb_north_plain="shadow orcs 3")
    fight = Fight(state, abilities.use(state, "dain"))
    fight.answer("attack_dice").answer("eb_north_plain").answer("2").answer("5")
    assert fight.asked == "shadow by_hand_agree.attack_dice"
    fight.answer("object").answer("attack_dice").answer("eb_north_plain").answer("2").answer("5").answer(
        "agree"
    )
    fight.answer({"combat_white": ["5", "5"]}).until("free by_hand")
    assert fight.damage("eb_north_plain") == 2
    fight.answer("done")
    assert fight.asked == ""


def test_a_card_by_hand_may_end_with_an_attack() -> None:
    state = armies(camp="free lake_men 2", eb_north_plain="shadow orcs 3")
    fight = play(state, SHADOW, "event_card_by_hand").answer("add_leadership").answer("eb_north_plain")
    fight.answer("2").answer("agree").answer("attack").answer("agree")
    fight.answer("eb_north_plain").answer("no_move").answer("camp")
    assert state.combat is not None and fight.leaders("eb_north_plain") == 2


STEPS = [
    (["move_armies", "1", "2"], ["camp", "eb_gate_road"]),
    (["damage", "eb_north_plain", "2"], []),
    (["heal", "camp", "1"], []),
    (["place_units", "elven_archers", "2", "camp"], []),
    (["remove_units", "eb_north_plain", "1"], []),
    (["place_token", "ravenhill"], ["elves"]),
    (["move_character", "dain", "ravenhill"], []),
    (["draw_event"], []),
    (["shift_fate", "2"], []),
    (["muster_eagles", "1"], []),
    (["remove_leadership", "camp", "1"], []),
]


@pytest.mark.parametrize(("declared", "then"), STEPS)
def test_steps_by_hand_keep_the_books(declared: list[str], then: list[str]) -> None:
    state = with_hand(
        armies(camp="free lake_men 2; dain; damage 1; leadership 1", eb_north_plain="shadow orcs 3")
    )
    state.activated = 0
    before = GAME.to_json(state)
    fight = Fight(state, abilities.use(state, "dain"))
    for value in declared:
        fight.answer(value)
    assert fight.asked == f"shadow by_hand_agree.{declared[0]}"
    assert GAME.to_json(state) == before  # nothing happens before the opponent agrees
    fight.answer("agree")
    for value in then:
        fight.answer(value)
    fight.until("free by_hand")
    state.step = "action"
    assert GAME.audit(state) == []
    assert GAME.to_json(state) != before


def test_action_dice_know_the_actions_of_cards() -> None:
    state = with_hand(armies(bl_upper_plain="shadow wargs 1"))
    refused = dict(actions.why_not(state, SHADOW, EVENT, actions.possible(state, SHADOW, EVENT)))
    assert refused["orc_from_card"].rule == "cards.stay_in_play"
    assert action_dice.SEATS == SEATS and pack({}) == 0
    add_units(state, PLACE["camp"], pack({"lake_men": 1}))
    refused = dict(actions.why_not(state, FREE, EVENT, actions.possible(state, FREE, EVENT)))
    assert {"end_troubled_mind", "eagles_on_mountain"} <= set(refused)
    assert state.where[CHARACTER["bard"]] != ELIMINATED


def test_cards_by_hand_leave_the_right_hand() -> None:
    for card, event, story in (("event_card_by_hand", 2, 2), ("story_card_by_hand", 3, 1)):
        state = armies(camp="free lake_men 2")
        play(state, FREE, card).answer("done")
        assert (state.hand_event[FREE], state.hand_story[FREE]) == (event, story)
        assert (state.event_discard, state.story_gone[FREE]) == (3 - event, 2 - story)

"""The decks as data, which die plays a card, conditions, and every Event card."""

from __future__ import annotations

import pytest
from card_playing import EVENT, play, with_hand
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FACE, FREE, SHADOW, box_data
from referee.games.five_armies.box.map import PLACE, mask_of
from referee.games.five_armies.cards import card_play
from referee.games.five_armies.cards.primitives import PRIMITIVES
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules.decks import draw_event_card
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.card_data import (
    CARDS,
    COMBAT_EFFECTS,
    COPIES,
    ORDERS,
    STORIES,
    all_played,
    show_event,
)

# --- the data ---------------------------------------------------------------------------------------


def test_the_decks_are_complete() -> None:
    data = box_data("cards")
    assert [len(cards) for cards in STORIES] == [20, 20]
    assert [sorted(c.number for c in cards) for cards in STORIES] == [list(range(1, 21))] * 2
    assert len(ORDERS) == 9 and len(COMBAT_EFFECTS) == 10
    deck = data["event_deck"]
    assert sorted(map(int, deck)) == list(range(1, 31))
    assert {order for order, _ in deck.values()} == {card.id for card in ORDERS}
    for effect in COMBAT_EFFECTS:
        assert sum(1 for _, combat in deck.values() if combat == effect) == 3
    types = [CARDS[order].type for order, _ in deck.values()]
    assert [types.count(t) for t in ("muster", "character", "army")] == [10, 10, 10]
    assert [[c.type for c in cards].count("muster") for cards in STORIES] == [8, 7]


def test_every_step_names_a_primitive_and_attacks_come_last() -> None:
    fights = {"march_and_attack", "move_or_attack", "combined_attack", "beorn"}
    for card in CARDS.values():
        assert card.program, card.id
        for number, step in enumerate(card.program, 1):
            assert step["do"] in PRIMITIVES, card.id
            assert step["do"] not in fights or number == len(card.program), card.id


def test_every_card_has_a_name_in_both_languages() -> None:
    for card in (*CARDS, *COMBAT_EFFECTS):
        for language in ("de", "en"):
            assert GAME.messages.find(f"card.{card}", language), card


# --- which die, which condition ------------------------------------------------------------------------

DICE = [
    # scenario open_04
    ("redoubled_force", "muster_army", ""),
    ("on_the_march", "muster_army", ""),
    ("dismay", "muster_army", "cards.play_with_dual_face"),
    ("dismay", "event", ""),
    ("redoubled_force", "will_of_the_west", ""),
    ("on_the_march", "will_of_the_west", ""),
    ("dismay", "will_of_the_west", ""),
    ("lucky_number", "event", "cards.condition_required"),
    ("dismay", "muster", "cards.play_needs_die"),
    ("great_goblin", "event", "cards.story_own_deck"),
]


@pytest.mark.parametrize(("card", "face", "rule"), DICE)
def test_dice_and_conditions(card: str, face: str, rule: str) -> None:
    state = with_hand(armies(camp="free lake_men 2; damage 1"))
    fight = Fight(state, card_play.play_card(state, FREE, FACE[face]))
    assert fight.refusal(card) == rule


def test_lucky_number_with_bilbo_stays_in_play_and_off_the_hand() -> None:
    state = armies(camp="free lake_men 2")
    put_character(state, CHARACTER["bilbo"], PLACE["camp"])
    play(state, FREE, "lucky_number", "character")
    assert state.hand_story == [1, 2] and state.story_gone == [0, 0]
    assert "lucky_number" in state.table_cards
    fight = Fight(state, card_play.play_card(state, FREE, EVENT))
    assert fight.refusal("lucky_number") == "cards.story_once"


def test_an_empty_hand_plays_nothing() -> None:
    state = with_hand(armies(camp="free lake_men 2"))
    state.hand_event, state.hand_story = [0, 3], [0, 2]
    assert not card_play.can_play(state, FREE, EVENT)
    state.hand_event[FREE] = 1
    assert card_play.can_play(state, FREE, EVENT)
    assert set(card_play.options(state, FREE, EVENT)) == {*(c.id for c in ORDERS), "event_card_by_hand"}
    assert not card_play.can_play(state, SHADOW, FACE["lidless_eye"])


NEEDS = [
    ("elf_lords", FREE, "ravenhill", True),
    ("great_dread", SHADOW, "camp fallen_bridge", True),
    ("great_dread", SHADOW, "camp front_gate", False),
    ("the_swiftest_wolf_riders", SHADOW, "ruins_of_dale", True),
    ("the_swiftest_wolf_riders", SHADOW, "camp", False),
]


@pytest.mark.parametrize(("card", "seat", "regions", "allowed"), NEEDS)
def test_conditions(card: str, seat: int, regions: str, allowed: bool) -> None:
    state = with_hand(armies(bl_north_plain="shadow orcs 2"))
    if seat == SHADOW:
        state.control = mask_of(*(PLACE[r] for r in regions.split()))
    assert (card in card_play.options(state, seat, EVENT)) is allowed
    if seat == FREE:
        state.control = mask_of(PLACE[regions])
        assert card not in card_play.options(state, seat, EVENT)


# --- Event cards ------------------------------------------------------------------------------------------


def test_event_cards_go_to_the_discard_pile() -> None:
    state = armies(camp="free lake_men 2; damage 2; leadership 1")
    play(state, FREE, "troop_leader")
    assert state.damage[PLACE["camp"]] == 0
    assert (state.hand_event[FREE], state.event_discard) == (2, 1)


@pytest.mark.ruling("card_without_effect")
def test_a_card_may_be_played_though_nothing_comes_of_it() -> None:
    state = armies(camp="free lake_men 2")
    play(state, FREE, "troop_leader")
    assert (state.hand_event[FREE], state.event_discard) == (2, 1)


def test_blow_the_horns_rallies_on_four() -> None:
    fight = play(armies(camp="free lake_men 2; damage 2"), FREE, "blow_the_horns").answer("camp")
    fight.answer({"combat_white": ["4", "3"]})
    assert fight.damage("camp") == 1


def test_call_to_arms_moves_two_led_armies_two_regions() -> None:
    state = armies(
        bl_upper_plain="shadow orcs 2; leadership 1",
        bl_east_plain="shadow wargs 2; leadership 1",
        bl_south_hill="shadow orcs 1",
    )
    fight = play(state, SHADOW, "call_to_arms")
    assert set(fight.offered()) == {"bl_upper_plain", "bl_east_plain", "done"}
    assert fight.refusal("bl_south_hill") == "move.character_die_needs_leadership"
    fight.answer("bl_upper_plain").answer("bl_spur_plain").answer("bl_west_swamp")
    assert fight.refusal({"orcs": 2}) == "move.character_die_part_needs_leadership"
    fight.answer({"orcs": 2, "leadership": 1}).answer("bl_east_plain").answer("bl_middle_plain").answer(
        "stay"
    )
    fight.answer({"wargs": 2, "leadership": 1})
    assert fight.asked == "" and fight.units("bl_west_swamp") == 2 and fight.units("bl_middle_plain") == 2


def test_marching_companies_moves_three_and_no_unit_twice() -> None:
    state = armies(
        bl_upper_plain="shadow orcs 1", bl_spur_plain="shadow wargs 1", bl_east_plain="shadow goblins 1"
    )
    fight = play(state, SHADOW, "marching_companies").answer("bl_upper_plain").answer("bl_spur_plain")
    fight.answer("bl_spur_plain").answer("bl_west_swamp")
    assert fight.army("bl_west_swamp") == {"wargs": 1}
    assert fight.offered() == ["bl_east_plain", "done"]  # the orc has moved
    fight.answer("bl_east_plain").answer("bl_middle_plain")
    assert fight.asked == ""


def test_a_move_granted_by_a_card_may_lapse() -> None:
    fight = play(armies(bl_upper_plain="shadow orcs 1"), SHADOW, "marching_companies").answer("done")
    assert fight.asked == ""


def test_encirclement_moves_then_attacks_together() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 2",
        v_southeast_plain="shadow orcs 2",
        v_dale_south_plain="free lake_men 2",
    )
    fight = play(state, SHADOW, "encirclement").answer("v_southeast_plain").answer("v_south_swamp")
    fight.answer({"orcs": 2})
    assert fight.asked == "shadow card_combined_attack"
    fight.answer("combined_attack")
    assert state.combat is not None and state.combat.combined


def test_gather_and_marshal_lays_and_turns_up_a_token() -> None:
    state = armies(camp="free lake_men 1")
    fight = play(state, FREE, "gather_and_marshal")
    assert fight.asked == "free choose_token_group"
    fight.answer("elves").answer("elven_archers")
    assert fight.army("camp") == {"elven_archers": 1, "lake_men": 1}
    assert state.token_pool[1] == 19 and state.tokens == [{}, {}, {}]


def test_move_to_strike_moves_two_regions_and_attacks() -> None:
    state = armies(bl_spur_plain="shadow orcs 2; leadership 1", v_east_swamp="free lake_men 1")
    fight = play(state, SHADOW, "move_to_strike").answer("bl_spur_plain").answer("bl_west_swamp")
    fight.answer({"orcs": 2, "leadership": 1})
    assert fight.asked == "shadow choose_target"
    fight.answer("v_east_swamp")
    assert state.combat is not None and state.step == "fight"


def test_mustering_for_battle_turns_up_three_tokens() -> None:
    state = armies(camp="free lake_men 1")
    for region in ("camp", "fallen_bridge", "lower_slopes", "ravenhill"):
        state.tokens[0][PLACE[region]] = 1
    state.token_pool[0] = 13
    fight = play(state, FREE, "mustering_for_battle")
    for region in ("camp", "fallen_bridge", "lower_slopes"):
        fight.answer(region).answer("lake_men")
    assert fight.asked == "" and state.tokens[0] == {PLACE["ravenhill"]: 1}


def test_sudden_assault_has_superiority() -> None:
    state = armies(v_east_hill="free elven_archers 3", v_northeast_plain="shadow goblins 1")
    fight = (
        play(state, SHADOW, "sudden_assault")
        .answer("v_northeast_plain")
        .answer("no_move")
        .answer("v_east_hill")
    )
    assert state.combat is not None and state.combat.sure_superiority
    assert state.hand_event == [3, 3]  # one played, one drawn
    assert fight.asked.endswith("manoeuvre_both")


def test_troop_leader_needs_leadership() -> None:
    state = armies(camp="free lake_men 3; damage 3; leadership 1", eb_gate_road="free lake_men 1; damage 1")
    fight = play(state, FREE, "troop_leader")
    assert (fight.damage("camp"), fight.damage("eb_gate_road")) == (1, 1)


def test_leadership_that_has_moved_does_not_lead_a_second_move() -> None:
    for tokens, offered in ((0, ["done"]), (1, ["bl_spur_plain", "done"])):
        state = armies(
            bl_upper_plain="shadow orcs 1; leadership 1",
            bl_spur_plain=f"shadow wargs 1; leadership {tokens}",
            bl_east_plain="shadow orcs 1; leadership 1",
        )
        fight = (
            play(state, SHADOW, "call_to_arms")
            .answer("bl_upper_plain")
            .answer("bl_spur_plain")
            .answer("stay")
        )
        fight.answer({"orcs": 1, "leadership": 1})
        assert set(fight.offered()) == {*offered, "bl_east_plain"}


def test_three_led_parts_meet_and_are_counted_together() -> None:
    state = armies(
        bl_upper_plain="shadow orcs 1; leadership 1",
        bl_west_swamp="shadow orcs 1; leadership 1",
        bl_spur_plain="shadow wargs 1",
    )
    fight = play(state, SHADOW, "black_tide").answer("bl_upper_plain").answer("bl_spur_plain")
    fight.answer({"orcs": 1, "leadership": 1}).answer("bl_west_swamp").answer("bl_spur_plain")
    fight.answer({"orcs": 1, "leadership": 1})
    assert fight.asked == "" and fight.leaders("bl_spur_plain") == 2  # the wargs have no leader of their own


@pytest.mark.rule("cards.event_reshuffle")
def test_a_fourth_card_of_an_effect_is_refused_until_the_deck_is_made_anew() -> None:
    state = armies(camp="free lake_men 1")
    for _ in range(2):
        show_event(state, "dense_fog")
    assert not all_played(state, "dense_fog")
    show_event(state, "dense_fog")
    assert all_played(state, "dense_fog") and not all_played(state, "determined_attack")
    show_event(state, "dense_fog")  # an arbiter may let it stand: nothing else counts as played then
    assert state.event_shown == COPIES["dense_fog"][1] << COPIES["dense_fog"][0]
    state.event_deck, state.event_discard = 0, 3
    draw_event_card(state, FREE)
    assert not all_played(state, "dense_fog")


def test_the_effect_named_in_combat_is_remembered_and_its_fourth_card_refused() -> None:
    state = armies(ruins_of_dale="free lake_men 2", v_east_hill="shadow orcs 2")
    state.hand_event = [1, 1]
    for _ in range(2):
        show_event(state, "dense_fog")
    fight = Fight.attack(state, "v_east_hill", "ruins_of_dale").cards("event_card", "event_card")
    assert fight.refusal("dense_fog") == ""
    fight.answer("dense_fog")
    assert fight.refusal("dense_fog") == "cards.event_reshuffle"
    assert "dense_fog" not in fight.offered() and len(fight.offered()) == 9

"""Every card's program, cards that stay in play, conditions, die types, and cards resolved by hand."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies import (
    abilities,
    action_dice,
    actions,
    card_play,
    cards_in_play,
    eagles,
    ranged,
)
from referee.games.five_armies.armies import pack
from referee.games.five_armies.battle import Battle
from referee.games.five_armies.card_data import CARDS, COMBAT_EFFECTS, ORDERS, STORIES
from referee.games.five_armies.components import CHARACTER, FACE, FREE, SEATS, SHADOW, box_data
from referee.games.five_armies.primitives import PRIMITIVES
from referee.games.five_armies.game import GAME
from referee.games.five_armies.manoeuvres import COMBAT_EFFECTS as EFFECTS_IN_COMBAT
from referee.games.five_armies.manoeuvres import may_use
from referee.games.five_armies.map import PLACE, mask_of
from referee.games.five_armies.pieces import add_units, eliminate, put_character
from referee.games.five_armies.state import ELIMINATED, IN_POOL, State

EVENT = FACE["event"]


def with_hand(state: State) -> State:
    """Three Event and two Story cards in each hand, the decks cut to fit."""
    state.hand_event, state.hand_story = [3, 3], [2, 2]
    state.event_deck, state.event_discard = 24, 0
    state.story_deck = [18, 18]
    state.phase, state.step = 5, "action"
    return state


def play(state: State, seat: int, card: str, face: str = "event") -> Fight:
    """``seat`` plays a card with a die of this face, up to its first question."""
    fight = Fight(with_hand(state), card_play.play_card(state, seat, FACE[face]))
    return fight.answer(card)


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
    assert set(COMBAT_EFFECTS) == set(EFFECTS_IN_COMBAT)
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
    state = armies(camp="free lake_men 2; damage 2")
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


# --- Story cards of the Free Peoples -----------------------------------------------------------------------


def test_the_skin_changer_brings_beorn_nearer_or_moves_him() -> None:
    state = armies(camp="free lake_men 1")
    state.control = mask_of(PLACE["ravenhill"], PLACE["ruins_of_dale"])
    state.fate = 10
    state.values = {"entry_die.beorn": "will_of_the_west", "entry_place.beorn": "eb_gate_road"}
    play(state, FREE, "the_skin_changer")
    assert state.where[CHARACTER["beorn"]] == PLACE["eb_gate_road"] and state.wrath == 8
    other = armies(camp="free lake_men 1")
    put_character(other, CHARACTER["beorn"], PLACE["eb_gate_road"])
    other.wrath = 5
    fight = play(other, FREE, "the_skin_changer").answer("move_beorn").answer("eb_bridge_bank").answer("stay")
    assert (
        other.where[CHARACTER["beorn"]] == PLACE["eb_bridge_bank"] and other.wrath == 5 and fight.asked == ""
    )


RECRUITS = [
    (
        "clad_in_hauberks_of_steel",
        FREE,
        "camp",
        "free dwarf_regulars 1",
        {"dwarf_regulars": 1, "dwarf_veterans": 1},
        1,
    ),
    (
        "elf_lords",
        FREE,
        "ravenhill",
        "free lake_men 1",
        {"lake_men": 1, "elven_spearmen": 2, "elven_archers": 1},
        1,
    ),
    (
        "men_of_the_lake_with_long_swords",
        FREE,
        "camp",
        "free elven_archers 1; leadership 1",
        {"elven_archers": 1, "lake_men": 2},
        2,
    ),
    ("war_band", SHADOW, "bl_east_plain", "shadow wargs 1", {"wargs": 1, "orcs": 2}, 2),
    ("great_goblin", SHADOW, "bl_east_plain", "shadow goblins 3", {"goblins": 3, "great_orcs": 1}, 1),
    ("orcs_from_gundabad", SHADOW, "v_west_plain", "shadow wargs 1", {"wargs": 1, "orcs": 2}, 0),
    ("climbing_goblins", SHADOW, "pass_north", "shadow goblins 1", {"goblins": 3}, 1),
]


@pytest.mark.parametrize(("card", "seat", "place", "army", "units", "leaders"), RECRUITS)
def test_recruiting_cards(
    card: str, seat: int, place: str, army: str, units: dict[str, int], leaders: int
) -> None:
    fight = play(armies(**{place: army}), seat, card)
    assert fight.army(place) == units
    assert fight.leaders(place) == leaders


def test_great_goblin_without_a_great_orc_still_works() -> None:
    state = armies(
        bl_northeast_plain="shadow great_orcs 6",
        eb_ridge_mid="shadow goblins 3",
        eb_north_plain="free lake_men 1",
    )
    fight = play(state, SHADOW, "great_goblin", "army")
    assert (fight.army("eb_ridge_mid"), fight.leaders("eb_ridge_mid")) == ({"goblins": 3}, 1)
    assert fight.asked == "shadow card_move_or_attack"
    assert fight.offered() == ["move", "attack", "neither"]
    fight.answer("move").answer("eb_ridge_east").answer({"goblins": 3, "leadership": 1})
    assert fight.asked == ""  # a move or an attack, not both
    again = play(
        armies(eb_ridge_mid="shadow goblins 3", eb_north_plain="free lake_men 1"), SHADOW, "great_goblin"
    )
    again.answer("attack").answer("eb_north_plain")
    assert again.state.combat is not None


def test_dismay_strips_leadership_and_a_die() -> None:
    state = armies(
        camp="free lake_men 1; leadership 1",
        eb_north_plain="shadow orcs 2; leadership 3",
        bl_north_plain="shadow orcs 1",
    )
    state.pool[SHADOW] = 6
    state.unused[SHADOW][FACE["character"]] = 2
    fight = play(state, FREE, "dismay")
    assert fight.leaders("eb_north_plain") == 0
    assert state.unused[SHADOW][FACE["character"]] == 1 and state.used[SHADOW][FACE["character"]] == 1


def test_elven_charge_and_moria_grant_their_combat_gifts() -> None:
    state = armies(v_east_hill="free elven_archers 2", v_northeast_plain="shadow orcs 2")
    fight = (
        play(state, FREE, "elven_charge").answer("v_east_hill").answer("no_move").answer("v_northeast_plain")
    )
    assert fight.side("free").leadership == 5
    assert state.combat is not None and state.combat.no_retreat_in_round == 1
    other = armies(
        v_east_hill="free dwarf_regulars 2", v_northeast_plain="shadow orcs 2", camp="free lake_men 1"
    )
    fight = play(other, FREE, "moria_dain_dain")
    assert set(fight.offered()) == {"v_east_hill", "done"}
    fight.answer("v_east_hill").answer("no_move").answer("v_northeast_plain")
    assert other.combat is not None and other.combat.sure_superiority


def test_the_part_that_charges_holds_elves() -> None:
    state = armies(v_east_hill="free elven_archers 1, lake_men 2", camp="free lake_men 1")
    fight = play(state, FREE, "elven_charge")
    assert fight.refusal("camp") == "cards.rules_still_apply"
    fight.answer("v_east_hill").answer("v_northeast_plain")
    assert fight.refusal({"lake_men": 2}) == "cards.rules_still_apply"
    fight.answer({"elven_archers": 1, "lake_men": 1})
    assert fight.units("v_northeast_plain") == 2


def test_flying_banners_and_ringing_trumpets() -> None:
    state = armies(camp="free lake_men 1", eb_ridge_west="shadow orcs 1")
    state.control = mask_of(PLACE["fallen_bridge"])
    fight = play(state, FREE, "flying_banners")
    assert fight.refusal("fallen_bridge") == "muster.token_not_under_enemy_control"
    assert fight.refusal("front_gate") == "cards.rules_still_apply"
    fight.answer("camp").answer("dwarves_and_men").answer("dwarf_veterans")
    assert fight.refusal("camp") == "muster.die_regions_must_differ"
    fight.answer("done")
    assert fight.army("camp") == {"lake_men": 1, "dwarf_veterans": 1}
    other = armies(camp="free lake_men 1")
    other.tokens[0][PLACE["camp"]], other.token_pool[0] = 1, 16
    fight = play(other, FREE, "ringing_trumpets").answer("camp")
    assert fight.asked == "free card_flip_or_place"
    fight.answer("place_token").answer("elves").answer("ravenhill").answer("elves").answer("done")
    assert other.tokens[1] == {PLACE["camp"]: 1, PLACE["ravenhill"]: 1} and other.tokens[0] == {
        PLACE["camp"]: 1
    }


def test_he_is_not_lost_returns_a_general() -> None:
    state = armies(camp="free lake_men 1; bard; dain")
    eliminate(state, CHARACTER["bard"])
    play(state, FREE, "he_is_not_lost")
    assert state.where[CHARACTER["bard"]] == PLACE["camp"]


@pytest.mark.parametrize(("face", "tokens"), [("event", 1), ("will_of_the_west", 2)])
def test_hope_rekindled(face: str, tokens: int) -> None:
    fight = play(armies(camp="free lake_men 1"), FREE, "hope_rekindled", face)
    assert fight.leaders("camp") == tokens
    assert fight.asked == "free choose_attacker"
    fight.answer("done")
    assert fight.asked == ""


def test_last_stand_repairs_by_strength() -> None:
    state = armies(ravenhill="free dwarf_veterans 1")
    state.fort_damage = list(state.fort_values)
    play(state, FREE, "last_stand")
    assert sorted(state.fort_damage) == [1, 3, 6]


def test_ring_of_invisibility_takes_bilbo_to_gandalf() -> None:
    state = armies(camp="free lake_men 1; gandalf; leadership 1")
    put_character(state, CHARACTER["bilbo"], PLACE["ss_north"])
    fight = play(state, FREE, "ring_of_invisibility")
    assert state.where[CHARACTER["bilbo"]] == PLACE["camp"]
    assert fight.asked == "free fate_card"
    fight.answer("redoubled_in_wrath")
    assert state.wrath == 4


def test_on_the_march_and_hurrying_multitude_move_two_armies_two_regions() -> None:
    for card, seat, army in (
        ("on_the_march", FREE, "free lake_men 1"),
        ("hurrying_multitude", SHADOW, "shadow orcs 1"),
    ):
        fight = play(armies(bl_upper_plain=army), seat, card).answer("bl_upper_plain").answer("bl_spur_plain")
        fight.answer("bl_west_swamp")
        assert fight.units("bl_west_swamp") == 1


def test_redoubled_force_heals_then_marches() -> None:
    state = armies(camp="free lake_men 4; damage 4", eb_gate_road="free lake_men 1")
    fight = play(state, FREE, "redoubled_force").answer("camp")
    assert fight.damage("camp") == 1 and fight.offered() == ["camp", "done"]


def test_rescue_recruits_and_rallies() -> None:
    state = armies(camp="free lake_men 2; damage 2")
    fight = play(state, FREE, "rescue").answer("elves").answer("elven_archers")
    assert fight.asked == "free card_rally"
    fight.answer("rally").answer({"combat_white": ["4", "4", "1"]})
    assert fight.damage("camp") == 0


def archery_position() -> State:
    state = armies(
        camp="free lake_men 2",
        lower_slopes="free elven_archers 2; thranduil",
        ruins_of_dale="free lake_men 1",
        eb_north_ford="shadow orcs 3",
    )
    here = PLACE["eb_north_ford"]
    state.values = {
        ranged.reach_key(PLACE["camp"], here): "yes",
        ranged.reach_key(PLACE["lower_slopes"], here): "no",
        ranged.reach_key(PLACE["ruins_of_dale"], here): "yes",
    }
    return state


def test_archery_who_may_shoot() -> None:
    fight = play(archery_position(), FREE, "shower_of_arrows").answer("eb_north_ford")
    assert fight.offered() == [{"camp": 1}]
    assert fight.refusal({"lower_slopes": 1}) == "general.ruler_target"
    assert fight.refusal({"ruins_of_dale": 1}) == "general.archery_eligibility"
    fight.answer({"camp": 1})
    assert fight.asked == "free ask_archery_dice"
    fight.answer("1").answer({"combat_white": ["4", "3"]})
    fight.until("*")
    assert fight.damage("eb_north_ford") == 1
    assert fight.state.hand_event[FREE] == 4  # and an Event card is drawn
    assert fight.state.values["archery.dice"] == "1"


def test_the_special_tiles_come_into_the_pool() -> None:
    for card, seat in (("the_arkenstone_of_thrain", FREE), ("the_shadow_of_the_necromancer", SHADOW)):
        state = armies(camp="free lake_men 1")
        play(state, seat, card)
        assert state.special_tiles[seat] == IN_POOL and state.special_tiles[1 - seat] != IN_POOL


def test_the_king_of_all_birds() -> None:
    state = armies(camp="free lake_men 1")
    state.fate = 6
    play(state, FREE, "the_king_of_all_birds")
    assert state.fate_space[CHARACTER["lord_of_the_eagles"]] == 7
    assert state.where[CHARACTER["lord_of_the_eagles"]] < 0
    state.hand_story[FREE], state.story_shown = 2, [0, 0]
    state.fate = 7
    fight = Fight(state, card_play.play_card(state, FREE, EVENT)).answer("the_king_of_all_birds")
    fight.until("*")
    assert state.where[CHARACTER["lord_of_the_eagles"]] == PLACE["eyrie"]
    before = sum(state.eagles)
    play(state, FREE, "hope_rekindled")
    state.story_shown = [0, 0]
    play(state, FREE, "the_king_of_all_birds")
    assert sum(state.eagles) == before + 1


# --- Story cards of the Shadow -----------------------------------------------------------------------------


def test_great_dread_removes_tokens() -> None:
    state = armies(camp="free lake_men 1", bl_north_plain="shadow orcs 1")
    state.control = mask_of(PLACE["fallen_bridge"], PLACE["lower_slopes"])
    state.tokens[0][PLACE["camp"]], state.tokens[1][PLACE["camp"]] = 1, 1
    state.token_pool[0], state.token_pool[1] = 16, 19
    fight = play(state, SHADOW, "great_dread").answer({"combat_white": ["4", "3", "6", "1"]})
    fight.answer("elves")
    assert state.tokens[:2] == [{}, {}] and state.token_pool[:2] == [17, 20]


def test_chieftains_lead_four_armies() -> None:
    state = armies(
        bl_upper_plain="shadow orcs 1", bl_east_plain="shadow orcs 1", bl_south_hill="shadow orcs 1",
        bl_west_swamp="shadow orcs 1", bl_middle_plain="shadow orcs 1",
    )  # fmt: skip
    fight = play(state, SHADOW, "chieftains_and_champions")
    everyone = {
        r: 1 for r in ("bl_upper_plain", "bl_east_plain", "bl_south_hill", "bl_west_swamp", "bl_middle_plain")
    }
    assert fight.refusal(everyone) == "cards.all_effects_apply"
    fight.answer({"bl_upper_plain": 1, "bl_west_swamp": 1})
    assert sum(state.leaders) == 2


def test_whirling_bats_and_locusts() -> None:
    state = armies(camp="free lake_men 1; leadership 2", bl_north_plain="shadow orcs 1")
    state.bats = [1, 1, 0, 0]
    fight = play(state, SHADOW, "whirling_bats").answer("valley").answer("broken_lands")
    assert fight.leaders("camp") == 0 and state.bats == [0, 0, 0, 0]
    other = armies(camp="free lake_men 1", bl_north_plain="shadow orcs 1")
    other.bats = [0, 2, 0, 0]
    other.tokens[0][PLACE["camp"]], other.token_pool[0] = 2, 15
    play(other, SHADOW, "like_a_sea_of_locusts").answer("valley").answer("done")
    assert other.tokens[0] == {PLACE["camp"]: 1} and other.bats == [0, 1, 0, 0]


def test_flying_arrows_brings_orcs_one_by_one() -> None:
    state = armies(bl_upper_plain="shadow wargs 1")
    play(state, SHADOW, "flying_arrows_and_wild_spears")
    assert state.table_cards["flying_arrows_and_wild_spears"] == {"orcs": 6}
    assert state.supply[6] == 36 - 7 and not GAME.audit(state)
    state.pool, state.step = [5, 6], "act"
    mask = actions.possible(state, SHADOW, FACE["lidless_eye"])
    assert mask & actions.ORC_FROM_CARD
    for left in range(5, -1, -1):
        fight = Fight(state, cards_in_play.orc_from_card(state))
        if fight.asked:
            fight.until("*")
        assert state.table_cards.get("flying_arrows_and_wild_spears", {"orcs": 0})["orcs"] == left
    assert "flying_arrows_and_wild_spears" not in state.table_cards and state.story_gone[SHADOW] == 1
    assert fight.units("bl_upper_plain") == 5


def test_troubled_mind_forbids_an_ability_until_discarded() -> None:
    state = archery_position()
    state.activated = 1 << CHARACTER["thranduil"]
    assert abilities.usable(state) >> CHARACTER["thranduil"] & 1
    play(state, SHADOW, "troubled_mind").answer("thranduil")
    assert not abilities.usable(state)
    refused = dict(abilities.why_not(state))
    assert refused["ability:thranduil"].rule == "cards.stay_in_play"
    state.fate = 4
    Fight(state, cards_in_play.end_troubled_mind(state, FACE["character"]))
    assert state.fate == 3 and not state.table_cards and state.story_gone[SHADOW] == 1
    state.table_cards["troubled_mind"] = {"general": "bard"}
    Fight(state, cards_in_play.end_troubled_mind(state, FACE["will_of_the_west"]))
    assert state.fate == 3 and not state.table_cards


def test_orc_army_and_a_move_in_the_broken_lands() -> None:
    state = armies(v_west_plain="shadow wargs 1")
    fight = play(state, SHADOW, "orc_army").answer("bl_north_plain")
    assert fight.army("bl_north_plain") == {"orcs": 5}
    assert fight.offered() == ["bl_north_plain", "done"]
    fight.answer("bl_north_plain").answer("bl_upper_plain").answer("bl_spur_plain").answer({"orcs": 5})
    assert fight.army("bl_spur_plain") == {"orcs": 5}


def test_black_tide_moves_every_led_army() -> None:
    state = armies(
        bl_upper_plain="shadow orcs 1; leadership 1",
        bl_east_plain="shadow orcs 1; leadership 1",
        bl_south_hill="shadow orcs 1",
    )
    fight = play(state, SHADOW, "black_tide").answer("bl_upper_plain").answer("bl_spur_plain")
    fight.answer({"orcs": 1, "leadership": 1})
    assert fight.offered() == ["bl_east_plain", "done"]


def test_howling_orcs_silences_dwarves_and_men_until_a_great_orc_falls() -> None:
    state = armies(v_northeast_plain="shadow great_orcs 2; damage 1", v_east_hill="free lake_men 3")
    play(state, SHADOW, "howling_orcs")
    fight = Fight.attack(state, "v_northeast_plain", "v_east_hill").cards("lake_men", "regroup")
    fight.rolls("5 1 1 |", "1 1 1 1").until("shadow casualties")
    assert fight.side("free").ability
    battle = state.combat
    assert isinstance(battle, Battle) and not may_use(state, battle, FREE)
    fight.answer({"great_orcs": 1})
    assert "howling_orcs" not in state.table_cards


def test_ill_chance_turns_fate_back() -> None:
    state = armies(camp="free lake_men 1")
    state.fate = 8
    play(state, SHADOW, "ill_chance")
    assert state.fate == 7 and state.hand_event[SHADOW] == 4


def test_returning_to_the_assault() -> None:
    state = armies(bl_north_plain="shadow orcs 1")
    state.tokens[2] = {PLACE["bl_north_plain"]: 2, PLACE["bl_northwest_hill"]: 1}
    state.token_pool[2] = 24
    fight = play(state, SHADOW, "returning_to_the_assault")
    for region in ("bl_north_plain", "bl_north_plain", "bl_northwest_hill"):
        fight.answer(region).answer("wargs")
    assert fight.asked == "shadow choose_army"
    fight.answer("done")
    assert fight.army("bl_north_plain") == {"orcs": 1, "wargs": 2}


def test_orcs_of_huge_size() -> None:
    state = armies(bl_north_plain="shadow great_orcs 1, orcs 1; bolg")
    state.bodyguards = 2
    fight = play(state, SHADOW, "orcs_of_huge_size")
    assert (state.bodyguards, fight.army("bl_north_plain")) == (3, {"orcs": 1})
    state.story_shown = [0, 0]
    play(state, SHADOW, "orcs_of_huge_size")
    assert state.bodyguards == 3


def test_a_great_orc_that_leaves_may_leave_too_much_damage_behind() -> None:
    state = armies(bl_north_plain="shadow great_orcs 1, orcs 1, wargs 1; bolg; damage 3")
    fight = play(state, SHADOW, "orcs_of_huge_size")
    assert fight.asked == "shadow casualties"
    assert fight.refusal({}) == "damage.mandatory_above_unit_count"


def test_the_swiftest_wolf_riders_come_to_dale_or_next_to_it() -> None:
    state = armies(v_east_hill="free lake_men 1")
    state.control = mask_of(PLACE["ruins_of_dale"])
    fight = play(state, SHADOW, "the_swiftest_wolf_riders")
    assert fight.refusal("v_east_hill") == "cards.rules_still_apply"
    fight.answer("v_north_swamp")
    assert (fight.army("v_north_swamp"), fight.leaders("v_north_swamp")) == ({"wargs": 3}, 1)


def test_victory_vanishes_is_not_absorbed_by_walls() -> None:
    state = armies(
        ravenhill="free lake_men 2", camp="free lake_men 2; damage 1", eb_gate_road="free lake_men 2"
    )
    fight = play(state, SHADOW, "victory_vanishes_from_hope")
    assert {name for offer in fight.offered() for name in offer} == {"eb_gate_road", "ravenhill"}
    fight.answer({"ravenhill": 1, "eb_gate_road": 1}).until("*")
    assert (fight.damage("ravenhill"), fight.damage("eb_gate_road"), sum(state.fort_damage)) == (1, 1, 0)
    assert state.hand_event[SHADOW] == 4


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

"""Every Story card of the Free Peoples, and recruiting cards of both sides."""

from __future__ import annotations

import pytest
from card_playing import EVENT, archery_position, play
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FACE, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE, mask_of
from referee.games.five_armies.cards import card_play
from referee.games.five_armies.rules.pieces import eliminate, put_character
from referee.games.five_armies.state.state import IN_POOL

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
    assert state.story_gone == [1, 0] and not state.table_cards
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
    assert fight.refusal("front_gate") == "board.front_gate_not_settlement"
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


def test_rescue_does_not_offer_a_rally_without_damage() -> None:
    fight = play(armies(camp="free lake_men 2"), FREE, "rescue").answer("elves").answer("elven_archers")
    assert fight.asked == ""


def test_elf_lords_do_not_join_beorn() -> None:
    state = armies(camp="free lake_men 1")
    play(state, FREE, "elf_lords")
    assert state.units[PLACE["ravenhill"]]
    state = armies(camp="free lake_men 1")
    put_character(state, CHARACTER["beorn"], PLACE["ravenhill"])
    play(state, FREE, "elf_lords")
    assert not state.units[PLACE["ravenhill"]]

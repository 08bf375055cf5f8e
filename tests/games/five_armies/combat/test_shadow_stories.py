"""Every Story card of the Shadow."""

from __future__ import annotations

from card_playing import archery_position, play
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FACE, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE, mask_of
from referee.games.five_armies.cards import cards_in_play
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import abilities, actions
from referee.games.five_armies.rules.manoeuvres import may_use
from referee.games.five_armies.state.battle import Battle

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


def test_orcs_of_huge_size_on_the_last_unit_ask_again() -> None:
    for answer, left in (("decline", {"great_orcs": 1}), ("use", {})):
        state = armies(bl_north_plain="shadow great_orcs 1; bolg")
        fight = play(state, SHADOW, "orcs_of_huge_size")
        assert fight.asked == "shadow last_unit"
        fight.answer(answer)
        assert (fight.army("bl_north_plain"), state.winner) == (left, FREE if answer == "use" else -1)


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

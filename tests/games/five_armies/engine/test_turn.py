"""Chapters IV to VIII: the phases, the pools, cards as counts, generals, Fate, bats and tokens."""

from __future__ import annotations

import pytest
from playing import Board

from referee.games.five_armies.box.components import FREE, SHADOW
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import decks, turn
from referee.kernel.play import Play

ARMIES = """\
regions:
  camp: {side: free, units: {lake_men: 2}, characters: [bard]}
  ravenhill: {side: free, units: {elven_spearmen: 1}, characters: [thranduil, dain, gandalf]}
  bl_north_plain: {side: shadow, units: {orcs: 2}}
  bl_upper_plain: {side: shadow, units: {wargs: 2}}
"""


def at_phase(phase: int, extra: str = "") -> Board:
    return Board(f"phase: {phase}\n{extra}\n{ARMIES}")


@pytest.mark.parametrize(
    ("control", "pool"),
    [
        ("", 6),
        ("camp, eastern_spur", 7),
        ("camp, front_gate", 6),
        ("ravenhill, eastern_spur", 6),
        ("ravenhill, lower_slopes", 7),
        ("fallen_bridge, ruins_of_dale, camp", 7),
    ],
)
def test_the_seventh_shadow_die_wants_two_settlements_of_a_territory(control: str, pool: int) -> None:
    board = Board(f"phase: 1\ncontrol_shadow: [{control}]")
    assert turn.shadow_pool(board.state) == pool
    assert board.state.pool[SHADOW] == pool  # phase 1 has passed: it asks nothing but by the hand limit


def test_a_house_rule_counts_fortifications_for_it() -> None:
    board = Board(
        "phase: 1\nhouse_rules: {seventh_die: settlements_or_fortifications}\n"
        "control_shadow: [camp, front_gate]"
    )
    assert board.state.pool[SHADOW] == 7


def test_the_sixth_free_die_comes_with_thorin_or_beorn_once() -> None:
    thorin = "regions: {camp: {side: free, units: {lake_men: 1}, characters: [thorin]}}"
    assert Board(f"phase: 1\n{thorin}").state.pool[FREE] == 6
    assert Board(f"phase: 1\n{thorin}\nbeorn: {{region: front_gate, wrath: 3}}").state.pool[FREE] == 6
    assert Board("phase: 1").state.pool[FREE] == 5


def test_each_draws_two_cards_and_trims_the_hand_to_six() -> None:
    board = at_phase(1, "hands: {free: {event: 3, story: 2}, shadow: {event: 6, story: 0}}")
    assert board.asked == "free ask_leadership"  # a written position does not tell Gandalf's
    board.do("3")
    assert board.asked == "free discard"
    assert board.refused({"event_card": 2}) == "cards.discard_at_once"
    assert board.refused({}) == "cards.discard_at_once"
    board.do({"story_card": 1})
    assert (board.state.hand_event[FREE], board.state.hand_story[FREE]) == (4, 2)
    assert board.state.story_gone[FREE] == 1
    board.do({"event_card": 2})
    assert (board.state.hand_event[SHADOW], board.state.hand_story[SHADOW]) == (5, 1)
    assert board.asked == "free activate_generals"


def test_an_empty_event_deck_is_made_anew_and_a_story_deck_is_not() -> None:
    state = Board("phase: 5").state
    state.event_deck, state.event_discard, state.event_shown = 0, 30 - sum(state.hand_event), 0b110
    decks.draw_event_card(state, FREE)
    assert (state.event_discard, state.event_shown) == (0, 0)
    state.story_deck[FREE], before = 0, state.hand_story[FREE]
    decks.draw_story_card(state, FREE)
    assert state.hand_story[FREE] == before


def test_generals_and_their_tokens() -> None:
    board = at_phase(2)
    assert board.refused({"bard": 1, "dain": 1, "gandalf": 1, "thranduil": 1}) == "general.max_three"
    assert board.refused({"lord_of_the_eagles": 1}) == "general.in_play_only"
    assert board.refused({"thorin": 1}) == "general.roster"
    board.do({"gandalf": 1})
    assert board.asked == "free place_leadership"
    assert board.refused({"camp": 1, "ravenhill": 1}) == "lead.free_count"
    assert board.refused({}) == "lead.free_count"
    assert board.refused({"camp": 2}) == "lead.free_spread"
    assert board.refused({"bl_north_plain": 1}) == "lead.own_armies_only"
    board.do({"camp": 1})
    assert board.leaders("camp") == 1
    assert board.asked == "shadow fate_tile"


def test_no_general_means_no_token_and_one_tile() -> None:
    board = at_phase(2).do({})
    assert board.asked == "shadow fate_tile" and board.request.about["maximum"] == 1
    board.do("tile_2")
    assert board.state.fate == 2
    assert board.asked == "shadow choose_bats"


def test_the_last_tile_drawn_counts() -> None:
    board = at_phase(3, "generals_activated: 3\nfate_marker: 4").do("tile_3", "draw", "tile_2", "apply")
    assert (board.state.fate, board.state.fate_tiles) == (6, 11)
    assert board.state.fate_tiles_out == {"tile_2": 1}
    board = at_phase(3, "generals_activated: 3\nfate_marker: 4").do(
        "tile_3", "draw", "tile_2", "draw", "tile_1"
    )
    assert board.state.fate == 5 and board.asked == "shadow choose_bats"


def test_a_special_tile_ends_the_drawing_and_its_icon_brings_a_card() -> None:
    extra = "generals_activated: 3\nfate_marker: 4\nspecial_tiles: {arkenstone: pool}"
    board = at_phase(3, extra).do("tile_1", "draw")
    assert "arkenstone" in board.offered() and "necromancer" not in board.offered()
    board.do("arkenstone")
    assert (board.state.fate, board.state.fate_tiles) == (7, 12)
    assert board.asked == "free fate_card"
    board.do("redoubled_in_wrath")
    assert board.state.wrath == 4 and board.state.fate_deck == 8


def test_no_more_tiles_than_the_pool_holds() -> None:
    board = at_phase(3, "generals_activated: 3\nfate_pool_tiles: 1").do("tile_1")
    assert board.asked == "shadow choose_bats"
    board = at_phase(3, "generals_activated: 3\nfate_pool_tiles: 0")
    assert board.asked == "shadow choose_bats" and board.state.fate == 0


def test_the_last_space_of_fate_wins_at_once() -> None:
    board = at_phase(3, "generals_activated: 1\nfate_marker: 13").do("tile_3")
    assert board.state.fate == 15
    assert board.winner == ("free", "victory.fp_fate_end") and board.asked == "over"


def test_tokens_and_bats_are_the_dice_of_the_pool() -> None:
    board = at_phase(4)
    assert board.refused("7") == "lead.shadow_sum"
    board.do("5")
    assert board.asked == "shadow place_leadership"
    assert board.refused({"bl_north_plain": 1, "bl_upper_plain": 1}) == "lead.shadow_sum"
    assert board.refused({"bl_north_plain": 2}) == "lead.shadow_spread"
    board.do({"bl_north_plain": 1})
    assert board.refused({"valley": 4}) == "bats.placed_anywhere"
    board.do({"valley": 3, "eastern_bank": 2})
    assert board.state.bats == [0, 3, 2, 0]
    assert board.asked == "free roll_action_dice"


def test_with_seven_dice_there_is_at_least_one_token() -> None:
    board = at_phase(4, "pools: {shadow: 7}")
    assert board.offered() == ["0", "1", "2", "3", "4", "5", "6"]
    assert board.refused("7") == "bats.max_six"


def test_tokens_beyond_the_number_of_armies_are_not_laid() -> None:
    board = at_phase(4).do("0")
    assert board.leaders("bl_north_plain") == 1 == board.leaders("bl_upper_plain")
    assert board.asked == "free roll_action_dice"


def test_the_end_of_the_turn_clears_the_board() -> None:
    board = Board(
        """\
        phase: 5
        unused_dice: {free: [], shadow: [event]}
        to_act: shadow
        bats: {valley: 2}
        eagles: {valley: 1}
        activation_tokens: [bard]
        regions:
          camp: {side: free, units: {lake_men: 2}, characters: [bard], leadership: 1}
          bl_north_plain: {side: shadow, units: {orcs: 2}, leadership: 1}
        """
    )
    board.do("skip")
    state = board.state
    assert (state.turn, state.phase) == (2, 2)
    assert not any(state.leaders) and not any(state.bats) and state.eagles == [0, 0, 0, 0, 1]
    assert not state.activated and not any(map(sum, state.unused + state.used))


def test_ten_points_win_at_the_end_of_the_turn_only() -> None:
    board = Board(
        """\
        phase: 5
        to_act: shadow
        unused_dice: {free: [], shadow: [event]}
        control_shadow: [ravenhill, ruins_of_dale, lower_slopes, fallen_bridge]
        """
    )
    assert board.winner is None
    board.do("skip")
    assert board.winner == ("shadow", "victory.shadow_end_of_turn")


def test_a_game_restarts_from_any_milestone() -> None:
    board = at_phase(2).do({"gandalf": 1})
    again: Play[object] = Play(GAME, GAME.from_json(GAME.to_json(board.play.kept)))  # type: ignore[arg-type]
    for answer in board.play.since:
        again.answer(answer)
    assert again.digest() == board.play.digest()

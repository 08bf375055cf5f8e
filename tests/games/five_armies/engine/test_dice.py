"""Chapter V: action dice, alternation, passing, skipping; which symbol allows what."""

from __future__ import annotations

import pytest
from playing import Board

from referee.games.five_armies.game import GAME
from referee.kernel.errors import WrongDice
from referee.kernel.requests import RollDice

DICE = """\
phase: 5
to_act: free
unused_dice: {free: [character, muster, event], shadow: [army, army, lidless_eye, muster]}
regions:
  camp: {side: free, units: {lake_men: 2}, damage: 1}
  bl_upper_plain: {side: shadow, units: {orcs: 2}}
"""


def test_who_has_fewer_dice_may_pass_and_anybody_may_skip() -> None:
    board = Board(DICE).do("pass")
    assert board.asked == "shadow choose_die"
    assert board.refused("pass") == "dice.pass_condition"
    board.do("army", "skip")
    assert board.refused("pass") == "dice.pass_condition"  # three against three
    board.do("character", "skip")
    assert board.refused("army") == ""
    board.do("army", "skip")
    assert board.refused("pass") == "dice.pass_condition"
    assert board.refused("character") == "dice.used_die_aside"
    assert board.refused("will_of_the_west") == "dice.match_symbol"


def test_who_has_dice_left_uses_them_one_after_the_other() -> None:
    board = Board(
        "phase: 5\nto_act: shadow\nunused_dice: {free: [], shadow: [army, muster, event]}\n"
        "regions: {bl_upper_plain: {side: shadow, units: {orcs: 2}}}"
    )
    board.do("army", "skip")
    assert board.asked == "shadow choose_die"
    board.do("event", "skip", "skip")  # the last die is taken by itself
    assert board.state.turn == 2


def test_the_roll_sets_the_dice_and_the_free_peoples_begin() -> None:
    board = Board("phase: 4\nregions: {bl_upper_plain: {side: shadow, units: {orcs: 2}}}").do(
        "6", {"valley": 6}
    )
    assert board.asked == "free roll_action_dice"
    board.do({"free_action": ["character", "character", "muster", "event", "will_of_the_west"]})
    board.do({"shadow_action": ["army", "army", "muster", "event", "lidless_eye", "character"]})
    assert board.asked == "free choose_die"
    assert board.offered() == ["character", "muster", "event", "will_of_the_west", "pass"]


def actions(face: str, seat: str = "shadow", extra: str = "") -> Board:
    other = "free" if seat == "shadow" else "shadow"
    return Board(
        f"phase: 5\nto_act: {seat}\nunused_dice: {{{seat}: [{face}], {other}: [event, event]}}\n{extra}\n"
        "regions:\n"
        "  camp: {side: free, units: {lake_men: 2}, characters: [bard], damage: 1, tokens: {elves: 1}}\n"
        "  bl_upper_plain: {side: shadow, units: {orcs: 2}, damage: 1, leadership: 1, tokens: {shadow: 1}}\n"
        "  bl_spur_plain: {side: shadow, units: {goblins: 2}, leadership: 1}"
    ).do(*([face] if "pass" in seat else []))


@pytest.mark.parametrize(
    ("seat", "face", "allowed", "refused"),
    [
        (
            "shadow",
            "army",
            {"strategic_move", "attack"},
            {"recruit": "dice.match_symbol", "fast_move": "dice.match_symbol"},
        ),
        (
            "shadow",
            "character",
            {"fast_move", "led_attack"},
            {"combined_attack": "combined.army_symbol_only"},
        ),
        (
            "shadow",
            "muster",
            {"recruit", "rally"},
            {"strategic_move": "dice.match_symbol", "bat_cloud": "bats.cloud"},
        ),
        (
            "shadow",
            "muster_army",
            {"strategic_move", "attack", "recruit", "rally"},
            {"fast_move": "dice.match_symbol"},
        ),
        ("shadow", "event", {"draw_cards"}, {"rally": "dice.match_symbol", "bat_cloud": "bats.cloud"}),
        (
            "shadow",
            "lidless_eye",
            {"recruit_goblins", "goblin_attack", "goblin_move"},
            {"play_card": "dice.eye_no_other_use", "combined_attack": "dice.eye_no_other_use"},
        ),
        (
            "free",
            "will_of_the_west",
            {
                "strategic_move",
                "attack",
                "fast_move",
                "led_attack",
                "move_characters",
                "draw_cards",
                "recruit",
                "rally",
            },
            {"move_beorn": "char.must_be_ready", "enter:thorin": "char.must_be_ready"},
        ),
    ],
)
def test_what_a_symbol_allows(seat: str, face: str, allowed: set[str], refused: dict[str, str]) -> None:
    board = actions(face, seat)
    if board.asked.endswith("choose_die"):
        board.do(face)
    offered = set(board.offered()) - {"play_card"}
    assert offered == allowed | {"skip"}
    for action, rule in refused.items():
        assert board.refused(action) == rule


def test_a_combined_attack_wants_two_armies_at_the_border() -> None:
    regions = """\
        regions:
          eb_ridge_mid: {side: free, units: {dwarf_regulars: 3}}
          pass_north: {side: shadow, units: {goblins: 3}}
          eb_ridge_west: {side: shadow, units: {orcs: 2}}
          eb_north_plain: {side: shadow, units: {wargs: 3}}
          eb_ridge_east: {side: shadow, units: {wargs: 1}}
          eb_gate_road: {side: shadow, units: {orcs: 1}}
        """
    head = "        phase: 5\n        to_act: shadow\n        passes: {north: open}\n"
    board = Board(head + "        unused_dice: {shadow: [army, army], free: [event]}\n" + regions)
    board.do("combined_attack")
    assert board.asked == "shadow combined_armies"
    assert board.refused({"pass_north": 1, "eb_ridge_west": 1}) == "pass.no_combined_with_region"
    assert board.refused({"eb_gate_road": 1, "eb_ridge_west": 1}) == "combined.all_must_border"
    assert board.refused({"eb_ridge_west": 1}) == "combined.all_must_border"
    board.do({"eb_ridge_west": 1, "eb_north_plain": 1})
    assert board.state.combat is not None and board.state.combat.combined


def test_a_die_that_allows_nothing_is_set_aside() -> None:
    board = Board(
        "phase: 5\nto_act: free\nhands: {free: 0, shadow: 0}\n"
        "unused_dice: {free: [character], shadow: [event]}"
    )
    assert board.asked == "shadow choose_action"
    assert sum(board.state.used[0]) == 1


def test_wrong_dice_are_named_by_the_game() -> None:
    request = RollDice("free", "prompt.combat_roll", {"combat_white": 2}, GAME.dice)
    with pytest.raises(WrongDice) as caught:
        request.check({"combat_white": ["1"]})
    told = caught.value.in_words(lambda die: GAME.messages.say(f"die.{die}"))
    assert "Gesehen: 1 × weißer Kampfwürfel; gebraucht: 2 × weißer Kampfwürfel" in told.sentence("de")
    assert "combat_white" not in told.sentence("en")

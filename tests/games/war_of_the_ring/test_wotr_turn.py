"""The turn, its dice, the Elven rings and winning (chapters III, IV, X)."""

from __future__ import annotations

import pytest
from wotr_board import ALL_AT_WAR, Table

from referee.games.war_of_the_ring.box.components import FREE, NATION, SHADOW
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.rules.victory import points
from referee.kernel.errors import InvalidAnswer
from referee.kernel.play import Play

ARMIES = """\
regions:
  edoras: {units: {rohan_regular: 1, rohan_leader: 1}}
  nurn: {units: {sauron_regular: 1}}
"""


def dice(free: str, shadow: str, more: str = "") -> Table:
    return Table(ALL_AT_WAR + f"unused_dice: {{free: [{free}], shadow: [{shadow}]}}\n" + more + ARMIES)


# --- setting up ------------------------------------------------------------------------------------


@pytest.mark.rule("setup.armies", "setup.reinforcements", "setup.fellowship", "setup.guide", "setup.rings")
@pytest.mark.rule("setup.dice", "setup.hunt_pool", "setup.decks", "setup.politics")
def test_the_game_starts_as_the_chart_says() -> None:
    play = Play(GAME, GAME.new_state({}))
    data = GAME.to_json(play.state)
    assert data["places"]["minas_tirith"] == {"gondor_regular": 3, "gondor_elite": 1, "gondor_leader": 1}
    assert data["places"]["barad_dur"] == {"sauron_regular": 4, "sauron_elite": 1, "nazgul": 1}
    assert data["supply"]["nazgul"] == 4 and data["supply"]["rohan_leader"] == 3
    assert "elves_leader" not in data["supply"]
    assert data["ring"] == "rivendell" and data["guide"] == "gandalf_the_grey" and data["hidden"]
    assert sum(where == "fellowship" for where in data["characters"].values()) == 7
    assert data["rings"] == {"free": 3, "shadow": 0} and data["pool"] == {"free": 4, "shadow": 7}
    assert sum(data["tiles"].values()) == 16
    assert data["hand"]["free"] == {"character": 1, "strategy": 1}  # the first draw is done
    assert data["steps"]["gondor"] == 2 and data["steps"]["isengard"] == 1 and data["steps"]["rohan"] == 3
    assert data["awake"] == ["elves", "isengard", "sauron", "southrons_easterlings"]
    assert play.state.turn == 1


def test_the_owners_box_tells_the_first_editions_erebor() -> None:
    box = {
        "setup.erebor.dwarves_regular": "2",
        "setup.erebor.dwarves_elite": "1",
        "setup.erebor.dwarves_leader": "1",
    }
    play = Play(GAME, GAME.new_state({"edition": "first", "box": box}))
    assert GAME.to_json(play.state)["places"]["erebor"] == {
        "dwarves_regular": 2,
        "dwarves_elite": 1,
        "dwarves_leader": 1,
    }


def test_the_table_is_asked_once_where_nobody_knows_the_first_edition() -> None:
    play = Play(GAME, GAME.new_state({"edition": "first", "box": {"setup.erebor.dwarves_elite": "1"}}))
    assert play.request is not None and play.request.prompt == "prompt.ask_start"
    assert play.request.about["figure"] == "dwarves_regular"
    play.answer("3")
    assert play.request.about["figure"] == "dwarves_leader"
    play.answer("0")
    data = GAME.to_json(play.state)
    assert data["places"]["erebor"] == {"dwarves_regular": 3, "dwarves_elite": 1} and data["turn"] == 1
    alone = Play(GAME, GAME.new_state({"edition": "first"}))
    alone.answer("0")
    alone.answer("0")
    assert [c.value for c in alone.request.candidates()] == ["0"]  # type: ignore[union-attr]
    suggested = Play(GAME, GAME.new_state({"edition": "first", "setup": "suggested"}))
    assert suggested.state.turn == 1


def test_an_unknown_edition_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidAnswer, match="first or second"):
        GAME.new_state({"edition": "third"})


# --- the action dice ----------------------------------------------------------------------------------


@pytest.mark.rule("turn.action_roll", "turn.phases", "turn.alternate")
@pytest.mark.rule("dice.eye_to_hunt_box")
def test_eyes_go_to_the_hunt_box_and_allocated_dice_are_not_rolled() -> None:
    table = Table("phase: 4\nhunt_box: {shadow: 2}\n" + ARMIES)
    assert table.request.dice == {"free_action": 4}  # type: ignore[attr-defined]
    table.do({"free_action": ["character", "character", "event", "muster"]})
    assert table.request.dice == {"shadow_action": 5}  # type: ignore[attr-defined]
    table.do({"shadow_action": ["lidless_eye", "lidless_eye", "army", "event", "muster"]})
    assert table.state.hunt_dice == [0, 4]
    assert table.asked == "free choose_die" and sum(table.state.unused[SHADOW]) == 3


@pytest.mark.rule("dice.eye_to_hunt_box", "dice.used_aside", "dice.symbol", refuses=True)
def test_dice_that_are_not_there() -> None:
    table = dice("event, event", "army, event, event")
    assert table.refused("muster") == "dice.symbol"
    table.do("event", "skip")
    assert table.refused("lidless_eye") == "dice.eye_to_hunt_box"
    table = dice("event, event, muster", "army, event, muster")
    table.do("event", "skip", "army", "skip", "event", "skip")
    assert table.refused("army") == "dice.used_aside"


@pytest.mark.rule("turn.pass", refuses=True)
def test_passing_needs_fewer_dice() -> None:
    table = dice("event, muster", "army, event, event")
    table.do("pass")
    assert table.asked == "shadow choose_die"
    assert table.refused("pass") == "turn.pass"
    assert table.reason("pass") == "not_fewer_dice"


@pytest.mark.rule("turn.last_dice")
@pytest.mark.rule("dice.skip")
def test_whoever_has_dice_left_goes_on_alone() -> None:
    table = dice("event", "army, event, muster").do("event", "skip", "army", "skip")
    assert table.asked == "shadow choose_die"
    table.do("event", "skip")
    assert table.asked == "shadow choose_action"


@pytest.mark.rule("dice.will_of_the_west", "dice.muster_army")
def test_what_faces_stand_for() -> None:
    table = dice("west, muster_army", "army, event")
    west = set(table.do("will_of_the_west").offered())
    assert {"move_armies", "led_move", "negotiate", "recruit", "draw_card", "move_fellowship"} - west == {
        "negotiate"  # all are At War already
    }
    both = set(dice("west, muster_army", "army, event").do("muster_army").offered())
    assert {"move_armies", "recruit"} <= both and not {"led_move", "draw_card"} & both


@pytest.mark.rule(
    "dice.army_move", "dice.character_move", "dice.event_draw", "recruit.with_die", refuses=True
)
@pytest.mark.rule("dice.fellowship_move", "dice.separate", "politics.diplomacy", refuses=True)
@pytest.mark.rule("dice.army_attack", "dice.character_attack", "dice.move_companions", refuses=True)
def test_the_symbol_decides_what_free_dice_do() -> None:
    event = dice("event, muster", "army, event").do("event")
    for action, rule in (
        ("move_armies", "dice.army_move"),
        ("attack", "dice.army_attack"),
        ("led_move", "dice.character_move"),
        ("led_attack", "dice.character_attack"),
        ("move_fellowship", "dice.fellowship_move"),
        ("separate", "dice.separate"),
        ("move_companions", "dice.move_companions"),
        ("negotiate", "politics.diplomacy"),
        ("recruit", "recruit.with_die"),
    ):
        assert event.refused(action) == rule
    assert dice("event, muster", "army, event").do("muster").refused("draw_card") == "dice.event_draw"


@pytest.mark.rule("dice.move_minions", refuses=True)
def test_the_symbol_decides_what_shadow_dice_do() -> None:
    table = dice("event", "army, event", "to_act: shadow\n").do("event")
    assert table.refused("move_minions") == "dice.move_minions"
    assert table.refused("enter:saruman") == "minion.saruman_enters"


@pytest.mark.rule("turn.recover_dice", "turn.pool", "turn.pool_changes_next_turn", "cards.draw_each_turn")
def test_a_new_turn_takes_dice_back_and_reckons_the_pools_anew() -> None:
    table = Table(
        "phase: 6\nunused_dice: {shadow: [army]}\nhunt_box: {free: 1, shadow: 2}\nring_used: [free]\n"
        "fellowship: {moved: true, companions: [boromir]}\n"
        "regions:\n  edoras: {units: {rohan_regular: 1}, characters: [aragorn]}\n"
        "  orthanc: {units: {isengard_regular: 1}, characters: [saruman]}\n"
        "  nurn: {units: {sauron_regular: 1}, characters: [witch_king]}\n"
    )
    state = table.state
    assert state.turn == 2 and state.pool == [5, 9] and state.hunt_dice == [0, 0]
    assert state.free_die_in_box and not state.ring_moved and state.ring_used == [False, False]
    assert state.hand == [[3, 3], [3, 3]]


# --- the Elven rings ----------------------------------------------------------------------------------------


@pytest.mark.ruling("r66")
@pytest.mark.rule("ring.not_to_will_of_the_west", "ring.changes_a_die", refuses=True)
def test_r66_no_ring_makes_a_will_of_the_west_nor_unmakes_an_eye() -> None:
    table = dice("event, muster", "army, event").do("ring", "event")
    assert table.refused("will_of_the_west") == "ring.not_to_will_of_the_west"
    assert table.refused("event") == "ring.changes_a_die"
    table.do("character")
    assert table.state.rings == [2, 1]
    assert table.asked == "free choose_die" and set(table.offered()) == {"character", "muster"}
    shadow = dice("event", "army, event", "to_act: shadow\nrings: {free: 2, shadow: 1}\n").do("ring")
    assert shadow.refused("lidless_eye") == "ring.not_from_eye"


@pytest.mark.rule("ring.one_a_turn", "ring.each_once", refuses=True)
def test_one_ring_a_turn_and_each_only_once_a_side() -> None:
    table = dice("event, muster", "army, event").do("ring", "event", "character")
    assert table.refused("ring") == "ring.one_a_turn"
    table.do("character", "skip")
    assert "ring" in table.offered()
    table.do("ring", "army", "character")
    assert table.state.rings == [2, 0]  # out of the game
    without = dice("event, muster", "army, event", "rings: {free: 0, shadow: 0}\n")
    assert without.refused("ring") == "ring.each_once"


@pytest.mark.ruling("r66")
@pytest.mark.rule("ring.eye")
def test_r66_an_eye_made_by_a_ring_is_no_action() -> None:
    table = dice("event, muster", "army, event", "to_act: shadow\nrings: {free: 2, shadow: 1}\n")
    table.do("ring", "army", "lidless_eye")
    assert table.state.hunt_dice == [0, 1] and table.state.rings == [2, 0]
    assert table.asked == "shadow choose_die" and table.offered() == ["event", "pass"]


def test_an_eye_of_the_last_die_leaves_no_action() -> None:
    table = dice("event, muster", "army", "to_act: shadow\nrings: {free: 2, shadow: 1}\n")
    table.do("ring", "lidless_eye")
    assert table.asked == "free choose_die" and table.state.hunt_dice == [0, 1]


# --- winning ------------------------------------------------------------------------------------------------

_HELD_BY_SHADOW = "minas_tirith, dol_amroth, helms_deep, edoras, pelargir, erebor"


def _control(free: str = "", shadow: str = "") -> str:
    lines = [f"  {name.strip()}: {{control: free}}" for name in free.split(",") if name.strip()]
    lines += [f"  {name.strip()}: {{control: shadow}}" for name in shadow.split(",") if name.strip()]
    return "phase: 6\nunused_dice: {shadow: [army]}\nregions:\n" + "\n".join(lines) + "\n"


@pytest.mark.rule("victory.shadow_points", "victory.worth")
def test_ten_points_win_for_the_shadow_at_the_end_of_a_turn() -> None:
    table = Table(_control(shadow=_HELD_BY_SHADOW))
    assert points(table.state, SHADOW) == 10
    assert table.asked == "over" and table.state.winning_rule == "victory.shadow_points"
    nine = Table(_control(shadow=_HELD_BY_SHADOW.replace("edoras, ", "")))
    assert points(nine.state, SHADOW) == 9 and nine.asked != "over"


@pytest.mark.ruling("r03")
@pytest.mark.rule("victory.free_points")
def test_r03_any_four_points_win_for_the_free_peoples() -> None:
    table = Table(_control(free="angmar, far_harad, moria"))
    assert points(table.state, FREE) == 4
    assert table.asked == "over" and table.state.winning_rule == "victory.free_points"


@pytest.mark.ruling("r41")
@pytest.mark.rule("victory.order")
def test_r41_both_reach_their_points_and_the_shadow_wins() -> None:
    table = Table(_control(free="moria, umbar", shadow=_HELD_BY_SHADOW))
    assert table.state.winning_rule == "victory.shadow_points"


@pytest.mark.rule("victory.corruption", "victory.order")
def test_corruption_goes_before_points() -> None:
    table = Table("fellowship: {corruption: 12}\n" + _control(free="moria, umbar"))
    assert table.state.winner == SHADOW and table.state.winning_rule == "victory.corruption"


def test_towns_and_fortifications_are_worth_nothing() -> None:
    table = Table(_control(shadow="lamedon, lossarnach, bree"))
    assert points(table.state, SHADOW) == 0
    assert table.state.captured >> PLACE["bree"] & 1


# --- the Mouth of Sauron ---------------------------------------------------------------------------


def test_the_mouth_turns_one_muster_die_a_turn_into_an_army_die() -> None:
    table = Table(
        ALL_AT_WAR
        + "unused_dice: {free: [event], shadow: [muster, muster, event]}\nto_act: shadow\nregions:\n"
        "  nurn: {units: {sauron_regular: 2}, characters: [mouth_of_sauron]}\n"
        "  edoras: {units: {rohan_regular: 1}}\n"
    ).do("muster", "as_army_die")
    assert "move_armies" in table.offered() and "recruit" not in table.offered()
    table.do("move_armies", {"sauron_regular": 1}, "done")
    assert table.units("gorgoroth") == {"sauron_regular": 1} and table.state.mouth_used
    table.do("event", "skip", "muster")
    assert table.refused("as_army_die") == "minion.mouth_army_die"


def test_nations_are_where_the_engine_thinks() -> None:
    assert list(NATION) == [
        *("dwarves", "elves", "gondor", "north", "rohan"),
        *("isengard", "sauron", "southrons_easterlings"),
    ]


@pytest.mark.rule("victory.ring_destroyed")
@pytest.mark.parametrize(("corruption", "rule"), [(0, "victory.ring_destroyed"), (11, "victory.corruption")])
def test_the_last_step_in_mordor_ends_the_game(corruption: int, rule: str) -> None:
    """The tile of that step is resolved first."""
    table = Table(
        "fellowship: {at: morannon, mordor: 4, hidden: true, companions: [], "
        f"corruption: {corruption}}}\nunused_dice: {{free: [character, event], shadow: [army, event]}}\n"
        + ARMIES
    ).do("character", "move_fellowship")
    while table.asked != "over":
        options = table.offered()
        table.do("three" if "three" in options else options[0])
    assert table.state.winning_rule == rule

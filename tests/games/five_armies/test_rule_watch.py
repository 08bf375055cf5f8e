"""The watch sees what play meets, and leaves no trace when it is over."""

from __future__ import annotations

import pytest

from referee.commands.rule_watch import watching
from referee.games.five_armies import GAME
from referee.games.five_armies.catalogue.loading import FILES
from referee.kernel.errors import IllegalAnswer
from referee.kernel.explain import explain
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne

POSITION = """\
phase: 5
to_act: shadow
unused_dice: {shadow: [army, event], free: [event]}
regions:
  v_west_plain: {side: shadow, units: {orcs: 2}}
"""


def play() -> Play[object]:
    return Play(GAME, GAME.read_position(POSITION).state)


def test_requests_refusals_and_functions_are_noticed() -> None:
    with watching(GAME.rule_places) as met:
        game = play()
        explain(game, "army: move v_west_plain > eb_south_hill", GAME.words)
        game.answer("army")
        game.answer("strategic_move")
        with pytest.raises(IllegalAnswer):
            game.answer("camp")
        game.answer("v_west_plain")
        game.answer("fallen_bridge")
        game.answer({"orcs": 2})
    assert met.asked["turn.p5_alternate"]
    assert met.refused["move.no_cross_impassable"] >= 1
    assert met.called["control.shadow_takes_settlement"] >= 1
    assert set(met.rules()) <= set(GAME.catalogue)


def test_nothing_is_left_wrapped() -> None:
    before = (Play._run, IllegalAnswer.__init__, ChooseOne.why_not)
    with watching():
        assert Play._run is not before[0]
    assert before == (Play._run, IllegalAnswer.__init__, ChooseOne.why_not)


def test_rules_that_play_can_meet_are_told_apart_from_printed_values() -> None:
    rules = ("move.not_into_enemy_army", "victory.points_settlement", "setup.component_totals")
    assert [FILES.traceable(rule, GAME.rule_places) for rule in rules] == [True, True, False]

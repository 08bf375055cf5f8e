"""More than ten units may stand within an action, to which a battle belongs (p. 26): files say so, too."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.located import FileProblems
from referee.kernel.play import Play, canonical_json

ELEVEN = """\
position:
  unused_dice: {shadow: [army, character]}
  politics: {gondor: at_war, sauron: at_war}
  regions:
    osgiliath: {units: {gondor_regular: 1}}
    north_ithilien: {units: {sauron_regular: 4, sauron_elite: 1}}
    gorgoroth: {units: {sauron_regular: 10, sauron_elite: 1}}
"""
BATTLE = "  battle: {attacker: shadow, from: north_ithilien, target: osgiliath, round: 1}\n"


def test_without_a_battle_eleven_units_are_refused() -> None:
    with pytest.raises(FileProblems, match="at most 10 units stand here, not 11"):
        GAME.read_position(ELEVEN)


def test_in_a_battle_they_are_read_written_and_taken_off_at_the_end_of_the_action() -> None:
    play: Play[State] = Play(GAME, GAME.read_position(ELEVEN + BATTLE).state)
    again = GAME.read_position(GAME.write_position(play.state)).state
    assert canonical_json(GAME.to_json(again)) == canonical_json(GAME.to_json(play.state))
    rng = Random(1)
    while play.request is not None and play.request.prompt != "prompt.choose_die":
        if play.request.prompt == "prompt.choose_surplus":
            assert (play.request.seat, play.request.about["place"]) == ("shadow", "gorgoroth")
            return
        play.answer(play.request.sample(rng))
    raise AssertionError("the surplus stayed")

"""The odds of a blow: as reckoned by hand, and as the game itself plays it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from test_battlelore_refusals import position_of

from referee.games.battlelore.box.components import PLACES
from referee.games.battlelore.game import GAME
from referee.games.battlelore.screens import odds
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play
from referee.kernel.requests import RollDice

FIGHTS: dict[str, list[str]] = {
    "a bold defender strikes back": [
        "S1 e6 foot green 1 long", "N1 e7 foot red 2 long dwarf", "N2 f6 foot blue 4", "N3 f7 foot blue 4",
    ],
    "a goblin runs with its back to the rim": ["S1 h6 foot red 4 sword", "N1 i6 foot blue 3 goblin"],
    "a creature is hit critically": ["S1 e6 foot red 4 long", "N1 e7 creature green 1 spider"],
}  # fmt: skip


def fight_of(units: list[str]) -> tuple[Play[State], Any]:
    play: Play[State] = Play(GAME, position_of({"phase": 4, "ordered": ["S1"], "units": units, "lore": True}))
    fights = list(GAME._fights(play.state, play.request))
    return play, fights[0]


def test_two_dice_against_the_last_figure() -> None:
    """One helmet of six does it: 1 - (5/6)²; whoever is alone is not bold and strikes nobody back."""
    play, fight = fight_of(["S1 e6 foot green 4", "N1 e7 foot blue 1"])
    told = fight.tell()["round"]
    assert told["ends"]["attacker"] == pytest.approx(11 / 36)
    assert told["ends"]["both"] == pytest.approx(25 / 36)
    assert told["hits"][0] == pytest.approx([25 / 36, 10 / 36, 1 / 36]) and told["hits"][1] == [
        pytest.approx(1)
    ]
    assert (fight.attacker, fight.start, fight.target) == ("south", "e6", "e7")
    assert GAME.odds_known(play.state, play.request) and not GAME.odds_known(play.state, None)
    for language in ("de", "en"):
        assert len(GAME.odds(play.state, play.request, language)[0]["without"]) == len(odds.WITHOUT)


@pytest.mark.parametrize("name", FIGHTS)
def test_the_game_goes_as_the_odds_say(name: str) -> None:
    play, fight = fight_of(FIGHTS[name])
    ends, rng, runs = fight.tell()["round"]["ends"], Random(5), 400
    assert sum(ends.values()) == pytest.approx(1)
    state = play.state
    blow = next(odds._choices(state, play.request))
    counts = dict.fromkeys(ends, 0)
    for _ in range(runs):
        twin = play.fork()
        twin.answer(PLACES[blow.where])
        if twin.request is not None and twin.request.prompt == "prompt.choose_target":
            twin.answer(PLACES[blow.hex])
        while twin.request is not None and twin.state.fight is not None:
            request = twin.request
            rolls = isinstance(request, RollDice)
            twin.answer(request.sample(rng) if rolls else odds._policy(twin.state, request))
        there = twin.state.at[blow.attacker] >= 0, twin.state.at[blow.target] >= 0
        counts[{(True, True): "both", (True, False): "attacker", (False, True): "defender"}[there]] += 1
    for end, likely in ends.items():
        spread = max(1.0, (runs * likely * (1 - likely)) ** 0.5)
        assert abs(counts[end] - runs * likely) < 4 * spread, (end, counts, ends)

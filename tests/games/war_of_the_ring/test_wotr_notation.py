"""Every line that the referee writes can be read again; written moves are explained."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.position.position import read_position
from referee.games.war_of_the_ring.state.state import State
from referee.games.war_of_the_ring.words.notation import NOTATION
from referee.kernel.explain import Explanation, attempt, explain
from referee.kernel.play import Play
from referee.kernel.requests import Request

Pairs = list[tuple[Request, Any]]


def stretches(seed: int, edition: str, most: int) -> list[tuple[Any, Pairs]]:
    """States at milestones of a random game, each with the requests and answers up to the next."""
    rng = Random(seed)
    found: list[tuple[Any, Pairs]] = []
    play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False)
    pairs: Pairs = []
    start = play.kept
    while play.request is not None and play.answered < most:
        request, answer = play.request, play.request.sample(rng)
        pairs.append((request, answer))
        play.answer(answer)
        if not play.since or play.request is None:
            found.append((start, pairs))
            pairs, start = [], play.kept
    return found


@pytest.mark.parametrize(("seed", "edition"), [(1, "second"), (2, "second"), (3, "first")])
def test_written_lines_are_read_back(seed: int, edition: str) -> None:
    wrong = []
    for start, pairs in stretches(seed, edition, 2500):
        line = NOTATION.line(pairs)
        play: Play[State] = Play(GAME, GAME.copy(start), audit=False)
        result = attempt(play, line, GAME.words)
        answers = [answer for _, answer in pairs]
        read = [answer for _, answer in result.pairs]
        if read[: len(answers)] != answers or not result.allowed:
            wrong.append((line, result.verdict, result.at, result.said))
    assert wrong == []


POSITION = """\
position:
  politics: {rohan: at_war, gondor: active 1, isengard: at_war, sauron: at_war}
  unused_dice: {free: [muster_army, character, event], shadow: [army, muster]}
  regions:
    edoras: {units: {rohan_regular: 3, rohan_leader: 1}}
    minas_tirith: {units: {gondor_regular: 2}}
    fords_of_isen: {units: {isengard_regular: 2}}
    nurn: {units: {sauron_regular: 1}}
"""


def told(move: str) -> Explanation:
    play: Play[State] = Play(GAME, read_position(POSITION).state)
    return explain(play, move, GAME.words)


@pytest.mark.parametrize(
    "move",
    [
        "muster_army: edoras > westemnet 2 rohan_regular",
        "muster_army: move edoras > folde 1 rohan_regular; edoras > westemnet",
        "free: muster_army: move edoras > folde; minas_tirith > lossarnach",
        "character: edoras > westemnet",
        "event: draw strategy",
        "event: skip",
        "event: event",
        "muster_army: muster_army: edoras > westemnet",
        "muster_army: recruit rohan_leader = edoras; rohan_regular = westemnet",
    ],
)
def test_allowed(move: str) -> None:
    found = told(move)
    assert found.allowed, found.sentence("en", GAME)
    assert found.sentence("de", GAME) == "Erlaubt."


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("muster_army: minas_tirith > folde", "move.adjacent"),
        ("muster_army: move edoras > fangorn", "move.adjacent"),
        ("muster_army: edoras x nurn", "battle.adjacent"),
        ("muster_army: move edoras > westemnet 3 rohan_regular", "move.leaders_follow"),
        ("army: edoras > westemnet", "turn.alternate"),
        ("muster: negotiate gondor", "dice.symbol"),
        ("event: recruit gondor_regular = pelargir", "recruit.with_die"),
        ("muster_army: recruit gondor_regular = pelargir", "recruit.at_war"),
        ("muster_army: recruit rohan_regular = pelargir", "recruit.where"),
        ("shadow: army: fords_of_isen > edoras", "turn.alternate"),
        ("event: minions", "dice.move_minions"),
        ("event: pass", "turn.pass"),
        ("pass", "turn.pass"),
        ("character: fellowship > moria", "fellowship.progress"),
        ("character: move_fellowship; edoras", "fellowship.progress"),
        ("character: edoras > westemnet > dale", "move.led_by_character_die"),
        ("character: muster", "dice.symbol"),
        ("character: lidless_eye", "dice.symbol"),
        ("event: move_fellowship", "dice.fellowship_move"),
        ("event: draw strategy edoras", "turn.alternate"),
        ("muster_army: move edoras > folde; minas_tirith > lossarnach; nurn > gorgoroth", "move.two_armies"),
    ],
)
def test_refused(move: str, rule: str) -> None:
    found = told(move)
    assert found.verdict == "refused", (found.verdict, found.at, found.sentence("en", GAME))
    assert found.refusal is not None and found.refusal.rule == rule, found.refusal
    for language in ("de", "en"):
        sentence = found.sentence(language, GAME)
        assert found.rule is not None and "{" not in sentence and len(sentence) > 30


def test_what_is_not_understood_says_what_is_asked() -> None:
    found = told("muster_army: move edoras > westemnet with pipeweed")
    assert found.verdict == "unclear" and "pipeweed" in found.at
    assert "Which die" in told("hello").sentence("en", GAME)


def test_after_the_end_nothing_is_allowed_any_more() -> None:
    state = read_position(POSITION).state
    state.winner, state.winning_rule = 0, "victory.ring"
    over: Play[State] = Play(GAME, state, audit=False)
    found = explain(over, "muster_army: edoras > westemnet", GAME.words)
    assert found.verdict == "refused" and found.rule is not None
    assert explain(over, ":", GAME.words).allowed, "nothing was said"

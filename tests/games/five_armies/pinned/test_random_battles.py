"""Random battles: the audit holds after every answer, and a battle survives being written and read."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from battlefields import battlefield

from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.victory import GameEnds
from referee.games.five_armies.state.battle import BATTLE
from referee.games.five_armies.state.state import State
from referee.kernel.play import MILESTONE
from referee.kernel.requests import Forced, Request


def run(rng: Random, state: State, flow: Any) -> tuple[list[tuple[str, Any]], State | None]:
    """Answer at random to the end; returns what was answered, and a copy kept at some milestone."""
    log: list[tuple[str, Any]] = []
    kept: State | None = None
    value: Any = None
    try:
        while True:
            item = flow.send(value)
            value = None
            if item is MILESTONE:
                if kept is None or rng.random() < 0.5:
                    kept = GAME.copy(state)
                    log.clear()
                continue
            assert isinstance(item, Request)
            if isinstance(item, Forced):
                value = item.answer
                continue
            _look(state, item)
            value = item.check(item.sample(rng))
            log.append((item.prompt, value))
    except (StopIteration, GameEnds):
        pass
    return log, kept


def _look(state: State, request: Request) -> None:
    """What screens do at every question: candidates with refusals and the view, which must be JSON."""
    for candidate in request.candidates():
        if candidate.refusal is not None:
            assert candidate.refusal.rule in GAME.catalogue, candidate.refusal
    json.dumps(GAME.view(state, "free", "de")["focus"])
    if state.combat is not None:
        data = BATTLE.to_json(state.combat)
        assert BATTLE.to_json(BATTLE.from_json(json.loads(json.dumps(data)))) == data
    assert GAME.audit(state) == []


@pytest.mark.parametrize("seed", range(60))
def test_random_battles(seed: int) -> None:
    rng = Random(seed)
    for _ in range(4):
        state, flow = battlefield(rng)
        log, kept = run(rng, state, flow)
        state.step = "act"
        problems = [] if state.winner >= 0 else GAME.audit(state)
        assert problems == [], log
        if kept is None:
            continue
        # the same answers from the kept milestone give the same end
        again = combat.fight(kept)
        answers = iter(log)
        value: Any = None
        try:
            while True:
                item = again.send(value)
                value = None
                if isinstance(item, Forced):
                    value = item.answer
                elif item is not MILESTONE:
                    prompt, value = next(answers)
                    assert item.prompt == prompt
        except (StopIteration, GameEnds):
            pass
        kept.step = "act"
        assert GAME.to_json(kept) == GAME.to_json(state)

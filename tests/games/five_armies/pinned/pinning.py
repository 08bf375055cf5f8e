"""Trails of games and battles of Five Armies (``tests/game_pins.py``); their marks are in ``pinned.json``."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import game_pins
from game_pins import EVERY, Changed, asked, play_along, turned_down

from referee.games.five_armies.box.components import UNITS
from referee.games.five_armies.game import GAME
from referee.games.five_armies.play.bots import PLAYERS
from referee.games.five_armies.rules.victory import GameEnds
from referee.games.five_armies.state.battle import BATTLE, Battle, Side
from referee.games.five_armies.state.state import State
from referee.kernel.play import MILESTONE
from referee.kernel.requests import ChooseOne, ChooseSecretly, Forced, Request, RollDice

KEPT = Path(__file__).with_name("pinned.json")
WRITE = "python tests/games/five_armies/pinned/test_pinned_games.py"
LONGEST_BATTLE = 500
LIKED = frozenset({*UNITS, "use", "go_on", "rout", "retreat", "discard_bodyguard"})
"""What a keen player mostly answers."""


class Trail(game_pins.Trail):
    """Marks of one run of this game."""

    def __init__(self, name: str, kept: str | None, every: int = EVERY) -> None:
        super().__init__(GAME, name, kept, WRITE, every)


def play_game(
    trail: Trail,
    seed: int,
    players: tuple[str, str],
    options: dict[str, Any],
    *,
    look: bool = False,
    most: int = 10_000,
) -> None:
    """Play a seeded game along ``trail``; with ``look`` everything refused is noted too.

    ``players`` name the computer players of the Free Peoples and of the Shadow.
    """
    by_seat = {"free": PLAYERS[players[0]], "shadow": PLAYERS[players[1]]}
    play_along(trail, seed, by_seat, options, look=float(look), most=most)


def fight_battle(trail: Trail, rng: Random, state: State, flow: Any, *, keen: bool = False) -> None:
    """Fight one battle along ``trail``, with everything refused; ``keen``: dice and players that hit hard."""
    looking = Random(rng.random())
    value: Any = None
    try:
        while True:
            item = flow.send(value)
            value = None
            if item is MILESTONE:
                _survives(trail, state)
                continue
            if isinstance(item, Forced):
                value = item.answer
                continue
            trail.note(asked(item))
            trail.note(turned_down(item, looking))
            _survives(trail, state)
            if trail.answers == LONGEST_BATTLE:
                raise Changed(f"{trail.name} does not end")
            value = item.check(_keen(item, rng) if keen else item.sample(rng))
            trail.answered(state, item.prompt, value)
    except (StopIteration, GameEnds):
        pass
    state.step = "act"
    trail.end(state)


def _survives(trail: Trail, state: State) -> None:
    """A combat can be copied, written and read back without a difference."""
    battle = state.combat
    if battle is None:
        return
    data = BATTLE.to_json(battle)
    text = json.dumps(data)
    trail.note(json.loads(text))
    read = BATTLE.from_json(json.loads(text))
    for other in (read, BATTLE.copy(battle)):
        assert BATTLE.to_json(other) == data
        assert _plain(other) == _plain(battle)
        assert other.sides[0].rolled is not battle.sides[0].rolled


def _plain(battle: Battle) -> list[Any]:
    own = [getattr(battle, name) for name in Battle.__slots__ if name != "sides"]
    return own + [getattr(side, name) for side in battle.sides for name in Side.__slots__]


def _keen(request: Request, rng: Random) -> Any:
    """Abilities are used, unit cards laid, armies routed, and every other die is a six."""
    if isinstance(request, RollDice):
        return {
            die: ["6" if rng.random() < 0.5 else rng.choice("123456") for _ in range(n)]
            for die, n in request.dice.items()
            if n
        }
    if isinstance(request, ChooseSecretly):
        return {seat: _keen(own, rng) for seat, own in request.of.items()}
    if isinstance(request, ChooseOne):
        liked = [one for one in request.options if one in LIKED]
        if liked and rng.random() < 0.8:
            return rng.choice(liked)
    return request.sample(rng)

"""A trail of a game or battle: short marks of everything asked, refused, answered and changed, in order.

The marks of seeded games are kept beside the tests (``pinned.json``).  A rule that is reckoned
differently shows as the first mark that differs, with the game, the number of the answer and
the question.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from referee.games.five_armies.battle import Battle, Side
from referee.games.five_armies.bots import PLAYERS
from referee.games.five_armies.components import UNITS
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state import State
from referee.games.five_armies.victory import GameEnds
from referee.kernel.play import MILESTONE, Play, canonical_json
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

KEPT = Path(__file__).with_name("pinned.json")
WRITE = "python tests/games/five_armies/pinned/test_pinned_games.py"
EVERY = 8
"""Answers between two marks of a game that is only played; four hex digits each."""
LONGEST_BATTLE = 500
LIKED = frozenset({*UNITS, "use", "go_on", "rout", "retreat", "discard_bodyguard"})
"""What a keen player mostly answers."""


class Changed(AssertionError):
    """A game goes another way than it was kept."""


class Trail:
    """Marks of one run.  Compares with ``kept`` as it goes; without it only writes them down."""

    def __init__(self, name: str, kept: str | None, every: int = EVERY) -> None:
        self.name = name
        self.kept = kept
        self.every = every
        self.marks = ""
        self.answers = 0
        self._hash = hashlib.sha256()

    def note(self, data: Any) -> None:
        """Add to the trail."""
        self._hash.update(canonical_json(data).encode())

    def answered(self, state: State, question: str, value: Any) -> None:
        """An answer was given; every few answers the state is hashed and a mark set."""
        self.note(value)
        self.answers += 1
        if self.answers % self.every == 0:
            self.mark(state, question)

    def mark(self, state: State, question: str) -> None:
        """Set a mark.  Raises :class:`Changed` where the kept one differs."""
        self.note(GAME.to_json(state))
        mark = self._hash.hexdigest()[:4]
        at = len(self.marks)
        self.marks += mark
        if self.kept is not None and self.kept[at : at + 4] != mark:
            raise Changed(
                f"{self.name} goes another way by answer {self.answers} ({question}). "
                "If a rule is meant to be reckoned differently, raise rules_version in game.py; "
                f"then write the marks: {WRITE}"
            )

    def end(self, state: State) -> None:
        """The run is over."""
        self.mark(state, "the end")
        if self.kept is not None and self.kept != self.marks:
            raise Changed(f"{self.name} ends earlier than it was kept: see {WRITE}")


def asked(request: Request) -> Any:
    """What a request asks and allows."""
    found: list[Any] = [request.kind, request.seat, request.prompt, request.domain, request.rule]
    found.append(dict(request.about))
    if isinstance(request, ChooseSecretly):
        found.append({seat: asked(own) for seat, own in request.of.items()})
    elif isinstance(request, ChooseOne):
        found.append(list(request.options))
    elif isinstance(request, ChooseSome):
        found.append([dict(request.limits), request.minimum, request.maximum, request.default])
    elif isinstance(request, RollDice):
        found.append([dict(request.dice), {die: list(faces) for die, faces in request.kept.items()}])
    return found


def turned_down(request: Request, rng: Random) -> Any:
    """Every refusal of a request, and what it says to some wrong and some right counts."""
    if isinstance(request, ChooseSecretly):
        return {seat: turned_down(own, rng) for seat, own in request.of.items()}
    found = [[c.value, _said(c.refusal)] for c in request.candidates() if c.refusal is not None]
    if isinstance(request, ChooseSome):
        everything = dict(request.limits)
        tries = [{}, everything, {item: most + 1 for item, most in everything.items()}]
        tries.extend({item: 1} for item in everything)
        pool = [item for item, most in everything.items() for _ in range(most)]
        for _ in range(4):
            counts: dict[str, int] = {}
            for item in rng.sample(pool, rng.randint(0, len(pool))):
                counts[item] = counts.get(item, 0) + 1
            tries.append(counts)
        found.extend([counts, _said(request.why_not(counts))] for counts in tries)
    return found


def _said(refusal: Refusal | None) -> Any:
    return None if refusal is None else [refusal.rule, refusal.reason, dict(refusal.params)]


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
    rng, looking = Random(seed), Random(seed + 1)
    play: Play[State] = Play(GAME, GAME.new_state(options), audit=False, keep=False)
    player = {"free": PLAYERS[players[0]], "shadow": PLAYERS[players[1]], "*": PLAYERS["random"]}
    while play.request is not None and play.answered < most:
        request = play.request
        trail.note(asked(request))
        if look:
            trail.note(turned_down(request, looking))
        value = player[request.seat](request, rng, play.state)
        play.answer(value)
        trail.answered(play.state, request.prompt, value)
    trail.end(play.state)


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
    data = battle.to_json()
    text = json.dumps(data)
    trail.note(json.loads(text))
    read = Battle.from_json(json.loads(text))
    for other in (read, battle.copy()):
        assert other.to_json() == data
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

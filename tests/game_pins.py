"""Trails of games: short marks of everything asked, refused, answered and changed, in order.

The marks of seeded games are kept beside a game's tests.  A rule that is
reckoned differently shows as the first mark that differs, with the game, the
number of the answer and the question; its author is told to raise
``rules_version`` and how the marks are written anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.kit.bots import Player, at_random
from referee.kernel.play import Game, Play, canonical_json
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

EVERY = 8
"""Answers between two marks of a game that is only played; four hex digits each."""
WIDTH = 4


class Changed(AssertionError):
    """A game goes another way than it was kept."""


class Trail:
    """Marks of one run.  Compares with ``kept`` as it goes; without it only writes them down.

    ``write`` is the command that writes the marks of this game anew.
    """

    def __init__(self, game: Game[Any], name: str, kept: str | None, write: str, every: int = EVERY) -> None:
        self.game = game
        self.name = name
        self.kept = kept
        self.write = write
        self.every = every
        self.marks = ""
        self.answers = 0
        self._hash = hashlib.sha256()

    def note(self, data: Any) -> None:
        """Add to the trail."""
        self._hash.update(canonical_json(data).encode())

    def answered(self, state: Any, question: str, value: Any) -> None:
        """An answer was given; every few answers the state is hashed and a mark set."""
        self.note(value)
        self.answers += 1
        if self.answers % self.every == 0:
            self.mark(state, question)

    def mark(self, state: Any, question: str) -> None:
        """Set a mark.  Raises :class:`Changed` where the kept one differs."""
        self.note(self.game.to_json(state))
        mark = self._hash.hexdigest()[:WIDTH]
        at = len(self.marks)
        self.marks += mark
        if self.kept is not None and self.kept[at : at + WIDTH] != mark:
            raise Changed(
                f"{self.name} goes another way by answer {self.answers} ({question}). "
                "If a rule is meant to be reckoned differently, raise rules_version in game.py; "
                f"then write the marks: {self.write}"
            )

    def end(self, state: Any) -> None:
        """The run is over."""
        self.mark(state, "the end")
        if self.kept is not None and self.kept != self.marks:
            raise Changed(f"{self.name} ends earlier than it was kept: see {self.write}")


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


def play_along(
    trail: Trail,
    seed: int,
    players: Mapping[str, Player[Any]],
    options: dict[str, Any],
    *,
    look: float = 0.0,
    most: int = 10_000,
) -> None:
    """Play a seeded game along ``trail``.

    ``players`` by seat; what is asked of nobody in particular is answered at
    random.  At the share ``look`` of the requests everything refused is noted
    too.  The game is left after ``most`` answers.
    """
    rng, looking = Random(seed), Random(seed + 1)
    play: Play[Any] = Play(trail.game, trail.game.new_state(options), audit=False, keep=False)
    while play.request is not None and play.answered < most:
        request = play.request
        trail.note(asked(request))
        if look >= 1 or (look and looking.random() < look):
            trail.note(turned_down(request, looking))
        value = players.get(request.seat, at_random)(request, rng, play.state)
        play.answer(value)
        trail.answered(play.state, request.prompt, value)
    trail.end(play.state)

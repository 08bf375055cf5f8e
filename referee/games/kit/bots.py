"""Computer players and whole games played by them, for fuzzing and measuring.

A game adds what its eager player likes: weights of options by prompt, and the
places that he marches on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeVar

from referee.games.kit.places import places_in
from referee.kernel.play import Game, Play
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, ChooseSome, Request

S = TypeVar("S")
Player = Callable[[Request, Random, S], Any]
"""Answers a request; sees the state."""
Liked = Mapping[str, Mapping[str, float]]
"""Prompt to the weight of each option that does not count as 1."""
UNREACHED = 99


def at_random(request: Request, rng: Random, state: object) -> Any:
    """Any legal answer."""
    return request.sample(rng)


def by_liking(request: Request, rng: Random, liked: Liked) -> Any:
    """An option by the weights of its prompt; of several mostly the default; everything else at random."""
    if isinstance(request, ChooseOne) and len(request.options) > 1:
        weighed = liked.get(request.prompt)
        if weighed:
            weights = [weighed.get(option, 1) for option in request.options]
            return rng.choices(request.options, weights)[0] if any(weights) else request.sample(rng)
    if isinstance(request, ChooseSome):
        default = request.default
        if default is not None and rng.random() < 0.8 and request.why_not(default) is None:
            return dict(default)
    return request.sample(rng)


class Distances:
    """Steps from place to place.  ``neighbours[p]`` is the mask of the places next to ``p``."""

    def __init__(self, neighbours: Sequence[int]) -> None:
        self._neighbours = neighbours
        self._from: dict[int, tuple[int, ...]] = {}

    def to(self, place: int, goals: int) -> int:
        """Steps from ``place`` to the nearest of the ``goals`` (a mask with at least one place)."""
        found = self._from.get(place)
        if found is None:
            found = self._from[place] = self._all_from(place)
        return min(found[goal] for goal in places_in(goals))

    def nearest(self, names: Iterable[str], places: Mapping[str, int], goals: int, rng: Random) -> str:
        """The one of ``names`` that is nearest to the ``goals``; of several any."""
        return min(names, key=lambda name: (self.to(places[name], goals), rng.random()))

    def _all_from(self, place: int) -> tuple[int, ...]:
        found = [UNREACHED] * len(self._neighbours)
        found[place] = 0
        edge = [place]
        while edge:
            here = edge.pop(0)
            for near in places_in(self._neighbours[here]):
                if found[near] == UNREACHED:
                    found[near] = found[here] + 1
                    edge.append(near)
        return tuple(found)


def towards(request: ChooseOne, rng: Random, places: Mapping[str, int], goals: int, by: Distances) -> str:
    """The destination nearest to one of the goals, three times out of four."""
    names = [option for option in request.options if option in places]
    if not names or not goals or rng.random() < 0.25:
        return request.sample(rng)
    return by.nearest(names, places, goals, rng)


# --- whole games -------------------------------------------------------------------------------


@dataclass(slots=True)
class Played(Generic[S]):
    """A finished game: its play, how many answers of each sort it took, and the answers if recorded."""

    play: Play[S]
    decisions: int = 0
    forced: int = 0
    chance: int = 0
    answers: list[Any] = field(default_factory=list)


def play_whole(
    game: Game[S],
    seed: int,
    options: Mapping[str, Any],
    players: Mapping[str, Player[S]],
    *,
    most: int,
    audit: bool = True,
    keep: bool = True,
    record: bool = False,
    checked: bool = True,
) -> Played[S]:
    """Play a whole game by computer players.

    ``players`` names one for each seat; what is asked of nobody in particular is
    answered at random.  ``checked`` False skips the check of each answer against
    its request (they were drawn from it).  ``record`` keeps the answers.  Raises
    :class:`RuntimeError` for a game of more than ``most`` answers.
    """
    rng = Random(seed)
    play = Play(game, game.new_state(options), audit=audit, keep=keep)
    played = Played(play)
    plain = all(player is at_random for player in players.values())
    players = {"*": at_random, **players}
    answer = play.answer if checked else play.answer_unchecked
    request = play.request
    while request is not None:
        if request.is_chance:
            played.chance += 1
        elif request.is_forced():
            played.forced += 1
        else:
            played.decisions += 1
        value = request.sample(rng) if plain else players[request.seat](request, rng, play.state)
        if record:
            played.answers.append(value)
        answer(value)
        request = play.request
        if play.answered > most:
            raise RuntimeError(f"random game {seed} does not end")
    return played


class RandomGames(Generic[S]):
    """Whole games of one game by its computer players, told by their names.

    ``most`` answers are the most that a game may take, ``options`` are those of a
    game for which no others are given.
    """

    def __init__(
        self,
        game: str,
        eager: Player[S],
        *,
        most: int,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._game = game
        self.players: dict[str, Player[S]] = {"random": at_random, "eager": eager}
        self._most = most
        self._options = options or {}

    def play(
        self,
        seed: int,
        *,
        audit: bool = True,
        keep: bool = True,
        options: Mapping[str, Any] | None = None,
        record: bool = False,
        checked: bool = True,
        **seats: str,
    ) -> Played[S]:
        """Play a whole game, see :func:`play_whole`.

        ``seats`` names the player of each seat, ``random`` (unless given) or ``eager``.
        """
        game = load_game(self._game)
        return play_whole(
            game,
            seed,
            self._options if options is None else options,
            {seat: self.players[seats.get(seat, "random")] for seat in game.seats},
            most=self._most,
            audit=audit,
            keep=keep,
            record=record,
            checked=checked,
        )

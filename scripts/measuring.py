"""How fast a game's rules are: what the benches of all games share.

A decision is a request at which a seat chooses among at least two answers that
differ; chance (dice, draws, values read off a component) and forced answers are
not counted.  Times of whole games are the process's own CPU time on one core,
so that other work on the machine does not count; latencies are by the clock.

With a prefix ``P`` (``rules.``, ``rules.wotr_``...):

P decisions_per_s          random games, bare: no audit, no copies, no record, no refusals
P forced_per_s             forced answers in the same games (chance not among them)
P chance_per_s             dice, draws and values off a component in the same games
P decisions_per_game       mean
P options_per_decision     mean number of allowed candidates listed at a decision
P audited_decisions_per_s  the same with every answer checked, all invariants audited after it and
                           milestones kept
P recorded_decisions_per_s the same through the table: checked, audited, hashed, written to SQLite
                           and synced before it is acknowledged (by the clock; the disk decides)
P list_ms_p50, _p95, _p99  listing all candidates of a request with all refusals
P answer_us_p50, _p95, _p99  one checked answer, audited
P take_back_ms_p50, _p95, _p99  the state before the last answer, by replay from the milestone
P state_bytes              mean size of a state's canonical JSON
P record_bytes_per_answer  mean growth of the database for one answer
P resume_ms                opening the record of a finished game
P resumed_answers          how many answers that game has
P replayed_answers_per_s   the answers of finished games played again, each checked against its request
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from referee.games.kit.fuzzing import Fuzzed
from referee.kernel.play import Game, Play, canonical_json
from referee.kernel.requests import ChooseSecretly, Request

T = TypeVar("T")
PERCENTILES = (50, 95, 99)


class PlayedGame(Protocol):
    """A finished game of computer players."""

    decisions: int
    forced: int
    chance: int
    answers: list[Any]


@dataclass(slots=True)
class Measured:
    """A game to measure: how it is played by computers, with what options, and the prefix of its figures."""

    game: Game[Any]
    play_random: Callable[..., PlayedGame]
    """Plays the game of a seed; takes ``audit``, ``keep``, ``checked`` and ``record``."""
    eager: Callable[[Request, Random, Any], Any]
    """The answers of one seat while latencies are measured; the other answers at random."""
    options: Mapping[str, Any]
    prefix: str
    found: dict[str, float] = field(default_factory=dict)

    def _note(self, name: str, value: float) -> None:
        self.found[self.prefix + name] = value

    def bare(self, games: int) -> None:
        """Whole random games with nothing around them."""
        for seed in range(min(20, games)):  # fill the tables of armies and options first
            self.play_random(seed, audit=False, keep=False, checked=False)
        played = []
        began = time.process_time()
        for seed in range(1000, 1000 + games):
            played.append(self.play_random(seed, audit=False, keep=False, checked=False))
        seconds = time.process_time() - began
        decisions = sum(one.decisions for one in played)
        self._note("decisions_per_s", decisions / seconds)
        self._note("forced_per_s", sum(one.forced for one in played) / seconds)
        self._note("chance_per_s", sum(one.chance for one in played) / seconds)
        self._note("decisions_per_game", decisions / games)

    def audited(self, games: int) -> None:
        """Whole random games with all checks and audits."""
        decisions = 0
        began = time.process_time()
        for seed in range(2000, 2000 + games):
            decisions += self.play_random(seed).decisions
        self._note("audited_decisions_per_s", decisions / (time.process_time() - began))

    def replayed(self, games: int) -> None:
        """The answers of finished games again."""
        records = [self.play_random(seed, audit=False, record=True).answers for seed in range(games)]
        began = time.process_time()
        for answers in records:
            play: Play[Any] = Play(self.game, self.game.new_state(self.options), audit=False, keep=False)
            for answer in answers:
                play.answer(answer)
        seconds = time.process_time() - began
        self._note("replayed_answers_per_s", sum(map(len, records)) / seconds)

    def latencies(self, games: int) -> None:
        """Listing, answering and taking back, at every request of some games (one seat eager)."""
        times: dict[str, list[float]] = {"list_ms": [], "answer_us": [], "take_back_ms": []}
        options: list[int] = []
        sizes: list[int] = []
        for seed in range(3000, 3000 + games):
            rng = Random(seed)
            play: Play[Any] = Play(self.game, self.game.new_state(self.options))
            while play.request is not None:
                request = play.request
                seconds, candidates = _timed(request.candidates)
                times["list_ms"].append(seconds * 1e3)
                if not request.is_chance and not request.is_forced():
                    options.append(sum(candidate.allowed for candidate in candidates))
                eager = request.seat == self.game.seats[-1]
                value = self.eager(request, rng, play.state) if eager else request.sample(rng)
                times["answer_us"].append(_timed(partial(play.answer, value))[0] * 1e6)
                if play.answered % 10 == 0 and play.since:
                    times["take_back_ms"].append(_timed(partial(self._without_last, play))[0] * 1e3)
                    sizes.append(len(canonical_json(self.game.to_json(play.state))))
        for name, values in times.items():
            values.sort()
            for percent in PERCENTILES:
                self._note(f"{name}_p{percent}", values[len(values) * percent // 100])
        self._note("options_per_decision", sum(options) / len(options))
        self._note("state_bytes", sum(sizes) / len(sizes))

    def _without_last(self, play: Play[Any]) -> Play[Any]:
        twin: Play[Any] = Play(self.game, self.game.copy(play.kept), audit=False)
        for value in play.since[:-1]:
            twin.answer(value)
        return twin

    def fuzzed(self, fuzz: Callable[[int, int], Fuzzed], first: int, games: int) -> None:
        """Whole audited games from seed ``first`` on, and how many of them failed."""
        found = fuzz(first, games)
        self._note("fuzz_games", found.games)
        self._note("fuzz_first_seed", found.first)
        self._note("fuzz_failures", len(found.failures))

    def recorded(self, answers: int) -> None:
        """A game of at most so many answers through the table and its record, on the disk of the temporary
        folder."""
        from referee.hall.table import Table
        from referee.store.store import Store

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.db"
            with Store.open(path) as store:
                table = Table.create(
                    store, self.game, options=dict(self.options), players={}, table_name="bench"
                )
                seconds, decisions = _timed(partial(_play_at, table, answers))
                self._note("recorded_decisions_per_s", decisions / seconds)
                self._note("record_bytes_per_answer", path.stat().st_size / table.revision)
                game_id, given = table.id, table.play.answered
                table.close()
                seconds, table = _timed(partial(Table.open, store, game_id))
                self._note("resume_ms", seconds * 1e3)
                self._note("resumed_answers", float(given))
                table.close()


def _play_at(table: Any, answers: int) -> int:
    """Play a table's game at random, to its end or until so many answers; returns the number of decisions."""
    rng = Random(5)
    decisions = 0
    while table.request is not None and table.play.answered < answers:
        request = table.request
        decisions += not request.is_chance and not request.is_forced()
        if isinstance(request, ChooseSecretly):
            for seat, part in request.of.items():
                table.answer(seat, part.sample(rng), revision=table.revision)
        else:
            table.answer(request.seat, request.sample(rng), revision=table.revision)
    return decisions


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result

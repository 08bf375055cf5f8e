"""Figures of the rules of Five Armies.

A decision is a request at which a seat chooses among at least two answers that
differ; chance (dice, draws, values read off a component) and forced answers are
not counted.  Times of whole games are the process's own CPU time on one core,
so that other work on the machine does not count; latencies are by the clock.

rules.decisions_per_s          random games, bare: no audit, no copies, no record, no refusals
rules.forced_per_s             forced answers in the same games (chance not among them)
rules.chance_per_s             dice, draws and values off a component in the same games
rules.decisions_per_game       mean
rules.options_per_decision     mean number of allowed candidates listed at a decision
rules.audited_decisions_per_s  the same with every answer checked, all invariants audited after it and
                               milestones kept
rules.recorded_decisions_per_s the same through the table: checked, audited, hashed, written to SQLite
                               and synced before it is acknowledged (by the clock; the disk decides)
rules.list_ms_p50, _p95, _p99  listing all candidates of a request with all refusals
rules.answer_us_p50, _p95, _p99  one checked answer, audited
rules.take_back_ms_p50, _p95, _p99  the state before the last answer, by replay from the milestone
rules.state_bytes              mean size of a state's canonical JSON
rules.record_bytes_per_answer  mean growth of the database for one answer
rules.resume_ms                opening the record of a finished game of 1,000 answers or more
rules.resumed_answers          how many answers that game has
rules.fuzz_games, rules.fuzz_first_seed, rules.fuzz_failures
                               whole games of random and eager players, audited after every answer, how many
                               of them failed; FIVE_ARMIES_FUZZ=20000 in the environment plays more
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from referee.games.five_armies.bots import PLAYERS, play_random
from referee.games.five_armies.fuzz import fuzz
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state import State
from referee.kernel.play import Play, canonical_json
from referee.kernel.requests import ChooseSecretly

T = TypeVar("T")
FIRST_FUZZ_SEED = 100_000
_OPTIONS = {"setup": "suggested"}


def figures(games: int = 150) -> dict[str, float]:
    """All figures of this module; about a minute."""
    found: dict[str, float] = {}
    _bare(found, games)
    _audited(found, max(20, games // 3))
    _latencies(found, max(4, games // 15))
    _recorded(found)
    fuzzed = fuzz(FIRST_FUZZ_SEED, int(os.environ.get("FIVE_ARMIES_FUZZ", "1000")))
    found["rules.fuzz_games"] = fuzzed.games
    found["rules.fuzz_first_seed"] = fuzzed.first
    found["rules.fuzz_failures"] = len(fuzzed.failures)
    return found


def _bare(found: dict[str, float], games: int) -> None:
    for seed in range(20):  # fill the tables of armies and options first
        play_random(seed, audit=False, keep=False, checked=False)
    decisions = forced = chance = 0
    began = time.process_time()
    for seed in range(1000, 1000 + games):
        played = play_random(seed, audit=False, keep=False, checked=False)
        decisions += played.decisions
        forced += played.forced
        chance += played.chance
    seconds = time.process_time() - began
    found["rules.decisions_per_s"] = decisions / seconds
    found["rules.forced_per_s"] = forced / seconds
    found["rules.chance_per_s"] = chance / seconds
    found["rules.decisions_per_game"] = decisions / games


def _audited(found: dict[str, float], games: int) -> None:
    decisions = 0
    began = time.process_time()
    for seed in range(2000, 2000 + games):
        decisions += play_random(seed).decisions
    found["rules.audited_decisions_per_s"] = decisions / (time.process_time() - began)


def _latencies(found: dict[str, float], games: int) -> None:
    """Listing, answering and taking back, at every request of some games (one seat eager)."""
    listing: list[float] = []
    answering: list[float] = []
    taking_back: list[float] = []
    options: list[int] = []
    sizes: list[int] = []
    for seed in range(3000, 3000 + games):
        rng = Random(seed)
        play: Play[State] = Play(GAME, GAME.new_state(_OPTIONS))
        while play.request is not None:
            request = play.request
            seconds, candidates = _timed(request.candidates)
            listing.append(seconds * 1e3)
            if not request.is_chance and not request.is_forced():
                options.append(sum(candidate.allowed for candidate in candidates))
            player = PLAYERS["eager" if request.seat == "shadow" else "random"]
            value = player(request, rng, play.state)
            answering.append(_timed(partial(play.answer, value))[0] * 1e6)
            if play.answered % 10 == 0 and play.since:
                taking_back.append(_timed(partial(_without_last, play))[0] * 1e3)
                sizes.append(len(canonical_json(GAME.to_json(play.state))))
    for name, values in (
        ("rules.list_ms", listing),
        ("rules.answer_us", answering),
        ("rules.take_back_ms", taking_back),
    ):
        values.sort()
        for percent in (50, 95, 99):
            found[f"{name}_p{percent}"] = values[len(values) * percent // 100]
    found["rules.options_per_decision"] = sum(options) / len(options)
    found["rules.state_bytes"] = sum(sizes) / len(sizes)


def _without_last(play: Play[State]) -> Play[State]:
    assert play.kept is not None
    twin: Play[State] = Play(GAME, GAME.copy(play.kept), audit=False)
    for value in play.since[:-1]:
        twin.answer(value)
    return twin


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def _recorded(found: dict[str, float]) -> None:
    """A whole game through the table and its record, on the disk of the temporary folder."""
    from referee.record.store import Store
    from referee.table import Table

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        with Store.open(path) as store:
            table = Table.create(store, GAME, options=_OPTIONS, players={}, table_name="bench")
            rng = Random(5)
            decisions = 0
            began = time.perf_counter()
            while table.request is not None:
                request = table.request
                decisions += not request.is_chance and not request.is_forced()
                if isinstance(request, ChooseSecretly):
                    for seat, part in request.of.items():
                        table.answer(seat, part.sample(rng), revision=table.revision)
                else:
                    table.answer(request.seat, request.sample(rng), revision=table.revision)
            found["rules.recorded_decisions_per_s"] = decisions / (time.perf_counter() - began)
            found["rules.record_bytes_per_answer"] = path.stat().st_size / table.revision
            game_id = table.id
            answers = table.play.answered
            table.close()
            began = time.perf_counter()
            table = Table.open(store, game_id)
            found["rules.resume_ms"] = (time.perf_counter() - began) * 1e3
            found["rules.resumed_answers"] = float(answers)
            table.close()


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:36} {value:14.2f}")

"""The figures of the rules and the fuzzing of whole games, at a small scale."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import bench_five_armies as five_bench
import bench_war_of_the_ring as wotr_bench
import pytest
from click.testing import CliRunner
from given_text import given

from referee.games.five_armies.play import fuzz as five_fuzz
from referee.games.war_of_the_ring.play import fuzz as wotr_fuzz
from referee.kernel.errors import InvalidAnswer

BOTH = pytest.mark.parametrize("fuzzing", [five_fuzz, wotr_fuzz], ids=["five_armies", "war_of_the_ring"])


@pytest.mark.parametrize(
    ("bench", "prefix", "games_in"),
    [(five_bench, "rules.", "FIVE_ARMIES_FUZZ"), (wotr_bench, "rules.wotr_", "WAR_OF_THE_RING_FUZZ")],
    ids=["five_armies", "war_of_the_ring"],
)
def test_all_figures_of_a_games_rules_are_measured(
    bench: ModuleType, prefix: str, games_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(games_in, "2")
    found = bench.figures(1)
    assert all(name.startswith(prefix) for name in found)
    figure = {name.removeprefix(prefix): value for name, value in found.items()}
    assert (figure["fuzz_games"], figure["fuzz_failures"]) == (2, 0)
    assert figure["fuzz_first_seed"] == bench.FIRST_FUZZ_SEED
    for name in ("list_ms", "answer_us", "take_back_ms"):
        assert 0 < figure[f"{name}_p50"] <= figure[f"{name}_p95"] <= figure[f"{name}_p99"]
    assert figure["options_per_decision"] > 1
    assert figure["resumed_answers"] > 100 and figure["state_bytes"] > 1000
    assert all(value > 0 for name, value in figure.items() if name != "fuzz_failures")


@BOTH
def test_fuzzing_counts_games_and_how_they_ended(fuzzing: ModuleType) -> None:
    told: list[int] = []
    found = fuzzing.fuzz(7, 2, lambda so_far: told.append(so_far.games))
    assert told == [1, 2] and found.games == 2 and not found.failures
    assert sum(found.outcomes.values()) == 2
    assert found.longest_seed in (7, 8) and 0 < found.longest <= found.decisions * 50


@BOTH
def test_a_game_that_fails_is_told_with_its_seed_and_players(
    fuzzing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = _failing_at(fuzzing.play_random, seed=8)
    monkeypatch.setattr(fuzzing, "play_random", played)
    said = CliRunner().invoke(fuzzing.main, ["--first", "7", "--games", "2"])
    assert said.exit_code == 1
    assert "2 games from seed 7" in said.output
    free, shadow = fuzzing.MIXES[0]
    (failure,) = [line for line in said.output.splitlines() if line.startswith("FAILED")]
    assert "seed 8" in failure and f"{free} against {shadow}" in failure and "a dead end" in failure


@BOTH
def test_fuzzing_prints_json_and_ends_well_where_every_game_was_won(fuzzing: ModuleType) -> None:
    said = CliRunner().invoke(fuzzing.main, ["--first", "7", "--games", "1", "--json"])
    found = json.loads(said.stdout)
    assert found["first"] == 7 and found["games"] == 1 and not found["failures"]
    assert said.exit_code == (1 if "nobody has won" in found["outcomes"] else 0)


@BOTH
def test_a_long_run_tells_how_far_it_is(fuzzing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "play_random", _failing_at(None, seed=None))
    said = CliRunner().invoke(fuzzing.main, ["--games", "500", "--json"])
    assert said.exit_code == 1
    assert "500 games, 500 failed" in said.stderr


def _failing_at(play: Callable[..., Any] | None, seed: int | None) -> Callable[..., Any]:
    """Plays a game as ``play`` does, but breaks at ``seed`` (at every one where there is no ``play``)."""

    def played(number: int, **how: Any) -> Any:
        if play is None or number == seed:
            raise InvalidAnswer(given("a dead end", "eine Sackgasse"))
        return play(number, **how)

    return played

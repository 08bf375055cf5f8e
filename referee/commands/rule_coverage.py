"""``referee rules GAME --coverage``: what exercises each rule, what refuses it, how often play met it.

The game's tests run once with every rule they meet written down; random games
run with the same watch.  A rule is missing something where no test exercises
it, or where a player can break it and no test has it refused.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import click

from referee.commands.rule_watch import groups, watching
from referee.kernel.capabilities import TracedRules
from referee.kernel.messages import Text, joined
from referee.kernel.play import Game, Play
from referee.kernel.refusals import Rule

MOST_ANSWERS = 20_000


@dataclass(slots=True)
class Covered:
    """What is known of each rule, by the rule under which a player sees it."""

    tests: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    refusing: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    played: Counter[str] = field(default_factory=Counter)
    failed: bool = False


def report(
    game: Game[Any],
    rules: Iterable[Rule],
    *,
    games: int,
    as_json: bool,
    language: str,
    out: Path | None = None,
) -> int:
    """Run everything, print a line a rule; 0 where nothing is missing, else 1.

    ``out`` is a file that a test run has already written (``REFEREE_RULES_OUT``).
    """
    shown = groups(game.catalogue)
    covered = Covered()
    _tests(game, shown, covered, out)
    _games(game, shown, covered, games)
    rows = [_row(rule, shown[rule.id], covered) for rule in rules]
    missing = [row for row in rows if row["missing"]]
    if as_json:
        summary = {
            "rules": len(rows),
            "missing": len(missing),
            "games": games,
            "tests_failed": covered.failed,
        }
        click.echo(json.dumps({**summary, "rows": rows}, ensure_ascii=False, indent=1))
    else:
        for row in rows:
            click.echo(_line(row, language))
        click.echo(_summary(len(rows), len(missing), covered.failed, language))
    return 1 if missing or covered.failed else 0


def _row(rule: Rule, shown: str, covered: Covered) -> dict[str, Any]:
    tests = covered.tests.get(shown, [])
    refusing = covered.refusing.get(shown, [])
    missing = []
    if not tests:
        missing.append("test")
    if rule.refusable and not refusing:
        missing.append("refusal")
    return {
        "rule": rule.id,
        "seen_as": shown,
        "tests": len(tests),
        "test": tests[0] if tests else None,
        "refusable": rule.refusable,
        "refused_by": refusing[0] if refusing else None,
        "random_play": covered.played[shown],
        "missing": missing,
    }


def _line(row: Mapping[str, Any], language: str) -> str:
    mark = "!!" if row["missing"] else "  "
    refused = "-" if not row["refusable"] else "R" if row["refused_by"] else "?"
    test = row["refused_by"] or row["test"] or Text("commands.no_test").in_words(language)
    return f"{mark} {row['rule']:<52} {refused} {row['tests']:>5} {row['random_play']:>9}  {test}"


def _summary(rules: int, missing: int, failed: bool, language: str) -> str:
    said = [Text("commands.coverage", rules=rules, missing=missing)]
    if failed:
        said.append(Text("commands.tests_failed"))
    return joined(said).in_words(language)


def _tests(game: Game[Any], shown: Mapping[str, str], covered: Covered, out: Path | None) -> None:
    """Run the game's tests with the watch on (see ``tests/games/<game>/conftest.py``)."""
    if out is None:
        folder = Path(__file__).parents[2] / "tests" / "games" / game.id
        if not folder.is_dir():
            raise click.ClickException(f"No tests at {folder}. / Keine Tests in {folder}.")
        out = Path(tempfile.mkdtemp()) / "rules.jsonl"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
        done = subprocess.run(
            command, env={**os.environ, "REFEREE_RULES_OUT": str(out)}, capture_output=True, check=False
        )
        covered.failed = done.returncode != 0
        if covered.failed:
            click.echo(done.stdout.decode()[-2000:], err=True)
    for line in out.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        for rule in {*entry["met"], *entry["refused"], *entry["marked"]}:
            _add(covered.tests[shown.get(rule, rule)], entry["test"])
        for rule in entry["refused"]:
            _add(covered.refusing[shown.get(rule, rule)], entry["test"])


def _add(tests: list[str], test: str) -> None:
    if test not in tests:
        tests.append(test)


def _games(game: Game[Any], shown: Mapping[str, str], covered: Covered, games: int) -> None:
    """Random games, with a look at one refusal of every request now and then."""
    places = game.rule_places if isinstance(game, TracedRules) else None
    with watching(places) as met:
        for seed in range(games):
            rng = Random(seed)
            play: Play[Any] = Play(game, game.new_state({"setup": "suggested"}), audit=False, keep=False)
            while play.request is not None and play.answered < MOST_ANSWERS:
                play.answer_unchecked(play.request.sample(rng))
    for rule, number in met.rules().items():
        covered.played[shown.get(rule, rule)] += number

"""Branch coverage of ``referee/``: runs the tests that exercise it, prints a table, fails under the bar.

    python scripts/branch_coverage.py [--bar 95] [--json] [--workers 1] [--apart NAME ...] [TESTS ...]

Counted are branches (both ways of each condition), not lines, also in the threads
and processes that the tests start; a process that a test kills cannot tell what it
did.  ``--apart`` names folders of ``referee/`` that are reported by themselves and do
not count towards the bar.  Exit code 0 only where the tests pass and the bar holds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("tests/kernel", "tests/record", "tests/table", "tests/games", "tests/web", "tests/test_docs.py")
"""The suites that exercise ``referee/``; a browser or a firmware emulator adds nothing to it."""


@dataclass(frozen=True)
class Row:
    """One file: how many branches and lines it has, how many were taken, and which were not."""

    file: str
    branches: int
    taken: int
    lines: int
    run: int
    missing: str

    @property
    def percent(self) -> float:
        """Branches taken; 100 where there is none and all lines were run."""
        return 100.0 * self.taken / self.branches if self.branches else 100.0 * self.run / max(1, self.lines)


def main() -> int:
    """Run, measure, print."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "COVERAGE_FILE": str(Path(folder) / "data"),
            "COVERAGE_RCFILE": str(ROOT / "pyproject.toml"),
        }
        tests = _run(environment, options.tests or TESTS, options.workers)
        for step in (["combine", "-q"], ["json", "-q", "-o", f"{folder}/report.json"]):
            subprocess.run([sys.executable, "-m", "coverage", *step], env=environment, cwd=ROOT, check=True)
        rows = list(rows_of(json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))))
    apart = tuple(f"{name.strip('/')}/" for name in options.apart)
    counted = [row for row in rows if not apart or not row.file.startswith(apart)]
    reached = percent_of(counted)
    facts = {
        "branches_percent": round(reached, 2),
        "bar": options.bar,
        "tests_passed": tests == 0,
        "files": [vars(row) for row in rows],
    }
    if options.json:
        print(json.dumps(facts, indent=1))
    else:
        _tell(counted, reached, options.bar)
        for name in apart:
            own = [row for row in rows if row.file.startswith(name)]
            print(f"apart: {name} {percent_of(own):.1f} % of {sum(row.branches for row in own)} branches")
    return 0 if tests == 0 and reached >= options.bar else 1


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--bar", type=float, default=95.0, help="per cent of branches that must be taken")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--workers", type=int, default=1, help="test processes side by side")
    parser.add_argument("--apart", action="append", default=[], help="a folder that is not counted")
    parser.add_argument("tests", nargs="*", help="test files and folders, instead of all that matter")
    return parser.parse_args()


def _run(environment: Mapping[str, str], tests: Iterable[str], workers: int) -> int:
    side_by_side = ["-n", str(workers), "--dist", "loadfile"] if workers > 1 else []
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *side_by_side, *tests], env=dict(environment), cwd=ROOT, stdout=sys.stderr, check=False
    )
    return done.returncode


def rows_of(report: Mapping[str, Any]) -> Iterable[Row]:
    """The files of a report that ``coverage json`` wrote."""
    for name, found in sorted(report["files"].items()):
        path = Path(name)
        shown = path.relative_to(ROOT) if path.is_absolute() else path
        sums = found["summary"]
        ways = [f"{a}->{'exit' if b < 0 else b}" for a, b in found["missing_branches"]]
        yield Row(
            shown.as_posix(),
            sums["num_branches"],
            sums["covered_branches"],
            sums["num_statements"],
            sums["covered_lines"],
            ", ".join(ways or map(str, found["missing_lines"])),
        )


def percent_of(rows: Iterable[Row]) -> float:
    """Branches taken, of all branches of ``rows``."""
    rows = list(rows)
    return 100.0 * sum(row.taken for row in rows) / max(1, sum(row.branches for row in rows))


def _tell(rows: Iterable[Row], reached: float, bar: float) -> None:
    rows = list(rows)
    for row in sorted(rows, key=lambda one: one.percent):
        if row.percent < 100.0:
            print(f"{row.percent:6.1f} %  {row.taken:>4}/{row.branches:<4} {row.file:<46} {row.missing[:99]}")
    taken, branches = sum(row.taken for row in rows), sum(row.branches for row in rows)
    print(f"{reached:6.2f} %  {taken}/{branches} branches of {len(rows)} files (bar: {bar:g} %)")


if __name__ == "__main__":
    sys.exit(main())

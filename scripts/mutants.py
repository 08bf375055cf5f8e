"""Mutation testing of the rules: every mutant that mutmut makes of the modules named in pyproject.toml.

    python scripts/mutants.py [PATTERN ...]    run (only mutants whose name matches), then check the list
    python scripts/mutants.py --check          only check what is known against the list
    python scripts/mutants.py --show           the differences of those that survive

Two looks at each mutant.  First, without pytest, what is pinned (games, battles, tables) as far
as it meets the function: some hundredths of a second find most.  What that leaves, ``mutmut run``
gives to the tests that meet the function.  A survivor must be in ``docs/five_armies_mutants.md``
with its reason, and all
that is listed there must survive.  Exit code 0 only where that holds.

All in one process at a time; results are kept in ``mutants/`` and only what changed is run again.
"""

from __future__ import annotations

import fnmatch
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import mutmut.mutation.trampoline as trampoline
from mutmut.__main__ import (
    copy_also_copy_files,
    copy_src_dir,
    create_mutants,
    find_mutant,
    get_diff_for_mutant,
    setup_source_paths,
)
from mutmut.mutation.data import SourceFileMutationData
from mutmut.state import state as mutmut_state
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "docs/five_armies_mutants.md"
PINNED = Path("tests/games/five_armies/pinned")
MOST_CPU_S = 2.5
"""Spent on a first look at one mutant."""
KILLED = 1
OPEN = (None, 0, 33)
"""Verdicts of mutants that nothing has found: not run yet, survived, no test meets the function."""


def modules() -> list[SourceFileMutationData]:
    """What is known of the mutants of each module."""
    found = []
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            found.append(data)
    return found


def make() -> None:
    """Write the mutants into ``mutants/``, beside copies of what the tests need."""
    trampoline.set_mutant_under_test("mutant_generation")
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    setup_source_paths()
    create_mutants(1)


def wanted(name: str, patterns: list[str]) -> bool:
    """Whether a mutant is asked for."""
    return not patterns or any(fnmatch.fnmatch(name, f"*{pattern}*") for pattern in patterns)


class Endless(Exception):
    """A mutant goes on and on."""


def _stop(*_: object) -> None:
    raise Endless


class Looks:
    """What is pinned, one by one, and which functions each of them meets."""

    def __init__(self) -> None:
        from pinned import one_by_one

        self.active = ""
        trampoline.get_mutant_under_test = lambda: self.active
        signal.signal(signal.SIGVTALRM, _stop)
        self.units = one_by_one()
        for _, look in self.units:
            look()  # fills the caches, so that the times below are right
        self.meets: dict[str, list[tuple[float, Callable[[], None], str]]] = {}
        hits = mutmut_state()._stats
        hits.clear()
        for name, look in self.units:
            began = time.process_time()
            look()
            spent = time.process_time() - began
            self.active = "stats"
            look()
            self.active = ""
            for function in hits:
                self.meets.setdefault(function, []).append((spent, look, name.split()[0]))
            hits.clear()
        for function, looks in self.meets.items():
            self.meets[function] = _each_kind_in_turn(looks)

    def all_hold(self) -> bool:
        """Whether the rules as they are go as they are pinned (and no mutant left anything behind)."""
        try:
            for _, look in self.units:
                look()
        except Exception as error:
            print(f"unchanged rules differ: {error!r}")
            return False
        return True

    def find(self, name: str) -> bool:
        """Whether the mutant differs, in the quickest looks first.  Whatever it raises finds it."""
        function = name.rpartition("__mutmut_")[0]
        spent = 0.0
        self.active = name
        try:
            for cost, look, _ in self.meets.get(function, ()):
                if spent > MOST_CPU_S:
                    break
                spent += cost
                signal.setitimer(signal.ITIMER_VIRTUAL, 3 + 20 * cost)
                look()
        except Exception:
            return True
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.active = ""
            _forget(sys.modules[name.rpartition(".")[0]])
        return False


def _each_kind_in_turn(looks: list[tuple[float, Callable[[], None], str]]) -> list:
    """The quickest of each kind first, then the second quickest of each, and so on."""
    rank: Counter[str] = Counter()
    order = []
    for one in sorted(looks, key=lambda one: one[0]):
        order.append((rank[one[2]], one))
        rank[one[2]] += 1
    return [one for _, one in sorted(order, key=lambda ranked: (ranked[0], ranked[1][0]))]


def _forget(module: ModuleType) -> None:
    """Empty the caches of a module: a mutant may have filled them."""
    for value in vars(module).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()
        elif isinstance(value, dict) and hasattr(type(value), "__missing__"):
            value.clear()


def unfound(data: SourceFileMutationData, patterns: list[str]) -> list[str]:
    """Mutants of a module that nothing has found so far; tests may have been added since."""
    return [name for name, code in data.exit_code_by_key.items() if code in OPEN and wanted(name, patterns)]


def first_looks(patterns: list[str]) -> None:
    """Look at each mutant without a verdict, in this process; those found are noted as killed."""
    known = modules()
    root = Path.cwd()
    os.chdir("mutants")
    sys.path[:0] = [str(Path.cwd()), "tests", str(PINNED)]
    looks = Looks()
    for data in known:
        todo = unfound(data, patterns)
        found = [name for name in todo if looks.find(name)]
        if not looks.all_hold():
            raise SystemExit(f"a mutant of {data.path} left something behind")
        data.exit_code_by_key.update(dict.fromkeys(found, KILLED))
        os.chdir(root)
        data.save()
        os.chdir("mutants")
        print(f"{data.path.stem}: {len(found)} of {len(todo)} found at first look", flush=True)
    os.chdir(root)


# --- the list --------------------------------------------------------------------------------------


def listed() -> dict[str, str]:
    """Mutant to reason, from the tables of the list."""
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]+) \|$", LIST.read_text("utf-8"), re.MULTILINE)
    return {name: reason.strip() for name, reason in rows}


def short(name: str) -> str:
    """``movement.march 3`` of ``referee.games.five_armies.rules.movement.x_march__mutmut_3``."""
    path, _, number = name.rpartition("__mutmut_")
    module, _, function = path.removeprefix("referee.games.five_armies.").partition(".")
    return f"{module}.{function.removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')} {number}"


def check() -> bool:
    """Print what holds and what does not."""
    reasons, survivors, good = listed(), set(), True
    print(f"{'module':16} mutants  killed  survived")
    for data in modules():
        verdicts = Counter(status_by_exit_code[code] for code in data.exit_code_by_key.values())
        killed = verdicts["killed"] + verdicts["timeout"]
        mine = {
            name for name, code in data.exit_code_by_key.items() if status_by_exit_code[code] == "survived"
        }
        survivors |= {short(name) for name in mine}
        other = sum(verdicts.values()) - killed - len(mine)
        print(f"{data.path.stem:16} {sum(verdicts.values()):7} {killed:7} {len(mine):9}", end="")
        print(f"  {other} without a verdict or test" if other else "")
        good &= not other
    for name in sorted(survivors - reasons.keys()):
        print(f"survives and is not listed: {name}")
    for name in sorted(reasons.keys() - survivors):
        print(f"is listed and does not survive: {name}")
    return good and survivors == reasons.keys()


def show() -> None:
    """The difference that each survivor makes, for the list."""
    reasons = listed()
    for data in modules():
        for name, code in data.exit_code_by_key.items():
            if code is not None and status_by_exit_code[code] in ("survived", "no tests"):
                lines = get_diff_for_mutant(name, path=find_mutant(name).path).splitlines()
                changed = [one for one in lines if one[:1] in "-+" and one[:3] not in ("---", "+++")]
                print(f"{short(name)}: {reasons.get(short(name), '?')}", *changed, sep="\n")


def main(arguments: list[str]) -> int:
    """See above."""
    os.chdir(ROOT)
    if "--show" in arguments:
        show()
        return 0
    if "--check" not in arguments:
        make()
        pid = os.fork()  # the rules are imported in a process of their own
        if not pid:
            first_looks(arguments)
            os._exit(0)
        os.waitpid(pid, 0)
        left = [name for data in modules() for name in unfound(data, arguments)]
        if left:
            mutmut = Path(sys.executable).parent / "mutmut"
            subprocess.run([mutmut, "run", "--max-children", "1", *left], check=False)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{spent.ru_utime + spent.ru_stime:.0f} s of CPU time")
    return 0 if check() else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

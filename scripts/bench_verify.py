"""Make many finished games, export them, and have ``referee verify`` check them all in parallel.

    python scripts/bench_verify.py [--games 1000] [--jobs 2] [--seed 1] [--folder DIR] [--json]

The games are played at random through the hall (as at a table: each answer is checked,
hashed and written), taken back and objected to now and then, then exported and signed.
``--folder`` keeps them, and goes on where it was interrupted.  One of the files is damaged
at the end and checked again: it has to be found.  Prints games, events, elapsed and
processor seconds; exit code 0 only where all hold and the damaged one does not.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from referee.archive.exchange import result_json, write
from referee.archive.results import outcome_of
from referee.hall.table import Table
from referee.journal.signing import load_or_make
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.store.store import Store

GAME = "five_armies"


def play_out(table: Table, rng: Random) -> None:
    """Play to the end; now and then a seat takes back, or objects and withdraws."""
    while (request := table.request) is not None:
        what = rng.random()
        if what < 0.01 and not table.standing.sealed and table.undo_class(request.seat):
            seat = request.seat if request.seat != "*" else table.game.seats[0]
            if table.take_back(seat, revision=table.revision).kind == "take_back_asked":
                other = next(one for one in table.game.seats if one != seat)
                table.consent(other, rng.random() < 0.5, revision=table.revision)
        elif what < 0.015:
            seat = rng.choice(list(table.game.seats))
            table.raise_objection(seat, "Das möchte ich sehen.")
            table.withdraw_objection(seat)
        elif isinstance(request, ChooseSecretly):
            seat = rng.choice(table.asked_seats)
            table.answer(seat, request.of[seat].sample(rng), revision=table.revision)
        else:
            table.answer(request.seat, request.sample(rng), revision=table.revision)


def make(seed: int, *, folder: Path) -> int:
    """Play, export and sign one game, unless its file is there; gives its number of events."""
    path = folder / f"game-{seed:05}.jsonl"
    if path.exists():
        return len(path.read_bytes().splitlines()) - 2
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as place, Store.open(Path(place) / "g.sqlite") as store:
        players = {"free": f"Änne {seed}", "shadow": f"José {seed}"}
        with Table.create(store, load_game(GAME), players=players) as table:
            play_out(table, Random(seed))
            game_id = table.id
        loaded = store.load(game_id)
        text = write(
            loaded.header, loaded.events, result_json(outcome_of(loaded)), load_or_make(folder / "key.pem")
        )
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
    return len(loaded.events)


def verify(files: list[Path], jobs: int) -> tuple[int, bytes]:
    """Run ``referee verify`` with a terminal for its progress bar; gives exit code and what the bar drew."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from referee.cli import main; main()", "verify", "--jobs", str(jobs)]
    with subprocess.Popen([*command, *map(str, files)], stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        try:
            while more := os.read(ours, 65536):
                drawn += more
        except OSError:  # how Linux says that the other end of a terminal is closed
            pass
        code = process.wait()
    os.close(ours)
    return code, drawn


def damaged(path: Path) -> Path:
    """A copy with one figure of one answer changed."""
    lines = path.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    lines[middle] = lines[middle].replace(b'"seat"', b'"Seat"', 1)
    other = path.with_name("damaged.jsonl")
    other.write_bytes(b"".join(lines))
    return other


def measured(folder: Path, games: int, jobs: int, seed: int) -> dict[str, Any]:
    """All figures."""
    load_or_make(folder / "key.pem")
    with ProcessPoolExecutor(jobs) as pool:
        events = sum(pool.map(partial(make, folder=folder), range(seed, seed + games), chunksize=4))
    files = [folder / f"game-{one:05}.jsonl" for one in range(seed, seed + games)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code, drawn = verify(files, jobs)
    after, elapsed = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "games": games,
        "events": events,
        "jobs": jobs,
        "all_hold": code == 0,
        "bar_reached_the_end": b"100%" in drawn,
        "damaged_one_found": verify([*files[:3], damaged(files[0])], jobs)[0] == 1,
        "elapsed_s": round(elapsed, 1),
        "cpu_s": round(cpu, 1),
        "cpu_ms_per_game": round(1000 * cpu / games, 1),
        "cpu_ms_per_event": round(1000 * cpu / events, 3),
        "largest_process_mb": round(after.ru_maxrss / 1024, 1),
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep the files here")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = options.folder or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        figures = measured(folder, options.games, options.jobs, options.seed)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<24} {value}")
    held = figures["all_hold"] and figures["damaged_one_found"] and figures["bar_reached_the_end"]
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

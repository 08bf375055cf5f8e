"""Kills a process that plays, at random instants, and looks at what is left.  Run by test_kill.py.

    python kill_loop.py FOLDER KILLS SEED

Each round forks a child that resumes the game (or begins one), plays, and
writes every acknowledged event's number and hash to a pipe.  The parent kills
it with SIGKILL after some answers, at any instant of the next, opens the store and compares.  Prints one
JSON object: rounds, acknowledged, missing, and the problems found.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import table_bot
import toy_game

from referee.hall.line import line_of, replay
from referee.record.events import first_break
from referee.record.store import Store
from referee.table import Table

GAME = toy_game.register()


def child(path: Path, seed: int, pipe: int) -> None:
    """Play for ever, telling the pipe what was acknowledged."""
    rng = Random(seed)
    with Store.open(path) as store:
        known = store.game_ids()
        if known:
            table = Table.open(store, known[-1])
        else:
            table = Table.create(store, GAME, options={"turns": 100_000}, game_id="toy-kill")
        os.write(pipe, b"open 0\n")
        while True:
            if rng.random() < 0.1 and table.undo_class("white") and not table.standing.sealed:
                event = table.take_back("white", revision=table.revision)
                if event.kind == "take_back_asked":
                    event = table.consent("black", rng.random() < 0.5, revision=table.revision)
                acknowledged = [event]
            else:
                acknowledged = table_bot.one_answer(table, rng)
            for event in acknowledged:
                os.write(pipe, f"{event.hash} {event.number}\n".encode())


def round_of(path: Path, seed: int, rng: Random) -> list[tuple[int, str]]:
    """Fork, let it play for a while, kill it; gives what it had acknowledged."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(out)
        try:
            child(path, seed, into)
        finally:
            os._exit(1)
    os.close(into)
    heard = b""
    wanted = 1 + rng.randrange(16)  # the first line says that the game is open
    while heard.count(b"\n") < wanted:
        more = os.read(out, 65536)
        if not more:
            break
        heard += more
    time.sleep(rng.random() * 0.012)  # about as long as one answer takes: any instant within it
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while select.select([out], [], [], 0)[0]:
        more = os.read(out, 65536)
        if not more:
            break
        heard += more
    os.close(out)
    lines = [line.split() for line in heard.decode().splitlines() if line.count(" ") == 1]
    return [(int(number), one_hash) for one_hash, number in lines if one_hash != "open"]


def main(folder: str, kills: int, seed: int) -> dict[str, object]:
    """See the module's description."""
    path = Path(folder) / "games.sqlite"
    rng = Random(seed)
    acknowledged: dict[int, str] = {}
    problems: list[str] = []
    rounds = 0
    for number in range(kills):
        acknowledged.update(dict(round_of(path, seed + number, rng)))
        rounds += 1
        with Store.open(path) as store:
            for game_id in store.game_ids():
                found = {event.number: event.hash for event in store.load(game_id).events}
                problems += [
                    f"round {number}: event {one} is missing or another"
                    for one, one_hash in acknowledged.items()
                    if found.get(one) != one_hash
                ]
    with Store.open(path) as store, Table.open(store, store.game_ids()[-1]) as table:
        broken = first_break(table.header, table.events())
        if broken is not None:
            problems.append(broken[1])
        digest = table.play.digest()
        afresh, _ = replay(GAME, table.header["options"], line_of(table.events()), {})  # type: ignore[arg-type]
        if afresh.digest() != digest or (table.events() and table.events()[-1].digest != digest):
            problems.append("the replayed position is not the one of the record")
        events = len(table.events())
    return {"rounds": rounds, "acknowledged": len(acknowledged), "events": events, "problems": problems}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))

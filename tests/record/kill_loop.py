"""Kills a process that plays, at random instants, and looks at what is left.  Run by test_kill.py.

    python kill_loop.py FOLDER KILLS SEED [GAME]

Each round forks a child that resumes the game (or begins one), plays, takes
back, corrects, objects, and writes every acknowledged event's number and hash
to a pipe, with a digest of all that the screens then show.  The parent kills it
with SIGKILL after some answers, at any instant of the next, opens the store,
and compares both.  Prints one JSON object: rounds, acknowledged events, screens
compared, and the problems found.
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
from table_screens import screens

from referee.hall.table import Table
from referee.journal.events import Event, first_break
from referee.journal.line import line_of, replay
from referee.kernel.registry import load_game
from referee.store.store import Store

toy_game.register()
GAME = load_game(sys.argv[4] if len(sys.argv) > 4 else "toy")


def something_else(table: Table, rng: Random) -> list[Event]:
    """Now and then: taking back, a correction, an objection that is settled."""
    seat, revision = rng.choice(list(GAME.seats)), table.revision
    what = rng.random()
    if what < 0.1 and table.undo_class(seat) and not table.standing.sealed:
        event = table.take_back(seat, revision=revision)
        if event.kind == "take_back_asked":
            other = next(one for one in GAME.seats if one != seat)
            return [event, table.consent(other, rng.random() < 0.5, revision=table.revision)]
        return [event]
    if what < 0.13 and GAME.id == "toy":
        primitive = {"do": "points", "seat": seat, "value": rng.randrange(50)}
        return [table.correct([primitive], "as agreed", revision=revision)]
    if what < 0.15:
        return [table.raise_objection(seat, "I doubt it"), table.rule("settled")]
    return []


def child(path: Path, seed: int, pipe: int) -> None:
    """Play for ever, telling the pipe what was acknowledged and what was then shown."""
    rng = Random(seed)
    with Store.open(path) as store:
        known = store.game_ids()
        table = Table.open(store, known[-1]) if known else new_game(store)
        os.write(pipe, b"open 0 -\n")
        while True:
            if table.request is None:
                table.close()
                table = new_game(store)
            acknowledged = something_else(table, rng) or table_bot.one_answer(table, rng)
            lines = [f"{event.game}/{event.number} {event.hash} -\n" for event in acknowledged[:-1]]
            # a secret choice that was opened comes with a second event: what is shown belongs to the last one
            last = table.events()[-1]
            lines.append(f"{last.game}/{last.number} {last.hash} {screens(table)}\n")
            os.write(pipe, "".join(lines).encode())


def new_game(store: Store) -> Table:
    """The next game of the evening."""
    options = {"turns": 100_000} if GAME.id == "toy" else {}
    return Table.create(store, GAME, options=options, game_id=f"kill-{len(store.game_ids())}")


def round_of(path: Path, seed: int, rng: Random) -> list[list[str]]:
    """Fork, let it play for a while, kill it; gives the lines of what it had acknowledged."""
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
    if rng.random() < 0.4:
        time.sleep(rng.random() * 0.012)  # about as long as one answer takes: any instant within it
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while select.select([out], [], [], 0)[0]:
        more = os.read(out, 65536)
        if not more:
            break
        heard += more
    os.close(out)
    lines = [line.split() for line in heard.decode().splitlines()]
    return [line for line in lines if len(line) == 3 and line[0] != "open"]


class Loop:
    """What was acknowledged and shown over all rounds, and what is wrong with what was found afterwards."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hashes: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.compared = 0
        self.problems: list[str] = []

    def heard(self, lines: list[list[str]]) -> None:
        """Take what a killed child had told."""
        for name, one_hash, shown in lines:
            self.hashes[name] = one_hash
            if shown != "-":
                self.shown[name] = shown

    def look(self, number: int) -> None:
        """Open what is left after round ``number`` and compare."""
        with Store.open(self.path) as store:
            known = store.game_ids()
            found = {
                f"{event.game}/{event.number}": event.hash
                for game_id in known
                for event in store.load(game_id).events
            }
            self.problems += [
                f"round {number}: event {name} is missing or another"
                for name, one_hash in self.hashes.items()
                if found.get(name) != one_hash
            ]
            if known:
                with Table.open(store, known[-1]) as table:
                    self._look_at_screens(number, table)

    def _look_at_screens(self, number: int, table: Table) -> None:
        before = self.shown.get(f"{table.id}/{table.revision}")
        if before is None:  # the last event was on disk, but not acknowledged yet
            return
        self.compared += 1
        if screens(table) != before:
            self.problems.append(f"round {number}: after event {table.revision} other things are shown")


def main(folder: str, kills: int, seed: int) -> dict[str, object]:
    """See the module's description."""
    loop = Loop(Path(folder) / "games.sqlite")
    rng = Random(seed)
    for number in range(kills):
        loop.heard(round_of(loop.path, seed + number, rng))
        loop.look(number)
    problems = loop.problems
    events = 0
    with Store.open(loop.path) as store:
        for game_id in store.game_ids():
            with Table.open(store, game_id) as table:
                events += len(table.events())
                problems += afterwards(table)
    return {
        "rounds": kills,
        "acknowledged": len(loop.hashes),
        "events": events,
        "screens_compared": loop.compared,
        "problems": problems,
    }


def afterwards(table: Table) -> list[str]:
    """What is wrong with the record as a whole."""
    problems = []
    broken = first_break(table.header, table.events())
    if broken is not None:
        problems.append(broken[1])
    digest = table.play.digest()
    afresh, _ = replay(GAME, table.header["options"], line_of(table.events()), {})
    if afresh.digest() != digest or (table.events() and table.events()[-1].digest != digest):
        problems.append("the replayed position is not the one of the record")
    return problems


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))

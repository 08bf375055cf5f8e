"""Eight hours at the table in fast motion, with everything that breaks on such an evening.

    python tests/soak/evening.py [--hours 8] [--seed 1] [--json]

The table runs in a process of its own: virtual camera and tray, light controller on a
pseudo terminal, record on disk, web server.  Two tablets play through it as browsers do,
spectators look on.  A step of the evening takes 5 to 60 simulated seconds of thinking
and no real ones; faults come at random, from a seed, by simulated time:

camera       unplugged, hanging, in the dark; the roll is typed in meanwhile
serial line  controller unplugged, held, reset, bytes lost and garbled
network      connections reset in the middle of a request, streams dropped, rubbish sent
browsers     double and stale taps, forged tokens, tabs that never read, reloads, crowds
power        kill -9 (in the first third only, so that memory can be watched afterwards)

At the end: every acknowledged tap is in the record, the record verifies, its replay gives
what the screens showed last, memory has not grown, and the log holds no unhandled error.
Prints figures; exit code 0 only where all of it holds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the rooms before tests/vision
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tablets import Stream, Tablet, seat_action

from referee.archive.exchange import result_json, write
from referee.archive.verify import verify_file
from referee.journal.line import line_of, replay
from referee.journal.signing import load_or_make
from referee.kernel.registry import load_game
from referee.store.store import Store

GAME: Any = load_game("five_armies")
HOUR = 3600.0
SHOWN = ("revision", "view", "ask", "log", "waiting", "outcome", "undo")
"""What of a snapshot has to be the same after a restart; presence, devices and lights may differ."""

# mean simulated seconds between two faults of a kind
EVERY = {"camera": 900.0, "serial": 700.0, "network": 300.0, "browser": 150.0, "power": 1500.0}
LONGEST_FAULT_S = 400.0

# real seconds that people wait for a reading before they type the roll in
PATIENCE_S, BROKEN_PATIENCE_S = 25.0, 1.0


class Evening:
    """The people, their tablets, and bad luck."""

    def __init__(self, folder: Path, hours: float, seed: int) -> None:
        self.folder, self.rng = folder, Random(seed)
        self.end_s, self.now_s = hours * HOUR, 0.0
        self.faults: Counter[str] = Counter()
        self.problems: list[str] = []
        self.acknowledged: dict[str, int] = {}
        self.taps = self.rolls_read = self.games = 0
        self.memory: list[tuple[float, int, int, int]] = []
        self.due = {kind: self.rng.expovariate(1 / mean) for kind, mean in EVERY.items()}
        self.mending: list[tuple[float, str]] = []
        self.spectators: list[Stream] = []
        self.streams: dict[str, Stream] = {}
        self.process = self._table()
        self.tablets = {seat: Tablet(self.port) for seat in GAME.seats}
        for seat in GAME.seats:
            self._sit(seat)
        self.last = self._shown(GAME.seats[0])

    # the table's process

    def _table(self) -> subprocess.Popen[str]:
        script = Path(__file__).with_name("evening_table.py")
        with (self.folder / "table.stderr").open("a") as errors:
            process = subprocess.Popen(
                [sys.executable, str(script), str(self.folder)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        assert process.stdout is not None
        self.port = int(json.loads(process.stdout.readline())["port"])
        return process

    def tell(self, line: str) -> dict[str, Any]:
        """A word to the table's process."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        return reply

    def _sit(self, seat: str) -> None:
        tablet = self.tablets[seat]
        tablet.port = self.port
        reply = tablet.post("/api/sit", {"seat": seat})
        if reply.status != 200 or reply.data["state"] != "taken":
            self.problems.append(f"{seat} did not get its seat: {reply}")
        if seat in self.streams:
            self.streams[seat].drop(self.rng)
        self.streams[seat] = Stream(tablet, f"seat:{seat}")

    # playing

    def play(self) -> None:
        """The whole evening."""
        next_look = 0.0
        while self.now_s < self.end_s:
            self.now_s += self.rng.uniform(5, 60)
            self._mend()
            for kind in EVERY:
                if self.now_s >= self.due[kind]:
                    self.due[kind] = self.now_s + self.rng.expovariate(1 / EVERY[kind])
                    getattr(self, f"_{kind}")()
            self._step()
            if self.now_s >= next_look:
                next_look = self.now_s + 300
                seen = self.tell("memory")
                self.memory.append((self.now_s, seen["bytes"], seen["files"], seen["threads"]))
        self.last = self._shown(GAME.seats[0])

    def _step(self) -> None:
        for stream in [*self.streams.values(), *self.spectators]:
            stream.read()
        for seat in GAME.seats:
            state = self.tablets[seat].state(seat)
            table = state["table"]
            if table["outcome"] is not None:
                return self._next_game()
            if table["check"] is not None:
                self._compare(seat, table["check"])
                return None
            broken = any(word == "camera ok" for _, word in self.mending)
            patience_s = BROKEN_PATIENCE_S if broken else PATIENCE_S
            action = seat_action(self.tablets[seat], seat, state, self.rng, patience_s)
            if action is not None:
                return self._tap(seat, action, table)
        return None

    def _tap(self, seat: str, action: dict[str, Any], table: dict[str, Any]) -> None:
        reply = self.tablets[seat].post(action["path"], action["data"])
        if reply.status != 200:
            # a reading may be withdrawn by a fault between the look and the tap: then it is asked again
            if action.get("by") != "camera":
                self.problems.append(f"a legal tap was refused: {reply} {action['data']}")
            return
        self.taps += 1
        self.rolls_read += action.get("by") == "camera"
        after = self._shown(seat)
        if after["revision"] <= table["revision"]:
            self.problems.append(f"a tap was acknowledged, but nothing happened after {table['revision']}")
        self.acknowledged[table["id"]] = after["revision"]

    def _compare(self, seat: str, check: dict[str, Any]) -> None:
        """After a power cut: board and record are compared, or that is skipped."""
        if check["place"] is None and self.rng.random() < 0.5:
            step, data = "begin", {}
        elif check["place"] is None or self.rng.random() < 0.1:
            step, data = "end", {}
        else:
            step, data = "answer", {"place": check["place"], "says": "right"}
        path = f"/api/seat/{seat}/check"
        reply = self.tablets[seat].post(f"{path}/{step}", data)
        if reply.status == 409 and step == "begin":  # nothing has changed since the last one
            reply = self.tablets[seat].post(f"{path}/end", {})
        if reply.status != 200:
            self.problems.append(f"comparing the board: {reply}")

    def _next_game(self) -> None:
        self.games += 1
        first = self.tablets[GAME.seats[0]]
        reply = first.post("/api/games/new", {"game": GAME.id, "players": {"free": "Änne", "shadow": "José"}})
        if reply.status != 200:
            self.problems.append(f"no new game: {reply}")

    def _shown(self, seat: str) -> dict[str, Any]:
        table = self.tablets[seat].state(seat)["table"]
        return {"id": table["id"], **{name: table[name] for name in SHOWN}}

    # what breaks

    def _later(self, word: str) -> None:
        self.mending.append((self.now_s + self.rng.uniform(10, LONGEST_FAULT_S), word))

    def _mend(self) -> None:
        for at, word in [one for one in self.mending if one[0] <= self.now_s]:
            self.mending.remove((at, word))
            self.tell(word)

    def _camera(self) -> None:
        how = self.rng.choice(["gone", "dark", "stall"])
        self.faults[f"camera {how}"] += 1
        self.tell(f"camera {how}")
        self._later("camera ok")

    def _serial(self) -> None:
        how = self.rng.choice(["kill", "hold", "reset", "noise"])
        self.faults[f"serial {how}"] += 1
        self.tell(f"lights {how}")
        cure = {"kill": "restart", "hold": "free", "noise": "clean"}.get(how)
        if cure is not None:
            self._later(f"lights {cure}")

    def _network(self) -> None:
        what = self.rng.choice(["break off", "babble", "stream", "crowd"])
        self.faults[f"network {what}"] += 1
        tablet = self.tablets[self.rng.choice(list(GAME.seats))]
        if what == "break off":
            tablet.break_off(self.rng)
        elif what == "babble":
            tablet.babble(self.rng)
        elif what == "stream":
            seat = self.rng.choice(list(GAME.seats))
            self.streams[seat].drop(self.rng)
            self.streams[seat] = Stream(self.tablets[seat], f"seat:{seat}")
        else:
            for stream in self.spectators:
                stream.drop(self.rng)
            self.spectators = [Stream(tablet, "watch") for _ in range(self.rng.randrange(3))]

    def _browser(self) -> None:
        what = self.rng.choice(["stale tap", "wrong seat", "forged", "asleep", "reload", "nonsense"])
        self.faults[f"browser {what}"] += 1
        seat = self.rng.choice(list(GAME.seats))
        tablet, revision = self.tablets[seat], self.last["revision"]
        other = next(one for one in GAME.seats if one != seat)
        before = self._shown(seat)
        expected: tuple[int, ...] = (400, 403, 404, 409, 422)
        if what == "asleep":
            self.spectators.append(Stream(tablet, f"seat:{seat}"))
            self.spectators[-1].asleep = True
            return
        if what == "reload":
            tablet.ask("GET", f"/seat/{seat}")
            return
        path, data = f"/api/seat/{seat}/answer", {"values": ["x"], "revision": max(0, revision - 3)}
        if what == "wrong seat":
            path = f"/api/seat/{other}/answer"
        elif what == "nonsense":
            data = {"values": [self.rng.choice([None, {"a": 1}, [[]], "x" * 300, -1])], "revision": "one"}
        if what == "forged":
            cookie, tablet.cookie = tablet.cookie, "stolen"
            status = tablet.post(path, data).status
            tablet.cookie = cookie
        else:
            status = tablet.post(path, data).status
        if status not in expected:
            self.problems.append(f"{what} was answered with {status}")
        if self._shown(seat)["revision"] != before["revision"]:
            self.problems.append(f"{what} changed the game")

    def _power(self) -> None:
        if self.now_s > self.end_s / 3:
            return
        self.faults["power cut"] += 1
        seat = GAME.seats[0]
        before = self._shown(seat)
        self.process.kill()
        self.process.communicate()
        self.mending.clear()
        self.spectators.clear()
        self.process = self._table()
        for one in GAME.seats:
            self._sit(one)
        after = self._shown(seat)
        for name, was in before.items():
            # while the board is to be compared no draft is walked
            if name == "ask" and was is not None and after[name] is not None:
                was = {key: value for key, value in was.items() if key != "draft"}
                after[name] = {key: value for key, value in after[name].items() if key != "draft"}
            if json.dumps(after[name]) != json.dumps(was):
                self.problems.append(f"after a power cut the screens show another {name}")

    # the end

    def end(self) -> None:
        """An orderly end; then the record is looked at."""
        for stream in [*self.streams.values(), *self.spectators]:
            stream.sock.close()
        self.tell("end")
        if self.process.wait(60) != 0:
            self.problems.append(f"the table ended with {self.process.returncode}")
        with Store.open(self.folder / "games.sqlite") as store:
            key = load_or_make(self.folder / "key.pem")
            for game_id in store.game_ids():
                self._look_at(store, game_id, key)
        log = "".join(
            path.read_text(errors="replace") for path in (self.folder / "logs").glob("referee.log*")
        )
        log += (self.folder / "table.stderr").read_text(errors="replace")
        self.problems += [line for line in log.splitlines() if unhandled(line)]

    def _look_at(self, store: Store, game_id: str, key: Any) -> None:
        loaded = store.load(game_id)
        if len(loaded.events) < self.acknowledged.get(game_id, 0):
            self.problems.append(f"{game_id}: an acknowledged tap is missing")
        play, _ = replay(GAME, loaded.header["options"], line_of(loaded.events), {})
        if game_id == self.last["id"]:
            view = GAME.view(play.state, GAME.seats[0], "de")
            shown = {"revision": len(loaded.events), "view": json.loads(json.dumps(view))}
            self.problems += [
                f"the record's {name} is not what the screens showed last"
                for name, value in shown.items()
                if self.last[name] != value
            ]
        path = self.folder / f"{game_id}.jsonl"
        path.write_text(write(loaded.header, loaded.events, result_json(play.outcome), key), encoding="utf-8")
        self.problems += [
            f"{game_id}: {one.text.in_words('en')}" for one in verify_file(path, {key.public}).findings
        ]

    def growth_mb(self) -> float:
        """Resident memory at the end, less that after the last power cut and the warm-up."""
        flat = [size for at, size, *_ in self.memory if at > self.end_s * 0.45]
        if len(flat) < 4:
            return 0.0
        half = len(flat) // 2
        early, late = sorted(flat[:half])[half // 2], sorted(flat[half:])[half // 2]
        return (late - early) / 1e6


def unhandled(line: str) -> bool:
    """Whether a line of the log tells of an error that nobody had expected."""
    return " ERROR " in line or " CRITICAL " in line or "Traceback" in line or "Exception" in line


def evening(folder: Path, hours: float, seed: int) -> dict[str, Any]:
    """Play one; gives the figures."""
    began = time.monotonic()
    one = Evening(folder, hours, seed)
    try:
        one.play()
        one.end()
    finally:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()
    grown = one.growth_mb()
    if grown > 8 + 2 * hours:
        one.problems.append(f"memory grew by {grown:.1f} MB")
    watched = [row for row in one.memory if row[0] > one.end_s * 0.45] or one.memory
    return {
        "simulated_hours": hours,
        "taps": one.taps,
        "rolls_read_by_camera": one.rolls_read,
        "games_finished": one.games,
        "faults": dict(sorted(one.faults.items())),
        "memory_mb": [round(size / 1e6, 1) for _, size, *_ in one.memory[:: max(1, len(one.memory) // 12)]],
        "memory_grown_mb": round(grown, 1),
        "open_files": [watched[0][2], watched[-1][2]],
        "threads": [watched[0][3], watched[-1][3]],
        "elapsed_s": round(time.monotonic() - began, 1),
        "problems": one.problems[:50],
    }


def main() -> int:
    """Play an evening and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = evening(Path(folder), options.hours, options.seed)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        for name, value in figures.items():
            print(f"{name:<22} {value}")
    return 1 if figures["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())

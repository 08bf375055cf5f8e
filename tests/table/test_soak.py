"""A long evening in fast motion: real games, and everything that breaks on such an evening.

Faults come at random but from a seed: the mirror's disk refuses, the database's
disk is full, the power is cut (open files are simply dropped), a file is
damaged while the power is off, the clock jumps back, a screen's listener
fails, a seat answers out of turn or with an old revision, players take back.
At the end the position is the one that a replay of the record gives, nothing
acknowledged is missing, and memory has not grown.
"""

from __future__ import annotations

import gc
import logging
import os
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest
import table_bot
from sqlalchemy.exc import OperationalError

import referee.store.mirror as mirror_module
import referee.store.store as store_module
from referee.archive.exchange import result_json, write
from referee.archive.verify import verify_file
from referee.hall.table import Table
from referee.journal.errors import StoreUnwritable
from referee.journal.events import first_break
from referee.journal.line import line_of, replay
from referee.journal.signing import load_or_make
from referee.kernel.errors import NotYourTurn, RefereeError, StaleAnswer
from referee.kernel.registry import load_game
from referee.store.store import Store

ANSWERS = int(os.environ.get("REFEREE_SOAK", "900"))
GAME = load_game("five_armies")


class Evening:
    """Plays game after game, breaking things."""

    def __init__(self, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "games.sqlite"
        self.rng = Random(seed)
        self.patch = monkeypatch
        self.faults: Counter[str] = Counter()
        self.acknowledged: dict[str, list[str]] = {}
        self.finished: list[str] = []
        self.store = Store.open(self.path)
        self.table = self.begin()
        self.answers = 0

    def begin(self) -> Table:
        table = Table.create(self.store, GAME, players={"free": "Änne", "shadow": "José"})
        table.subscribe(self.heard)
        self.acknowledged[table.id] = []
        return table

    def heard(self, event: object) -> None:
        if self.rng.random() < 0.01:
            self.faults["listener"] += 1
            raise ValueError("a screen went away")

    def note(self) -> None:
        self.acknowledged[self.table.id] = [event.hash for event in self.table.events()]

    def step(self) -> None:
        """One answer, or one thing that goes wrong."""
        if self.table.request is None:
            self.finished.append(self.table.id)
            self.table.close()
            self.table = self.begin()
        fault = self.rng.random()
        if fault < 0.01:
            self.power_cut()
        elif fault < 0.02:
            self.full_disk()
        elif fault < 0.03:
            self.mirror_away()
        elif fault < 0.06:
            self.wrong_tap()
        elif fault < 0.09:
            self.take_back()
        elif fault < 0.10:
            self.dispute()
        table_bot.one_answer(self.table, self.rng)
        self.answers += 1
        self.note()

    def power_cut(self) -> None:
        """The files are as they are; now and then one of them is damaged or the clock is wrong afterwards."""
        self.faults["power cut"] += 1
        game_id, digest = self.table.id, self.table.play.digest()
        self.table.close()
        self.store.close()
        self.damage()
        if self.rng.random() < 0.3:
            self.faults["clock"] += 1
            year = self.rng.choice(["1970", "2031"])
            self.patch.setattr(store_module, "utc_now", lambda: f"{year}-01-01T00:00:00.000Z")
        self.store = Store.open(self.path)
        self.table = Table.open(self.store, game_id)
        self.table.subscribe(self.heard)
        assert self.table.play.digest() == digest
        assert [event.hash for event in self.table.events()] == self.acknowledged[game_id]

    def damage(self) -> None:
        what = self.rng.choice(["", "database", "mirror", "gone", "truncated"])
        self.faults[what or "unharmed"] += 1
        lines = self.path.with_name(self.path.name + ".mirror") / f"{self.table.id}.lines"
        if what == "database":
            raw = bytearray(self.path.read_bytes())
            raw[self.rng.randrange(len(raw))] ^= 1 << self.rng.randrange(8)
            self.path.write_bytes(raw)
        elif what == "mirror":
            os.truncate(lines, lines.stat().st_size - self.rng.randrange(1, 2000))
        elif what == "gone":
            self.path.unlink()
        elif what == "truncated":
            os.truncate(self.path, self.rng.randrange(self.path.stat().st_size))

    def full_disk(self) -> None:
        self.faults["full disk"] += 1
        real = self.store.engine.begin

        def full() -> object:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))

        before = (self.table.play.digest(), self.table.revision)
        self.patch.setattr(self.store.engine, "begin", full)
        with pytest.raises(StoreUnwritable, match="Make room"):
            table_bot.one_answer(self.table, self.rng)
        self.patch.setattr(self.store.engine, "begin", real)
        assert (self.table.play.digest(), self.table.revision) == before

    def mirror_away(self) -> None:
        self.faults["mirror away"] += 1

        def refuse(fd: int, data: bytes) -> int:
            raise OSError(5, "Input/output error")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mirror_module.os, "write", refuse)
            table_bot.play(self.table, self.rng, 2)
        self.note()

    def wrong_tap(self) -> None:
        self.faults["wrong tap"] += 1
        before = (self.table.play.digest(), self.table.revision)
        asked = set(self.table.asked_seats)
        for seat in GAME.seats:
            with pytest.raises(RefereeError) as caught:
                self.table.answer(seat, "nonsense", revision=self.table.revision)
            if seat not in asked and "sealed" not in str(caught.value):
                assert isinstance(caught.value, NotYourTurn | StaleAnswer)
        if self.table.live_game.question:
            with pytest.raises(StaleAnswer):
                self.table.answer("free", "x", revision=self.table.live_game.question - 1)
        assert (self.table.play.digest(), self.table.revision) == before

    def take_back(self) -> None:
        seat = self.rng.choice(GAME.seats)
        if self.table.undo_class(seat) is None:
            return
        self.faults["take back"] += 1
        event = self.table.take_back(seat, revision=self.table.revision)
        if event.kind == "take_back_asked":
            other = next(one for one in GAME.seats if one != seat)
            self.table.consent(other, self.rng.random() < 0.7, revision=self.table.revision)
        self.note()

    def dispute(self) -> None:
        self.faults["dispute"] += 1
        self.table.raise_objection("shadow", "Das stimmt so nicht.")
        if self.rng.random() < 0.5:
            self.table.withdraw_objection("shadow")
        else:
            self.table.rule("Es gilt, wie es liegt.")
        self.note()


@pytest.fixture
def folder() -> Path:
    made = table_bot.quick_folder()
    yield made  # type: ignore[misc]
    shutil.rmtree(made)


def test_a_long_evening_ends_with_the_right_position(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    evening = Evening(folder, 20, monkeypatch)
    while evening.answers < ANSWERS // 3:
        evening.step()
    gc.collect()
    objects = len(gc.get_objects())
    while evening.answers < ANSWERS:
        evening.step()
    evening.table.close()
    evening.store.close()
    for fault in ("power cut", "full disk", "mirror away", "wrong tap", "take back", "dispute", "listener"):
        assert evening.faults[fault], fault
    key = load_or_make(folder / "key.pem")
    with Store.open(evening.path) as store:
        assert set(store.game_ids()) == set(evening.acknowledged)
        for game_id, hashes in evening.acknowledged.items():
            loaded = store.load(game_id)
            assert [event.hash for event in loaded.events] == hashes
            assert first_break(loaded.header, loaded.events) is None
            play, _ = replay(GAME, loaded.header["options"], line_of(loaded.events), {})
            assert not loaded.events or play.digest() == loaded.events[-1].digest
            path = folder / f"{game_id}.jsonl"
            path.write_text(write(loaded.header, loaded.events, result_json(play.outcome), key))
            verdict = verify_file(path, {key.public})
            assert verdict.ok, verdict.findings
    gc.collect()
    # only the record of the games played (events and hashes) may have been added
    events = sum(map(len, evening.acknowledged.values()))
    assert len(gc.get_objects()) - objects < 20_000 + 30 * events

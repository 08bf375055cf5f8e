"""Clocks are part of the record: who started and stopped them, what a power cut leaves."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from exported_lines import lines_of, verdict_of
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from referee.hall.table import Table
from referee.journal.errors import NotAllowed, NotPossible, StoreUnwritable
from referee.journal.events import Event
from referee.kernel.messages import Text
from referee.serving.hosting import NewGame
from web.app import create_app
from web.clock import Clock

sys.path.insert(0, str(Path(__file__).parent.parent / "record"))

from exporting import reseal


class Watch:
    """Seconds that pass when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def table(hall: FakeHall) -> Table:
    assert hall.table is not None
    return hall.table


def clocked(hall: FakeHall, watch: Watch, minutes: int = 10) -> Clock:
    clock = Clock(hall.folder, watch)
    clock.follow(hall.table)
    clock.set(minutes)
    return clock


def events(table: Table, kind: str = "clock") -> list[Event]:
    return [event for event in table.events() if event.kind == kind]


def test_a_clock_left_no_trace_of_who_stopped_it(
    hall: FakeHall, table: Table, watch: Watch, tmp_path: Path
) -> None:
    clock = clocked(hall, watch)
    clock.pause(False, table, by="black")
    watch.now += 61.5
    clock.pause(True, table, by="white", reason="Tür")
    clock.pause(True, table, by="white")
    clock.adjust(table, "white", 30, "Tür war laut")
    assert [(one.seat, one.answer["does"]) for one in events(table)] == [
        ("*", "set"),
        ("black", "start"),
        ("white", "stop"),
    ]
    assert events(table)[-1].answer["left"] == {"white": 538, "black": 600}
    assert events(table)[-1].answer["reason"] == "Tür"
    (more,) = events(table, "time")
    assert more.answer["left"] == {"white": 568, "black": 600}
    assert table.standing.clock.left == more.answer["left"]
    verdict = verdict_of(lines_of(table, tmp_path), tmp_path)
    assert verdict.ok, verdict.findings


def test_after_a_damaged_file_the_arbiter_could_only_reckon_what_to_add(
    hall: FakeHall, app: Flask, tmp_path: Path
) -> None:
    web, referee = app.extensions["table"], Screen(app)
    referee.post("/api/arbiter/enter", {"key": web.seats.new_arbiter_key()})
    says = {"kind": "time", "about": "white", "left": 425, "text": "as both remember"}
    assert referee.post("/api/arbiter/note", says).status_code == 409, "no clock in this game"
    watch = web.clock.now = Watch()
    web.clock.set(10)
    web.clock.file.spoiled(ValueError("damaged"))
    assert referee.post("/api/clock/pause", {"paused": False}).status_code == 200
    watch.now += 30.5
    assert referee.post("/api/arbiter/note", says).status_code == 200
    assert web.clock.as_json(["white"])["left"] == {"white": pytest.approx(425, abs=1)}
    assert web.clock.file.lost is None
    watch.now += 5
    assert referee.post("/api/arbiter/note", says | {"left": -90}).status_code == 200
    assert [one.answer["left"]["white"] for one in events(hall.table, "time")] == [425, -90]
    for wrong in ({"value": 3}, {"about": ""}, {"left": None}):
        assert referee.post("/api/arbiter/note", says | wrong).status_code == 422
    assert referee.post("/api/arbiter/note", says | {"left": 1e9}).status_code == 400
    assert verdict_of(lines_of(hall.table, tmp_path), tmp_path).ok
    web.close()


def test_a_player_stopped_the_clock_of_a_tournament_to_think(hall: FakeHall, app: Flask) -> None:
    hall.start(NewGame("toy", {"white": "Anna", "black": "Bert"}, tournament=True))
    web = app.extensions["table"]
    web.follow()
    web.clock.set(10)
    white, referee = Screen(app), Screen(app)
    white.sit("white")
    referee.post("/api/arbiter/enter", {"key": web.seats.new_arbiter_key()})
    assert white.post("/api/clock/pause", {"paused": False}).status_code == 200
    done = white.post("/api/clock/pause", {"paused": True})
    assert done.status_code == 409 and "arbiter" in done.json["error"]["sentence"]
    # nor does it help to say that one is the arbiter
    assert white.post("/api/clock/pause", {"paused": True, "who": "arbiter"}).status_code == 409
    assert white.client.get("/api/clock").json["clock"]["paused"] is False
    assert referee.post("/api/clock/pause", {"paused": True, "reason": "Frage"}).status_code == 200
    assert hall.table is not None and events(hall.table)[-1].seat == "arbiter"
    web.close()


def test_a_flag_is_recorded_once_though_nobody_taps(
    hall: FakeHall, table: Table, watch: Watch, tmp_path: Path
) -> None:
    clock = clocked(hall, watch, minutes=1)
    clock.pause(False, table, by="white")
    assert clock.next_flag_s() == pytest.approx(60.05)
    watch.now += 59
    clock.tell_flags()
    assert events(table)[-1].answer["does"] == "start"
    watch.now += 1.5
    for _ in range(3):
        clock.tell_flags()
        watch.now += 1
    flags = [one for one in events(table) if one.answer["does"] == "flag"]
    assert [(one.seat, one.source, one.answer["left"]["white"]) for one in flags] == [("white", "table", -1)]
    clock.adjust(table, "white", 60, "Nachschlag")
    watch.now += 61
    clock.tell_flags()
    flags = [one for one in events(table) if one.answer["does"] == "flag"]
    assert len(flags) == 2, "more time, and over again"
    assert verdict_of(lines_of(table, tmp_path), tmp_path).ok


def test_a_flag_that_the_disk_refuses_is_tried_again_at_leisure_and_told_of_once(
    hall: FakeHall,
    table: Table,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Twenty warnings a second went to the disk that was full."""
    clock = clocked(hall, watch, minutes=1)
    clock.pause(False, table, by="white")
    watch.now += 61

    def full(*_: Any, **__: Any) -> Any:
        raise StoreUnwritable(Text("store.closed"))

    with monkeypatch.context() as patch:
        patch.setattr(hall.store, "append", full)
        for _ in range(3):
            clock.tell_flags()
            assert clock.next_flag_s() >= 5
    assert len([one for one in caplog.records if "time is over" in one.message]) == 1
    clock.tell_flags()
    assert [one.answer["does"] for one in events(table)][-1] == "flag"


def test_a_flag_falls_while_the_server_runs(hall: FakeHall, app: Flask, white: Screen, black: Screen) -> None:
    web = app.extensions["table"]
    watch = web.clock.now = Watch()
    web.clock.set(1)
    white.post("/api/clock/pause", {"paused": False})
    watch.now += 59.99
    web.moved()
    watch.now += 2
    for _ in range(600):
        if any(one.answer["does"] == "flag" for one in events(hall.table)):
            break
        web.hub.wait_for_end(0.02)
    found = black.state("black")["table"]["notice"]
    assert found["kind"] == "clock" and "time is over" in found["text"], found
    web.close()


def test_a_running_clock_after_a_power_cut_stands_and_has_lost_nothing_but_seconds(
    hall: FakeHall, table: Table, watch: Watch
) -> None:
    clock = clocked(hall, watch)
    clock.pause(False, table, by="white")
    watch.now += 200
    clock.keep()
    watch.now += 4  # since the last look of the file
    again = Clock(hall.folder, watch)
    again.follow(table)
    found = again.as_json(("white", "black"))
    assert found is not None and found["left"] == {"white": 400.0, "black": 600.0} and found["paused"]
    last = events(table)[-1]
    assert (last.seat, last.source, last.answer["reason"]) == ("*", "table", "restart")
    assert last.answer["left"] == {"white": 400, "black": 600} and again.file.lost is None


def _emptied(path: Path) -> None:
    path.write_text("")


def _gone(path: Path) -> None:
    path.unlink()


def _given_back(path: Path) -> None:
    """A player who writes the think back into the file."""
    data = json.loads(path.read_text())
    (entry,) = data.values()
    entry["used"] = {"white": -3000.0}
    path.write_text(json.dumps(data))


def _of_another_moment(path: Path) -> None:
    data = json.loads(path.read_text())
    (entry,) = data.values()
    entry["event"] = 1
    path.write_text(json.dumps(data))


def _no_number(path: Path) -> None:
    path.write_text(path.read_text().replace('"used": {', '"used": {"black": 1e999, '))


@pytest.mark.parametrize("spoil", [_emptied, _gone, _given_back, _of_another_moment, _no_number])
def test_a_kept_rest_that_does_not_go_on_from_the_record_does_not_count(
    hall: FakeHall, table: Table, watch: Watch, spoil: Any
) -> None:
    clock = clocked(hall, watch)
    clock.pause(False, table, by="white")
    watch.now += 100
    clock.pause(True, table, by="white")
    clock.pause(False, table, by="white")
    watch.now += 50
    clock.keep()
    spoil(hall.folder / "clocks.json")
    again = Clock(hall.folder, watch)
    again.follow(table)
    found = again.as_json(("white", "black"))
    assert found is not None and found["left"] == {"white": 500.0, "black": 600.0}
    assert again.file.lost is not None, "it is told"


def test_a_damaged_file_of_clocks_never_stops_a_game(hall: FakeHall, table: Table, watch: Watch) -> None:
    clock = clocked(hall, watch)
    clock.pause(False, table, by="white")
    clock.keep()
    path, rng = hall.folder / "clocks.json", Random(7)
    whole = path.read_bytes()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(bytes(data[: rng.randint(0, len(data))] if rng.random() < 0.5 else data))
        again = Clock(hall.folder, watch)
        again.follow(table)
        found = again.as_json(("white", "black"))
        assert found is not None and all(left <= 600.1 for left in found["left"].values())


def test_a_clock_of_an_earlier_program_goes_on_without_events(
    hall: FakeHall, table: Table, watch: Watch
) -> None:
    path = hall.folder / "clocks.json"
    path.write_text(json.dumps({str(table.header["id"]): {"minutes": 5, "used": {"white": 10.0}}}))
    clock = Clock(hall.folder, watch)
    clock.follow(table)
    clock.pause(False, table, by="white")
    found = clock.as_json(("white",))
    assert found is not None and found["left"] == {"white": 290.0} and not events(table)


def test_a_record_whose_clock_gives_time_back_is_found(
    hall: FakeHall, table: Table, watch: Watch, tmp_path: Path
) -> None:
    clock = clocked(hall, watch)
    clock.pause(False, table, by="white")
    watch.now += 100
    clock.pause(True, table, by="white")
    lines = lines_of(table, tmp_path)
    for change in (
        {"left": {"white": 601, "black": 600}},
        {"left": {"white": 500}},
        {"left": {"white": 500.5, "black": 600}},
        {"does": "start"},
        {"does": "flag"},
        {"does": "hold"},
        {"reason": None},
    ):
        forged = json.loads(json.dumps(lines))
        forged[-2]["answer"].update(change)
        assert [one.code for one in verdict_of(reseal(forged), tmp_path).findings] == ["illegal"], change
    forged = json.loads(json.dumps(lines))
    forged[0]["header"]["tournament"] = True
    assert [one.code for one in verdict_of(reseal(forged), tmp_path).findings] == ["illegal"]


def test_the_hall_takes_no_nonsense_of_a_clock(table: Table) -> None:
    with pytest.raises(NotPossible):
        table.note_clock("white", "start", {})
    table.set_clock(5)
    with pytest.raises(NotPossible):
        table.set_clock(5)
    with pytest.raises(NotPossible):
        table.note_clock("white", "stop", {"white": 1, "black": 1})
    table.live_game.header["tournament"] = True  # type: ignore[index]
    table.note_clock("white", "start", {"white": 300, "black": 300})
    with pytest.raises(NotAllowed):
        table.note_clock("white", "stop", {"white": 300, "black": 300})


def test_a_new_game_begins_its_clock_in_the_record(hall: FakeHall) -> None:
    app = open_wide(create_app(hall))
    screen = Screen(app)
    screen.sit("white")
    assert screen.post("/api/games/new", {"game": "toy", "players": {}, "clock": 15}).status_code == 200
    assert hall.table is not None
    assert [one.answer["minutes"] for one in events(hall.table)] == [15]
    app.extensions["table"].close()

"""Seats and clocks on a disk that is full or read-only: told, tried again, and never in the way of a game."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from referee.kernel import files
from referee.kernel.files import FileUnwritable, write_whole
from web import context
from web.app import create_app
from web.clock import Clock
from web.seats import SeatBook


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """Makes the disk full, or gives it room again, for small files."""
    real = os.fsync

    def refuse(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fill(full: bool) -> None:
        monkeypatch.setattr(files.os, "fsync", refuse if full else real)

    yield fill
    fill(False)


def test_looking_at_a_running_clock_on_a_full_disk_gave_500(
    hall: FakeHall, app: Flask, white: Screen, full_disk: Callable[[bool], None]
) -> None:
    web = app.extensions["table"]
    web.clock.set(60)
    assert white.post("/api/clock/pause", {"paused": False}).status_code == 200
    full_disk(True)
    state = white.state("white")
    assert state["table"]["clock"]["running"] == ["white"]
    for path in ("/api/clock", "/api/health", "/api/start", "/"):
        assert white.client.get(path).status_code == 200
    # what has to be written down fails softly: it holds now, and is told
    assert white.post("/api/clock/pause", {"paused": True}).status_code == 200
    white.sit("black")
    told = [one for one in white.state("white")["devices"] if one["id"] == "side_files"]
    assert {one["health"] for one in told} == {"warn"}
    assert {word for one in told for word in ("clocks.json", "seats.json") if word in one["text"]} == {
        "clocks.json",
        "seats.json",
    }
    health = white.client.get("/api/health").json
    assert not health["ok"] and [one["name"] for one in health["devices"] if one["id"] == "side_files"]
    full_disk(False)
    web.seats.keep()
    web.clock.keep()
    web.hub.changed()
    assert [one for one in white.state("white")["devices"] if one["id"] == "side_files"] == []
    assert json.loads((hall.folder / "seats.json").read_text())["devices"][0]["seats"] == ["white", "black"]
    web.close()


def test_looking_at_a_clock_never_writes(hall: FakeHall, app: Flask, white: Screen) -> None:
    app.extensions["table"].clock.set(60)
    white.post("/api/clock/pause", {"paused": False})
    path = hall.folder / "clocks.json"
    before = path.stat().st_ino
    for _ in range(3):
        white.state("white")
        white.client.get("/api/clock")
    assert path.stat().st_ino == before
    app.extensions["table"].close()


def test_a_running_clock_is_written_down_while_nobody_taps(
    hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty seconds of thinking without a tap were given back by a power cut."""
    now = [100.0]
    clock = Clock(hall.folder, lambda: now[0])
    clock.follow(hall.table)
    clock.set(60)
    clock.pause(False, hall.table)
    now[0] += 30
    clock.keep()
    after_the_cut = Clock(hall.folder)
    after_the_cut.follow(hall.table)
    left = after_the_cut.as_json(("white",))
    assert left is not None and left["left"] == {"white": 3570.0}


def test_what_could_not_be_written_is_written_as_soon_as_there_is_room(
    hall: FakeHall, monkeypatch: pytest.MonkeyPatch, full_disk: Callable[[bool], None]
) -> None:
    monkeypatch.setattr(context, "KEEP_SECONDS", 0.02)
    app = open_wide(create_app(hall))
    screen = Screen(app)
    full_disk(True)
    screen.sit("white")
    web = app.extensions["table"]
    assert web.seats.file.unwritten is not None
    full_disk(False)
    for _ in range(500):
        if web.seats.file.unwritten is None:
            break
        web.hub.wait_for_end(0.02)
    assert "white" in (hall.folder / "seats.json").read_text()
    web.close()


def test_an_emptied_file_of_clocks_or_seats_is_told(hall: FakeHall, tmp_path: Path) -> None:
    (tmp_path / "clocks.json").write_text("")
    (tmp_path / "seats.json").write_text("")
    screen = Screen(open_wide(create_app(hall)))
    screen.sit("white")
    told = [one["text"] for one in screen.state("white")["devices"] if one["id"] == "side_files"]
    assert len(told) == 2 and all("could not be read" in text for text in told)
    assert (tmp_path / "clocks.damaged").exists()


def test_a_seat_file_that_may_not_be_read_does_not_end_the_start(tmp_path: Path) -> None:
    (tmp_path / "seats.json").mkdir()
    book = SeatBook(tmp_path)
    assert book.devices == {} and book.file.lost is not None


def test_a_small_file_is_old_or_new_and_nothing_is_left_of_a_failure(
    tmp_path: Path, full_disk: Callable[[bool], None]
) -> None:
    path = tmp_path / "Wohnung #3" / "100 %.json"
    write_whole(path, "old", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    full_disk(True)
    with pytest.raises(FileUnwritable, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old" and list(path.parent.iterdir()) == [path]
    full_disk(False)
    write_whole(path, "new")
    assert path.read_text() == "new"

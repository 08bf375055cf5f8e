"""The event stream: numbered snapshots, beats, resync, presence."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from screens import Screen

import web.hub
from web.hub import Audience, Hub, Stream


class Reader:
    """One screen's stream, read in a loop of its own."""

    def __init__(self, stream: Stream | None) -> None:
        assert stream is not None, "no room"
        self.stream = stream
        self._loop = asyncio.new_event_loop()
        self._events = stream.events()

    def next(self) -> bytes:
        """The next event; b"" at the end."""
        try:
            return self._loop.run_until_complete(anext(self._events))  # type: ignore[arg-type]
        except StopAsyncIteration:
            return b""

    def take(self, kind: str) -> tuple[str, Any]:
        """The next event of a kind: its id and data."""
        while chunk := self.next():
            lines = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
            if lines.get("event") == kind:
                data = lines["data"]
                return lines.get("id", ""), json.loads(data) if data.startswith("{") else data
        raise AssertionError("the stream ended")

    def close(self) -> None:
        """The screen goes."""
        self.stream.close()
        self._loop.run_until_complete(self._events.aclose())  # type: ignore[attr-defined]
        self._loop.close()


Screening = Callable[..., Reader]


@pytest.fixture
def screen(hub: Hub) -> Iterator[Screening]:
    """Opens streams of the hub: ``screen("watch", "device", last_id)``."""
    opened: list[Reader] = []

    def begin(
        who: str, device: str, last: str | None = None, may_look: Callable[[], bool] = lambda: True
    ) -> Reader:
        opened.append(Reader(hub.open((who, "de"), device, last, may_look)))
        return opened[-1]

    yield begin
    for reader in opened:
        reader.close()


@pytest.fixture
def hub() -> Iterator[Hub]:
    hub = Hub(lambda audience: {"who": audience[0], "language": audience[1]})
    yield hub
    hub.close()


def test_a_new_screen_gets_a_snapshot_and_each_change_a_newer_one(hub: Hub, screen: Screening) -> None:
    stream = screen("watch", "device")
    first, data = stream.take("state")
    assert data["who"] == "watch" and first == f"{hub.boot}-{data['number']}"
    hub.changed()
    _, newer = stream.take("state")
    assert newer["number"] == data["number"] + 1


def test_last_event_id_spares_what_is_known(screen: Screening) -> None:
    known, _ = screen("watch", "device").take("state")
    again = screen("watch", "device", known)
    assert [again.next().split(b"\n")[0] for _ in range(2)][1] == b"event: beat"


def test_ids_of_another_run_are_not_believed(hub: Hub, screen: Screening) -> None:
    _, data = screen("watch", "device", f"00000000-{hub.number}").take("state")
    assert data["number"] == hub.number


def test_a_screen_that_comes_is_never_shown_what_was_before_it_came(hub: Hub, screen: Screening) -> None:
    hub.snapshot(("watch", "de"))
    hub.changed()
    hub.changed()
    _, data = screen("watch", "device").take("state")
    assert data["number"] >= 3


def test_beats_come_while_nothing_happens(
    hub: Hub, screen: Screening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.hub, "BEAT_SECONDS", 0.01)
    stream = screen("watch", "device")
    stream.take("state")
    assert stream.take("beat")[1] == f"{hub.boot}-{hub.number}"


def test_presence_follows_the_streams(hub: Hub, screen: Screening) -> None:
    assert not hub.is_connected("a")
    first, second = screen("seat:white", "a"), screen("seat:white", "a")
    assert hub.is_connected("a") and hub.connected("seat:white") == 1
    first.stream.close()
    first.stream.close()  # twice is once
    assert hub.is_connected("a")
    second.stream.close()
    assert not hub.is_connected("a") and hub.last_seen("a") is not None


def test_one_screen_that_cannot_be_built_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def build(audience: Audience) -> dict[str, Any]:
        if audience[1] == "en":
            raise ValueError("no words")
        return {"language": audience[1]}

    hub = Hub(build)
    bad, good = (Reader(hub.open(("watch", language), "a", None)) for language in ("en", "de"))
    assert good.take("state")[1]["language"] == "de"
    hub.changed()
    assert good.take("state")[1]["number"] == hub.number
    assert "no words" in caplog.text
    hub.close()
    for reader in (bad, good):
        reader.close()


def test_a_snapshot_is_built_once_for_all_its_screens() -> None:
    built = []
    hub = Hub(lambda audience: built.append(audience) or {})  # type: ignore[func-returns-value]
    threads = [threading.Thread(target=hub.snapshot, args=(("watch", "de"),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == [("watch", "de")]
    hub.changed()
    hub.snapshot(("watch", "de"))
    assert len(built) == 2


def test_a_crowd_of_spectators_never_locks_a_player_out(hub: Hub) -> None:
    streams = []
    while (stream := hub.open(("watch", "de"), f"watcher-{len(streams) // 4}", None)) is not None:
        streams.append(stream)
    assert len(streams) == web.hub.STREAMS - web.hub.RESERVED
    player = hub.open(("seat:white", "de"), "player", None)
    assert player is not None and hub.open(("watch", "de"), "one more", None) is None
    for stream in (*streams, player):
        stream.close()
    again = hub.open(("watch", "de"), "one more", None)
    assert again is not None
    again.close()


def test_forgotten_tabs_of_one_device_are_limited(app: Flask, black: Screen) -> None:
    hub = app.extensions["table"].hub
    device = app.extensions["table"].seats.holder("black").id
    streams = [hub.open(("seat:black", "de"), device, None) for _ in range(web.hub.A_DEVICE)]
    answer = black.client.get("/events/seat:black")
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "too_many_screens"
    for stream in streams:
        stream.close()


def test_whoever_loses_the_seat_loses_its_stream(hub: Hub, screen: Screening) -> None:
    allowed = [True]
    stream = screen("seat:white", "a", may_look=lambda: allowed[0])
    stream.take("state")
    allowed[0] = False
    hub.changed()
    assert stream.next().startswith(b"event: gone")
    assert stream.next() == b""


def test_the_other_seat_hears_of_an_answer(app: Flask, white: Screen, black: Screen) -> None:
    opened: list[Stream] = []
    answer = black.client.get("/events/seat:black", environ_overrides={web.hub.STREAM: opened})
    assert answer.mimetype == "text/event-stream"
    stream = Reader(opened[0])
    _, before = stream.take("state")
    assert before["table"]["waiting"]["kind"] == "choose_one"
    white.post("/api/seat/white/answer", {"values": ["east", {"men": 1}], "revision": 0})
    after = before
    while after["table"]["revision"] < 2:
        _, after = stream.take("state")
    assert after["table"]["waiting"]["kind"] == "roll_dice"
    assert after["number"] > before["number"]
    stream.close()

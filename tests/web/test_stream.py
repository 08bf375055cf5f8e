"""The event stream: numbered snapshots, beats, resync, presence."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from flask import Flask
from screens import Screen

import web.hub
import web.sending
from web.hub import Audience, Hub, Stream
from web.sending import Outlet, Sending


class Reader:
    """One screen's stream and its bell."""

    def __init__(self, stream: Stream | None) -> None:
        assert stream is not None, "no room"
        self.stream = stream
        self._news = threading.Event()
        stream.bell = self

    def ring(self, streams: Sequence[Stream]) -> None:
        """There is something new."""
        assert self.stream in streams
        self._news.set()

    def next(self, beat: bool = False) -> bytes:
        """The next event; b"" at the end."""
        while True:
            self._news.clear()
            event = self.stream.next(beat)
            if event or self.stream.over:
                return event
            assert self._news.wait(60), "nothing comes"

    def take(self, kind: str, beat: bool = False) -> tuple[str, Any]:
        """The next event of a kind: its id and data."""
        while chunk := self.next(beat):
            lines = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
            if lines.get("event") == kind:
                data = lines["data"]
                return lines.get("id", ""), json.loads(data) if data.startswith("{") else data
        raise AssertionError("the stream ended")

    def close(self) -> None:
        """The screen goes."""
        self.stream.close()


class Line:
    """A connection that notes what is written to it."""

    def __init__(self) -> None:
        self.outlet: Outlet | None = None
        self.full = self.lost = False
        self.written: list[bytes] = []

    def write(self, pieces: Sequence[bytes]) -> None:
        """Note it."""
        self.written.append(b"".join(pieces))


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
    assert again.next(beat=True).startswith(b"event: beat")


def test_ids_of_another_run_are_not_believed(hub: Hub, screen: Screening) -> None:
    _, data = screen("watch", "device", f"00000000-{hub.number}").take("state")
    assert data["number"] == hub.number


def test_a_screen_that_comes_is_never_shown_what_was_before_it_came(hub: Hub, screen: Screening) -> None:
    hub.snapshot(("watch", "de"))
    hub.changed()
    hub.changed()
    _, data = screen("watch", "device").take("state")
    assert data["number"] >= 3


def test_beats_come_while_nothing_happens(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.sending, "BEAT_SECONDS", 0.01)

    async def look() -> tuple[list[bytes], int]:
        line, sending = Line(), Sending()
        stream = hub.open(("watch", "de"), "a", None)
        assert stream is not None
        served = asyncio.ensure_future(sending.serve(stream, line, True))
        while not line.written or b"beat" not in line.written[-1]:
            await asyncio.sleep(0.005)
        number = hub.number
        hub.close()
        await served
        return line.written, number

    (first, state, *_, beat), number = asyncio.run(look())
    assert first == b"d\r\nretry: 1000\n\n\r\n" and b"event: state" in state
    text = f"event: beat\ndata: {hub.boot}-{number}\n\n".encode()
    assert beat == b"%x\r\n%s\r\n" % (len(text), text)
    assert hub.streams() == []


def test_who_reads_slowly_is_sent_the_newest_alone(hub: Hub) -> None:
    async def look() -> tuple[list[bytes], int]:
        line, sending = Line(), Sending()
        stream = hub.open(("watch", "de"), "a", None)
        assert stream is not None
        served = asyncio.ensure_future(sending.serve(stream, line, False))
        while not line.written or b"state" not in line.written[-1]:
            await asyncio.sleep(0.005)
        line.full = True
        for _ in range(5):
            hub.changed()
        newest = hub.number
        while hub.built(("watch", "de")).number < newest:  # type: ignore[union-attr]
            await asyncio.sleep(0.005)
        sending.ring([stream])
        await asyncio.sleep(0.02)
        line.full = False
        assert line.outlet is not None
        line.outlet.send()  # as the connection does
        line.outlet.end()  # and when the device goes
        await served
        return [one for one in line.written[2:] if b"beat" not in one], newest

    (last,), newest = asyncio.run(look())
    assert last.startswith(f"id: {hub.boot}-{newest}\n".encode()) and hub.streams() == []


def test_one_screen_that_cannot_be_sent_to_stops_no_other(hub: Hub, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> bool:
        raise ValueError("no such list")

    async def look() -> list[bytes]:
        good, sending = Line(), Sending()
        bad = hub.open(("watch", "de"), "a", None, broken)
        stream = hub.open(("watch", "de"), "b", None)
        assert bad is not None and stream is not None
        ends = asyncio.ensure_future(sending.serve(bad, Line(), False))
        served = asyncio.ensure_future(sending.serve(stream, good, False))
        await ends
        while not good.written or b"state" not in good.written[-1]:
            await asyncio.sleep(0.005)
        hub.close()
        await served
        return good.written

    assert asyncio.run(look()) and "no such list" in caplog.text


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


def test_a_file_whose_name_is_no_utf_8_darkened_every_screen() -> None:
    hub = Hub(lambda audience: {"devices": "T\udcff cannot be written"})
    reader = Reader(hub.open(("watch", "de"), "a", None))
    assert reader.take("state")[1]["devices"] == "T\udcff cannot be written"
    assert json.loads(hub.snapshot(("watch", "de"))[1].encode())["devices"].startswith("T")
    hub.close()
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

"""The event stream: numbered snapshots, beats, resync, presence."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from screens import Screen

import web.hub
from web.hub import Hub


def take(stream: Iterator[bytes], kind: str) -> tuple[str, Any]:
    """The next event of a kind: its id and data."""
    for chunk in stream:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
        if lines.get("event") == kind:
            data = lines["data"]
            return lines.get("id", ""), json.loads(data) if data.startswith("{") else data
    raise AssertionError("the stream ended")


@pytest.fixture
def hub() -> Iterator[Hub]:
    hub = Hub(lambda audience: {"who": audience[0], "language": audience[1]})
    yield hub
    hub.close()


def test_a_new_screen_gets_a_snapshot_and_each_change_a_newer_one(hub: Hub) -> None:
    stream = hub.stream(("watch", "de"), "device", None)
    first, data = take(stream, "state")
    assert data["who"] == "watch" and first == f"{hub.boot}-{data['number']}"
    hub.changed()
    _, newer = take(stream, "state")
    assert newer["number"] == data["number"] + 1
    stream.close()  # type: ignore[attr-defined]


def test_last_event_id_spares_what_is_known(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.hub, "BEAT_SECONDS", 0.01)
    other = hub.stream(("watch", "de"), "device", None)
    known, _ = take(other, "state")
    stream = hub.stream(("watch", "de"), "device", known)
    kinds = [next(stream).split(b"\n")[0] for _ in range(2)]
    assert kinds[1] == b"event: beat"
    for one in (stream, other):
        one.close()  # type: ignore[attr-defined]


def test_ids_of_another_run_are_not_believed(hub: Hub) -> None:
    stream = hub.stream(("watch", "de"), "device", f"00000000-{hub.number}")
    _, data = take(stream, "state")
    assert data["number"] == hub.number
    stream.close()  # type: ignore[attr-defined]


def test_beats_come_while_nothing_happens(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.hub, "BEAT_SECONDS", 0.01)
    stream = hub.stream(("watch", "de"), "device", None)
    take(stream, "state")
    assert take(stream, "beat")[1] == f"{hub.boot}-{hub.number}"
    stream.close()  # type: ignore[attr-defined]


def test_presence_follows_the_streams(hub: Hub) -> None:
    assert not hub.is_connected("a")
    first = hub.stream(("seat:white", "de"), "a", None)
    second = hub.stream(("seat:white", "de"), "a", None)
    take(first, "state")
    take(second, "state")
    assert hub.is_connected("a") and hub.connected("seat:white") == 1
    first.close()  # type: ignore[attr-defined]
    assert hub.is_connected("a")
    second.close()  # type: ignore[attr-defined]
    assert not hub.is_connected("a") and hub.last_seen("a") is not None


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
    while hub.has_room(f"watcher-{len(streams) // 4}", "watch"):
        streams.append(hub.stream(("watch", "de"), f"watcher-{len(streams) // 4}", None))
        next(streams[-1])
    assert len(streams) == web.hub.STREAMS - web.hub.RESERVED
    assert hub.has_room("player", "seat:white") and not hub.has_room("one more", "watch")
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]
    assert hub.has_room("one more", "watch")


def test_forgotten_tabs_of_one_device_are_limited(app: Flask, black: Screen) -> None:
    hub = app.extensions["table"].hub
    device = app.extensions["table"].seats.holder("black").id
    for _ in range(web.hub.A_DEVICE):
        hub._enter(device, "seat:black")
    answer = black.client.get("/events/seat:black")
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "too_many_screens"


def test_whoever_loses_the_seat_loses_its_stream(hub: Hub) -> None:
    allowed = [True]
    stream = hub.stream(("seat:white", "de"), "a", None, lambda: allowed[0])
    take(stream, "state")
    allowed[0] = False
    hub.changed()
    assert next(stream).startswith(b"event: gone")
    assert list(stream) == []
    assert not hub.is_connected("a")


def test_the_other_seat_hears_of_an_answer(app: Flask, white: Screen, black: Screen) -> None:
    answer = black.client.get("/events/seat:black", buffered=False)
    stream = iter(answer.response)
    _, before = take(stream, "state")  # type: ignore[arg-type]
    assert before["table"]["waiting"]["kind"] == "choose_one"
    white.post("/api/seat/white/answer", {"values": ["east", {"men": 1}], "revision": 0})
    while True:
        _, after = take(stream, "state")  # type: ignore[arg-type]
        if after["table"]["revision"] == 2:
            break
    assert after["table"]["waiting"]["kind"] == "roll_dice"
    assert after["number"] > before["number"]
    answer.close()


def test_the_server_has_room_for_every_screen() -> None:
    """A stream holds a thread and a connection for as long as it is open, and all that it ever sent up to the
    watermark: a hundred of them must leave threads for taps and stay small."""
    server = web.hub.SERVER
    assert server["threads"] >= web.hub.STREAMS + 16
    assert server["connection_limit"] >= 6 * web.hub.STREAMS
    # WebKit at seven answers a second leaves so many open
    left_open = 7 * (server["channel_timeout"] + server["cleanup_interval"])
    assert left_open < 0.6 * server["connection_limit"]
    assert server["outbuf_high_watermark"] * web.hub.STREAMS <= 32 * 1024 * 1024

"""Crowds and floods: many devices, devices that do not read, devices that send a byte at a time."""

from __future__ import annotations

import http.client
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest
from fake_hall import FakeHall
from flask import Flask

import web.server
from web.bench import BrowserClient
from web.bench_load import Screens
from web.crowd import Crowd
from web.server import ScreenServer

PATIENCE_S = 60.0


@pytest.fixture
def served(app: Flask, hall: FakeHall) -> Iterator[Callable[[], ScreenServer]]:
    """Starts the server of a running toy game, once what a test changes is changed."""
    with ExitStack() as after:

        def start() -> ScreenServer:
            server = ScreenServer(app).start()
            after.callback(server.close)
            after.callback(app.extensions["table"].hub.close)
            return server

        yield start


@pytest.fixture
def many_files() -> Iterator[None]:
    """Both ends of all connections are in this process."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def caller(port: int, sends: str) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    sock.sendall(sends.encode())
    return sock


def watching(port: int, device: BrowserClient) -> str:
    return f"GET /events/watch HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {device.cookie}\r\n\r\n"


@pytest.mark.usefixtures("many_files")
def test_140_devices_that_do_not_read_and_640_that_send_a_byte_at_a_time_kept_players_out(
    served: Callable[[], ScreenServer], hall: FakeHall
) -> None:
    port = served().port
    with ExitStack() as after:
        devices = [BrowserClient(port) for _ in range(20)]
        deaf = [after.enter_context(caller(port, watching(port, devices[n // 7]))) for n in range(140)]
        slow = [after.enter_context(caller(port, "G")) for _ in range(640)]
        players = {seat: BrowserClient(port) for seat in ("white", "black")}
        screens = Screens(port)
        after.callback(screens.close)
        for seat, device in players.items():
            assert device.post("/api/sit", {"seat": seat}) == 200
            screens.open(device, f"seat:{seat}")
        for letter in "ET / HTT":
            for sock in slow:
                sock.sendall(letter.encode())
        assert hall.table is not None
        body = {"values": ["east", {"men": 1}], "revision": 0}
        assert players["white"].post("/api/seat/white/answer", body) == 200
        screens.wait(hall.table.revision)  # both players see it
        assert len(deaf) + len(slow) == 780
        for device in devices:
            device.connection.close()
        for device in players.values():
            device.connection.close()


@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_what_is_written_to_a_socket_is_http_to_its_end(
    served: Callable[[], ScreenServer], app: Flask, version: str
) -> None:
    hub, port = app.extensions["table"].hub, served().port
    device = BrowserClient(port)
    sock = caller(port, watching(port, device).replace("HTTP/1.1", f"HTTP/{version}"))
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    first = answer.readline()
    while not answer.readline().startswith(b"data: {"):
        pass
    hub.changed()
    while f"id: {hub.boot}-{hub.number}\n".encode() != answer.readline():
        pass
    hub.close()
    rest = answer.read()
    assert first == b"retry: 1000\n" and rest.startswith(b"event: state\ndata: {") and rest.endswith(b"}\n\n")
    assert answer.getheader("content-type") == "text/event-stream; charset=utf-8"
    sock.close()
    device.connection.close()


def test_each_answer_waited_for_the_device_to_acknowledge_its_head(
    served: Callable[[], ScreenServer],
) -> None:
    """Head and body are two writes: with Nagle's algorithm the second waits 40 ms for a delayed ACK."""
    server = served()
    device = BrowserClient(server.port)
    (connection,) = server.crowd._guests
    sock = connection.transport.get_extra_info("socket")  # type: ignore[attr-defined]
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    device.connection.close()


@pytest.mark.parametrize(
    "sends",
    ["", "GET / HT", "POST /api/sit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"],
    ids=["nothing", "half a head", "half a body"],
)
def test_who_never_ends_a_request_is_dropped(
    served: Callable[[], ScreenServer], monkeypatch: pytest.MonkeyPatch, sends: str
) -> None:
    monkeypatch.setattr(web.server, "REQUEST_S", 0.05)
    with caller(served().port, sends) as sock, suppress(ConnectionResetError):
        assert sock.recv(1) == b""


def test_who_never_reads_is_dropped(
    served: Callable[[], ScreenServer], app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.server, "STALL_S", 0.05)
    hub = app.extensions["table"].hub
    monkeypatch.setattr(hub, "build", lambda audience: {"much": "x" * 1_000_000})
    port = served().port
    device = BrowserClient(port)
    with caller(port, watching(port, device)):
        with hub.moved:
            assert hub.moved.wait_for(lambda: hub.connected("watch") == 1, PATIENCE_S)
        for _ in range(200):  # more than any system's buffers hold
            hub.changed()
            with hub.moved:
                if hub.moved.wait_for(lambda: hub.connected("watch") == 0, 0.05):
                    break
        assert hub.connected("watch") == 0
    device.connection.close()


class Guest:
    def __init__(self, address: str, waits: bool = True) -> None:
        self.address, self.waits, self.dropped = address, waits, False

    def drop(self) -> None:
        self.dropped = True


def test_the_address_that_crowds_makes_room() -> None:
    crowd = Crowd(20)
    player = Guest("10.0.0.2")
    crowd.enter(player)
    flood = [Guest("10.0.0.9") for _ in range(100)]
    for guest in flood:
        crowd.enter(guest)
    late = Guest("10.0.0.3")
    crowd.enter(late)
    assert not player.dropped and not late.dropped and len(crowd) == 20
    assert [guest.dropped for guest in flood] == [True] * 82 + [False] * 18


def test_who_is_served_is_never_the_one_to_go() -> None:
    crowd = Crowd(3)
    served = [Guest("10.0.0.9", waits=False) for _ in range(3)]
    for guest in served:
        crowd.enter(guest)
    newcomer = Guest("10.0.0.2")
    crowd.enter(newcomer)
    assert newcomer.dropped and not any(guest.dropped for guest in served)
    crowd.leave(newcomer)
    crowd.clear()
    assert len(crowd) == 0 and all(guest.dropped for guest in served)


def test_the_servers_bounds_fit_each_other() -> None:
    """All streams, and six connections of each device that plays, at once."""
    import web.hub

    assert web.hub.STREAMS + 6 * web.hub.RESERVED < web.server.MOST_CONNECTIONS
    assert 6 * web.hub.A_DEVICE <= web.hub.RESERVED

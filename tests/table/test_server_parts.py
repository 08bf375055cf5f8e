"""The server inside this process: HTTPS from end to end, signs of life, addresses, and what is in the way."""

from __future__ import annotations

import errno
import gc
import http.client
import json
import os
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import toy_game

from referee.commands import serve as serving
from referee.commands.serve import PortInUse, Server
from referee.config.settings import CameraSection, Config, RecordSection, TableSection, WebSection
from referee.hall.table import Table
from referee.serving.memory import few_pools, keep_for_good
from referee.serving.starts import Starts
from referee.store.store import Store


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.fixture
def config(tmp_path: Path) -> Config:
    toy_game.register()
    return Config(
        table=TableSection(language="en"),
        web=WebSection(host="127.0.0.1", port=free_port()),
        record=RecordSection(folder=str(tmp_path)),
        camera=CameraSection(source="none"),
        lights={"driver": "none"},
    )


class Watched(Server):
    """Tells its house."""

    house: Any = None

    def _live(self, house: Any, *more: Any) -> None:
        self.house = house
        super()._live(house, *more)


@pytest.fixture
def running() -> Iterator[Callable[..., Any]]:
    """Runs servers in threads of this process; stops them at the end."""
    started: list[tuple[Server, threading.Thread]] = []

    def begin(server: Server) -> Any:
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        started.append((server, thread))
        return server

    yield begin
    for server, thread in started:
        for _ in range(2):  # a second time does nothing
            server.stop()
        thread.join(20)
        assert not thread.is_alive()


def fetched(connection: http.client.HTTPConnection, path: str) -> bytes:
    until = time.monotonic() + 60
    while True:
        try:
            connection.request("GET", path)
            return connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            connection.close()
            assert time.monotonic() < until, "the table did not come up"
            time.sleep(0.05)


def test_the_table_over_https_with_its_fingerprint_on_the_terminal(
    config: Config, running: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = replace(config, web=replace(config.web, https=True, address="https://table.local:8443"))
    running(Server(config, new_arbiter_key=True, language="de"))
    trust = ssl.create_default_context()
    trust.check_hostname = False
    trust.verify_mode = ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", config.web.port, timeout=20, context=trust)
    assert b"<html" in fetched(connection, "/")
    connection.close()
    printed = capsys.readouterr().out
    pem = next((tmp_path / "https").glob("*.pem")).read_text()
    assert "BEGIN" in pem
    assert f"https://localhost:{config.web.port}" in printed
    assert "Für Tablets: https://table.local:8443" in printed
    assert "SHA-256 " in printed and "Zertifikat" in printed and "Schlüssel der Spielleitung" in printed


def test_signs_of_life_come_while_the_table_can_be_asked_and_a_lasting_start_is_a_good_one(
    config: Config, running: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "games.sqlite") as store:
        Table.create(store, toy_game.GAME, options={"turns": 9}).close()
    said: list[str] = []
    monkeypatch.setattr(serving, "notify", lambda text: said.append(text) or True)
    monkeypatch.setattr(serving, "watchdog_period", lambda: 0.02)
    monkeypatch.setattr(serving, "GOOD_AFTER_S", 0.2)
    starts = Starts(tmp_path)
    for _ in range(2):
        starts.begin()
    server = running(Watched(config))
    connection = http.client.HTTPConnection("127.0.0.1", config.web.port, timeout=20)
    assert json.loads(fetched(connection, "/api/start"))["running"]["revision"] == 0
    connection.close()
    until = time.monotonic() + 30
    while starts._read() or said.count("WATCHDOG=1") < 3:
        assert time.monotonic() < until, said
        time.sleep(0.02)
    assert said[0] == "READY=1"
    # a table whose guard is never free again gives no sign of life
    assert server.house.table is not None
    with server.house.table.guard:
        time.sleep(0.2)
        seen = said.count("WATCHDOG=1")
        time.sleep(0.3)
        assert said.count("WATCHDOG=1") == seen


def test_the_latest_game_that_cannot_be_resumed_does_not_stop_the_table(
    config: Config, running: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open(tmp_path / "games.sqlite") as store:
        Table.create(store, toy_game.GAME, options={"turns": 9}, game_id="toy-lost").close()
        store.create({**store.header("toy-lost"), "id": "toy-lost-2"})
    lines = tmp_path / "games.sqlite.mirror" / "toy-lost-2.lines"
    lines.write_bytes(b"")
    (tmp_path / "last_game").write_text("toy-lost-2")
    running(Server(config))
    connection = http.client.HTTPConnection("127.0.0.1", config.web.port, timeout=20)
    assert b"<html" in fetched(connection, "/")
    connection.close()


def test_a_port_that_needs_rights_and_one_that_is_held_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    denied = serving._not_free("0.0.0.0", 80, PermissionError(errno.EACCES, "Permission denied"))
    assert "special rights" in denied.sentence_en and "1024" in denied.sentence_de
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        with pytest.raises(PortInUse) as told:
            serving._listen("127.0.0.1", port)
    assert f"Port {port} on 127.0.0.1 is in use already by" in told.value.sentence_en
    monkeypatch.setattr("referee.serving.holder.holder_of", lambda port: "")
    nobody = serving._not_free("0.0.0.0", 65535, OSError(errno.EADDRINUSE, "in use"))
    assert "in use already. " in nobody.sentence_en and "--port 65535" in nobody.sentence_en


def test_the_qr_code_is_drawn_where_somebody_can_see_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REFEREE_QR", raising=False)
    serving._print_qr("http://table:8000")
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("REFEREE_QR", "1")
    serving._print_qr("http://table:8000")
    assert capsys.readouterr().out.count("\n") > 10


def test_options_go_before_the_file(config: Config, tmp_path: Path) -> None:
    real = replace(config, camera=CameraSection(source="picamera2:"), lights={"driver": "own"})
    virtual = serving._with_options(real, 9000, "::1", True, tmp_path / "x", True)
    assert virtual.camera == CameraSection() and virtual.lights == {"driver": "emulator"}
    assert (virtual.web.port, virtual.web.host, virtual.web.https) == (9000, "::1", True)
    assert virtual.data_folder == tmp_path / "x"
    assert serving._with_options(real, None, None, False, None) == real


def test_memory_pools_are_limited_where_the_c_library_can(tmp_path: Path) -> None:
    assert few_pools() is (os.confstr("CS_GNU_LIBC_VERSION") is not None)
    (tmp_path / "no_library").write_text("")
    assert few_pools(str(tmp_path / "no_library")) is False


def test_a_search_for_garbage_held_up_a_tap(request: pytest.FixtureRequest) -> None:
    """What is loaded is passed over; what became garbage since is let go with the next game."""
    request.addfinalizer(gc.unfreeze)

    class Kept:
        def __init__(self) -> None:
            self.itself = self

    kept = Kept()
    gone = weakref.ref(kept)
    keep_for_good()
    assert gc.get_freeze_count() > 10_000 and not any(one is kept for one in gc.get_objects())
    del kept
    gc.collect()
    assert gone() is not None, "passed over"
    keep_for_good()
    assert gone() is None

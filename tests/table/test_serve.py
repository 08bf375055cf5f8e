"""``referee serve`` as people start it: a real process, real sockets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
import table_bot
from click.testing import CliRunner

from referee.cli import main
from referee.commands.serve import PortInUse, _listen
from referee.hall.table import Table
from referee.kernel.registry import load_game
from referee.serving.starts import Starts
from referee.store.store import Store

PATIENCE_S = 240
"""How long a table may take to come up or to end: much, on an emulated machine that is busy besides."""
CODE = "from referee.cli import main; main()"
CONFIG = "[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n[table]\nlanguage = '{language}'\n"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Running:
    """A ``referee serve`` that answers."""

    def __init__(self, folder: Path, port: int, *words: str) -> None:
        self.port = port
        env = {**os.environ, "REFEREE_DATA": str(folder), "PYTHONWARNINGS": "error::ResourceWarning"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CODE, "serve", "--port", str(port), *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
        )  # fmt: skip

    def wait(self) -> Running:
        """Until it answers, or ends."""
        for _ in range(PATIENCE_S * 10):
            if self.process.poll() is not None:
                break
            try:
                self.get("/")
            except OSError:
                time.sleep(0.1)
            else:
                return self
        raise AssertionError(f"the table did not come up: {self.end()}")

    def get(self, path: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", path)
            return connection.getresponse().read()
        finally:
            connection.close()

    def end(self, number: int = signal.SIGTERM) -> str:
        """Send a signal, wait, and give all that was printed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=PATIENCE_S)[0]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def starter(*words: str, language: str = "en", port: int | None = None) -> Running:
        (tmp_path / "table.toml").write_text(CONFIG.format(language=language))
        running = Running(tmp_path, port or free_port(), "--config", str(tmp_path / "table.toml"), *words)
        started.append(running)
        return running

    yield starter
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


def test_it_serves_prints_its_addresses_and_ends_when_asked(
    serve: Callable[..., Running], tmp_path: Path
) -> None:
    running = serve().wait()
    assert b"<html" in running.get("/")
    printed = running.end()
    assert running.process.returncode == 0
    assert f"http://localhost:{running.port}" in printed and "For tablets: http://" in printed
    assert "Traceback" not in printed and "arbiter's key" in printed
    log = (
        (tmp_path / "logs" / "referee.log").read_text()
        if (tmp_path / "logs" / "referee.log").exists()
        else ""
    )
    key = printed.split("arbiter's key: ")[1].split()[0]
    assert "Traceback" not in log and key not in log


def test_after_a_power_cut_the_game_goes_on_where_it_was(
    serve: Callable[..., Running], tmp_path: Path
) -> None:
    game = load_game("five_armies")
    with Store.open(tmp_path / "games.sqlite") as store, Table.create(store, game) as table:
        table_bot.play(table, Random(2), 20)
        revision = table.revision
    running = serve(language="de").wait()
    assert json.loads(running.get("/api/start"))["running"]["revision"] == revision
    running.end(signal.SIGKILL)
    again = serve(language="de", port=running.port).wait()  # the port is free at once
    assert json.loads(again.get("/api/start"))["running"]["revision"] == revision
    assert "Ende mit Strg+C" in again.end()


def test_what_stands_in_the_way_of_a_start_is_named(serve: Callable[..., Running], tmp_path: Path) -> None:
    running = serve().wait()
    same_record = serve()
    printed = same_record.process.communicate(timeout=PATIENCE_S)[0]
    assert same_record.process.returncode == 2
    assert f"process {running.process.pid}" in printed and f"http://localhost:{running.port}" in printed
    same_port = serve("--data", str(tmp_path / "other"), port=running.port)
    printed = same_port.process.communicate(timeout=PATIENCE_S)[0]
    assert same_port.process.returncode == 2
    assert f"Port {running.port}" in printed and str(running.process.pid) in printed and "--port" in printed


def test_what_cannot_be_served_is_named_before_anything_is_started(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(CONFIG.format(language="en"))
    (tmp_path / "file").write_text("")
    (tmp_path / "typo.toml").write_text("[web]\nprot = 1\n")
    config = ("--config", str(tmp_path / "table.toml"))
    for words, told in (
        ([*config, "--host", "no such host"], ["--host 0.0.0.0"]),
        ([*config, "--data", str(tmp_path / "file" / "x")], ["--data"]),
        (["--config", str(tmp_path / "typo.toml")], ["line 2", "'port'"]),
    ):
        arguments = ["serve", "--port", str(free_port()), *words]
        said = CliRunner().invoke(main, arguments, env={"REFEREE_DATA": str(tmp_path)})
        assert said.exit_code == 2 and all(text in said.output for text in told), said.output


def test_an_address_of_another_machine_is_not_called_a_port_in_use() -> None:
    with pytest.raises(PortInUse) as told:
        _listen("192.0.2.77", 0)
    assert "no address of this machine" in told.value.sentence("en")
    assert "keine Adresse dieses Rechners" in told.value.sentence("de")


def test_after_failed_starts_it_comes_up_safely(serve: Callable[..., Running], tmp_path: Path) -> None:
    game = load_game("five_armies")
    with Store.open(tmp_path / "games.sqlite") as store, Table.create(store, game) as table:
        table_bot.play(table, Random(2), 3)
    starts = Starts(tmp_path)
    for _ in range(3):
        starts.begin()
    running = serve().wait()
    assert json.loads(running.get("/api/start"))["running"] is None
    assert "Safe start" in running.end()
    assert starts.begin() is False  # it ended as it was asked to


def test_a_damaged_record_is_mended_at_the_start_and_told(
    serve: Callable[..., Running], tmp_path: Path
) -> None:
    game = load_game("five_armies")
    with Store.open(tmp_path / "games.sqlite") as store, Table.create(store, game) as table:
        table_bot.play(table, Random(2), 20)
        revision = table.revision
    (tmp_path / "games.sqlite").write_bytes(b"rubbish" * 5000)
    running = serve(language="de").wait()
    assert json.loads(running.get("/api/start"))["running"]["revision"] == revision
    devices = json.loads(running.get("/api/health"))["devices"]
    assert any(one["id"] == "record" and "neu angelegt" in one["text"] for one in devices)
    assert "neu angelegt" in running.end()

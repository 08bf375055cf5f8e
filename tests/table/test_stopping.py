"""Stop signals: any number of them, at any moment, end the table with everything closed."""

from __future__ import annotations

import os
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from referee.serving.stopping import StopNote

CODE = "from referee.cli import main; main()"
CONFIG = "[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def begun(folder: Path) -> subprocess.Popen[str]:
    """A table that has just opened its record: from here on a stop must close everything."""
    folder.mkdir()
    (folder / "table.toml").write_text(CONFIG)
    env = {**os.environ, "REFEREE_DATA": str(folder), "PYTHONWARNINGS": "error::ResourceWarning"}
    words = ("--port", str(free_port()), "--config", str(folder / "table.toml"))
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "serve", *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
    )  # fmt: skip
    until = time.monotonic() + 120
    while not (folder / "logs").exists() and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("seed", range(10))
def test_three_stop_signals_at_once_left_a_table_that_neither_stopped_nor_answered(
    seed: int, tmp_path: Path
) -> None:
    rng = Random(seed)
    process = begun(tmp_path / "data")
    time.sleep(rng.random() * 3)
    for _ in range(rng.randint(3, 12)):
        if process.poll() is None:
            process.send_signal(rng.choice(SIGNALS))
        if rng.random() < 0.5:
            time.sleep(rng.random() / 20)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 0, said
    assert "Traceback" not in said and "Warning" not in said
    # the write-ahead log is gone where the last connection was closed
    assert list((tmp_path / "data").glob("games.sqlite-*")) == []
    with sqlite3.connect(tmp_path / "data" / "games.sqlite") as record:
        assert record.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    record.close()


def test_a_handler_only_notes_whatever_the_main_thread_holds() -> None:
    note = StopNote()
    bell = note.listen()
    with note.signals():
        for number in SIGNALS:
            for _ in range(2000):  # more than a socket holds: the bell never waits
                os.kill(os.getpid(), number)
    assert note.noted and select.select([bell], [], [], 0)[0]
    note.close()
    note.note()  # after the end it does no harm


def test_what_was_ignored_stays_ignored_and_other_threads_take_no_signals() -> None:
    note = StopNote()
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with note.signals():
            os.kill(os.getpid(), signal.SIGHUP)
        assert not note.noted
    finally:
        signal.signal(signal.SIGHUP, before)
    seen: list[object] = []

    def elsewhere() -> None:
        with note.signals():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
    note.close()

"""Bursts of stop signals at random instants of a real table's start, play and stop."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

CODE = "from referee.cli import main; main()"
CONFIG = "[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def free_port() -> int:
    """A port that nobody uses now."""
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


def burst(seed: int, folder: Path) -> float:
    """Start a table in ``folder``, stop it by several signals, see that everything was closed; seconds from
    the first signal to its end."""
    rng = Random(seed)
    process = begun(folder)
    time.sleep(rng.random() * 3)
    began = time.monotonic()
    for _ in range(rng.randint(3, 12)):
        if process.poll() is None:
            process.send_signal(rng.choice(SIGNALS))
        if rng.random() < 0.5:
            time.sleep(rng.random() / 20)
    said = process.communicate(timeout=60)[0]
    took = time.monotonic() - began
    assert process.returncode == 0, said
    assert "Traceback" not in said and "Warning" not in said, said
    # the write-ahead log is gone where the last connection was closed
    assert list(folder.glob("games.sqlite-*")) == []
    with sqlite3.connect(folder / "games.sqlite") as record:
        assert record.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    record.close()
    return took

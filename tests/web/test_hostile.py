"""Hostile uploads, keys that cannot be guessed, and no door besides the one that is documented."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app
from web.seats import SeatBook
from web.security import new_token

GAME = "five_armies"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Screen]:
    """The arbiter's device at a running game."""
    hall = FakeHall(tmp_path, [load_game(GAME)])
    hall.start(NewGame(GAME, {}))
    app: Flask = open_wide(create_app(hall))
    screen = Screen(app)
    key = app.extensions["table"].seats.new_arbiter_key()
    assert screen.post("/api/arbiter/enter", {"key": key}).status_code == 200
    yield screen
    hall.close()


UPLOADS = {
    "python object": "game: five_armies\nposition: !!python/object/apply:os.mkdir [{path}]\n",
    "python name": "game: !!python/name:os.system five_armies\n",
    "aliases": "game: five_armies\na: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n"
    + "".join(f"{chr(99 + n)}: &{chr(99 + n)} [{', '.join([f'*{chr(98 + n)}'] * 9)}]\n" for n in range(9)),
    "deep": "game: five_armies\nposition: " + "[" * 3000,
    "no text": "\x00\x01\x02\ufffe",
    "another game": "game: ../../../etc/passwd\nposition: {}\n",
    "markup": "game: five_armies\ntitle: <script>alert(1)</script>\nposition: {turn: <b>3</b>}\n",
    "nothing": "",
}


@pytest.mark.parametrize("name", UPLOADS)
@pytest.mark.parametrize("step", ["check", "start"])
def test_hostile_position_files_do_nothing(desk: Screen, tmp_path: Path, name: str, step: str) -> None:
    made = tmp_path / "made"
    before = desk.client.get("/api/arbiter/position").json["text"]
    text = UPLOADS[name].replace("{path}", str(made))
    answer = desk.post(f"/api/arbiter/position/{step}", {"text": text})
    assert answer.status_code < 500, answer.json
    assert answer.status_code >= 400 or (step == "check" and answer.json["problems"]), answer.json
    assert not made.exists()
    assert desk.client.get("/api/arbiter/position").json["text"] == before
    assert desk.post("/api/arbiter/position/check", {"text": "x" * 31_000}).status_code == 400


def test_keys_cannot_be_guessed(tmp_path: Path) -> None:
    """Devices and links: 256 random bits; the arbiter's key, typed by hand: 100 or more."""
    tokens = {new_token() for _ in range(200)}
    assert len(tokens) == 200 and min(map(len, tokens)) >= 43
    book = SeatBook(tmp_path)
    keys = {book.new_arbiter_key() for _ in range(50)}
    letters = {key.replace("-", "") for key in keys}
    assert len(keys) == 50 and min(map(len, letters)) >= 17


def listening(process: int) -> set[int]:
    """TCP ports on which a process listens."""
    own = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            own.add(os.readlink(link))
        except FileNotFoundError:  # closed meanwhile
            continue
    found = set()
    for table in ("tcp", "tcp6"):
        path = Path(f"/proc/{process}/net/{table}")
        lines = path.read_text().splitlines()[1:] if path.exists() else []
        for fields in map(str.split, lines):
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in own:
                found.add(int(fields[1].rpartition(":")[2], 16))
    return found


@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="needs /proc of Linux")
def test_nothing_but_the_documented_port_is_open(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with socket.create_server(("127.0.0.1", 0)) as mine:  # the measure itself
        assert mine.getsockname()[1] in listening(os.getpid())
    command = [str(Path(sys.executable).with_name("referee")), "serve", "--virtual"]
    with (tmp_path / "said.txt").open("wb") as said:
        server = subprocess.Popen(
            [*command, "--port", str(port), "--data", str(tmp_path / "data")],
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://localhost:{port}/health", timeout=5).close()
                break
            except (urllib.error.URLError, OSError):
                assert time.monotonic() < end and server.poll() is None, (tmp_path / "said.txt").read_text()
                time.sleep(0.1)
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        ports = {one for process in (server.pid, *map(int, children)) for one in listening(process)}
        assert ports == {port}
        secrets = knocking(port)
    finally:
        server.terminate()
        server.wait(20)
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert any(path.suffix == ".log" or "log" in path.name for path in kept) and len(kept) > 3
    for path in (*kept, tmp_path / "said.txt"):
        for name, secret in secrets.items():
            assert secret.encode() not in path.read_bytes(), (path, name)


def knocking(port: int) -> dict[str, str]:
    """Somebody begins a game, sits down, makes a link and tries it; gives the secrets that were sent."""
    jar = urllib.request.HTTPCookieProcessor()
    opener = urllib.request.build_opener(jar)
    page = opener.open(f"http://localhost:{port}/", timeout=10).read().decode()
    csrf = page.partition('name="csrf" content="')[2].partition('"')[0]

    def post(path: str, data: object) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf}
        wish = urllib.request.Request(f"http://localhost:{port}{path}", json.dumps(data).encode(), headers)
        found: dict[str, str] = json.loads(opener.open(wish, timeout=30).read())
        return found

    post("/api/games/new", {"game": GAME, "players": {}})
    post("/api/sit", {"seat": "free"})
    token = post("/api/seat/free/link", {})["url"].partition("#")[2]
    post("/api/join", {"token": token})
    with pytest.raises(urllib.error.HTTPError):
        post("/api/arbiter/enter", {"key": "guess-guess-guess"})
    (cookie,) = jar.cookiejar
    assert len(token) >= 43 and len(csrf) == 64 and cookie.value
    return {"link": token, "csrf": csrf, "cookie": cookie.value, "key": "guess-guess-guess"}

"""Tablets as the network sees them: cookies, taps, event streams that break off, and bad manners."""

from __future__ import annotations

import http.client
import json
import random
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any

from drafts import walked

from web.security import csrf_of

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    data: Any


class Tablet:
    """One device with its cookie; it keeps that over a restart of the table."""

    def __init__(self, port: int) -> None:
        self.port = port
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S):
            pass
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
        answer = connection.getresponse()
        answer.read()
        self.cookie = str(answer.getheader("Set-Cookie")).split(";")[0]
        connection.close()

    def headers(self) -> dict[str, str]:
        """As our pages send them."""
        return {
            "Host": f"localhost:{self.port}",
            "Cookie": self.cookie,
            "X-CSRF-Token": csrf_of(self.cookie.partition("=")[2]),
            "Content-Type": "application/json",
        }

    def ask(self, method: str, path: str, data: Any = None) -> Reply:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            body = None if data is None else json.dumps(data)
            connection.request(method, path, body, self.headers())
            answer = connection.getresponse()
            raw = answer.read()
            return Reply(answer.status, json.loads(raw) if raw[:1] in (b"{", b"[") else None)
        finally:
            connection.close()

    def post(self, path: str, data: Any) -> Reply:
        """POST JSON."""
        return self.ask("POST", path, data)

    def state(self, seat: str) -> dict[str, Any]:
        """The seat's snapshot."""
        reply = self.ask("GET", f"/api/seat/{seat}/state")
        assert reply.status == 200, reply
        found: dict[str, Any] = reply.data
        return found

    # bad manners and bad networks

    def break_off(self, rng: random.Random) -> None:
        """A request that ends in the middle, by a reset of the connection."""
        path = rng.choice(["/api/seat/free/answer", "/events/watch", "/", "/api/start"])
        head = f"POST {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nContent-Length: 5000\r\n\r\n"
        raw = (head + '{"values": [' + "x" * 40).encode()
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as sock:
            sock.sendall(raw[: rng.randrange(1, len(raw))])
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def babble(self, rng: random.Random) -> None:
        """Something that is no HTTP."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as sock:
            sock.sendall(rng.randbytes(200) + b"\r\n\r\n")


class Stream:
    """An open event stream.  It reads what is there when asked to, or falls asleep and never reads."""

    def __init__(self, tablet: Tablet, who: str) -> None:
        self.sock = socket.create_connection(("127.0.0.1", tablet.port), PATIENCE_S)
        head = "".join(f"{name}: {value}\r\n" for name, value in tablet.headers().items())
        self.sock.sendall(f"GET /events/{who} HTTP/1.1\r\n{head}\r\n".encode())
        self.sock.setblocking(False)
        self.asleep = False

    def read(self) -> int:
        """Take in what has come; gives how much, -1 where the other side has closed."""
        if self.asleep:
            return 0
        taken = 0
        try:
            while True:
                more = self.sock.recv(1 << 16)
                if not more:
                    return -1
                taken += len(more)
        except BlockingIOError:
            return taken
        except OSError:
            return -1

    def drop(self, rng: random.Random) -> None:
        """The radio is gone: closed politely, or reset."""
        if rng.random() < 0.5:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


def seat_action(
    tablet: Tablet, seat: str, state: dict[str, Any], rng: random.Random, patience_s: float
) -> dict[str, Any] | None:
    """What a finger would confirm now: path and body of the tap, or None where this seat is not asked."""
    table = state["table"]
    ask = table["ask"]
    if ask is None or ask.get("sealed"):
        return None
    if ask["kind"] == "roll_dice":
        return roll(tablet, seat, ask, table["revision"], rng, patience_s)
    if "draft" not in ask:
        option = rng.choice([one for one in ask["options"] if one["refused"] is None])
        values = [option["value"]]
    else:

        def preview(values: list[Any]) -> dict[str, Any]:
            data = {"values": values, "revision": table["revision"]}
            reply = tablet.post(f"/api/seat/{seat}/preview", data)
            assert reply.status == 200, reply
            told: dict[str, Any] = reply.data
            return told

        values = walked(ask["draft"], preview, rng)
    return {"path": f"/api/seat/{seat}/answer", "data": {"values": values, "revision": table["revision"]}}


def roll(
    tablet: Tablet, seat: str, ask: dict[str, Any], revision: int, rng: random.Random, patience_s: float
) -> dict[str, Any]:
    """Throw on the virtual tray and take the reading where it is sure in time; else type the roll in."""
    path = f"/api/seat/{seat}/dice/accept"
    if rng.random() < 0.5:
        tablet.post(f"/api/seat/{seat}/dice/throw", {})
        until = time.monotonic() + patience_s
        while time.monotonic() < until:
            table = tablet.state(seat)["table"]
            offer = table["dice"]["roll"] if table["revision"] == revision else None
            if offer is not None and offer["status"] == "ok":
                data = {"revision": revision, "offer": offer["number"]}
                return {"path": path, "data": data, "by": "camera"}
            if offer is not None:
                break
            time.sleep(0.1)
    faces = {
        one["type"]: [rng.choice(one["faces"])["id"] for _ in range(one["count"])]
        for one in ask["roll"]["dice"]
    }
    return {"path": path, "data": {"revision": revision, "faces": faces}}

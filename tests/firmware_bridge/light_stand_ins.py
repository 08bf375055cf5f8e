"""Other people's controllers, by their published protocols; each refuses what those do not allow.

Adalight: Adafruit's LEDstream description (magic word, count - 1, check byte).
TPM2: the protocol description (0xC9, type, size, data, 0x36).
WLED: kno.wled.ge, "JSON API" and "Serial"; its way to count the pixels of a
TPM2 frame and its single-byte commands are behaviour of WLED 0.13 and 0.14.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import struct
import time
import tty
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

RGB = tuple[int, int, int]


class PtyDevice:
    """Something at the other end of a pseudo terminal; `take` gets every byte."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.lock = Lock()
        self._stop = Event()
        self.plug_in()

    def plug_in(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self._stop.clear()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self._stop.set()
        self._thread.join(5)
        os.close(self._slave)
        os.close(self._master)

    def say(self, text: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._master, text)

    def _run(self) -> None:
        while not self._stop.is_set():
            if select.select([self._master], [], [], 0.02)[0]:
                with contextlib.suppress(OSError):
                    for byte in os.read(self._master, 4096):
                        with self.lock:
                            self.take(byte)

    def take(self, byte: int) -> None:
        raise NotImplementedError


class Adalight(PtyDevice):
    """An Arduino with LEDstream: greets with "Ada", shows a frame when its last byte has come."""

    def __init__(self, leds: int) -> None:
        self.leds = leds
        self.frames: list[list[RGB]] = []
        self._header, self._data, self._wanted = bytearray(), bytearray(), 0
        super().__init__()
        self.say(b"Ada\n")

    def take(self, byte: int) -> None:
        if self._wanted:
            self._data.append(byte)
            if len(self._data) == self._wanted:
                triples = zip(self._data[::3], self._data[1::3], self._data[2::3], strict=True)
                self.frames.append(list(triples)[: self.leds])
                self._wanted = 0
            return
        self._header.append(byte)
        if not b"Ada".startswith(self._header[:3]):
            self.complaints.append(f"byte {byte:#04x} between frames")
            self._header.clear()
        if len(self._header) == 6:
            high, low, check = self._header[3:]
            if check != high ^ low ^ 0x55:
                self.complaints.append("wrong check byte")
            else:
                self._wanted, self._data = 3 * (high * 256 + low + 1), bytearray()
            self._header.clear()


class Tpm2(PtyDevice):
    """A receiver by the TPM2 description, which acknowledges each good frame with 0xAC."""

    def __init__(self, leds: int) -> None:
        self.leds = leds
        self.frames: list[list[RGB]] = []
        self._buffer = bytearray()
        super().__init__()

    def take(self, byte: int) -> None:
        buffer = self._buffer
        buffer.append(byte)
        if buffer[0] != 0xC9 or (len(buffer) == 2 and byte != 0xDA):
            self.complaints.append(f"byte {byte:#04x} where a frame must begin")
            buffer.clear()
        if len(buffer) < 4 or len(buffer) < 5 + int.from_bytes(buffer[2:4], "big"):
            return
        data = bytes(buffer[4:-1])
        if byte != 0x36 or not data:
            self.complaints.append("no end byte")
        else:
            self.frames.append(list(zip(data[::3], data[1::3], data[2::3], strict=True))[: self.leds])
            self.say(b"\xac")
        buffer.clear()


class WledState:
    """What a WLED shows, and its JSON API."""

    MOST_COLOURS = 256

    def __init__(self, leds: int) -> None:
        self.pixels: list[RGB] = [(255, 160, 0)] * leds
        self.on, self.brightness = False, 128
        self.calls: list[dict[str, Any]] = []

        self.limiter_ma = 2000
        self.segments = 1
        self.live_until = 0.0

    def info(self) -> dict[str, Any]:
        leds = {"count": len(self.pixels), "pwr": 0, "maxpwr": self.limiter_ma}
        live = time.monotonic() < self.live_until
        return {"ver": "0.14.0", "leds": leds, "live": live, "brand": "WLED", "product": "FOSS"}

    def state(self) -> dict[str, Any]:
        segments = [{"id": n, "len": len(self.pixels)} for n in range(self.segments)]
        return {"on": self.on, "bri": self.brightness, "seg": segments}

    def apply(self, call: dict[str, Any]) -> None:
        self.calls.append(call)
        assert set(call) <= {"on", "bri", "tt", "seg", "v"}, call
        self.on = call.get("on", self.on)
        self.brightness = call.get("bri", self.brightness)
        assert 1 <= self.brightness <= 255
        if "seg" in call:
            assert call["seg"]["id"] == 0
            self._individual(call["seg"].get("i", []))
            if "col" in call["seg"]:
                assert call["seg"]["fx"] == 0, "solid"
                colour = call["seg"]["col"][0]
                self.pixels = [(colour[0], colour[1], colour[2])] * len(self.pixels)

    def _individual(self, items: list[int | str]) -> None:
        """A number sets the place, a second one the end of a range, a colour paints it."""
        assert sum(isinstance(item, str) for item in items) <= self.MOST_COLOURS
        start, stop, numbers = 0, 0, 0
        for item in items:
            if isinstance(item, int):
                start, stop = (item, item) if numbers == 0 else (start, item)
                numbers += 1
                continue
            assert len(item) == 6
            colour = bytes.fromhex(item)
            end = stop if numbers == 2 else start + 1
            assert 0 <= start < end <= len(self.pixels)
            for index in range(start, end):
                self.pixels[index] = (colour[0], colour[1], colour[2])
            start, numbers = end, 0


class WledUsb(PtyDevice):
    """WLED's serial port: JSON, Adalight, TPM2 and its single-byte commands."""

    def __init__(self, leds: int) -> None:
        self.wled = WledState(leds)
        self.frames: list[list[RGB]] = []
        self._text, self._depth = bytearray(), 0
        self._raw, self._count = bytearray(), 0
        self._head = bytearray()
        super().__init__()
        self.say(b"Ada\n")

    def take(self, byte: int) -> None:
        if self._depth:
            self._json(byte)
        elif self._count:
            self._pixel(byte)
        elif self._head:
            self._header(byte)
        elif byte == ord("{"):
            self._json(byte)
        elif byte in (ord("A"), 0xC9):
            self._head.append(byte)
        elif 0xB0 <= byte <= 0xB7:
            self.complaints.append("the speed of the port was changed")
        elif byte not in b"\n\x36\0":
            self.complaints.append(f"stray byte {byte:#04x}")

    def _json(self, byte: int) -> None:
        self._text.append(byte)
        self._depth += (byte == ord("{")) - (byte == ord("}"))
        if self._depth:
            return
        call = json.loads(self._text)
        self._text.clear()
        self.wled.apply(call)
        if call.get("v"):
            self.say(b"some boot message\r\n")
            answer = {"state": self.wled.state(), "info": self.wled.info()}
            self.say(json.dumps(answer).encode() + b"\r\n")

    def _header(self, byte: int) -> None:
        self._head.append(byte)
        head = self._head
        if head[0] == 0xC9 and len(head) == 4:
            self._count = head[2] * 0x100 // 3 + head[3] // 3  # how WLED counts
            head.clear()
        elif head[0] == ord("A") and len(head) == 6:
            self._count = head[3] * 256 + head[4] + 1 if head[5] == head[3] ^ head[4] ^ 0x55 else 0
            head.clear()

    def _pixel(self, byte: int) -> None:
        self._raw.append(byte)
        if len(self._raw) == 3 * self._count:
            triples = zip(self._raw[::3], self._raw[1::3], self._raw[2::3], strict=True)
            self.frames.append(list(triples)[: len(self.wled.pixels)])
            self._raw.clear()
            self._count = 0


class DdpReceiver:
    """WLED's DDP port: pictures by the published protocol; 2.5 s after the last one its own state is shown.

    `deaf`: packets do not arrive, as behind a firewall.
    """

    REALTIME_S = 2.5

    def __init__(self, wled: WledState) -> None:
        self.wled = wled
        self.frames: list[list[RGB]] = []
        self.complaints: list[str] = []
        self.deaf = False
        self._buffer = bytearray(3 * len(wled.pixels))
        self._before = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.05)
        self.port = self._socket.getsockname()[1]
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def shown(self) -> list[RGB]:
        """What the strip shows now."""
        if self.frames and time.monotonic() < self.wled.live_until:
            return self.frames[-1]
        return self.wled.pixels

    def _run(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                packet = self._socket.recv(2048)
                if not self.deaf:
                    self._take(packet)

    def _take(self, packet: bytes) -> None:
        if len(packet) < 10:
            self.complaints.append("shorter than a header")
            return
        flags, sequence, kind, display, offset, length = struct.unpack(">BBBBIH", packet[:10])
        data = packet[10:]
        for wrong, complaint in (
            (flags & 0xC0 != 0x40, "not version 1"),
            (flags & 0x3E, "timecode, storage, reply or query"),
            (not 1 <= sequence <= 15, "sequence"),
            (kind != 0x0B, "not RGB of 8 bits"),
            (display != 1, "not the default display"),
            (length != len(data) or length > 1440, "length"),
            (offset + length > len(self._buffer), "beyond the strip"),
            (self._before and sequence not in (self._before, self._before % 15 + 1), "order"),
        ):
            if wrong:
                self.complaints.append(complaint)
        self._before = sequence
        self._buffer[offset : offset + length] = data
        self.wled.live_until = time.monotonic() + self.REALTIME_S
        if flags & 1:
            bytes_ = bytes(self._buffer)
            self.frames.append(list(zip(bytes_[::3], bytes_[1::3], bytes_[2::3], strict=True)))

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self._socket.close()


class WledHttpServer:
    """WLED's web server; `trouble` is a status or "drop" for the next requests."""

    def __init__(self, leds: int, port: int = 0) -> None:
        self.wled = WledState(leds)
        self.trouble: list[int | str] = []
        self.closed = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                pages = {"/json/info": outer.wled.info, "/json/state": outer.wled.state}
                self._answer(pages[self.path]() if self.path in pages else None)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert len(body) < 10_000, "WLED's buffer"
                if outer.closed:
                    self.close_connection = True
                    return
                if outer.trouble:
                    trouble = outer.trouble.pop(0)
                    if trouble == "drop":
                        self.close_connection = True
                        return
                    self._answer({"error": trouble}, 503)
                    return
                if self.path != "/json/state":
                    self._answer(None)
                    return
                outer.wled.apply(json.loads(body))
                self._answer({"success": True})

            def _answer(self, data: dict[str, Any] | None, status: int = 200) -> None:
                text = json.dumps(data).encode()
                self.send_response(status if data is not None else 404)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.closed = True  # connections that are open end with their next request
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

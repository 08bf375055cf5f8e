"""WLED controllers: whole pictures by DDP, or single LEDs by the JSON API over HTTP or a serial port.

DDP (http://www.3waylabs.com/ddp/, https://kno.wled.ge/interfaces/ddp): one UDP packet a picture, port 4048.
While packets come, WLED shows them as they are, without gamma; 2.5 s after the last one it goes back to its
own state, which is set to black when the line is opened, so that silence is dark.

https://kno.wled.ge/interfaces/json-api/ : `{"seg":{"id":0,"i":[from, to, "RRGGBB", ...]}}`
sets single LEDs; colours are hexadecimal because that is the shortest form;
`bri` is the brightness, `tt` 0 switches the cross-fade of this call off.
WLED has its own gamma and its own current limiter (set it there as well).
"""

from __future__ import annotations

import http.client
import json
import socket
import struct
import time
from typing import Any
from urllib.parse import urlsplit

import serial

from firmware_bridge.model import RGB

DDP_PORT = 4048
DDP_VERSION_1, DDP_PUSH = 0x40, 0x01
DDP_RGB_8_BIT, DDP_DISPLAY = 0x0B, 1
DDP_MOST_BYTES = 1440  # of colours in a packet, so that it fits into one Ethernet frame
CHECK_S = 2.0  # between two looks whether the packets arrive: UDP itself does not tell

COLOURS_A_CALL = 40
"""The JSON buffer of a small WLED board takes about 256 colours; the serial line far fewer."""


def individual(picture: list[RGB], old: list[RGB] | None) -> list[int | str]:
    """The `i` array for what differs from `old`: from, to (exclusive), colour."""
    runs: list[int | str] = []
    start = 0
    for index in range(1, len(picture) + 1):
        if index < len(picture) and picture[index] == picture[start]:
            continue
        if old is None or picture[start:index] != old[start:index]:
            runs += [start, index, "{:02X}{:02X}{:02X}".format(*picture[start])]
        start = index
    return runs


def messages(picture: list[RGB], old: list[RGB] | None, brightness: int) -> list[dict[str, object]]:
    """State objects that lead from `old` (None: unknown) to `picture`; the first one also switches on."""
    runs = individual(picture, old)
    step = 3 * COLOURS_A_CALL
    parts = [runs[at : at + step] for at in range(0, len(runs), step)] or [[]]
    calls: list[dict[str, object]] = []
    for number, part in enumerate(parts):
        call: dict[str, object] = {"tt": 0}
        if number == 0:
            call |= {"on": True, "bri": brightness}
        if part:
            call["seg"] = {"id": 0, "i": part}
        calls.append(call)
    return calls


def ddp_packets(picture: list[RGB], sequence: int) -> list[bytes]:
    """The packets of one picture; the last one says that it is to be shown.  `sequence`: 1 to 15."""
    colours = b"".join(map(bytes, picture))
    packets = []
    for at in range(0, len(colours), DDP_MOST_BYTES):
        part = colours[at : at + DDP_MOST_BYTES]
        push = DDP_PUSH if at + len(part) == len(colours) else 0
        head = struct.pack(
            ">BBBBIH", DDP_VERSION_1 | push, sequence, DDP_RGB_8_BIT, DDP_DISPLAY, at, len(part)
        )
        packets.append(head + part)
    return packets


class _Wled:
    raw = True

    def __init__(self) -> None:
        self._old: list[RGB] | None = None
        self._brightness = -1

    def send(self, picture: list[RGB], brightness: int) -> None:
        """Send what differs."""
        if picture == self._old and brightness == self._brightness:
            self._call({"v": True})  # alive?
            return
        calls = messages(picture, self._old, brightness)
        self._old = None
        for call in calls:
            self._call(call)
        self._old, self._brightness = list(picture), brightness

    def _call(self, state: dict[str, object]) -> None:
        raise NotImplementedError


class WledHttp(_Wled):
    """WLED at an address like http://192.168.1.40."""

    def __init__(self, address: str, timeout: float = 2.0) -> None:
        super().__init__()
        parts = urlsplit(address if "//" in address else f"http://{address}")
        self.host = parts.hostname or ""
        self._port, self._timeout = parts.port or 80, timeout
        self._line: http.client.HTTPConnection | None = None

    def open(self) -> None:
        """Ask who is there; OSError if it is not a WLED."""
        self._old = None
        self._line = http.client.HTTPConnection(self.host, self._port, timeout=self._timeout)
        self.info()

    def info(self) -> dict[str, Any]:
        """What it says about itself (`ver`, `leds`, `live`...); OSError if it is not a WLED."""
        info = self._ask("GET", "/json/info", None)
        if info.get("brand") != "WLED":
            raise OSError(f"{self.host} is not a WLED controller")
        return info

    def segments(self) -> int:
        """How many segments its strip is divided into."""
        found = self._ask("GET", "/json/state", None).get("seg")
        return len(found) if isinstance(found, list) else 0

    def set_state(self, state: dict[str, object]) -> None:
        """Change some of its state; OSError where it refuses."""
        self._call(state)

    def _call(self, state: dict[str, object]) -> None:
        answer = self._ask("POST", "/json/state", json.dumps(state, separators=(",", ":")))
        if "error" in answer:
            raise OSError(f"WLED error {answer['error']}")

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, object]:
        if self._line is None:
            raise OSError("not open")
        try:
            self._line.request(method, path, body, {"Content-Type": "application/json"})
            response = self._line.getresponse()
            text = response.read()
            answer = json.loads(text)
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(f"{self.host}: {error}") from error
        if response.status != 200 or not isinstance(answer, dict):
            raise OSError(f"{self.host} answered {response.status}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._line:
            self._line.close()
            self._line = None


class WledDdp:
    """WLED at an address like http://192.168.1.40: pictures by DDP, everything else by HTTP."""

    raw = False

    def __init__(self, address: str, udp_port: int | None = None) -> None:
        self._control = WledHttp(address)
        self._target = (self._control.host, udp_port or DDP_PORT)
        self._socket: socket.socket | None = None
        self._sequence = 0
        self._checked = 0.0
        self._sent = 0

    def open(self) -> None:
        """Ask who is there and make its own state black at full brightness; OSError if it is no WLED."""
        self._control.open()
        black = {"id": 0, "fx": 0, "col": [[0, 0, 0]]}
        self._control.set_state({"on": True, "bri": 255, "tt": 0, "seg": black})
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sent, self._checked = 0, time.monotonic()

    def send(self, picture: list[RGB], brightness: int) -> None:
        """Send one picture; every two seconds look whether it arrives."""
        del brightness  # already in the colours
        if self._socket is None:
            raise OSError("not open")
        self._sequence = self._sequence % 15 + 1
        for packet in ddp_packets(picture, self._sequence):
            self._socket.sendto(packet, self._target)
        self._sent += 1
        if self._sent > 1 and time.monotonic() - self._checked >= CHECK_S:
            self._checked = time.monotonic()
            if not self._control.info().get("live"):
                raise OSError(f"{self._target[0]} gets no DDP packets (UDP port {self._target[1]})")

    def close(self) -> None:
        """Let it go; what it shows goes out by itself."""
        self._control.close()
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class WledSerial(_Wled):
    """WLED at the end of a USB cable; it answers only when asked with `v`."""

    ANSWER_SECONDS = 2.0

    def __init__(self, port: str, baud: int = 115_200) -> None:
        super().__init__()
        self._path, self._baud = port, baud
        self._line: serial.Serial | None = None

    def open(self) -> None:
        """Open exclusively and ask for its info; OSError if none comes."""
        self._old = None
        line = serial.Serial()
        line.port, line.baudrate, line.exclusive = self._path, self._baud, True
        line.timeout, line.write_timeout = self.ANSWER_SECONDS, 1.0
        line.open()
        self._line = line
        line.reset_input_buffer()
        self.info()

    def info(self) -> dict[str, Any]:
        """What it says about itself (`ver`, `leds`...); OSError if it is not a WLED."""
        info = self._converse({"v": True}).get("info")
        if not isinstance(info, dict) or info.get("brand") != "WLED":
            raise OSError(f"{self._path} is not a WLED controller")
        return info

    def segments(self) -> int:
        """How many segments its strip is divided into."""
        state = self._converse({"v": True}).get("state")
        found = state.get("seg") if isinstance(state, dict) else None
        return len(found) if isinstance(found, list) else 0

    def _call(self, state: dict[str, object]) -> None:
        if state.get("v"):
            self._converse(state)
        else:
            self._write(state)

    def _write(self, state: dict[str, object]) -> None:
        if self._line is None:
            raise OSError("not open")
        self._line.write(json.dumps(state, separators=(",", ":")).encode() + b"\n")
        self._line.flush()

    def _converse(self, state: dict[str, object]) -> dict[str, object]:
        """Ask and read one line of JSON; other lines (boot messages) are skipped."""
        self._write(state)
        for _ in range(20):
            line = self._line.readline() if self._line else b""
            if not line.endswith(b"\n"):
                break
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            if isinstance(answer, dict):
                return answer
        raise OSError(f"{self._path}: WLED does not answer")

    def close(self) -> None:
        """Close the port."""
        if self._line is not None:
            self._line.close()
            self._line = None

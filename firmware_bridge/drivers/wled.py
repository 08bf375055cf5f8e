"""WLED controllers by their JSON API, over a serial port or over HTTP on the local network.

https://kno.wled.ge/interfaces/json-api/ : `{"seg":{"id":0,"i":[from, to, "RRGGBB", ...]}}`
sets single LEDs; colours are hexadecimal because that is the shortest form;
`bri` is the brightness, `tt` 0 switches the cross-fade of this call off.
WLED has its own gamma and its own current limiter (set it there as well).
"""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import serial

from firmware_bridge.model import RGB

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
        self._host, self._port, self._timeout = parts.hostname or "", parts.port or 80, timeout
        self._line: http.client.HTTPConnection | None = None

    def open(self) -> None:
        """Ask who is there; OSError if it is not a WLED."""
        self._old = None
        self._line = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        info = self._ask("GET", "/json/info", None)
        if info.get("brand") != "WLED":
            raise OSError(f"{self._host} is not a WLED controller")

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
            raise OSError(f"{self._host}: {error}") from error
        if response.status != 200 or not isinstance(answer, dict):
            raise OSError(f"{self._host} answered {response.status}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._line:
            self._line.close()
            self._line = None


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
        answer = self._converse({"v": True})
        info = answer.get("info")
        if not isinstance(info, dict) or info.get("brand") != "WLED":
            raise OSError(f"{self._path} is not a WLED controller")

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

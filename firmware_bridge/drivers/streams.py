"""Adalight and TPM2: controllers that take raw frames over a serial port.

Adalight: "Ada", pixel count - 1 (big-endian), check byte high ^ low ^ 0x55,
then red, green, blue a pixel (P. Burgess, Adafruit, LEDstream).
TPM2: 0xC9, 0xDA, payload size (big-endian), payload, 0x36.
"""

from __future__ import annotations

import time

import serial

from firmware_bridge.model import RGB


def adalight_frame(picture: list[RGB]) -> bytes:
    """One frame; at least one pixel, at most 65,536."""
    high, low = divmod(len(picture) - 1, 256)
    header = b"Ada" + bytes([high, low, high ^ low ^ 0x55])
    return header + b"".join(map(bytes, picture))


def tpm2_frame(picture: list[RGB]) -> bytes:
    """One data frame of at most 21,845 pixels.

    WLED divides the high and the low byte of the size by three one after the
    other, so for most sizes above 255 it counts a pixel less and reads the rest
    as commands (0xB0..0xB7 would change its speed).  Up to two black pixels
    more make both ways of counting agree; other receivers ignore them.
    """
    pixels = list(picture)
    while (3 * len(pixels) & 0xFF00) // 3 + (3 * len(pixels) & 0xFF) // 3 != len(pixels):
        pixels.append((0, 0, 0))
    size = 3 * len(pixels)
    return b"\xc9\xda" + size.to_bytes(2, "big") + b"".join(map(bytes, pixels)) + b"\x36"


class SerialStream:
    """Writes frames of one of the two formats to a serial port."""

    raw = False

    def __init__(self, port: str, kind: str, baud: int = 115_200, settle: float = 0.1) -> None:
        self._path, self._baud, self._settle = port, baud, settle
        self._frame = {"adalight": adalight_frame, "tpm2": tpm2_frame}[kind]
        self._port: serial.Serial | None = None

    def open(self) -> None:
        """Open exclusively; the receiver may reset, and swallows what comes meanwhile."""
        port = serial.Serial()
        port.port, port.baudrate = self._path, self._baud
        port.timeout, port.write_timeout, port.exclusive = 0, 1.0, True
        port.open()
        self._port = port
        time.sleep(self._settle)

    def send(self, picture: list[RGB], brightness: int) -> None:
        """Write one frame and read away what the receiver says (greetings, 0xAC)."""
        del brightness  # already in the colours
        if self._port is None:
            raise OSError("not open")
        self._port.read(self._port.in_waiting)
        self._port.write(self._frame(picture))
        self._port.flush()

    def close(self) -> None:
        """Close the port."""
        if self._port is not None:
            self._port.close()
            self._port = None

"""A million bytes of everything that may come over a wire; the firmware must answer after each chunk."""

from __future__ import annotations

import random
import shutil
import subprocess

import pytest
from lights_lab import FULL, configure, on_both_boards, update

from firmware_bridge.emulator import Controller
from firmware_bridge.emulator.process import build_part
from firmware_bridge.link import FrameRefused, Link, LinkLost
from firmware_bridge.protocol import (
    MAX_PAYLOAD,
    ColourOrder,
    Op,
    Send,
    Stats,
    StripSettings,
    encode,
    op_copy,
    op_fill,
    op_slot,
    pixel_value,
)
from referee.kernel.lights import Pattern

CHUNK = 20_000


def _frame(random_: random.Random) -> bytes:
    """A frame whose CRC is right and whose content is anything, often nearly sensible."""
    kind = random_.choice([*Send, *Send, random_.randrange(256)])
    body = random_.randbytes(random_.randrange(MAX_PAYLOAD - 1))
    if random_.random() < 0.5:
        body = bytes([random_.randrange(2), random_.choice(list(Op))]) + body[:40]
    return encode(kind, random_.randrange(256), body)


def _sensible(random_: random.Random) -> bytes:
    """A frame that the controller obeys, at the edges of what is allowed."""
    if random_.random() < 0.2:
        count = random_.choice([1, 2, 105, 299, 300])
        settings = StripSettings(count, ColourOrder(random_.randrange(6)), random_.randrange(256), 900)
        return encode(Send.CONFIG, random_.randrange(256), settings.body())
    ops = [op_slot(random_.randrange(1, 32), *random_.randbytes(3), random_.randrange(6)) for _ in range(4)]
    start = random_.choice([0, 1, 50, 100, 298])
    ops.append(
        random_.choice([op_fill(start, 2, random_.randrange(256)), op_copy(start, random_.randbytes(2))])
    )
    return encode(Send.UPDATE, random_.randrange(256), bytes([random_.randrange(2)]) + b"".join(ops))


def _noise(random_: random.Random) -> bytes:
    return random_.randbytes(random_.randrange(400))


def _torn(random_: random.Random) -> bytes:
    frame = _frame(random_)
    start = random_.randrange(len(frame))
    return frame[start:] if random_.random() < 0.5 else frame[: start + 1]


def _flipped(random_: random.Random) -> bytes:
    frame = bytearray(_frame(random_))
    frame[random_.randrange(len(frame))] ^= 1 << random_.randrange(8)
    return bytes(frame)


def _repeated(random_: random.Random) -> bytes:
    return _frame(random_) * random_.randrange(1, 6)


def _flood(random_: random.Random) -> bytes:
    return bytes([random_.choice([0, 1, 2, 0x55, 0xFF])]) * random_.randrange(600)


def _chunk(random_: random.Random) -> bytes:
    makers = [_frame, _sensible, _sensible, _noise, _torn, _flipped, _repeated, _flood]
    chunk = bytearray()
    while len(chunk) < CHUNK:
        chunk += random_.choice(makers)(random_)
    return bytes(chunk[:CHUNK])


def _answers(link: Link) -> bool:
    """Whether a ping is acknowledged once the noise is through (whose replies may look like refusals)."""
    for _ in range(20):
        try:
            return bool(link.exchange(Send.PING, b"", 3.0))
        except (FrameRefused, LinkLost):
            continue
    return False


@pytest.mark.firmware
@pytest.mark.timeout(240)
@on_both_boards
def test_a_million_bytes_never_hang_it(board: Controller, link: Link) -> None:
    random_ = random.Random(20)
    sent, enough = 0, 200_000 if board.kind == "pico" else 1_000_000  # only the USB port is another one there
    link._port.write_timeout = 60
    while sent < enough:
        chunk = _chunk(random_)
        sent += link._port.write(chunk) or 0
        link._port.reset_input_buffer()
        assert _answers(link)
    stats = link.exchange(Send.STATS)
    assert isinstance(stats, Stats)
    assert stats.watchdog_resets == 0 and stats.bad_frames > enough / 1000
    assert not [e for e in board.events() if e["event"] in ("watchdog", "crashed")]
    assert board.events()[-1].get("overruns", 0) == 0, "nothing was lost although pictures were written"
    board.forget()
    configure(link, FULL)
    update(link, b"\x04", op_slot(1, 255, 0, 0, Pattern.STEADY), op_fill(7, 1, pixel_value(1)))
    board.wait_for(lambda picture: [i for i, c in enumerate(picture.colours()) if any(c)] == [7])


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ for the host build of the firmware")
@pytest.mark.parametrize("seed", range(2))
def test_sanitizers_find_nothing_in_the_portable_firmware(seed: int) -> None:
    """The same C++ under AddressSanitizer and UBSan: a million bytes more, and it still does its work."""
    program = build_part("firmware", "lights_host")
    random_ = random.Random(1000 + seed)
    noise = b"".join(_chunk(random_) for _ in range(1_000_000 // CHUNK))
    last = [
        encode(Send.CONFIG, 1, FULL.body()),
        encode(Send.UPDATE, 2, b"\x01\x04" + op_slot(1, 255, 128, 0, Pattern.STEADY) + op_fill(5, 1, 8)),
        encode(Send.PING, 3),
    ]
    done = subprocess.run([program], input=noise + b"\0" + b"".join(last), capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    counters, _, picture = done.stdout.decode().partition(" last ")
    numbers = counters.split()
    assert int(numbers[1]) == len(noise) + 1 + sum(map(len, last))
    assert int(numbers[3]) > 10_000 and int(numbers[5]) > 100
    lit = {i: int(v) for i, v in enumerate(picture.split()) if v != "0"}
    assert lit == {3 * 5: 56, 3 * 5 + 1: 255}, "green first"

"""The wire: frames survive, garbage does not, and C++ and Python speak the same numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_bridge
from firmware_bridge import model, protocol
from firmware_bridge.protocol import Decoder, Op, Receive, RefusalCode, Send, Status, decode, encode, parse
from referee.kernel.lights import Pattern

FIRMWARE = Path(firmware_bridge.__file__).parent / "firmware"
PAYLOADS = st.binary(min_size=0, max_size=protocol.MAX_PAYLOAD - 2)


@given(st.integers(0, 255), st.integers(0, 255), PAYLOADS)
def test_a_frame_survives_the_wire(kind: int, sequence: int, body: bytes) -> None:
    frame = encode(kind, sequence, body)
    assert frame.count(0) == 1 and frame[-1] == 0
    assert decode(frame[:-1]) == bytes([kind, sequence]) + body


@given(PAYLOADS, st.integers(0, 10_000), st.integers(1, 255))
def test_one_wrong_byte_is_noticed(body: bytes, place: int, flip: int) -> None:
    frame = bytearray(encode(Send.UPDATE, 7, body)[:-1])
    frame[place % len(frame)] ^= flip
    assert decode(bytes(frame)) is None or 0 in frame


@given(st.lists(st.binary(max_size=300), max_size=8), PAYLOADS)
def test_the_decoder_finds_the_frame_after_any_noise(noise: list[bytes], body: bytes) -> None:
    decoder = Decoder()
    for chunk in noise:
        decoder.feed(chunk)
    assert decoder.feed(b"\0" + encode(Send.PING, 9, body))[-1] == bytes([Send.PING, 9]) + body


def test_the_decoder_never_grows() -> None:
    decoder = Decoder()
    for _ in range(50):
        decoder.feed(b"\x01" * 1000)
        assert len(decoder._buffer) <= Decoder.LIMIT


@given(st.binary(min_size=2, max_size=60))
def test_no_payload_makes_parse_stumble(payload: bytes) -> None:
    parse(payload)


def test_a_frame_that_is_too_long_is_refused_here_not_by_the_controller() -> None:
    with pytest.raises(ValueError, match="at most 158"):
        encode(Send.UPDATE, 1, bytes(157))


def _constants(header: str) -> dict[str, int]:
    text = re.sub(r"//.*", "", (FIRMWARE / header).read_text(encoding="utf-8"))
    found = re.findall(r"\b(k\w+) = (0x[0-9A-Fa-f]+|\d+)", text)
    return {name: int(value, 0) for name, value in found}


def test_firmware_and_python_speak_the_same_numbers() -> None:
    wire = _constants("protocol.h")
    pairs = [
        *((f"k{kind.name.title().replace('_', '')}", kind) for kind in Send),
        *((f"kOp{op.name.title()}", op) for op in Op),
        *((f"k{reason.name.title().replace('_', '')}", reason) for reason in RefusalCode),
        ("kHelloReply", Receive.HELLO),
        ("kAck", Receive.ACK),
        ("kNak", Receive.NAK),
        ("kStatsReply", Receive.STATS),
        ("kButton", Receive.BUTTON),
        ("kHasState", Status.HAS_STATE),
        ("kPowerLimited", Status.POWER_LIMITED),
        ("kAnimating", Status.ANIMATING),
        ("kConfigured", Status.CONFIGURED),
        ("kVersion", protocol.VERSION),
        ("kMaxPayload", protocol.MAX_PAYLOAD),
        ("kSlots", protocol.SLOTS),
    ]
    assert {name: wire[name] for name, _ in pairs} == {name: int(value) for name, value in pairs}


def test_firmware_and_model_agree_on_the_rhythm() -> None:
    ours = _constants("lights.cpp")
    assert ours["kBlinkPeriod"] == model.BLINK_MS
    assert ours["kPulsePeriod"] == model.PULSE_MS
    assert ours["kBreathePeriod"] == model.BREATHE_MS
    assert ours["kChaseStep"] == model.CHASE_STEP_MS
    assert ours["kGlowLevel"] == model.GLOW_LEVEL


def test_patterns_have_the_numbers_of_the_contract() -> None:
    text = (FIRMWARE / "lights.h").read_text(encoding="utf-8")
    names = re.search(r"enum Pattern : uint8_t \{ (.+), kPatternCount \}", text)
    assert names
    assert [name.strip().removeprefix("k").upper() for name in names[1].split(",")] == [
        p.name for p in Pattern
    ]


def test_the_gamma_table_in_flash_is_the_formula() -> None:
    numbers = re.findall(r"\d+", (FIRMWARE / "gamma_table.h").read_text().split("= {")[1])
    assert tuple(map(int, numbers)) == model.GAMMA

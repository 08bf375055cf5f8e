"""The same `Lights` on other people's hardware, byte by byte, and the `[lights]` section."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from light_stand_ins import Adalight, DdpReceiver, PtyDevice, Tpm2, WledHttpServer, WledState, WledUsb
from lights_lab import FULL, PLACES, eventually, shown

from firmware_bridge.drivers import LightsConfig, LightsConfigError, open_lights, wled
from firmware_bridge.drivers.config import DRIVERS
from firmware_bridge.drivers.plain import NullLights, TerminalLights
from firmware_bridge.drivers.streams import adalight_frame, tpm2_frame
from firmware_bridge.drivers.wled import ddp_packets, messages
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import current_ma
from firmware_bridge.protocol import StripSettings
from firmware_bridge.status import LinkState
from referee.kernel.lights import Light, Lights, Pattern

RED, GREEN, BLUE = (Light(*rgb) for rgb in ((255, 0, 0), (0, 255, 0), (0, 0, 255)))
THREE: Lights = {"r0": RED, "r50": GREEN, "r104": BLUE}
PIXELS = {0: (255, 0, 0), 50: (0, 255, 0), 104: (0, 0, 255)}
SECTION = {"brightness": 255, "budget_ma": 20_000}
PICTURES = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=300)


def _lit(picture: list[tuple[int, int, int]]) -> dict[int, tuple[int, int, int]]:
    return {i: c for i, c in enumerate(picture) if any(c)}


# --- Adalight and TPM2 ----------------------------------------------------------


@pytest.mark.parametrize(
    ("driver", "device"), [("adalight", Adalight), ("tpm2", Tpm2), ("adalight", WledUsb), ("tpm2", WledUsb)]
)
def test_streamed_frames_by_the_protocol(driver: str, device: Callable[[int], PtyDevice]) -> None:
    receiver = device(105)
    sink = open_lights(SECTION | {"driver": driver, "port": receiver.port}, PLACES)
    number = sink.show(THREE)
    eventually(lambda: sink.status().acknowledged == number)
    eventually(lambda: bool(receiver.frames) and _lit(receiver.frames[-1]) == PIXELS)  # type: ignore[attr-defined]
    sink.show({"r1": Light(255, 255, 255, Pattern.BLINK)})
    eventually(lambda: _lit(receiver.frames[-1]) == {1: (255, 255, 255)})  # type: ignore[attr-defined]
    eventually(lambda: not _lit(receiver.frames[-1]))  # type: ignore[attr-defined]
    sink.close()
    eventually(lambda: not _lit(receiver.frames[-1]))  # type: ignore[attr-defined]
    receiver.unplug()
    assert receiver.complaints == []


@given(PICTURES)
def test_adalight_frames(picture: list[tuple[int, int, int]]) -> None:
    frame = adalight_frame(picture)
    assert frame[:3] == b"Ada" and frame[5] == frame[3] ^ frame[4] ^ 0x55
    assert int.from_bytes(frame[3:5], "big") + 1 == len(picture) == (len(frame) - 6) / 3


@given(PICTURES)
def test_both_ways_to_count_a_tpm2_frame_agree(picture: list[tuple[int, int, int]]) -> None:
    frame = tpm2_frame(picture)
    size = int.from_bytes(frame[2:4], "big")
    assert len(frame) == size + 5 and frame[-1] == 0x36
    assert frame[2] * 256 // 3 + frame[3] // 3 == size // 3
    assert 0 <= size // 3 - len(picture) <= 2


def test_a_streaming_receiver_unplugged_and_plugged_in_again(tmp_path: Path) -> None:
    receiver = Adalight(105)
    link = tmp_path / "port"
    link.symlink_to(receiver.port)
    sink = open_lights(SECTION | {"driver": "adalight", "port": str(link)}, PLACES)
    sink.show(THREE)
    eventually(lambda: bool(receiver.frames))
    receiver.unplug()
    eventually(lambda: sink.status().state is LinkState.SEARCHING)
    sink.show({"r7": RED})
    receiver.plug_in()
    link.unlink()
    link.symlink_to(receiver.port)
    eventually(lambda: _lit(receiver.frames[-1]) == {7: (255, 0, 0)})
    sink.close()
    receiver.unplug()


def test_the_budget_holds_on_the_host_too() -> None:
    receiver = Adalight(105)
    settings = {"brightness": 255, "budget_ma": 600, "driver": "adalight", "port": receiver.port}
    sink = open_lights(settings, PLACES)
    sink.show({place: Light(255, 255, 255, Pattern.PULSE) for place in PLACES})
    eventually(lambda: len(receiver.frames) > 20)
    sink.close()
    receiver.unplug()
    strip = StripSettings(105, budget_ma=600)
    assert 300 < max(current_ma(frame, strip) for frame in receiver.frames) <= 600


# --- WLED ----------------------------------------------------------------------


@given(PICTURES, st.data())
def test_json_calls_lead_from_any_picture_to_any_other(
    old: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    new = data.draw(st.lists(st.sampled_from([*old[:3], (1, 2, 3)]), min_size=len(old), max_size=len(old)))
    wled = WledState(len(old))
    for before, after in ((None, old), (old, new)):
        for call in messages(after, before, 99):
            wled.apply(call)
    assert wled.pixels == new and wled.on and wled.brightness == 99


def test_wled_over_http() -> None:
    server = WledHttpServer(105)
    sink = open_lights(SECTION | {"driver": "wled-http", "address": server.address}, PLACES)
    sink.show(THREE)
    eventually(lambda: _lit(server.wled.pixels) == PIXELS)
    assert server.wled.on and server.wled.brightness == 255
    assert sink.status().state is LinkState.READY
    server.trouble += [3, "drop"]
    sink.show({"r2": Light(9, 8, 7)})
    eventually(lambda: _lit(server.wled.pixels) == {2: (9, 8, 7)})
    sink.close()
    assert not _lit(server.wled.pixels)
    server.close()


def test_wled_over_http_goes_away_and_comes_back() -> None:
    server = WledHttpServer(105)
    port = server.port
    sink = open_lights(SECTION | {"driver": "wled-http", "address": server.address}, PLACES)
    sink.show(THREE)
    eventually(lambda: _lit(server.wled.pixels) == PIXELS)
    server.close()
    sink.show({"r5": RED})
    eventually(lambda: sink.status().state is LinkState.SEARCHING)
    again = WledHttpServer(105, port)
    eventually(lambda: _lit(again.wled.pixels) == {5: (255, 0, 0)})
    sink.close()
    again.close()


def test_something_else_at_the_address_is_not_taken_for_a_wled() -> None:
    server = WledHttpServer(5)
    server.wled.info = lambda: {"brand": "Toaster"}  # type: ignore[method-assign]
    sink = open_lights({"driver": "wled-http", "address": server.address}, PLACES)
    time.sleep(0.3)
    assert not sink.status().working and not server.wled.calls
    sink.close()
    server.close()


@pytest.fixture
def ddp(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[WledHttpServer, DdpReceiver]]:
    """A WLED with its web server and its DDP port."""
    server = WledHttpServer(105)
    receiver = DdpReceiver(server.wled)
    monkeypatch.setattr(wled, "DDP_PORT", receiver.port)
    yield server, receiver
    receiver.close()
    server.close()


def test_wled_by_ddp(ddp: tuple[WledHttpServer, DdpReceiver]) -> None:
    server, receiver = ddp
    sink = open_lights(SECTION | {"driver": "wled-ddp", "address": server.address}, PLACES)
    number = sink.show(THREE)
    eventually(lambda: sink.status().acknowledged == number)
    eventually(lambda: _lit(receiver.shown()) == PIXELS)
    assert server.wled.on and server.wled.brightness == 255, "or it would dim what is already dimmed"
    sink.show({"r1": Light(255, 255, 255, Pattern.BLINK)})
    eventually(lambda: _lit(receiver.shown()) == {1: (255, 255, 255)})
    eventually(lambda: not _lit(receiver.shown()))
    sink.close()
    eventually(lambda: not _lit(receiver.shown()))
    receiver.wled.live_until = 0.0
    assert not _lit(receiver.shown()), "dark too when it goes back to its own state"
    assert receiver.complaints == []


def test_ddp_packets_that_do_not_arrive_are_noticed(ddp: tuple[WledHttpServer, DdpReceiver]) -> None:
    server, receiver = ddp
    receiver.deaf = True
    sink = open_lights(SECTION | {"driver": "wled-ddp", "address": server.address}, PLACES)
    sink.show({"r1": Light(255, 0, 0, Pattern.BLINK)})
    eventually(lambda: sink.status().state is LinkState.SEARCHING and sink.status().counters["failures"] > 0)
    receiver.deaf = False
    eventually(lambda: bool(_lit(receiver.shown())))
    sink.close()


def test_the_budget_holds_by_ddp(ddp: tuple[WledHttpServer, DdpReceiver]) -> None:
    server, receiver = ddp
    section = {"brightness": 255, "budget_ma": 600, "driver": "wled-ddp", "address": server.address}
    sink = open_lights(section, PLACES)
    sink.show({place: Light(255, 255, 255, Pattern.PULSE) for place in PLACES})
    eventually(lambda: len(receiver.frames) > 20)
    sink.close()
    strip = StripSettings(105, budget_ma=600)
    assert 300 < max(current_ma(frame, strip) for frame in receiver.frames) <= 600


@given(PICTURES, st.integers(1, 15))
def test_ddp_packets(picture: list[tuple[int, int, int]], sequence: int) -> None:
    packets = ddp_packets(picture * 3, sequence)  # as long as needs more than one packet
    assert b"".join(packet[10:] for packet in packets) == b"".join(map(bytes, picture * 3))
    offset = 0
    for number, packet in enumerate(packets):
        assert packet[0] == (0x41 if number == len(packets) - 1 else 0x40) and packet[1] == sequence
        assert int.from_bytes(packet[4:8], "big") == offset
        assert int.from_bytes(packet[8:10], "big") == len(packet) - 10 <= 1440
        offset += len(packet) - 10


def test_wled_over_a_cable() -> None:
    device = WledUsb(105)
    sink = open_lights(SECTION | {"driver": "wled-serial", "port": device.port}, PLACES)
    sink.show(THREE)
    eventually(lambda: _lit(device.wled.pixels) == PIXELS)
    eventually(lambda: any(call.get("v") for call in device.wled.calls[3:]), 10)  # still there?
    sink.close()
    eventually(lambda: not _lit(device.wled.pixels))
    device.unplug()
    assert device.complaints == []


# --- nothing and a terminal -------------------------------------------------------


def test_no_lights_acknowledge_everything() -> None:
    acks: list[int] = []
    sink = NullLights(lambda number, _: acks.append(number))
    assert [sink.show(THREE), sink.show({})] == acks == [1, 2]
    assert sink.status().working and sink.status().state is LinkState.OFF
    sink.close()
    assert sink.status().state is LinkState.CLOSED


def test_a_terminal_shows_colour_and_pattern() -> None:
    stream = io.StringIO()
    sink = TerminalLights(LedMap.identity(PLACES), stream)
    sink.show(
        {"r3": Light(1, 2, 3, Pattern.BLINK), "r2": Light(255, 0, 0), "r4": Light(5, 5, 5, Pattern.OFF)}
    )
    assert stream.getvalue() == "\x1b[38;2;255;0;0m●\x1b[0mr2 \x1b[38;2;1;2;3m✱\x1b[0mr3\n"
    stream.close()
    sink.show(THREE)
    assert not sink.status().working, "a closed terminal is a state, not an exception"


# --- the section --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"drivr": "own"}, "driver"),
        ({"driver": "wled"}, "wled-ddp"),
        ({"driver": "adalight"}, "port"),
        ({"driver": "wled-http"}, "address"),
        ({"leds": 301}, "from 1 to 300"),
        ({"leds": "many"}, "number"),
        ({"brightness": 0}, "from 1 to 255"),
        ({"order": "RGBW"}, "RGB"),
        ({"faults": {"lose": 1}}, "lose_in"),
        ({"faults": {"lose_in": 2}}, "from 0 to 1"),
        ({"faults": 3}, "table"),
    ],
)
def test_a_wrong_section_gets_a_sentence(section: dict[str, object], words: str) -> None:
    with pytest.raises(LightsConfigError, match=words) as error:
        LightsConfig.from_mapping(section)
    assert error.value.sentence_de != error.value.sentence_en


def test_every_driver_is_documented() -> None:
    from firmware_bridge.drivers import config

    assert config.__doc__
    for name in (*DRIVERS, *LightsConfig.__dataclass_fields__):
        assert name in config.__doc__


def test_the_emulator_driver_brings_its_own_controller() -> None:
    from firmware_bridge.drivers.config import EmulatedLights

    sink = open_lights(SECTION | {"driver": "emulator", "leds": 105}, PLACES)
    assert isinstance(sink, EmulatedLights)
    sink.show(THREE)
    eventually(lambda: _lit(shown(sink.controller)) == PIXELS)
    sink.close()


def test_a_led_map_chooses_the_leds(tmp_path: Path) -> None:
    LedMap({"gate": (2, 3), "vale": (0,)}, 5).save(tmp_path / "map.toml")
    receiver = Adalight(5)
    section = SECTION | {"driver": "adalight", "port": receiver.port, "map": "map.toml"}
    sink = open_lights(section, PLACES, folder=tmp_path)
    sink.show({"gate": RED, "vale": BLUE})
    eventually(
        lambda: (
            bool(receiver.frames)
            and receiver.frames[-1] == [(0, 0, 255), (0, 0, 0), (255, 0, 0), (255, 0, 0), (0, 0, 0)]
        )
    )
    sink.close()
    receiver.unplug()


def test_a_missing_or_broken_map_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LightsConfigError, match="no LED map"):
        open_lights({"driver": "terminal", "map": "none.toml"}, PLACES, folder=tmp_path)
    (tmp_path / "bad.toml").write_text("version = 1\nleds = 2\n[places]\na = [0]\nb = [0]\n")
    with pytest.raises(LightsConfigError, match="belongs to both"):
        open_lights({"driver": "terminal", "map": "bad.toml"}, PLACES, folder=tmp_path)


@pytest.mark.parametrize("name", ["map.toml", "map.json"])
def test_a_map_survives_its_file(tmp_path: Path, name: str) -> None:
    led_map = LedMap({"Düsterwald": (0, 2), 'a"b': (1,)}, 7)
    led_map.save(tmp_path / name)
    assert LedMap.load(tmp_path / name) == led_map
    assert FULL.count == 105

"""The bridge against both stand-ins: cut wires, resets, noise, and a game that never waits."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from lights_lab import FULL, PLACES, eventually

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.discovery import Candidate
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.mirror import Mirror
from firmware_bridge.model import ControllerModel
from firmware_bridge.protocol import MAX_OPS, StripSettings
from firmware_bridge.status import DIMMED, LinkState
from referee.kernel.lights import PALETTE, Light, Lights, Meaning, Pattern

Bridges = Callable[..., LightsBridge]
RED, GREEN, BLUE = (Light(*rgb) for rgb in ((255, 0, 0), (0, 255, 0), (0, 0, 255)))
THREE: Lights = {"r0": RED, "r50": GREEN, "r104": BLUE}


def _lit(controller: Controller) -> dict[int, tuple[int, int, int]]:
    """Lit pixels of the newest picture."""
    frames = controller.frames()
    return {i: c for i, c in enumerate(frames[-1].colours()) if any(c)} if frames else {}


def _shows_three(controller: Controller) -> bool:
    return _lit(controller) == {0: (255, 0, 0), 50: (0, 255, 0), 104: (0, 0, 255)}


def test_lights_reach_the_strip_and_are_acknowledged(controller: Controller, bridge_to: Bridges) -> None:
    acks: list[tuple[int, float]] = []
    bridge = bridge_to(controller, settings=FULL, on_ack=lambda n, t: acks.append((n, t)))
    number = bridge.show(THREE)
    eventually(lambda: bool(acks) and acks[-1][0] == number)
    eventually(lambda: _shows_three(controller))
    status = bridge.status()
    assert status.working
    assert (status.wanted, status.acknowledged) == (number, number)
    assert status.last_ack_ms is not None and status.firmware == "1.1"
    assert bridge.show({}) == number + 1
    eventually(lambda: controller.frames()[-1].dark)


def test_unknown_places_and_dark_lights_are_left_out(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    nothing = {"nowhere": RED, "r1": Light(0, 0, 0), "r2": Light(9, 9, 9, Pattern.OFF)}
    number = bridge.show(nothing | THREE)
    eventually(lambda: bridge.status().acknowledged == number)
    eventually(lambda: _shows_three(controller))


def test_a_reset_in_the_middle_restores_the_lights(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show(THREE)
    eventually(lambda: _shows_three(controller))
    resets = sum(e["event"] == "reset" for e in controller.events())
    controller.forget()
    controller.reset()
    controller.wait_for_event("reset", count=resets + 1)
    controller.wait_for(lambda picture: picture.dark)
    eventually(lambda: _shows_three(controller))
    assert bridge.status().counters["resyncs"] >= 2


def test_unplugged_and_plugged_in_again(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show({"r3": RED})
    eventually(lambda: 3 in _lit(controller))
    controller.kill()
    eventually(lambda: bridge.status().state is LinkState.SEARCHING)
    words = bridge.status().words
    assert words.way_out and "USB" in str(words.way_out) and "USB" in words.way_out.in_words("de")
    assert bridge.status().state is LinkState.READY, "a handful of frames is too few to blame the wire"
    assert bridge.status().words.sentence_en == DIMMED.sentence_en
    bridge.show(THREE)
    eventually(lambda: not bridge.status().power_limited)
    assert "dimmed" not in bridge.status().words.sentence_en


# --- the mirror: what is sent -------------------------------------------------


def _played(mirror: Mirror, model: ControllerModel, lights: Lights, led_map: LedMap) -> int:
    """Send through the model; bytes on the wire."""
    bodies = mirror.plan(lights, led_map)
    for body in bodies:
        assert len(body) - 1 <= MAX_OPS
        assert model.apply(body[1:])
    assert [body[0] for body in bodies] == [0] * (len(bodies) - 1) + [1] * bool(bodies)
    return sum(map(len, bodies))


def _expected(lights: Lights, led_map: LedMap) -> list[tuple[int, int, int, Pattern]]:
    picture = [(0, 0, 0, Pattern.OFF)] * led_map.leds
    for place, indices in led_map.places.items():
        light = lights.get(place)
        for index in indices if light else ():
            assert light
            picture[index] = (light.red, light.green, light.blue, light.pattern)
    return picture


def _shown(model: ControllerModel) -> list[tuple[int, ...]]:
    return [model.slots.get(v >> 3, (0, 0, 0, 0)) for v in model.pixels[: model.settings.count]]


def test_differences_lead_to_every_picture() -> None:
    random_ = random.Random(9)
    led_map = LedMap.identity(f"r{n}" for n in range(300))
    mirror, model = Mirror(300), ControllerModel()
    palette = [Light(*random_.randbytes(3), pattern=random_.choice(list(Pattern)[1:])) for _ in range(60)]
    for _ in range(300):
        some = random_.sample(palette, random_.randrange(1, 12))
        lights = {p: random_.choice(some) for p in led_map.places if random_.random() < 0.5}
        _played(mirror, model, lights, led_map)
        assert _shown(model) == _expected(lights, led_map)


def test_only_what_changed_goes_over_the_wire(led_map: LedMap) -> None:
    mirror, model = Mirror(105), ControllerModel(StripSettings(105))
    lights: dict[str, Light] = {place: PALETTE[Meaning.CONTROL_A] for place in PLACES}
    _played(mirror, model, lights, led_map)
    lights["r7"] = PALETTE[Meaning.TARGET]
    assert _played(mirror, model, lights, led_map) < 20
    assert mirror.plan(lights, led_map) == []


def test_more_lights_than_slots_show_the_most_similar() -> None:
    led_map = LedMap.identity(f"r{n}" for n in range(40))
    mirror, model = Mirror(40), ControllerModel(StripSettings(40))
    _played(mirror, model, {f"r{n}": Light(6 * n + 1, 0, 0) for n in range(40)}, led_map)
    shown = _shown(model)
    assert all(abs(shown[n][0] - 6 * n - 1) <= 60 for n in range(40))
    assert len(set(shown)) == 31


# --- which port ----------------------------------------------------------------


def test_the_controller_is_found_among_other_ports(
    controller: Controller, led_map: LedMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By HELLO, not by name: a modem comes first in the list and says nothing of ours."""
    modem, other_end = os.openpty()
    ports = [Candidate(os.ttyname(other_end), "modem", True), Candidate(controller.port, "Nano", True)]
    monkeypatch.setattr("firmware_bridge.bridge.candidates", lambda configured: ports)
    monkeypatch.setattr("firmware_bridge.bridge.HELLO_TIMEOUT", 0.3)
    with LightsBridge(led_map, settings=FULL) as bridge:
        bridge.show(THREE)
        eventually(lambda: _shows_three(controller))
        assert bridge.status().port == controller.port
    os.close(modem)
    os.close(other_end)


def test_a_controller_of_another_version_is_not_used(
    led_map: LedMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.emulator.virtual.VERSION", 2)
    with (
        start_emulator(105, kind="python") as controller,
        LightsBridge(led_map, port=controller.port) as bridge,
    ):
        bridge.show(THREE)
        eventually(lambda: bridge.status().state is LinkState.WRONG_VERSION)
        assert "flashing.md" in str(bridge.status().words.way_out)
        assert all(picture.dark for picture in controller.frames())

"""The bridge against both stand-ins: cut wires, resets, noise, and a game that never waits."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lights_lab import FULL, PLACES, eventually

from firmware_bridge.bridge import ENOUGH_TO_JUDGE, LightsBridge
from firmware_bridge.discovery import PortCandidate
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.link import Counters
from firmware_bridge.mirror import ControllerCopy
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
    way_out = bridge.status().words.way_out
    assert way_out is not None and all("USB" in way_out.in_words(language) for language in ("en", "de"))
    bridge.show(THREE)  # the game goes on meanwhile
    controller.forget()
    controller.restart()
    eventually(lambda: _shows_three(controller))
    assert bridge.status().state is LinkState.READY
    assert bridge.status().counters["reconnects"] == 2


def test_a_controller_that_stops_answering_is_taken_up_again(
    controller: Controller, bridge_to: Bridges
) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show({"r3": RED})
    eventually(lambda: 3 in _lit(controller))
    controller.hold()
    bridge.show(THREE)
    eventually(lambda: bridge.status().state is not LinkState.READY)
    controller.hold(False)
    eventually(lambda: _shows_three(controller), 20)


@pytest.mark.parametrize(
    "faults",
    [
        {"lose_in": 0.01},
        {"garble_in": 0.01},
        {"lose_out": 0.02, "garble_out": 0.02},
        {"lose_in": 0.003, "garble_in": 0.003, "noise_in": 0.003, "lose_out": 0.003, "garble_out": 0.003},
    ],
)
def test_a_bad_wire_ends_with_the_last_picture(
    controller: Controller, bridge_to: Bridges, faults: dict[str, float]
) -> None:
    bridge = bridge_to(controller, settings=FULL)
    for name, chance in faults.items():
        controller.set_fault(name, chance)
    random_ = random.Random(1)

    def troubled() -> bool:
        """Changes go on until the wire has cost at least five frames a second try."""
        bridge.show({place: random_.choice([RED, GREEN, BLUE]) for place in random_.sample(PLACES, 20)})
        return bridge.status().counters["retries"] >= 5

    eventually(troubled, 30)
    number = bridge.show(THREE)
    eventually(lambda: bridge.status().acknowledged == number, 30)
    eventually(lambda: _shows_three(controller))
    assert bridge.status().quality < 1


def test_poor_quality_is_said_in_words(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    controller.set_fault("lose_in", 0.02)
    random_ = random.Random(1)

    def poor() -> bool:
        bridge.show({place: random_.choice([RED, GREEN]) for place in PLACES})
        return bridge.status().state is LinkState.POOR

    eventually(poor, 30)
    words = bridge.status().words
    assert "%" in words.sentence_en and "%" in words.sentence_de


def test_a_few_late_answers_are_no_bad_wire(bridge_to: Bridges, controller: Controller) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show(THREE)
    eventually(lambda: _shows_three(controller))
    recent = bridge._counters.recent
    recent.clear()
    recent.extend([3] * (ENOUGH_TO_JUDGE // 2))
    assert bridge.status().state is LinkState.READY
    assert bridge.status().quality == 0, "the figure itself is not polished"
    recent.extend([3] * ENOUGH_TO_JUDGE)
    assert bridge.status().state is LinkState.POOR


def test_a_thousand_changes_a_second_end_with_the_last_one(
    controller: Controller, bridge_to: Bridges
) -> None:
    acks: list[int] = []
    bridge = bridge_to(controller, settings=FULL, on_ack=lambda n, _: acks.append(n))
    bridge.show({})
    eventually(lambda: bool(acks))
    random_ = random.Random(3)
    pictures = [{p: random_.choice([RED, GREEN]) for p in random_.sample(PLACES, 30)} for _ in range(20)]
    began = time.monotonic()
    for n in range(1000):
        bridge.show(pictures[n % 20])
        time.sleep(max(0.0, began + n / 1000 - time.monotonic()))
    number = bridge.show(THREE)
    eventually(lambda: acks[-1] == number)
    eventually(lambda: _shows_three(controller))
    assert acks == sorted(acks) and len(acks) == len(set(acks))
    if controller.kind == "simavr":  # its wire takes a millisecond for 25 bytes; the model's takes none
        assert len(acks) < 500, "most pictures were overtaken by newer ones"


def test_show_and_status_never_wait_for_the_hardware(
    led_map: LedMap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port that hangs while it is opened hangs as long as nobody has asked all that is asked here."""
    opening, asked = threading.Event(), threading.Event()

    def hangs(path: str) -> None:
        opening.set()
        assert asked.wait(60)
        raise OSError(path)

    monkeypatch.setattr("firmware_bridge.bridge.open_port", hangs)
    (tmp_path / "port").touch()
    with LightsBridge(led_map, port=str(tmp_path / "port")) as bridge:
        assert opening.wait(60)
        for n in range(500):
            assert bridge.show(THREE) == n + 1
            assert bridge.status().wanted == n + 1 and not bridge.status().working
        assert not asked.is_set()
        asked.set()
        eventually(lambda: bridge.status().state is LinkState.SEARCHING)


def test_without_hardware_it_is_searched_for(led_map: LedMap, tmp_path: Path) -> None:
    with LightsBridge(led_map, port=str(tmp_path / "nothing")) as bridge:
        bridge.show(THREE)
        eventually(lambda: bridge.status().state is LinkState.SEARCHING)
        assert bridge.status().wanted == 1 and not bridge.status().working


def test_a_busy_port_names_its_holder(controller: Controller, bridge_to: Bridges) -> None:
    code = (
        "import sys, time; from firmware_bridge.link import open_port; p = open_port(sys.argv[1]);"
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, controller.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout and other.stdin and other.stdout.readline() == b"open\n"
        bridge = bridge_to(controller, settings=FULL)
        eventually(lambda: bridge.status().state is LinkState.BUSY)
        status = bridge.status()
        assert str(other.pid) in status.words.sentence_en and str(other.pid) in status.words.sentence_de
        bridge.show(THREE)
        other.stdin.close()
        other.wait()
        eventually(lambda: _shows_three(controller))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_forbidden_port_says_so(tmp_path: Path, led_map: LedMap) -> None:
    port = tmp_path / "port"
    port.touch(mode=0)
    with LightsBridge(led_map, port=str(port)) as bridge:
        eventually(lambda: bridge.status().state is LinkState.FORBIDDEN)


def test_buttons_reach_the_table(controller: Controller, bridge_to: Bridges) -> None:
    pressed: list[tuple[int, bool]] = []
    bridge = bridge_to(controller, on_button=lambda b, down: pressed.append((b, down)))
    eventually(lambda: bridge.status().state is LinkState.READY)
    for down in (True, False):
        controller.press(0, down)
        eventually(lambda down=down: bool(pressed) and pressed[-1] == (0, down))  # type: ignore[misc]
    assert pressed == [(0, True), (0, False)]


def test_close_makes_the_strip_dark_and_frees_the_port(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show(THREE)
    eventually(lambda: _shows_three(controller))
    bridge.close()
    eventually(lambda: controller.frames()[-1].dark)
    assert bridge.status().state is LinkState.CLOSED
    assert not any(t.name == "lights" and t.is_alive() for t in threading.enumerate())
    second = bridge_to(controller, settings=FULL)
    second.show(THREE)
    eventually(lambda: _shows_three(controller))


def test_the_heartbeat_keeps_a_still_picture_lit(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=FULL)
    bridge.show(THREE)
    eventually(lambda: _shows_three(controller))
    began = controller.frames()[-1].t
    controller.wait_for(lambda picture: picture.t > began + 3.5)
    assert _shows_three(controller)
    counters = bridge.status().counters
    assert counters["resyncs"] <= 2
    assert counters["controller_shown"] > 0 and counters["controller_watchdog_resets"] == 0


def test_several_leds_a_place_run_one_after_the_other(controller: Controller) -> None:
    led_map = LedMap({"gate": (4, 5, 6, 7)}, 105)
    with LightsBridge(led_map, port=controller.port, settings=FULL) as bridge:
        bridge.show({"gate": Light(255, 0, 0, Pattern.CHASE)})
        seen: set[tuple[int, ...]] = set()

        def ran_round() -> bool:
            for picture in controller.frames():
                seen.add(tuple(i for i, c in enumerate(picture.colours()) if c == (255, 0, 0)))
            return {(4,), (5,), (6,), (7,)} <= seen

        eventually(ran_round)


def test_the_power_limit_is_reported(controller: Controller, bridge_to: Bridges) -> None:
    bridge = bridge_to(controller, settings=StripSettings(105, brightness=255, budget_ma=300))
    bridge.show({place: Light(255, 255, 255) for place in PLACES})
    eventually(lambda: bridge.status().power_limited)
    assert DIMMED.way_out is not None
    assert all("budget_ma" in DIMMED.way_out.in_words(language) for language in ("en", "de"))
    assert bridge.status().state is LinkState.READY, "a handful of frames is too few to blame the wire"
    assert bridge.status().words.sentence_en == DIMMED.sentence_en
    bridge.show(THREE)
    eventually(lambda: not bridge.status().power_limited)
    assert "dimmed" not in bridge.status().words.sentence_en


# --- the mirror: what is sent -------------------------------------------------


def _played(mirror: ControllerCopy, model: ControllerModel, lights: Lights, led_map: LedMap) -> int:
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
    mirror, model = ControllerCopy(300), ControllerModel()
    palette = [Light(*random_.randbytes(3), pattern=random_.choice(list(Pattern)[1:])) for _ in range(60)]
    for _ in range(300):
        some = random_.sample(palette, random_.randrange(1, 12))
        lights = {p: random_.choice(some) for p in led_map.places if random_.random() < 0.5}
        _played(mirror, model, lights, led_map)
        assert _shown(model) == _expected(lights, led_map)


def test_only_what_changed_goes_over_the_wire(led_map: LedMap) -> None:
    mirror, model = ControllerCopy(105), ControllerModel(StripSettings(105))
    lights: dict[str, Light] = {place: PALETTE[Meaning.CONTROL_A] for place in PLACES}
    _played(mirror, model, lights, led_map)
    lights["r7"] = PALETTE[Meaning.TARGET]
    assert _played(mirror, model, lights, led_map) < 20
    assert mirror.plan(lights, led_map) == []


def test_more_lights_than_slots_show_the_most_similar() -> None:
    led_map = LedMap.identity(f"r{n}" for n in range(40))
    mirror, model = ControllerCopy(40), ControllerModel(StripSettings(40))
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
    ports = [
        PortCandidate(os.ttyname(other_end), "modem", True),
        PortCandidate(controller.port, "Nano", True),
    ]
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
        way_out = bridge.status().words.way_out
        assert way_out is not None and "flashing.md" in way_out.in_words("en")
        assert all(picture.dark for picture in controller.frames())


def test_the_quality_is_told_while_frames_go_on_being_counted() -> None:
    """Whoever asked how the line is got an error where a frame was counted meanwhile."""
    counters, over = Counters(), threading.Event()

    def count() -> None:
        while not over.is_set():
            counters.recent.extend((1, 2))

    thread = threading.Thread(target=count)
    thread.start()
    try:
        told = [counters.quality() for _ in range(3000)]
    finally:
        over.set()
        thread.join()
    assert all(0 <= quality <= 1 for quality in told)

"""Figures of the lights against the firmware in simavr at its real 250,000 baud.

lights.state_to_ack_ms_p50, _p99   from `show` to the acknowledged (latched) frame, 105 regions lit,
                                   a game's step: the light of 15 regions changes
lights.repaint_to_ack_ms_p50, _p99 the same when every one of the 105 regions gets a new light
lights.changes_per_s               rate of `show` calls in the coalescing run (1,000 wanted)
lights.coalesced_to                share of those pictures that went over the wire
lights.last_shown                  1 if the last of them is what the strip shows
lights.bytes_per_step              mean bytes on the wire of a game's step
lights.machine_stall_ms            how late the machine woke a sleeping thread meanwhile, at worst: above some
                                   10 ms, the p99 above measure the other work of the machine
lights.simulated                   1 for the firmware in simavr, 0 for the Python stand-in
"""

from __future__ import annotations

import random
import time
from threading import Condition, Thread

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.mirror import ControllerCopy
from firmware_bridge.protocol import StripSettings
from referee.kernel.lights import PALETTE, Light, Lights, Pattern

_PLACES = [f"r{n}" for n in range(105)]
_PALETTE = list(PALETTE.values())


class _Acks:
    """Waits for the acknowledgement of one picture."""

    def __init__(self) -> None:
        self.news = Condition()
        self.number, self.count, self.at = 0, 0, 0.0

    def __call__(self, number: int, at: float) -> None:
        with self.news:
            self.number, self.at = number, at
            self.count += 1
            self.news.notify_all()

    def wait(self, number: int) -> float:
        with self.news:
            if not self.news.wait_for(lambda: self.number >= number, 20):
                raise TimeoutError("the controller does not acknowledge")
            return self.at


class _Stalls(Thread):
    """Sleeps a millisecond at a time and notes how late it wakes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.late: list[float] = []
        self.stop = False

    def run(self) -> None:
        while not self.stop:
            began = time.monotonic()
            time.sleep(0.001)
            self.late.append((time.monotonic() - began - 0.001) * 1000)

    def worst(self) -> float:
        self.stop = True
        self.join()
        return max(self.late)


def _picture(random_: random.Random, old: Lights, changes: int) -> Lights:
    new = dict(old)
    for place in random_.sample(_PLACES, changes):
        new[place] = random_.choice(_PALETTE)
    return new


def _latencies(bridge: LightsBridge, acks: _Acks, steps: int, changes: int) -> list[float]:
    random_ = random.Random(changes)
    lights: Lights = _picture(random_, {}, 105)
    acks.wait(bridge.show(lights))
    found = []
    for _ in range(steps):
        lights = _picture(random_, lights, changes)
        time.sleep(0.01 + 0.03 * random_.random())  # anywhere in the controller's animation period
        began = time.monotonic()
        found.append((acks.wait(bridge.show(lights)) - began) * 1000)
    return sorted(found)


def _coalesce(bridge: LightsBridge, acks: _Acks, controller: Controller) -> dict[str, float]:
    random_ = random.Random(4)
    pictures = [_picture(random_, {}, 40) for _ in range(50)]
    before, began = acks.count, time.monotonic()
    for n in range(1000):
        bridge.show(pictures[n % 50])
        time.sleep(max(0.0, began + (n + 1) / 1000 - time.monotonic()))
    rate = 1000 / (time.monotonic() - began)
    controller.forget()
    acks.wait(bridge.show({"r7": Light(255, 255, 255, Pattern.STEADY)}))
    try:
        controller.wait_for(lambda p: [n for n, colour in enumerate(p.colours()) if any(colour)] == [7])
        shown = 1.0
    except TimeoutError:
        shown = 0.0
    return {
        "lights.changes_per_s": rate,
        "lights.coalesced_to": (acks.count - before) / 1001,
        "lights.last_shown": shown,
    }


def _bytes_per_step(changes: int) -> float:
    random_ = random.Random(changes)
    led_map, mirror = LedMap.identity(_PLACES), ControllerCopy(105)
    lights = _picture(random_, {}, 105)
    mirror.plan(lights, led_map)
    total = 0
    for _ in range(200):
        lights = _picture(random_, lights, changes)
        total += sum(len(body) + 6 for body in mirror.plan(lights, led_map))
    return total / 200


def figures(steps: int = 300) -> dict[str, float]:
    """All figures of this module; about 20 seconds."""
    acks = _Acks()
    settings = StripSettings(105, brightness=255, budget_ma=4000)
    with start_emulator(105) as controller:
        bridge = LightsBridge(LedMap.identity(_PLACES), port=controller.port, settings=settings, on_ack=acks)
        stalls = _Stalls()
        stalls.start()
        step = _latencies(bridge, acks, steps, 15)
        repaint = _latencies(bridge, acks, steps, 105)
        stalled = stalls.worst()
        coalesced = _coalesce(bridge, acks, controller)
        bridge.close()
    return {
        "lights.state_to_ack_ms_p50": step[len(step) // 2],
        "lights.state_to_ack_ms_p99": step[int(len(step) * 0.99)],
        "lights.repaint_to_ack_ms_p50": repaint[len(repaint) // 2],
        "lights.repaint_to_ack_ms_p99": repaint[int(len(repaint) * 0.99)],
        "lights.machine_stall_ms": stalled,
        "lights.bytes_per_step": _bytes_per_step(15),
        "lights.simulated": float(controller.kind == "simavr"),
    } | coalesced


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")

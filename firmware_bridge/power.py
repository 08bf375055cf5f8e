"""Current, supply, fuse and wires of a strip: the numbers of docs/build/power.md.

    python -m firmware_bridge.power

Worst case of a WS2812B: 20 mA a colour (60 mA white), 1 mA dark.  Copper:
0.0175 ohm mm2/m.  A strip's own copper: about 0.1 ohm a metre and rail.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from firmware_bridge.model import ControllerModel, current_ma
from firmware_bridge.protocol import StripSettings, op_fill, op_slot, pixel_value
from referee.kernel.lights import PALETTE, Light, Meaning, Pattern

SUPPLIES_A = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
FUSES_A = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
"""Slow glass fuses of 5 by 20 mm that one can buy (IEC 60127)."""
WIRES_MM2 = (0.25, 0.5, 0.75, 1.0, 1.5, 2.5)
COPPER = 0.0175
STRIP_OHM_A_METRE = 0.1
LEDS_A_METRE = 30
FEED_METRES = 1.5
MOST_DROP = 0.25
"""Volts that the feed line, there and back, may lose."""
USUAL_BRIGHTNESS = 128


@dataclass(frozen=True)
class PowerPlan:
    """Currents in amperes, wire in square millimetres, drops in volts."""

    leds: int
    dark_a: float
    all_white_a: float
    hungriest_a: float
    budget_ma: int
    supply_a: int
    fuse_a: float
    wire_mm2: float
    feed_drop_v: float
    injections: int
    strip_drop_v: float


def _picture_a(leds: int, light: Light, brightness: int) -> float:
    """Amperes when every LED shows this light at its brightest."""
    settings = StripSettings(leds, brightness=brightness, budget_ma=65_000)
    model = ControllerModel(settings, {}, bytearray(leds))
    model.apply(op_slot(1, light.red, light.green, light.blue, Pattern.STEADY))
    model.apply(op_fill(0, leds, pixel_value(1)))
    return current_ma(model.render(0), settings) / 1000


def plan(leds: int) -> PowerPlan:
    """Supply, fuse and wires for a strip of so many LEDs."""
    dark = leds * StripSettings(leds).idle_ma / 1000
    white = _picture_a(leds, Light(255, 255, 255), 255)
    hungriest = _picture_a(leds, PALETTE[Meaning.TARGET], USUAL_BRIGHTNESS)
    budget = ceil(hungriest * 1000 / 250) * 250
    amperes = budget / 1000
    supply = next(a for a in SUPPLIES_A if a >= amperes / 0.8)
    fuse = next(a for a in FUSES_A if a >= 1.25 * amperes)
    wire = next(mm for mm in WIRES_MM2 if 2 * FEED_METRES * COPPER / mm * amperes <= MOST_DROP)
    injections = max(1, ceil(leds / 50))
    # fed at both ends of a stretch, each half carries half of its evenly spread current
    stretch = leds / injections
    metres, current = stretch / LEDS_A_METRE, amperes * stretch / leds
    strip_drop = 2 * STRIP_OHM_A_METRE * metres * current / 8
    drop = 2 * FEED_METRES * COPPER / wire * amperes
    return PowerPlan(
        leds, dark, white, hungriest, budget, supply, fuse, wire, drop, injections + 1, strip_drop
    )


def table(counts: tuple[int, ...] = (50, 90, 160, 300)) -> str:
    """The table of docs/build/power.md."""
    plans = [plan(count) for count in counts]
    rows = {
        "all dark": [f"{p.dark_a:.2f} A" for p in plans],
        "all white at full brightness (the budget forbids it)": [f"{p.all_white_a:.1f} A" for p in plans],
        "every place `target` at brightness 128": [f"{p.hungriest_a:.2f} A" for p in plans],
        "`budget_ma` to set": [str(p.budget_ma) for p in plans],
        "5 V supply, at least (loaded to 80 %)": [f"{p.supply_a} A" for p in plans],
        "fuse in the +5 V line, slow": [f"{p.fuse_a:g} A" for p in plans],
        f"wires of the feed line ({FEED_METRES:g} m)": [f"{p.wire_mm2:g} mm²" for p in plans],
        "lost in the feed line": [f"{p.feed_drop_v:.2f} V" for p in plans],
        "places where power enters the strip": [str(p.injections) for p in plans],
        "lost inside the strip, at worst": [f"{p.strip_drop_v:.2f} V" for p in plans],
    }
    lines = ["| | " + " | ".join(f"{p.leds} LEDs" for p in plans) + " |", "|---|" + "---|" * len(plans)]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")

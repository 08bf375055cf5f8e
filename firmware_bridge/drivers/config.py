"""The `[lights]` section: which hardware, which strip, which map.

[lights]
driver = "own"          # own, emulator, wled-ddp, wled-http, wled-serial, adalight, tpm2, terminal, none
port = "/dev/ttyUSB0"   # own: leave out, it is found; the other serial drivers need it
address = "http://192.168.1.40"   # wled-ddp, wled-http
baud = 115200           # wled-serial, adalight, tpm2
fps = 25                # drivers that animate on the host
map = "led_map.toml"    # leave out: one LED a place, in the order of the board
leds = 90               # leave out: as many as the map has
order = "GRB"           # colour order of the strip
brightness = 128        # 1..255
budget_ma = 400         # never above this, dark pixels included; what the supply can give
channel_ma = 20.0       # one colour of one pixel at full
idle_ma = 1.0           # one dark pixel
faults = { lose_in = 0.001 }   # emulator only
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.drivers.host_rendered import HostRenderedLights, Transport
from firmware_bridge.drivers.plain import NullLights, TerminalLights
from firmware_bridge.drivers.streams import SerialStream
from firmware_bridge.drivers.wled import WledDdp, WledHttp, WledSerial
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.emulator.base import FAULTS
from firmware_bridge.led_map import LedMap, LedMapError
from firmware_bridge.model import RGB, current_ma
from firmware_bridge.protocol import ColourOrder, StripSettings
from firmware_bridge.status import LightsSink
from referee.kernel.messages import Text
from referee.kernel.said import SaidError

DRIVERS = ("own", "emulator", "wled-ddp", "wled-http", "wled-serial", "adalight", "tpm2", "terminal", "none")
OnAck = Callable[[int, float], None]
OnButton = Callable[[int, bool], None]


class LightsConfigError(SaidError, ValueError):
    """Something in `[lights]` cannot be used."""


def _one_of(key: str, value: object, choices: Iterable[str]) -> str:
    choices = list(choices)
    if value in choices:
        return str(value)
    close = get_close_matches(str(value), choices, 1)
    if close:
        hint = Text("firmware_bridge.did_you_mean", close=close[0])
    else:
        hint = Text("firmware_bridge.one_of", choices=", ".join(choices))
    raise LightsConfigError(Text("firmware_bridge.unknown_value", key=key, value=value, hint=hint))


def _number(key: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise LightsConfigError(
            Text("firmware_bridge.number_needed", key=key, value=value, low=low, high=high),
        )
    return value


def _budget(driver: str) -> int:
    """What a USB socket gives for certain; an emulated strip has no wires to get hot."""
    return 2000 if driver == "emulator" else 400


@dataclass(frozen=True)
class LightsConfig:
    """A checked `[lights]` section."""

    driver: str = "own"
    port: str | None = None
    address: str = ""
    baud: int = 115_200
    fps: float = 25.0
    map: str = ""
    leds: int | None = None
    order: str = "GRB"
    brightness: int = 128
    budget_ma: int = 400
    channel_ma: float = 20.0
    idle_ma: float = 1.0
    faults: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_mapping(cls, section: Mapping[str, object]) -> LightsConfig:
        """Check every key and value; LightsConfigError names the first that is wrong."""
        known = list(cls.__dataclass_fields__)
        for key in section:
            _one_of("key", key, known)
        driver = _one_of("driver", section.get("driver", "own"), DRIVERS)
        faults = section.get("faults", {})
        if not isinstance(faults, Mapping):
            raise LightsConfigError(Text("firmware_bridge.faults_table"))
        for name, chance in faults.items():
            _one_of("faults", name, FAULTS)
            _number(f"faults.{name}", chance, 0, 1)
        port = section.get("port")
        result = cls(
            driver,
            None if port is None else str(port),
            str(section.get("address", "")),
            int(_number("baud", section.get("baud", 115_200), 9600, 4_000_000)),
            _number("fps", section.get("fps", 25.0), 1, 60),
            str(section.get("map", "")),
            None if "leds" not in section else int(_number("leds", section["leds"], 1, 300)),
            _one_of("order", section.get("order", "GRB"), ColourOrder.__members__),
            int(_number("brightness", section.get("brightness", 128), 1, 255)),
            int(_number("budget_ma", section.get("budget_ma", _budget(driver)), 0, 65_535)),
            _number("channel_ma", section.get("channel_ma", 20.0), 0.1, 25.5),
            _number("idle_ma", section.get("idle_ma", 1.0), 0, 25.5),
            {str(name): float(chance) for name, chance in faults.items()},
        )
        result._check_complete()
        if result.leds is not None and result.driver not in ("terminal", "none"):
            result.settings(result.leds)
        return result

    def _check_complete(self) -> None:
        missing = None
        if self.driver in ("wled-serial", "adalight", "tpm2") and not self.port:
            missing = "port"
        if self.driver in ("wled-http", "wled-ddp") and not self.address:
            missing = "address"
        if missing:
            raise LightsConfigError(
                Text("firmware_bridge.driver_needs", driver=self.driver, missing=missing),
            )

    def led_map(self, places: Iterable[str], folder: Path) -> LedMap:
        """The map from the file, or one LED a place."""
        try:
            found = LedMap.load(folder / self.map) if self.map else LedMap.identity(places)
            leds = self.leds if self.leds is not None else max(1, found.leds)
            fitting = {p: i for p, i in found.places.items() if self.map or all(n < leds for n in i)}
            return LedMap(fitting, leds)
        except LedMapError as error:
            raise LightsConfigError(Text("firmware_bridge.bad_led_map", error=str(error))) from error

    def settings(self, leds: int) -> StripSettings:
        """What the controller is told; LightsConfigError where the dark LEDs alone take the whole budget."""
        idle = leds * self.idle_ma
        if self.budget_ma <= idle:
            raise LightsConfigError(
                Text("firmware_bridge.idle_over_budget", budget_ma=self.budget_ma, leds=leds, idle=idle),
            )
        return StripSettings(
            leds,
            ColourOrder[self.order],
            self.brightness,
            self.budget_ma,
            self.channel_ma,
            self.idle_ma,
        )


class EmulatedLights(LightsBridge):
    """The own bridge together with the emulated controller that it talks to."""

    def __init__(
        self,
        led_map: LedMap,
        settings: StripSettings,
        config: LightsConfig,
        on_ack: OnAck | None,
        on_button: OnButton | None,
    ) -> None:
        self.controller: Controller = start_emulator(led_map.leds, config.faults)
        super().__init__(
            led_map, port=self.controller.port, settings=settings, on_ack=on_ack, on_button=on_button
        )

    def strip(self) -> list[RGB]:
        """Red, green, blue of each LED as the controller sent it last; empty before it sent anything."""
        frames = self.controller.frames()
        return frames[-1].colours(self._settings.order) if frames else []

    @property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        """Which LEDs lie under which place."""
        return self._map.places

    def current_ma(self) -> float:
        """Estimated milliamperes of what is shown."""
        return current_ma(self.strip(), self._settings)

    def close(self) -> None:
        super().close()
        self.controller.close()


def open_lights(
    section: Mapping[str, object] | LightsConfig,
    places: Iterable[str] = (),
    *,
    folder: Path = Path(),
    led_map: LedMap | None = None,
    on_ack: OnAck | None = None,
    on_button: OnButton | None = None,
) -> LightsSink:
    """The sink that `[lights]` asks for; LightsConfigError if the section is wrong.

    `places` in the order of the board, for the identity map; `folder` is where
    a relative `map` is looked for; `led_map` overrides both.  Missing hardware is no error: `status` tells.
    """
    config = section if isinstance(section, LightsConfig) else LightsConfig.from_mapping(section)
    if config.driver == "none":
        return NullLights(on_ack)
    led_map = led_map or config.led_map(places, folder)
    if config.driver == "terminal":
        return TerminalLights(led_map, on_ack=on_ack)
    settings = config.settings(led_map.leds)
    if config.driver == "own":
        return LightsBridge(led_map, port=config.port, settings=settings, on_ack=on_ack, on_button=on_button)
    if config.driver == "emulator":
        return EmulatedLights(led_map, settings, config, on_ack, on_button)
    return HostRenderedLights(
        led_map,
        _transport(config),
        name=config.address or config.port or "",
        settings=settings,
        fps=config.fps,
        on_ack=on_ack,
    )


def _transport(config: LightsConfig) -> Transport:
    if config.driver == "wled-ddp":
        return WledDdp(config.address)
    if config.driver == "wled-http":
        return WledHttp(config.address)
    if config.driver == "wled-serial":
        return WledSerial(config.port or "", config.baud)
    return SerialStream(config.port or "", config.driver, config.baud)

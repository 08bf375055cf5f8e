"""`referee lights find | doctor | show | test`; the other commands stand in modules of their own."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from firmware_bridge.checks import CheckResult
from firmware_bridge.discovery import candidates
from firmware_bridge.doctor import doctor_checks
from firmware_bridge.drivers.config import LightsConfig, LightsConfigError, open_lights
from firmware_bridge.flashing_pico import waits_for_firmware
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import current_ma
from firmware_bridge.probe import ANSWERS, probe
from firmware_bridge.protocol import StripSettings
from firmware_bridge.status import LightsSink
from referee.commands.common import SPOKEN, config_option
from referee.config.settings import load
from referee.kernel.errors import RefereeError
from referee.kernel.lights import PALETTE, Light, Lights, Meaning, Pattern, lit_places
from referee.kernel.messages import Text
from referee.kernel.registry import load_game

CONFIG = config_option("config_file")
DRIVER = click.option("--driver", help="Overrides `driver` of the [lights] section.")
PORT = click.option("--port", help="Overrides `port`.")
GAME = click.option("--game", default="five_armies", show_default=True, help="Whose board is lit.")
LANGUAGE = click.option("--lang", "language", type=SPOKEN, help="Default: configured.")
CONNECT_SECONDS = 10.0
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


class LightsContext:
    """Configuration, language and places of a command."""

    def __init__(
        self, config_file: Path | None, driver: str | None, port: str | None, language: str | None
    ) -> None:
        try:
            config = load(config_file)
            section = dict(config.lights)
            section |= {k: v for k, v in (("driver", driver), ("port", port)) if v is not None}
            self.section: Mapping[str, object] = section
            self.config = LightsConfig.from_mapping(section)
        except (RefereeError, LightsConfigError) as error:
            raise click.ClickException(str(error)) from error
        self.language = language or config.table.language
        self.folder = config.folder
        self.camera_source = config.camera.source

    def say(self, text: Text) -> None:
        """Print it in the language of the command."""
        click.echo(text.in_words(self.language))

    def led_map(self, places: list[str]) -> LedMap:
        """The configured map, or one LED a place."""
        try:
            return self.config.led_map(places, self.folder)
        except LightsConfigError as error:
            raise click.ClickException(self.words(error)) from error

    def words(self, error: LightsConfigError) -> str:
        """The sentence of an error in the language of the command."""
        return error.sentence(self.language)

    def places(self, game: str) -> list[str]:
        """All that may be lit: the places of a game's board in their order, the dice tray, the seats."""
        try:
            return lit_places(load_game(game))
        except RefereeError as error:
            raise click.ClickException(str(error)) from error


# commands that belong to other rooms too, loaded only when they are called
_LATER = {
    "flash": "referee.commands.flash:flash_command",
    "map": "referee.commands.led_map:map_command",
    "plan": "referee.commands.led_plan:plan_command",
}


class _WithLater(click.Group):
    """Adds the commands of ``_LATER``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LATER:
            return super().get_command(ctx, cmd_name)
        module, attribute = _LATER[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=_WithLater)
def lights() -> None:
    """The lights under the board: plan, flash, find, test, show, map, doctor."""


@lights.command()
@CONFIG
@PORT
@LANGUAGE
@JSON
def find(config_file: Path | None, port: str | None, language: str | None, as_json: bool) -> None:
    """List serial ports that may be the controller and who answers."""
    setup = LightsContext(config_file, None, port, language)
    found = [probe(candidate) for candidate in candidates(port or setup.config.port)]
    rows: list[dict[str, Any]] = [
        {
            "port": p.candidate.path,
            "board": p.candidate.why,
            "result": p.result,
            "firmware": ".".join(map(str, p.hello.firmware)) if p.hello else None,
            "max_leds": p.hello.max_leds if p.hello else None,
            "holder": p.holder.name if p.holder else None,
        }
        for p in found
    ]
    if as_json:
        click.echo(json.dumps(rows))
    for row in [] if as_json else rows:
        click.echo(
            f"{row['port']}  {row['board']}  {row['result']}  {row['firmware'] or row['holder'] or ''}"
        )
    if not as_json and waits_for_firmware():
        setup.say(Text("firmware_bridge.pico_waits"))
        setup.say(Text("firmware_bridge.do_flash_pico"))
    elif not as_json and not rows:
        setup.say(Text("commands.no_port_found"))
    sys.exit(0 if any(p.result == ANSWERS for p in found) else 1)


@lights.command()
@CONFIG
@DRIVER
@PORT
@GAME
@LANGUAGE
@JSON
def doctor(
    config_file: Path | None,
    driver: str | None,
    port: str | None,
    game: str,
    language: str | None,
    as_json: bool,
) -> None:
    """Permissions, cable, power: what is wrong and the way out."""
    setup = LightsContext(config_file, driver, port, language)
    checks = doctor_checks(setup.section, setup.places(game), setup.folder)
    rows = [
        {
            "name": check.name,
            "verdict": check.verdict.value,
            "sentence": check.text.in_words(setup.language),
            "way_out": check.way_out.in_words(setup.language) if check.way_out else "",
        }
        for check in checks
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
    for row in [] if as_json else rows:
        click.echo(f"{row['verdict']:4}  {row['name']:12}  {row['sentence']}")
        if row["way_out"]:
            click.echo(f"      {'':12}  -> {row['way_out']}")
    sys.exit(1 if any(check.verdict is CheckResult.FAIL for check in checks) else 0)


def _light(text: str) -> tuple[str, Light]:
    """`place=meaning`, `place=#rrggbb` or `place=#rrggbb/pattern`."""
    place, _, what = text.partition("=")
    if what in [meaning.value for meaning in Meaning]:
        return place, PALETTE[Meaning(what)]
    colour, _, pattern = what.partition("/")
    try:
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        return place, Light(red, green, blue, Pattern[(pattern or "steady").upper()])
    except (ValueError, KeyError):
        names = ", ".join(meaning.value for meaning in Meaning)
        patterns = ", ".join(pattern.name.lower() for pattern in Pattern)
        raise click.ClickException(
            f"{text!r}: write PLACE=#rrggbb/PATTERN ({patterns}) or PLACE=MEANING ({names})."
        ) from None


@contextmanager
def opened(setup: LightsContext, led_map: LedMap) -> Iterator[LightsSink]:
    """The sink, once it works; a ClickException with its own words if it does not in time."""
    try:
        sink = open_lights(setup.config, led_map=led_map)
    except LightsConfigError as error:
        raise click.ClickException(setup.words(error)) from error
    try:
        deadline = time.monotonic() + CONNECT_SECONDS
        while not sink.status().working:
            if time.monotonic() > deadline:
                raise click.ClickException(sink.status().words.both.in_words(setup.language))
            time.sleep(0.02)
        yield sink
    finally:
        sink.close()


@lights.command()
@click.argument("what", nargs=-1, required=True)
@CONFIG
@DRIVER
@PORT
@GAME
@LANGUAGE
@click.option("--seconds", default=10.0, show_default=True, help="How long.")
def show(
    what: tuple[str, ...],
    config_file: Path | None,
    driver: str | None,
    port: str | None,
    game: str,
    language: str | None,
    seconds: float,
) -> None:
    """Light places: `referee lights show vale=target gate=#ff0000/blink`."""
    wanted = dict(map(_light, what))
    setup = LightsContext(config_file, driver, port, language)
    places = setup.places(game)
    unknown = [place for place in wanted if place not in places]
    if unknown and not setup.config.map:
        raise click.ClickException(f"{', '.join(unknown)}: not on this board. Known: {', '.join(places)}.")
    with opened(setup, setup.led_map(places)) as sink:
        if not _shown(sink, wanted, 5):
            raise click.ClickException(sink.status().words.text.in_words(setup.language))
        time.sleep(seconds)


def _shown(sink: LightsSink, picture: Lights, seconds: float) -> bool:
    """Show and wait for the acknowledgement."""
    number = sink.show(picture)
    deadline = time.monotonic() + seconds
    while sink.status().acknowledged < number:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


@lights.command("test")
@CONFIG
@DRIVER
@PORT
@GAME
@LANGUAGE
@JSON
@click.option("--pause", default=0.4, show_default=True, help="Seconds for each region.")
def test_lights(
    config_file: Path | None,
    driver: str | None,
    port: str | None,
    game: str,
    language: str | None,
    as_json: bool,
    pause: float,
) -> None:
    """Walk through colour order, regions, meanings and the power budget."""
    setup = LightsContext(config_file, driver, port, language)
    places = setup.places(game)
    say: Callable[[Text], None] = (lambda text: None) if as_json else setup.say
    with opened(setup, setup.led_map(places)) as sink:
        failed = _walk(sink, places, say, pause)
        limited = _all_white(sink, places, say, setup, pause)
        status = sink.status()
    if as_json:
        result = {
            "regions": len(places),
            "failed": failed,
            "power_limited": limited,
            "quality": status.quality,
            "counters": dict(status.counters),
        }
        click.echo(json.dumps(result))
    sys.exit(1 if failed else 0)


def _walk(sink: LightsSink, places: list[str], say: Callable[[Text], None], pause: float) -> list[str]:
    """Three flashes, each region, each meaning; names of what was not acknowledged."""
    failed: list[str] = []

    def step(name: str, picture: Lights, shown: Text | str, seconds: float) -> None:
        say(Text("commands.lit", what=shown))
        if not _shown(sink, picture, 5):
            failed.append(name)
        time.sleep(seconds)

    say(
        Text("commands.three_flashes"),
    )
    for name, colour in (("red", (255, 0, 0)), ("green", (0, 255, 0)), ("blue", (0, 0, 255))):
        step(name, dict.fromkeys(places, Light(*colour)), Text(f"commands.{name}"), 2 * pause)
    for place in places:
        step(place, {place: Light(255, 255, 255)}, place, pause)
    for meaning in Meaning:
        picture = dict.fromkeys(places, PALETTE[meaning])
        step(meaning.value, picture, meaning.value, 4 * pause)
    return failed


def _all_white(
    sink: LightsSink, places: list[str], say: Callable[[Text], None], setup: LightsContext, pause: float
) -> bool:
    """Ask for everything white: the budget must hold it down."""
    settings = setup.config.settings(len(places))
    asked = current_ma([(255, 255, 255)] * len(places), StripSettings(len(places)))
    say(
        Text("commands.white_takes", asked=f"{asked:.0f}", budget_ma=settings.budget_ma),
    )
    _shown(sink, dict.fromkeys(places, Light(255, 255, 255)), 5)
    limited = sink.status().power_limited
    time.sleep(4 * pause)
    if limited:
        say(Text("commands.budget_holds"))
    return limited

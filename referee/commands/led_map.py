"""`referee lights map`: find out which LED lies under which place, by hand or by camera."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from calibration.led_map import ManualMapping, raw_map
from calibration.led_map_camera import AutomaticMap, BridgeStrip, MappingRefused, map_leds
from firmware_bridge.led_map import LedMap
from referee.commands.lights import CONFIG, DRIVER, GAME, LANGUAGE, PORT, LightsContext, opened
from referee.kernel.errors import RefereeError
from referee.kernel.files import FileUnwritable
from referee.kernel.lights import TRAY, seat_light
from referee.kernel.messages import Text, languages
from referee.kernel.registry import load_game
from vision.sources.base import Camera, CameraLost
from vision.sources.opening import open_camera

DEADLINE_S = 5.0


class FreshCamera:
    """Pictures whose exposure began after they were asked for."""

    def __init__(self, camera: Camera, clock: Callable[[], float] = time.monotonic) -> None:
        self._camera, self._clock = camera, clock

    def capture(self) -> NDArray[np.uint8]:
        """The second picture that was read after the call: the first may have been exposed before it."""
        called, fresh = self._clock(), 0
        while True:
            frame = self._camera.frame(DEADLINE_S)
            if frame is None:
                raise MappingRefused(
                    Text("commands.camera_silent"),
                )
            fresh += frame.monotonic_s > called
            if fresh == 2:
                return np.asarray(frame.image, np.uint8)


def _find(word: str, places: dict[str, tuple[str, ...]]) -> str | None:
    """The place that a typed word means: an id or a name, or the beginning of exactly one of them."""
    word = word.casefold()
    names = {place: [place.casefold(), *(n.casefold() for n in both)] for place, both in places.items()}
    exact = [place for place, known in names.items() if word in known]
    begun = [place for place, known in names.items() if any(name.startswith(word) for name in known)]
    found = exact or begun
    return found[0] if len(found) == 1 else None


def _by_hand(
    mapping: ManualMapping,
    show: Callable[[Any], object],
    places: dict[str, tuple[str, ...]],
    language: str,
) -> None:
    """Ask for LED after LED on the terminal until all are decided or the person stops."""
    while mapping.current is not None:
        show(mapping.lights())
        word = click.prompt(
            Text("commands.which_place", led=mapping.current).in_words(language),
            default="",
            show_default=False,
        ).strip()
        if word == "q":
            return
        if word == "u":
            mapping.undo()
        elif not word:
            mapping.skip()
        elif (place := _find(word, places)) is not None:
            mapping.assign(place)
        else:
            click.echo(Text("commands.unclear_place").in_words(language))


def load_played(game: str) -> Any:
    """A game that has a board; a ClickException in words where there is none."""
    try:
        played = load_game(game)
    except RefereeError as error:
        raise click.ClickException(str(error)) from error
    if getattr(played, "board", None) is None:
        raise click.ClickException(f"{game} has no board that could be lit.")
    return played


def names_of(game: Any) -> dict[str, tuple[str, ...]]:
    """All that may have LEDs, with its name in every language."""
    found: dict[str, tuple[str, ...]] = {
        key: tuple(map(place.name, languages())) for key, place in game.board().places.items()
    }
    found[TRAY] = _in_all(Text("commands.tray"))
    for seat in game.seats:
        found[seat_light(seat)] = _in_all(Text("commands.seat", seat=game.messages.say(f"seat.{seat}")))
    return found


def _in_all(text: Text) -> tuple[str, ...]:
    return tuple(map(text.in_words, languages()))


@click.command("map")
@click.option("--by", type=click.Choice(["hand", "camera"]), default="hand", show_default=True)
@click.option("--leds", type=click.IntRange(1, 300), help="Length of the strip; default: [lights] leds.")
@click.option("--camera", "camera_line", help="Over the board; default: the configuration's source.")
@click.option("--output", type=click.Path(path_type=Path), default="led_map.toml", show_default=True)
@CONFIG
@DRIVER
@PORT
@GAME
@LANGUAGE
def map_command(
    by: str,
    leds: int | None,
    camera_line: str | None,
    output: Path,
    config_file: Path | None,
    driver: str | None,
    port: str | None,
    game: str,
    language: str | None,
) -> None:
    """Find out which LED lies under which place, and write the map's file."""
    setup = LightsContext(config_file, driver, port, language)
    played = load_played(game)
    board, places = played.board(), names_of(played)
    count = leds or setup.config.leds or len(places)
    with opened(setup, raw_map(count)) as sink:
        if by == "hand":
            mapping = ManualMapping(count, list(places))
        else:
            strip = BridgeStrip(sink, setup.config.settings(count))
            result = _by_camera(camera_line or setup.camera_source, strip, count, board, setup.language)
            _report(result, setup.language)
            mapping = ManualMapping.correcting(result.led_map, list(places), sorted(result.unsure))
        _by_hand(mapping, sink.show, places, setup.language)
        led_map = mapping.result()
    _save(led_map, output, list(places), setup.language)


def _by_camera(line: str, strip: BridgeStrip, count: int, board: Any, language: str) -> AutomaticMap:
    try:
        camera = open_camera(line)
        try:
            outlines = {key: place.outline for key, place in board.places.items()}
            return map_leds(FreshCamera(camera), strip, count, outlines, (board.width, board.height))
        finally:
            camera.close()
    except (MappingRefused, CameraLost) as error:
        raise click.ClickException(error.text.in_words(language)) from error


def _report(result: AutomaticMap, language: str) -> None:
    sure = sum(map(len, result.led_map.places.values()))
    click.echo(
        Text(
            "commands.leds_mapped", sure=sure, seconds=f"{result.seconds:.0f}", unsure=len(result.unsure)
        ).in_words(language)
    )
    for led, why in sorted(result.unsure.items()):
        click.echo(f"  LED {led}: {why.in_words(language)}")


def _save(led_map: LedMap, output: Path, places: list[str], language: str) -> None:
    try:
        led_map.save(output)
    except FileUnwritable as error:
        click.echo(led_map.to_toml())  # an evening's work is not lost with the disk
        raise click.ClickException(error.sentence(language)) from error
    missing = [place for place in places if place not in led_map.places]
    click.echo(Text("commands.map_saved", output=output).in_words(language))
    if missing:
        click.echo(Text("commands.places_without_led", places=missing).in_words(language))
    sys.exit(0)

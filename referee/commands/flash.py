"""`referee lights flash`: the shipped firmware onto an Arduino or a Raspberry Pi Pico."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_bridge.flashing import SPEEDS, FlashingFailed, flash
from referee.commands.lights import CONFIG, LANGUAGE, PORT, LightsContext
from referee.kernel.messages import Text


@click.command("flash")
@CONFIG
@PORT
@LANGUAGE
@click.option(
    "--baud",
    type=click.Choice([str(speed) for speed in SPEEDS]),
    help="Of an Arduino's bootloader; default: both.",
)
def flash_command(config_file: Path | None, port: str | None, language: str | None, baud: str | None) -> None:
    """Write the shipped firmware to an Arduino Nano or Uno with ATmega328P (needs avrdude), or to a Pico."""
    setup = LightsContext(config_file, None, port, language)
    speeds = (int(baud),) if baud else SPEEDS
    try:
        found = flash(port or setup.config.port, setup.say, speeds=speeds)
    except FlashingFailed as error:
        raise click.ClickException(error.sentence(setup.language)) from error
    assert found.hello is not None
    version = ".".join(map(str, found.hello.firmware))
    setup.say(Text("commands.firmware_answers", version=version, path=found.candidate.path))

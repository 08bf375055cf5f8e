"""The command line: ``referee serve | read | dice | rules | explain | show | verify | doctor ...``.

Each room adds its commands in its own module; this file only gathers them.
Heavy imports stay inside the commands, so that ``referee --help`` is quick.
"""

from __future__ import annotations

import io
import sys
from importlib import import_module

import click

# name of the command or group -> "module:attribute"; loaded only when it is called
COMMANDS: dict[str, str] = {
    "arbiter": "referee.commands.arbiter:arbiter",
    "serve": "referee.commands.serve:serve",
    "games": "referee.commands.records:games",
    "export": "referee.commands.records:export",
    "verify": "referee.commands.verify:verify",
    "rolls": "referee.commands.rolls:rolls",
    "slip": "referee.commands.records:slip",
    "backup": "referee.commands.records:backup",
    "restore": "referee.commands.restore:restore_command",
    "docs": "referee.commands.docs:docs",
    "doctor": "referee.commands.doctor:doctor",
    "install": "referee.commands.install.command:install",
    "bundle": "referee.commands.install.bundle:bundle",
    "show": "referee.commands.show:show",
    "read": "referee.commands.dice:read",
    "dice": "referee.commands.dice:dice",
    "lights": "referee.commands.lights:lights",
    "tray": "referee.commands.tray:tray",
    "cards": "referee.commands.cards:cards",
    "rules": "referee.commands.rules:rules",
    "position": "referee.commands.position:position",
    "play-outs": "referee.commands.play_outs:play_outs",
    "explain": "referee.commands.position:explain_command",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, attribute = target.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=LazyGroup)
@click.version_option(package_name="table-referee")
def main() -> None:
    """Table Referee: a referee that lives in a physical game table."""
    for stream in (sys.stdout, sys.stderr):
        # a terminal of another encoding shows \\u0141 for a letter that it lacks; it ends no table
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

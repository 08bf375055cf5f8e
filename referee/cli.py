"""The command line: ``referee serve | read | dice | rules | explain | show | verify | doctor ...``.

Each room adds its commands in its own module; this file only gathers them.
Heavy imports stay inside the commands, so that ``referee --help`` is quick.
"""

from __future__ import annotations

from importlib import import_module

import click

# name of the command or group -> "module:attribute"; loaded only when it is called
COMMANDS: dict[str, str] = {
    "serve": "referee.serve:serve",
    "games": "referee.record.commands:games",
    "export": "referee.record.commands:export",
    "verify": "referee.record.commands:verify",
    "rolls": "referee.record.rolls:rolls",
    "slip": "referee.record.commands:slip",
    "backup": "referee.record.commands:backup",
    "restore": "referee.record.restoring:restore_command",
    "doctor": "referee.doctor:doctor",
    "install": "referee.install.command:install",
    "bundle": "referee.install.bundle:bundle",
    "show": "referee.record.show:show",
    "read": "vision.cli:read",
    "dice": "vision.cli:dice",
    "lights": "firmware_bridge.cli:lights",
    "rules": "referee.rules_cli:rules",
    "position": "referee.position_cli:position",
    "explain": "referee.position_cli:explain_command",
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

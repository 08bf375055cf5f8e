"""``referee install``: set a Pi up, step by step; ``--dry-run`` only prints the steps.

``--root`` writes into a mounted system that does not run (an SD card on another
machine): the service is enabled there and starts when that system does.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import click

from referee.commands.common import language, says_what_is_wrong
from referee.commands.install.reachable import first_closed
from referee.config.settings import SAMPLE
from referee.journal.errors import NotAllowed, NotPossible
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text

HERE = Path(__file__).parent
CONFIG = Path("/etc/table-referee/table.toml")
UNIT = Path("/etc/systemd/system/table-referee.service")
RULES = Path("/etc/udev/rules.d/60-table-referee.rules")
SYSTEM = Path("/")
"""The root folder of the system that runs."""


@dataclass(frozen=True)
class Step:
    """One thing to do: a command to run, or a file to write (where ``text`` is set)."""

    what: Text
    command: tuple[str, ...] = ()
    path: Path | None = None
    text: str = ""
    keep: bool = False
    """A file that is there already is left as it is."""


def steps(user: str, program: Path, root: Path = SYSTEM) -> Iterator[Step]:
    """All steps, in order; each may be repeated without harm."""
    offline = root != SYSTEM
    if not _exists(user, root):
        yield Step(
            Text("commands.step_user", user=user),
            ("useradd", *(("--prefix", str(root)) if offline else ()), "--system", "--user-group",
             "--no-create-home", "--shell", "/usr/sbin/nologin", user),
        )  # fmt: skip
    yield Step(
        Text("commands.step_configuration"),
        path=CONFIG, text=_configuration(), keep=True,
    )  # fmt: skip
    yield Step(Text("commands.step_service"), path=UNIT, text=unit(user, program))
    yield Step(
        Text("commands.step_rules"),
        path=RULES, text=_rules(),
    )  # fmt: skip
    if offline:
        yield Step(
            Text("commands.step_enable"),
            ("systemctl", f"--root={root}", "enable", UNIT.name),
        )  # fmt: skip
        return
    yield Step(Text("commands.step_load_rules"), ("udevadm", "control", "--reload"))
    yield Step(Text("commands.step_load_service"), ("systemctl", "daemon-reload"))
    yield Step(
        Text("commands.step_start"),
        ("systemctl", "enable", "--now", UNIT.name),
    )  # fmt: skip


def unit(user: str, program: Path) -> str:
    """The text of the service."""
    template = (HERE / "table-referee.service").read_text(encoding="utf-8")
    documentation = (HERE / "hotspot.md").as_uri().replace("%", "%%")
    fields = {"program": quoted(program), "config": CONFIG, "user": user, "docs": documentation}
    for name, value in fields.items():
        template = template.replace("{" + name + "}", str(value))
    return template.replace("; {fields} are filled in then", "")


def quoted(program: Path) -> str:
    """``program`` as the first word of ``ExecStart=``; its folders may have spaces and signs in their names.

    There systemd expands specifiers (``%``) but no variables (``$``).
    Raises ``NotPossible`` for what it takes in no form: quotes, backslashes, control characters.
    """
    text = str(program)
    if not text.isprintable() or set(text) & set("\"'\\"):
        raise NotPossible(
            Text("commands.program_name_special", program=text),
        )
    return f'"{text.replace("%", "%%")}"'


def _configuration() -> str:
    """The sample, set for a Pi: real camera and lights."""
    text = SAMPLE.read_text(encoding="utf-8")
    return text.replace('source = "virtual:"  ', 'source = "picamera2:"').replace(
        'driver = "emulator"     ', 'driver = "own"          '
    )


def _rules() -> str:
    return files("firmware_bridge").joinpath("udev/60-table-referee.rules").read_text(encoding="utf-8")


def _exists(user: str, root: Path) -> bool:
    if root != SYSTEM:
        try:
            lines = (root / "etc/passwd").read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise NotPossible(
                Text("commands.no_system_there", root=root, why=error),
            ) from error
        return any(line.startswith(f"{user}:") for line in lines)
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def run(step: Step, root: Path = SYSTEM) -> None:
    """Do one step.  ``root`` is where files go.  Raises ``NotPossible`` with what failed."""
    try:
        if step.path is not None:
            target = root / step.path.relative_to("/")
            if step.keep and target.exists():
                return
            write_whole(target, step.text)
        else:
            subprocess.run(step.command, check=True, capture_output=True, text=True)
    except (OSError, FileUnwritable, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise NotPossible(
            Text("commands.step_failed", step=step.what, why=said.strip()),
        ) from error


@click.command()
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--user", default="referee", show_default=True, help="Who runs the table.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=SYSTEM,
    help="Install into the system mounted here (an SD card), instead of the one that runs.",
)
@click.option(
    "--program", type=click.Path(path_type=Path), help="Where `referee` is on that system; here: this one."
)
@says_what_is_wrong
def install(dry_run: bool, user: str, root: Path, program: Path | None) -> None:
    """Install the table as a service on a Pi: user, service with watchdog, rules, configuration."""
    spoken = language()
    root = root.resolve()
    program = program or Path(shutil.which("referee") or sys.argv[0]).resolve()
    todo = list(steps(user, program, root))
    closed = _not_executable(user, program, root)
    if not dry_run:
        _check_machine(root)
        if closed is not None:
            raise closed
    for number, step in enumerate(todo, start=1):
        click.echo(f"{number}. {step.what.in_words(spoken)}")
        if dry_run:
            _show(step)
        else:
            run(step, root)
    click.echo((HERE / "hotspot.md").read_text(encoding="utf-8"))
    if closed is not None:
        click.echo(closed.sentence(language()), err=True)


def _not_executable(user: str, program: Path, root: Path) -> NotPossible | None:
    """Why the service could not start; None where it can."""
    at = first_closed(user, program, root)
    if at is None:
        return None
    return NotPossible(
        Text("commands.user_may_not_execute", user=user, program=program, at=at),
    )


def _show(step: Step) -> None:
    if step.path is None:
        click.echo(f"   $ {shlex.join(step.command)}")
        return
    click.echo(f"   > {step.path}")
    for line in step.text.splitlines():
        click.echo(f"   | {line}")


def _check_machine(root: Path) -> None:
    if os.geteuid() != 0 and root == SYSTEM:
        raise NotAllowed(
            Text("commands.needs_root"),
        )
    if root == SYSTEM and not Path("/run/systemd/system").is_dir():
        raise NotPossible(
            Text("commands.no_systemd"),
        )

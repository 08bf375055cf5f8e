"""Writes the shipped firmware to an Arduino with avrdude: no compiler is needed.

Which of the two bootloaders a board carries cannot be seen, so both speeds are tried.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.discovery import Candidate, candidates, holder_of, unfit
from firmware_bridge.probe import ANSWERS, Probe, probe

SHIPPED = Path(__file__).with_name("firmware") / "shipped"
HEX = SHIPPED / "lights_atmega328p.hex"
SPEEDS = (115_200, 57_600)
"""Optiboot (Uno, new Nanos), and the bootloader of most clones."""
PATIENCE_S = 60.0
SAID_LINES = 6

Say = Callable[[str, str], None]


class FlashingFailed(Exception):
    """The firmware is not on the board; the sentences say why and what to do."""

    def __init__(self, sentence_en: str, sentence_de: str) -> None:
        super().__init__(sentence_en)
        self.sentence_en, self.sentence_de = sentence_en, sentence_de


def flash(port: str | None, say: Say, firmware: Path = HEX, speeds: tuple[int, ...] = SPEEDS) -> Probe:
    """Write `firmware` to the board at `port` (None: the only one that may be it), and say HELLO to it.

    Raises FlashingFailed.
    """
    path = _ready(port or _only_port())
    said = ""
    for speed in speeds:
        say(
            f"Writing {firmware.name} to {path} at {speed} baud.",
            f"{firmware.name} auf {path}, {speed} Baud.",
        )
        done, said = _avrdude(path, speed, firmware)
        if done:
            break
    else:
        raise _not_written(path, said)
    found = probe(Candidate(path, "flashed", True), timeout=15.0)
    if found.result != ANSWERS or found.hello is None:
        raise FlashingFailed(
            f"The firmware is written, but the board at {path} does not answer ({found.result}). Unplug it, "
            "plug "
            "it in, then: referee lights find",
            f"Die Firmware ist geschrieben, aber die Platine an {path} antwortet nicht ({found.result}). "
            "Ausstecken, einstecken, dann: referee lights find",
        )
    return found


def _only_port() -> str:
    """The port of the one board that may be it."""
    found = candidates()
    likely = [one for one in found if one.likely] or found
    if len(likely) == 1:
        return likely[0].path
    if not likely:
        raise FlashingFailed(
            "No USB serial port is there. Plug the board in, with a cable that carries data; "
            "`referee lights doctor` tells why a board may not show up.",
            "Es ist kein serieller USB-Anschluss da. Platine mit einem Datenkabel einstecken; "
            "`referee lights doctor` sagt, warum eine Platine nicht erscheint.",
        )
    named = ", ".join(f"{one.path} ({one.why})" for one in likely)
    raise FlashingFailed(
        f"Several boards are there: {named}. Say which: --port",
        f"Mehrere Platinen sind da: {named}. Bitte wählen: --port",
    )


def _ready(path: str) -> str:
    """The port, if something can be written through it."""
    other = unfit(path)
    if other:
        raise FlashingFailed(
            f"{path} is an {other}: it has no ATmega328P, and this firmware does not run on it. What will "
            "do is "
            "in docs/build/parts.md.",
            f"{path} ist ein {other}: ohne ATmega328P, diese Firmware läuft dort nicht. Was passt, steht in "
            "docs/build/parts.md.",
        )
    if not Path(path).exists():
        raise FlashingFailed(
            f"There is no {path}. `referee lights find` lists the ports that are there.",
            f"{path} gibt es nicht. `referee lights find` zeigt, welche Anschlüsse da sind.",
        )
    holder = holder_of(path)
    if holder is not None:
        raise FlashingFailed(
            f"{path} is held by {holder.name} ({holder.pid}). Stop it first; a table that runs as a service: "
            "sudo systemctl stop table-referee",
            f"{path} wird von {holder.name} ({holder.pid}) gehalten. Erst beenden; läuft der Tisch als "
            "Dienst: "
            "sudo systemctl stop table-referee",
        )
    if shutil.which("avrdude") is None:
        raise FlashingFailed(
            "avrdude is not installed: sudo apt install avrdude. Any other program that writes an Arduino "
            "will "
            f"do as well, for example AVRDUDESS on Windows, with the file {HEX}.",
            "avrdude fehlt: sudo apt install avrdude. Jedes andere Programm, das Arduinos beschreibt, geht "
            "auch, "
            f"etwa AVRDUDESS unter Windows, mit der Datei {HEX}.",
        )
    return path


def _avrdude(path: str, speed: int, firmware: Path) -> tuple[bool, str]:
    """Whether it is written and verified, and the last of what avrdude said."""
    command = ["avrdude", "-p", "atmega328p", "-c", "arduino", "-P", path, "-b", str(speed), "-D"]
    command += ["-U", f"flash:w:{firmware}:i"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False, "avrdude: no answer within a minute"
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode == 0, "\n".join(lines[-SAID_LINES:])


def _not_written(path: str, said: str) -> FlashingFailed:
    """Why avrdude gave up, as far as it can be told."""
    if "signature" in said and "not in sync" not in said:
        return FlashingFailed(
            f"The board at {path} carries another processor than the ATmega328P (an ATmega168 perhaps), so "
            "the "
            f"firmware does not fit. avrdude said:\n{said}",
            f"Die Platine an {path} hat einen anderen Prozessor als den ATmega328P (vielleicht einen "
            "ATmega168), "
            f"die Firmware passt nicht. avrdude sagte:\n{said}",
        )
    if "ermission" in said:
        return FlashingFailed(
            f"This user may not open {path}: sudo usermod -aG dialout $USER, then log in again.",
            f"Dieser Benutzer darf {path} nicht öffnen: sudo usermod -aG dialout $USER, dann neu anmelden.",
        )
    return FlashingFailed(
        f"The board at {path} takes nothing at either speed. Is it a Nano or Uno with ATmega328P? Take 10 "
        "uF off "
        f"RESET if there is one, press its button just before you try again. avrdude said:\n{said}",
        f"Die Platine an {path} nimmt mit keiner Geschwindigkeit etwas an. Ist es ein Nano oder Uno mit "
        f"ATmega328P? Einen Kondensator an RESET abnehmen, kurz vor dem nächsten Versuch ihre Taste drücken. "
        f"avrdude sagte:\n{said}",
    )

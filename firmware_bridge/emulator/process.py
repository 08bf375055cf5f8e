"""Boards in child processes; the real firmware in simavr is one."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from threading import Thread
from typing import IO, ClassVar

from firmware_bridge.emulator.base import FAULTS, Controller, EmulatorUnavailable, StripPicture

_ROOM = Path(__file__).resolve().parent.parent


@cache
def why_not_simavr() -> str:
    """What is missing to build and run the firmware, or an empty string."""
    missing = [tool for tool in ("make", "gcc", "avr-g++", "avr-objcopy") if not shutil.which(tool)]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        missing.append("libsimavr-dev")
    if not Path("/usr/include/libelf.h").exists():
        missing.append("libelf-dev")
    if not Path("/usr/lib/avr/include/avr/io.h").exists():
        missing.append("avr-libc")
    return f"not installed: {', '.join(missing)}" if missing else ""


def _build_folder() -> Path:
    if os.access(_ROOM / "firmware", os.W_OK):
        return _ROOM
    cached = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "table-referee"
    return cached


@cache
def build_part(part: str, product: str) -> Path:
    """Make one product of `firmware/` or `emulator/` if it is older than its sources."""
    folder = _build_folder() / part / "build"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:  # several test processes build at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "-s", "-C", str(_ROOM / part), f"BUILD={folder}", str(folder / product)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise EmulatorUnavailable(f"building {product} failed:\n{done.stderr}")
    return folder / product


@cache
def build() -> tuple[Path, Path]:
    """The firmware and the program that runs it, built if need be: (elf, program)."""
    reason = why_not_simavr()
    if reason:
        raise EmulatorUnavailable(reason)
    return build_part("firmware", "lights.elf"), build_part("emulator", "lights_emulator")


class ProcessController(Controller):
    """A board in a child process that prints its pictures and events as JSON and takes commands as lines."""

    NS_PER_UNIT: ClassVar[float] = 1.0
    """Nanoseconds of one unit in which the child tells widths."""

    def __init__(self, leds: int, link: Path | None) -> None:
        super().__init__(leds, link)
        self._child: subprocess.Popen[bytes] | None = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _spawn(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def restart(self) -> None:
        self.kill()
        child = self._child = self._spawn()
        before = sum(event.get("event") == "ready" for event in self.events())
        assert child.stdout
        self._reader = Thread(target=self._read, args=(child.stdout,), name="emulated strip", daemon=True)
        self._reader.start()
        self.wait_for_event("ready", count=before + 1)

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            try:
                data = json.loads(line)
            except ValueError:  # cut off when the process was killed
                return
            self._told(data)

    def _told(self, data: dict[str, object]) -> None:
        if "event" in data:
            self._happened(data)
        else:
            self._add(self._picture(data))

    def _picture(self, data: dict[str, object]) -> StripPicture:
        timing = {}
        for name in ("t0h", "t1h", "t0l", "t1l"):
            span = data.get(name)
            if isinstance(span, list):
                timing[name] = (span[0] * self.NS_PER_UNIT, span[1] * self.NS_PER_UNIT)
        wire = bytes.fromhex(str(data["wire"]))[: 3 * self.leds]
        numbers = {key: float(str(data[key])) for key in ("t", "began", "gap_us", "short_gaps", "bits")}
        return StripPicture(
            wire,
            numbers["t"],
            numbers["began"],
            numbers["gap_us"],
            int(numbers["short_gaps"]),
            int(numbers["bits"]),
            timing,
            float(str(data["slept"])),
        )

    def _tell(self, command: str) -> None:
        child = self._child  # another thread may pull the plug meanwhile
        if child and child.stdin and child.poll() is None:
            child.stdin.write(command.encode() + b"\n")
            child.stdin.flush()

    def press(self, button: int, down: bool = True) -> None:
        self._tell(f"button {button} {int(down)}")

    def reset(self) -> None:
        self._tell("reset")

    def hold(self, stuck: bool = True) -> None:
        self._tell(f"hold {int(stuck)}")

    def hang(self) -> None:
        self._tell("hang")

    def kill(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        self._reader.join(5)
        for stream in (child.stdin, child.stdout):
            if stream:
                stream.close()
        self._link.unlink(missing_ok=True)


class SimavrController(ProcessController):
    """The firmware on an emulated ATmega328P; see lights_emulator.c for how true it is.

    `firmware`: an .elf or .hex instead of the one that is built; `bootloader`: the .hex of a real one.
    """

    kind: ClassVar[str] = "simavr"
    NS_PER_UNIT: ClassVar[float] = 62.5  # a cycle

    def __init__(
        self,
        leds: int,
        *,
        seed: int,
        boot_ms: int,
        link: Path | None,
        firmware: Path | None = None,
        bootloader: Path | None = None,
    ) -> None:
        super().__init__(leds, link)
        self._seed, self._boot_ms = seed, 0 if bootloader else boot_ms
        self._bootloader = bootloader
        self._faults: dict[str, float] = {}
        elf, self._program = build()
        self._firmware = firmware or elf
        self.restart()

    def _command(self) -> list[str]:
        command = [str(self._program), str(self._firmware), "--link", str(self._link)]
        command += ["--boot-ms", str(self._boot_ms), "--seed", str(self._seed)]
        if self._bootloader:
            command += ["--bootloader", str(self._bootloader)]
        return command

    def restart(self) -> None:
        super().restart()
        for name, probability in self._faults.items():
            self._tell(f"fault {name} {probability}")

    def set_fault(self, name: str, probability: float) -> None:
        if name not in FAULTS:
            raise ValueError(f"unknown fault {name}, one of {', '.join(FAULTS)}")
        self._faults[name] = probability
        self._tell(f"fault {name} {probability}")

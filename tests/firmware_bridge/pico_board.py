"""The Raspberry Pi Pico's firmware in rp2040js, behind a pseudo terminal that comes and goes as on USB."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import termios
import time
import tty
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import ClassVar

from lights_lab import need_firmware_tools

from firmware_bridge.emulator.base import EmulatorUnavailable
from firmware_bridge.emulator.process import ProcessController, build_part

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SPEEDS = {getattr(termios, f"B{baud}"): baud for baud in (1200, 9600, 115_200, 230_400)}
COMPILER = "arm-none-eabi-g++"


@cache
def why_not_pico() -> str:
    """What is missing to build the Pico's firmware and to run it, or an empty string."""
    missing = [tool for tool in ("make", COMPILER, "node", "npm") if not shutil.which(tool)]
    return f"not installed: {', '.join(missing)}" if missing else ""


@cache
def rp2040js() -> Path:
    """The emulator's library, as package.json names it; installed once."""
    version = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]["rp2040js"]
    folder = ROOT / "build" / f"rp2040js-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "node_modules" / "rp2040js" / "dist" / "esm" / "index.js"
    with open(folder / ".lock", "w") as lock:  # several test processes install at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.exists():
            command = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"]
            command += ["--prefix", str(folder), f"rp2040js@{version}"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=280)
            if done.returncode:
                raise EmulatorUnavailable(f"npm could not install rp2040js: {done.stderr[-300:]}")
    return library


def need_pico_tools() -> None:
    """Skip, or fail where the firmware must be tested, without the tools for the Pico."""
    reason = why_not_pico()
    if not reason:
        try:
            rp2040js()
        except EmulatorUnavailable as error:
            reason = str(error)
    if reason:
        need_firmware_tools(reason)


def built_uf2() -> Path:
    """The firmware as this machine's compiler makes it."""
    return build_part("firmware", "lights_pico.uf2")


class PicoController(ProcessController):
    """A Pico that runs `firmware` (a UF2 file; default: built here); see pico_emulator.mjs."""

    kind: ClassVar[str] = "pico"

    def __init__(self, leds: int, *, link: Path | None = None, firmware: Path | None = None) -> None:
        super().__init__(leds, link)
        self._firmware = firmware or built_uf2()
        self._master: int | None = None
        self._guard, self._telling = Lock(), Lock()
        self.restart()
        self.wait_for_event("attached", timeout=60)

    def power_cycle(self) -> None:
        """Pull the plug and put it in again, and forget what was seen."""
        with self._news:
            self._events.clear()
        self._tell("power")
        self.wait_for_event("attached", timeout=60)

    def _command(self) -> list[str]:
        return ["node", str(HERE / "pico_emulator.mjs"), str(rp2040js()), str(self._firmware)]

    def _spawn(self) -> subprocess.Popen[bytes]:
        ours, childs = os.pipe()
        os.set_blocking(ours, False)  # the emulator looks for commands and goes on
        child = subprocess.Popen(self._command(), stdin=ours, stdout=subprocess.PIPE)
        os.close(ours)
        child.stdin = os.fdopen(childs, "wb", buffering=0)
        return child

    def _tell(self, command: str) -> None:
        with self._telling, contextlib.suppress(BrokenPipeError, ValueError):
            super()._tell(command)

    def _told(self, data: dict[str, object]) -> None:
        if "tx" in data:
            with self._guard, contextlib.suppress(OSError):  # nobody reads: as lost as in a full buffer
                if self._master is not None:
                    os.write(self._master, bytes.fromhex(str(data["tx"])))
            return
        if data.get("event") == "power":
            self.forget()
        if data.get("event") == "attached":
            self._plug_in()
        if data.get("event") == "detached":
            self._unplug()
        super()._told(data)

    def _plug_in(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(name)
        with self._guard:
            self._master = master
        Thread(target=self._serve, args=(master,), name="USB serial port", daemon=True).start()

    def _unplug(self) -> None:
        with self._guard:
            master, self._master = self._master, None
        self._link.unlink(missing_ok=True)
        if master is not None:
            os.close(master)

    def _serve(self, master: int) -> None:
        """Bytes and line states of one pseudo terminal until it is gone."""
        there = False
        poller = select.poll()
        poller.register(master, select.POLLIN)
        while self._master == master:
            flags = dict(poller.poll(5)).get(master, 0)
            try:
                with self._guard:
                    if self._master != master:
                        return
                    speed = SPEEDS.get(termios.tcgetattr(master)[5], 250_000)
                    chunk = os.read(master, 4096) if flags & select.POLLIN else b""
            except OSError:
                chunk = b""
            now_there = not flags & select.POLLHUP
            if now_there != there:
                there = now_there
                self._tell(f"{'open' if there else 'close'} {speed}")
                self._happened({"event": "opened" if there else "closed", "t": 0.0})
            if chunk:
                self._tell(f"rx {chunk.hex()}")
            elif not there:
                time.sleep(0.002)

    def kill(self) -> None:
        super().kill()
        self._unplug()

"""What is wrong with this table, and what to do about it: for ``referee doctor`` and the health page."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from referee.config.settings import Config
from referee.journal.errors import StoreError
from referee.journal.events import first_break
from referee.kernel.lights import lit_places
from referee.kernel.messages import Text
from referee.kernel.registry import game_ids, load_game
from referee.serving.cameradice import tray_of
from referee.serving.holder import holder_of
from referee.store.store import Store

CheckVerdict = Literal["ok", "warn", "fail"]

HOT, TOO_HOT = 70.0, 80.0
"""Degrees Celsius: a Pi slows down at 80 to 85."""
LOW_BYTES, FULL_BYTES = 1_000_000_000, 200_000_000
SLOW_SYNC_S = 0.5
NEWEST_PAST = datetime(2026, 1, 1, tzinfo=UTC)
"""This program did not exist before: a clock that says so is wrong."""

UNDER_VOLTAGE, THROTTLED = 0x1, 0x6
UNDER_VOLTAGE_PAST, THROTTLED_PAST = 0x10000, 0x60000


@dataclass(frozen=True)
class HealthCheck:
    """One thing looked at: what is so and, where something is wrong, what to do."""

    id: str
    verdict: CheckVerdict
    text: Text
    do: Text | None = None

    def as_json(self) -> dict[str, str]:
        """For ``--json``: with the sentences in English and German."""
        do = self.do
        return {
            "id": self.id,
            "verdict": self.verdict,
            "english": self.text.in_words("en"),
            "german": self.text.in_words("de"),
            "do_english": "" if do is None else do.in_words("en"),
            "do_german": "" if do is None else do.in_words("de"),
        }


def ok(name: str, text: Text) -> HealthCheck:
    """A check that is fine."""
    return HealthCheck(name, "ok", text)


def checks(config: Config, root: Path = Path("/")) -> Iterator[HealthCheck]:
    """All checks, cheap ones first.  ``root`` is where /sys and /proc are looked for."""
    yield from machine(config, root)
    yield from port(config)
    yield from _guarded("camera", lambda: camera(config))
    yield from _guarded("lights", lambda: lights(config))


def machine(config: Config, root: Path = Path("/")) -> Iterator[HealthCheck]:
    """What can be looked at while the table runs too: everything but port, camera and lights."""
    yield from power(root)
    yield from heat(root)
    yield from disk(config.data_folder)
    yield from card(root)
    yield from writing(config.data_folder)
    yield from clock(datetime.now(UTC))
    yield from permissions(config)
    yield from record(config)


def _guarded(name: str, look: Callable[[], Iterator[HealthCheck]]) -> Iterator[HealthCheck]:
    """A check that talks to hardware must not end the others, whatever a driver throws."""
    try:
        yield from look()
    except Exception as error:
        yield HealthCheck(
            name, "fail", Text("serving.looking_failed", name=type(error).__name__, why=error),
            Text("serving.do_report"),
        )  # fmt: skip


# -- power, heat, disk -----------------------------------------------------------------------------------


def throttled(root: Path) -> int | None:
    """The firmware's flags of under-voltage and throttling; None on other machines than a Pi."""
    for place in ("sys/devices/platform/soc/soc:firmware/get_throttled", "sys/class/hwmon/throttled"):
        with suppress(OSError, ValueError):
            return int((root / place).read_text().strip(), 16)
    alarms = [path for path in (root / "sys/class/hwmon").glob("*/in0_lcrit_alarm") if _is_pi_voltage(path)]
    with suppress(OSError, ValueError, IndexError):
        return UNDER_VOLTAGE if int(alarms[0].read_text()) else 0
    return None


def _is_pi_voltage(alarm: Path) -> bool:
    with suppress(OSError):
        return (alarm.parent / "name").read_text().strip() == "rpi_volt"
    return False


def power(root: Path) -> Iterator[HealthCheck]:
    """Under-voltage, now or since the start."""
    flags = throttled(root)
    if flags is None:
        return
    do = Text("serving.do_power")
    if flags & UNDER_VOLTAGE:
        yield HealthCheck("power", "fail", Text("serving.voltage_low"), do)
    elif flags & UNDER_VOLTAGE_PAST:
        yield HealthCheck(
            "power", "warn", Text("serving.voltage_was_low"), do,
        )  # fmt: skip
    elif flags & (THROTTLED | THROTTLED_PAST):
        yield HealthCheck("power", "warn", Text("serving.slowed"), do)
    else:
        yield ok("power", Text("serving.voltage_right"))


def heat(root: Path) -> Iterator[HealthCheck]:
    """The hottest zone."""
    temperatures = []
    for zone in (root / "sys/class/thermal").glob("thermal_zone*/temp"):
        with suppress(OSError, ValueError):
            temperatures.append(int(zone.read_text()) / 1000)
    if not temperatures:
        return
    hottest = max(temperatures)
    said = Text("serving.temperature", degrees=f"{hottest:.0f} °C")
    if hottest < HOT:
        yield ok("heat", said)
        return
    yield HealthCheck("heat", "fail" if hottest >= TOO_HOT else "warn", said, Text("serving.do_cool"))


def disk(folder: Path) -> Iterator[HealthCheck]:
    """Room where the record is kept."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    free = shutil.disk_usage(there).free
    said = Text("serving.room", room=free / 1e9, folder=folder)
    if free >= LOW_BYTES:
        yield ok("disk", said)
        return
    yield HealthCheck("disk", "fail" if free < FULL_BYTES else "warn", said, Text("serving.do_make_room"))


def card(root: Path) -> Iterator[HealthCheck]:
    """File system errors and, where the card tells, its wear."""
    errors = 0
    for path in (root / "sys/fs/ext4").glob("*/errors_count"):
        with suppress(OSError, ValueError):
            errors += int(path.read_text())
    do = Text("serving.do_backup")
    if errors:
        yield HealthCheck(
            "card", "fail", Text("serving.card_errors", errors=errors), do,
        )  # fmt: skip
    for path in (root / "sys/block").glob("mmcblk*/device/life_time"):
        with suppress(OSError, ValueError):
            worn = max(int(word, 16) for word in path.read_text().split())
            if worn >= 9:  # in steps of 10 % of the life, JEDEC eMMC 5.0
                yield HealthCheck(
                    "card", "warn", Text("serving.card_worn", worn=10 * worn), do,
                )  # fmt: skip
    if not errors and (root / "sys/fs/ext4").is_dir():
        yield ok("card", Text("serving.card_sound"))


def writing(folder: Path) -> Iterator[HealthCheck]:
    """Whether the record's folder can be written, and how long the disk takes to say so."""
    probe = folder / ".doctor"
    began = time.perf_counter()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with probe.open("wb") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()
    except OSError as error:
        yield HealthCheck(
            "write", "fail", Text("serving.unwritable", folder=folder, why=error.strerror),
            Text("serving.do_writable", folder=folder),
        )  # fmt: skip
        return
    took = time.perf_counter() - began
    said = Text("serving.disk_takes", milliseconds=f"{took * 1000:.0f}")
    if took < SLOW_SYNC_S:
        yield ok("write", said)
    else:
        yield HealthCheck("write", "warn", said, Text("serving.do_better_card"))


def clock(now: datetime) -> Iterator[HealthCheck]:
    """A clock that stands in the past.  A Pi has none of its own."""
    if now < NEWEST_PAST:
        yield HealthCheck(
            "clock", "warn", Text("serving.clock_wrong", now=now),
            Text("serving.do_connect"),
        )  # fmt: skip
    else:
        yield ok("clock", Text("serving.clock_right", now=now))


# -- the table's own things ------------------------------------------------------------------------------


def permissions(config: Config) -> Iterator[HealthCheck]:
    """Devices that are there but may not be used by this user."""
    for pattern, group in (("ttyUSB*", "dialout"), ("ttyACM*", "dialout"), ("video*", "video")):
        for device in Path("/dev").glob(pattern):
            if not os.access(device, os.R_OK | os.W_OK):
                yield HealthCheck(
                    "permissions", "fail", Text("serving.no_permission", device=device),
                    Text("serving.do_permission", group=group),
                )  # fmt: skip


def record(config: Config) -> Iterator[HealthCheck]:
    """The store: can it be read, and does the latest game's chain hold?"""
    where = config.store
    if isinstance(where, Path) and not where.exists():
        yield ok("record", Text("serving.no_record_yet", where=where))
        return
    try:
        with Store.open(where, write=False) as store:
            known = store.game_ids()
            loaded = store.load(known[-1]) if known else None
    except StoreError as error:
        do = Text("serving.do_serve")
        yield HealthCheck("record", "fail", error.text, do)
        return
    if loaded is not None and loaded.remarks:
        for remark in loaded.remarks:
            yield HealthCheck("record", "warn", remark, Text("serving.record_needs_mending"))
    elif loaded is not None and first_break(loaded.header, loaded.events) is None:
        yield ok(
            "record", Text("serving.games_kept", known=len(known), events=len(loaded.events)),
        )  # fmt: skip
    else:
        yield ok("record", Text("serving.record_empty"))


def port(config: Config) -> Iterator[HealthCheck]:
    """Who holds the web server's port."""
    number = config.web.port
    who = holder_of(number)
    if not who:
        yield ok("port", Text("serving.port_free", number=number))
    elif "referee" in who or "python" in who:
        yield ok("port", Text("serving.port_taken", number=number, who=who))
    else:
        yield HealthCheck(
            "port", "fail", Text("serving.port_held", number=number, who=who),
            Text("serving.do_other_port"),
        )  # fmt: skip


def camera(config: Config) -> Iterator[HealthCheck]:
    """Open the camera and ask for one picture."""
    source = config.camera.source
    if source == "none":
        yield ok("camera", Text("serving.no_camera_configured"))
        return
    from vision.sources.base import CameraLost
    from vision.sources.framing import framed
    from vision.sources.opening import open_camera

    line = framed(source, tray_of(config)) if config.camera.reader == "tray" else source
    try:
        opened = open_camera(line, ())
        try:
            frame = opened.frame(5.0)
        finally:
            opened.close()
    except CameraLost as error:
        yield HealthCheck("camera", "fail", error.text)
        return
    if frame is None:
        yield HealthCheck(
            "camera", "fail", Text("serving.camera_silent"),
            Text("serving.do_cable"),
        )  # fmt: skip
        return
    height, width = frame.image.shape[:2]
    yield ok(
        "camera",
        Text("serving.camera_pictures", source=source, width=width, height=height),
    )
    if config.camera.reader == "tray":
        yield from tray(frame.image, config)


def tray(image: Any, config: Config) -> Iterator[HealthCheck]:
    """Markers, focus, exposure, shadow and glare, in the words of the set-up page."""
    from calibration.camera_check import look

    for one in look(image, tray_of(config)).findings:
        verdict: CheckVerdict = "ok" if one.good else "warn"
        yield HealthCheck(f"tray.{one.code}", verdict, one.text)


def _most_places() -> list[str]:
    """What the game with the most lights lights."""
    return max((lit_places(load_game(game)) for game in game_ids()), key=len, default=[])


def lights(config: Config) -> Iterator[HealthCheck]:
    """The checks of the lights' own room."""
    from firmware_bridge.doctor import doctor_checks

    section: dict[str, Any] = dict(config.lights) or {"driver": "emulator"}
    for one in doctor_checks(section, _most_places(), config.folder):
        verdict: CheckVerdict = {"ok": "ok", "warn": "warn"}.get(str(one.verdict.value), "fail")  # type: ignore[assignment]
        yield HealthCheck(f"lights.{one.name}", verdict, one.text, one.way_out)

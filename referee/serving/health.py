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
from referee.serving.holder import holder_of
from referee.store.store import Store

Verdict = Literal["ok", "warn", "fail"]

HOT, TOO_HOT = 70.0, 80.0
"""Degrees Celsius: a Pi slows down at 80 to 85."""
LOW_BYTES, FULL_BYTES = 1_000_000_000, 200_000_000
SLOW_SYNC_S = 0.5
NEWEST_PAST = datetime(2026, 1, 1, tzinfo=UTC)
"""This program did not exist before: a clock that says so is wrong."""

UNDER_VOLTAGE, THROTTLED = 0x1, 0x6
UNDER_VOLTAGE_PAST, THROTTLED_PAST = 0x10000, 0x60000


@dataclass(frozen=True)
class Check:
    """One thing looked at: what is so and, where something is wrong, what to do (English, German)."""

    id: str
    verdict: Verdict
    english: str
    german: str
    do_english: str = ""
    do_german: str = ""


def ok(name: str, english: str, german: str) -> Check:
    """A check that is fine."""
    return Check(name, "ok", english, german)


def checks(config: Config, root: Path = Path("/")) -> Iterator[Check]:
    """All checks, cheap ones first.  ``root`` is where /sys and /proc are looked for."""
    yield from machine(config, root)
    yield from port(config)
    yield from _guarded("camera", lambda: camera(config))
    yield from _guarded("lights", lambda: lights(config))


def machine(config: Config, root: Path = Path("/")) -> Iterator[Check]:
    """What can be looked at while the table runs too: everything but port, camera and lights."""
    yield from power(root)
    yield from heat(root)
    yield from disk(config.data_folder)
    yield from card(root)
    yield from writing(config.data_folder)
    yield from clock(datetime.now(UTC))
    yield from permissions(config)
    yield from record(config)


def _guarded(name: str, look: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """A check that talks to hardware must not end the others, whatever a driver throws."""
    try:
        yield from look()
    except Exception as error:
        yield Check(
            name, "fail", f"Looking at it failed: {type(error).__name__}: {error}",
            f"Die Prüfung schlug fehl: {type(error).__name__}: {error}",
            "Send `referee bundle` with a report.", "Bitte `referee bundle` mit einer Meldung schicken.",
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


def power(root: Path) -> Iterator[Check]:
    """Under-voltage, now or since the start."""
    flags = throttled(root)
    if flags is None:
        return
    do = (
        "Use the official power supply and a short cable; take power from LEDs and drives off the Pi.",
        "Das originale Netzteil und ein kurzes Kabel nehmen; LEDs und Laufwerke nicht vom Pi versorgen.",
    )
    if flags & UNDER_VOLTAGE:
        yield Check("power", "fail", "The voltage is too low now.", "Die Spannung ist zu niedrig.", *do)
    elif flags & UNDER_VOLTAGE_PAST:
        yield Check(
            "power", "warn", "The voltage was too low since the start.",
            "Die Spannung war seit dem Start zu niedrig.", *do,
        )  # fmt: skip
    elif flags & (THROTTLED | THROTTLED_PAST):
        yield Check("power", "warn", "The processor was slowed down.", "Der Prozessor wurde gebremst.", *do)
    else:
        yield ok("power", "The voltage is and was right.", "Die Spannung ist und war richtig.")


def heat(root: Path) -> Iterator[Check]:
    """The hottest zone."""
    temperatures = []
    for zone in (root / "sys/class/thermal").glob("thermal_zone*/temp"):
        with suppress(OSError, ValueError):
            temperatures.append(int(zone.read_text()) / 1000)
    if not temperatures:
        return
    hottest = max(temperatures)
    said = f"{hottest:.0f} °C"
    if hottest < HOT:
        yield ok("heat", f"The processor has {said}.", f"Der Prozessor hat {said}.")
        return
    yield Check(
        "heat", "fail" if hottest >= TOO_HOT else "warn", f"The processor has {said}.",
        f"Der Prozessor hat {said}.", "Give the case air or a fan.",
        "Dem Gehäuse Luft oder einen Lüfter geben.",
    )  # fmt: skip


def disk(folder: Path) -> Iterator[Check]:
    """Room where the record is kept."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    free = shutil.disk_usage(there).free
    room = f"{free / 1e9:.1f}"
    said_en = f"{room} GB are free at {folder}."
    said_de = f"Bei {folder} sind {room.replace('.', ',')} GB frei."
    if free >= LOW_BYTES:
        yield ok("disk", said_en, said_de)
        return
    yield Check(
        "disk", "fail" if free < FULL_BYTES else "warn", said_en, said_de,
        "Delete old backups and logs, or move the record to a bigger disk.",
        "Alte Sicherungen und Logs löschen oder das Protokoll auf einen größeren Datenträger legen.",
    )  # fmt: skip


def card(root: Path) -> Iterator[Check]:
    """File system errors and, where the card tells, its wear."""
    errors = 0
    for path in (root / "sys/fs/ext4").glob("*/errors_count"):
        with suppress(OSError, ValueError):
            errors += int(path.read_text())
    do = (
        "Make a backup now (`referee backup FOLDER`) and replace the card.",
        "Jetzt sichern (`referee backup ORDNER`) und die Karte ersetzen.",
    )
    if errors:
        yield Check(
            "card", "fail", f"The file system counted {errors} errors: the card is failing.",
            f"Das Dateisystem zählte {errors} Fehler: Die Karte wird schlecht.", *do,
        )  # fmt: skip
    for path in (root / "sys/block").glob("mmcblk*/device/life_time"):
        with suppress(OSError, ValueError):
            worn = max(int(word, 16) for word in path.read_text().split())
            if worn >= 9:  # in steps of 10 % of the life, JEDEC eMMC 5.0
                yield Check(
                    "card", "warn", f"The card has used {10 * worn} % of its life.",
                    f"Die Karte hat {10 * worn} % ihres Lebens hinter sich.", *do,
                )  # fmt: skip
    if not errors and (root / "sys/fs/ext4").is_dir():
        yield ok("card", "The file system counted no errors.", "Das Dateisystem zählte keine Fehler.")


def writing(folder: Path) -> Iterator[Check]:
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
        yield Check(
            "write", "fail", f"{folder} cannot be written ({error.strerror}).",
            f"{folder} ist nicht beschreibbar ({error.strerror}).",
            f"Make it writable (sudo chown -R $USER {folder}), or remount the disk; cause: `dmesg`.",
            f"Beschreibbar machen (sudo chown -R $USER {folder}) oder neu einhängen; Ursache: `dmesg`.",
        )  # fmt: skip
        return
    took = time.perf_counter() - began
    said_en = f"The disk takes {took * 1000:.0f} ms to keep an answer."
    said_de = f"Der Datenträger braucht {took * 1000:.0f} ms, um eine Antwort zu sichern."
    if took < SLOW_SYNC_S:
        yield ok("write", said_en, said_de)
    else:
        yield Check(
            "write",
            "warn",
            said_en,
            said_de,
            "Use a better card or an SSD.",
            "Bessere Karte oder SSD nehmen.",
        )


def clock(now: datetime) -> Iterator[Check]:
    """A clock that stands in the past.  A Pi has none of its own."""
    if now < NEWEST_PAST:
        yield Check(
            "clock", "warn", f"The clock says {now:%Y-%m-%d %H:%M} UTC, which cannot be.",
            f"Die Uhr sagt {now:%Y-%m-%d %H:%M} UTC, das kann nicht sein.",
            "Connect a network once, or: sudo date -s 'YYYY-MM-DD HH:MM'. The order stays right.",
            "Einmal ein Netz anschließen, oder: sudo date -s 'JJJJ-MM-TT HH:MM'. Die Ordnung stimmt.",
        )  # fmt: skip
    else:
        yield ok(
            "clock", f"The clock says {now:%Y-%m-%d %H:%M} UTC.", f"Die Uhr sagt {now:%Y-%m-%d %H:%M} UTC."
        )


# -- the table's own things ------------------------------------------------------------------------------


def permissions(config: Config) -> Iterator[Check]:
    """Devices that are there but may not be used by this user."""
    for pattern, group in (("ttyUSB*", "dialout"), ("ttyACM*", "dialout"), ("video*", "video")):
        for device in Path("/dev").glob(pattern):
            if not os.access(device, os.R_OK | os.W_OK):
                yield Check(
                    "permissions", "fail", f"{device} may not be used by this user.",
                    f"{device} darf dieser Benutzer nicht verwenden.",
                    f"sudo usermod -aG {group} $USER, then log in again.",
                    f"sudo usermod -aG {group} $USER, dann neu anmelden.",
                )  # fmt: skip


def record(config: Config) -> Iterator[Check]:
    """The store: can it be read, and does the latest game's chain hold?"""
    where = config.store
    if isinstance(where, Path) and not where.exists():
        yield ok("record", f"There is no record at {where} yet.", f"Unter {where} liegt noch kein Protokoll.")
        return
    try:
        with Store.open(where, write=False) as store:
            known = store.game_ids()
            loaded = store.load(known[-1]) if known else None
    except StoreError as error:
        do = (
            "`referee serve` mends it from its mirror.",
            "`referee serve` stellt es aus dem Spiegel wieder her.",
        )
        yield Check("record", "fail", error.sentence_en, error.sentence_de, *do)
        return
    if loaded is not None and loaded.remarks:
        for english, german in loaded.remarks:
            yield Check(
                "record",
                "warn",
                english,
                german,
                "It is mended at the next start.",
                "Der nächste Start richtet es.",
            )
    elif loaded is not None and first_break(loaded.header, loaded.events) is None:
        yield ok(
            "record", f"Games kept: {len(known)}; the latest has {len(loaded.events)} events and holds.",
            f"Partien: {len(known)}; die letzte hat {len(loaded.events)} Ereignisse und ist unversehrt.",
        )  # fmt: skip
    else:
        yield ok("record", "The record is empty.", "Das Protokoll ist leer.")


def port(config: Config) -> Iterator[Check]:
    """Who holds the web server's port."""
    number = config.web.port
    who = holder_of(number)
    if not who:
        yield ok("port", f"Port {number} is free.", f"Port {number} ist frei.")
    elif "referee" in who or "python" in who:
        yield ok("port", f"Port {number} is served by {who}.", f"Port {number} bedient {who}.")
    else:
        yield Check(
            "port", "fail", f"Port {number} is held by {who}.", f"Port {number} belegt {who}.",
            "Stop that, or set another port in [web].",
            "Jenes beenden oder in [web] einen anderen Port setzen.",
        )  # fmt: skip


def camera(config: Config) -> Iterator[Check]:
    """Open the camera and ask for one picture."""
    source = config.camera.source
    if source == "none":
        yield ok("camera", "No camera is configured.", "Es ist keine Kamera eingestellt.")
        return
    from vision.sources.base import CameraLost
    from vision.sources.opening import open_camera

    try:
        opened = open_camera(source, ())
        try:
            frame = opened.frame(5.0)
        finally:
            opened.close()
    except CameraLost as error:
        yield Check("camera", "fail", error.sentence_en, error.sentence_de)
        return
    if frame is None:
        yield Check(
            "camera", "fail", "The camera gave no picture within five seconds.",
            "Die Kamera gab in fünf Sekunden kein Bild.",
            "Check cable, then power, then whether another program uses it.",
            "Kabel prüfen, dann Strom, dann ob ein anderes Programm sie benutzt.",
        )  # fmt: skip
        return
    height, width = frame.image.shape[:2]
    yield ok(
        "camera",
        f"{source} gives {width} x {height} pictures.",
        f"{source} liefert Bilder mit {width} x {height}.",
    )
    if config.camera.reader == "tray":
        yield from tray(frame.image, config)


def tray(image: Any, config: Config) -> Iterator[Check]:
    """Markers, focus, exposure, shadow and glare, in the words of the set-up page."""
    from calibration.camera_check import look
    from referee.serving.cameradice import tray_of

    for one in look(image, tray_of(config)).findings:
        verdict: Verdict = "ok" if one.good else "warn"
        yield Check(f"tray.{one.code}", verdict, one.sentence_en, one.sentence_de)


def lights(config: Config) -> Iterator[Check]:
    """The checks of the lights' own room."""
    from firmware_bridge.doctor import doctor_checks

    section: dict[str, Any] = dict(config.lights) or {"driver": "emulator"}
    for one in doctor_checks(section):
        verdict: Verdict = {"ok": "ok", "warn": "warn"}.get(str(one.verdict.value), "fail")  # type: ignore[assignment]
        yield Check(
            f"lights.{one.name}", verdict, one.sentence_en, one.sentence_de, one.way_out_en, one.way_out_de
        )

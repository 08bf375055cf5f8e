"""What a WLED says about itself, and whether it fits the board: the doctor's questions."""

from __future__ import annotations

import serial

from firmware_bridge.checks import Check, Verdict
from firmware_bridge.drivers.config import LightsConfig
from firmware_bridge.drivers.wled import WledHttp, WledSerial

OLDEST = (0, 13)
"""The first version whose DDP and single-LED calls are as this program uses them."""


def wled_checks(config: LightsConfig, leds: int) -> list[Check]:
    """Reachable, version, number of LEDs, current limiter, segments."""
    where = config.port or "" if config.driver == "wled-serial" else config.address
    line: WledHttp | WledSerial
    line = WledSerial(where, config.baud) if config.driver == "wled-serial" else WledHttp(where)
    try:
        line.open()
        info, segments = line.info(), line.segments()
    except (OSError, serial.SerialException) as error:
        return [_unreachable(where, str(error))]
    finally:
        line.close()
    version = str(info.get("ver", "?"))
    facts = info.get("leds")
    facts = facts if isinstance(facts, dict) else {}
    return [
        _version(where, version),
        _count(int(facts.get("count", 0)), leds),
        _limiter(int(facts.get("maxpwr", 0)), config.budget_ma),
        *([] if segments <= 1 else [_segments(segments)]),
    ]


def _unreachable(where: str, detail: str) -> Check:
    return Check(
        "wled",
        Verdict.FAIL,
        f"No WLED answers at {where} ({detail}).",
        f"Unter {where} antwortet kein WLED ({detail}).",
        "Open that address in a browser: WLED's own page must appear. Is it powered, and in the same "
        "network?",
        "Diese Adresse im Browser öffnen: WLEDs eigene Seite muss kommen. Hat es Strom, ist es im selben "
        "Netz?",
    )


def _version(where: str, version: str) -> Check:
    numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
    if len(numbers) == 2 and numbers < OLDEST:
        return Check(
            "wled",
            Verdict.WARN,
            f"WLED {version} answers at {where}; it is older than what this program was written for.",
            f"WLED {version} antwortet unter {where}; es ist älter als das, wofür dieses Programm gemacht "
            "ist.",
            "Update WLED (page Config, Security & Updates).",
            "WLED aktualisieren (Seite Config, Security & Updates).",
        )
    return Check(
        "wled", Verdict.OK, f"WLED {version} answers at {where}.", f"WLED {version} antwortet unter {where}."
    )


def _count(there: int, needed: int) -> Check:
    if there < needed:
        return Check(
            "leds",
            Verdict.FAIL,
            f"WLED is set to {there} LEDs, the board needs {needed}.",
            f"WLED ist auf {there} LEDs eingestellt, der Plan braucht {needed}.",
            "Set the length on its page Config, LED Preferences.",
            "Die Länge auf seiner Seite Config, LED Preferences einstellen.",
        )
    return Check(
        "leds",
        Verdict.OK,
        f"WLED is set to {there} LEDs; the board needs {needed}.",
        f"WLED ist auf {there} LEDs eingestellt; der Plan braucht {needed}.",
    )


def _limiter(limit_ma: int, budget_ma: int) -> Check:
    if limit_ma <= 0:
        return Check(
            "power",
            Verdict.WARN,
            "WLED's own current limiter is off: at its start it may light everything.",
            "WLEDs eigener Strombegrenzer ist aus: Beim Einschalten kann es alles leuchten lassen.",
            f"Switch it on (Config, LED Preferences, brightness limiter): {budget_ma} mA.",
            f"Einschalten (Config, LED Preferences, Brightness limiter): {budget_ma} mA.",
        )
    if limit_ma > budget_ma:
        return Check(
            "power",
            Verdict.WARN,
            f"WLED may draw {limit_ma} mA, the table's budget is {budget_ma} mA.",
            f"WLED darf {limit_ma} mA ziehen, der Rahmen des Tisches ist {budget_ma} mA.",
            "Set both to what the supply gives (docs/build/power.md).",
            "Beides auf das setzen, was das Netzteil hergibt (docs/build/power.md).",
        )
    return Check(
        "power",
        Verdict.OK,
        f"WLED limits itself to {limit_ma} mA, the table to {budget_ma} mA.",
        f"WLED begrenzt sich auf {limit_ma} mA, der Tisch auf {budget_ma} mA.",
    )


def _segments(count: int) -> Check:
    return Check(
        "segments",
        Verdict.WARN,
        f"WLED has {count} segments; this program lights the first one only.",
        f"WLED hat {count} Segmente; dieses Programm beleuchtet nur das erste.",
        "Delete all segments but one that spans the whole strip.",
        "Alle Segmente bis auf eines über den ganzen Streifen löschen.",
    )

"""What a WLED says about itself, and whether it fits the board: the doctor's questions."""

from __future__ import annotations

import serial

from firmware_bridge.checks import Check, CheckResult
from firmware_bridge.drivers.config import LightsConfig
from firmware_bridge.drivers.wled import WledHttp, WledSerial
from referee.kernel.messages import Text

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
        CheckResult.FAIL,
        Text("firmware_bridge.wled_silent", where=where, detail=detail),
        Text("firmware_bridge.do_open_address"),
    )


def _version(where: str, version: str) -> Check:
    numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
    if len(numbers) == 2 and numbers < OLDEST:
        return Check(
            "wled",
            CheckResult.WARN,
            Text("firmware_bridge.wled_old", version=version, where=where),
            Text("firmware_bridge.do_update_wled"),
        )
    return Check("wled", CheckResult.OK, Text("firmware_bridge.wled_answers", version=version, where=where))


def _count(there: int, needed: int) -> Check:
    if there < needed:
        return Check(
            "leds",
            CheckResult.FAIL,
            Text("firmware_bridge.wled_too_few_leds", there=there, needed=needed),
            Text("firmware_bridge.do_wled_length"),
        )
    return Check(
        "leds",
        CheckResult.OK,
        Text("firmware_bridge.wled_leds", there=there, needed=needed),
    )


def _limiter(limit_ma: int, budget_ma: int) -> Check:
    if limit_ma <= 0:
        return Check(
            "power",
            CheckResult.WARN,
            Text("firmware_bridge.wled_unlimited"),
            Text("firmware_bridge.do_wled_limiter", budget_ma=budget_ma),
        )
    if limit_ma > budget_ma:
        return Check(
            "power",
            CheckResult.WARN,
            Text("firmware_bridge.wled_over_budget", limit_ma=limit_ma, budget_ma=budget_ma),
            Text("firmware_bridge.do_same_budget"),
        )
    return Check(
        "power",
        CheckResult.OK,
        Text("firmware_bridge.wled_limits", limit_ma=limit_ma, budget_ma=budget_ma),
    )


def _segments(count: int) -> Check:
    return Check(
        "segments",
        CheckResult.WARN,
        Text("firmware_bridge.wled_segments", count=count),
        Text("firmware_bridge.do_one_segment"),
    )

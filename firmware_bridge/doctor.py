"""What is wrong with the lights, in the order in which it usually is: permissions, cable, power."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from firmware_bridge import probe as probing
from firmware_bridge.adapters import screen_reader, silent_adapters
from firmware_bridge.checks import Check, CheckResult
from firmware_bridge.discovery import candidates
from firmware_bridge.doctor_wled import wled_checks
from firmware_bridge.drivers.config import LightsConfig, LightsConfigError
from firmware_bridge.flashing_pico import waits_for_firmware
from firmware_bridge.probe import Probe, probe
from referee.kernel.messages import Text

RULES = Path(__file__).with_name("udev") / "60-table-referee.rules"
INSTALLED_RULES = Path("/etc/udev/rules.d") / RULES.name
INSTALL_RULES = f"sudo cp {RULES} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
OWN_DRIVERS = ("own",)
WLED_DRIVERS = ("wled-ddp", "wled-http", "wled-serial")


def doctor_checks(
    section: Mapping[str, object] | None = None, places: Sequence[str] = (), folder: Path = Path()
) -> list[Check]:
    """Checks for the `[lights]` section given (default: the own controller), permissions first.

    `places`: what the board lights, where no map says which LEDs there are; `folder`: where a relative `map`
    is looked for.  Opens the port for about a second; while the table runs, that is refused
    and the checks say so.
    """
    try:
        config = LightsConfig.from_mapping(section or {})
        leds = config.led_map(places, folder).leds
        if config.driver not in ("none", "terminal"):
            config.settings(leds)
    except LightsConfigError as error:
        return [
            Check(
                "configuration",
                CheckResult.FAIL,
                error.text,
                Text("firmware_bridge.do_mend_section"),
            )
        ]
    if config.driver in WLED_DRIVERS:
        return wled_checks(config, leds)
    if config.driver not in OWN_DRIVERS:
        return [
            Check(
                "driver",
                CheckResult.OK,
                Text("firmware_bridge.driver_unexamined", driver=config.driver),
            )
        ]
    probes = [probe(candidate, pings=100) for candidate in candidates(config.port)]
    return [_permissions(probes), _cable(probes), *_power(probes, config, leds)]


def _permissions(probes: list[Probe]) -> Check:
    for found in probes:
        path = found.candidate.path
        if found.result == probing.FORBIDDEN:
            return Check(
                "permissions",
                CheckResult.FAIL,
                Text("firmware_bridge.may_not_open", path=path),
                Text("firmware_bridge.do_udev_and_group", command=INSTALL_RULES),
            )
        if found.result == probing.BUSY:
            holder: Text | str = Text("firmware_bridge.another_program")
            if found.holder:
                holder = f"{found.holder.name} ({found.holder.pid})"
            return Check(
                "permissions",
                CheckResult.WARN,
                Text("firmware_bridge.port_held", path=path, holder=holder),
                Text("firmware_bridge.do_running_table"),
            )
    there = [found for found in probes if found.result != probing.GONE]
    if there and shutil.which("ModemManager") and not INSTALLED_RULES.exists():
        return Check(
            "permissions",
            CheckResult.WARN,
            Text("firmware_bridge.no_udev_rule"),
            Text("firmware_bridge.do_install_rule", command=INSTALL_RULES),
        )
    return Check(
        "permissions",
        CheckResult.OK,
        Text("firmware_bridge.ports_open") if there else Text("firmware_bridge.no_port_to_forbid"),
    )


def _cable(probes: list[Probe]) -> Check:
    good = next((p for p in probes if p.result == probing.ANSWERS), None)
    if good is not None:
        return _line_quality(good)
    kinds = {p.result for p in probes}
    if probing.WRONG_VERSION in kinds:
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.other_protocol"),
            Text("firmware_bridge.do_flash_this"),
        )
    if probing.SILENT in kinds:
        path = next(p.candidate.path for p in probes if p.result == probing.SILENT)
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.port_silent", path=path),
            Text("firmware_bridge.do_flash_and_cable"),
        )
    if kinds & {probing.FORBIDDEN, probing.BUSY}:
        return Check(
            "cable",
            CheckResult.WARN,
            Text("firmware_bridge.cable_later"),
        )
    return _no_port([p.candidate.path for p in probes if p.result == probing.GONE])


def _no_port(asked: list[str]) -> Check:
    """No port answers: which one was asked for, who took it, which driver is missing."""
    if waits_for_firmware():
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.pico_waits"),
            Text("firmware_bridge.do_flash_pico"),
        )
    silent = silent_adapters()
    if silent and screen_reader():
        one = silent[0]
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.braille_took_port", name=one.name),
            Text("firmware_bridge.do_remove_brltty"),
        )
    if silent:
        one = silent[0]
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.no_port_made", name=one.name, vid=one.vid, pid=one.pid),
            Text("firmware_bridge.do_modprobe", module=one.module),
        )
    if asked:
        others = ", ".join(one.path for one in candidates()) or "-"
        return Check(
            "cable",
            CheckResult.FAIL,
            Text("firmware_bridge.port_not_there", port=asked[0], others=others),
            Text("firmware_bridge.do_leave_out_port"),
        )
    return Check(
        "cable",
        CheckResult.FAIL,
        Text("firmware_bridge.no_serial_port"),
        Text("firmware_bridge.do_data_cable"),
    )


def _line_quality(good: Probe) -> Check:
    assert good.hello
    name = f"{good.candidate.path} (firmware {good.hello.firmware[0]}.{good.hello.firmware[1]})"
    if good.one_try < 0.98:
        return Check(
            "cable",
            CheckResult.WARN,
            Text("firmware_bridge.line_poor", name=name, share=1 - good.one_try),
            Text("firmware_bridge.do_shorter_cable"),
        )
    return Check(
        "cable",
        CheckResult.OK,
        Text("firmware_bridge.answers_in", name=name, ms=good.ping_ms),
    )


def _resets(good: Probe) -> list[Check]:
    """Starts that nobody asked for.  Opening the port resets most boards: what counts is what they kept."""
    brown_outs = good.hello.brown_outs if good.hello else 0
    hangs = good.stats.watchdog_resets if good.stats else 0
    checks = []
    if brown_outs:
        checks.append(
            Check(
                "power",
                CheckResult.WARN,
                Text("firmware_bridge.voltage_failed", brown_outs=brown_outs),
                Text("firmware_bridge.do_feed_strip"),
            )
        )
    if hangs:
        checks.append(
            Check(
                "watchdog",
                CheckResult.WARN,
                Text("firmware_bridge.controller_hung", hangs=hangs),
                Text("firmware_bridge.do_data_wire"),
            )
        )
    return checks


def _power(probes: list[Probe], config: LightsConfig, leds: int) -> list[Check]:
    checks = []
    if THROTTLED.exists() and int(THROTTLED.read_text().strip() or "0", 16) & 0x10001:
        checks.append(
            Check(
                "power",
                CheckResult.FAIL,
                Text("firmware_bridge.under_voltage"),
                Text("firmware_bridge.do_right_supply"),
            )
        )
    good = next((p for p in probes if p.result == probing.ANSWERS), None)
    if good:
        checks += _resets(good)
    if not any(check.name == "power" for check in checks):
        checks.insert(
            0,
            Check(
                "power",
                CheckResult.OK,
                Text("firmware_bridge.draws_at_most", budget_ma=config.budget_ma, leds=leds),
            ),
        )
    return checks

"""What is wrong with the lights, in the order in which it usually is: permissions, cable, power."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from firmware_bridge import probe as probing
from firmware_bridge.adapters import screen_reader, silent_adapters
from firmware_bridge.checks import Check, Verdict
from firmware_bridge.discovery import candidates
from firmware_bridge.doctor_wled import wled_checks
from firmware_bridge.drivers.config import LightsConfig, LightsConfigError
from firmware_bridge.probe import Probe, probe

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
                Verdict.FAIL,
                error.sentence_en,
                error.sentence_de,
                "Mend the [lights] section of the configuration.",
                "Den Abschnitt [lights] der Konfiguration berichtigen.",
            )
        ]
    if config.driver in WLED_DRIVERS:
        return wled_checks(config, leds)
    if config.driver not in OWN_DRIVERS:
        return [
            Check(
                "driver",
                Verdict.OK,
                f"The lights use the driver {config.driver}; there is no own controller to examine.",
                f"Die Lichter verwenden den Treiber {config.driver}; keine eigene Steuerung zu untersuchen.",
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
                Verdict.FAIL,
                f"This user may not open {path}.",
                f"Dieser Benutzer darf {path} nicht öffnen.",
                f"{INSTALL_RULES}; sudo usermod -aG dialout $USER, then log in again.",
                f"{INSTALL_RULES}; sudo usermod -aG dialout $USER, dann neu anmelden.",
            )
        if found.result == probing.BUSY:
            holder = f"{found.holder.name} ({found.holder.pid})" if found.holder else "another program"
            return Check(
                "permissions",
                Verdict.WARN,
                f"{path} is held by {holder}; it can only be examined when that has ended.",
                f"{path} wird von {holder} gehalten; untersuchen lässt er sich erst danach.",
                "If this is the running table, all is well: its start page shows the lights.",
                "Ist das der laufende Tisch, ist alles gut: seine Startseite zeigt die Lichter.",
            )
    there = [found for found in probes if found.result != probing.GONE]
    if there and shutil.which("ModemManager") and not INSTALLED_RULES.exists():
        return Check(
            "permissions",
            Verdict.WARN,
            "The port opens, but ModemManager may talk to it: the udev rule is not installed.",
            "Der Anschluss geht auf, aber der ModemManager kann dazwischenreden: die udev-Regel fehlt.",
            INSTALL_RULES,
            INSTALL_RULES,
        )
    return Check(
        "permissions",
        Verdict.OK,
        "Ports may be opened." if there else "There is no port that could be forbidden.",
        "Anschlüsse dürfen geöffnet werden."
        if there
        else "Es gibt keinen Anschluss, der verboten sein könnte.",
    )


def _cable(probes: list[Probe]) -> Check:
    good = next((p for p in probes if p.result == probing.ANSWERS), None)
    if good is not None:
        return _line_quality(good)
    kinds = {p.result for p in probes}
    if probing.WRONG_VERSION in kinds:
        return Check(
            "cable",
            Verdict.FAIL,
            "A light controller answers, with another version of the protocol.",
            "Eine Lichtsteuerung antwortet, mit einer anderen Protokollversion.",
            "Flash the firmware of this program: docs/build/flashing.md.",
            "Die Firmware dieses Programms aufspielen: docs/build/flashing.md.",
        )
    if probing.SILENT in kinds:
        path = next(p.candidate.path for p in probes if p.result == probing.SILENT)
        return Check(
            "cable",
            Verdict.FAIL,
            f"{path} is there, but no light controller answers.",
            f"{path} ist da, aber keine Lichtsteuerung antwortet.",
            "Flash the firmware (docs/build/flashing.md); then try another cable and another USB socket.",
            "Firmware aufspielen (docs/build/flashing.md); dann anderes Kabel und andere USB-Buchse.",
        )
    if kinds & {probing.FORBIDDEN, probing.BUSY}:
        return Check(
            "cable",
            Verdict.WARN,
            "The cable can be examined when the port opens.",
            "Das Kabel lässt sich untersuchen, sobald der Anschluss aufgeht.",
        )
    return _no_port([p.candidate.path for p in probes if p.result == probing.GONE])


def _no_port(asked: list[str]) -> Check:
    """No port answers: which one was asked for, who took it, which driver is missing."""
    silent = silent_adapters()
    if silent and screen_reader():
        one = silent[0]
        return Check(
            "cable",
            Verdict.FAIL,
            f"A {one.name} is plugged in, but the screen reader brltty has taken its port.",
            f"{one.name} ist eingesteckt, aber der Screenreader brltty hat den Anschluss genommen.",
            "Nobody here needs a braille display? sudo apt remove brltty, then unplug the board and plug it "
            "in.",
            "Braucht hier niemand eine Braillezeile? sudo apt remove brltty, dann die Platine neu "
            "einstecken.",
        )
    if silent:
        one = silent[0]
        return Check(
            "cable",
            Verdict.FAIL,
            f"A {one.name} ({one.vid:04x}:{one.pid:04x}) is plugged in, but the system makes no port of it.",
            f"{one.name} ({one.vid:04x}:{one.pid:04x}) ist eingesteckt, bekommt aber keinen Anschluss.",
            f"sudo modprobe {one.module}; if there is no such module, install the distribution's full "
            "kernel.",
            f"sudo modprobe {one.module}; fehlt dieses Modul, den vollständigen Kernel der Distribution "
            "nehmen.",
        )
    if asked:
        others = ", ".join(one.path for one in candidates()) or "-"
        return Check(
            "cable",
            Verdict.FAIL,
            f"{asked[0]} is not there. Ports that are: {others}.",
            f"{asked[0]} gibt es nicht. Vorhanden: {others}.",
            "Leave out port in [lights], so that it is found; else plug that board in.",
            "port in [lights] weglassen, dann wird er gefunden; sonst diese Platine einstecken.",
        )
    return Check(
        "cable",
        Verdict.FAIL,
        "No USB serial port is there.",
        "Es ist kein serieller USB-Anschluss da.",
        "Plug the controller in; many cables carry power only, so try one that carries data.",
        "Steuerung einstecken; viele Kabel leiten nur Strom: eines mit Datenadern nehmen.",
    )


def _line_quality(good: Probe) -> Check:
    assert good.hello
    name = f"{good.candidate.path} (firmware {good.hello.firmware[0]}.{good.hello.firmware[1]})"
    if good.one_try < 0.98:
        return Check(
            "cable",
            Verdict.WARN,
            f"{name} answers, but {1 - good.one_try:.0%} of frames need a second try.",
            f"{name} antwortet, aber {1 - good.one_try:.0%} der Nachrichten brauchen einen zweiten Versuch.",
            "Shorter cable, away from the power supply; common ground of strip and controller.",
            "Kürzeres Kabel, weg vom Netzteil; gemeinsame Masse von Streifen und Steuerung.",
        )
    return Check(
        "cable",
        Verdict.OK,
        f"{name} answers in {good.ping_ms:.1f} ms.",
        f"{name} antwortet in {good.ping_ms:.1f} ms.",
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
                Verdict.WARN,
                f"The controller's voltage has failed {brown_outs} times since it was plugged in.",
                f"Die Spannung der Steuerung ist seit dem Einstecken {brown_outs}-mal eingebrochen.",
                "Feed strip and controller from a 5 V supply that can give the budget; 1000 uF at the strip.",
                "Streifen und Steuerung aus einem 5-V-Netzteil speisen, das genug hergibt; 1000 uF davor.",
            )
        )
    if hangs:
        checks.append(
            Check(
                "watchdog",
                Verdict.WARN,
                f"The controller hung {hangs} times and has started itself again.",
                f"Die Steuerung hing {hangs}-mal und hat sich selbst neu gestartet.",
                "Data wire away from the mains, 330 ohm at the first LED, common ground; then flash it anew.",
                "Datenleitung weg vom Netz, 330 Ohm an der ersten LED, gemeinsame Masse, neu aufspielen.",
            )
        )
    return checks


def _power(probes: list[Probe], config: LightsConfig, leds: int) -> list[Check]:
    checks = []
    if THROTTLED.exists() and int(THROTTLED.read_text().strip() or "0", 16) & 0x10001:
        checks.append(
            Check(
                "power",
                Verdict.FAIL,
                "The computer reports under-voltage.",
                "Der Rechner meldet Unterspannung.",
                "Use the supply made for it; feed the strip from its own supply.",
                "Das passende Netzteil verwenden; den Streifen aus eigenem Netzteil speisen.",
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
                Verdict.OK,
                f"At most {config.budget_ma} mA are drawn by {leds} LEDs; the supply must give that.",
                f"Höchstens {config.budget_ma} mA nehmen {leds} LEDs; das muss das Netzteil hergeben.",
            ),
        )
    return checks

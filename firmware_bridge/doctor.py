"""What is wrong with the lights, in the order in which it usually is: permissions, cable, power."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from firmware_bridge import probe as probing
from firmware_bridge.discovery import candidates
from firmware_bridge.drivers.config import LightsConfig, LightsConfigError
from firmware_bridge.probe import Probe, probe

RULES = Path(__file__).with_name("udev") / "60-table-referee.rules"
INSTALLED_RULES = Path("/etc/udev/rules.d") / RULES.name
INSTALL_RULES = f"sudo cp {RULES} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
OWN_DRIVERS = ("own",)


class Verdict(Enum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One check with its sentence and, where something is wrong, a way out."""

    name: str
    verdict: Verdict
    sentence_en: str
    sentence_de: str
    way_out_en: str = ""
    way_out_de: str = ""


def doctor_checks(section: Mapping[str, object] | None = None) -> list[Check]:
    """Checks for the `[lights]` section given (default: the own controller), permissions first.

    Opens the port for about a second; while the table runs, that is refused
    and the checks say so.
    """
    try:
        config = LightsConfig.from_mapping(section or {})
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
    return [_permissions(probes), _cable(probes), *_power(probes, config)]


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
    if probes and shutil.which("ModemManager") and not INSTALLED_RULES.exists():
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
        "Ports may be opened." if probes else "There is no port that could be forbidden.",
        "Anschlüsse dürfen geöffnet werden."
        if probes
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


def _power(probes: list[Probe], config: LightsConfig) -> list[Check]:
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
    leds = config.leds or 105
    idle = leds * config.idle_ma
    if config.budget_ma <= idle:
        checks.append(
            Check(
                "power",
                Verdict.FAIL,
                f"{leds} dark LEDs take {idle:.0f} mA, budget {config.budget_ma} mA: nothing can light.",
                f"{leds} dunkle LEDs nehmen {idle:.0f} mA, Rahmen {config.budget_ma} mA: nichts leuchtet.",
                "Raise budget_ma to what the supply gives (docs/build/power.md).",
                "budget_ma auf das erhöhen, was das Netzteil hergibt (docs/build/power.md).",
            )
        )
    if not checks:
        checks.append(
            Check(
                "power",
                Verdict.OK,
                f"At most {config.budget_ma} mA are drawn; the supply must give that.",
                f"Höchstens {config.budget_ma} mA werden entnommen; das muss das Netzteil hergeben.",
            )
        )
    return checks

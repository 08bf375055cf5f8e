"""`referee lights ...` and what the doctor says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge import probe as probing
from firmware_bridge.adapters import screen_reader, silent_adapters
from firmware_bridge.checks import Check, CheckResult
from firmware_bridge.discovery import KNOWN_USB, OTHER_USB, PortCandidate, candidates, holder_of
from firmware_bridge.doctor import RULES, doctor_checks
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.probe import Probe
from firmware_bridge.protocol import Hello, Stats
from firmware_bridge.status import LinkState, words_for
from referee.commands.lights import lights

HELLO = Hello(1, (1, 0), 300, 300, 31, 32, 2, 2, 1, 400)
STATS = Stats(1, 9, 0, 0, 0, 0, 9, 0, 0, 0)
SOME = PortCandidate("/dev/ttyUSB7", "Nano with CH340", True)


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(lights, list(arguments))
    return result.exit_code, result.output


def test_the_test_walks_through_everything_and_reports() -> None:
    code, output = _run("test", "--driver", "emulator", "--pause", "0", "--json")
    report = json.loads(output)
    assert code == 0 and report["failed"] == [] and report["regions"] > 80
    assert report["power_limited"], "87 white LEDs are more than 2 A"


def test_the_test_fails_with_a_way_out_without_a_controller(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("referee.commands.lights.CONNECT_SECONDS", 0.2)
    code, output = _run("test", "--port", str(tmp_path / "none"), "--lang", "en")
    assert code == 1 and "Plug in its USB cable" in output


def test_show_names_what_it_does_not_know() -> None:
    assert "breathe" in _run("show", "front_gate=#12")[1]
    assert "front_gate" in _run("show", "nowhere=target")[1]
    assert (
        _run("show", "front_gate=target", "eyrie=#ff0000/blink", "--driver", "none", "--seconds", "0")[0] == 0
    )


def test_find_and_doctor_against_a_controller(controller: Controller) -> None:
    code, output = _run("find", "--port", controller.port, "--json")
    assert code == 0 and json.loads(output)[0] | {"port": ""} == {
        "port": "",
        "board": "configured",
        "result": "answers",
        "firmware": "1.1",
        "max_leds": 300,
        "holder": None,
    }
    code, output = _run("doctor", "--port", controller.port, "--json", "--lang", "en")
    assert code == 0
    assert [row["name"] for row in json.loads(output)] == ["permissions", "cable", "power"]


def test_find_says_that_nothing_is_there(tmp_path: Path) -> None:
    code, output = _run("find", "--port", str(tmp_path / "none"))
    assert code == 1 and "gone" in output


def test_the_holder_of_a_port_is_named() -> None:
    with start_emulator(5, kind="python") as controller:
        code = "import sys; f = open(sys.argv[1], 'rb', 0); print('x', flush=True); sys.stdin.read()"
        with subprocess.Popen(
            [sys.executable, "-c", code, controller.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdout and other.stdout.readline()
            holder = holder_of(controller.port)
            assert holder and holder.pid == other.pid and holder.name.startswith("python")
            assert other.stdin
            other.stdin.close()


# --- what the doctor says of what it found -------------------------------------------


def _checks(monkeypatch: pytest.MonkeyPatch, *probes: Probe, **section: object) -> dict[str, Check]:
    monkeypatch.setattr("firmware_bridge.doctor.candidates", lambda port=None: [p.candidate for p in probes])
    monkeypatch.setattr(
        "firmware_bridge.doctor.probe", lambda c, pings: next(p for p in probes if p.candidate is c)
    )
    checks = doctor_checks({"driver": "own"} | section)
    assert [c.name for c in checks][:2] == ["permissions", "cable"] and checks[2].name == "power"
    for check in checks:
        assert check.sentence_en and check.sentence_de
        if check.verdict is CheckResult.FAIL:
            assert check.way_out and check.way_out.in_words("de")
    return {check.name: check for check in checks}


@pytest.mark.parametrize(
    ("found", "name", "verdict", "words"),
    [
        (Probe(SOME, probing.FORBIDDEN), "permissions", CheckResult.FAIL, "udevadm"),
        (Probe(SOME, probing.BUSY), "permissions", CheckResult.WARN, "running table"),
        (Probe(SOME, probing.SILENT), "cable", CheckResult.FAIL, "Flash"),
        (Probe(SOME, probing.WRONG_VERSION), "cable", CheckResult.FAIL, "flashing"),
        (Probe(SOME, probing.ANSWERS, HELLO, STATS, None, 0.9), "cable", CheckResult.WARN, "Shorter"),
        (Probe(SOME, probing.ANSWERS, HELLO, STATS), "cable", CheckResult.OK, ""),
    ],
)
def test_one_fault_at_a_time(
    monkeypatch: pytest.MonkeyPatch, found: Probe, name: str, verdict: CheckResult, words: str
) -> None:
    check = _checks(monkeypatch, found)[name]
    assert check.verdict is verdict and words in str(check.way_out)


def test_no_port_at_all_is_a_question_of_the_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = _checks(monkeypatch)
    assert checks["permissions"].verdict is CheckResult.OK
    assert checks["cable"].verdict is CheckResult.FAIL and "data" in str(checks["cable"].way_out)


def test_a_port_that_was_asked_for_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = _checks(monkeypatch, Probe(SOME, probing.GONE))
    assert "/dev/ttyUSB7 is not there" in checks["cable"].sentence_en
    assert "Ports may be opened" not in checks["permissions"].sentence_en


def _usb(root: Path, vid: int, pid: int, port: bool) -> None:
    """A USB device under /sys, with or without a serial port."""
    device = root / "sys/bus/usb/devices/1-1.2"
    (device / "1-1.2:1.0").mkdir(parents=True)
    (device / "idVendor").write_text(f"{vid:04x}\n")
    (device / "idProduct").write_text(f"{pid:04x}\n")
    (root / "sys/bus/usb/devices/usb1").mkdir()
    if port:
        (device / "1-1.2:1.0/ttyUSB0").mkdir()


@pytest.mark.parametrize(
    ("brltty", "words", "way_out"),
    [
        (True, "brltty has taken its port", "apt remove brltty"),
        (False, "makes no port of it", "modprobe ch341"),
    ],
)
def test_an_adapter_without_a_port_is_explained(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, brltty: bool, words: str, way_out: str
) -> None:
    _usb(tmp_path, 0x1A86, 0x7523, port=False)
    rules = tmp_path / "usr/lib/udev/rules.d"
    rules.mkdir(parents=True)
    if brltty:
        (rules / "85-brltty.rules").touch()
    assert screen_reader(tmp_path) is brltty
    monkeypatch.setattr("firmware_bridge.doctor.silent_adapters", lambda: silent_adapters(tmp_path))
    monkeypatch.setattr("firmware_bridge.doctor.screen_reader", lambda: screen_reader(tmp_path))
    cable = _checks(monkeypatch)["cable"]
    assert "CH340" in cable.sentence_en and words in cable.sentence_en and way_out in str(cable.way_out)
    masked = tmp_path / "etc/udev/rules.d"
    masked.mkdir(parents=True)
    (masked / "85-brltty.rules").touch()
    assert not screen_reader(tmp_path), "a masked rule takes nothing"


def test_an_adapter_with_a_port_is_not_suspected(tmp_path: Path) -> None:
    _usb(tmp_path, 0x1A86, 0x7523, port=True)
    assert silent_adapters(tmp_path) == [] and silent_adapters(tmp_path / "none") == []


def test_power_faults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    good = Probe(SOME, probing.ANSWERS, HELLO, STATS)
    assert _checks(monkeypatch, good)["power"].verdict is CheckResult.OK
    slow_supply = replace(HELLO, reset_cause=1)
    assert _checks(monkeypatch, replace(good, hello=slow_supply))["power"].verdict is CheckResult.OK
    browned = _checks(monkeypatch, replace(good, hello=replace(HELLO, brown_outs=2)))["power"]
    assert browned.verdict is CheckResult.WARN and "failed 2 times" in browned.sentence_en
    hung = _checks(monkeypatch, replace(good, stats=replace(STATS, watchdog_resets=3)))
    assert hung["watchdog"].verdict is CheckResult.WARN and "hung 3 times" in hung["watchdog"].sentence_en
    flags = tmp_path / "get_throttled"
    flags.write_text("50005\n")
    monkeypatch.setattr("firmware_bridge.doctor.THROTTLED", flags)
    assert _checks(monkeypatch, good)["power"].verdict is CheckResult.FAIL


def test_leds_are_counted_from_the_map_or_the_board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    good = Probe(SOME, probing.ANSWERS, HELLO, STATS)
    monkeypatch.setattr("firmware_bridge.doctor.candidates", lambda port: [SOME])
    monkeypatch.setattr("firmware_bridge.doctor.probe", lambda c, pings: good)
    LedMap({"gate": (299,)}, 300).save(tmp_path / "map.toml")
    section = {"driver": "own", "map": "map.toml", "budget_ma": 250}
    (refused,) = doctor_checks(section, ["gate"], tmp_path)
    assert refused.verdict is CheckResult.FAIL and "300 dark LEDs take 300 mA" in refused.sentence_en
    board = {check.name: check for check in doctor_checks({"driver": "own"}, [f"p{n}" for n in range(158)])}
    assert "by 158 LEDs" in board["power"].sentence_en
    (lost,) = doctor_checks(section | {"map": "none.toml"}, [], tmp_path)
    assert lost.verdict is CheckResult.FAIL and "none.toml" in lost.sentence_en


@pytest.mark.parametrize("words", [("show", "front_gate=target"), ("test",), ("doctor",)])
def test_a_budget_below_the_dark_current_is_refused_everywhere(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[lights]\ndriver = "emulator"\nbudget_ma = 60\n')
    code, output = _run(*words, "--config", str(config), "--lang", "en")
    assert code == 1 and "89 dark LEDs take 89 mA" in output
    config.write_text('[lights]\ndriver = "emulator"\nleds = 200\nbudget_ma = 60\n')
    code, output = _run(*words, "--config", str(config), "--lang", "en")
    assert code == 1 and "200 dark LEDs" in output and "table.toml" in output, (
        "where the number stands, at once"
    )


def test_other_drivers_and_broken_sections_are_told_apart() -> None:
    assert [c.verdict for c in doctor_checks({"driver": "terminal"})] == [CheckResult.OK]
    assert [c.verdict for c in doctor_checks({"driver": "torch"})] == [CheckResult.FAIL]


def test_the_udev_rule_knows_every_board() -> None:
    text = RULES.read_text(encoding="utf-8")
    ids = re.findall(r'idVendor\}=="(\w+)", ATTRS\{idProduct\}=="(\w+)"', text)
    assert {(int(v, 16), int(p, 16)) for v, p in ids} == set(KNOWN_USB) | OTHER_USB
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in text and 'GROUP="dialout"' in text
    assert "SYMLINK" not in text, "a printer with the same adapter would take the name"


class _Port:
    def __init__(self, device: str, vid: int | None, pid: int | None) -> None:
        self.device, self.vid, self.pid = device, vid, pid


def test_ports_are_found_by_identity_not_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [
        _Port("/dev/ttyS0", None, None),
        _Port("/dev/ttyACM0", 0x1234, 0x5678),
        _Port("/dev/ttyUSB3", 0x1A86, 0x7523),
    ]
    monkeypatch.setattr("firmware_bridge.discovery.list_ports.comports", lambda: ports)
    assert [c.path for c in candidates()] == ["/dev/ttyUSB3", "/dev/ttyACM0"]
    assert [c.path for c in candidates("/dev/x")] == ["/dev/x"]


def test_every_state_has_words_in_both_languages() -> None:
    for state in LinkState:
        words = words_for(state, "x")
        assert words.sentence_en and words.sentence_de and words.sentence_en != words.sentence_de
        assert words.way_out is None or str(words.way_out) != words.way_out.in_words("de")

"""`referee lights flash`: real avrdude, real bootloaders, the shipped file; and what it refuses in words."""

from __future__ import annotations

import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from bootloaders import BOOTLOADERS, need_bootloaders
from click.testing import CliRunner
from lights_lab import FULL, configure, lit, need_firmware_tools, update

from firmware_bridge import discovery, flashing
from firmware_bridge.discovery import UNFIT_USB, Holder
from firmware_bridge.emulator import Controller
from firmware_bridge.emulator.process import SimavrController, build, build_part
from firmware_bridge.flashing import HEX, FlashingFailed, flash
from firmware_bridge.link import Counters, Link, open_port
from firmware_bridge.protocol import op_fill, op_slot, pixel_value
from referee.commands.lights import lights
from referee.kernel.lights import Pattern
from referee.kernel.messages import Text

COMPILER = HEX.with_name("lights_atmega328p.compiler.txt")


def quiet(text: Text) -> None:
    assert text.in_words("en") != text.in_words("de")


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    """A chip with nothing on it."""
    empty = tmp_path / "blank.hex"
    empty.write_text(":020000000000FE\n:00000001FF\n")
    return empty


@pytest.mark.firmware
@pytest.mark.parametrize("make", BOOTLOADERS, ids=lambda make: make.__name__)
def test_the_shipped_file_goes_through_a_real_bootloader(
    make: Callable[[Path], Path], blank: Path, tmp_path: Path
) -> None:
    need_bootloaders()
    if shutil.which("avrdude") is None:
        need_firmware_tools("avrdude is not installed")
    speed = {"old_nano": 57_600, "optiboot": 115_200}[make.__name__]
    board = SimavrController(105, seed=1, boot_ms=0, link=None, firmware=blank, bootloader=make(tmp_path))
    with board:
        # on a busy machine the emulated board may answer too late for avrdude, which does not wait long
        found = flash(board.port, quiet, speeds=(speed,) * 5)
        assert found.hello and found.hello.max_leds == 300


@pytest.mark.firmware
def test_the_shipped_file_is_what_the_source_gives() -> None:
    need_firmware_tools()
    build()
    made = build_part("firmware", "lights.hex")
    here = subprocess.run(["avr-g++", "--version"], capture_output=True, text=True, check=True).stdout
    if here.splitlines()[0].strip() == COMPILER.read_text().strip():
        assert made.read_bytes() == HEX.read_bytes(), "make -C firmware_bridge/firmware ship"


@pytest.fixture(params=["shipped", "built"])
def running(request: pytest.FixtureRequest) -> Iterator[Controller]:
    """The shipped file, and the one that this machine's compiler makes, each in the emulator."""
    need_firmware_tools()
    build()
    file = HEX if request.param == "shipped" else build_part("firmware", "lights.hex")
    with SimavrController(105, seed=1, boot_ms=20, link=None, firmware=file) as board:
        yield board


@pytest.mark.firmware
def test_shipped_and_built_file_do_the_same(running: Controller) -> None:
    assert running.wait_for(lambda picture: True).dark
    line = Link(open_port(running.port), Counters())
    try:
        assert line.hello(60)
        line.wait(0.3)
        configure(line, FULL)
        update(line, op_slot(1, 9, 200, 77, Pattern.STEADY), op_fill(2, 1, pixel_value(1)))
        assert [i for i, c in enumerate(lit(running).colours()) if any(c)] == [2]
    finally:
        line.close()


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Pretends that boards with these ids are plugged in; returns the first one's port."""

    def plug(*ids: tuple[int, int]) -> str:
        ports = []
        for number, (vid, pid) in enumerate(ids):
            path = tmp_path / f"ttyUSB{number}"
            path.touch()
            ports.append(SimpleNamespace(device=str(path), vid=vid, pid=pid))
        monkeypatch.setattr(discovery.list_ports, "comports", lambda: ports)
        return ports[0].device if ports else ""

    return plug


def refused(port: str | None) -> str:
    with pytest.raises(FlashingFailed) as why:
        flash(port, quiet)
    assert why.value.sentence_de != why.value.sentence_en
    return why.value.sentence_en


@pytest.fixture
def avrdude(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Puts a program called avrdude first that says something and fails."""

    def put(says: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "avrdude"
        program.write_text(f"#!/bin/sh\necho '{says}' >&2\nexit 1\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    return put


@pytest.mark.parametrize("board", UNFIT_USB)
def test_boards_that_will_not_do_are_named(board: tuple[int, int], plugged: Callable[..., str]) -> None:
    said = refused(plugged(board))
    assert UNFIT_USB[board] in said and "neither an ATmega328P nor an RP2040" in said


def test_which_board_is_asked_where_it_is_not_clear(plugged: Callable[..., str]) -> None:
    plugged()
    assert "No USB serial port" in refused(None)
    plugged((0x1A86, 0x7523), (0x0403, 0x6001))
    assert "CH340" in refused(None) and "FT232R" in refused(None) and "--port" in refused(None)
    assert "There is no /dev/ttyUSB99" in refused("/dev/ttyUSB99")


def test_a_port_that_is_held_names_who_holds_it(
    plugged: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flashing, "holder_of", lambda path: Holder(77, "referee"))
    said = refused(plugged((0x1A86, 0x7523)))
    assert "referee (77)" in said and "systemctl stop table-referee" in said


def test_a_machine_without_avrdude_is_told_what_to_install(
    plugged: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    said = refused(plugged((0x1A86, 0x7523)))
    assert "apt install avrdude" in said and str(HEX) in said and HEX.exists()


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("avrdude: device signature = 0x1e9406 (probably m168)", "another processor"),
        ("avrdude: ser_open(): cannot open device: Permission denied", "dialout"),
        ("avrdude: stk500_recv(): programmer is not responding", "at either speed"),
        ("stk500_getsync() attempt 10 of 10: not in sync: resp=0x00", "at either speed"),
    ],
)
def test_what_avrdude_says_is_explained(
    says: str, why: str, plugged: Callable[..., str], avrdude: Callable[[str], None]
) -> None:
    port = plugged((0x1A86, 0x7523))
    avrdude(says)
    assert why in refused(port)


def test_the_command_says_it_in_both_languages(plugged: Callable[..., str]) -> None:
    port = plugged((0x2341, 0x0058))
    for language, words in (("en", "neither an ATmega328P"), ("de", "ohne ATmega328P")):
        done = CliRunner().invoke(lights, ["flash", "--port", port, "--lang", language])
        assert done.exit_code == 1 and words in done.output

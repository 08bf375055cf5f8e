"""The Raspberry Pi Pico: its USB port that goes and comes, its watchdog, its loader, the shipped file."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from lights_lab import FULL, PLACES, configure, eventually, lit, update
from pico_board import COMPILER, PicoController, built_uf2, need_pico_tools

from firmware_bridge import discovery, flashing_pico
from firmware_bridge.bridge import LightsBridge
from firmware_bridge.doctor import doctor_checks
from firmware_bridge.emulator import Controller
from firmware_bridge.flashing import FlashingFailed, flash
from firmware_bridge.flashing_pico import UF2
from firmware_bridge.led_map import LedMap
from firmware_bridge.link import Counters, Link, LinkLost, open_port
from firmware_bridge.protocol import Hello, Send, Stats, op_fill, op_slot, pixel_value
from referee.commands.lights import lights
from referee.kernel.lights import Light, Pattern
from referee.kernel.messages import Text

pytestmark = pytest.mark.firmware
WHITE = op_slot(1, 255, 255, 255, Pattern.STEADY)
on_a_pico = pytest.mark.parametrize("board", ["pico"], indirect=True)


@contextmanager
def opened(board: Controller, baud: int = 250_000) -> Iterator[tuple[Link, Hello]]:
    """The line to a board, and what it says of itself."""
    port = open_port(board.port)
    port.baudrate = baud
    line = Link(port, Counters())
    try:
        hello = line.hello(60)
        assert hello is not None
        yield line, hello
    finally:
        line.close()


def stats_of(line: Link) -> Stats:
    answer = line.exchange(Send.STATS)
    assert isinstance(answer, Stats)
    return answer


@on_a_pico
def test_it_shows_up_as_a_serial_port_with_its_name(board: Controller) -> None:
    """The host in the emulator asks as Linux does, and refuses a wrong toggle, length or order of writes."""
    (attached,) = [event for event in board.events() if event["event"] == "attached"]
    assert (attached["vid"], attached["pid"]) == discovery.PICO
    assert attached["maker"] == "Table Referee" and attached["product"] == "Table lights"


def test_most_of_flash_and_ram_is_spare(pico: Controller) -> None:
    elf = built_uf2().with_suffix(".elf")
    done = subprocess.run(["arm-none-eabi-size", str(elf)], capture_output=True, text=True, check=True)
    text, data, bss = (int(number) for number in done.stdout.splitlines()[1].split()[:3])
    assert text + data <= 16 * 1024, "the flash's cache holds the whole program"
    assert data + bss <= 64 * 1024


@on_a_pico
def test_opening_it_resets_nothing_and_closing_drops_nothing(board: Controller) -> None:
    with opened(board) as (line, first):
        configure(line, FULL)
        update(line, WHITE, op_fill(0, 3, pixel_value(1)))
    board.wait_for_event("closed", timeout=60)
    with opened(board) as (line, second):
        assert second.epoch == first.epoch and second.leds == 105
        assert stats_of(line).silences == 0
        update(line, op_fill(3, 1, pixel_value(1)))
    shown = board.wait_for(lambda picture: any(picture.colours()[3]))
    assert [i for i, c in enumerate(shown.colours()) if any(c)] == [0, 1, 2, 3]


@on_a_pico
def test_a_hang_ends_dark_and_the_port_comes_again(board: Controller) -> None:
    with opened(board) as (line, before):
        assert before.reset_cause == 1 and before.epoch == 1, "power"
        configure(line, FULL)
        update(line, WHITE, op_fill(0, 3, pixel_value(1)))
        lit(board)
        board.forget()
        board.hang()
        board.wait_for_event("watchdog", timeout=60)
        assert board.wait_for(lambda picture: True).dark, "dark before anything else"
        with pytest.raises(LinkLost):
            line.exchange(Send.PING)
    board.wait_for_event("attached", count=2, timeout=60)
    with opened(board) as (line, after):
        assert after.reset_cause == 8 and after.epoch == before.epoch + 1
        assert stats_of(line).watchdog_resets == 1
        line.wait(1.2)
        assert stats_of(line).watchdog_resets == 1, "it bites once"


@on_a_pico
def test_the_reset_pin_is_no_hang_and_no_power_cut(board: Controller) -> None:
    board.reset()
    board.wait_for_event("attached", count=2, timeout=60)
    with opened(board) as (line, hello):
        assert (hello.reset_cause, hello.epoch) == (2, 2)
        assert stats_of(line).watchdog_resets == 0


@on_a_pico
def test_the_bridge_finds_it_again_after_a_hang(board: Controller) -> None:
    target = {PLACES[3]: Light(0, 255, 0)}
    with LightsBridge(LedMap.identity(PLACES), port=board.port) as bridge:
        bridge.show(target)
        lit(board)
        board.hang()
        board.wait_for_event("watchdog", timeout=60)
        board.forget()
        assert [i for i, c in enumerate(lit(board).colours()) if any(c)] == [3]


# --- flashing -----------------------------------------------------------------------------------------------


def test_the_shipped_file_is_what_the_source_gives(pico: Controller) -> None:
    here = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True).stdout
    if here.splitlines()[0].strip() == UF2.with_name("lights_pico.compiler.txt").read_text().strip():
        assert built_uf2().read_bytes() == UF2.read_bytes(), "make -C firmware_bridge/firmware ship"


def test_the_shipped_file_runs() -> None:
    need_pico_tools()
    with PicoController(105, firmware=UF2) as board:
        assert board.wait_for(lambda picture: True).dark
        with opened(board) as (line, _):
            configure(line, FULL)
            update(line, op_slot(1, 9, 200, 77, Pattern.STEADY), op_fill(2, 1, pixel_value(1)))
            assert [i for i, c in enumerate(lit(board).colours()) if any(c)] == [2]


@on_a_pico
def test_a_touch_at_1200_baud_starts_the_loader_dark(board: Controller) -> None:
    with opened(board) as (line, _):
        configure(line, FULL)
        update(line, WHITE, op_fill(0, 3, pixel_value(1)))
        lit(board)
    board.wait_for_event("closed", timeout=60)
    with opened(board, baud=9600):
        pass
    board.wait_for_event("closed", count=2, timeout=60)
    with opened(board):  # neither an opening at another speed nor one that is still open
        assert not [event for event in board.events() if event["event"] == "loader"]
    board.wait_for_event("closed", count=3, timeout=60)
    with opened(board, baud=1200):
        pass
    board.wait_for_event("loader", timeout=60)
    assert board.frames()[-1].dark


class Desk:
    """A machine with one Pico: its drive, where it is mounted, and its port."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.labels, self.drive, self.mounts = folder / "labels", folder / "a drive", folder / "mounts"
        self.labels.mkdir()
        self.drive.mkdir()
        self.mounts.write_text("")
        self.ports: list[SimpleNamespace] = []
        monkeypatch.setattr(flashing_pico, "LABELS", self.labels)
        monkeypatch.setattr(flashing_pico, "MOUNTS", self.mounts)
        monkeypatch.setattr(flashing_pico, "PATIENCE_S", 1.0)
        monkeypatch.setattr(flashing_pico.shutil, "which", lambda name: None)
        monkeypatch.setattr(discovery.list_ports, "comports", lambda: self.ports)

    def show_drive(self, label: str = "RPI-RP2", mounted: bool = True) -> None:
        (self.labels / label).touch()
        if mounted:
            device, folder = str(self.labels / label), str(self.drive).replace(" ", "\\040")
            self.mounts.write_text(f"proc /proc proc rw 0 0\n{device} {folder} vfat rw 0 0\n")

    def plug(self, path: str, ids: tuple[int, int]) -> None:
        self.ports = [SimpleNamespace(device=path, vid=ids[0], pid=ids[1])]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def said(what: Callable[[], object]) -> str:
    with pytest.raises(FlashingFailed) as why:
        what()
    assert why.value.sentence_de != why.value.sentence_en
    return why.value.sentence_en


def quiet(text: Text) -> None:
    assert text.in_words("en") != text.in_words("de")


@on_a_pico
def test_a_pico_takes_new_firmware_without_its_button(
    board: Controller, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flashing_pico, "PATIENCE_S", 30.0)
    desk.plug(board.port, discovery.PICO)
    fresh: list[PicoController] = []

    def loader() -> None:
        board.wait_for_event("loader", timeout=60)
        desk.ports = []
        desk.show_drive()
        copy = desk.drive / UF2.name
        eventually(lambda: copy.exists() and copy.stat().st_size == UF2.stat().st_size)
        fresh.append(PicoController(105, firmware=copy))
        desk.plug(fresh[0].port, discovery.PICO)

    helper = Thread(target=loader)
    helper.start()
    try:
        found = flash(board.port, quiet)
    finally:
        helper.join()
        for one in fresh:
            one.close()
    assert found.hello and found.hello.max_leds == 300


def test_a_pico_that_is_no_drive_is_told_how_to_become_one(desk: Desk) -> None:
    desk.plug(str(desk.mounts), (0x2E8A, 0x0005))
    assert "BOOTSEL" in said(lambda: flash(str(desk.mounts), quiet))
    desk.ports = []
    assert "BOOTSEL" in said(lambda: flash(None, quiet)), "a new board has no port at all"


def test_a_drive_that_is_not_mounted_gets_the_commands(desk: Desk) -> None:
    desk.show_drive(mounted=False)
    words = said(lambda: flash(None, quiet))
    assert f"sudo mount {desk.labels / 'RPI-RP2'} /mnt" in words and str(UF2) in words and UF2.exists()


def test_a_file_that_cannot_be_written_is_said(desk: Desk) -> None:
    desk.show_drive()
    desk.drive.rmdir()
    assert "could not be copied" in said(lambda: flash(None, quiet))


def test_a_pico_that_does_not_come_back_is_said(desk: Desk) -> None:
    desk.show_drive()
    assert "has not come back" in said(lambda: flash(None, quiet))
    assert (desk.drive / UF2.name).read_bytes() == UF2.read_bytes()


def test_the_successor_is_named(desk: Desk) -> None:
    desk.show_drive("RP2350")
    assert "RP2350" in said(lambda: flash(None, quiet))


def test_the_doctor_knows_a_pico_that_waits_for_its_firmware(desk: Desk) -> None:
    desk.show_drive()
    checks = {check.name: check for check in doctor_checks({"driver": "own"})}
    assert "waits for its firmware" in checks["cable"].sentence_en
    found = CliRunner().invoke(lights, ["find", "--lang", "en"])
    assert "waits for its firmware" in found.output and "referee lights flash" in found.output

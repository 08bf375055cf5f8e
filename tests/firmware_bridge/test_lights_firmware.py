"""The firmware itself, built by avr-gcc and run in simavr: what comes out of the data pin."""

from __future__ import annotations

import random
import subprocess

import pytest
from lights_lab import (
    FULL,
    born,
    configure,
    eventually,
    lit,
    on_both_boards,
    settle,
    started_by_the_watchdog,
    update,
)

from firmware_bridge.emulator import Controller, StripPicture
from firmware_bridge.emulator.process import build
from firmware_bridge.link import Counters, FrameRefused, Link, open_port
from firmware_bridge.model import ControllerModel, current_ma, level, to_wire
from firmware_bridge.protocol import (
    Button,
    ColourOrder,
    RefusalCode,
    Send,
    Stats,
    Status,
    StripSettings,
    op_clear,
    op_copy,
    op_fill,
    op_slot,
    pixel_value,
)
from referee.kernel.lights import Pattern

pytestmark = pytest.mark.firmware
WHITE = op_slot(1, 255, 255, 255, Pattern.STEADY)


def test_a_quarter_of_flash_and_of_ram_is_spare(board: Controller) -> None:
    elf, _ = build()
    table = subprocess.run(["avr-size", "-A", str(elf)], capture_output=True, text=True, check=True).stdout
    sizes = {line.split()[0]: int(line.split()[1]) for line in table.splitlines() if line.startswith(".")}
    assert sizes[".text"] + sizes[".data"] <= 0.75 * 32 * 1024
    assert sizes[".data"] + sizes[".bss"] + sizes.get(".noinit", 0) <= 0.75 * 2048


@on_both_boards
def test_dark_at_power_up_before_anything_else(board: Controller) -> None:
    first = board.wait_for(lambda picture: True)
    assert first.dark and first.bits == 24 * 300, "black for the longest strip"
    assert first.began < 0.001, "within a millisecond of power"
    assert board.events()[0]["event"] == "power"


@on_both_boards
def test_colours_on_the_wire(board: Controller, link: Link) -> None:
    configure(link, FULL)
    update(link, op_slot(1, 255, 128, 1, Pattern.STEADY), op_copy(3, bytes([pixel_value(1)])))
    colours = lit(board).colours()
    assert colours[3] == (255, 56, 0), "gamma 2.2: 128 -> 56"
    assert len(colours) == 105 and all(c == (0, 0, 0) for i, c in enumerate(colours) if i != 3)


@on_both_boards
def test_a_random_picture_is_what_the_model_says(board: Controller, link: Link) -> None:
    random_ = random.Random(5)
    settings = StripSettings(105, ColourOrder.GRB, 140, 3000, 17.5, 0.8)
    model = ControllerModel()
    model.configure(settings)
    configure(link, settings)
    slots = [op_slot(n, *random_.randbytes(3), Pattern.STEADY) for n in range(1, 26)]
    values = op_copy(0, bytes(pixel_value(random_.randrange(26)) for _ in range(105)))
    for number, ops in enumerate((b"".join(slots), values)):
        assert model.apply(ops)
        update(link, ops, show=number == 1)
    assert lit(board).wire == to_wire(model.render(0), ColourOrder.GRB)


@pytest.mark.parametrize("order", list(ColourOrder))
def test_colour_order_is_a_setting(board: Controller, link: Link, order: ColourOrder) -> None:
    configure(link, StripSettings(1, order, 255, 1000))
    update(link, op_slot(1, 255, 128, 64, Pattern.STEADY), op_fill(0, 1, pixel_value(1)))
    wire = lit(board).wire[:3]
    channels = {"R": 255, "G": 56, "B": 12}
    assert list(wire) == [channels[letter] for letter in order.name]


@on_both_boards
def test_bit_timing_is_within_the_data_sheets(board: Controller, link: Link) -> None:
    """WS2812B (Worldsemi): T0H 400, T1H 800, T0L 850, T1L 450 ns, each +-150; V5: T0H 220-380."""
    board.forget()  # opening the port has reset the controller in the middle of its first black picture
    configure(link, FULL)
    update(
        link, op_slot(1, 0xAA, 0x55, 0xF0, Pattern.BLINK), WHITE.replace(b"\x01\x01", b"\x01\x02", 1),
        op_fill(0, 50, pixel_value(1)), op_fill(50, 55, pixel_value(2)),
    )  # fmt: skip
    board.wait_for(lambda picture: not picture.dark)
    link.exchange(Send.PING)
    eventually(lambda: len(board.frames()) > 5)
    for picture in board.frames():
        assert picture.bits % 24 == 0, "never half a pixel"
        spans = picture.timing
        for name, low, high in (("t0h", 250, 380), ("t1h", 650, 950), ("t0l", 700, 1000), ("t1l", 300, 600)):
            if name in spans:
                assert low <= spans[name][0] <= spans[name][1] <= high, name
    assert {"t0h", "t1h", "t0l", "t1l"} <= set(lit(board).timing)


@on_both_boards
def test_the_latch_gap_is_long_enough_even_for_a_flood_of_updates(board: Controller, link: Link) -> None:
    configure(link, FULL)
    for n in range(30):
        update(link, op_slot(1, n, 255, 0, Pattern.BLINK), op_fill(0, 2, pixel_value(1)))
    pictures = board.frames()
    assert len(pictures) > 25
    assert all(picture.gap_us >= 280 for picture in pictures[1:])
    assert pictures[-1].short_gaps == 0


@on_both_boards
def test_bytes_that_arrive_while_the_strip_is_written_are_not_lost(board: Controller, link: Link) -> None:
    configure(link, StripSettings(300, brightness=255, budget_ma=60_000))
    update(link, op_slot(1, 9, 9, 9, Pattern.PULSE), op_fill(0, 300, pixel_value(1)))
    for _ in range(40):  # 9 of every 30 ms the interrupts are off
        link.exchange(Send.PING)
    stats = link.exchange(Send.STATS)
    assert isinstance(stats, Stats)
    assert (stats.bad_frames, stats.overruns, stats.naks) == (0, 0, 0)
    assert board.events()[-1].get("overruns", 0) == 0


@on_both_boards
def test_dark_when_the_host_is_silent_for_three_seconds(board: Controller, link: Link) -> None:
    configure(link, FULL)
    before = update(link, WHITE, op_fill(0, 5, pixel_value(1)))
    shown = lit(board)
    dark = board.wait_for(lambda picture: picture.dark and picture.t > shown.t, timeout=20)
    assert 2.9 < dark.began - shown.began < 3.2, "controller time, not the machine's"
    after = link.exchange(Send.PING)
    assert not isinstance(after, Stats)
    assert before.status & Status.HAS_STATE and not after.status & Status.HAS_STATE
    assert after.epoch != before.epoch, "the host is told that everything is forgotten"


@on_both_boards
@pytest.mark.parametrize("budget", [0, 105, 106, 150, 400, 1000, 2000, 6000])
def test_never_above_the_budget_when_asked_for_all_white(board: Controller, link: Link, budget: int) -> None:
    settings = StripSettings(105, brightness=255, budget_ma=budget)
    configure(link, settings)
    answer = update(link, WHITE, op_fill(0, 105, pixel_value(1)))
    colours = board.wait_for(lambda picture: picture.bits == 24 * 105).colours()
    needed = current_ma(colours, settings)
    assert needed <= max(budget, 105), "a dark strip takes 1 mA a pixel whatever we do"
    step = 105 * 3 * 20 / 255
    assert needed > budget - 2 * step, "and the budget is used, but for two steps of brightness"
    assert answer.status & Status.POWER_LIMITED


@on_both_boards
def test_the_budget_holds_in_every_moment_of_every_pattern(board: Controller, link: Link) -> None:
    settings = StripSettings(105, brightness=255, budget_ma=500)
    configure(link, settings)
    ops = [op_slot(p, 255, 255, 255, p) for p in Pattern if p]
    ops += [op_copy(0, bytes(pixel_value(1 + n % 5, n % 8) for n in range(105)))]
    update(link, *ops)
    eventually(lambda: len(board.frames()) > 60)
    lit_pictures = [p for p in board.frames() if not p.dark]
    assert len(lit_pictures) > 50
    assert max(current_ma(p.colours(), settings) for p in lit_pictures) <= 500


def _levels(board: Controller, pixel: int, seconds: float) -> list[tuple[float, int]]:
    start = lit(board).t
    board.wait_for(lambda picture: picture.t > start + seconds, timeout=30)
    return [(p.began, p.colours()[pixel][0]) for p in board.frames() if p.t >= start]


@on_both_boards
@pytest.mark.parametrize("pattern", [Pattern.PULSE, Pattern.BLINK, Pattern.CHASE, Pattern.BREATHE])
def test_patterns_run_on_the_controller(board: Controller, link: Link, pattern: Pattern) -> None:
    """Every picture must be the model's at the controller's own time, which is known to a few ms."""
    configure(link, FULL)
    update(link, op_slot(1, 255, 0, 0, pattern), op_copy(0, bytes(pixel_value(1, n) for n in range(4))))
    seen = _levels(board, 1, 1.6)
    assert len(seen) > 40
    model = ControllerModel()
    model.configure(FULL)
    model.apply(op_slot(1, 255, 0, 0, pattern) + op_copy(0, bytes(pixel_value(1, n) for n in range(4))))
    birth = born(board)
    for at, value in seen:
        clock = int((at - birth) * 1000 / 1.024)
        near = {model.render(max(0, clock + shift))[1][0] for shift in range(-30, 6)}
        assert min(near) <= value <= max(near), f"{at:.3f} s"
    assert len({value for _, value in seen}) >= (2 if pattern == Pattern.BLINK else 3)


def test_patterns_differ_in_time_as_the_model_says() -> None:
    assert [level(Pattern.BLINK, t) for t in (0, 499, 500, 999)] == [255, 255, 0, 0]
    assert level(Pattern.PULSE, 0) == 255 > level(Pattern.PULSE, 1499) > 40
    assert level(Pattern.BREATHE, 0) < level(Pattern.BREATHE, 1000) < level(Pattern.BREATHE, 2000) == 255
    assert [level(Pattern.CHASE, t) for t in (0, 125, 250, 375, 500)] == [255, 96, 0, 0, 255]


@on_both_boards
def test_half_an_update_is_not_shown(board: Controller, link: Link) -> None:
    configure(link, FULL)
    update(link, op_slot(1, 255, 255, 255, Pattern.BLINK), op_fill(0, 5, pixel_value(1)), show=False)
    for _ in range(12):
        link.exchange(Send.PING)
        link.wait(0.1)
    assert all(picture.dark for picture in board.frames())
    update(link, op_fill(5, 1, pixel_value(1)))
    assert [c != (0, 0, 0) for c in lit(board).colours()[:7]] == [True] * 6 + [False]


@pytest.mark.parametrize(
    ("ops", "what"),
    [
        (op_fill(100, 6, 8), "beyond the strip"),
        (op_copy(104, b"\x08\x08"), "beyond the strip"),
        (op_slot(0, 1, 1, 1, 1), "slot 0 is dark for ever"),
        (op_slot(32, 1, 1, 1, 1), "no such slot"),
        (op_slot(1, 1, 1, 1, 6), "no such pattern"),
        (op_copy(0, bytes(9))[:-1], "cut off"),
        (b"\x07", "no such operation"),
        (op_fill(0xFFFF, 0xFFFF, 8), "overflow"),
    ],
)
def test_a_wrong_operation_changes_nothing(board: Controller, link: Link, ops: bytes, what: str) -> None:
    configure(link, FULL)
    update(link, WHITE)
    with pytest.raises(FrameRefused) as refusal:
        update(link, op_fill(0, 9, pixel_value(1)), ops)
    assert refusal.value.reason == RefusalCode.MALFORMED, what
    update(link, op_fill(50, 1, pixel_value(1)))
    assert [i for i, c in enumerate(lit(board).colours()) if any(c)] == [50]


def test_wrong_settings_and_unknown_types_are_refused(link: Link) -> None:
    for settings in (StripSettings(301), StripSettings(0), StripSettings(10, channel_ma=0)):
        with pytest.raises(FrameRefused) as refusal:
            configure(link, settings)
        assert refusal.value.reason == RefusalCode.OUT_OF_RANGE
    with pytest.raises(FrameRefused) as refusal:
        link.exchange(0x44)  # type: ignore[arg-type]
    assert refusal.value.reason == RefusalCode.UNKNOWN_TYPE


def test_a_repeated_frame_is_acknowledged_and_not_done_twice(board: Controller, link: Link) -> None:
    configure(link, FULL)
    update(link, WHITE, op_fill(0, 1, pixel_value(1)))
    before = link.exchange(Send.STATS)
    link._sequence -= 2  # that of the update
    update(link, WHITE, op_fill(0, 1, pixel_value(1)))
    stats = link.exchange(Send.STATS)
    assert isinstance(before, Stats) and isinstance(stats, Stats)
    # on a busy machine the line repeats a frame by itself
    assert stats.duplicates > before.duplicates and stats.shown == before.shown


@on_both_boards
def test_clear_and_shrinking_the_strip_leave_nothing_lit(board: Controller, link: Link) -> None:
    configure(link, FULL)
    update(link, WHITE, op_fill(0, 105, pixel_value(1)))
    lit(board)
    board.forget()
    configure(link, StripSettings(4, brightness=255))
    whole = board.wait_for(lambda picture: picture.bits == 24 * 300)
    assert [i for i, c in enumerate(whole.colours()) if any(c)] == [0, 1, 2, 3]
    board.forget()
    update(link, op_clear())
    assert board.wait_for(lambda picture: True).dark


def test_the_watchdog_gets_a_hanging_controller_out(board: Controller, link: Link) -> None:
    configure(link, FULL)
    update(link, WHITE, op_fill(0, 3, pixel_value(1)))
    lit(board)
    board.forget()
    board.hang()
    first: StripPicture = board.wait_for(lambda picture: True)
    assert first.dark
    board.wait_for_event("watchdog")
    started_by_the_watchdog(link)
    stats = link.exchange(Send.STATS)
    assert isinstance(stats, Stats) and stats.watchdog_resets == 1


@on_both_boards
def test_it_sleeps_when_idle(board: Controller, link: Link) -> None:
    configure(link, FULL)
    first = board.wait_for(lambda picture: picture.bits == 24 * 105)
    last = board.wait_for(lambda picture: picture.t > first.t + 1.5)
    assert (last.slept - first.slept) / (last.t - first.t) > 0.97


@on_both_boards
def test_buttons_are_debounced_and_reported_until_acknowledged(board: Controller) -> None:
    seen: list[Button] = []
    line = Link(open_port(board.port), Counters(), seen.append)
    assert line.hello(60)
    settle(board, line)
    for _ in range(3):  # contacts bounce for a few milliseconds
        board.press(1, True)
        board.press(1, False)
    board.press(1, True)
    eventually(lambda: bool(line.wait(0.05) or seen))
    board.press(1, False)
    board.press(0, True)
    eventually(lambda: bool(line.wait(0.05) or len(seen) >= 3))
    for _ in range(10):
        line.wait(0.05)
    line.close()
    assert {(b.button, b.pressed) for b in seen} == {(1, True), (1, False), (0, True)}
    assert len(seen) == 3


def test_only_the_exact_speed_is_understood(board: Controller) -> None:
    """250,000 baud divides 16 MHz without a remainder; a host at another speed talks noise."""
    port = open_port(board.port)
    port.baudrate = 230_400
    line = Link(port, Counters())
    answer = line.hello(0.6)
    assert answer is None or answer.sequence == 0, "its greeting may be heard, it hears nothing"
    port.baudrate = 250_000
    assert line.hello(60)
    line.close()

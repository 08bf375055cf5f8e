"""A whole wave of Fall of the Mountain King by scripted seats, each on a device of its own, in two languages.

In Chromium all five tap; in WebKit one does, and the others answer beside it.  What remains of the game is
then played at random, and the slip bears all five names.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from driving import Seat, open_browser
from tables import PLAYERS, RunningTable, answer

from referee.archive.results import outcome_of
from referee.archive.slip import make_slip
from referee.games.mountain_king.box.components import SEATS
from referee.journal.signing import TableKey
from referee.kernel.requests import ChooseSecretly

SIZES = ((1180, 820), (820, 1180))
LANGUAGES = ("de", "en")
A_WAVE_S = 560.0
STALE = ["409", "Failed to load resource"]
"""A draft of one seat that another seat's answer overtook."""
KEY = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@pytest.fixture
def mountain(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path, "mountain_king", seats=SEATS)
    yield running
    running.close()


@pytest.fixture
def three_more(tmp_path: Path, devices: list[Seat]) -> Iterator[list[Seat]]:
    """Three more tablets beside the two that there are."""
    opened = [open_browser(tmp_path / f"profile{number}") for number in range(3)]
    for seat in opened:
        seat.still()
    yield opened
    for seat in opened:
        seat.driver.quit()


def wave_of(table: RunningTable) -> int:
    """The wave that is played."""
    hall = table.hall.table
    assert hall is not None
    with table.web.hub.lock:
        return int(hall.play.state.turn)


def play_a_wave(table: RunningTable, hands: list[Seat], beside: Any = None) -> None:
    """Until wave I is over; ``beside`` answers what those hands do not."""
    for number, seat in enumerate(hands):
        seat.expected = STALE
        seat.play_on(31 + number)
    end = time.monotonic() + A_WAVE_S
    while wave_of(table) < 2:
        if beside is not None:
            beside()
        asked = " | ".join(seat.text("#ask")[:160] for seat in hands) if time.monotonic() > end else ""
        assert not asked, asked
        time.sleep(0.1)
    for seat in hands:
        seat.rest()


def names_on_the_slip(table: RunningTable, folder: Path, language: str) -> list[str]:
    """The game is played to its end; which of the five players its slip names."""
    hall, rng = table.hall.table, random.Random(4)
    assert hall is not None
    with table.web.hub.lock:
        while hall.request is not None:
            answer(hall, hall.request.sample(rng))
        loaded = table.hall.store.load(hall.id)
    made = make_slip(loaded, outcome_of(loaded), KEY, language)
    (folder / "slip.pdf").write_bytes(made.pdf)
    shown = subprocess.run(
        ["pdftotext", "-layout", "slip.pdf", "-"], cwd=folder, capture_output=True, check=True
    )
    return [name for name in PLAYERS if name in shown.stdout.decode()]


@pytest.mark.timeout(700)
def test_five_tablets_play_a_whole_wave(
    mountain: RunningTable, devices: list[Seat], three_more: list[Seat], tmp_path: Path
) -> None:
    tablets = [*devices, *three_more]
    for number, (seat, who) in enumerate(zip(tablets, SEATS, strict=True)):
        seat.sit(mountain, who, LANGUAGES[number % 2], SIZES[number % 2])
    play_a_wave(mountain, tablets)
    for number, seat in enumerate(tablets):
        seat.shot(f"mountain-wave-{number}")
        assert seat.ids_on_screen() == [] and all(seat.played().values()), seat.played()
        assert sum(seat.played().values()) > 10, "each seat has drafted, laid and acted"
    for language in LANGUAGES:
        assert names_on_the_slip(mountain, tmp_path, language) == list(PLAYERS)
    assert [line for seat in three_more for line in seat.problems()] == []


@pytest.mark.timeout(700)
@pytest.mark.parametrize(("devices", "language"), [("webkit", "en"), ("webkit", "de")], indirect=["devices"])
def test_one_seat_in_webkit_plays_a_whole_wave(
    mountain: RunningTable, devices: list[Seat], language: str
) -> None:
    seat, rng = devices[0], random.Random(7)
    seat.sit(mountain, SEATS[0], language, SIZES[0])
    hall = mountain.hall.table
    assert hall is not None

    def others() -> None:
        """The four other seats answer what they are asked."""
        with mountain.web.hub.lock:
            request = hall.request
            while request is not None and request.seat != SEATS[0]:
                value = request.sample(rng)
                if not isinstance(request, ChooseSecretly):
                    hall.answer(request.seat, value, revision=hall.revision)
                elif waiting := [one for one in request.of if one in hall.asked_seats and one != SEATS[0]]:
                    hall.answer(waiting[0], value[waiting[0]], revision=hall.revision)
                else:
                    break
                request = hall.request
        mountain.web.hub.changed()

    play_a_wave(mountain, [seat], others)
    seat.shot(f"mountain-wave-webkit-{language}")
    assert seat.ids_on_screen() == [] and sum(seat.played().values()) > 10

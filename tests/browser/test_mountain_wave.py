"""A whole wave of Fall of the Mountain King by scripted seats, each on a device of its own, in two languages.

In Chromium all five tap; in WebKit one does, and the others answer beside it.  What the box lays out before
the first draft is answered ahead; what remains of the game after the wave is played at random, and the slip
bears all five names.
"""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from driving import Seat, open_browser
from tables import PLAYERS, RunningTable
from test_many_seats_pages import SIZES, play_to

from referee.archive.results import outcome_of
from referee.archive.slip import make_slip
from referee.games.mountain_king.box.components import SEATS
from referee.journal.signing import TableKey
from referee.kernel.requests import ChooseSecretly

LANGUAGES = ("de", "en")
TABLETS = (SIZES["wide"], SIZES["tall"])
DRAFT, ACTION = "prompt.draft", "prompt.action"
A_WAVE_S = 280.0
STALE = ["409", "Failed to load resource"]
"""A draft of one seat that another seat's answer overtook."""
KEY = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@pytest.fixture
def mountain(tmp_path: Path) -> Iterator[RunningTable]:
    """Five seats before the first draft of the first wave."""
    running = RunningTable(tmp_path, "mountain_king", seats=SEATS)
    play_to(running, DRAFT)
    yield running
    running.close()


@pytest.fixture
def three_more(tmp_path: Path, devices: list[Seat]) -> Iterator[list[Seat]]:
    """Three more tablets beside the two that there are: browsers of their own, for a tab that is hidden
    gives its stream back."""
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


def play_a_wave(table: RunningTable, hands: list[Seat], beside: Callable[[], None] = lambda: None) -> None:
    """Until wave I is over; ``beside`` answers what those hands do not."""
    for number, seat in enumerate(hands):
        seat.expected = STALE
        seat.play_on(31 + number)
    end = time.monotonic() + A_WAVE_S
    while wave_of(table) < 2:
        beside()
        asked = " | ".join(seat.text("#ask")[:160] for seat in hands) if time.monotonic() > end else ""
        assert not asked, asked
        time.sleep(0.1)
    for seat in hands:
        seat.rest()
        seat.until(lambda seat=seat: re.match(r"(Welle|Wave) 2", seat.text(".bar")), "wave II")


def answered(table: RunningTable) -> dict[str, set[str]]:
    """Which questions each seat answered from a screen, by the journal."""
    hall, found = table.hall.table, defaultdict(set)
    assert hall is not None
    for event in hall.events():
        if event.kind in ("answer", "sealed_part") and event.source == "tablet":
            found[event.seat].add(event.request["prompt"])
    return found


def answer_beside(table: RunningTable, rng: random.Random, *by_hand: str) -> None:
    """Answers at random until nobody but those that play by hand is asked."""
    hall = table.hall.table
    assert hall is not None
    with table.web.hub.lock:
        before = hall.revision
        while asked := sorted(set(hall.asked_seats) - set(by_hand)):
            request, value = hall.request, hall.request.sample(rng)  # type: ignore[union-attr]
            for seat in asked:
                part = value[seat] if isinstance(request, ChooseSecretly) else value
                hall.answer(seat, part, revision=hall.revision)
    if hall.revision != before:
        table.web.hub.changed()


def names_on_the_slip(table: RunningTable, folder: Path, language: str) -> list[str]:
    """Which of the five players the slip of the finished game names."""
    hall = table.hall.table
    assert hall is not None
    loaded = table.hall.store.load(hall.id)
    made = make_slip(loaded, outcome_of(loaded), KEY, language)
    (folder / "slip.pdf").write_bytes(made.pdf)
    shown = subprocess.run(
        ["pdftotext", "-layout", "slip.pdf", "-"], cwd=folder, capture_output=True, check=True
    )
    return [name for name in PLAYERS if name in shown.stdout.decode()]


@pytest.mark.timeout(400)
def test_five_tablets_play_a_whole_wave(
    mountain: RunningTable, devices: list[Seat], three_more: list[Seat], tmp_path: Path
) -> None:
    tablets = [*devices, *three_more]
    for number, (seat, who) in enumerate(zip(tablets, SEATS, strict=True)):
        seat.sit(mountain, who, LANGUAGES[number % 2], TABLETS[number % 2])
    play_a_wave(mountain, tablets)
    done = answered(mountain)
    for number, (seat, who) in enumerate(zip(tablets, SEATS, strict=True)):
        seat.shot(f"mountain-wave-{number}")
        assert seat.ids_on_screen() == []
        assert {DRAFT, ACTION} <= done[who] and seat.played()["confirm"] > 3, (who, done[who], seat.played())
    answer_beside(mountain, random.Random(4))
    for language in LANGUAGES:
        assert names_on_the_slip(mountain, tmp_path, language) == list(PLAYERS)
    assert [line for seat in three_more for line in seat.problems()] == []


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("devices", "language"), [("webkit", "en"), ("webkit", "de")], indirect=["devices"])
def test_one_seat_in_webkit_plays_a_whole_wave(
    mountain: RunningTable, devices: list[Seat], language: str
) -> None:
    seat, who, rng = devices[0], SEATS[0], random.Random(7)
    seat.sit(mountain, who, language, TABLETS[0])
    play_a_wave(mountain, [seat], lambda: answer_beside(mountain, rng, who))
    seat.shot(f"mountain-wave-webkit-{language}")
    assert seat.ids_on_screen() == []
    assert {DRAFT, ACTION} <= answered(mountain)[who] and seat.played()["confirm"] > 3, seat.played()

"""How long a draft of five tablets takes to be confirmed on all of them, over the real server.

web.draft5_ms_p50, _p99   the POST of the fifth secret card of a draft of Fall of the Mountain King, sealed
                          and on disk, to the arrival of the opened draft on the last of five streams, over 60
                          drafts
web.draft5_seal_ms_p99    the same for each of the four before: the POST to the arrival of who has chosen
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from referee.kernel.requests import ChooseSecretly
from web.bench import Bench, share

GAME = "mountain_king"
DRAFTS = 60


def figures(drafts: int = DRAFTS) -> dict[str, float]:
    """All figures of this module; about half a minute."""
    opened: list[float] = []
    sealed: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), lights="none", game=GAME)
        try:
            while len(opened) < drafts:
                to_the_next_draft(bench)
                *first, last = [_tap(bench, *tap) for tap in bench.taps()]
                sealed += first
                opened.append(last)
        finally:
            bench.close()
    return {
        "web.draft5_ms_p50": share(opened, 0.5),
        "web.draft5_ms_p99": share(opened, 0.99),
        "web.draft5_seal_ms_p99": share(sealed, 0.99),
    }


def to_the_next_draft(bench: Bench) -> None:
    """Play on at random, into a new game where one ends, until all five choose a card in secret."""
    while not _play_to_a_draft(bench):
        bench.new_game()  # its screens need the hub, which nobody holds here
    bench.web.hub.changed()
    table = bench.house.table
    assert table is not None
    for stream in bench.streams.values():
        stream.when(table.revision)


def _play_to_a_draft(bench: Bench) -> bool:
    """Play until all five choose in secret; whether that came before the game's end."""
    table = bench.house.table
    assert table is not None
    with bench.web.hub.lock:
        while (request := table.request) is not None:
            if isinstance(request, ChooseSecretly):
                if len(request.of) == len(bench.seats):
                    return True
                for seat, part in request.sample(bench.random).items():
                    table.answer(seat, part, revision=table.revision)
            else:
                table.answer(request.seat, request.sample(bench.random), revision=table.revision)
    return False


def _tap(bench: Bench, seat: str, path: str, body: dict[str, object]) -> float:
    """One tap: milliseconds until all five screens show what it made."""
    table = bench.house.table
    assert table is not None
    began, _ = bench.tap(seat, path, body)
    return (max(stream.when(table.revision) for stream in bench.streams.values()) - began) * 1000


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")

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
    """Play on at random until all five choose a card in secret."""
    table = bench.house.table
    assert table is not None
    with bench.web.hub.lock:
        while not (isinstance(table.request, ChooseSecretly) and len(table.request.of) == len(bench.seats)):
            if table.request is None:
                bench.new_game()
                table = bench.house.table
                assert table is not None
                continue
            value = table.request.sample(bench.random)
            if isinstance(table.request, ChooseSecretly):
                for seat, part in value.items():
                    table.answer(seat, part, revision=table.revision)
            else:
                table.answer(table.request.seat, value, revision=table.revision)
    bench.web.hub.changed()
    for stream in bench.streams.values():
        stream.when(table.revision)


def _tap(bench: Bench, seat: str, path: str, body: dict[str, object]) -> float:
    """One tap: milliseconds until all five screens show what it made."""
    table = bench.house.table
    assert table is not None
    began, _ = bench.tap(seat, path, body)
    return (max(stream.when(table.revision) for stream in bench.streams.values()) - began) * 1000


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")

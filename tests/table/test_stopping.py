"""Stop signals: any number of them, at any moment, end the table with everything closed."""

from __future__ import annotations

import os
import select
import signal
import threading
from pathlib import Path

import pytest
from stop_bursts import SIGNALS, burst

from referee.serving.stopping import StopNote


@pytest.mark.parametrize("seed", range(10))
def test_three_stop_signals_at_once_left_a_table_that_neither_stopped_nor_answered(
    seed: int, tmp_path: Path
) -> None:
    burst(seed, tmp_path / "data")


def test_a_handler_only_notes_whatever_the_main_thread_holds() -> None:
    note = StopNote()
    bell = note.listen()
    with note.signals():
        for number in SIGNALS:
            for _ in range(2000):  # more than a socket holds: the bell never waits
                os.kill(os.getpid(), number)
    assert note.noted and select.select([bell], [], [], 0)[0]
    note.close()
    note.note()  # after the end it does no harm


def test_what_was_ignored_stays_ignored_and_other_threads_take_no_signals() -> None:
    note = StopNote()
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with note.signals():
            os.kill(os.getpid(), signal.SIGHUP)
        assert not note.noted
    finally:
        signal.signal(signal.SIGHUP, before)
    seen: list[object] = []

    def elsewhere() -> None:
        with note.signals():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
    note.close()

"""Stop signals: their handlers only note that one came, and the main loop ends by itself.

A handler runs between two steps of the main thread, whatever locks that holds at
the time; one that takes a lock, logs or waits can stand still for ever.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class StopNote:
    """Whether the table is to stop.  :meth:`note` may be called from anywhere, any number of times."""

    def __init__(self) -> None:
        self.noted = False
        self._ends: tuple[socket.socket, socket.socket] | None = None

    def note(self, *_: Any) -> None:
        """The table is to stop.  Takes no lock, waits for nothing and is a signal's handler as it stands."""
        self.noted = True
        ends = self._ends
        if ends is not None:
            with suppress(OSError):  # it rings already, or nobody listens any more
                ends[1].send(b"!")

    def listen(self) -> int:
        """A descriptor that can be read from once :meth:`note` was called, now or before; close it later."""
        ends = socket.socketpair()
        for end in ends:
            end.setblocking(False)
        self._ends = ends
        if self.noted:
            self.note()
        return ends[0].fileno()

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Note stop signals while the context lasts; on another than the main thread there are none."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        # what is ignored already (nohup) stays ignored
        wanted = [number for number in NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self.note) for number in wanted}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def close(self) -> None:
        """Nobody listens any more.  Notes that come later do no harm."""
        for end in self._ends or ():
            end.close()

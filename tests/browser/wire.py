"""A network between browser and table that can fail: bytes stop coming, without any goodbye."""

from __future__ import annotations

import contextlib
import socket
import threading
import time


class Wire:
    """Forwards a port.  ``cut`` makes everything vanish as a lost Wi-Fi does; ``mend`` lets it flow again;
    ``delay`` is how many seconds each piece of it takes on its way."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0
        self._flows = threading.Event()
        self._flows.set()
        self._sockets: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """From now on nothing arrives."""
        self._flows.clear()

    def mend(self) -> None:
        """The network is back; what was under way when it went is lost with its connection."""
        old, self._sockets = self._sockets, []
        for one in old:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._flows.set()

    def forget(self) -> None:
        """Whatever is connected hears nothing any more, as after a power cut at the other end: who only
        listens does not learn of it, who sends is told that nobody is there.  New connections work."""
        self._dead |= set(self._sockets)

    def close(self) -> None:
        """The end."""
        self._listener.close()
        self.mend()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:  # nobody listens there now
                near.close()
                continue
            self._sockets += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(a, b, a is near), daemon=True).start()

    def _pump(self, a: socket.socket, b: socket.socket, from_browser: bool) -> None:
        try:
            while data := a.recv(65536):
                self._flows.wait()
                time.sleep(self.delay)
                if a not in self._dead:
                    b.sendall(data)
                elif from_browser:
                    a.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        finally:
            for one in (a, b):
                with contextlib.suppress(OSError):
                    one.close()

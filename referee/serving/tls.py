"""HTTPS: whoever comes is let in by TLS; whoever comes with plain HTTP is shown the way to HTTPS."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
from collections.abc import Callable

from referee.serving.certificate import Certificate

HANDSHAKE_S = 10.0
GOODBYE_S = 3.0
"""How long a caller that goes may take to say so."""
MOST_AT_THE_DOOR = 400
"""Callers whose handshake is under way; beyond that the oldest goes."""
TLS_HANDSHAKE = b"\x16"
HOST_LINE = re.compile(rb"(?im)^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$")
PATH = re.compile(rb"^(?:GET|HEAD) (/[!-~]{0,2000}) HTTP/1\.[01]\r?$", re.MULTILINE)

log = logging.getLogger(__name__)


class TlsDoor:
    """Accepts callers on ``sock`` (bound and listening) and gives each that speaks TLS a protocol."""

    def __init__(self, sock: socket.socket, made: Certificate) -> None:
        self._sock = sock
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.renew(made)
        self._at_the_door: dict[asyncio.Task[None], None] = {}

    def renew(self, made: Certificate) -> None:
        """Let those who come from now on in by this certificate."""
        self._context.load_cert_chain(made.path, made.key_path)

    async def accept(self, protocol: Callable[[], asyncio.Protocol]) -> None:
        """Let callers in, until cancelled or the socket is closed."""
        loop = asyncio.get_running_loop()
        self._sock.setblocking(False)
        try:
            while True:
                try:
                    caller, _ = await loop.sock_accept(self._sock)
                except OSError:  # the listening socket was closed, or no descriptor is left for a moment
                    if self._sock.fileno() < 0:
                        return
                    await asyncio.sleep(0.2)
                    continue
                task = loop.create_task(self._let_in(caller, protocol))
                self._at_the_door[task] = None
                task.add_done_callback(lambda done: self._at_the_door.pop(done, None))
                if len(self._at_the_door) > MOST_AT_THE_DOOR:
                    next(iter(self._at_the_door)).cancel()
        finally:
            waiting = list(self._at_the_door)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def _let_in(self, caller: socket.socket, protocol: Callable[[], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        ours = True  # to close: closed here while asyncio has it, its number would go to the next caller
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                first = await _peek(caller)
                if first != TLS_HANDSHAKE:
                    await _show_the_way(caller)
                    return
            ours = False
            await loop.connect_accepted_socket(
                protocol,
                caller,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=GOODBYE_S,
            )
        except (OSError, TimeoutError, ssl.SSLError):
            log.debug("a caller did not get through the door")
        finally:
            if ours:
                caller.close()


async def _peek(caller: socket.socket) -> bytes:
    """The first byte, left where it is."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    caller.setblocking(False)
    loop.add_reader(caller, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(caller)
    return caller.recv(1, socket.MSG_PEEK)


async def _show_the_way(caller: socket.socket) -> None:
    """Plain HTTP: to the same address by HTTPS."""
    loop = asyncio.get_running_loop()
    head = await loop.sock_recv(caller, 8192)
    host, path = HOST_LINE.search(head), PATH.search(head)
    if host is None:
        return
    to = b"https://" + host[1] + (path[1] if path else b"/")
    answer = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: " + to + b"\r\n"
    await loop.sock_sendall(caller, answer + b"Content-Length: 0\r\nConnection: close\r\n\r\n")

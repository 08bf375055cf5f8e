"""HTTPS in front of the web server: one thread takes TLS off and hands the bytes on over the loopback.

The web server (waitress) speaks no TLS.  Each caller's address is kept apart by
calling the server from a loopback address of its own (127.a.b.c), so that limits
by address still hold.  Whoever comes with plain HTTP is shown the way to HTTPS.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import socket
import ssl
import threading

from referee.serving.certificate import Certificate

CHUNK = 64 * 1024
HANDSHAKE_S = 10.0
GOODBYE_S = 3.0
"""How long a caller that goes may take to say so."""
MOST_CONNECTIONS = 400
TLS_HANDSHAKE = b"\x16"
HOST_LINE = re.compile(rb"(?im)^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$")
PATH = re.compile(rb"^(?:GET|HEAD) (/[!-~]{0,2000}) HTTP/1\.[01]\r?$", re.MULTILINE)

log = logging.getLogger(__name__)


class TlsFront:
    """Serves HTTPS on ``sock`` (bound and listening) for the plain server at ``inner_port``."""

    def __init__(self, sock: socket.socket, made: Certificate, inner_port: int) -> None:
        self._sock = sock
        self._inner_port = inner_port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(made.path, made.key_path)
        self._loop = asyncio.new_event_loop()
        self._open = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all connections and the thread.  May be called twice."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join(5)

    def _end(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._accept())
        except asyncio.CancelledError:
            log.debug("https ends")
        finally:
            rest = asyncio.all_tasks(self._loop)
            self._loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
            self._loop.close()

    async def _accept(self) -> None:
        self._sock.setblocking(False)
        while True:
            try:
                caller, where = await self._loop.sock_accept(self._sock)
            except OSError:  # the listening socket was closed, or no descriptor is left for a moment
                if self._sock.fileno() < 0:
                    return
                await asyncio.sleep(0.2)
                continue
            if self._open >= MOST_CONNECTIONS:
                caller.close()
                continue
            task = self._loop.create_task(self._serve(caller, str(where[0])))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, caller: socket.socket, address: str) -> None:
        self._open += 1
        ours = True  # to close: closed here while asyncio has it, its number would go to the next caller
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                first = await self._peek(caller)
                if first != TLS_HANDSHAKE:
                    await self._show_the_way(caller)
                    return
                ours = False
                reader, writer = await self._take_tls_off(caller)
            try:
                await self._hand_on(reader, writer, address)
            finally:
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError, ssl.SSLError):
            log.debug("a connection from %s broke off", address)
        finally:
            self._open -= 1
            if ours:
                caller.close()

    async def _peek(self, caller: socket.socket) -> bytes:
        """The first byte, left where it is."""
        ready = asyncio.Event()
        caller.setblocking(False)
        self._loop.add_reader(caller, ready.set)
        try:
            await ready.wait()
        finally:
            self._loop.remove_reader(caller)
        return caller.recv(1, socket.MSG_PEEK)

    async def _show_the_way(self, caller: socket.socket) -> None:
        """Plain HTTP: to the same address by HTTPS."""
        head = await self._loop.sock_recv(caller, 8192)
        host, path = HOST_LINE.search(head), PATH.search(head)
        if host is None:
            return
        to = b"https://" + host[1] + (path[1] if path else b"/")
        answer = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: " + to + b"\r\n"
        await self._loop.sock_sendall(caller, answer + b"Content-Length: 0\r\nConnection: close\r\n\r\n")

    async def _take_tls_off(self, caller: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader = asyncio.StreamReader(CHUNK)
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol,
            caller,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=GOODBYE_S,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)

    async def _hand_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str
    ) -> None:
        inner_reader, inner_writer = await asyncio.open_connection(
            "127.0.0.1", self._inner_port, local_addr=(loopback_of(address), 0)
        )
        ways = [
            self._loop.create_task(_pump(reader, inner_writer)),
            self._loop.create_task(_pump(inner_reader, writer)),
        ]
        try:
            # one side that ends, ends both: HTTP has no use for a connection that is half open
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            inner_writer.close()
            await asyncio.gather(*ways, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        return


def loopback_of(address: str) -> str:
    """A loopback address (127.a.b.c) that stands for a caller's address, never 127.0.0.0/24."""
    a, b, c = hashlib.sha256(address.encode()).digest()[:3]
    return f"127.{a or 1}.{b}.{c or 1}"

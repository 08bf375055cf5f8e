"""The server of the screens: one event loop for connections and streams, threads for Flask's routes.

A request is read whole before a thread takes it, and an answer is whole before it is sent, so a thread
never waits for a network.  What does wait costs a few kilobytes in the loop: event streams, devices that
do not read, devices that send a byte at a time.  Those that wait too long are dropped (:class:`Connection`),
and where there are too many, the address that has most of them loses its oldest (``web/crowd.py``).
"""

from __future__ import annotations

import asyncio
import io
import logging
import resource
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn
from asgiref.wsgi import WsgiToAsgiInstance
from uvicorn.protocols.http.h11_impl import H11Protocol
from werkzeug.wrappers import Response

from referee.serving.certificate import Certificate
from referee.serving.tls import TlsDoor
from web.crowd import Crowd
from web.hub import STREAM, Stream
from web.sending import Outlet, Sending

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

WORKERS = 12
"""Threads for routes.  They take milliseconds each and wait for the table's lock at most."""
BODY_BYTES = 1024 * 1024
"""A longer body is not kept; the route finds it too long by its length."""
REQUEST_S = 15.0
"""How long a request may take to arrive, from its first byte to its last."""
STALL_S = 20.0
"""How long a device may leave its answer or its stream unread."""
IDLE_S = 30
"""WebKit sends each POST over a connection of its own and leaves it open."""
SEND_BYTES = 256 * 1024
"""What the system keeps for a device that does not read."""
SWITCH_S = 0.001
"""How long a thread that reckons may keep others waiting for the interpreter.  Each step of the loop waits so
long behind a snapshot that is being built; Python's 5 ms made 50 ms of one tap."""
GOODBYE_S = 2
"""How long requests under way get to end."""
MOST_CONNECTIONS = 1500
OTHER_FILES = 200
"""Files and sockets beside connections: record, mirror, pictures, camera, lights."""

CONNECTION = "connection"
"""Key of an ASGI scope's state for the :class:`Connection` that it came by."""

log = logging.getLogger(__name__)

Send = Callable[[Any], Any]
Receive = Callable[[], Any]


class Connection(H11Protocol):
    """One connection: HTTP by h11, and deadlines for those who send or read too slowly."""

    crowd: Crowd

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A device has come."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, CONNECTION: self}
        self.outlet: Outlet | None = None
        self._slow: asyncio.TimerHandle | None = self.loop.call_later(REQUEST_S, self.drop)
        self._stalled: asyncio.TimerHandle | None = None
        # pausing with what the system does not take: STALL_S is counted from there (0 would pause TLS always)
        transport.set_write_buffer_limits(high=1)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            with suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
                # asyncio does it for sockets that say they are TCP's: ours do not, and each answer would
                # wait 40 ms for the device to acknowledge its head
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.crowd.enter(self)

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else "?"

    @property
    def waits(self) -> bool:
        """Whether nothing is lost but the device's own time if it is dropped now."""
        return self._arriving() or self.flow.write_paused

    def _arriving(self) -> bool:
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def drop(self) -> None:
        """End it at once, whatever is unsent."""
        self.transport.abort()

    @property
    def full(self) -> bool:
        """Whether what was written before has not gone yet."""
        return self.flow.write_paused

    @property
    def lost(self) -> bool:
        """Whether the device has gone."""
        return self.transport.is_closing()

    def write(self, pieces: Sequence[bytes]) -> None:
        """Send these bytes as they are."""
        self.transport.writelines(pieces)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        super().data_received(data)
        if not self._arriving():
            self._slow = _cancelled(self._slow)
        elif self._slow is None:
            self._slow = self.loop.call_later(REQUEST_S, self.drop)

    def pause_writing(self) -> None:
        """The device does not read as fast as it is told."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALL_S, self.drop)

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        self._stalled = _cancelled(self._stalled)
        if self.outlet is not None:
            self.outlet.send()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        if self.outlet is not None:
            self.outlet.end()
        self._slow, self._stalled = _cancelled(self._slow), _cancelled(self._stalled)
        self.crowd.leave(self)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """No timer any more."""
    if timer is not None:
        timer.cancel()
    return None


class Routes(WsgiToAsgiInstance):
    """Answers the event loop's requests by a WSGI application in threads; streams are sent in the loop."""

    def __init__(self, application: WSGIApplication, workers: ThreadPoolExecutor) -> None:
        super().__init__(application)  # type: ignore[no-untyped-call]
        self._workers = workers
        self._sending = Sending()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """One request."""
        body = await _whole_body(receive)
        if body is None:
            return
        loop = asyncio.get_running_loop()
        status, headers, text, stream = await loop.run_in_executor(self._workers, self._answer, scope, body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if stream is not None:
            await self._stream(stream, scope)
        await send({"type": "http.response.body", "body": text})

    async def _stream(self, stream: Stream, scope: Any) -> None:
        if scope["method"] == "HEAD":
            stream.close()
        else:
            await self._sending.serve(stream, scope["state"][CONNECTION], scope["http_version"] == "1.1")

    def _answer(self, scope: Any, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes, Stream | None]:
        streams: list[Stream] = []
        environ = self._environ(scope, body) | {STREAM: streams}
        with Response.from_app(self.wsgi_application, environ, buffered=True) as answer:
            text = answer.get_data()
            headers = [
                (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers
            ]
            if streams:
                headers = [one for one in headers if one[0] != b"content-length"]
            return answer.status_code, headers, text, streams[0] if streams else None

    def _environ(self, scope: Any, body: bytes) -> dict[str, Any]:
        # a name with an underscore would pass for one with a hyphen
        self_scope = {**scope, "headers": [one for one in scope["headers"] if b"_" not in one[0]]}
        request = WsgiToAsgiInstance(self.wsgi_application)  # type: ignore[no-untyped-call]
        request.scope = self_scope
        environ: dict[str, Any] = request.build_environ(self_scope, io.BytesIO(body))  # type: ignore[no-untyped-call]
        environ["CONTENT_LENGTH"] = str(len(body))
        return environ


async def _whole_body(receive: Receive) -> bytes | None:
    """The body, one byte more than allowed where it is too long; None where the device has gone."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body") or len(body) > BODY_BYTES:
            return bytes(body[: BODY_BYTES + 1])


def room_for_connections() -> int:
    """How many connections can be open: the system's limit for files is raised where it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MOST_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(50, min(MOST_CONNECTIONS, soft - OTHER_FILES))
    )


class ScreenServer:
    """Serves ``application`` on ``sock`` (bound and listening, closed at the end), by HTTPS with ``made``.

    The loop runs in a thread of its own, so signals and whoever waits for them stay in the main thread.
    """

    def __init__(
        self,
        application: WSGIApplication,
        sock: socket.socket | None = None,
        *,
        made: Certificate | None = None,
    ) -> None:
        self._sock = sock or socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self._sock.getsockname()[1])
        self.crowd = Crowd(room_for_connections())
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="routes")
        self._door = TlsDoor(self._sock, made) if made is not None else None
        self._server = uvicorn.Server(self._config(Routes(application, self._workers)))
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="screens' server", daemon=True)

    def _config(self, application: Routes) -> uvicorn.Config:
        connection = type("Connection", (Connection,), {"crowd": self.crowd})
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what strangers send is no news
        return uvicorn.Config(
            application,
            http=connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=GOODBYE_S,
            backlog=256,
        )

    def start(self) -> ScreenServer:
        """Serve from now on."""
        sys.setswitchinterval(SWITCH_S)
        self._thread.start()
        self._ready.wait()
        return self

    def renew(self, made: Certificate) -> None:
        """Another certificate, where HTTPS is served."""
        if self._door is not None:
            self._door.renew(made)

    def close(self) -> None:
        """End connections and threads, after streams (``Hub.close``).  May be called twice."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(3 * GOODBYE_S)
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._sock.close()

    @property
    def alive(self) -> bool:
        """Whether it serves."""
        return self._thread.is_alive()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception:  # the top of a thread
            log.exception("the server of the screens ended")
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        serving = asyncio.ensure_future(self._server.serve([self._sock] if self._door is None else []))
        door = None
        while not (self._server.started or serving.done()):
            await asyncio.sleep(0.005)
        if self._door is not None:
            door = asyncio.ensure_future(self._door.accept(self._protocol))
        self._ready.set()
        try:
            await serving
        finally:
            if door is not None:
                door.cancel()
                await asyncio.gather(door, return_exceptions=True)
            self.crowd.clear()
            await asyncio.sleep(0.01)  # the transports close in the loop's next turns

    def _protocol(self) -> asyncio.Protocol:
        config, state = self._server.config, self._server.server_state
        protocol: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
            config=config, server_state=state, app_state={}
        )
        return protocol

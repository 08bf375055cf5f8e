"""``referee serve``: put the house together and open its doors.

store -> table -> camera and reader -> lights -> web app.  Everything a person
can get wrong here ends in a sentence with a way out and exit code 2.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from waitress import wasyncore

from referee import __version__
from referee.commands.common import config_option, language
from referee.config.settings import CameraSection, Config, load
from referee.journal.errors import StoreError
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text, load_rooms
from referee.serving.logs import set_up_logs
from referee.serving.memory import few_pools
from referee.serving.runtime import TableRuntime
from referee.serving.starts import GOOD_AFTER_S, Starts
from referee.serving.stopping import StopNote
from referee.serving.systemd import notify, watchdog_period
from referee.serving.tls import TlsFront
from referee.store.store import Store

log = logging.getLogger(__name__)


LOOK_S = 1.0
"""How often the loop looks at what has become too old, where nothing else happens."""
WORKERS_END_S = 2.0
"""How long requests under way get to end."""
STREAMS_END_S = 0.3
"""How long open event streams get to say their last word at the end."""


class PortInUse(RefereeError):
    """Another program listens there; the sentence names it where the system tells."""

    code = "port_in_use"


@click.command()
@config_option()
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the web server.")
@click.option("--host", help="Address to listen on: 0.0.0.0 lets tablets in.")
@click.option(
    "--virtual", is_flag=True, help="Virtual dice tray and emulated lights, whatever is configured."
)
@click.option("--data", type=click.Path(path_type=Path), help="Folder for games, pictures, key and logs.")
@click.option("--safe", is_flag=True, help="Without camera and lights, and without resuming a game.")
@click.option("--https", is_flag=True, help="HTTPS by a certificate made on this table.")
@click.option("--arbiter-key", is_flag=True, help="Make a new key for the arbiter's door and print it.")
def serve(
    config_path: Path | None,
    port: int | None,
    host: str | None,
    virtual: bool,
    data: Path | None,
    safe: bool,
    https: bool,
    arbiter_key: bool,
) -> None:
    """Run the table: http://localhost:8000 and, for tablets, the address and QR code printed here."""
    spoken = language()
    note = StopNote()
    with note.signals():  # from here to the very end: nothing of start, play or closing is cut short
        try:
            config = _with_options(load(config_path), port, host, virtual, data, https)
            spoken = config.table.language if config_path else spoken
            Server(config, safe=safe, new_arbiter_key=arbiter_key, language=spoken, note=note).run()
        except RefereeError as error:
            click.echo(error.sentence(spoken), err=True)
            sys.exit(2)
        _leave()


def _leave() -> None:
    """End the process at once.

    Everything is closed and on disk by now; but a thread of OpenCV that still
    loads a model would make the interpreter's own way out end in an abort.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _with_options(
    config: Config, port: int | None, host: str | None, virtual: bool, data: Path | None, https: bool = False
) -> Config:
    web = replace(
        config.web,
        port=port or config.web.port,
        host=host or config.web.host,
        https=https or config.web.https,
    )
    record = (
        config.record if data is None else replace(config.record, folder=str(data.expanduser().resolve()))
    )
    config = replace(config, web=web, record=record)
    if virtual:
        config = replace(config, camera=CameraSection(), lights={"driver": "emulator"})
    return config


class _Bell(wasyncore.dispatcher):  # type: ignore[misc,unused-ignore]  # waitress has no types
    """Wakes the web server's loop when a stop is noted."""

    def __init__(self, note: StopNote, map: dict[int, Any]) -> None:
        super().__init__(map=map)
        self._fileno = note.listen()
        self.add_channel(map)

    def writable(self) -> bool:
        """It only ever rings."""
        return False

    def handle_read_event(self) -> None:
        """Nothing: the loop looks at the note itself."""


class Server:
    """One run of the table, from opening the store to closing it."""

    def __init__(
        self,
        config: Config,
        *,
        safe: bool = False,
        new_arbiter_key: bool = False,
        language: str = "en",
        note: StopNote | None = None,
    ) -> None:
        self.config = config
        self.language = language
        self._safe = safe
        self._new_arbiter_key = new_arbiter_key
        self._note = note or StopNote()
        self._stopping = threading.Event()
        self._end_streams: Callable[[], None] = lambda: None

    def run(self) -> None:
        """Serve until a signal or :meth:`stop`.  Raises ``StoreError``, ``PortInUse``.

        A stop that is noted while the table starts ends it as one in play does.
        """
        sock = _listen(self.config.web.host, self.config.web.port)
        try:
            self._run(sock)
        finally:
            sock.close()
            self._note.close()

    def _run(self, sock: socket.socket) -> None:
        few_pools()  # before there are threads
        load_rooms()
        port = int(sock.getsockname()[1])
        folder = _data_folder(self.config)
        set_up_logs(self.config.log, folder / "logs")
        starts = Starts(folder)
        failed_before = starts.begin()
        safe = self._safe or failed_before
        config = _safe(self.config) if safe else self.config
        house = TableRuntime(config, Store.open(self.config.store, port=port))
        try:
            app = _app(house, self.config)
            self._end_streams = app.extensions["table"].close
            if not self._note.noted:
                self._resume(house, safe)
            if not self._note.noted:
                self._serve(sock, app, house, starts, port, safe)
            starts.good()
        finally:
            notify("STOPPING=1")
            house.close()

    def _resume(self, house: TableRuntime, safe: bool) -> None:
        for remark in house.store.remarks:
            log.warning("%s", remark)
            click.echo(remark.in_words(self.language))
        if safe:
            return
        try:
            house.resume_latest()
        except RefereeError as error:
            # the start page shows the game with this sentence; other games can be played
            log.warning("the last game could not be resumed: %s", error)
            click.echo(error.sentence(self.language))

    def _serve(
        self, sock: socket.socket, app: Any, house: TableRuntime, starts: Starts, port: int, safe: bool
    ) -> None:
        from waitress.server import create_server

        from web.hub import SERVER

        plain, front, fingerprint = self._doors(sock)
        sockets: dict[int, Any] = {}
        server = create_server(app, sockets=[plain], map=sockets, url_scheme=self._scheme, **SERVER)
        house.address = self.config.web.address or self._address(port)
        log.info("table-referee %s serves port %s%s", __version__, port, ", safely" if safe else "")
        self._greet(app, port, house.address, safe, fingerprint)
        notify("READY=1")
        threading.Thread(target=self._live, args=(house, starts), name="watchdog", daemon=True).start()
        try:
            self._loop(server, sockets)
        finally:
            if front is not None:
                front.close()
                plain.close()

    @property
    def _scheme(self) -> str:
        return "https" if self.config.web.https else "http"

    def _address(self, port: int) -> str:
        found = _address_for_tablets(self.config.web.host, port)
        return found.replace("http://", f"{self._scheme}://", 1)

    def _doors(self, sock: socket.socket) -> tuple[socket.socket, TlsFront | None, str]:
        """The socket that the web server listens on, and HTTPS before it with its fingerprint."""
        if not self.config.web.https:
            return sock, None, ""
        from urllib.parse import urlsplit

        from referee.serving.certificate import certificate, names_of_this_machine

        port = int(sock.getsockname()[1])
        outside = urlsplit(self.config.web.address or self._address(port)).hostname or ""
        made = certificate(self.config.data_folder / "https", names_of_this_machine(outside))
        plain = _listen("127.0.0.1", 0)
        return plain, TlsFront(sock, made, int(plain.getsockname()[1])), made.fingerprint

    def stop(self) -> None:
        """Note that the server is to end, from any thread and any number of times."""
        self._note.note()

    def _loop(self, server: Any, sockets: dict[int, Any]) -> None:
        """Serve until a stop is noted, and a moment longer for the last words of streams.

        The bell wakes the loop; nothing of it runs inside a signal's handler.
        """
        bell = _Bell(self._note, map=sockets)
        poll = server.adj.asyncore_use_poll
        while not self._note.noted:
            wasyncore.loop(timeout=LOOK_S, use_poll=poll, map=sockets, count=1)
        bell.del_channel(sockets)
        log.info("the table stops")
        self._stopping.set()
        self._end_streams()
        until = time.monotonic() + STREAMS_END_S
        while time.monotonic() < until:
            wasyncore.loop(timeout=0.05, use_poll=poll, map=sockets, count=1)
        server.task_dispatcher.shutdown(timeout=WORKERS_END_S)
        server.close()
        # the loop is over: nobody else would close what is still open
        for channel in list(server.active_channels.values()):
            channel.handle_close()

    def _live(self, house: TableRuntime, starts: Starts) -> None:
        """Signs of life for systemd, as long as the table can be asked; and the note of a good start."""
        period = min(watchdog_period() or 5.0, 5.0)
        began = time.monotonic()
        noted = False
        while not self._stopping.wait(period):
            table = house.table
            # a table whose guard is never free again is dead: no sign of life then
            if table is None or table.guard.acquire(timeout=period):
                if table is not None:
                    table.guard.release()
                notify("WATCHDOG=1")
            if not noted and time.monotonic() - began > GOOD_AFTER_S:
                starts.good()
                noted = True

    def _greet(self, app: Any, port: int, address: str, safe: bool, fingerprint: str) -> None:
        here = f"{self._scheme}://localhost:{port}"
        click.echo(f"Table Referee: {here}")
        if address:
            click.echo(Text("commands.for_tablets", address=address).in_words(self.language))
            _print_qr(address)
        if fingerprint:
            click.echo(Text("commands.fingerprint").in_words(self.language))
            click.echo(f"  SHA-256 {fingerprint}")
        if safe:
            click.echo(Text("commands.safe_start").in_words(self.language))
        seats = app.extensions["table"].seats
        if self._new_arbiter_key or not seats.arbiter_key:
            word = Text("commands.arbiter_key").in_words(self.language)
            click.echo(f"{word}: {seats.new_arbiter_key()}   ({here}/arbiter)")
        click.echo(Text("commands.how_to_stop").in_words(self.language))
        sys.stdout.flush()


def _app(house: TableRuntime, config: Config) -> Any:
    # by name, as the web room's protocols are not part of this room's types
    return import_module("web.app").create_app(house, open_seats=config.web.open_seats)


def _safe(config: Config) -> Config:
    return replace(config, camera=replace(config.camera, source="none"), lights={"driver": "none"})


def _data_folder(config: Config) -> Path:
    folder = config.data_folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            Text("commands.folder_not_made", folder=folder, why=error.strerror),
        ) from error
    return folder


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise _no_address(host, error) from error
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(256)
    except OSError as error:
        sock.close()
        raise _not_free(host, port, error) from error
    return sock


def _no_address(host: str, error: OSError) -> PortInUse:
    return PortInUse(
        Text("commands.no_such_address", host=host, why=error.strerror),
    )


def _not_free(host: str, port: int, error: OSError) -> PortInUse:
    from referee.serving.holder import holder_of

    if error.errno == errno.EADDRNOTAVAIL:
        return _no_address(host, error)
    who = holder_of(port)
    if isinstance(error, PermissionError):
        return PortInUse(
            Text("commands.port_needs_rights", port=port),
        )
    return PortInUse(
        Text(
            "commands.port_in_use_by" if who else "commands.port_in_use",
            port=port,
            host=host,
            who=who,
            other=min(port + 1, 65535),
        )
    )


def _address_for_tablets(host: str, port: int) -> str:
    """The address of this machine in its network; "" where only this machine is served or there is none."""
    if host not in ("0.0.0.0", "::", ""):
        return "" if host.startswith("127.") or host == "localhost" else f"http://{host}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # nothing is sent: connecting a datagram socket only asks which interface would be used
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return f"http://{probe.getsockname()[0]}:{port}"


def _print_qr(address: str) -> None:
    import segno

    if sys.stdout.isatty() or os.environ.get("REFEREE_QR"):
        segno.make(address, error="m").terminal(compact=True)

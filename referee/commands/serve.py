"""``referee serve``: put the house together and open its doors.

store -> table -> camera and reader -> lights -> web app.  Everything a person
can get wrong here ends in a sentence with a way out and exit code 2.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from referee import __version__
from referee.commands.common import config_option, language
from referee.config.settings import CameraSection, Config, load
from referee.journal.errors import StoreError
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text, load_rooms
from referee.serving.certificate import Certificate, certificate, names_of_this_machine
from referee.serving.holder import holder_of
from referee.serving.logs import set_up_logs
from referee.serving.memory import few_pools, keep_for_good
from referee.serving.networks import EVERYWHERE, tablet_addresses
from referee.serving.runtime import TableRuntime
from referee.serving.starts import GOOD_AFTER_S, Starts
from referee.serving.stopping import StopNote
from referee.serving.systemd import notify, watchdog_period
from referee.store.store import Store
from web.server import ScreenServer

log = logging.getLogger(__name__)


BLOCKS = "\u2580\u2584\u2588"
"""What QR codes are drawn with in a terminal."""
LOOK_S = 1.0
"""How often somebody looks whether the web server is still there."""


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


class ServerEnded(RefereeError):
    """The web server ended by itself; the log says why."""

    code = "server_ended"


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
        self._told: set[str] = set()
        self._fingerprint = ""
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
        made = self._certificate(port)
        house.find_addresses = lambda: tablet_addresses(self.config.web, port)
        bell = self._note.listen()
        server = ScreenServer(app, sock, made=made).start()
        try:
            log.info("table-referee %s serves port %s%s", __version__, port, ", safely" if safe else "")
            self._greet(app, port, safe, house.addresses, made)
            notify("READY=1")
            living = (house, starts, server, port)
            threading.Thread(target=self._live, args=living, name="watchdog", daemon=True).start()
            # the bell wakes this thread; nothing of the end runs inside a signal's handler
            while not self._note.noted and server.alive:
                select.select([bell], [], [], LOOK_S)
            log.info("the table stops")
        finally:
            self._stopping.set()
            self._end_streams()
            server.close()
        if not self._note.noted:
            raise ServerEnded(Text("commands.web_server_ended"))

    @property
    def _scheme(self) -> str:
        return "https" if self.config.web.https else "http"

    def _certificate(self, port: int) -> Certificate | None:
        """What HTTPS is served by; None without HTTPS."""
        if not self.config.web.https:
            return None
        outside = [urlsplit(one).hostname or "" for one in tablet_addresses(self.config.web, port)]
        try:
            return certificate(self.config.data_folder / "https", names_of_this_machine(outside))
        except OSError as error:
            raise StoreError(
                Text(
                    "commands.folder_not_made", folder=self.config.data_folder / "https", why=error.strerror
                ),
            ) from error

    def stop(self) -> None:
        """Note that the server is to end, from any thread and any number of times."""
        self._note.note()

    def _live(self, house: TableRuntime, starts: Starts, server: ScreenServer, port: int) -> None:
        """Signs of life for systemd, as long as the table can be asked; the note of a good start; and news of
        networks that come up later.  A game that has begun is kept out of searches for garbage."""
        period = min(watchdog_period() or 5.0, 5.0)
        began = time.monotonic()
        noted, kept = False, house.table
        keep_for_good()
        while not self._stopping.wait(period):
            table = house.table
            if table is not kept:
                keep_for_good()
                kept = table
            # a table whose guard is never free again is dead: no sign of life then
            if table is None or table.guard.acquire(timeout=period):
                if table is not None:
                    table.guard.release()
                notify("WATCHDOG=1")
            if not noted and time.monotonic() - began > GOOD_AFTER_S:
                starts.good()
                noted = True
            self._look_at_networks(house, server, port)

    def _look_at_networks(self, house: TableRuntime, server: ScreenServer, port: int) -> None:
        addresses = house.addresses
        if set(addresses) <= self._told:
            return
        try:
            made = self._certificate(port)
        except StoreError as error:  # a full disk: the old certificate goes on
            log.warning("%s", error)
            made = None
        if made is not None:
            server.renew(made)
        self._tell_addresses(addresses, made)

    def _tell_addresses(self, addresses: Sequence[str], made: Certificate | None) -> None:
        """Print the addresses for tablets that were not told yet, with their QR codes."""
        for address in addresses:
            if address not in self._told:
                self._told.add(address)
                log.info("tablets reach this table at %s", address)
                self._say(Text("commands.for_tablets", address=address), code=address)
        if not self._told and self.config.web.host in EVERYWHERE:
            self._say(Text("commands.no_network_yet"))
        if made is not None and made.fingerprint != self._fingerprint:
            self._fingerprint = made.fingerprint
            self._say(Text("commands.fingerprint"), more=f"  SHA-256 {made.fingerprint}")

    def _say(self, text: Text, *, more: str = "", code: str = "") -> None:
        """Print a sentence, a line below it and a QR code; a terminal that was closed ends no table."""
        try:
            click.echo(text.in_words(self.language))
            if more:
                click.echo(more)
            if code:
                _print_qr(code)
            sys.stdout.flush()
        except OSError as error:
            log.info("nobody reads the terminal any more: %s", error)

    def _greet(
        self, app: Any, port: int, safe: bool, addresses: Sequence[str], made: Certificate | None
    ) -> None:
        here = f"{self._scheme}://localhost:{port}"
        click.echo(f"Table Referee: {here}")
        self._tell_addresses(addresses, made)
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
    create_app = import_module("web.app").create_app
    return create_app(house, open_seats=config.web.open_seats, proxy=config.web.proxy)


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


def _print_qr(address: str) -> None:
    import segno

    if not (sys.stdout.isatty() or os.environ.get("REFEREE_QR")):
        return
    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        log.info("this terminal has no blocks for a QR code")
    else:
        segno.make(address, error="m").terminal(compact=True)

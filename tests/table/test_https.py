"""HTTPS by a certificate made on the table: real sockets, a real TLS client."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509

from referee.serving.certificate import DAYS, RENEW_DAYS, Certificate, certificate, names_of_this_machine
from web.server import ScreenServer

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['wsgi.url_scheme']} {environ['REMOTE_ADDR']} {len(body)}".encode()]


@pytest.fixture
def made(tmp_path: Path) -> Certificate:
    return certificate(tmp_path, ["localhost", "127.0.0.1"])


@pytest.fixture
def port_server(made: Certificate) -> Iterator[ScreenServer]:
    """A server that speaks HTTPS."""
    server = ScreenServer(application, made=made).start()
    yield server
    server.close()
    server.close()


@pytest.fixture
def port(port_server: ScreenServer) -> int:
    """Where it listens."""
    return port_server.port


def trusting(made: Certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(made.path))


def test_a_browser_that_trusts_the_table_is_served(port: int, made: Certificate) -> None:
    connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=trusting(made))
    for size in (0, 300_000):  # the second on the same connection, and longer than a TLS record
        connection.request("POST", "/", b"x" * size)
        answer = connection.getresponse().read().decode()
        assert answer == f"https 127.0.0.1 {size}"
    connection.close()


def test_a_browser_that_does_not_is_not(port: int) -> None:
    connection = http.client.HTTPSConnection("localhost", port, timeout=20)
    with pytest.raises(ssl.SSLCertVerificationError):
        connection.request("GET", "/")
    connection.close()


def test_plain_http_is_shown_the_way(port: int) -> None:
    connection = http.client.HTTPConnection("localhost", port, timeout=20)
    connection.request("GET", "/seat/free")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (307, f"https://localhost:{port}/seat/free")
    connection.close()


@pytest.mark.parametrize("junk", [b"\x16\x03\x01\x00\x05hello", b"\x00" * 50, b"GET / HTTP/1.1\r\n\r\n"])
def test_junk_ends_its_own_connection_only(port: int, made: Certificate, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
        sock.sendall(junk)
        sock.shutdown(socket.SHUT_WR)
        while sock.recv(4096):
            pass
    connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=trusting(made))
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()


def test_who_leaves_without_goodbye_takes_no_later_caller_along(port: int, made: Certificate) -> None:
    """Browsers end connections without an end to TLS; those that come next are served all the same."""
    context = trusting(made)
    # opened first: as in another process, what the server closes is free for the next that it accepts
    callers = [socket.socket() for _ in range(12)]
    served = []
    for number, plain in enumerate(callers):
        plain.settimeout(20)
        plain.connect(("127.0.0.1", port))
        caller = context.wrap_socket(plain, server_hostname="localhost")
        caller.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert caller.recv(4096).startswith(b"HTTP/1.1 200"), number
        while caller.recv(4096):
            pass
        served.append(caller)
    for caller in served:
        caller.close()


def test_the_certificate_is_kept_and_renewed(tmp_path: Path) -> None:
    first = certificate(tmp_path, ["localhost"], NOW)
    assert certificate(tmp_path, ["localhost"], NOW + timedelta(days=300)) == first
    moved = certificate(tmp_path, ["localhost", "192.168.7.2"], NOW)
    assert moved.fingerprint != first.fingerprint
    late = certificate(tmp_path, ["localhost"], NOW + timedelta(days=DAYS - RENEW_DAYS + 1))
    assert late.fingerprint != moved.fingerprint
    assert os.stat(first.key_path).st_mode & 0o777 == 0o600
    key = first.key_path.read_bytes()
    first.path.write_text("spoiled")
    assert certificate(tmp_path, ["localhost"], NOW).fingerprint
    assert first.key_path.read_bytes() == key


CLOCKS = ("1970-01-01", "2018-11-13", "2023-10-10", "2024-07-04", "2024-11-19", "2026-11-28", "2026-03-01")


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_certificate_made_while_the_clock_was_behind_was_refused_by_tablets(
    clock: str, tmp_path: Path
) -> None:
    today = datetime(2026, 11, 28, tzinfo=UTC)
    made = certificate(tmp_path, ["localhost"], datetime.fromisoformat(clock).replace(tzinfo=UTC))
    seen = x509.load_pem_x509_certificate(made.path.read_bytes())
    assert seen.not_valid_before_utc <= today <= seen.not_valid_after_utc - timedelta(days=RENEW_DAYS)
    assert seen.not_valid_after_utc - seen.not_valid_before_utc < timedelta(days=825)
    # the clock is right again, and goes back once more: nobody is asked to trust the table anew
    assert certificate(tmp_path, ["localhost"], today).fingerprint == made.fingerprint
    assert (
        certificate(tmp_path, ["localhost"], datetime(1970, 1, 1, tzinfo=UTC)).fingerprint == made.fingerprint
    )


@pytest.mark.parametrize("clock", ["2036-02-07", "2099-01-01"])
def test_a_certificate_made_while_the_clock_was_ahead_is_made_anew(clock: str, tmp_path: Path) -> None:
    today = datetime(2026, 11, 28, tzinfo=UTC)
    ahead = certificate(tmp_path, ["localhost"], datetime.fromisoformat(clock).replace(tzinfo=UTC))
    made = certificate(tmp_path, ["localhost"], today)
    assert made.fingerprint != ahead.fingerprint
    seen = x509.load_pem_x509_certificate(made.path.read_bytes())
    assert seen.not_valid_before_utc <= today <= seen.not_valid_after_utc


def test_this_machine_has_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"localhost", "127.0.0.1", "10.0.0.7"} <= set(names_of_this_machine(["10.0.0.7"]))
    monkeypatch.setattr(socket, "gethostname", lambda: "stüberl")
    found = names_of_this_machine(["", "a" * 70 + ".local"])
    assert "xn--stberl-4ya.local" in found and not any("aaa" in name for name in found)


def test_a_table_carried_between_two_networks_is_trusted_once(tmp_path: Path) -> None:
    """At home, at the club, at home: the certificate that learned both addresses is kept."""
    home, club = ["localhost", "192.168.1.7"], ["localhost", "10.42.0.1"]
    certificate(tmp_path, home, NOW)
    both = certificate(tmp_path, club, NOW).fingerprint
    assert (
        certificate(tmp_path, home, NOW).fingerprint == certificate(tmp_path, club, NOW).fingerprint == both
    )


def test_a_certificate_made_while_people_come_lets_the_next_in(
    port_server: ScreenServer, tmp_path: Path
) -> None:
    newer = certificate(tmp_path / "newer", ["localhost", "10.42.0.1"])
    port_server.renew(newer)
    connection = http.client.HTTPSConnection(
        "localhost", port_server.port, timeout=20, context=trusting(newer)
    )
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()

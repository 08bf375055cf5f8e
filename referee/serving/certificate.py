"""A certificate made on the table, for HTTPS without any authority: browsers ask once whether to trust it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.kernel.files import write_whole

DAYS = 820
"""Apple's systems refuse certificates that are good for more than 825 days."""
RENEW_DAYS = 30
MOST_NAMES = 40
NEVER_BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
"""No certificate begins before this: a clock that stands earlier is wrong."""
STEP = timedelta(days=365)
"""Certificates begin at whole steps after :data:`NEVER_BEFORE`, so that one made by a clock that was somewhat
wrong is the one that the right clock would have made, and is good for tablets whose clocks are right."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files of certificate and key (PEM), and the SHA-256 fingerprint that people compare."""

    path: Path
    key_path: Path
    fingerprint: str


def names_of_this_machine(outside: Iterable[str] = ()) -> list[str]:
    """Names and addresses by which tablets may call this table, those in ``outside`` too."""
    host = socket.gethostname().split(".")[0]
    return _written(["localhost", host, f"{host}.local", "127.0.0.1", "::1", *outside])


def certificate(folder: Path, names: Iterable[str], now: datetime | None = None) -> Certificate:
    """The table's certificate in ``folder``; made, or made anew where it is too old or lacks a name.

    One that lacks a name keeps those that it had, or a table that is carried between two networks would
    have to be trusted anew each time.  The key is made once and kept (mode 0600), so a renewed certificate is
    still this table's.
    Raises ``OSError`` where the folder cannot be written.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path, key_path = folder / "certificate.pem", folder / "key.pem"
    key = _key(key_path)
    wanted = _written(names)
    found = _load(path)
    if found is None or not _still_good(found, key, wanted, now):
        had = _names(found) if found is not None else []
        found = _make(key, list(dict.fromkeys([*wanted, *had]))[:MOST_NAMES], now)
        write_whole(path, found.public_bytes(serialization.Encoding.PEM), 0o644)
    print_ = found.fingerprint(hashes.SHA256()).hex().upper()
    return Certificate(path, key_path, ":".join(print_[i : i + 2] for i in range(0, len(print_), 2)))


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey):
            return key
    except (FileNotFoundError, ValueError):
        pass  # none yet, or spoiled: a new one costs everybody one more question of their browser
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(path, pem, 0o600)
    return key


def _load(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _still_good(
    found: x509.Certificate, key: ec.EllipticCurvePrivateKey, names: list[str], now: datetime
) -> bool:
    spki = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    if found.public_key().public_bytes(*spki) != key.public_key().public_bytes(*spki):
        return False
    known = set(_names(found))
    # begun after today: made by a clock that was far ahead; a clock that cannot be right says nothing of it
    ahead = NEVER_BEFORE <= now < found.not_valid_before_utc
    return set(names) <= known and not ahead and found.not_valid_after_utc > now + timedelta(days=RENEW_DAYS)


def _names(found: x509.Certificate) -> list[str]:
    try:
        alternative = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in alternative]


def _make(key: ec.EllipticCurvePrivateKey, names: list[str], now: datetime) -> x509.Certificate:
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Table Referee")])
    general = [one for name in names if (one := _general(name)) is not None]
    begin = NEVER_BEFORE + max(0, (now - NEVER_BEFORE) // STEP) * STEP
    return (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(general), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _written(names: Iterable[str]) -> list[str]:
    """Names as certificates write them, without those that none can hold."""
    general = (_general(name) for name in names if name)
    return list(dict.fromkeys(str(one.value) for one in general if one is not None))


def _general(name: str) -> x509.GeneralName | None:
    """An address or a name as certificates write it; None for a name that none can hold."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:
        return x509.DNSName(name.encode("idna").decode())
    except ValueError:  # UnicodeError is one
        return None

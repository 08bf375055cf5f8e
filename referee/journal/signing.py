"""The table's key: Ed25519, made once, kept private beside the store; it signs exported games and slips."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from referee.journal.errors import StoreError, StoreUnwritable
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text


@dataclass(frozen=True)
class TableKey:
    """A private key and what others know it by: its public half in hex."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> str:
        """The public key, 64 hex digits."""
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message: bytes) -> str:
        """An Ed25519 signature in hex."""
        return self.private.sign(message).hex()


def key_path(store: Path) -> Path:
    """Where the key of a store lies."""
    return store.with_name("table_key.pem")


def load_or_make(path: Path) -> TableKey:
    """The key in ``path``; a new one, readable by its owner only, where there is none.

    Raises ``StoreError`` for a spoiled file, ``StoreUnwritable`` where none can be made.
    """
    try:
        return _load(path)
    except FileNotFoundError:
        return _make(path)
    except OSError as error:
        raise StoreError(
            Text("journal.key_unreadable", path=path, why=error.strerror),
        ) from error


def _load(path: Path) -> TableKey:
    try:
        private = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise _spoiled(path) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _spoiled(path)
    return TableKey(private)


def _spoiled(path: Path) -> StoreError:
    return StoreError(
        Text("journal.key_spoiled", path=path),
    )


def _make(path: Path) -> TableKey:
    key = TableKey(Ed25519PrivateKey.generate())
    text = key.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        write_whole(fresh, text, 0o600)
        _put(fresh, path)
    except FileExistsError:
        return _load(path)
    except (OSError, FileUnwritable) as error:
        why = error.why if isinstance(error, FileUnwritable) else error.strerror
        raise StoreUnwritable(
            Text("journal.key_unwritable", path=path, why=why),
        ) from error
    return key


def _put(fresh: Path, path: Path) -> None:
    """Give a whole file its name.  Raises ``FileExistsError`` where another process was quicker."""
    try:
        os.link(fresh, path)
    except OSError as error:
        if path.exists():
            raise FileExistsError(path) from error
        fresh.replace(path)  # a stick whose files have one name only
    finally:
        fresh.unlink(missing_ok=True)


def is_signed(public: str, signature: str, message: bytes) -> bool:
    """Whether ``signature`` of ``message`` is by the key ``public`` (both hex)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (ValueError, InvalidSignature):
        return False
    return True


def fingerprint(public: str) -> str:
    """A short name of a public key, for people to compare: four groups of four."""
    digest = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]
    return "-".join(digest[i : i + 4] for i in range(0, 16, 4))

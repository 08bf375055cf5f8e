"""Arbiters by name: who may come through the arbiter's door with a device of their own.

``arbiters.json`` beside the seats is written by the command ``referee arbiter`` and by the running table,
each under a lock; only hashes of links are in it.  A link is traded once; who is revoked is out at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from referee.journal.errors import NotPossible, StoreError
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text

log = logging.getLogger(__name__)

NAME_LENGTH = 40
MOST = 50


@dataclass(frozen=True, slots=True)
class Arbiter:
    """One arbiter.  ``id`` is random: who is added again is another.  ``link``: SHA-256 of a token that was
    not traded yet, "" afterwards.  A ``head`` arbiter decides what others' decisions are appealed to."""

    id: str
    name: str
    head: bool
    link: str


class ArbiterBook:
    """The named arbiters of one table.  Raises ``StoreError`` where the file cannot be read or written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "arbiters.json"
        self._seen: tuple[int, int, int] | None = None
        self._known: dict[str, Arbiter] = {}

    def known(self) -> list[Arbiter]:
        """All arbiters, as the file has them now."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self._seen, self._known = None, {}
            return []
        except OSError as error:
            raise self._unreadable(error) from error
        seen = (found.st_ino, found.st_mtime_ns, found.st_size)
        if seen != self._seen:
            self._known = {one.id: one for one in self._read()}
            self._seen = seen
        return list(self._known.values())

    def find(self, arbiter_id: str) -> Arbiter | None:
        """The arbiter of this id; None for one who was revoked, or where the file cannot be read."""
        try:
            self.known()
        except StoreError as error:
            log.warning("%s", error)  # a door that cannot be checked stays shut
            return None
        return self._known.get(arbiter_id)

    def add(self, name: str, head: bool) -> str:
        """A new arbiter; gives the token of the link, which is nowhere else.  Raises ``NotPossible``."""
        name = " ".join("".join(c for c in name if c.isprintable()).split())
        token = secrets.token_urlsafe(32)
        with self._writing() as arbiters:
            if not name or len(name) > NAME_LENGTH:
                raise NotPossible(Text("serving.arbiter_name", most=NAME_LENGTH))
            if any(one.name.casefold() == name.casefold() for one in arbiters):
                raise NotPossible(Text("serving.arbiter_known", name=name))
            if len(arbiters) >= MOST:
                raise NotPossible(Text("serving.arbiters_many", most=MOST))
            arbiters.append(Arbiter(secrets.token_hex(8), name, head, _hashed(token)))
        return token

    def revoke(self, name: str) -> None:
        """Shut out link and devices of ``name``.  Raises ``NotPossible`` where there is no such one."""
        with self._writing() as arbiters:
            left = [one for one in arbiters if one.name.casefold() != name.strip().casefold()]
            if len(left) == len(arbiters):
                known = ", ".join(one.name for one in arbiters) or "–"
                raise NotPossible(Text("serving.arbiter_unknown", name=name, known=known))
            arbiters[:] = left

    def trade(self, token: str) -> Arbiter | None:
        """Who a link lets in, once; None where it is not good (any more)."""
        if not token or not any(one.link == _hashed(token) for one in self.known()):
            return None
        with self._writing() as arbiters:
            for place, one in enumerate(arbiters):
                if one.link and secrets.compare_digest(one.link, _hashed(token)):
                    arbiters[place] = Arbiter(one.id, one.name, one.head, "")
                    return arbiters[place]
        return None

    @contextmanager
    def _writing(self) -> Iterator[list[Arbiter]]:
        """The list to change; written when the block ends without an error."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self.path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(Text("serving.arbiters_unwritable", why=error.strerror)) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            arbiters = self._read()
            yield arbiters
            write_whole(self.path, json.dumps([asdict(one) for one in arbiters], ensure_ascii=False), 0o600)
        except FileUnwritable as error:
            raise StoreError(Text("serving.arbiters_unwritable", why=error.why)) from error
        finally:
            os.close(lock)

    def _read(self) -> list[Arbiter]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if not isinstance(data, list):
                raise TypeError("no list")
            return [_arbiter(one) for one in data]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> StoreError:
        return StoreError(Text("serving.arbiters_unreadable", path=self.path, why=str(error)))


def _arbiter(data: dict[str, object]) -> Arbiter:
    """One arbiter of the file.  Raises ``KeyError``, ``TypeError``."""
    return Arbiter(str(data["id"]), str(data["name"]), data["head"] is True, str(data["link"]))


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

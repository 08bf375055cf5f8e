"""The mirror: every header, event and secret once more, as lines in one plain file a game.

SQLite's pages carry no checksums and a bad block can take a whole file, so
each event is also appended here (and synchronised) before it is acknowledged.
Either file alone gives the whole game back.  A line is
``<CRC-32 in hex> <canonical JSON>``; a torn last line is cut off when found.
"""

from __future__ import annotations

import json
import logging
import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.journal.events import Event, from_json
from referee.kernel.files import sync_folder
from referee.kernel.play import canonical_json

log = logging.getLogger(__name__)

# an event's own hash: keys are sorted, and only the event itself has these two side by side
_HASH = re.compile(rb'"hash":"([0-9a-f]{64})","kind":"')


@dataclass
class Mirrored:
    """What one mirror file holds.  ``sound`` counts the bytes of its undamaged lines from the start;
    ``damaged`` the lines that could not be read."""

    header: dict[str, Any] | None = None
    events: dict[int, Event] = field(default_factory=dict)
    openings: dict[int, Any] = field(default_factory=dict)
    sound: int = 0
    damaged: int = 0


class Mirror:
    """The folder of mirror files of one store.  Not thread-safe: the store guards it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, int] = {}
        self.behind: dict[str, list[bytes]] = {}
        """Lines that could not be written, by game; they are tried again with the next event."""

    def path(self, game_id: str) -> Path:
        """The file of one game."""
        return self.folder / f"{game_id}.lines"

    def game_ids(self) -> list[str]:
        """The games that have a mirror."""
        return sorted(path.stem for path in self.folder.glob("*.lines"))

    def start(self, header: Mapping[str, Any]) -> None:
        """Begin the file of a new game."""
        self._write(str(header["id"]), [_line({"header": dict(header)})])

    def append(
        self, game_id: str, events: Sequence[Event], openings: Iterable[Mapping[str, Any]] = ()
    ) -> None:
        """Add events, and the secrets that belong to them, and wait for the disk.

        Does not raise where the disk refuses: the events are in the database
        already; the gap is kept in ``behind`` and closed later.
        """
        lines = [_line({"event": event.as_json()}) for event in events]
        lines += [_line({"seal": dict(opening)}) for opening in openings]
        self._write(game_id, lines)

    def rewrite(
        self, header: Mapping[str, Any], events: Iterable[Event], openings: Mapping[int, Any]
    ) -> None:
        """Replace a game's file by a sound one."""
        game_id = str(header["id"])
        lines = [_line({"header": dict(header)})]
        lines += [_line({"event": event.as_json()}) for event in events]
        lines += [
            _line({"seal": {"game": game_id, "number": number, "opening": canonical_json(opening)}})
            for number, opening in openings.items()
        ]
        self._forget(game_id)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        fresh = self.path(game_id).with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(b"".join(lines))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path(game_id))
        sync_folder(self.folder)

    def agrees(self, header: Mapping[str, Any], events: Sequence[Event], openings: int) -> bool:
        """Whether the file holds this header, exactly these events and so many secrets, all undamaged.

        Looks at checksums and hashes only, so that a sound game resumes quickly.
        """
        try:
            lines = self.path(str(header["id"])).read_bytes().splitlines(keepends=True)
        except OSError:
            return False
        if not lines or lines[0] != _line({"header": dict(header)}):
            return False
        hashes: list[bytes] = []
        seals = 0
        for line in lines[1:]:
            if not _sound(line):
                return False
            found = _HASH.findall(line)
            if found:
                hashes.append(found[-1])
            elif line.startswith(b'{"seal"', 9):
                seals += 1
        return seals == openings and hashes == [event.hash.encode() for event in events]

    def read(self, game_id: str) -> Mirrored:
        """What the file of a game holds; empty where there is none."""
        try:
            raw = self.path(game_id).read_bytes()
        except FileNotFoundError:
            return Mirrored()
        except OSError:
            log.exception("the mirror of game %s cannot be read", game_id)
            return Mirrored(damaged=1)
        return _parse(raw)

    def close(self) -> None:
        """Close all files.  May be called twice."""
        for fd in self._files.values():
            os.close(fd)
        self._files.clear()

    def _forget(self, game_id: str) -> None:
        fd = self._files.pop(game_id, None)
        if fd is not None:
            os.close(fd)
        self.behind.pop(game_id, None)

    def _write(self, game_id: str, lines: list[bytes]) -> None:
        lines = self.behind.pop(game_id, []) + lines
        try:
            fd = self._open(game_id)
            end = os.fstat(fd).st_size
            try:
                _write_all(fd, b"".join(lines))
                os.fsync(fd)
            except OSError:
                os.ftruncate(fd, end)
                raise
        except OSError:
            log.exception("the mirror of game %s could not be written; it is tried again", game_id)
            self.behind[game_id] = lines

    def _open(self, game_id: str) -> int:
        fd = self._files.get(game_id)
        if fd is None:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            new = not self.path(game_id).exists()
            fd = os.open(self.path(game_id), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._files[game_id] = fd
            if new:
                sync_folder(self.folder)
        return fd


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def _line(data: Mapping[str, Any]) -> bytes:
    text = canonical_json(data).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _parse(raw: bytes) -> Mirrored:
    found = Mirrored()
    place = 0
    for line in raw.splitlines(keepends=True):
        data = _read_line(line)
        if data is None:
            found.damaged += 1
        else:
            _sort_in(found, data)
            if not found.damaged:
                found.sound = place + len(line)
        place += len(line)
    return found


def _sound(line: bytes) -> bool:
    """Whether a line is whole and has its checksum."""
    if not line.endswith(b"\n") or len(line) < 12:
        return False
    try:
        return int(line[:8], 16) == zlib.crc32(line[9:-1])
    except ValueError:
        return False


def _read_line(line: bytes) -> dict[str, Any] | None:
    if not _sound(line):
        return None
    try:
        data = json.loads(line[9:-1])
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _sort_in(found: Mirrored, data: dict[str, Any]) -> None:
    if "header" in data:
        found.header = data["header"]
    elif "event" in data:
        event = from_json(data["event"])
        found.events[event.number] = event
    elif "seal" in data:
        seal = data["seal"]
        found.openings[seal["number"]] = json.loads(seal["opening"])

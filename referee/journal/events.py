"""Events: what the record is made of, and the chain of hashes that ties them together.

An event is never changed and never removed.  Its hash is SHA-256 over the
canonical JSON of everything else in it, the hash of the event before it
included; the first event holds the hash of the game's header.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

from referee.journal.kinds import KINDS
from referee.kernel.play import canonical_json

FORMAT = 1
"""Version of the form of headers and events, stated in every header."""

GAME_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
"""What a game's id looks like; it is part of file names."""

MOVES = frozenset(kind for kind, one in KINDS.items() if one.moves)
"""Kinds that always move the position; see :func:`moves`."""

ARBITER = "arbiter"
"""The seat of whoever decides disputes; not one of the game's seats."""

TOGETHER = "*"
"""The seat of what several seats said together: an opened secret."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a game.

    ``number`` counts from 1 without gaps and alone gives the order; ``at`` (UTC,
    ISO 8601) is a remark, as clocks may be wrong; ``boot`` tells one run of the
    computer from another.  ``batch`` is the number of the first event that was
    confirmed together with this one.  ``request`` is the question in short,
    ``answer`` what was said, ``evidence`` where it came from (a dice reading),
    ``digest`` the digest of the state afterwards.
    """

    game: str
    number: int
    at: str
    boot: str
    seat: str
    source: str
    kind: str
    request: Mapping[str, Any] | None
    answer: Any
    evidence: Mapping[str, Any] | None
    batch: int
    digest: str
    previous: str
    hash: str

    def as_json(self) -> dict[str, Any]:
        """The event as the record writes it.  What is in it is shared with the event: not to be changed."""
        return {name: getattr(self, name) for name in _FIELDS}


_FIELDS = tuple(field.name for field in fields(Event))
_SORTED = tuple(sorted(set(_FIELDS) - {"hash"}))
_TEXTS = frozenset({"request", "answer", "evidence"})


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event before it has a number, a time and a hash."""

    seat: str
    source: str
    kind: str
    answer: Any
    digest: str
    request: Mapping[str, Any] | None = None
    evidence: Mapping[str, Any] | None = None


def moves(event: Event | NewEvent) -> bool:
    """Whether ``event`` moves the position: an answer, a decision, or a resignation where the others play on.

    All other kinds leave it as it is, but ``take_back`` returns to an earlier one.
    """
    return event.kind in MOVES or (event.kind == "resignation" and bool(event.answer.get("plays_on")))


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that :meth:`Event.as_json` wrote.  Raises ``ValueError`` naming fields missing or unknown."""
    if set(data) != set(_FIELDS):
        wrong = sorted(set(data) ^ set(_FIELDS))
        raise ValueError(f"an event has other fields than it should: {', '.join(wrong)}")
    return Event(**data)


def seal(
    drafts: Iterable[NewEvent], game: str, number: int, previous: str, at: str, boot: str
) -> list[Event]:
    """``drafts`` as events that follow event ``number`` (0: the header) whose hash is ``previous``."""
    events: list[Event] = []
    batch = number + 1
    for draft in drafts:
        number += 1
        body = {
            "game": game,
            "number": number,
            "at": at,
            "boot": boot,
            "seat": draft.seat,
            "source": draft.source,
            "kind": draft.kind,
            "request": as_read(draft.request),
            "answer": as_read(draft.answer),
            "evidence": as_read(draft.evidence),
            "batch": batch,
            "digest": draft.digest,
            "previous": previous,
        }
        previous = digest_of(body)
        events.append(Event(**body, hash=previous))
    return events


def as_read(data: Any) -> Any:
    """``data`` as it comes back from the disk (tuples become lists), so that memory and disk agree."""
    return None if data is None else json.loads(canonical_json(data))


def event_hash(event: Event) -> str:
    """The hash that ``event`` ought to have."""
    body = event.as_json()
    del body["hash"]
    return digest_of(body)


def hash_of_texts(values: Mapping[str, Any]) -> str:
    """The hash of an event whose request, answer and evidence are still canonical JSON texts.

    Gives what :func:`event_hash` gives, without parsing and writing them again.
    """
    parts = []
    for name in _SORTED:
        value = values[name]
        if name in _TEXTS:
            text = value or "null"
        else:
            text = str(value) if type(value) is int else encode_basestring(value)
        parts.append(f'"{name}":{text}')
    return hashlib.sha256(("{" + ",".join(parts) + "}").encode()).hexdigest()


def digest_of(data: Any) -> str:
    """SHA-256 in hex over the canonical JSON of ``data``."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def first_break(header: Mapping[str, Any], events: Iterable[Event]) -> tuple[int, str] | None:
    """Where the chain breaks: the place in the list (from 1) and why in English, or None where it holds."""
    previous = digest_of(header)
    for place, event in enumerate(events, start=1):
        if event.number != place:
            return place, f"event {event.number} stands where event {place} belongs"
        if event.game != header.get("id"):
            return place, f"event {place} belongs to game {event.game!r}"
        if event.previous != previous:
            what = "the header was changed" if place == 1 else f"event {place - 1} is not the one it followed"
            return place, f"event {place} does not follow from what stands before it: {what}"
        if event_hash(event) != event.hash:
            return place, f"event {place} was changed: its content does not give its hash"
        previous = event.hash
    return None


def utc_now() -> str:
    """Now in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def boot_id() -> str:
    """The id of this run of the computer, or one of this process where the system has none."""
    path = Path("/proc/sys/kernel/random/boot_id")
    try:
        return path.read_text().strip()
    except OSError:
        return secrets.token_hex(16)

"""The file format for exchange: JSON Lines, readable by a person.

    line 1       {"record": "table-referee", "format": 1, "header": {...}}
    then         one event a line, in order
    last line    {"signature": {"algorithm", "key", "events", "head", "result", "value"}}

``head`` is the hash of the last event, ``value`` the Ed25519 signature (hex) over
the canonical JSON of everything else in the signature.  As every event holds the
hash of the one before it and the first holds that of the header, the signature
covers the whole file.  ``record_schema.json`` beside this file describes each line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.journal.events import FORMAT, Event, digest_of, from_json
from referee.journal.signing import TableKey
from referee.kernel.messages import Text
from referee.kernel.play import Outcome, canonical_json

NAME = "table-referee"
SCHEMA = Path(__file__).with_name("record_schema.json")


@dataclass(frozen=True)
class Sheet:
    """A parsed file: header, events with the line each stands on, and the signature (None: unsigned)."""

    header: dict[str, Any]
    events: list[Event]
    signature: dict[str, Any] | None


class FormatError(ValueError):
    """A line is not what the format says; ``line`` counts from 1."""

    def __init__(self, line: int, text: Text) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


def result_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """A result as the signature states it."""
    return None if outcome is None else outcome.as_json()


def write(
    header: Mapping[str, Any], events: list[Event], result: Mapping[str, Any] | None, key: TableKey
) -> str:
    """The text of an export."""
    head = events[-1].hash if events else digest_of(header)
    body = {"algorithm": "Ed25519", "key": key.public, "events": len(events), "head": head, "result": result}
    signature = {**body, "value": key.sign(canonical_json(body).encode())}
    lines = [{"record": NAME, "format": FORMAT, "header": dict(header)}]
    lines += [event.as_json() for event in events]
    lines += [{"signature": signature}]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def read(text: str) -> Sheet:
    """Parse an export.  Raises :class:`FormatError` naming the line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise FormatError(1, Text("archive.file_empty"))
    header = _header(_object(lines[0], 1))
    events: list[Event] = []
    signature: dict[str, Any] | None = None
    for number, line in enumerate(lines[1:], start=2):
        data = _object(line, number)
        if signature is not None:
            raise FormatError(number, Text("archive.lines_after_signature"))
        if set(data) == {"signature"}:
            signature = _signature(data["signature"], number)
        else:
            events.append(_event(data, number))
    return Sheet(header, events, signature)


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise FormatError(number, Text("archive.not_json", why=error)) from error
    if not isinstance(data, dict):
        raise FormatError(number, Text("archive.not_json_object"))
    return data


def _header(data: dict[str, Any]) -> dict[str, Any]:
    if data.get("record") != NAME:
        raise FormatError(1, Text("archive.not_a_record"))
    if data.get("format") != FORMAT:
        raise FormatError(
            1,
            Text("archive.file_format", found=data.get("format"), known=FORMAT),
        )
    header = data.get("header")
    needed = {"id", "game", "rules_version", "options", "players", "tournament", "format"}
    if not isinstance(header, dict) or not needed <= set(header):
        raise FormatError(1, Text("archive.header_not_complete"))
    return header


def _event(data: dict[str, Any], number: int) -> Event:
    try:
        event = from_json(data)
    except ValueError as error:
        raise FormatError(number, Text("archive.not_a_whole_event", why=error)) from error
    texts = (
        event.game,
        event.at,
        event.seat,
        event.source,
        event.kind,
        event.digest,
        event.previous,
        event.hash,
    )
    whole = type(event.number) is int and type(event.batch) is int
    if not whole or not all(isinstance(text, str) for text in texts):
        raise FormatError(number, Text("archive.bad_field"))
    return event


def _signature(data: Any, number: int) -> dict[str, Any]:
    needed = {"algorithm", "key", "events", "head", "result", "value"}
    if not isinstance(data, dict) or set(data) != needed:
        raise FormatError(number, Text("archive.signature_not_complete"))
    return data

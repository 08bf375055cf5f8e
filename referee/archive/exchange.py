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
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from referee.journal.events import FORMAT, GAME_ID, Event, digest_of, from_json
from referee.journal.signing import TableKey
from referee.kernel.messages import Text
from referee.kernel.play import Outcome, canonical_json

NAME = "table-referee"
SCHEMA = Path(__file__).with_name("record_schema.json")


MIB = 2**20
LINE_LIMIT = 4 * MIB
"""Bytes that one line may have: a header with a board of its own takes some ten thousand."""
FILE_LIMIT = 64 * MIB
"""Bytes that a file may have: an evening takes half of one mebibyte."""
DEPTH_LIMIT = 64
"""How deep a line may be nested; what games write stays below ten."""
SHOWN = 200
"""How much of a text from a file is shown in a sentence."""
BOM = b"\xef\xbb\xbf"

OF_THE_TABLE = "table."
"""How the rule of an outcome begins that no game's rules brought about."""

_NONE = type(None)
HEADER: Mapping[str, tuple[type, ...]] = {
    "id": (str,),
    "game": (str,),
    "rules_version": (str,),
    "options": (dict,),
    "players": (dict,),
    "tournament": (bool,),
    "format": (int,),
}
"""Fields that every header has, and their types."""
HEADER_LATER: Mapping[str, tuple[type, ...]] = {
    "edition": (str,),
    "software": (str,),
    "box_book": (str,),
    "table": (str,),
    "house_rules": (list,),
    "created": (str,),
}
EVENT: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("game", "at", "boot", "seat", "source", "kind", "digest", "previous", "hash"), (str,)),
    **dict.fromkeys(("number", "batch"), (int,)),
    **dict.fromkeys(("request", "evidence"), (dict, _NONE)),
}
SIGNATURE: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("algorithm", "key", "head", "value"), (str,)),
    "events": (int,),
    "result": (dict, _NONE),
}


@dataclass
class RecordFile:
    """A parsed file: header, events with the line each stands on, and the signature (None: unsigned).

    ``blank`` are the lines that were empty; with a ``byte_order_mark`` some editor saved the file.
    """

    header: dict[str, Any]
    events: list[Event] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    signature: dict[str, Any] | None = None
    signature_line: int = 0
    blank: list[int] = field(default_factory=list)
    byte_order_mark: bool = False

    @property
    def last_line(self) -> int:
        """The line of the signature, or the one where it is missing."""
        return self.signature_line or (self.lines[-1] if self.lines else 1) + 1


class FormatError(ValueError):
    """A line is not what the format says; ``line`` counts from 1."""

    def __init__(self, line: int, text: Text) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


def result_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """A result as the signature states it: where people ended the game, with the reason that was given."""
    if outcome is None:
        return None
    reason = outcome.params.get("reason") if outcome.rule.startswith(OF_THE_TABLE) else None
    return {**outcome.as_json(), **({"reason": str(reason)} if reason else {})}


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


def read(path: Path) -> RecordFile:
    """Parse an export.

    Raises :class:`FormatError` naming the line, ``OSError`` where the file cannot be read.  Whatever stands
    in the file, no more of it is held than the limits above allow.
    """
    with path.open("rb") as file:
        marked = file.peek(len(BOM)).startswith(BOM)
        if marked:
            file.read(len(BOM))
        sheet = _parsed(file)
    sheet.byte_order_mark = marked
    return sheet


def _parsed(file: BinaryIO) -> RecordFile:
    sheet: RecordFile | None = None
    blank: list[int] = []
    for number, raw in _lines(file):
        if not raw.strip():
            blank.append(number)
            continue
        data = strict_object(raw, number)
        if sheet is None:
            sheet = RecordFile(_header(data, number), blank=blank)
        elif sheet.signature is not None:
            raise FormatError(number, Text("archive.lines_after_signature"))
        elif set(data) == {"signature"}:
            sheet.signature = _signature(data["signature"], number)
            sheet.signature_line = number
        else:
            sheet.events.append(_event(data, number))
            sheet.lines.append(number)
    if sheet is None:
        raise FormatError(1, Text("archive.file_empty"))
    return sheet


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of ``file`` with their numbers; refused before more than the limits is in memory."""
    left = FILE_LIMIT
    for number in count(1):
        raw = file.readline(LINE_LIMIT + 1)
        if not raw:
            return
        left -= len(raw)
        if len(raw) > LINE_LIMIT:
            raise FormatError(number, Text("archive.line_too_long", limit=LINE_LIMIT // MIB))
        if left < 0:
            raise FormatError(number, Text("archive.file_too_long", limit=FILE_LIMIT // MIB))
        yield number, raw


def strict_object(raw: bytes, number: int) -> dict[str, Any]:
    """The JSON object that stands in line ``number``.

    Stricter than ``json.loads``, whose leniency lets two readers see two things in one line: a key may
    stand only once, numbers are finite, texts can be written as UTF-8, and nothing is nested deeper than
    :data:`DEPTH_LIMIT`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(number, Text("archive.not_utf_text", why=error)) from error
    too_deep = FormatError(number, Text("archive.too_deep", limit=DEPTH_LIMIT))
    try:
        data = json.loads(text, object_pairs_hook=_object_of, parse_constant=_finite, parse_float=_finite)
    except RecursionError as error:
        raise too_deep from error
    except _Twice as error:
        raise FormatError(number, Text("archive.key_twice", key=shown(error.key))) from error
    except ValueError as error:
        raise FormatError(number, Text("archive.not_json", why=error)) from error
    if not isinstance(data, dict):
        raise FormatError(number, Text("archive.not_json_object"))
    if text.count("{") + text.count("[") > DEPTH_LIMIT and _depth(data) > DEPTH_LIMIT:
        raise too_deep
    if "\\u" in text and not _encodable(data):
        raise FormatError(number, Text("archive.lone_surrogate"))
    return data


class _Twice(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Twice(key)
            seen.add(key)
    return data


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number of JSON")
    return number


def _depth(data: Any) -> int:
    """How deep ``data`` is nested, found level by level and not by recursion."""
    level, depth = [data], 0
    while level:
        depth += 1
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
    return depth


def _encodable(data: Any) -> bool:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(text: str) -> str:
    """A text from a file as it may be shown within a sentence: bounded, no control characters."""
    return _shown(text, SHOWN)


def shown_at_length(text: str) -> str:
    """A sentence about a file as it may be shown: bounded, nothing in it that a terminal would obey."""
    return _shown(text, 10 * SHOWN)


def _shown(text: str, most: int) -> str:
    text = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _header(data: dict[str, Any], number: int) -> dict[str, Any]:
    if data.get("record") != NAME:
        raise FormatError(number, Text("archive.not_a_record"))
    if data.get("format") != FORMAT:
        found = shown(str(data.get("format")))
        raise FormatError(number, Text("archive.file_format", found=found, known=FORMAT))
    unknown = sorted(set(data) - {"record", "format", "header"})
    if unknown:
        raise FormatError(number, Text("archive.unknown_key", key=shown(unknown[0])))
    header = data.get("header")
    if not isinstance(header, dict) or not set(HEADER) <= set(header):
        raise FormatError(number, Text("archive.header_not_complete"))
    known = {**HEADER, **HEADER_LATER}
    for name in header:
        if name not in known:
            raise FormatError(number, Text("archive.unknown_field", key=shown(f"header.{name}")))
    wrong = [name for name, types in known.items() if not _is_a(header, name, types)]
    if header["format"] != FORMAT or not GAME_ID.fullmatch(str(header["id"])):
        wrong += ["format" if header["format"] != FORMAT else "id"]
    wrong += _wrong_names(header) if not wrong else []
    if wrong:
        raise FormatError(number, Text("archive.bad_header_field", field=wrong[0]))
    return header


def _is_a(data: Mapping[str, Any], name: str, types: tuple[type, ...]) -> bool:
    """Whether a field has one of ``types``, or is not there; JSON's true and false are no numbers."""
    return name not in data or type(data[name]) in types


def _wrong_names(header: Mapping[str, Any]) -> list[str]:
    named = all(name is None or isinstance(name, str) for name in header["players"].values())
    ruled = all(isinstance(rule, str) for rule in header.get("house_rules", ()))
    return [*([] if named else ["players"]), *([] if ruled else ["house_rules"])]


def _event(data: dict[str, Any], number: int) -> Event:
    try:
        event = from_json(data)
    except ValueError as error:
        raise FormatError(number, Text("archive.not_a_whole_event", why=shown(str(error)))) from error
    wrong = [name for name, types in EVENT.items() if not _is_a(data, name, types)]
    if wrong:
        raise FormatError(number, Text("archive.bad_field", field=wrong[0]))
    return event


def _signature(data: Any, number: int) -> dict[str, Any]:
    needed = {"algorithm", "key", "events", "head", "result", "value"}
    if not isinstance(data, dict) or set(data) != needed:
        raise FormatError(number, Text("archive.signature_not_complete"))
    wrong = [name for name, types in SIGNATURE.items() if not _is_a(data, name, types)]
    if wrong:
        raise FormatError(number, Text("archive.bad_signature_field", field=wrong[0]))
    return data

"""The form of what an event says: every key, at each level, is one that some version of this program writes.

What nothing writes is covered by the chain all the same, and nobody who plays the game again would miss it:
it is refused, so that a record holds nothing that no rule has looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.archive.exchange import shown
from referee.journal.events import ARBITER, Event
from referee.journal.kinds import ACTING, Kind, Types, unknown, wrong_type
from referee.kernel.messages import Text

FARTHEST = 1e6
"""Pixels and millimetres that no camera tells of."""
CAMERA = ("reads", "away")

NUMBER: Types = (int, float)
_NONE = type(None)
REQUEST: Mapping[str, Types] = {
    **dict.fromkeys(("kind", "prompt", "seat", "domain", "rule"), (str,)),
    "about": (dict,),
    "reveals": (bool,),
}
"""The question in short; earlier records lack its domain."""
READING: Mapping[str, Types] = {
    "status": (str,),
    "dice": (list,),
    "reasons": (list,),
    "width": (int,),
    "height": (int,),
    "elapsed_ms": NUMBER,
    "handheld": (bool,),
}
DIE: Mapping[str, Types] = {
    **dict.fromkeys(("type", "colour", "pose"), (str,)),
    "face": (str, _NONE),
    "quad": (list,),
    "confidence": NUMBER,
    "alternatives": (list,),
    "centre_mm": (list, _NONE),
}
REASON: Mapping[str, Types] = {
    **dict.fromkeys(("code", "sentence_en", "sentence_de"), (str,)),
    "quad": (list, _NONE),
}
OPENED: Mapping[str, Types] = {"event": (int,), "nonce": (str,)}
FORK: Mapping[str, Types] = {"after": (int,), "other": (str,)}


class _Wrong(Exception):
    """A field is of a wrong form, or (``extra``) none that is written."""

    def __init__(self, path: str, extra: bool = False) -> None:
        super().__init__(path)
        name = "archive.unknown_field" if extra else "archive.malformed_answer"
        key = {"key" if extra else "why": shown(path)}
        self.text = Text(name, **key)


def wrong_form(kind: Kind, event: Event) -> Text | None:
    """What is wrong with the form of ``event``, of kind ``kind``; None where nothing is."""
    try:
        _check(kind, event)
    except _Wrong as wrong:
        return wrong.text
    return None


def wrong_reading(reading: Any) -> Text | None:
    """What no reader writes in a recorded reading; None where there is nothing of that kind."""
    try:
        _reading("reading", reading)
    except _Wrong as wrong:
        return wrong.text
    return None


def _check(kind: Kind, event: Event) -> None:
    wrong = kind.wrong_field(event.answer)
    if wrong is not None:
        raise _Wrong(wrong or "answer")
    extra = kind.unknown_field(event.answer)
    if extra is not None:
        raise _Wrong(f"answer.{extra}", extra=True)
    if event.kind == "stopped" and "fork" in event.answer:
        _fields("answer.fork", event.answer["fork"], FORK)
    if event.request is not None:
        if not kind.asked:
            raise _Wrong("request", extra=True)
        _fields("request", event.request, REQUEST, set(REQUEST) - {"domain"})
    if event.evidence is not None:
        _evidence(kind, event, event.evidence)


def _evidence(kind: Kind, event: Event, said: Mapping[str, Any]) -> None:
    _fields("evidence", said, {**kind.evidence, **(ACTING if event.seat == ARBITER else {})})
    if said.get("camera", CAMERA[0]) not in CAMERA:
        raise _Wrong("camera")
    if "reading" in said:
        _reading("evidence.reading", said["reading"])
    for seat, opening in said.get("opened", {}).items():
        _fields(f"evidence.opened.{seat}", opening, OPENED)


def _fields(path: str, data: Any, known: Mapping[str, Types], needed: Iterable[str] = ()) -> None:
    """``data`` has the ``needed`` fields and none but the ``known`` ones, of their types."""
    if not isinstance(data, Mapping):
        raise _Wrong(path)
    extra = unknown(data, known)
    if extra is not None:
        raise _Wrong(f"{path}.{extra}", extra=True)
    missing = next((name for name in needed if name not in data), None)
    wrong = missing or wrong_type(data, known)
    if wrong is not None:
        raise _Wrong(f"{path}.{wrong}")


def _reading(path: str, reading: Any) -> None:
    _fields(path, reading, READING, ("status", "dice"))
    for die in reading["dice"]:
        _fields(f"{path}.dice", die, DIE, ("type", "face"))
        if not _is_within(die.get("confidence", 1.0), 1.0):
            raise _Wrong(f"{path}.dice.confidence")
        if not all(map(_is_point, die.get("quad", ()))):
            raise _Wrong(f"{path}.dice.quad")
        if not all(_is_within(at, FARTHEST) for at in die.get("centre_mm") or ()):
            raise _Wrong(f"{path}.dice.centre_mm")
        if not all(map(_is_alternative, die.get("alternatives", ()))):
            raise _Wrong(f"{path}.dice.alternatives")
    for reason in reading.get("reasons", ()):
        _fields(f"{path}.reasons", reason, REASON, ("code",))
        if not all(map(_is_point, reason.get("quad") or ())):
            raise _Wrong(f"{path}.reasons.quad")


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_within(at, FARTHEST) for at in value)


def _is_alternative(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is str and _is_within(value[1], 1.0)


def _is_within(value: Any, most: float) -> bool:
    return type(value) in NUMBER and abs(value) <= most

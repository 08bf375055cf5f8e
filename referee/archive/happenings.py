"""Events besides answers in words, as the readable record and the screens both say them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.archive import TEXTS
from referee.hall.clocks import RESTART
from referee.journal.events import ARBITER, Event
from referee.kernel.naming import namer
from referee.kernel.play import Game

Say = Callable[[Game[Any], Event, str], str]


def happened(game: Game[Any], event: Event, language: str) -> str | None:
    """What ``event`` says, without who and when; None for a kind that is told elsewhere."""
    say = _SAY.get(event.kind)
    return None if say is None else say(game, event, language)


def t(message: str, language: str, **params: Any) -> str:
    """One of these sentences."""
    return TEXTS.text(f"happened.{message}", language, params)


def nth(number: int, language: str) -> str:
    """Which of several: "2nd"."""
    return t(f"nth_{number}" if number in (1, 2, 3) else "nth", language, n=number)


def roll_remarks(evidence: Mapping[str, Any], language: str) -> list[str]:
    """What is to be said of how a roll came about, besides who read or typed it."""
    told = []
    if isinstance(evidence.get("throw"), int):
        told.append(t("throw", language, nth=nth(evidence["throw"], language)))
    if (evidence.get("reading") or {}).get("handheld"):
        told.append(t("handheld", language))
    if evidence.get("as_before"):
        told.append(t("as_before", language))
    if evidence.get("event"):
        told.append(t("first_throw", language))
    if evidence.get("agreed"):
        told.append(t("agreed", language))
    return told


def faces_told(game: Game[Any], request: Mapping[str, Any] | None, reading: Any, language: str) -> str:
    """The faces of a reading; a die that was not understood is left out."""
    faces: dict[str, list[str]] = {}
    for die in reading["dice"]:
        if die["face"] is not None:
            faces.setdefault(str(die["type"]), []).append(str(die["face"]))
    asked = request or {}
    return namer(game, language).answer(faces, str(asked.get("prompt", "")), str(asked.get("domain", "")))


def _discarded(game: Game[Any], event: Event, language: str) -> str:
    number = event.answer["throw"]
    faces = faces_told(game, event.request, (event.evidence or {})["reading"], language)
    which = {"nth": nth(number, language), "again": nth(number + 1, language)}
    return t(f"discarded_{event.answer['why']}", language, faces=faces, **which)


def _roll_asked(game: Game[Any], event: Event, language: str) -> str:
    asked = event.request or {}
    names = namer(game, language)
    faces = names.answer(event.answer["value"], str(asked.get("prompt", "")), str(asked.get("domain", "")))
    return t(f"roll_asked_{event.answer['why']}", language, faces=faces)


def minutes_told(seconds: int) -> str:
    """Time on a clock: "12:05", or "−0:30" where it is over."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02d}"


def left_told(game: Game[Any], left: Mapping[str, int], language: str) -> str:
    """What each seat has left on its clock."""
    names = namer(game, language)
    seats = [seat for seat in game.seats if seat in left]
    return ", ".join(f"{names.name(seat, 'seat')} {minutes_told(left[seat])}" for seat in seats)


def _clock(game: Game[Any], event: Event, language: str) -> str:
    answer, does = event.answer, event.answer["does"]
    if does == "stop" and event.answer["reason"] == RESTART:
        does = RESTART
    left = left_told(game, answer["left"], language)
    said = t(f"clock_{does}", language, left=left, minutes=answer.get("minutes", 0))
    reason = "" if does == RESTART else answer["reason"]
    return f"{said}: {reason}" if reason else said


def _ended(game: Game[Any], event: Event, language: str) -> str:
    answer, names = event.answer, namer(game, language)
    seat = names.name(answer["seat"], "seat") if answer.get("seat") else ""
    said = [t("ends", language), t(f"ended_{answer['how']}", language, seat=seat)]
    if answer["winners"]:
        winners = ", ".join(names.name(one, "seat") for one in answer["winners"])
        said[1] += "; " + t("winner" if len(answer["winners"]) == 1 else "winners", language, names=winners)
    return ": ".join(filter(None, (*said, answer["reason"])))


def _draw_asked(game: Game[Any], event: Event, language: str) -> str:
    return t("draw_asked", language)


def _handed_over(game: Game[Any], event: Event, language: str) -> str:
    return t(f"handed_{event.answer['what']}", language)


def _appeal(game: Game[Any], event: Event, language: str) -> str:
    return t("appeal", language, n=event.answer["about"], text=event.answer["text"] or "–")


def by_whom(event: Event) -> str:
    """The name of the arbiter whose event this is; "" for the table's own key and for seats."""
    return str((event.evidence or {}).get("arbiter") or "") if event.seat == ARBITER else ""


_SAY: Mapping[str, Say] = {
    "appeal": _appeal,
    "draw_asked": _draw_asked,
    "ended": _ended,
    "handed_over": _handed_over,
    "clock": _clock,
    "reading_discarded": _discarded,
    "roll_asked": _roll_asked,
}

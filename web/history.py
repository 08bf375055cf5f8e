"""What happened, for people: the last events in words, and what taking back would mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.archive.happenings import by_whom, happened, roll_remarks
from referee.hall.table import Table
from referee.kernel.naming import namer
from referee.kernel.play import Game
from web.asks import drawn_face
from web.told import decision_text, is_decision
from web.words import named, ui

LATELY = 40
"""Events after which a decision is no news any more."""


def recent(table: Table, language: str, count: int) -> list[dict[str, Any]]:
    """The last ``count`` events, the newest first."""
    events = list(table.events(max(0, table.revision - count)))[-count:]
    return [event_json(table.play.game, event, language) for event in reversed(events)]


def event_json(game: Game[Any], event: Any, language: str) -> dict[str, Any]:
    """One event in a line.  Answers under seal stay under seal."""
    return {
        "number": event.number,
        "seat": event.seat,
        "kind": event.kind,
        "source": event.source,
        **_told(game, event, language),
    }


def _told(game: Game[Any], event: Any, language: str) -> dict[str, Any]:
    """What happened, without the seat's name; where dice are named also ``dice``, each with its type and
    face, and ``around``: the text before and after them.
    """
    text = " · ".join(filter(None, (by_whom(event), event_text(game, event, language))))
    dice = event_dice(game, event)
    if not dice:
        return {"text": text}
    request: Mapping[str, Any] = event.request or {}
    answer = _said(game, event, event.answer, language)
    before, _, after = text.partition(answer)
    if request.get("kind") != "roll_dice":
        before, after = f"{before}{answer}", after  # the die stands before its name
    return {"text": text, "dice": dice, "around": [before.strip(), after.strip()]}


def event_dice(game: Game[Any], event: Any) -> list[dict[str, str]]:
    """The dice that an answer names: those rolled, or the one that is used (its type is its seat's)."""
    if event.kind != "answer":
        return []
    request: Mapping[str, Any] = event.request or {}
    if request.get("kind") == "roll_dice" and isinstance(event.answer, Mapping):
        return [
            {"type": str(die), "face": str(face)}
            for die, faces in event.answer.items()
            for face in faces
            if isinstance(faces, list | tuple)
        ]
    if request.get("domain") == "die" and (face := drawn_face(game, event.answer)) is not None:
        return [{"type": "", "face": face}]
    return []


def event_text(game: Game[Any], event: Any, language: str) -> str:
    """What happened, without the seat's name."""
    if (told := happened(game, event, language)) is not None:
        return told
    if event.kind != "answer":
        known = ui(f"event.{event.kind}", language)
        data = event.answer if isinstance(event.answer, Mapping) else {}
        stands = _said(game, event, data["value"], language) if event.kind == "stands" else ""
        told = decision_text(game, event.kind, data, stands, language)
        return f"{known}: {told}" if told else known
    request: Mapping[str, Any] = event.request or {}
    prompt = str(request.get("prompt", "")).removeprefix("prompt.")
    answer = _said(game, event, event.answer, language)
    about = request.get("about")
    # an answer may have words of its own: "passes", not "uses: Pass"
    ways = (f"log.{prompt}.{event.answer}", f"log.{prompt}")
    message_id = next((one for one in ways if game.messages.find(one, language) is not None), None)
    if message_id is not None:
        params = named(game, about, language) if isinstance(about, Mapping) else {}
        answer = game.messages.text(message_id, language, {**params, "answer": answer})
    return f"{answer} ({how})" if (how := roll_told(event, language)) else answer


def roll_told(event: Any, language: str) -> str:
    """How a roll came about besides being read: typed in, corrected, thrown again; "" for nothing."""
    evidence = event.evidence or {}
    told = [ui("moment.manual", language)] if evidence.get("manual") else []
    if corrected := len(evidence.get("corrections") or ()):
        told.append(ui("moment.corrected", language, count=corrected))
    return ", ".join([*told, *roll_remarks(evidence, language)])


def _said(game: Game[Any], event: Any, value: Any, language: str) -> str:
    """``value`` as an answer to the question of ``event``, in names."""
    request: Mapping[str, Any] = event.request or {}
    prompt, domain = str(request.get("prompt", "")), str(request.get("domain", ""))
    return namer(game, language).answer(value, prompt, domain)


def notice_json(table: Table, language: str) -> dict[str, Any] | None:
    """The latest decision on the game that every seat has to see; None where there was none lately."""
    found = [event for event in table.events(max(0, table.revision - LATELY)) if is_decision(event)]
    return event_json(table.play.game, found[-1], language) if found else None


def roll_notice_json(table: Table, language: str) -> dict[str, Any] | None:
    """The latest roll that the others hear of: typed in though the camera reads, corrected, thrown again.

    Where no roll was read lately there is no camera at work, and typing is how it goes.
    """
    lately = list(table.events(max(0, table.revision - LATELY)))
    reads = any(event.source == "camera" for event in lately)
    for event in reversed(lately):
        evidence = event.evidence or {}
        if event.kind == "reading_discarded" and event.answer["why"] != "read_again":
            return event_json(table.play.game, event, language)
        if event.kind == "answer" and (evidence.get("as_before") or evidence.get("event")):
            return event_json(table.play.game, event, language)
        if event.kind != "answer":
            continue
        if evidence.get("corrections") or (evidence.get("manual") and reads):
            return event_json(table.play.game, event, language)
    return None


MOST_STEPS = 6
"""Steps of a decision that are named when it is to be taken back."""


def undo_json(table: Table, seat: str | None, language: str) -> dict[str, Any] | None:
    """What taking back the last decision needs, and its steps, in words; None where there is nothing."""
    found = table.undo_class(seat)
    if found is None:
        return None
    events, game = table.events(), table.play.game
    steps = [event_json(game, events[number - 1], language) for number in found.events[:MOST_STEPS]]
    return {"class": found.kind, "text": found.text.in_words(language), "steps": steps}

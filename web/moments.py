"""One moment of a game for screens: position, question, what was allowed, who answered what from where."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from referee.drawing.board_svg import draw
from referee.hall.live_game import RULES_FAULTS
from referee.hall.table import Table
from referee.journal.events import moves
from referee.journal.line import line_of
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSecretly, Request
from referee.kernel.together import ChooseInSteps
from web.asks import ask_json, own_part, prompt_text
from web.context import RequestRefused
from web.history import event_json
from web.words import name_of, rule_json, ui


def moment_json(table: Table, number: int, who: str, language: str) -> dict[str, Any]:
    """The game as it stood before event ``number``, and the event.

    ``who`` is a seat, ``arbiter`` or ``watch``.  A seat sees what was allowed where it was
    asked itself, as it did then; the arbiter, and everybody after the game, sees all.
    """
    events = list(table.events())
    if not 1 <= number <= len(events):
        raise RequestRefused("no_event", 404)
    game, event = table.play.game, events[number - 1]
    play = before(table, number)
    open_to_all = who == "arbiter" or table.outcome is not None
    request = play.request
    return {
        "number": number,
        "last": len(events),
        "event": {
            **event_json(game, event, language),
            "at": event.at,
            "from": ui(f"source.{event.source}", language),
            **_evidence(table, event),
        },
        "undone": moves(event) and event not in line_of(events),
        "picture": _picture(game, play, language, table.header["options"]),
        "asked": None if request is None else _asked(game, request, language),
        "allowed": _allowed(play, request, who, open_to_all, language),
    }


def before(table: Table, number: int) -> Play[Any]:
    """The game before event ``number``."""
    line = line_of(list(table.events())[: number - 1])
    try:
        play, _ = table.live_game.replayed(line)
    except RULES_FAULTS as error:
        raise RequestRefused("no_moment", 409) from error
    return play


def _picture(game: Any, play: Play[Any], language: str, options: Mapping[str, Any]) -> str:
    """The board as a data address; drawn from what everybody may see."""
    picture = base64.b64encode(draw(game, play.state, language, options).encode()).decode()
    return f"data:image/svg+xml;base64,{picture}"


def _asked(game: Any, request: Request, language: str) -> dict[str, Any]:
    return {
        "seat": name_of(game, request.seat, language, "seat"),
        "prompt": prompt_text(game, request, language),
        "rule": rule_json(game, request.rule, language),
    }


def _allowed(
    play: Play[Any], request: Request | None, who: str, open_to_all: bool, language: str
) -> list[dict[str, Any]] | None:
    """The candidates with the reasons against some; None where they are not for ``who`` to see."""
    if request is None:
        return []
    if isinstance(request, ChooseSecretly) and open_to_all:
        return parts_of_all(play, request, language)
    shown = request if open_to_all else own_part(request, who)
    return None if shown is None else candidates(play, shown, language)


def parts_of_all(play: Play[Any], request: ChooseSecretly, language: str) -> list[dict[str, Any]]:
    """What is open to each seat in a secret question; nothing of what it chose."""
    return [
        {**one, "text": f"{name_of(play.game, seat, language, 'seat')}: {one['text']}"}
        for seat, part in request.of.items()
        for one in candidates(play, part, language)
    ]


def candidates(play: Play[Any], request: Request, language: str) -> list[dict[str, Any]]:
    """What a question allows, in words, and what it refuses and why; of several steps, the first."""
    if isinstance(request, ChooseInSteps) and (first := request.following(())) is not None:
        return candidates(play, first, language)
    ask = ask_json(play.game, request, language, play.answered, False)
    if "some" in ask:
        return [{**one, "text": _some(one)} for one in ask["some"]["items"]]
    if "roll" in ask:
        return [{"text": f"{die['count']} × {die['name']}", "refused": None} for die in ask["roll"]["dice"]]
    options: list[dict[str, Any]] = ask["options"]
    return options


def _some(item: dict[str, Any]) -> str:
    return str(item["text"]) if item["refused"] else f"0–{item['most']} × {item['text']}"


def _evidence(table: Table, event: Any) -> dict[str, Any]:
    evidence = event.evidence or {}
    return {
        "manual": bool(evidence.get("manual")),
        "corrected": len(evidence.get("corrections") or ()),
        "photo": picture_of(table, event) is not None,
    }


def picture_of(table: Table, event: Any) -> bytes | None:
    """The picture of the dice that ``event`` was read from, where it is still kept."""
    digest = (event.evidence or {}).get("picture")
    pictures = table.pictures
    return None if not digest or pictures is None else pictures.read(str(digest))

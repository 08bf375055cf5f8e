"""The last move for the big screen: one sentence, who made it, with which die, and from where to where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.hall.table import Table
from referee.journal.events import Event
from web.history import event_json

FAR_BACK = 24
"""Events in which the last move is looked for."""
LEADS_ON = ("die", "action", "option", "number")
"""Domains of answers that lead to a move but are none: which die, which action, how many."""
BEGINS = ("die", "action")
"""Domains of answers with which an action begins."""
NOTHING = ("done", "skip", "stop", "pass", "stay", "none")


def last_move_json(table: Table, language: str) -> dict[str, Any] | None:
    """The event that tells the last move, as ``event_json`` gives it; None before the first one.

    Besides, ``die``: the face that was used, and ``way``: ``from`` and ``to``, or ``to`` alone (or None).
    """
    events = [event for event in table.live_game.line[-FAR_BACK:] if event.kind == "answer"]
    at = next((at for at in range(len(events) - 1, -1, -1) if _tells(events[at])), None)
    if at is None:
        return None
    told = events[at]
    run = list(_action_of(told, events[: at + 1]))
    dice = [event_json(table.play.game, event, language).get("dice") for event in run if _takes_die(event)]
    return {
        **event_json(table.play.game, told, language),
        "die": next((one[0]["face"] for one in dice if one), None),
        "way": _way(run, table),
    }


def _action_of(told: Event, events: Sequence[Event]) -> Iterator[Event]:
    """The answers of one action, the newest first: of one seat, back to the die that it took."""
    for event in reversed(events):
        if event.seat != told.seat:
            return
        yield event
        if _takes_die(event):
            return


def _asked(event: Event) -> Mapping[str, Any]:
    return event.request or {}


def _takes_die(event: Event) -> bool:
    return _asked(event).get("domain") == "die" and _asked(event).get("kind") != "roll_dice"


def _tells(event: Event) -> bool:
    """Whether an answer is a move, no mere step to one (which die, which army) nor that nothing follows."""
    asked = _asked(event)
    domain, about = asked.get("domain"), asked.get("about") or {}
    if domain in LEADS_ON or event.answer in NOTHING or event.answer == {}:
        return False
    return domain != "place" or not isinstance(event.answer, str) or bool({"from", "to"} & set(about))


def _way(run: Sequence[Event], table: Table) -> dict[str, str] | None:
    """From where to where an action went, by the newest of its answers that says so."""
    places = table.board.places if table.board is not None else {}
    for event in run:
        if _asked(event).get("domain") in BEGINS:
            return None
        about = _asked(event).get("about") or {}
        start, to = about.get("from"), about.get("to") or about.get("place")
        if isinstance(event.answer, str) and event.answer in places:
            to = event.answer
        if to in places and to != start:
            return {"from": str(start), "to": str(to)} if start in places else {"to": str(to)}
    return None

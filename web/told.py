"""Decisions in words: corrections, what stands though illegal, penalties, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.kernel.play import Game
from web.words import name_of, named, ui

DECISIONS = ("correction", "stands", "ruling", "penalty", "time")
"""Kinds of events that every seat has to see."""


def is_decision(event: Any) -> bool:
    """Whether every seat has to see ``event``: a decision, or that one was undone and what counts again."""
    return event.kind in DECISIONS or (event.kind == "take_back" and bool(event.answer.get("restores")))


def corrections_text(game: Game[Any], primitives: Sequence[Mapping[str, Any]], language: str) -> str:
    """What a correction changes.  A game words its primitives as ``correction.<do>``, and
    ``correction.<do>.true`` and ``.false`` where one of the fields is yes or no."""
    return "; ".join(_primitive(game, one, language) for one in primitives)


def _primitive(game: Game[Any], primitive: Mapping[str, Any], language: str) -> str:
    do = str(primitive.get("do", ""))
    fields = {key: value for key, value in primitive.items() if key != "do"}
    flag = next((value for value in fields.values() if isinstance(value, bool)), None)
    message_id = f"correction.{do}" if flag is None else f"correction.{do}.{str(flag).lower()}"
    params = {key: _field(game, value, language) for key, value in fields.items()}
    if game.messages.find(message_id, language) is not None:
        return game.messages.text(message_id, language, params)
    return f"{name_of(game, do, language)} {', '.join(str(value) for value in params.values())}".strip()


def _field(game: Game[Any], value: Any, language: str) -> Any:
    if isinstance(value, Mapping | list) and not value:
        return "–"
    if isinstance(value, str) and (own := game.messages.find(f"correction.where.{value}", language)):
        return own
    return named(game, {"it": value}, language)["it"]


def wish_text(game: Game[Any], wish: str, says: str, language: str) -> str:
    """One way of a standing wish: ``never``, ``always``, or a condition that the game words."""
    own = game.messages.find(f"wish.{wish}.{says}", language)
    return ui(f"wish.{says}", language) if own is None else own


def decision_text(game: Game[Any], kind: str, answer: Mapping[str, Any], value: str, language: str) -> str:
    """What is said besides the kind: the change and the reason.  ``value``: what stands, in words."""
    reason = str(answer.get("reason") or answer.get("text") or "")
    what = ""
    if kind in ("correction", "correction_asked"):
        what = corrections_text(game, answer["primitives"], language)
    elif kind == "stands":
        what = value
    elif kind == "wish":
        wish = str(answer["wish"])
        name = game.messages.text(f"wish.{wish}", language)
        what = f"{name}: {wish_text(game, wish, str(answer['says']), language)}"
    elif answer.get("plays_on"):
        what = ui("event.plays_on", language)
    elif kind in ("penalty", "time"):
        seat = name_of(game, answer.get("seat") or "", language, "seat")
        number = answer.get("value")
        amount = "" if number is None else ui(f"amount.{kind}", language, value=f"{number:+d}")
        what = " ".join(part for part in (seat, amount) if part)
    elif answer.get("restores"):
        what = ui("event.restores", language, numbers=", ".join(map(str, answer["restores"])))
    elif answer.get("stands"):
        what = ui("event.stands_later", language, number=answer["stands"])
    return ": ".join(part for part in (what, reason) if part)

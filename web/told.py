"""Decisions in words: corrections, what stands though illegal, penalties, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.archive import TEXTS
from referee.kernel.naming import namer
from referee.kernel.play import Game
from web.words import name_of, ui

DECISIONS = ("correction", "stands", "ruling", "penalty", "time", "ended")
"""Kinds of events that every seat has to see."""


def is_decision(event: Any) -> bool:
    """Whether every seat has to see ``event``: a decision, or that one was undone and what counts again."""
    if event.kind == "clock":
        return bool(event.answer["does"] == "flag")
    return event.kind in DECISIONS or (event.kind == "take_back" and bool(event.answer.get("restores")))


def corrections_text(game: Game[Any], primitives: Sequence[Mapping[str, Any]], language: str) -> str:
    """What a correction changes."""
    return "; ".join(map(namer(game, language).correction, primitives))


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
    elif answer.get("beside"):
        return TEXTS.text("happened.beside", language, {"n": answer["beside"], "text": reason})
    elif answer.get("stands"):
        what = ui("event.stands_later", language, number=answer["stands"])
    return ": ".join(part for part in (what, reason) if part)

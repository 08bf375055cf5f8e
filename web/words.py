"""Texts for screens: our own messages, names of a game's things, rules with their pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.kernel.messages import Messages, languages
from referee.kernel.naming import namer
from referee.kernel.play import Game
from referee.kernel.refusals import Refusal

UI = Messages(Path(__file__).parent / "translations")


def language_of(wanted: str | None, accept: Any = None) -> str:
    """``wanted`` if we speak it, else the best of the browser's languages, else German."""
    known = languages()
    if wanted in known:
        return wanted
    best: str | None = accept.best_match(known) if accept is not None else None
    return best or known[0]


def ui(message_id: str, language: str, **params: Any) -> str:
    """One of our own sentences."""
    return UI.text(message_id, language, params)


def name_of(game: Game[Any], value: Any, language: str, domain: str = "") -> str:
    """The name of a thing of the game, by its id; numbers and unknown ids stand for themselves."""
    return namer(game, language).name(value, domain)


def named(game: Game[Any], params: Mapping[str, Any], language: str) -> dict[str, Any]:
    """``params`` of a message with ids replaced by names."""
    return namer(game, language).particulars(params)


def sentence(game: Game[Any], message_id: str, language: str, params: Mapping[str, Any]) -> str:
    """A message of the game with its fields filled by names."""
    return namer(game, language).sentence(message_id, params)


def rule_json(game: Game[Any], rule_id: str, language: str) -> dict[str, Any] | None:
    """A rule for screens: title, our sentence, the page of this language's book, or the heading
    of its summary (``german`` where that is one of the German book); None where unknown."""
    rule = game.catalogue.get(rule_id)
    if rule is None:
        return None
    return {
        "id": rule.id,
        "chapter": rule.chapter,
        "title": rule.title(language),
        "sentence": rule.sentence(language),
        "page": (rule.page_de or rule.heading) if rule.heading else rule.page(language),
        "german": bool(rule.heading and not rule.page_de),
        "note": rule.note(language),
    }


def refusal_json(game: Game[Any], refusal: Refusal, language: str) -> dict[str, Any]:
    """Why not: the particular reason where there is one, and the rule with title and page."""
    rule = rule_json(game, refusal.rule, language)
    text = namer(game, language).reason(refusal, UI)
    if not text:
        text = rule["sentence"] if rule else refusal.rule
    return {"text": text, "rule": rule}

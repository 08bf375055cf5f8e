"""Texts for screens: our own messages, names of a game's things, rules with their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.kernel.messages import Messages, languages
from referee.kernel.play import Game
from referee.kernel.refusals import Refusal

UI = Messages(Path(__file__).parent / "translations")

KINDS = (
    *("option", "action", "place", "unit", "character", "card", "seat", "face", "die", "marker", "territory"),
    *("token", "token_group", "fate_tile", "tile", "nation", "deck", "setup_group", "special", "ability"),
    *("terrain", "phase", "reason"),
)
"""Where a game's messages keep names, in the order in which an id of unknown kind is looked up."""


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


def name_of(game: Game[Any], value: Any, language: str, kind: str = "") -> str:
    """The name of a thing of the game, by its id; numbers and unknown ids stand for themselves."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{count} × {name_of(game, item, language, kind)}"
            if isinstance(count, int)
            else (f"{name_of(game, item, language)}: {name_of(game, count, language, kind)}")
            for item, count in value.items()
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(name_of(game, item, language, kind) for item in value)
    if not isinstance(value, str):
        return str(value)
    if value.isdigit():
        # only its own kind may name a number: "3" is no phase because there is a phase 3
        own = game.messages.find(f"{kind}.{value}", language) if kind else None
        return value if own is None else own.format_map(_Blank())
    for prefix in (kind, *KINDS) if kind else KINDS:
        text = game.messages.find(f"{prefix}.{value}", language)
        if text is not None:
            return text.format_map(_Blank())
    return value


class _Blank(dict[str, str]):
    """Fields that nobody filled show as nothing."""

    def __missing__(self, key: str) -> str:
        return ""


def named(game: Game[Any], params: Mapping[str, Any], language: str) -> dict[str, Any]:
    """``params`` of a message with ids replaced by names."""
    return {
        key: name_of(game, value, language) if isinstance(value, str | list | tuple | Mapping) else value
        for key, value in params.items()
    }


def sentence(game: Game[Any], message_id: str, language: str, params: Mapping[str, Any]) -> str:
    """A message of the game with its fields filled by names."""
    return game.messages.text(message_id, language, named(game, params, language))


def rule_json(game: Game[Any], rule_id: str, language: str) -> dict[str, str] | None:
    """A rule for screens: title, our sentence, the page of this language's book; None where unknown."""
    rule = game.catalogue.get(rule_id)
    if rule is None:
        return None
    return {
        "id": rule.id,
        "chapter": rule.chapter,
        "title": rule.title(language),
        "sentence": rule.sentence(language),
        "page": rule.page(language),
        "note": rule.note(language),
    }


def refusal_json(game: Game[Any], refusal: Refusal, language: str) -> dict[str, Any]:
    """Why not: the particular reason where there is one, and the rule with title and page."""
    rule = rule_json(game, refusal.rule, language)
    text = ""
    if refusal.reason:
        for message_id in (f"reason.{refusal.reason}", refusal.reason):
            messages = game.messages if game.messages.find(message_id, language) is not None else UI
            if messages.find(message_id, language) is not None:
                text = messages.text(message_id, language, named(game, refusal.params, language))
                break
    if not text:
        text = rule["sentence"] if rule else refusal.rule
    return {"text": text, "rule": rule}

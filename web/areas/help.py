"""What does this piece, symbol, track or card do; a summary of the turn; words for a first game."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from referee.kernel.capabilities import ExplainsPieces
from web.areas.rules import plain
from web.context import RequestRefused, Web
from web.history import recent
from web.words import name_of, rule_json

MOST_FOUND = 60
MOST_OF_A_TURN = 200


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("help", __name__)

    @area.get("/api/help/<kind>/<name>")
    def one(kind: str, name: str) -> Response:
        found = explained(web.table().play.game, kind, name, web.language())
        if found is None:
            raise RequestRefused("no_help", 404)
        return jsonify(found)

    @area.get("/api/help")
    def search() -> Response:
        found = matching(web.table().play.game, request.args.get("q", "")[:100], web.language())
        return jsonify(found=found[:MOST_FOUND], more=max(0, len(found) - MOST_FOUND))

    @area.get("/api/learn")
    def learn() -> Response:
        return jsonify(topics=topics(web.table().play.game, web.language()))

    @area.get("/api/turn")
    def turn() -> Response:
        with web.hub.lock:
            return jsonify(turn_json(web))

    return area


def explained(game: Any, kind: str, name: str, language: str) -> dict[str, Any] | None:
    """One explanation with its rule; None for a game or a thing without."""
    found = game.explain_piece(kind, name, language) if isinstance(game, ExplainsPieces) else None
    if found is None:
        return None
    return {
        "kind": kind,
        "id": name,
        "title": found["title"],
        "text": found["text"],
        "rule": rule_json(game, found.get("rule", ""), language),
    }


def matching(game: Any, query: str, language: str) -> list[dict[str, Any]]:
    """All that the game explains and that holds all words of ``query``; what is called so comes first."""
    known = game.explained() if isinstance(game, ExplainsPieces) else ()
    words = plain(query).split()
    found = []
    for kind, name in known:
        one = explained(game, kind, name, language)
        if one is not None and all(word in plain(f"{one['title']} {one['text']}") for word in words):
            found.append(one)

    def place(one: dict[str, Any]) -> tuple[int, str]:
        title = plain(one["title"])
        return -sum(word in title for word in words), title

    return sorted(found, key=place)


def topics(game: Any, language: str) -> list[dict[str, str]]:
    """What a first game explains: phases in their order, the end of the turn, fights, what a rule stands for.

    A game's messages are ``learn.<id>``; titles are those of phases and rules, or ``learn_title.<id>``.
    """
    own = [name.removeprefix("learn.") for name in game.messages.ids(language) if name.startswith("learn.")]
    phases = [name for name in ("setup", *"123456789", "end", "over") if name in own]
    return [
        {
            "id": name,
            "title": _topic_title(game, name, language),
            "text": game.messages.text(f"learn.{name}", language),
        }
        for name in (*phases, *(name for name in own if name not in phases))
    ]


def _topic_title(game: Any, name: str, language: str) -> str:
    titled = game.messages.find(f"learn_title.{name}", language) or game.messages.find(
        f"phase.{name}", language
    )
    rule = rule_json(game, name, language)
    return titled or (rule["title"] if rule else name)


def turn_json(web: Web) -> dict[str, Any]:
    """What has happened since the turn began, in order, and where the game stands."""
    table, language = web.table(), web.language()
    view = table.view(None, language)
    log = recent(table, language, MOST_OF_A_TURN)
    begun = web.turns.began
    lines = [
        {
            "seat": one["seat"],
            "name": name_of(table.play.game, one["seat"], language, "seat"),
            "text": one["text"],
        }
        for one in reversed(log)
        if one["number"] > begun
    ]
    return {
        "turn": view.get("turn"),
        "turn_title": view.get("turn_title"),
        "phase": (view.get("phase") or {}).get("title", ""),
        "scores": view.get("scores", []),
        "lines": lines,
        "more": len(log) == MOST_OF_A_TURN and log[-1]["number"] > begun,
    }

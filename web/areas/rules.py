"""The board to draw, and a search over the rules, each with the page of the reader's book."""

from __future__ import annotations

import unicodedata
from typing import Any

from flask import Blueprint, Response, jsonify, request

from web.boards import board_json
from web.context import Web
from web.words import rule_json

MOST_RULES = 40


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("rules", __name__)

    @area.get("/api/board")
    def board() -> Response:
        table = web.table()
        response = jsonify(board_json(table, web.language()))
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    @area.get("/api/rules")
    def rules() -> Response:
        game = web.table().play.game
        found = search(game, request.args.get("q", "")[:100], web.language())
        return jsonify(rules=found[:MOST_RULES], more=max(0, len(found) - MOST_RULES))

    return area


def plain(text: str) -> str:
    """Small letters without marks, so that `Zwerge` and `zwerg`, `Dáin` and `dain` meet."""
    marked = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in marked if not unicodedata.combining(c))


def search(game: Any, query: str, language: str) -> list[dict[str, str]]:
    """Rules that hold all words of ``query``; those with them in the title come first."""
    words = plain(query).split()
    scored = []
    for rule_id in game.catalogue:
        rule = rule_json(game, rule_id, language)
        if rule is None:
            continue
        title, rest = plain(rule["title"]), plain(f"{rule['sentence']} {rule['chapter']} {rule_id}")
        if all(word in title or word in rest for word in words):
            scored.append((-sum(word in title for word in words), rule))
    scored.sort(key=lambda pair: pair[0])
    return [rule for _, rule in scored]

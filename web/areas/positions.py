"""Positions at the arbiter's desk, and whether a written move is allowed, at the desk and at a seat."""

from __future__ import annotations

import base64
from typing import Any

from flask import Blueprint, Response, jsonify

from referee.archive.results import told_result
from referee.drawing.board_svg import draw
from referee.kernel.capabilities import Notated
from referee.kernel.explain import REFUSED, explain
from referee.kernel.play import Game
from referee.kernel.positions import Checked, check, game_named, lead_in, write
from referee.serving.hosting import NewGame
from web.context import RequestRefused, Web, a_document, body, require_text
from web.words import name_of, refusal_json, sentence

LONGEST_MOVE = 400
LONGEST_FILE = 30_000
"""Characters; the largest position of a full board has about 6,000."""


def at_desk(area: Blueprint, web: Web) -> None:
    """The arbiter's routes."""

    @area.post("/api/arbiter/explain")
    def why() -> Response:
        web.arbiter_session()
        return jsonify(explained(web, require_text(body(), "text", LONGEST_MOVE)))

    @area.get("/api/arbiter/position")
    def now() -> Response:
        web.arbiter_session()
        with web.hub.lock:
            table = web.table()
            return jsonify(text=write(table.play.game, table.play))

    @area.post("/api/arbiter/position/check")
    def look() -> Response:
        web.arbiter_session()
        text = a_document(body(), "text", LONGEST_FILE)
        game = _game_of(web, text)
        return jsonify(_checked_json(game, check(game, text), web.language(), {"position": text}))

    @area.post("/api/arbiter/position/start")
    def begin() -> Response:
        web.arbiter_session()
        text = a_document(body(), "text", LONGEST_FILE)
        game = _game_of(web, text)
        checked = check(game, text)
        if checked.play is None:
            raise RequestRefused("bad_position", 422)
        if checked.play.request is None:
            raise RequestRefused("position_over", 422)
        with web.hub.lock:
            running = web.hall.table
            if running is not None and running.is_closed:
                raise RequestRefused("table_closed", 409)
            known = {} if running is None else running.header["players"]
            players = {seat: known.get(seat, "") for seat in game.seats}
            strict = running is not None and bool(running.header["tournament"])
            web.hall.start(NewGame(game.id, players, checked.title, {"position": text}, strict))
            lead_in(web.table())
        web.follow()
        return jsonify(ok=True)


def at_seat(area: Blueprint, web: Web) -> None:
    """The routes of a seat."""

    @area.post("/api/seat/<seat>/explain")
    def why(seat: str) -> Response:
        web.seat_session(seat)
        return jsonify(explained(web, require_text(body(), "text", LONGEST_MOVE)))


def explained(web: Web, text: str) -> dict[str, Any]:
    """What comes of a written move at the running game: verdict, reason, and how far it was in order."""
    with web.hub.lock:
        play = web.table().play.fork()
    game = play.game
    if not isinstance(game, Notated):
        raise RequestRefused("no_notation", 409)
    found = explain(play, text, game.words)
    language = web.language()
    refusal = None
    if found.verdict == REFUSED and found.refusal is not None:
        refusal = refusal_json(game, found.refusal, language)
    return {
        "verdict": found.verdict,
        "refusal": refusal,
        "text": found.sentence(language, game) if refusal is None else refusal["text"],
        "said": found.said,
    }


def _game_of(web: Web, text: str) -> Game[Any]:
    """The game that a file names, else the one on the table, else the only one there is."""
    games = {game.id: game for game in web.hall.games()}
    table = web.hall.table
    named = game_named(text) or (table.play.game.id if table is not None else "")
    if not named and len(games) == 1:
        return next(iter(games.values()))
    if named not in games:
        raise RequestRefused("no_such_game", 404)
    return games[named]


def _checked_json(
    game: Game[Any], checked: Checked, language: str, options: dict[str, Any]
) -> dict[str, Any]:
    """What the desk shows of a file: problems line by line, or the picture and who is asked what."""
    play = checked.play
    if play is None:
        problems = [{"line": p.line, "text": p.sentence(language)} for p in checked.problems]
        return {"problems": problems}
    request = play.request
    picture = base64.b64encode(draw(game, play.state, language, options).encode()).decode()
    return {
        "problems": [],
        "title": checked.title,
        "picture": f"data:image/svg+xml;base64,{picture}",
        "seat": "" if request is None else name_of(game, request.seat, language, "seat"),
        "asked": told_result(game, {"players": {}}, play.outcome, language)
        if request is None
        else sentence(game, request.prompt, language, request.about),
    }

"""Show me: from an event to its moment, for seats, the arbiter, and spectators once the game is over."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.context import RequestRefused, Web
from web.moments import moment_json, picture_of


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("moments", __name__)

    @area.get("/api/seat/<seat>/moment/<int:number>")
    def at_seat(seat: str, number: int) -> Response:
        web.seat_session(seat)
        return _moment(web, number, seat)

    @area.get("/api/arbiter/moment/<int:number>")
    def at_desk(number: int) -> Response:
        web.arbiter_session()
        return _moment(web, number, "arbiter")

    @area.get("/api/watch/moment/<int:number>")
    def watching(number: int) -> Response:
        _after_the_game(web)
        return _moment(web, number, "watch")

    @area.get("/moment/<int:number>.jpg")
    def dice(number: int) -> Response:
        session = web.known_session()
        if not session.seats and not session.arbiter:
            _after_the_game(web)
        with web.hub.lock:
            table = web.table()
            events = list(table.events())
            found = picture_of(table, events[number - 1]) if 1 <= number <= len(events) else None
        if found is None:
            raise RequestRefused("no_picture", 404)
        return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    return area


def _after_the_game(web: Web) -> None:
    web.known_session()
    if web.table().outcome is None:
        raise RequestRefused("after_the_game", 403)


def _moment(web: Web, number: int, who: str) -> Response:
    with web.hub.lock:
        return jsonify(moment_json(web.table(), number, who, web.language()))

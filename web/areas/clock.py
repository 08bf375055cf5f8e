"""The chess clock: how much time each seat has, and a button to stop it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.context import RequestRefused, Web, body


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("clock", __name__)

    @area.get("/api/clock")
    def look() -> Response:
        table = web.hall.table
        return jsonify(clock=None if table is None else web.clock.as_json(table.seats))

    @area.post("/api/clock/pause")
    def pause() -> Response:
        """Whoever plays here, and the arbiter, may stop the clock."""
        session = web.known_session()
        table = web.table()
        if not session.arbiter and not any(seat in session.seats for seat in table.live_game.playing):
            raise RequestRefused("not_your_seat", 403)
        with web.hub.lock:
            web.clock.pause(body().get("paused") is True, table)
        web.keep_files()
        web.hub.changed()
        return jsonify(clock=web.clock.as_json(table.seats))

    return area

"""The chess clock: how much time each seat has, and a button to stop it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.hall.base import Acting
from web.context import RequestRefused, Web, body, require_text


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("clock", __name__)

    @area.get("/api/clock")
    def look() -> Response:
        table = web.hall.table
        return jsonify(clock=None if table is None else web.clock.as_json(table.seats))

    @area.post("/api/clock/pause")
    def pause() -> Response:
        """Whoever plays here may let the clock run, and stop it at home; the arbiter may do both anywhere."""
        session, data = web.known_session(), body()
        table = web.table()
        own = [seat for seat in table.live_game.playing if seat in session.seats]
        if not session.arbiter and not own:
            raise RequestRefused("not_your_seat", 403)
        # a device with both is at the desk or at the seat: it says so
        as_arbiter = session.arbiter and (not own or data.get("who") == "arbiter")
        with web.hub.lock:
            by = "arbiter" if as_arbiter else own[0]
            reason = require_text(data, "reason", 300)
            acting = web.seats.acting(session) if as_arbiter else Acting()
            with table.acting(acting):
                web.clock.pause(data.get("paused") is True, table, by=by, reason=reason)
        web.keep_files()
        web.hub.changed()
        return jsonify(clock=web.clock.as_json(table.seats))

    return area

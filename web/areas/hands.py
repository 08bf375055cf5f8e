"""On the table now: what hands have done, and whether a list of it is wished at all."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.context import RequestRefused, Web, body, require_int, require_text


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("hands", __name__)

    @area.post("/api/seat/<seat>/hands/<step>")
    def hands(seat: str, step: str) -> Response:
        web.seat_session(seat)
        data, table = body(), web.table()
        with web.hub.lock:
            if step == "tick":
                table.tick_hands(seat, require_text(data, "key", 400))
            elif step == "done":
                table.hands_done(seat, revision=require_int(data, "revision"))
            elif step == "way":
                table.set_hands_way(seat, require_text(data, "way", 20))
            else:
                raise RequestRefused("not_found", 404)
            # no event, but the lights go on to the question
            web.hall.show_draft(None, None)
            web.moved()
        return jsonify(ok=True)

    return area

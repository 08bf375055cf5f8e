"""Server-sent events: one stream a screen."""

from __future__ import annotations

from flask import Blueprint, Response, request

from web.context import Refused, Web


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("events", __name__)

    @area.get("/events/<who>")
    def stream(who: str) -> Response:
        session = web.known_session()
        if who.startswith("seat:"):
            web.seat_session(who.removeprefix("seat:"))
        elif who == "arbiter":
            web.arbiter_session()
        elif who != "watch":
            raise Refused("not_found", 404)
        last_id = request.headers.get("Last-Event-ID") or request.args.get("last")
        response = Response(
            web.hub.stream((who, web.language()), session.id, last_id), mimetype="text/event-stream"
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    return area

"""Server-sent events: one stream a screen."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from web.context import RequestRefused, Web
from web.seats import DeviceSession


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
            raise RequestRefused("not_found", 404)
        if not web.hub.has_room(session.id, who):
            raise RequestRefused("too_many_screens", 503)
        may_look = _permission(who, session)
        last_id = request.headers.get("Last-Event-ID") or request.args.get("last")
        response = Response(
            web.hub.stream((who, web.language()), session.id, last_id, may_look),
            mimetype="text/event-stream",
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    return area


def _permission(who: str, session: DeviceSession) -> Callable[[], bool]:
    """Whether the device may still look as ``who``: asked again before each event."""
    if who.startswith("seat:"):
        seat = who.removeprefix("seat:")
        return lambda: seat in session.seats
    if who == "arbiter":
        return lambda: session.arbiter
    return lambda: True

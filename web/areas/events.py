"""Server-sent events: one stream a screen."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from web.context import RequestRefused, Web
from web.hub import STREAM
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
        last_id = request.headers.get("Last-Event-ID") or request.args.get("last")
        opened = web.hub.open((who, web.language()), session.id, last_id, _permission(web, who, session))
        if opened is None:
            raise RequestRefused("too_many_screens", 503)
        # the server of the screens sends it, in its event loop
        request.environ.setdefault(STREAM, []).append(opened)
        response = Response(mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    return area


def _permission(web: Web, who: str, session: DeviceSession) -> Callable[[], bool]:
    """Whether the device may still look as ``who``: asked again before each event."""
    if who.startswith("seat:"):
        seat = who.removeprefix("seat:")
        return lambda: seat in session.seats
    if who == "arbiter":
        return lambda: web.seats.may_judge(session)
    return lambda: True

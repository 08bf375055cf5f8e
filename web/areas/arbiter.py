"""The arbiter's door and desk."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request

from web.areas import desk, positions
from web.areas.seat import agree, json_text
from web.areas.start import decide_handover, link_json
from web.context import RequestRefused, Web, body, require_int, require_text


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("arbiter", __name__)
    positions.at_desk(area, web)
    desk.at_desk(area, web)
    _routes_of_seats(area, web)
    _routes_of_rulings(area, web)

    @area.get("/arbiter")
    def page() -> str:
        session = web.page_session()
        if not session.arbiter:
            return render_template("door.html", page="door")
        return render_template("game.html", page="arbiter", who="arbiter", seat="", both=[])

    @area.post("/api/arbiter/enter")
    def enter() -> Response:
        session = web.known_session()
        if not web.doors.allows(request.remote_addr or "?"):
            raise RequestRefused("too_many", 429)
        if not web.seats.enter_as_arbiter(session, require_text(body(), "key", 100)):
            raise RequestRefused("wrong_key", 403)
        return jsonify(ok=True)

    @area.get("/api/arbiter/state")
    def state() -> Response:
        web.arbiter_session()
        return json_text(web.hub.snapshot(("arbiter", web.language()))[1])

    return area


def _routes_of_seats(area: Blueprint, web: Web) -> None:
    """Who sits where: the arbiter takes a seat away, hands it over, or shows its link again."""

    @area.post("/api/arbiter/revoke")
    def revoke() -> Response:
        web.arbiter_session()
        web.seats.revoke(web.known_seat(body().get("seat")))
        web.hub.changed()
        return jsonify(ok=True)

    @area.post("/api/arbiter/handover")
    def handover() -> Response:
        return decide_handover(web, web.arbiter_session())

    @area.post("/api/arbiter/link")
    def link() -> Response:
        web.arbiter_session()
        return jsonify(link_json(web, web.known_seat(body().get("seat"))))


def _routes_of_rulings(area: Blueprint, web: Web) -> None:
    """What the arbiter decides about the game itself."""

    @area.post("/api/arbiter/take_back")
    def take_back() -> Response:
        web.arbiter_session()
        with web.hub.lock:
            web.table().take_back("arbiter", revision=require_int(body(), "revision"))
        return jsonify(ok=True)

    @area.post("/api/arbiter/consent")
    def consent() -> Response:
        web.arbiter_session()
        data = body()
        with web.hub.lock:
            agree(web, "arbiter", data)
        return jsonify(ok=True)

    @area.post("/api/arbiter/rule")
    def rule() -> Response:
        web.arbiter_session()
        data = body()
        with web.hub.lock:
            web.table().rule(require_text(data, "reason", 500), reopens=data.get("reopens") is True)
        return jsonify(ok=True)

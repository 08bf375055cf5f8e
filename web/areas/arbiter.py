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

    @area.post("/api/arbiter/by_link")
    def by_link() -> Response:
        """A named arbiter's link, traded once for this device's right."""
        session = web.known_session()
        if not web.doors.allows(request.remote_addr or "?"):
            raise RequestRefused("too_many", 429)
        if not web.seats.enter_by_link(session, require_text(body(), "token", 100)):
            raise RequestRefused("bad_link", 403)
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
        with web.desk() as table:
            table.take_back("arbiter", revision=require_int(body(), "revision"))
        return jsonify(ok=True)

    @area.post("/api/arbiter/consent")
    def consent() -> Response:
        web.arbiter_session()
        data = body()
        with web.desk():
            agree(web, "arbiter", data)
        return jsonify(ok=True)

    @area.post("/api/arbiter/end")
    def end() -> Response:
        """``{"how", "winners", "seat", "reason", "revision"}``; see ``Table.end_game``."""
        web.arbiter_session()
        data = body()
        winners = data.get("winners", [])
        if not isinstance(winners, list) or len(winners) > 9:
            raise RequestRefused("bad_body")
        seat = web.known_seat(data["seat"]) if data.get("seat") else None
        with web.desk() as table:
            table.end_game(
                require_text(data, "how", 20),
                [web.known_seat(one) for one in winners],
                require_text(data, "reason", 500),
                seat=seat,
                revision=require_int(data, "revision"),
            )
        return jsonify(ok=True)

    @area.post("/api/arbiter/handed_over")
    def handed_over() -> Response:
        web.arbiter_session()
        with web.desk() as table:
            table.hand_over(require_text(body(), "what", 20))
        return jsonify(ok=True)

    @area.post("/api/arbiter/rule")
    def rule() -> Response:
        web.arbiter_session()
        data = body()
        with web.desk() as table:
            table.rule(require_text(data, "reason", 500), reopens=data.get("reopens") is True)
        return jsonify(ok=True)

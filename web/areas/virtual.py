"""The virtual table: what its camera sees, what its LEDs were sent, and buttons for what may go wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from referee.kernel.lights import TRAY, seat_light
from referee.kernel.requests import RollDice
from web.areas.workshop import beside_board
from web.context import RequestRefused, Web, body, require_text
from web.host import VirtualDesk
from web.snapshot import on_screen
from web.words import ui


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("virtual", __name__)

    @area.get("/virtual")
    def page() -> str:
        web.page_session()
        return render_template("virtual.html", page="virtual")

    @area.get("/api/virtual")
    def overview() -> Response:
        return jsonify(virtual_json(web))

    @area.get("/api/virtual/strip")
    def strip() -> Response:
        """Only the LEDs: asked for several times a second."""
        found = desk(web).strip()
        return jsonify(colours=[] if found is None else [_shown(one) for one in found.colours])

    @area.get("/api/virtual/picture.jpg")
    def picture() -> Response:
        data = desk(web).picture()
        if data is None:
            raise RequestRefused("no_picture", 404)
        return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @area.post("/api/virtual/disturb")
    def disturb() -> Response:
        session = web.known_session()
        table = desk(web)
        if not (session.seats or session.arbiter or web.seats.open_seats):
            raise RequestRefused("link_only", 403)
        data = body()
        try:
            table.disturb(require_text(data, "kind", 20), data.get("on") is True)
        except KeyError as error:
            raise RequestRefused("bad_body") from error
        return jsonify(virtual_json(web))

    return area


def desk(web: Web) -> VirtualDesk:
    """The virtual table; :class:`RequestRefused` where the table has hardware."""
    found = web.hall.virtual_table
    if found is None:
        raise RequestRefused("not_virtual", 404)
    return found


def _shown(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{on_screen(channel):02x}" for channel in colour)


def _thrower(web: Web) -> str:
    """The seat of this device that is to roll now; "" for none."""
    table, session = web.hall.table, web.session()
    request = None if table is None else table.request
    if session is None or not isinstance(request, RollDice):
        return ""
    return next((seat for seat in session.seats if request.seat in (seat, "*")), "")


def virtual_json(web: Web) -> dict[str, Any]:
    """All that the page shows besides the picture and the LEDs' colours."""
    table, language = desk(web), web.language()
    strip = table.strip()
    return {
        "disturbed": sorted(table.disturbed),
        "running": web.hall.table is not None,
        "throws": _thrower(web),
        "tray": ui(f"tray.{state}", language) if (state := getattr(web.hall.dice, "state", "")) else "",
        "devices": [
            {"id": one.id, "health": one.health, "text": one.text.in_words(language)}
            for one in web.snapshots.devices()
        ],
        "strip": None
        if strip is None
        else {
            "leds": len(strip.colours),
            "lit": sum(any(colour) for colour in strip.colours),
            "current_ma": round(strip.current_ma),
            "runs_in": strip.runs_in,
            "places": {place: list(leds) for place, leds in strip.places.items()},
            "beside": _beside(web, strip.places, language),
        },
    }


def _beside(web: Web, lights: Iterable[str], language: str) -> dict[str, str]:
    """The names of those lights that may lie beside the board: tray, seats."""
    table = web.hall.table
    if table is None:
        return {}
    ours = {TRAY, *map(seat_light, table.game.seats)}
    return {one: beside_board(table.game, one, language) for one in lights if one in ours}

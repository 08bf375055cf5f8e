"""The dice desk: the picture of the tray, throwing virtual dice, accepting a roll with corrections."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import flask
from flask import Blueprint, Response, jsonify

from referee.kernel.requests import RollDice
from web.context import RequestRefused, Web, a_document, body, require_int

PICTURE_BYTES = 1024 * 1024
"""The longest body with a picture: as much as the server keeps of one (``web/server.py``)."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("dice", __name__)
    _read(area, web)
    _take(area, web)
    return area


def _read(area: Blueprint, web: Web) -> None:
    """How a roll comes to be seen."""

    @area.get("/dice/<int:number>.jpg")
    def picture(number: int) -> Response:
        web.known_session()
        found = web.snapshots.pictures.get(number)
        if found is None:
            raise RequestRefused("no_picture", 404)
        return Response(found, mimetype="image/jpeg")

    @area.post("/api/seat/<seat>/dice/throw")
    def throw(seat: str) -> Response:
        web.seat_session(seat)
        _asked(web, seat)
        if not web.hall.dice.virtual:
            raise RequestRefused("real_tray", 409)
        web.hall.dice.throw()
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/dice/look")
    def look(seat: str) -> Response:
        web.seat_session(seat)
        _asked(web, seat)
        web.hall.dice.look()
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/dice/photograph")
    def photograph(seat: str) -> Response:
        """``{"picture"}``: a JPEG file in base64 that the seat's device took of this roll."""
        flask.request.max_content_length = PICTURE_BYTES
        web.seat_session(seat)
        _asked(web, seat)
        try:
            data = base64.b64decode(a_document(body(), "picture", PICTURE_BYTES), validate=True)
        except binascii.Error as error:
            raise RequestRefused("bad_body") from error
        web.hall.dice.photograph(data)
        return jsonify(ok=True)


def _take(area: Blueprint, web: Web) -> None:
    """How what was seen comes to count."""

    @area.post("/api/seat/<seat>/dice/accept")
    def accept(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            _accept(web, seat, data)
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/dice/first")
    def first(seat: str) -> Response:
        """The first throw counts."""
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            web.table().take_first_throw(seat, revision=require_int(data, "revision"))
        return jsonify(ok=True)


def _asked(web: Web, seat: str) -> RollDice:
    request = web.table().request
    if not isinstance(request, RollDice) or request.seat != seat:
        raise RequestRefused("no_roll", 409)
    return request


def _accept(web: Web, seat: str, data: dict[str, Any]) -> None:
    """``{"revision", "offer", "corrections"}`` for a reading, ``{"revision", "faces"}`` where typed in."""
    revision = require_int(data, "revision")
    table = web.table()
    if "faces" in data:
        table.answer(seat, _faces(data["faces"]), revision=revision)
        return
    corrections = data.get("corrections", [])
    if not isinstance(corrections, list) or not all(isinstance(one, dict) for one in corrections):
        raise RequestRefused("bad_body")
    table.accept_dice(seat, revision=revision, corrections=corrections[:60], offer=require_int(data, "offer"))


def _faces(raw: Any) -> dict[str, list[str]]:
    """Faces by die type, as typed in."""
    if not isinstance(raw, dict) or len(raw) > 12:
        raise RequestRefused("bad_body")
    for faces in raw.values():
        if not isinstance(faces, list) or len(faces) > 60 or not all(isinstance(f, str) for f in faces):
            raise RequestRefused("bad_body")
    return raw

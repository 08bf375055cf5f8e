"""The dice desk: the picture of the tray, throwing virtual dice, accepting a roll with corrections."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from referee.kernel.requests import RollDice
from web.context import Refused, Web, a_number, body
from web.hall import Roll, SettledDie


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("dice", __name__)

    @area.get("/dice/<int:number>.jpg")
    def picture(number: int) -> Response:
        web.known_session()
        roll = web.hall.dice.current()
        if roll is None or roll.number != number:
            raise Refused("no_picture", 404)
        return Response(roll.picture, mimetype="image/jpeg")

    @area.post("/api/seat/<seat>/dice/throw")
    def throw(seat: str) -> Response:
        web.seat_session(seat)
        _asked(web, seat)
        if not web.hall.dice.virtual:
            raise Refused("real_tray", 409)
        web.hall.dice.throw()
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/dice/look")
    def look(seat: str) -> Response:
        web.seat_session(seat)
        _asked(web, seat)
        web.hall.dice.look()
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/dice/accept")
    def accept(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            _accept(web, seat, data)
        return jsonify(ok=True)

    return area


def _asked(web: Web, seat: str) -> RollDice:
    request = web.table().request
    if not isinstance(request, RollDice) or request.seat != seat:
        raise Refused("no_roll", 409)
    return request


def _accept(web: Web, seat: str, data: dict[str, Any]) -> None:
    """``{"revision", "roll": number or null, "dice": [{"type", "face", "read"}]}``."""
    revision = a_number(data, "revision")
    table = web.table()
    if revision != table.revision:
        raise Refused("stale", 409)
    asked = _asked(web, seat)
    dice = _settled(data.get("dice"))
    roll = _roll(web, data)
    faces: dict[str, list[str]] = {}
    for die in dice:
        faces.setdefault(die.type, []).append(die.face)
    asked.check(faces)
    evidence = web.hall.dice.settle(roll, dice)
    source = "tablet" if roll is None else "camera"
    table.answer(seat, faces, revision=revision, source=source, evidence=dict(evidence))


def _roll(web: Web, data: dict[str, Any]) -> Roll | None:
    """The look that was accepted, which must be the newest; None where the dice were typed in."""
    if data.get("roll") is None:
        return None
    number = a_number(data, "roll")
    roll = web.hall.dice.current()
    if roll is None or roll.number != number:
        raise Refused("other_picture", 409)
    return roll


def _settled(raw: Any) -> list[SettledDie]:
    if not isinstance(raw, list) or len(raw) > 60:
        raise Refused("bad_body")
    dice = []
    for die in raw:
        if not isinstance(die, dict):
            raise Refused("bad_body")
        kind, face, read = die.get("type"), die.get("face"), die.get("read")
        if not (isinstance(kind, str) and isinstance(face, str) and isinstance(read, str | None)):
            raise Refused("bad_body")
        dice.append(SettledDie(kind, face, read))
    return dice

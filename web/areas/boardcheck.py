"""Comparing the board with the record, place by place, from a seat or the arbiter's desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from web.context import RequestRefused, Web, body, require_int, require_text
from web.words import name_of, sentence

ARBITER = "arbiter"
SCREENFUL = 6
"""Places that are compared at once, until somebody wants to look at them one by one."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("boardcheck", __name__)

    @area.post("/api/seat/<seat>/check/<step>")
    def at_seat(seat: str, step: str) -> Response:
        web.seat_session(seat)
        return _step(web, seat, step)

    @area.post("/api/arbiter/check/<step>")
    def at_desk(step: str) -> Response:
        with web.desk():
            return _step(web, ARBITER, step)

    return area


def _step(web: Web, seat: str, step: str) -> Response:
    data, table = body(), web.table()
    with web.hub.lock:
        found: dict[str, Any] = {"ok": True}
        if step == "begin":
            table.begin_board_check(seat, everything=data.get("everything") is True)
            table.look_one_by_one(seat, SCREENFUL)
        elif step == "lay":
            table.begin_laying(seat)
        elif step == "confirm":
            table.confirm_laying(seat)
        elif step == "answer":
            number = require_int(data, "number") if "number" in data else None
            place, says = require_text(data, "place", 80), require_text(data, "says", 20)
            table.answer_board_check(seat, place, says, number)
        elif step == "right":
            table.right_on_board(seat, _places(data))
        elif step == "single":
            table.look_one_by_one(seat)
        elif step == "back":
            table.back_in_board_check(seat)
        elif step == "end":
            table.end_board_check(seat)
        elif step == "form":
            found["items"] = _form(web, require_text(data, "place", 80))
        elif step == "propose":
            _propose(web, seat, data)
        else:
            raise RequestRefused("not_found", 404)
        # the board shows the place that is compared, whatever was under a finger before
        web.hall.show_draft(None, None)
        # a walk that begins is no event yet, but the clock stops for it and the game waits
        web.moved()
    return jsonify(found)


def _places(data: Mapping[str, Any]) -> list[str]:
    places = data.get("places")
    if not isinstance(places, list) or len(places) > SCREENFUL or not all(isinstance(p, str) for p in places):
        raise RequestRefused("bad_body")
    return places


def _form(web: Web, place: str) -> list[dict[str, Any]]:
    table, language = web.table(), web.language()
    game = table.play.game
    return [
        {
            "key": item.key,
            "name": ", ".join(sentence(game, one, language, {}) for one in (*item.of, item.label)),
            "options": [name_of(game, option, language, item.domain) for option in item.options],
            "count": item.count,
            "least": item.least,
            "most": item.most,
        }
        for item in table.correction_form(place)
    ]


def _propose(web: Web, seat: str, data: Mapping[str, Any]) -> None:
    """A seat asks the others; the arbiter decides."""
    counts = data.get("counts")
    if not isinstance(counts, dict) or len(counts) > 200:
        raise RequestRefused("bad_body")
    table = web.table()
    reason, revision = require_text(dict(data), "reason", 500), require_int(dict(data), "revision")
    primitives = table.primitives_for(require_text(dict(data), "place", 80), counts)
    if seat == ARBITER:
        table.correct(primitives, reason, revision=revision)
    else:
        table.propose_correction(seat, primitives, reason, revision=revision)

"""Cards at a seat: a look by its camera or into the tray becomes steps of its draft; each is taught once."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import flask
import numpy as np
from flask import Blueprint, Response, jsonify
from numpy.typing import NDArray

from calibration.cards import CardDesk
from referee.kernel.capabilities import ReadsCards
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.together import following
from vision.imagefile import UnreadableImage, decode_sent
from web.areas.setup import open_bench
from web.asks import option_text, own_part
from web.context import RequestRefused, Web, a_document, body, require_int, require_values
from web.words import ui

PICTURE_BYTES = 1024 * 1024


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("cards", __name__)

    @area.post("/api/seat/<seat>/cards/look")
    def look(seat: str) -> Response:
        """``{"revision", "what": "card" | "tableau", "picture" (base64) | "tray": true}``."""
        flask.request.max_content_length = PICTURE_BYTES
        web.seat_session(seat)
        data = body()
        desk, what = _desk(web), data.get("what")
        with web.hub.lock:
            game, state = _asked(web, seat, data)
            shapes = game.seen_shapes(state, seat) if what == "tableau" else ()
        if what not in ("card", "tableau") or (what == "tableau" and not shapes):
            raise RequestRefused("bad_body")
        picture = _tray(web) if data.get("tray") is True else _picture(data)
        reading = desk.look(seat, picture) if what == "card" else None
        seen = {} if reading is not None else desk.tableau(picture, shapes)
        with web.hub.lock:
            game, state = _asked(web, seat, data)
            if reading is not None:
                values = game.seen_card(state, reading.cells)
            else:
                values = game.seen_tableau(state, seat, seen)
            texts = _in_words(web, seat, values)
        unclear = reading is not None and not reading.whole
        language = web.language()
        said = ui("cards.seen", language) if values else ui("cards.unclear", language)
        return jsonify(values=values, texts=texts, unclear=unclear, sentence=said)

    @area.post("/api/seat/<seat>/cards/teach")
    def teach(seat: str) -> Response:
        """``{"revision", "values"}``: the card looked at last is the one that these steps tell."""
        web.seat_session(seat)
        data = body()
        values = require_values(data)
        with web.hub.lock:
            game, state = _asked(web, seat, data)
            cells = game.card_cells(state, [str(one) for one in values])
        if cells is None:
            raise RequestRefused("bad_body")
        return jsonify(known=_desk(web).teach(seat, cells))

    return area


def _desk(web: Web) -> CardDesk:
    found: CardDesk = open_bench(web).cards
    return found


def _asked(web: Web, seat: str, data: dict[str, Any]) -> tuple[ReadsCards, Any]:
    """The game and its state, where the seat is asked for a card now.  The caller holds the hub's lock."""
    table = web.table()
    if require_int(data, "revision") != table.revision:
        raise RequestRefused("stale", 409)
    game, request = table.play.game, table.request
    own = None if request is None else own_part(request, seat)
    if own is None or not isinstance(game, ReadsCards) or not game.card_steps(table.play.state, own):
        raise RequestRefused("bad_body")
    return game, table.play.state


def _in_words(web: Web, seat: str, values: list[str]) -> list[str]:
    """The steps as they are called.  The caller holds the hub's lock."""
    table, texts = web.table(), []
    own = own_part(table.request, seat) if table.request is not None else None
    for number, value in enumerate(values):
        step = following(own, values[:number]) if own is not None else None
        texts.append(value if step is None else option_text(table.play.game, step, value, web.language()))
    return texts


def _picture(data: dict[str, Any]) -> NDArray[np.uint8]:
    try:
        raw = base64.b64decode(a_document(data, "picture", PICTURE_BYTES), validate=True)
    except binascii.Error as error:
        raise RequestRefused("bad_body") from error
    try:
        return decode_sent(raw)
    except UnreadableImage as error:
        raise InvalidAnswer(error.text) from error


def _tray(web: Web) -> NDArray[np.uint8]:
    picture = open_bench(web).picture()
    if picture is None:
        raise InvalidAnswer(Text("calibration.cards_no_camera"))
    return np.asarray(picture, np.uint8)

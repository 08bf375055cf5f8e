"""Capturing boards from photographs: the picture, what was found in it, one step after another."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import cv2
from flask import Blueprint, Response, jsonify, request

from calibration.capture import BoardCapture
from referee.kernel.capabilities import CapturesBoards
from referee.kernel.capturing import CaptureForm, Mark
from referee.kernel.messages import Text, said_in
from web.areas.setup import known_game, open_bench, owner
from web.areas.start import may_start
from web.context import RequestRefused, Web, body
from web.words import name_of, sentence, ui

PHOTO_BYTES = 1_000_000
"""Of a request that brings a photograph: pages make it smaller before."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("capture", __name__)

    @area.get("/api/setup/capture")
    def overview() -> Response:
        games = [game for game in web.hall.games() if isinstance(game, CapturesBoards)]
        return jsonify(games=[game_json(web, game) for game in games], may_change=may_start(web))

    @area.get("/api/setup/capture/<game_id>/<form>/<name>")
    def look(game_id: str, form: str, name: str) -> Response:
        game = known_game(web, game_id)
        return jsonify(capture_json(web, game, open_bench(web).captures.capture(game, name, form)))

    @area.get("/setup/capture/<game_id>/<form>/<name>/<picture>.jpg")
    def picture(game_id: str, form: str, name: str, picture: str) -> Response:
        """The photograph, or the squared picture: for those at the table alone."""
        session = web.known_session()
        if not (session.seats or session.arbiter or may_start(web)):
            raise RequestRefused("may_not_set_up", 403)
        capture = open_bench(web).captures.capture(known_game(web, game_id), name, form)
        shown = {"photo": lambda: capture.photo, "flat": lambda: capture.flat}.get(picture)
        if shown is None:
            raise RequestRefused("not_found", 404)
        data = cv2.imencode(".jpg", shown(), [cv2.IMWRITE_JPEG_QUALITY, 86])[1].tobytes()
        return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @area.post("/api/setup/capture/<game_id>/<form>/<name>/<what>")
    def act(game_id: str, form: str, name: str, what: str) -> Response:
        owner(web)
        game, desk = known_game(web, game_id), open_bench(web).captures
        digest = ""
        if what == "begin":
            request.max_content_length = PHOTO_BYTES
            capture = desk.begin(game, name, form, _photo(body()))
        elif what == "step":
            step = body().get("step")
            if not isinstance(step, dict):
                raise RequestRefused("bad_body")
            capture = desk.do(game, name, form, step)
        elif what == "back":
            capture = desk.back(game, name, form)
        elif what == "finish":
            digest = desk.finish(game, name, form)
            capture = desk.capture(game, name, form)
        else:
            raise RequestRefused("not_found", 404)
        return jsonify({**capture_json(web, game, capture), "digest": digest})

    return area


def _photo(data: Mapping[str, Any]) -> bytes:
    try:
        return base64.b64decode(str(data.get("picture", "")), validate=True)
    except binascii.Error as error:
        raise RequestRefused("bad_body") from error


def game_json(web: Web, game: Any) -> dict[str, Any]:
    """A game whose boards can be captured, with its forms."""
    language = web.language()
    return {
        "id": game.id,
        "title": said_in(game.title, language),
        "boards": open_bench(web).captures.shelf(game).names(),
        "forms": [form_json(game, form, language) for form in game.capture_forms()],
    }


def form_json(game: Any, form: CaptureForm, language: str) -> dict[str, Any]:
    """A form in words."""
    groups = [{"id": one, "name": name_of(game, one, language, form.domain)} for one in form.groups]
    return {
        "id": form.id,
        "name": sentence(game, form.label, language, {}),
        "groups": groups,
        "marks": [_mark_json(game, mark, language) for mark in form.marks],
        "numbers": [
            {"id": key, "name": sentence(game, label, language, {})} for key, label in form.numbers.items()
        ],
        "named": form.named,
    }


def _mark_json(game: Any, mark: Mark, language: str) -> dict[str, Any]:
    values = [{"id": one, "name": name_of(game, one, language, mark.domain)} for one in mark.values]
    return {
        "id": mark.id,
        "where": mark.where,
        "name": sentence(game, mark.label, language, {}),
        "values": values,
        "copies": mark.copies,
    }


def capture_json(web: Web, game: Any, capture: BoardCapture) -> dict[str, Any]:
    """A capture as a screen draws it, in a square of 1000; the corners in shares of the photograph."""
    language, drawing = web.language(), capture.drawing()
    height, width = capture.photo.shape[:2]
    return {
        "form": form_json(game, capture.form, language),
        "photo": [width, height],
        "corners": [[x / width, y / height] for x, y in capture.corners],
        "steps": len(capture.steps),
        "corners_done": any(step["do"] != "corners" for step in capture.steps),
        "areas": [
            {
                "id": int(key[1:]),
                "group": one.group,
                "marks": list(one.marks),
                "name": one.name,
                "outline": one.outline,
                "at": one.at,
            }
            for key, one in drawing.areas.items()
        ],
        "joins": [[int(a[1:]), int(b[1:])] for a, b in drawing.joins],
        "points": [
            {
                "mark": one.mark,
                "value": one.value,
                "at": one.at,
                "beside": [int(key[1:]) for key in one.beside],
            }
            for one in drawing.points
        ],
        "numbers": {key: list(values) for key, values in drawing.numbers.items()},
        "doubts": [
            {
                "kind": one.kind,
                "areas": list(one.areas),
                "at": [one.at[0] * 1000, one.at[1] * 1000],
                "text": ui(f"capture.doubt_{one.kind}", language),
                "joined": tuple(one.areas) in capture.joins(),
            }
            for one in capture.doubts()
        ],
        "troubles": [
            {"text": _said(game, one.text, language), "areas": [int(key[1:]) for key in one.areas]}
            for one in capture.troubles(game)
        ],
    }


def _said(game: Any, text: Text, language: str) -> str:
    """A trouble in words, its ids by their names."""
    names = {key: name_of(game, value, language, key) if isinstance(value, str) else value
             for key, value in text.params.items()}  # fmt: skip
    return Text(text.id, **names).in_words(language)

"""Camera, teaching dice and the LED map: the set-up pages that work with the table's devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from referee.kernel.at_table import layout_name
from referee.kernel.lights import TRAY, lit_places, seat_light
from referee.kernel.messages import Text, said_in
from referee.kernel.requests import RollDice
from web.areas.setup import known_game, open_bench, options_on_table, owner
from web.areas.start import may_start
from web.asks import by_name
from web.context import RequestRefused, Web, body, require_int, require_text
from web.words import name_of, ui

FINDINGS = ("markers", "border", "height", "size", "sharp", "bright", "even", "glare", "place")
"""Lines of the camera check; whatever else it says is about the picture as a whole."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("workshop", __name__)
    _camera(area, web)
    _teaching(area, web)
    _leds(area, web)
    return area


def _camera(area: Blueprint, web: Web) -> None:
    @area.get("/setup/live.jpg")
    def live() -> Response:
        """A picture of the tray tells no secret, but it is for those at the table."""
        session = web.known_session()
        if not (session.seats or session.arbiter or may_start(web)):
            raise RequestRefused("may_not_set_up", 403)
        found = open_bench(web).jpeg()
        if found is None:
            raise RequestRefused("no_picture", 404)
        return Response(found, mimetype="image/jpeg")

    @area.get("/api/setup/camera")
    def camera() -> Response:
        return jsonify(camera_json(web, open_bench(web).look()))

    @area.post("/api/setup/camera/calibrate")
    def calibrate() -> Response:
        """Where the tray lies now is where it belongs."""
        owner(web)
        return jsonify(camera_json(web, open_bench(web).calibrate()))


def camera_json(web: Web, seen: Any) -> dict[str, Any]:
    """What a look at the camera's picture says, or that there is none."""
    language = web.language()
    if seen is None:
        state = [d for d in web.hall.devices() if d.id == "camera"]
        text = state[0].text.in_words(language) if state else ""
        return {"picture": False, "text": text, "findings": [], "markers": 0, "good": False}
    findings = [
        {
            "code": one.code,
            "name": finding_name(one.code, language),
            "good": one.good,
            "text": one.text.in_words(language),
        }
        for one in seen.findings
    ]
    return {
        "picture": True, "text": "", "findings": findings, "markers": len(seen.markers), "good": seen.good
    }  # fmt: skip


def finding_name(code: str, language: str) -> str:
    """What a line of the camera check is about, in a word or two."""
    return ui(f"camera.check_{code if code in FINDINGS else 'picture'}", language)


def _teaching(area: Blueprint, web: Web) -> None:
    @area.get("/api/setup/dice")
    def teaching() -> Response:
        return jsonify(teaching_json(web))

    @area.post("/api/setup/dice/<step>")
    def teach(step: str) -> Response:
        owner(web)
        _no_roll(web)
        bench, data = open_bench(web), body()
        said: dict[str, Any] = {}
        if step == "begin":
            game = known_game(web, require_text(data, "game", 60))
            bench.teach(game.dice.get(require_text(data, "type", 60)), data.get("fresh") is not False)
        elif step == "take":
            verdict = bench.offer(require_text(data, "face", 60))
            said = {"taken": verdict.taken, "text": verdict.text.in_words(web.language())}
        elif step == "lay":
            bench.lay_die(require_text(data, "face", 60))
        elif step == "test":
            said = {"test": test_json(web, bench, bench.examine())}
        elif step == "finish":
            result = test_json(web, bench, None)
            bench.finish()
            said = {"test": result, "finished": True}
        elif step == "stop":
            bench.give_up_teaching()
        else:
            raise RequestRefused("not_found", 404)
        return jsonify({**teaching_json(web), **said})


def _no_roll(web: Web) -> None:
    """While the game waits for a roll the tray belongs to it."""
    table = web.hall.table
    if table is not None and isinstance(table.request, RollDice):
        raise RequestRefused("roll_first", 409)


def _game_of(web: Web, die_type: str) -> Any:
    return next((g for g in web.hall.games() if die_type in g.dice), None)


def _face(web: Web, die_type: str, face: str) -> str:
    game = _game_of(web, die_type)
    return face if game is None else name_of(game, face, web.language(), "face")


def teaching_json(web: Web) -> dict[str, Any]:
    """What can be taught, and how far the open session is."""
    language = web.language()
    kinds: dict[str, dict[str, Any]] = {}
    for game in web.hall.games():
        for die in game.dice.values():
            if die.kind == "symbol":
                # games that share a die type share what is known of its faces
                named = {"game": game.id, "type": die.id, "text": name_of(game, die.id, language, "die")}
                kinds.setdefault(die.id, {**named, "titles": []})["titles"].append(
                    said_in(game.title, language)
                )
    session = open_bench(web).teaching
    data: dict[str, Any] = {"types": list(kinds.values()), "session": None, "virtual": web.hall.dice.virtual}
    if session is not None:
        kind, missing = session.die_type.id, session.missing()
        data["session"] = {
            "type": kind,
            "text": kinds[kind]["text"] if kind in kinds else kind,
            "next": session.next_face(),
            "faces": [
                {"id": face, "text": _face(web, kind, face), "missing": missing.get(face, 0)}
                for face in session.die_type.distinct_faces
            ],
        }
    return data


def test_json(web: Web, bench: Any, result: Any) -> dict[str, Any]:
    """What the self-test says: how many are right, which faces are confused, which need more pictures."""
    result = bench.examine() if result is None else result
    kind = bench.teaching.die_type.id
    return {
        "tested": result.tested,
        "right": result.right,
        "confused": [
            {"shown": _face(web, kind, shown), "read": _face(web, kind, read), "count": count}
            for shown, read, count in result.confused
        ],
        "more": [
            {"face": _face(web, kind, face), "why": _why(web, kind, why)}
            for face, why in sorted(result.ask_for_more.items())
        ],
    }


def _why(web: Web, kind: str, why: Text) -> str:
    """Why a face needs more pictures, with the names of faces."""
    language, game = web.language(), _game_of(web, kind)
    said = why.in_words(language)
    return said if game is None else by_name(game, [kind], said, language)


def _leds(area: Blueprint, web: Web) -> None:
    @area.get("/api/setup/leds")
    def mapping() -> Response:
        return jsonify(mapping_json(web))

    @area.post("/api/setup/leds/<step>")
    def map_leds(step: str) -> Response:
        owner(web)
        bench, data = open_bench(web), body()
        if step == "begin":
            game = known_game(web, require_text(data, "game", 60))
            if getattr(game, "board", None) is None:
                raise RequestRefused("no_board", 409)
            options = options_on_table(web, game)
            lit = [one["id"] for one in lit_json(game, options, "en")]
            bench.map_leds(lit, require_int(data, "leds"), layout_name(game, options))
        elif step in ("assign", "skip", "undo"):
            bench.decide(step, require_text(data, "place", 80))
        elif step == "save":
            bench.save_map()
        elif step == "stop":
            bench.give_up_mapping()
        else:
            raise RequestRefused("not_found", 404)
        return jsonify(mapping_json(web))

    @area.get("/api/setup/lit/<game_id>")
    def lit(game_id: str) -> Response:
        game = known_game(web, game_id)
        return jsonify(lit=lit_json(game, options_on_table(web, game), web.language()))


def lit_json(game: Any, options: Mapping[str, Any], language: str) -> list[dict[str, Any]]:
    """All that may have LEDs, in words: places of the board (``board`` true) and what lies beside it."""
    places = game.board(options).places
    rock = {place for place, one in places.items() if one.kind == "rock"}
    found = []
    for one in lit_places(game, options):
        if one in rock:
            continue  # nothing ever stands or shines there
        name = places[one].name(language) if one in places else beside_board(game, one, language)
        found.append({"id": one, "name": name, "board": one in places})
    return found


def beside_board(game: Any, light: str, language: str) -> str:
    """What has LEDs but is no place of the board, in words: the tray, a seat."""
    seat = next((one for one in game.seats if seat_light(one) == light), None)
    if seat is not None:
        return ui("leds.seat", language, name=name_of(game, seat, language, "seat"))
    return ui("leds.tray", language) if light == TRAY else name_of(game, light, language)


def mapping_json(web: Web) -> dict[str, Any]:
    """How far the open LED mapping is; None where none is open."""
    mapping = open_bench(web).mapping
    if mapping is None:
        return {"mapping": None}
    return {
        "mapping": {
            "leds": mapping.leds,
            "current": mapping.current,
            "choices": list(mapping.choices),
            "missing": mapping.missing(),
        }
    }

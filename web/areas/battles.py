"""The editor of battles: what is made by tapping hexes and stacks, checked, played out, kept, printed.

Looking is free for whoever is at the table; changing is for who may start a game here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from calibration.battles import LONGEST_FILE, BattleShelf
from calibration.playouts import Progress
from referee.drawing.board_svg import draw_on
from referee.kernel.capabilities import MakesBattles
from referee.kernel.messages import Text, said_in
from web.areas.setup import field_json, known_game, open_bench, owner
from web.battles import battle_name
from web.boards import drawn_json
from web.context import RequestRefused, Web, a_document, body, require_int, require_text
from web.snapshot import looks_json
from web.words import name_of, ui

MOST_NAME = 60
MOST_SEED = 2**31 - 1


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("battles", __name__)

    _routes_of_files(web, area)

    @area.get("/api/setup/battles")
    def games() -> Response:
        language = web.language()
        found = [
            {"id": g.id, "title": said_in(g.title, language)}
            for g in web.hall.games()
            if isinstance(g, MakesBattles)
        ]
        return jsonify(games=found)

    @area.get("/api/setup/battles/<game_id>")
    def look(game_id: str) -> Response:
        return jsonify(battle_json(web, _shelf(web, game_id)))

    @area.get("/api/setup/battles/<game_id>/playouts")
    def playouts(game_id: str) -> Response:
        return jsonify(playouts=playouts_json(_shelf(web, game_id), web.language()))

    @area.post("/api/setup/battles/<game_id>/<doing>")
    def do(game_id: str, doing: str) -> Response:
        owner(web)
        shelf = _shelf(web, game_id)
        if doing not in DOINGS:
            raise RequestRefused("not_found", 404)
        data = body()
        DOINGS[doing](web, shelf, data)
        return jsonify(battle_json(web, shelf, str(data.get("board", ""))))

    return area


def _routes_of_files(web: Web, area: Blueprint) -> None:
    """The battle under way on paper, as a picture, as a file."""

    @area.get("/setup/battles/<game_id>/sheet")
    def sheet(game_id: str) -> str:
        """The battle under way on paper: picture, forces, what lies ready."""
        web.page_session()
        shelf, language = _shelf(web, game_id), web.language()
        return render_template("battle_sheet.html", page="battle-sheet", battle=sheet_json(shelf, language))

    @area.get("/api/setup/battles/<game_id>/picture.svg")
    def picture(game_id: str) -> Response:
        shelf = _shelf(web, game_id)
        state, board = shelf.making.preview(shelf.data, _told(web, shelf))
        return Response(draw_on(board, shelf.game, state, web.language()), mimetype="image/svg+xml")

    @area.get("/api/setup/battles/<game_id>/file")
    def file(game_id: str) -> Response:
        shelf = _shelf(web, game_id)
        response = Response(shelf.text(), mimetype="application/yaml")
        response.headers["Content-Disposition"] = f'attachment; filename="{shelf.data["id"]}.yaml"'
        return response


def _shelf(web: Web, game_id: str) -> BattleShelf:
    game = known_game(web, game_id)
    if not isinstance(game, MakesBattles):
        raise RequestRefused("not_found", 404)
    shelf: BattleShelf = open_bench(web).battles(game)
    return shelf


# --- what is done ------------------------------------------------------------------------------------

Doing = Callable[[Web, BattleShelf, dict[str, Any]], object]


def _step(web: Web, shelf: BattleShelf, data: dict[str, Any]) -> None:
    step = data.get("step")
    if (
        not isinstance(step, dict)
        or len(step) > 8
        or not all(isinstance(v, str | int) for v in step.values())
    ):
        raise RequestRefused("bad_body")
    shelf.step(step, require_int(data, "number"))


def _play_out(web: Web, shelf: BattleShelf, data: dict[str, Any]) -> None:
    told = _told(web, shelf)
    wrong = [one for one in shelf.making.findings(shelf.data, told) if one.weight == "wrong"]
    if wrong:
        raise RequestRefused("battle_wrong", 409)
    options = {"scenario": shelf.text(), **({"box": told} if told else {})}
    shelf.playouts.begin(shelf.game.id, options, require_int(data, "games"), shelf.number)


DOINGS: Mapping[str, Doing] = {
    "step": _step,
    "undo": lambda web, shelf, data: shelf.undo(require_int(data, "number")),
    "redo": lambda web, shelf, data: shelf.redo(require_int(data, "number")),
    "new": lambda web, shelf, data: shelf.begin(Text("calibration.new_battle").in_words(web.language())),
    "chance": lambda web, shelf, data: shelf.by_chance(min(MOST_SEED, abs(require_int(data, "seed")))),
    "keep": lambda web, shelf, data: shelf.keep(_told(web, shelf)),
    "open": lambda web, shelf, data: shelf.open(require_text(data, "id", MOST_NAME)),
    "throw_away": lambda web, shelf, data: shelf.throw_away(require_text(data, "id", MOST_NAME)),
    "take_in": lambda web, shelf, data: shelf.take_in(a_document(data, "text", LONGEST_FILE)),
    "play_out": _play_out,
    "stop": lambda web, shelf, data: shelf.playouts.stop(),
}
"""What a tablet may ask for."""


def _told(web: Web, shelf: BattleShelf) -> Mapping[str, Any]:
    """What the owner told of his box."""
    told: Mapping[str, Any] = open_bench(web).book(shelf.game).values
    return told


# --- what is shown -----------------------------------------------------------------------------------


def battle_json(web: Web, shelf: BattleShelf, board: str = "") -> dict[str, Any]:
    """All that the editor shows; the board's drawing only where it is not the one called ``board``."""
    language = web.language()
    with shelf.lock:
        game, making, data = shelf.game, shelf.making, shelf.data
        state, drawn = making.preview(data, _told(web, shelf))
        return {
            "number": shelf.number,
            "name": battle_name(data, language),
            "undo": shelf.can_undo,
            "redo": shelf.can_redo,
            "board": None
            if drawn.digest == board
            else {**drawn_json(drawn, game, language), "digest": drawn.digest},
            "looks": looks_json(game),
            "places": game.view(state, None, language)["places"],
            "seats": [{"id": seat, "name": name_of(game, seat, language, "seat")} for seat in game.seats],
            "stacks": [
                {"id": one.id, "kind": one.kind, "name": one.name.in_words(language), "piece": one.piece}
                for one in making.stacks()
            ],
            "settings": [
                {**field_json(game, field, language), "value": value}
                for field, value in making.settings(data)
            ],
            "findings": [
                {"weight": one.weight, "text": one.text.in_words(language), "places": list(one.places)}
                for one in making.findings(data, _told(web, shelf))
            ],
            "kept": [{"id": one.id, "name": battle_name(one.data, language)} for one in shelf.kept()],
            "playouts": playouts_json(shelf, language),
        }


def playouts_json(shelf: BattleShelf, language: str) -> dict[str, Any] | None:
    """How far the play-outs are, in numbers and in a sentence."""
    progress = shelf.playouts.progress
    if progress is None:
        return None
    return {
        "games": progress.games,
        "wanted": progress.wanted,
        "running": progress.running,
        "old": progress.number != shelf.number,
        "text": told_in_words(shelf.game, progress, language),
    }


def told_in_words(game: Any, progress: Progress, language: str) -> str:
    """``1,000 battles: South wins 54 %, North wins 46 %, 7.8 turns``."""
    if progress.failed:
        return ui("battles.failed", language, why=progress.failed)
    if not progress.games:
        return ui("battles.starting", language)
    shares = ", ".join(
        ui(
            "battles.wins", language, seat=name_of(game, seat, language, "seat"),
            share=round(100 * progress.wins.get(seat, 0) / progress.games),
        )
        for seat in game.seats
    )  # fmt: skip
    return ui("battles.played_out", language, games=progress.games, shares=shares, turns=progress.turns)


def sheet_json(shelf: BattleShelf, language: str) -> dict[str, Any]:
    """What a printed sheet says beside the picture."""
    game, making, data = shelf.game, shelf.making, shelf.data
    needs: dict[str, list[str]] = {"": [], **{seat: [] for seat in game.seats}}
    for seat, what, count in making.needs(data):
        needs[seat].append(f"{count} × {what.in_words(language)}")
    shown = [{**field_json(game, field, language), "value": value} for field, value in making.settings(data)]
    return {
        "game": game.id,
        "title": said_in(game.title, language),
        "name": battle_name(data, language),
        "tiles": needs.pop(""),
        "sides": [(name_of(game, seat, language, "seat"), lines) for seat, lines in needs.items()],
        "settings": [
            (
                one["label"],
                next((o["text"] for o in one["options"] if o["value"] == one["value"]), one["value"]),
            )
            for one in shown
            if one["value"] != "0"
        ],
    }

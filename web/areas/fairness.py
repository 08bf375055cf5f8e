"""Are the dice fair?  What fell in the running game, tested and in a sentence, and a file to take away."""

from __future__ import annotations

import json
from dataclasses import asdict

from flask import Blueprint, Response, jsonify, render_template

from referee.hall.line import line_of
from vision.fairness import examine
from web.context import Web
from web.hall import Table
from web.words import name_of


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("fairness", __name__)

    @area.get("/fairness")
    def page() -> str:
        web.page_session()
        return render_template("fairness.html", page="fairness")

    @area.get("/api/fairness")
    def figures() -> Response:
        web.known_session()
        language = web.language()
        with web.hub.lock:
            table = web.hall.table
            fallen = _fallen(table) if table else {}
            game = table.play.game if table else None
        if game is None:
            return jsonify(dice=[], virtual=web.hall.dice.virtual)
        counts = {die: {face: faces.count(face) for face in set(faces)} for die, faces in fallen.items()}
        results = examine(counts, {die: game.dice[die].faces for die in fallen}, fallen)
        dice = [
            {
                **asdict(one),
                "name": name_of(game, one.name, language, "die"),
                "id": one.name,
                "sentence": one.sentence_de if language == "de" else one.sentence_en,
                "faces": {face: name_of(game, face, language, "face") for face in one.counts},
            }
            for one in results
        ]
        return jsonify(dice=dice, virtual=web.hall.dice.virtual)

    @area.get("/fairness.jsonl")
    def rolls() -> Response:
        web.known_session()
        with web.hub.lock:
            table = web.table()
            fallen = _fallen(table)
            types = table.play.game.dice
        lines = [{"type": die, "faces": list(types[die].faces)} for die in fallen]
        lines += [{"type": die, "face": face} for die, faces in fallen.items() for face in faces]
        text = "".join(json.dumps(one) + "\n" for one in lines)
        return Response(
            text,
            mimetype="application/jsonl",
            headers={"Content-Disposition": "attachment; filename=rolls.jsonl", "Cache-Control": "no-store"},
        )

    return area


def _fallen(table: Table) -> dict[str, list[str]]:
    """The faces of each die type in the order in which they fell; rolls taken back are left out."""
    fallen: dict[str, list[str]] = {}
    for event in line_of(list(table.events())):
        if event.request and event.request["kind"] == "roll_dice":
            for die, faces in event.answer.items():
                fallen.setdefault(die, []).extend(faces)
    return {die: faces for die, faces in fallen.items() if faces}

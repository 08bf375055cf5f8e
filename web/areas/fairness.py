"""Are the dice fair?  What fell in the running game, tested and in a sentence, and a file to take away."""

from __future__ import annotations

from collections import Counter

from flask import Blueprint, Response, jsonify, render_template

from referee.archive.rolls import as_lines, fallen
from vision.fairness import examine
from web.asks import by_name
from web.context import Web
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
            game = table.play.game if table else None
            fell = fallen(list(table.events()), game.dice) if table and game else {}
        if game is None:
            return jsonify(dice=[], virtual=web.hall.dice.virtual)
        rolls = {die: [faces for _, faces in known] for die, known in fell.items()}
        counts = {die: Counter(face for faces in known for face in faces) for die, known in rolls.items()}
        results = examine(counts, {die: game.dice[die].faces for die in fell}, rolls)
        dice = [
            {
                **one.as_json(),
                "name": name_of(game, one.name, language, "die"),
                "id": one.name,
                "sentence": by_name(game, [one.name], one.sentence(language), language),
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
            types = table.play.game.dice
            text = as_lines(fallen(list(table.events()), types), types)
        return Response(
            text,
            mimetype="application/jsonl",
            headers={"Content-Disposition": "attachment; filename=rolls.jsonl", "Cache-Control": "no-store"},
        )

    return area

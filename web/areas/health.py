"""The health page: every device and what to do about it, in words."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from web.context import Web


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("health", __name__)

    @area.get("/health")
    def page() -> str:
        web.page_session()
        return render_template("health.html", page="health")

    @area.get("/api/health")
    def health() -> Response:
        language = web.language()
        devices = [
            {"id": d.id, "health": d.health, "text": d.sentence_de if language == "de" else d.sentence_en}
            for d in web.hall.devices()
        ]
        return jsonify(devices=devices, ok=all(d["health"] == "ok" for d in devices))

    return area

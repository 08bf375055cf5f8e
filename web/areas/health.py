"""The health page: every device and what to do about it, in words."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from web.areas.workshop import finding_name
from web.context import Web
from web.words import ui


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
        known = web.snapshots.devices()
        # a device that is in trouble says more than the examination that looks at the same thing
        said = {one.id for one in known}
        found = [*known, *(one for one in web.hall.examine() if one.id not in said)]
        devices = [
            {
                "id": one.id,
                "name": thing_name(one.id, language),
                "health": one.health,
                "text": one.text.in_words(language),
            }
            for one in found
        ]
        return jsonify(devices=devices, ok=all(one["health"] == "ok" for one in devices))

    return area


def thing_name(thing: str, language: str) -> str:
    """What a line is about: a device, a part of the machine, or one look at the tray."""
    if thing.startswith("tray."):
        return f"{ui('device.tray', language)}, {finding_name(thing.removeprefix('tray.'), language)}"
    return ui(f"device.{thing}", language)

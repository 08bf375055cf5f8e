"""The big screen: everything that is public, nothing that is secret, no buttons that matter."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from web.areas.seat import json_text
from web.context import Web


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("spectator", __name__)

    @area.get("/watch")
    def page() -> str:
        web.page_session()
        return render_template("watch.html", page="watch")

    @area.get("/api/watch/state")
    def state() -> Response:
        return json_text(web.hub.snapshot(("watch", web.language()))[1])

    return area

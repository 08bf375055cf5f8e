"""Set-up and calibration, reachable from the start page; ``calibration/`` adds its own pages here."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.context import Web


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("setup", __name__)

    @area.get("/setup")
    def page() -> str:
        web.page_session()
        return render_template("setup.html", page="setup")

    return area

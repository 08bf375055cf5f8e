"""Wiring diagrams of docs/build/ (filled in below)."""

from __future__ import annotations


def build_pictures() -> dict[str, str]:
    """File name in docs/build/ to its SVG."""
    return {}

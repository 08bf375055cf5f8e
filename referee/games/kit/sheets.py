"""Surfaces beside the board, for screens: a grid, a ring, a row of cards, with cells that can be tapped.

A game puts them under ``sheets`` of its view.  A question whose domain is ``cell`` has cells as options;
the ids of cells are the game's own and differ from those of places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.kernel.lights import Meaning


def cell(
    name: str,
    title: str,
    *,
    text: str = "",
    sign: tuple[str, str] = ("", ""),
    seat: str | None = None,
    light: Meaning | None = None,
    pieces: Sequence[dict[str, Any]] = (),
    markers: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """One cell: its id, its name in the screen's language, and what is on it.

    ``text`` is what is printed or lies there, in a few letters ("" for an empty cell), ``sign`` the same as
    a silhouette of the game's figures with a number beside it; ``seat`` whose it is; ``light`` how it is lit
    on screens; ``pieces`` and ``markers`` as at a place of the board.
    """
    return {
        "id": name,
        "name": title,
        "text": text,
        "sign": list(sign),
        "seat": seat,
        "light": None if light is None else light.value,
        "pieces": list(pieces),
        "markers": list(markers),
    }


def _sheet(
    kind: str, name: str, title: str, cells: Iterable[dict[str, Any]], seat: str | None, columns: int
) -> dict[str, Any]:
    return {
        "id": name,
        "kind": kind,
        "title": title,
        "seat": seat,
        "columns": columns,
        "cells": list(cells),
    }


def grid(
    name: str, title: str, cells: Iterable[dict[str, Any]], columns: int, seat: str | None = None
) -> dict[str, Any]:
    """Rows of ``columns`` cells, from the top left on: a tableau."""
    return _sheet("grid", name, title, cells, seat, columns)


def ring(name: str, title: str, cells: Iterable[dict[str, Any]], seat: str | None = None) -> dict[str, Any]:
    """Cells in a circle, from the top on clockwise: a wheel."""
    return _sheet("ring", name, title, cells, seat, 0)


def cards(name: str, title: str, cells: Iterable[dict[str, Any]], seat: str | None = None) -> dict[str, Any]:
    """Cards in a row: a display, a hand laid open."""
    return _sheet("cards", name, title, cells, seat, 0)

"""Marker sheets: the tray's fiducials, and those at the corners of the board, in true size.

A marker is its black square of ``marker_mm`` with the pattern of its number, and a white border around it,
without which it is not found.  Cut along the marks, outside of the border.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.prints import BLACK, MARGIN_MM, Sheets
from referee.kernel.messages import Text
from vision.sources.framing import QUIET_MM
from vision.tray import TraySpec

BOARD_MARKERS = (40, 41, 42, 43)
BOARD_MARKER_MM = 40.0
BOARD_DICTIONARY = "DICT_4X4_50"
PAGE_MM = (210.0, 297.0)
GAP_MM = 12.0  # between markers, for cut marks and words
TOP_MM = 30.0  # of a page: heading and check line
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


@dataclass(frozen=True)
class MarkerSheet:
    """Markers that belong together; ``mm`` is the edge of their black square."""

    title: Text
    hint: Text
    dictionary: str
    ids: tuple[int, ...]
    mm: float


def modules(dictionary: str, number: int) -> np.ndarray:
    """The pattern of a marker, its black frame included: n x n bool, True is black.

    Raises ValueError where the dictionary has no such number.
    """
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    if not 0 <= number < known.bytesList.shape[0]:
        raise ValueError(f"{dictionary} has no marker {number}")
    side = known.markerSize + 2
    return cv2.aruco.generateImageMarker(known, number, side) < 128


def sheets_of(spec: TraySpec) -> list[MarkerSheet]:
    """The tray's markers, and those of the board's corners."""
    across, deep = (
        max(c[k] for c in spec.marker_centres_mm) - min(c[k] for c in spec.marker_centres_mm) for k in (0, 1)
    )
    tray = MarkerSheet(
        Text("calibration.tray_markers"),
        Text(
            "calibration.markers_below" if spec.marker_plane_mm <= 0 else "calibration.markers_above",
            across=across,
            deep=deep,
            plane=abs(spec.marker_plane_mm),
        ),
        spec.dictionary,
        spec.marker_ids,
        spec.marker_mm,
    )
    board = MarkerSheet(
        Text("calibration.board_markers"),
        Text("calibration.board_markers_where"),
        BOARD_DICTIONARY,
        BOARD_MARKERS,
        BOARD_MARKER_MM,
    )
    return [tray, board]


def pdf(sheets: list[MarkerSheet], language: str) -> bytes:
    """All sheets as one PDF (A4).  Raises ValueError where a marker is too large for the paper."""
    doc = Sheets(Text("calibration.markers").in_words(language))
    for sheet in sheets:
        _pages(doc, sheet, language)
    return bytes(doc.output())


def _pages(doc: Sheets, sheet: MarkerSheet, language: str) -> None:
    cell = sheet.mm + 2 * QUIET_MM
    a_row = int((PAGE_MM[0] - 2 * MARGIN_MM + GAP_MM) // (cell + GAP_MM))
    rows = int((PAGE_MM[1] - TOP_MM - MARGIN_MM) // (cell + GAP_MM))
    if not a_row or not rows:
        raise ValueError(f"markers of {sheet.mm:g} mm do not fit on A4 paper")
    a_row = min(a_row, 2)  # as they lie around the tray: two above, two below
    names = [Text(f"calibration.{corner}").in_words(language) for corner in CORNERS]
    # on paper as they lie around the tray, while their numbers go round clockwise
    corners = (0, 1, 3, 2) if a_row == 2 else (0, 1, 2, 3)
    for place, corner in enumerate(corners):
        slot = place % (a_row * rows)
        if slot == 0:
            _head(doc, sheet, language)
        x = MARGIN_MM + (slot % a_row) * (cell + GAP_MM)
        y = TOP_MM + (slot // a_row) * (cell + GAP_MM)
        _marker(doc, sheet, sheet.ids[corner], x + QUIET_MM, y + QUIET_MM)
        doc.cut_marks(x, y, cell, cell)
        doc.words(x + 2, y + cell + 5, f"{sheet.ids[corner]}: {names[corner]}")


def _head(doc: Sheets, sheet: MarkerSheet, language: str) -> None:
    doc.add_page()
    doc.words(MARGIN_MM, 11, sheet.title.in_words(language), 12)
    doc.words(MARGIN_MM, 16, sheet.hint.in_words(language), 8)
    doc.check_line(MARGIN_MM, 20.5, language)


def _marker(doc: Sheets, sheet: MarkerSheet, number: int, x: float, y: float) -> None:
    """The black modules as rectangles: runs of a row in one, so that no hairline is left between them."""
    dark = modules(sheet.dictionary, number)
    step = sheet.mm / len(dark)
    doc.set_fill_color(BLACK)
    for row, line in enumerate(dark):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(int), [0]])))
        for start, end in edges.reshape(-1, 2):
            # a hundredth more below, where the next row begins
            more = 0.01 if row + 1 < len(dark) and dark[row + 1, start:end].all() else 0.0
            doc.rect(x + start * step, y + row * step, (end - start) * step, step + more, style="F")

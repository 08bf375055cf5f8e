"""Pictures of a tray as somebody would take them with a telephone: without markers, from any side.

``referee dice bench FOLDER --photograph`` reads them by ``photodice``: the floor of the tray, or what lies
around the dice where its corners are not known, is cut out, turned and scaled, each picture its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

TURNS = (0.0, 100.0, 187.0, 263.0, 20.0)  # degrees
SCALES = (1.0, 0.7, 0.85, 0.6)
ROOM = 3.0  # edges of the cut round the dice where the tray's corners are not known
EDGE_PX = 55.0  # of a die there


def photographed(
    image: np.ndarray, picture: Mapping[str, Any], number: int
) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """The picture without its markers, turned and scaled by its number, and its dice with their new places.

    Places in millimetres are left out: nothing says where the tray is.
    """
    x0, y0, x1, y1 = _floor(image, picture)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    scale = SCALES[number % len(SCALES)]
    matrix = cv2.getRotationMatrix2D(middle, TURNS[number % len(TURNS)], scale)
    corners = cv2.transform(np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]], np.float64), matrix)[0]
    low, high = corners.min(axis=0), corners.max(axis=0)
    matrix[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    floor = np.full(image.shape, np.median(image[y0:y1, x0:x1], axis=(0, 1)), np.uint8)
    floor[y0:y1, x0:x1] = image[y0:y1, x0:x1]
    border = tuple(float(v) for v in floor[0, 0])
    turned = cv2.warpAffine(floor, matrix, size, flags=cv2.INTER_AREA, borderValue=border)
    dice = []
    for die in picture["dice"]:
        place = matrix @ np.array([*die["centre_px"], 1.0])
        dice.append({**{k: v for k, v in die.items() if k != "position_mm"}, "centre_px": place.tolist()})
    return turned, dice


def _floor(image: np.ndarray, picture: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of what is cut out."""
    height, width = image.shape[:2]
    if "tray_corners_px" in picture:
        (x0, y0), (x1, y1) = (f(picture["tray_corners_px"], axis=0) for f in (np.min, np.max))
    elif picture["dice"]:
        places, room = np.array([die["centre_px"] for die in picture["dice"]]), ROOM * EDGE_PX
        (x0, y0), (x1, y1) = places.min(axis=0) - room, places.max(axis=0) + room
    else:
        return 0, 0, width, height
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))

"""Reading picture files: a sentence and a way out for everything that is not a picture."""

from __future__ import annotations

import os
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")


class UnreadableImage(Exception):
    """A file that is not a whole picture.  ``code``, and a sentence in English and German."""

    def __init__(self, code: str, english: str, german: str) -> None:
        super().__init__(english)
        self.code, self.english, self.german = code, english, german


def read_image(path: Path) -> NDArray[np.uint8]:
    """Decode a picture as BGR (h, w, 3).  Raises ``UnreadableImage``.

    JPEG files that end early are refused: their lower part would be made up by
    the decoder.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableImage(
            "missing",
            f"There is no file {path}. Check the name.",
            f"Die Datei {path} gibt es nicht. Bitte den Namen prüfen.",
        ) from None
    except OSError as error:
        raise UnreadableImage(
            "unreadable",
            f"{path} cannot be opened ({error.strerror}). Check its permissions.",
            f"{path} lässt sich nicht öffnen ({error.strerror}). Bitte die Rechte prüfen.",
        ) from error
    image = None
    if data:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None  # OpenCV raises for sizes beyond its limit
    if image is None or image.size == 0:
        raise UnreadableImage(
            "not_a_picture",
            f"{path} is not a picture that can be read. Use JPEG or PNG, or take it again.",
            f"{path} ist kein lesbares Bild. Bitte JPEG oder PNG verwenden oder das Bild neu aufnehmen.",
        )
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-4096:]:
        raise UnreadableImage(
            "truncated",
            f"{path} ends in the middle of the picture. Copy or take it again.",
            f"{path} bricht mitten im Bild ab. Bitte neu kopieren oder neu aufnehmen.",
        )
    return image


def expand(paths: list[Path]) -> list[Path]:
    """Folders become the pictures in them.  Raises ``UnreadableImage`` for a folder without pictures."""
    out: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
            if not inside:
                raise UnreadableImage(
                    "empty_folder",
                    f"The folder {path} holds no pictures ({', '.join(SUFFIXES)}). Name another one.",
                    f"Im Ordner {path} sind keine Bilder ({', '.join(SUFFIXES)}). Bitte anderen angeben.",
                )
            out += inside
        else:
            out.append(path)
    return out


def writable_folder(folder: Path | None, option: str) -> Path | None:
    """Make the folder that a command shall write pictures into, or end the command with a sentence."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise click.ClickException(
            f"Pictures cannot be written into {folder}. Name another folder with {option}. / "
            f"In {folder} lassen sich keine Bilder ablegen. Mit {option} einen anderen Ordner nennen."
        )
    return folder

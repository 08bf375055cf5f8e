"""``truth.json``: what pictures of a tray show, checked field by field, with a way out for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from vision.imagefile import UnreadableImage, read_image

NAME = "truth.json"
TAUGHT: Mapping[str, tuple[type, ...]] = {"type": (str,), "face": (str, int)}
MEASURED: Mapping[str, tuple[type, ...]] = {**TAUGHT, "centre_px": (list,)}
OPTIONAL = ("cocked", "readable", "moving", "on_another_die")
"""Flags of a die; a die without ``readable`` counts as readable unless it is cocked or moves."""


def read_truth(folder: Path, fields: Mapping[str, tuple[type, ...]] = TAUGHT) -> list[dict[str, Any]]:
    """The pictures of a folder's ``truth.json``, each with ``image`` and ``dice``; a die has ``fields``.

    Raises click.ClickException with a sentence where the file is missing or not as it should be.
    """
    path = folder / NAME
    if not path.is_file():
        raise click.ClickException(_missing(folder))
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _bad(path, f"it is not JSON: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read ({error.strerror}). Check its rights.") from error
    pictures = data.get("images") if isinstance(data, dict) else None
    if not isinstance(pictures, list):
        raise _bad(path, 'it needs {"images": [...]}')
    if not pictures:
        raise _bad(path, "it names no pictures")
    for number, picture in enumerate(pictures, 1):
        wrong = _wrong(picture, fields)
        if wrong:
            raise _bad(path, f"picture {number}: {wrong}")
        for die in picture["dice"]:
            die.setdefault("cocked", False)
            die.setdefault("readable", not (die["cocked"] or die.get("moving", False)))
    return pictures


def read_picture(folder: Path, picture: Mapping[str, Any]) -> Any:
    """One picture of the folder (BGR); raises click.ClickException where it is missing or broken."""
    try:
        return read_image(folder / picture["image"])
    except UnreadableImage as error:
        raise click.ClickException(f"{error} Or take it out of {folder / NAME}.") from error


def _missing(folder: Path) -> str:
    """What is wrong with a folder that has no truth file; names those below it that have one."""
    if not folder.is_dir():
        return f"There is no folder {folder}. Name a folder with pictures and their {NAME}."
    below = sorted(p.parent.name for p in folder.glob(f"*/{NAME}"))
    if below:
        return f"{folder} itself has no {NAME}, but these in it have: {', '.join(below)}. Name one of them."
    return f"{folder / NAME} is missing: give a folder with pictures and their {NAME}."


def _bad(path: Path, what: str) -> click.ClickException:
    return click.ClickException(f"{path} cannot be understood: {what}. Mend it, or name another folder.")


def _wrong(picture: Any, fields: Mapping[str, tuple[type, ...]]) -> str:
    """What is wrong with one picture's entry; "" where nothing is."""
    if not isinstance(picture, dict):
        return "it is no object"
    if not isinstance(picture.get("image"), str) or not picture["image"]:
        return 'it has no "image" (a file name)'
    if not isinstance(picture.get("dice"), list):
        return f'{picture["image"]} has no list of "dice"'
    for die in picture["dice"]:
        if not isinstance(die, dict):
            return f"a die of {picture['image']} is no object"
        for name, types in fields.items():
            if not isinstance(die.get(name), types):
                return f'a die of {picture["image"]} has no proper "{name}"'
        for name in OPTIONAL:
            if not isinstance(die.get(name, False), bool):
                return f'"{name}" of a die of {picture["image"]} is neither true nor false'
        if "centre_px" in fields and not _is_point(die["centre_px"]):
            return f'a die of {picture["image"]} has no proper "centre_px"'
    return ""


def _is_point(value: list[Any]) -> bool:
    return len(value) == 2 and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)

"""The box book: what the owner reads off his own components, kept apart from the game's shipped data.

One TOML file a box and game, ``boxes/<box>/<game>.toml`` in the data folder.  Each
entry has its value, how certain it is and where it comes from.  Only what differs
from "not known" is written; the values go into each new game's options, and their
digest into its header.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Any

from referee.journal.events import digest_of
from referee.kernel.capabilities import BoxBookForms
from referee.kernel.errors import InvalidAnswer
from referee.kernel.files import write_whole
from referee.kernel.forms import CERTAINTIES, box_book_form_of, check_value
from referee.kernel.messages import Text, joined

SOURCE_LENGTH = 120
BOX_NAME = re.compile(r"[\w-]{1,40}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One value read off a component: how certain (``high``, ``medium``, ``low``), and from where.

    ``value`` is what the form takes at that key: a string, a list of strings or a list of steps.
    """

    value: Any
    certainty: str = "high"
    source: str = ""


class BoxBook:
    """The box book of one game and box.  Every change is checked by the game's form and on disk at once."""

    def __init__(self, game: Any, folder: Path, box: str = "default") -> None:
        if not BOX_NAME.fullmatch(box):
            raise InvalidAnswer(
                Text("calibration.bad_box_name", box=box),
            )
        self.game = game
        self.form = box_book_form_of(game)
        self.path = folder / "boxes" / box / f"{game.id}.toml"
        self.entries: dict[str, Entry] = {}
        self.trouble: list[Text] = []
        """Entries of the file that were left out, and why (English, German)."""
        self._left_out: dict[str, Any] = {}
        """What the file has at those, to be written back: what was typed by hand is never lost."""
        self._load()

    @property
    def values(self) -> dict[str, Any]:
        """Key to value, for ``options["box"]`` of a new game."""
        return {key: self.entries[key].value for key in sorted(self.entries)}

    @property
    def digest(self) -> str:
        """Digest of the values as a game's header has it; "" where the book is empty."""
        return digest_of(self.values) if self.entries else ""

    def write(self, changes: Mapping[str, Entry | None]) -> None:
        """Take these entries in (None: out again).  Nothing changes where one of them is refused.

        Raises :class:`InvalidAnswer`.
        """
        after = dict(self.entries)
        for key, entry in changes.items():
            if entry is None:
                after.pop(key, None)
            else:
                after[key] = self._checked(key, entry)
        told = {key: entry.value for key, entry in after.items()}
        problems = self.game.box_book_problems(told) if isinstance(self.game, BoxBookForms) else []
        if problems:
            raise InvalidAnswer(joined(problems))
        for key in changes:
            self._left_out.pop(key, None)
        self._save(after)
        self.entries = after

    def _checked(self, key: str, entry: Entry) -> Entry:
        check_value(self.form, key, entry.value)
        if entry.certainty not in CERTAINTIES:
            raise InvalidAnswer(
                Text("calibration.certainties", known=", ".join(CERTAINTIES)),
            )
        source = "".join(c for c in entry.source if c.isprintable()).strip()[:SOURCE_LENGTH]
        return Entry(entry.value, entry.certainty, source)

    def _load(self) -> None:
        try:
            data = tomllib.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.trouble.append(Text("calibration.box_book_unreadable", name=self.path.name, why=error))
            self._set_aside()
            return
        for key, raw in data.items():
            try:
                if not isinstance(raw, dict):
                    raise InvalidAnswer(Text("calibration.no_entry", key=key))
                entry = Entry(raw.get("value"), raw.get("certainty", "low"), str(raw.get("source", "")))
                self.entries[key] = self._checked(key, entry)
            except InvalidAnswer as error:
                self._left_out[key] = raw
                self.trouble.append(Text("calibration.entry_left_out", why=error))

    def _set_aside(self) -> None:
        """A file that cannot be read is kept beside, so that saving does not destroy it."""
        try:
            self.path.replace(self.path.with_suffix(".unreadable"))
        except OSError:
            return

    def _save(self, entries: Mapping[str, Entry]) -> None:
        lines = ["# What the owner read off this box. Written by the set-up page; may be edited by hand.", ""]
        for key in sorted(entries):
            entry = entries[key]
            lines += [
                f"[{_quoted(key)}]",
                f"value = {_toml(entry.value)}",
                f"certainty = {_quoted(entry.certainty)}",
                f"source = {_quoted(entry.source)}",
                "",
            ]
        # plain keys first: after the head of a table they would belong to it
        plain = [f"{_quoted(k)} = {_toml(v)}" for k, v in self._left_out.items() if not isinstance(v, dict)]
        lines[2:2] = [*plain, ""] if plain else []
        for key, raw in self._left_out.items():
            if isinstance(raw, dict):
                lines += [f"[{_quoted(key)}]", *(f"{_quoted(k)} = {_toml(v)}" for k, v in raw.items()), ""]
        write_whole(self.path, "\n".join(lines))


def _toml(value: Any) -> str:
    """A value as TOML on one line.  Dates and times are as :mod:`tomllib` reads them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'

"""The table's configuration: one TOML file, checked key by key, with line numbers in what is wrong.

``sample.toml`` beside this file shows every key with its default and
says what it does.  No file is needed: without one the defaults hold.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.kernel.errors import RefereeError

SAMPLE = Path(__file__).with_name("sample.toml")


class ConfigError(RefereeError):
    """The configuration file is wrong; the sentences name file and line, one problem a line."""

    code = "config"


def _setting(default: Any, *, one_of: tuple[str, ...] = (), low: int = 0, high: int = 2**31) -> Any:
    return field(default=default, metadata={"one_of": one_of, "low": low, "high": high})


@dataclass(frozen=True)
class TableSection:
    """``[table]``"""

    name: str = _setting("")
    language: str = _setting("de", one_of=("de", "en"))
    tournament: bool = _setting(False)


@dataclass(frozen=True)
class WebSection:
    """``[web]``"""

    host: str = _setting("0.0.0.0")
    port: int = _setting(8000, low=1, high=65535)
    address: str = _setting("")
    open_seats: bool = _setting(True)
    https: bool = _setting(False)


@dataclass(frozen=True)
class RecordSection:
    """``[record]``"""

    folder: str = _setting("")
    store: str = _setting("")
    backup_folder: str = _setting("")
    backup_minutes: int = _setting(10, low=1, high=1440)
    backup_keep: int = _setting(20, low=1, high=10_000)
    picture_megabytes: int = _setting(2000, low=1, high=1_000_000)


@dataclass(frozen=True)
class CameraSection:
    """``[camera]``"""

    source: str = _setting("virtual:")
    reader: str = _setting("tray", one_of=("tray", "photo"))
    box: str = _setting("default")


@dataclass(frozen=True)
class LogSection:
    """``[log]``"""

    level: str = _setting("info", one_of=("debug", "info", "warning", "error"))
    megabytes: int = _setting(5, low=1, high=1000)
    keep: int = _setting(5, low=1, high=100)


SECTIONS: Mapping[str, type] = {
    "table": TableSection,
    "web": WebSection,
    "record": RecordSection,
    "camera": CameraSection,
    "log": LogSection,
}
FOREIGN = ("lights", "tray")
"""Sections that another room checks."""


@dataclass(frozen=True)
class Config:
    """A checked configuration.  ``path`` is the file it came from, None where there was none."""

    table: TableSection = TableSection()
    web: WebSection = WebSection()
    record: RecordSection = RecordSection()
    camera: CameraSection = CameraSection()
    log: LogSection = LogSection()
    lights: Mapping[str, Any] = field(default_factory=dict)
    tray: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None

    @property
    def folder(self) -> Path:
        """Where relative names in the file start: its own folder, or the working directory."""
        return self.path.parent if self.path is not None else Path.cwd()

    @property
    def data_folder(self) -> Path:
        """Where this table keeps its record, pictures, key and logs."""
        if self.record.folder:
            return self.folder / Path(self.record.folder).expanduser()
        return default_data_folder()

    @property
    def store(self) -> str | Path:
        """The store: a file, or a database URL."""
        if "://" in self.record.store:
            return self.record.store
        return self.data_folder / (self.record.store or "games.sqlite")


def default_data_folder() -> Path:
    """``$REFEREE_DATA``, else ``table-referee`` in the user's folder for data."""
    given = os.environ.get("REFEREE_DATA")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(base) / "table-referee"


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a file: the line (0: unknown) and a sentence in each language."""

    line: int
    english: str
    german: str


def load(path: Path | None) -> Config:
    """Read and check a configuration; the defaults where ``path`` is None.  Raises :class:`ConfigError`."""
    if path is None:
        return Config()
    path = path.expanduser().resolve()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(
            f"The configuration {path} cannot be read ({reason}). Start from the sample: cp {SAMPLE} {path}",
            f"Die Konfiguration {path} ist nicht lesbar ({reason}). Mit der Vorlage beginnen: "
            f"cp {SAMPLE} {path}",
        ) from error
    except UnicodeDecodeError as error:
        raise _error(path, [_syntax(1, str(error))]) from error
    return parse(text, path)


def parse(text: str, path: Path) -> Config:
    """Check the text of a configuration.  Raises :class:`ConfigError` naming every problem with its line."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        raise _error(path, [_syntax(int(found[1]) if found else 0, str(error))]) from error
    lines = _lines(text)
    problems: list[Problem] = []
    sections: dict[str, Any] = {}
    for name, value in data.items():
        line = lines.get((name, ""), 0)
        if name in FOREIGN and isinstance(value, dict):
            sections[name] = value
        elif name not in SECTIONS or not isinstance(value, dict):
            problems.append(_unknown(line, name, [*SECTIONS, *FOREIGN], "section", "Abschnitt"))
        else:
            sections[name] = _section(name, value, lines, problems)
    problems += _check_lights(sections.get("lights"), lines)
    problems += _check_tray(sections.get("tray"), lines)
    if problems:
        raise _error(path, sorted(problems, key=lambda one: one.line))
    return Config(**sections, path=path)


def _section(
    name: str, values: Mapping[str, Any], lines: Mapping[tuple[str, str], int], problems: list[Problem]
) -> Any:
    known = {one.name: one for one in fields(SECTIONS[name])}
    good: dict[str, Any] = {}
    for key, value in values.items():
        line = lines.get((name, key), lines.get((name, ""), 0))
        if key not in known:
            problems.append(_unknown(line, key, list(known), "key", "Schlüssel"))
            continue
        problem = _check_value(line, f"[{name}] {key}", value, known[key])
        if problem is None:
            good[key] = value
        else:
            problems.append(problem)
    return SECTIONS[name](**good)


def _check_value(line: int, label: str, value: Any, known: Any) -> Problem | None:
    wanted = type(known.default)
    words = {
        str: ("a text in quotes", "ein Text in Anführungszeichen"),
        bool: ("true or false", "true oder false"),
        int: ("a whole number", "eine ganze Zahl"),
    }
    if type(value) is not wanted:
        english, german = words[wanted]
        return Problem(
            line,
            f"{label} = {value!r}: {english} is needed.",
            f"{label} = {value!r}: {german} ist nötig.",
        )
    choices = known.metadata["one_of"]
    if choices and value not in choices:
        return _unknown(line, str(value), list(choices), f"value of {label}", f"Wert von {label}")
    low, high = known.metadata["low"], known.metadata["high"]
    if wanted is int and not low <= value <= high:
        return Problem(
            line,
            f"{label} = {value}: it must be from {low} to {high}.",
            f"{label} = {value}: Es muss von {low} bis {high} sein.",
        )
    return None


def _check_lights(section: Mapping[str, Any] | None, lines: Mapping[tuple[str, str], int]) -> list[Problem]:
    if section is None:
        return []
    from firmware_bridge.drivers import LightsConfig, LightsConfigError

    try:
        LightsConfig.from_mapping(section)
    except LightsConfigError as error:
        named = [key for key in section if key in str(error)]
        line = lines.get(("lights", named[0] if named else ""), 0)
        return [Problem(line, error.sentence_en, error.sentence_de)]
    return []


def _check_tray(section: Mapping[str, Any] | None, lines: Mapping[tuple[str, str], int]) -> list[Problem]:
    if not section:
        return []
    from vision.tray import TraySpecError, spec_from

    try:
        spec_from(section)
    except TraySpecError as error:
        line = lines.get(("tray", error.key), lines.get(("tray", ""), 0))
        return [Problem(line, error.sentence_en, error.sentence_de)]
    return []


def _unknown(line: int, name: str, known: list[str], what_en: str, what_de: str) -> Problem:
    close = get_close_matches(name, known, 1)
    listed = ", ".join(sorted(known))
    hint_en = f"Did you mean {close[0]!r}?" if close else f"Known are: {listed}."
    hint_de = f"War {close[0]!r} gemeint?" if close else f"Bekannt sind: {listed}."
    return Problem(
        line, f"Unknown {what_en}: {name!r}. {hint_en}", f"Unbekannt: {what_de} {name!r}. {hint_de}"
    )


def _syntax(line: int, said: str) -> Problem:
    return Problem(line, f"This is not TOML ({said}).", f"Das ist kein TOML ({said}).")


def _error(path: Path, problems: list[Problem]) -> ConfigError:
    def text(which: str, word: str) -> str:
        return "\n".join(
            f"{path}{f', {word} {one.line}' if one.line else ''}: {getattr(one, which)}" for one in problems
        )

    return ConfigError(text("english", "line"), text("german", "Zeile"))


_HEAD = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*([\w.-]+)\s*=")


def _lines(text: str) -> dict[tuple[str, str], int]:
    """Line numbers of sections (key "") and keys; the parser of the standard library gives none."""
    found: dict[tuple[str, str], int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        head = _HEAD.match(line)
        if head:
            section = head[1]
            found[section, ""] = number
            continue
        key = _KEY.match(line)
        if key:
            # a key before any section counts as a section's name: it stands at the top level
            found[(section, key[1]) if section else (key[1], "")] = number
    return found

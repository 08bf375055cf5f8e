"""The table's configuration: one TOML file, checked key by key, with line numbers in what is wrong.

``sample.toml`` beside this file shows every key with its default and
says what it does.  No file is needed: without one the defaults hold.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text, joined, languages

SAMPLE = Path(__file__).with_name("sample.toml")


class ConfigError(RefereeError):
    """The configuration file is wrong; the sentences name file and line, one problem a line."""

    code = "config"


def _setting(
    default: Any,
    *,
    one_of: tuple[str, ...] | Callable[[], tuple[str, ...]] = (),
    low: int = 0,
    high: int = 2**31,
) -> Any:
    return field(default=default, metadata={"one_of": one_of, "low": low, "high": high})


@dataclass(frozen=True)
class TableSection:
    """``[table]``"""

    name: str = _setting("")
    language: str = _setting("de", one_of=languages)
    tournament: bool = _setting(False)
    hands: str = _setting("listed", one_of=("listed", "line", "off"))


@dataclass(frozen=True)
class WebSection:
    """``[web]``"""

    host: str = _setting("0.0.0.0")
    port: int = _setting(8000, low=1, high=65535)
    address: str = _setting("")
    open_seats: bool = _setting(True)
    https: bool = _setting(False)
    proxy: str = _setting("")


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
        """The store: a file, or the URL of a database server, which is only read."""
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
class ConfigProblem:
    """One thing wrong in a file: the line (0: unknown) and what to say of it."""

    line: int
    text: Text


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
            Text("config.configuration_cannot_read", path=path, reason=reason, sample=SAMPLE),
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
    problems: list[ConfigProblem] = []
    sections: dict[str, Any] = {}
    for name, value in data.items():
        line = lines.get((name, ""), 0)
        if name in FOREIGN and isinstance(value, dict):
            sections[name] = value
        elif name not in SECTIONS or not isinstance(value, dict):
            problems.append(_unknown(line, name, [*SECTIONS, *FOREIGN], Text("config.section")))
        else:
            sections[name] = _section(name, value, lines, problems)
    problems += _check_web(sections.get("web"), lines)
    problems += _check_lights(sections.get("lights"), lines)
    problems += _check_tray(sections.get("tray"), lines)
    if problems:
        raise _error(path, sorted(problems, key=lambda one: one.line))
    return Config(**sections, path=path)


def _section(
    name: str, values: Mapping[str, Any], lines: Mapping[tuple[str, str], int], problems: list[ConfigProblem]
) -> Any:
    known = {one.name: one for one in fields(SECTIONS[name])}
    good: dict[str, Any] = {}
    for key, value in values.items():
        line = lines.get((name, key), lines.get((name, ""), 0))
        if key not in known:
            problems.append(_unknown(line, key, list(known), Text("config.key")))
            continue
        problem = _check_value(line, f"[{name}] {key}", value, known[key])
        if problem is None:
            good[key] = value
        else:
            problems.append(problem)
    return SECTIONS[name](**good)


def _check_value(line: int, label: str, value: Any, known: Any) -> ConfigProblem | None:
    wanted = type(known.default)
    words = {
        str: Text("config.text_quotes"),
        bool: Text("config.true_false"),
        int: Text("config.whole_number"),
    }
    if type(value) is not wanted:
        return ConfigProblem(line, Text("config.wrong_type", label=label, value=value, wanted=words[wanted]))
    one_of = known.metadata["one_of"]
    choices = one_of() if callable(one_of) else one_of
    if choices and value not in choices:
        return _unknown(line, str(value), list(choices), Text("config.value", label=label))
    low, high = known.metadata["low"], known.metadata["high"]
    if wanted is int and not low <= value <= high:
        return ConfigProblem(
            line,
            Text("config.must", label=label, value=value, low=low, high=high),
        )
    return None


def _check_web(section: WebSection | None, lines: Mapping[tuple[str, str], int]) -> list[ConfigProblem]:
    if section is None:
        return []
    found = []
    if section.address and not _is_address(section.address):
        found.append(
            ConfigProblem(lines.get(("web", "address"), 0), Text("config.web_address", value=section.address))
        )
    try:
        if section.proxy:
            ipaddress.ip_address(section.proxy)
    except ValueError:
        found.append(
            ConfigProblem(lines.get(("web", "proxy"), 0), Text("config.web_proxy", value=section.proxy))
        )
    return found


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        return False


def _check_lights(
    section: Mapping[str, Any] | None, lines: Mapping[tuple[str, str], int]
) -> list[ConfigProblem]:
    if section is None:
        return []
    from firmware_bridge.drivers import LightsConfig, LightsConfigError

    try:
        LightsConfig.from_mapping(section)
    except LightsConfigError as error:
        named = [key for key in section if key in str(error)]
        line = lines.get(("lights", named[0] if named else ""), 0)
        return [ConfigProblem(line, error.text)]
    return []


def _check_tray(
    section: Mapping[str, Any] | None, lines: Mapping[tuple[str, str], int]
) -> list[ConfigProblem]:
    if not section:
        return []
    from vision.tray import TraySpecError, spec_from

    try:
        spec_from(section)
    except TraySpecError as error:
        line = lines.get(("tray", error.key), lines.get(("tray", ""), 0))
        return [ConfigProblem(line, error.text)]
    return []


def _unknown(line: int, name: str, known: list[str], what: Text) -> ConfigProblem:
    close = get_close_matches(name, known, 1)
    if close:
        hint = Text("config.did_you_mean", close=close[0])
    else:
        hint = Text("config.known_are", known=", ".join(sorted(known)))
    return ConfigProblem(line, Text("config.unknown", what=what, name=name, hint=hint))


def _syntax(line: int, said: str) -> ConfigProblem:
    return ConfigProblem(line, Text("config.not_toml", said=said))


def _error(path: Path, problems: list[ConfigProblem]) -> ConfigError:
    return ConfigError(
        joined(
            (
                Text("config.problem_at_line", path=path, line=one.line, problem=one.text)
                if one.line
                else Text("config.problem", path=path, problem=one.text)
                for one in problems
            ),
            "\n",
        )
    )


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

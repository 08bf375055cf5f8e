"""Logs: to the terminal and to files that are changed at a certain size, in UTC, without secrets."""

from __future__ import annotations

import logging
import re
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

from referee.config.settings import LogSection

FORM = "%(asctime)sZ %(levelname)s %(name)s: %(message)s"

# keys and tokens as they stand in addresses, headers and JSON
SECRETS = re.compile(
    r"(?i)\b(token|key|secret|password|passwd|cookie|authorization|csrf)(['\"]?\s*[=:/]\s*['\"]?)"
    r"(?!//)[^\s'\"&,;}]{4,}"
)
PASSWORD_IN_ADDRESS = re.compile(r"(://[^/\s:@]+:)[^@\s/]+@")
JOIN_LINK = re.compile(r"(/(?:join|j|seat|arbiter)[/#?][^\s'\"]*?)[A-Za-z0-9_-]{16,}")


def hide_secrets(text: str) -> str:
    """``text`` without what would open a seat, a door or a database."""
    text = SECRETS.sub(r"\1\2***", text)
    text = PASSWORD_IN_ADDRESS.sub(r"\1***@", text)
    return JOIN_LINK.sub(r"\1***", text)


class _Clean(logging.Formatter):
    """Times in UTC, as a Pi's zone and clock may jump; secrets hidden, also in tracebacks."""

    converter = time.gmtime  # type: ignore[assignment]

    def format(self, record: logging.LogRecord) -> str:
        """The line for ``record``."""
        return hide_secrets(super().format(record))


def set_up_logs(section: LogSection, folder: Path, *, terminal: bool = True) -> Path:
    """Log to ``folder/referee.log`` (rotating) and, where asked, to the terminal; gives the file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "referee.log"
    handlers: list[logging.Handler] = [
        RotatingFileHandler(
            path,
            maxBytes=section.megabytes * 1_000_000,
            backupCount=section.keep,
            delay=True,
            encoding="utf-8",  # wherever the terminal stands
            errors="backslashreplace",  # names of files that are no UTF-8
        )
    ]
    if terminal:
        handlers.append(logging.StreamHandler())
        handlers[-1].setLevel(max(logging.WARNING, getattr(logging, section.level.upper())))
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "of_referee", False):
            root.removeHandler(old)
            old.close()
    for handler in handlers:
        handler.setFormatter(_Clean(FORM))
        handler.of_referee = True  # type: ignore[attr-defined]
        root.addHandler(handler)
    root.setLevel(getattr(logging, section.level.upper()))
    return path

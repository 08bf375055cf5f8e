"""A small file beside the record that may fail: then it is told among the devices, and tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text

log = logging.getLogger(__name__)


class SideFile:
    """What must survive a restart, and must never stop a game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unwritten: Text | None = None
        """Why the file lacks what was to be written last; None where it lacks nothing."""
        self.lost: Text | None = None
        """What the file held when this run began could not be read."""
        self.failed: Callable[[], None] = lambda: None
        """Called when writing begins to fail."""

    def read(self) -> str | None:
        """The text; None where there is none, or none that can be read, which is told."""
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self.spoiled(error)
            return None

    def spoiled(self, error: Exception) -> None:
        """What was read is of no use: it is put aside where that can be done, and told."""
        log.warning("%s cannot be used: %s", self.path, error)
        self.lost = Text("serving.side_file_spoiled", name=self.path.name)
        try:
            self.path.replace(self.path.with_suffix(".damaged"))
        except OSError:
            log.warning("it could not be put aside either")

    def write(self, text: str) -> None:
        """Keep ``text``; where the disk refuses, what runs goes on and :attr:`unwritten` says so."""
        before = self.unwritten
        try:
            write_whole(self.path, text, 0o600)
        except FileUnwritable as error:
            self.unwritten = Text("serving.side_file_unwritten", name=self.path.name, why=error.why)
            if before is None:
                log.warning("%s", error)
                self.failed()
        else:
            self.unwritten = None

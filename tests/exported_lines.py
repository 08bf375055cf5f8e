"""A table's exported game line by line, to be tampered with and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.archive.exchange import write
from referee.archive.verify import Verdict, verify_file
from referee.hall.table import Table
from referee.journal.signing import load_or_make


def lines_of(table: Table, tmp_path: Path) -> list[dict[str, Any]]:
    """The lines of the exported game, as JSON."""
    text = write(table.header, table.events(), None, load_or_make(tmp_path / "key.pem"))
    return [json.loads(line) for line in text.splitlines()]


def verdict_of(lines: list[dict[str, Any]], tmp_path: Path) -> Verdict:
    """What ``verify`` says of a file of these lines."""
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return verify_file(path)

"""Files are told as written only after they were read again, and there is one way to write them."""

from __future__ import annotations

import ast
import errno
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.journal.errors import StoreUnwritable
from referee.journal.signing import load_or_make
from referee.kernel import files
from referee.kernel.files import FileUnwritable, write_whole

ROOT = Path(__file__).parents[2]
ROOMS = ("referee", "web", "vision", "calibration", "firmware_bridge")
BUILDING = ("vision/training/", "vision/faces/make_", "vision/faces/train_", "firmware_bridge/firmware/")
"""What makes models and firmware, on a developer's machine."""
LOOKED_AT = {
    "referee/kernel/files.py": "the way itself",
    "referee/archive/restoring.py": "the copy is compared, then opened as a record",
    "referee/store/mirror.py": "checked line by line when a game is opened (Mirror.agrees)",
    "referee/serving/health.py": "a probe that is deleted",
    "referee/games/battlelore/catalogue/rulings.py": "docs, on a developer's machine",
    "firmware_bridge/pictures.py": "docs, on a developer's machine",
    "firmware_bridge/flashing_pico.py": "the board is asked for its new firmware",
    "firmware_bridge/emulator/process.py": "a lock says nothing",
    "vision/cards.py": "packed in memory, then written whole",
    "vision/faces/taught.py": "packed in memory, then written whole",
    "vision/virtual/simulate.py": "the library of throws, on a developer's machine",
}
WRITING = {"write_text", "write_bytes", "savez", "savez_compressed", "imwrite"}
WRITING |= {"copyfile", "copy2", "copytree", "fdopen"}
WORDS = re.compile(rf"\b(?:open|{'|'.join(WRITING)})\(")


@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_a_disk_that_keeps_something_else_was_told_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    path = tmp_path / "map.toml"
    path.write_text("old")
    monkeypatch.setattr(files, "sync_file", lambda fresh: fresh.write_bytes(b"ne"))
    with pytest.raises(FileUnwritable):
        write_whole(path, "new", mode)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_link_was_replaced_by_a_file_and_so_was_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    link = tmp_path / "table.toml"
    link.symlink_to(tmp_path / "etc" / "table.toml")
    for text in ("one", "two"):
        write_whole(link, text)
        assert link.is_symlink() and (tmp_path / "etc" / "table.toml").read_text() == text
    pipe = tmp_path / "stdout"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "<svg/>")
    reader.join(60)
    assert heard == ["<svg/>"] and pipe.is_fifo()


def test_a_full_disk_left_half_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        with pytest.raises(StoreUnwritable):
            load_or_make(tmp_path / "key.pem")
        assert list(tmp_path.iterdir()) == []
    made = load_or_make(tmp_path / "key.pem").public
    assert load_or_make(tmp_path / "key.pem").public == made and len(list(tmp_path.iterdir())) == 1


def writes(tree: ast.AST) -> Iterator[int]:
    """Lines of a module that write a file by themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            modes = [
                one.value
                for one in (*node.args, *(k.value for k in node.keywords))
                if isinstance(one, ast.Constant)
            ]
            opened = name == "open" and any(
                isinstance(mode, str)
                and 0 < len(mode) < 4
                and set(mode) & set("wax")
                and set(mode) <= set("waxbt+")
                for mode in modes
            )
            if opened or name in WRITING:
                yield node.lineno


def test_every_place_that_reports_a_file_looks_at_it_first() -> None:
    """Whoever writes a file does it by ``write_whole``, which reads it again, or is known to look itself."""
    found: dict[str, list[int]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(BUILDING) or "bench" in path.name:
                continue
            text = path.read_text("utf-8")
            lines = list(writes(ast.parse(text))) if WORDS.search(text) else []
            if lines and name not in LOOKED_AT:
                found[name] = lines
    assert found == {}

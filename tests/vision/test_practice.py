"""The manifest of practice photographs, and the commands that train on a folder laid out by it."""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from vision.bench import load_labels
from vision.training import practice
from vision.training.data import licence_ok


def test_every_photograph_says_where_it_comes_from_and_what_may_be_done_with_it() -> None:
    rows = practice.entries()
    assert len({row["file"] for row in rows}) == len(rows) > 180
    for row in rows:
        assert len(row["commit"]) == 40 and row["path"] and row["licence"], row["file"]
        assert row["kind"] != "pip" or row["values"], row["file"]
        places = [box[0] for box in json.loads(row["boxes"] or "[]")]
        assert not places or sorted(places) == sorted(map(int, row["values"].split())), row["file"]
    assert sum(licence_ok(row["licence"]) for row in rows) == 153
    assert len(load_labels(practice.MANIFEST)) == len(rows)


def test_what_a_folder_lacks_is_named_with_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = practice.entries()[:3]
    monkeypatch.setattr(practice, "entries", lambda: rows)
    for row, size in zip(rows, ((640, 640), (64, 64)), strict=False):
        path = tmp_path / row["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", size).save(path)
    small, missing = practice.lacking(tmp_path)
    assert "64 x 64 pixels, not 640 x 640" in small
    assert rows[2]["file"] in missing and "nell-byler/dice_detection at" in missing and "BSD" in missing
    assert load_labels(practice.lay_out(tmp_path))


def test_each_command_of_the_training_has_the_options_that_it_is_given() -> None:
    for name, *words in practice.steps(Path("labels.csv"), Path("work"), 1.0, ["nellbyler"]):
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        calls = [
            node for node in ast.walk(ast.parse(Path(spec.origin).read_text())) if isinstance(node, ast.Call)
        ]
        known = {
            arg.value
            for call in calls
            if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
            for arg in call.args
            if isinstance(arg, ast.Constant)
        }
        used = {word for word in words if word.startswith("--")}
        known |= {"--detector", "--near", "--wide"} if name.endswith(".export") else set()
        assert used <= known, (name, used - known)

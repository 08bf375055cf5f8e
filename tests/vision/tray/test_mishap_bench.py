"""Tests of the command that spoils pictures in every way and looks whether any is read wrongly."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.commands.dice import dice
from vision.mishap_bench import KINDS, Spoiled
from vision.virtual.tray import MISHAPS


def test_spoiled_pictures_are_refused_or_asked_about() -> None:
    result = CliRunner().invoke(dice, ["mishaps", "1", "--seed", "2", "--json"])
    figures = json.loads(result.output)
    assert result.exit_code == 0 and set(figures) == set(KINDS) <= set(MISHAPS)
    assert all(one["silent"] == [] and sum(one["status"].values()) == 1 for one in figures.values())
    assert figures["dark"]["reasons"] == {"dark": 1} and figures["rolling"]["status"] == {"refused": 1}


def test_a_silent_misread_is_named_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Spoiled(silent=["throw 3 (dim, wood)"])
    bad.status["ok"] += 1
    monkeypatch.setattr("vision.mishap_bench.measure_mishaps", lambda throws, seed: {"hand": bad})
    result = CliRunner().invoke(dice, ["mishaps"])
    assert result.exit_code == 1 and "throw 3 (dim, wood)" in result.output and "hand: ok 1" in result.output

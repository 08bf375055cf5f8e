"""The configuration: what is wrong is named with its line, and what was meant."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from referee.config.settings import SAMPLE, SECTIONS, Config, ConfigError, load, parse
from vision.tray import DEFAULT, TraySpec, spec_from


def problem(text: str) -> tuple[str, str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, Path("/x/table.toml"))
    return caught.value.sentence("en"), caught.value.sentence("de")


def test_the_sample_names_every_key_and_holds_the_defaults() -> None:
    config = load(SAMPLE)
    data = tomllib.loads(SAMPLE.read_text())
    for name, section in SECTIONS.items():
        assert getattr(config, name) == section(), name
        assert set(data[name]) == {one.name for one in fields(section)}, name
    assert config.lights == {"driver": "emulator"}
    assert spec_from(config.tray) == DEFAULT
    # a tray has walls; what has none is a photograph of dice without a tray
    assert set(data["tray"]) | {"marker_centres_mm", "walled"} == {one.name for one in fields(TraySpec)}


def test_no_file_is_needed() -> None:
    assert load(None) == Config()


@pytest.mark.parametrize(
    ("text", "line", "english", "german"),
    [
        ("[web]\nprot = 8000\n", 2, "Did you mean 'port'?", "War 'port' gemeint?"),
        ("\n\n[wbe]\nport = 1\n", 3, "Did you mean 'web'?", "War 'web' gemeint?"),
        ("[web]\nport = '8000'\n", 2, "a whole number is needed", "eine ganze Zahl ist nötig"),
        ("[web]\nport = 70000\n", 2, "from 1 to 65535", "von 1 bis 65535"),
        ("[web]\nport = true\n", 2, "a whole number is needed", "eine ganze Zahl"),
        ("[web]\nopen_seats = 1\n", 2, "true or false", "true oder false"),
        ("[table]\nname = 3\n", 2, "a text in quotes", "ein Text in Anführungszeichen"),
        ("[table]\nlanguage = 'fr'\n", 2, "Known are: de, en", "Bekannt sind: de, en"),
        ("[log]\nlevel = 'inf'\n", 2, "Did you mean 'info'?", "War 'info' gemeint?"),
        ("[log]\nlevel = = 'info'\n", 2, "not TOML", "kein TOML"),
        ("port = 3\n", 1, "Unknown section: 'port'", "Unbekannt: Abschnitt 'port'"),
        ("[lights]\ndriver = 'onw'\n", 2, "Did you mean own?", "War own gemeint?"),
        ("[lights]\n\n\nbrightness = 999\n", 4, "from 1 to 255", "von 1 bis 255"),
        ("[tray]\n\ndie_mm = 'big'\n", 3, "die_mm: a number from 4 to 100", "eine Zahl von 4 bis 100"),
        ("[tray]\nmarker_size = 30\n", 2, "one of the keys inner_mm", "einer der Schlüssel inner_mm"),
    ],
)
def test_a_wrong_line_is_named(text: str, line: int, english: str, german: str) -> None:
    said = problem(text)
    assert f"/x/table.toml, line {line}: " in said[0] and english in said[0]
    assert f"/x/table.toml, Zeile {line}: " in said[1] and german in said[1]


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    english, _ = problem("[log]\nkeep = 0\nlevle = 'info'\n[web]\nport = 0\n")
    assert [line.split(", line ")[1][0] for line in english.splitlines()] == ["2", "3", "5"]


def test_a_file_that_is_not_there_names_the_sample(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cp .*sample\.toml"):
        load(tmp_path / "table.toml")
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe[web]")
    with pytest.raises(ConfigError, match="not TOML"):
        load(tmp_path / "table.toml")


def test_relative_folders_start_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[record]\nfolder = 'games'\n")
    assert load(path).store == tmp_path / "games" / "games.sqlite"
    path.write_text("[record]\nstore = 'postgresql+psycopg://table@hall/games'\n")
    assert load(path).store == "postgresql+psycopg://table@hall/games"
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "own"))
    assert load(None).data_folder == tmp_path / "own"
    monkeypatch.delenv("REFEREE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert load(None).data_folder == tmp_path / "xdg" / "table-referee"

"""Backups: told only after looking, whatever the folder is called and wherever the clock stands."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.archive.restoring import restore
from referee.cli import main
from referee.config.settings import Config, RecordSection
from referee.journal.errors import StoreUnwritable
from referee.store import copies
from referee.store.backups import Backups, copy_pictures
from referee.store.copies import backup, prune
from referee.store.store import Store

AWKWARD = [
    "Table #3",
    "a?b",
    "a%20b",
    "Spiele & mehr",
    "Wohnzimmer-Schränke",
    "$HOME",
    "[1]*",
    'it\'s "ours"',
]


@pytest.mark.parametrize("name", AWKWARD)
def test_backups_of_a_folder_called_table_3_were_empty_and_told_as_made(
    name: str, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / name
    shutil.copytree(copy.parent, home)
    monkeypatch.setenv("REFEREE_DATA", str(home))
    with Store.open(home / copy.name) as store:
        known = store.game_ids()
        events = len(store.load("toy-now").events)
    assert "toy-now" in known
    said = CliRunner().invoke(main, ["backup", str(tmp_path / name / "stick")])
    assert said.exit_code == 0, said.output
    with Store.open(Path(said.output.strip()), write=False) as made:
        assert made.game_ids() == known
        assert len(made.load("toy-now").events) == events
    listed = CliRunner().invoke(main, ["games"])
    assert listed.exit_code == 0 and "toy-now" in listed.output
    shown = CliRunner().invoke(main, ["export", "last", "-o", str(home / "a file.jsonl")])
    assert shown.exit_code == 0, shown.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]  # no stray file beside it


@pytest.mark.parametrize("name", AWKWARD)
def test_a_damaged_record_in_such_a_folder_is_made_anew(name: str, copy: Path, tmp_path: Path) -> None:
    home = tmp_path / name
    shutil.copytree(copy.parent, home)
    place = home / copy.name
    place.write_bytes(place.read_bytes()[:5000])
    with Store.open(place) as store:
        assert "toy-now" in store.game_ids() and store.remarks


def test_a_backup_restored_from_and_to_such_folders_is_whole(copy: Path, tmp_path: Path) -> None:
    made = backup(copy, tmp_path / "stick #1?")
    done = restore(made, tmp_path / "new 100%" / "games.sqlite")
    assert done.games == 2
    with Store.open(tmp_path / "new 100%" / "games.sqlite", write=False) as store:
        assert len(store.game_ids()) == 2


def test_the_newest_backup_was_pruned_where_the_clock_had_gone_back(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    old = [backup(copy, stick) for _ in range(3)]
    later = time.time() + 86_400
    for path in old:
        os.utime(path, (later, later))
    monkeypatch.setattr(copies, "stamp", lambda: "19700101T000000000")
    with Store.open(copy) as store:
        config = Config(record=RecordSection(backup_folder=str(stick), backup_keep=3))
        backups = Backups(config, store)
        backups.changed()
        backups.last()
        assert backups.trouble is None
    kept = sorted(path.name for path in stick.glob("*.sqlite"))
    assert kept == [*(path.name for path in old[1:]), "games-000004-19700101T000000000.sqlite"]


def test_copies_from_before_there_were_numbers_are_the_older_ones(copy: Path, tmp_path: Path) -> None:
    named = tmp_path / "games-29991231T235959999.sqlite"
    named.touch()
    made = backup(copy, tmp_path)
    assert prune(tmp_path, "games", 1) == [named] and made.exists()


def test_copies_of_another_table_whose_name_begins_alike_are_left_alone(copy: Path, tmp_path: Path) -> None:
    theirs = [tmp_path / f"games-two-00000{n}-20260101T000000000.sqlite" for n in range(3)]
    upgrade = tmp_path / "games-before-0002-000001-20260101T000000000.sqlite"
    for path in (*theirs, upgrade):
        path.touch()
    for _ in range(3):
        backup(copy, tmp_path)
    assert len(prune(tmp_path, "games", 1)) == 2
    assert all(path.exists() for path in (*theirs, upgrade))


def test_a_stick_that_loses_what_it_was_given_is_noticed_and_older_copies_stay(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    good = backup(copy, stick)

    def lose(path: Path) -> None:
        with sqlite3.connect(path) as written:
            written.execute("DELETE FROM events WHERE number = 7")
        written.close()

    monkeypatch.setattr(copies, "sync_file", lose)
    with Store.open(copy) as store:
        backups = Backups(Config(record=RecordSection(backup_folder=str(stick), backup_keep=1)), store)
        backups.changed()
        backups.last()
        assert backups.trouble is not None and "No backup" in backups.trouble.in_words("en")
    assert list(stick.iterdir()) == [good]


def test_a_record_without_games_table_is_no_backup(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "games.sqlite").close()
    (tmp_path / "games.sqlite").touch()
    with pytest.raises(StoreUnwritable):
        backup(tmp_path / "games.sqlite", tmp_path / "stick")
    assert list((tmp_path / "stick").iterdir()) == []


def test_a_picture_that_was_copied_in_part_is_copied_again(tmp_path: Path) -> None:
    source = tmp_path / "games.sqlite.pictures" / "ab"
    source.mkdir(parents=True)
    (source / "abcd.jpg").write_bytes(b"\xff\xd8\xff whole")
    broken = tmp_path / "stick" / "games.sqlite.pictures" / "ab" / "abcd.jpg"
    broken.parent.mkdir(parents=True)
    broken.touch()
    assert copy_pictures(source.parent, tmp_path / "stick") == 1
    assert broken.read_bytes() == b"\xff\xd8\xff whole"
    assert copy_pictures(source.parent, tmp_path / "stick") == 0


def test_an_old_copy_that_cannot_be_deleted_is_told(copy: Path, tmp_path: Path) -> None:
    backup(copy, tmp_path / "stick")
    (tmp_path / "stick" / "games-000000-20200101T000000000.sqlite").mkdir()
    with Store.open(copy) as store:
        config = Config(record=RecordSection(backup_folder=str(tmp_path / "stick"), backup_keep=1))
        backups = Backups(config, store)
        backups.changed()
        backups.last()
        assert backups.trouble is not None and "older" in backups.trouble.in_words("en")


def test_a_restored_record_is_counted_where_it_now_is(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = backup(copy, tmp_path / "stick")

    def half(source: Path, target: Path) -> None:
        Path(target).write_bytes(source.read_bytes())
        with sqlite3.connect(target) as written:
            written.execute("DELETE FROM events WHERE number > 7")
        written.close()

    monkeypatch.setattr(shutil, "copyfile", half)
    with pytest.raises(StoreUnwritable):
        restore(made, tmp_path / "new" / "games.sqlite")
    assert list((tmp_path / "new").glob("games.sqlite")) == []

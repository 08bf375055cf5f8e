"""Putting a backup in the record's place: nothing is lost, and what it means for the key is said."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from exporting import complete_reading

from referee.archive.restoring import restore
from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import InUse, StoreError, StoreUnwritable
from referee.journal.signing import load_or_make
from referee.kernel.requests import RollDice
from referee.store.backups import copy_pictures, drop_gone
from referee.store.copies import backup
from referee.store.store import Store

SAVED, LATER = 42, 63
"""Events when the backup was made, and at the end; each opened secret is one more than was answered."""


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """A stick with a backup of a table; the table went on afterwards."""
    toy_game.register()
    store_path = tmp_path / "old" / "games.sqlite"
    with (
        Store.open(store_path) as store,
        Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-one") as table,
    ):
        table_bot.play(table, Random(1), 40)
        assert table.pictures is not None
        table.pictures.keep(b"\xff\xd8\xff a picture")
        backup(store_path, tmp_path / "stick")
        copy_pictures(store_path.with_name("games.sqlite.pictures"), tmp_path / "stick")
        table_bot.play(table, Random(2), 20)
        assert table.revision == LATER
    load_or_make(tmp_path / "old" / "table_key.pem")
    return next((tmp_path / "stick").glob("*.sqlite"))


def test_on_a_new_machine_the_games_come_back_and_the_key_is_a_new_one(stick: Path, tmp_path: Path) -> None:
    place = tmp_path / "new" / "games.sqlite"
    done = restore(stick, place)
    assert (done.games, done.events, done.pictures, done.aside) == (1, SAVED, 1, None)
    assert done.key_came == "new"
    english, german = (done.key_sentence().in_words(language) for language in ("en", "de"))
    assert "no private key" in english and "--key table_key.pem" in german
    with Store.open(place) as store, Table.open(store, "toy-one") as table:
        assert table.recovery == [], "the mirror was written too"
        assert table.revision == SAVED
        table_bot.play(table, Random(3), 5)


def test_a_throw_that_was_read_and_not_accepted_was_gone_from_the_backup(tmp_path: Path) -> None:
    toy_game.register()
    old, new, folder = (tmp_path / name for name in ("old", "new", "stick"))
    with (
        Store.open(old / "games.sqlite") as store,
        Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-one") as table,
    ):
        table_bot.advance_to(table, RollDice, Random(1))
        table.offer_reading(complete_reading(table.request), b"\xff\xd8\xff")
        assert table.throw_path is not None and table.throw_path.exists()
        said = CliRunner().invoke(main, ["backup", str(folder), "--store", str(old / "games.sqlite")])
        assert said.exit_code == 0, said.output
        kept = table.throw_path
        assert (folder / kept.name).read_bytes() == kept.read_bytes()
        restore(next(folder.glob("*.sqlite")), new / "games.sqlite")
        assert (new / kept.name).read_bytes() == kept.read_bytes()
        table.withdraw_reading(emptied=True)
        kept.unlink(missing_ok=True)
        drop_gone(old / "games.sqlite", folder)
        assert not (folder / kept.name).exists(), "what is no longer there is no longer copied"


def test_the_old_key_can_be_brought_along(stick: Path, tmp_path: Path) -> None:
    old = tmp_path / "old" / "table_key.pem"
    place = tmp_path / "new" / "games.sqlite"
    there = load_or_make(tmp_path / "new" / "table_key.pem")
    done = restore(stick, place, old)
    assert done.key_came == "brought" and done.key.public == load_or_make(old).public != there.public
    key = tmp_path / "new" / "table_key.pem"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    # the one that was there is kept as well
    (kept,) = key.parent.glob("table_key.pem.before-*")
    assert load_or_make(kept).public == there.public
    again = restore(stick, place, old)
    assert again.key_came == "brought" and len(list(key.parent.glob("table_key.pem.before-*"))) == 1
    assert "you brought" in again.key_sentence().in_words("en")


def test_on_the_same_machine_the_newer_record_is_moved_aside_and_the_key_stays(
    stick: Path, tmp_path: Path
) -> None:
    place = tmp_path / "old" / "games.sqlite"
    key = load_or_make(tmp_path / "old" / "table_key.pem").public
    done = restore(stick, place)
    assert (
        done.key_came == "kept"
        and done.key.public == key
        and "as before" in done.key_sentence().in_words("en")
    )
    with Store.open(place) as store:
        assert len(store.load("toy-one").events) == SAVED, (
            "the old mirror must not bring the later events back"
        )
    assert done.aside is not None
    with Store.open(done.aside) as before:
        assert len(before.load("toy-one").events) == LATER and before.remarks == []


def test_a_running_table_a_damaged_backup_or_a_wrong_key_change_nothing(stick: Path, tmp_path: Path) -> None:
    place = tmp_path / "old" / "games.sqlite"
    with Store.open(place), pytest.raises(InUse):
        restore(stick, place)
    with pytest.raises(StoreError, match="itself"):
        restore(place, place)
    with pytest.raises(StoreError, match="There is no key"):
        restore(stick, place, tmp_path / "nowhere.pem")
    other = tmp_path / "other.pem"
    other.write_bytes(
        generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    with pytest.raises(StoreError, match="spoiled"):
        restore(stick, place, other)
    raw = stick.read_bytes()
    with Store.open(place) as store:
        one_hash = store.load("toy-one").events[20].hash
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(raw.replace(one_hash.encode(), b"0" * 64))
    with pytest.raises(StoreError, match="not every event of toy-one"):
        restore(damaged, place)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable, match="put in place"):
        restore(stick, tmp_path / "file" / "games.sqlite")
    assert not list(place.parent.glob("*.before-*"))
    with Store.open(place) as store:
        assert len(store.load("toy-one").events) == LATER


@pytest.mark.parametrize(("language", "word"), [("de_DE.UTF-8", "Eingespielt"), ("C", "Put in place")])
def test_the_command_says_what_came_of_it(
    stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, word: str
) -> None:
    monkeypatch.setenv("LANG", language)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    for there in (False, True):
        said = CliRunner().invoke(main, ["restore", str(stick)])
        assert said.exit_code == 0 and word in said.output and str(SAVED) in said.output
        assert (".before-" in said.output) == there
    facts = json.loads(CliRunner().invoke(main, ["restore", str(stick), "--json"]).output)
    assert facts["games"] == 1 and facts["events"] == SAVED and facts["key_came"] == "kept"
    server = CliRunner().invoke(main, ["restore", str(stick), "--store", "postgresql://x/y"])
    assert server.exit_code == 2 and "referee backup" in server.output

"""Full and read-only disks, two processes, wrong clocks, upgrades: nothing is lost, and it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import table_bot
from click.testing import CliRunner
from damaging import hashes_after

from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import InUse, StoreError
from referee.journal.events import digest_of
from referee.kernel.play import Play
from referee.kernel.registry import load_game
from referee.store.store import Store

TESTS = Path(__file__).resolve().parents[1]


# -- disks -----------------------------------------------------------------------------------------------

FULL_DISK = """
import json, resource, signal, sys
sys.path.insert(0, {tests!r})
from random import Random
import table_bot, toy_game
from referee.journal.errors import StoreUnwritable
from referee.store.store import Store
from referee.hall.table import Table
import logging; logging.disable(logging.CRITICAL)
toy_game.register()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open({path!r}) as store, Table.open(store, "toy-now") as table:
    from pathlib import Path
    limit = max(p.stat().st_size for p in Path({path!r}).parent.rglob("*") if p.is_file()) + {room}
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    rng, hashes = Random(3), []
    try:
        while table.request is not None:
            hashes += [event.hash for event in table_bot.one_answer(table, rng)]
        said = ""
    except StoreUnwritable as error:
        said = error.sentence_en
    stands = table.play.digest() == table.events()[-1].digest
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    hashes += [event.hash for event in table_bot.one_answer(table, rng)]
    print(json.dumps([hashes, said, stands]))
"""


@pytest.mark.parametrize("room", [0, 5000, 20000])
def test_a_full_disk_refuses_the_answer_and_the_game_goes_on_when_there_is_room(
    copy: Path, room: int
) -> None:
    code = FULL_DISK.format(tests=str(TESTS), path=str(copy), room=room)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    acknowledged, said, stands = json.loads(done.stdout)
    assert "could not be written" in said and "Make room" in said
    assert stands
    with Store.open(copy) as store, Table.open(store, "toy-now") as table:
        found = {event.hash for event in table.events()}
        assert set(acknowledged) <= found


READ_ONLY = """
import os, sys
from referee.journal.errors import StoreUnwritable
from referee.store.store import Store
with Store.open({other!r}) as store:
    store.game_ids()  # everything is imported before rights are given up
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Store.open({path!r})
except StoreUnwritable as error:
    print(error.sentence_en)
with Store.open({path!r}, write=False) as store:
    print(len(store.load("toy-now").events))
"""


def test_a_read_only_disk_is_told_and_games_can_still_be_looked_at(
    copy: Path, played: tuple[Path, str, list[str]], tmp_path: Path
) -> None:
    for path in (copy.parent, *copy.parent.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    copy.parent.parent.chmod(0o755)  # a temporary folder is closed to others
    code = READ_ONLY.format(path=str(copy), other=str(tmp_path / "other.sqlite"))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    for path in (copy.parent, *copy.parent.rglob("*")):
        path.chmod(0o755)
    assert done.returncode == 0, done.stderr
    sentence, count = done.stdout.splitlines()
    assert "cannot be written" in sentence and "referee show" in sentence
    assert int(count) == len(played[2])


def test_a_mirror_that_cannot_be_written_does_not_stop_the_game_and_is_closed_later(
    copy: Path, monkeypatch: pytest.MonkeyPatch, played: tuple[Path, str, list[str]]
) -> None:
    with Store.open(copy) as store, Table.open(store, played[1]) as table:
        real = os.write

        def refuse(fd: int, data: bytes) -> int:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr("referee.store.mirror.os.write", refuse)
        table_bot.play(table, Random(8), 3)
        assert store.mirror is not None and store.mirror.behind
        monkeypatch.setattr("referee.store.mirror.os.write", real)
        table_bot.play(table, Random(9), 1)
        assert not store.mirror.behind
        assert sorted(store.mirror.read(played[1]).events) == [event.number for event in table.events()]


# -- processes, clocks, upgrades -------------------------------------------------------------------------


def test_two_processes_on_one_store_the_second_names_the_first(copy: Path) -> None:
    code = f"""
import sys
from referee.store.store import Store
from referee.journal.errors import InUse
try:
    Store.open({str(copy)!r})
except InUse as error:
    print(error.sentence_en); print(error.sentence_de)
"""
    with Store.open(copy, port=8123):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
        )
    english, german = done.stdout.splitlines()
    assert f"process {os.getpid()}" in english and "8123" in english
    assert f"Prozess {os.getpid()}" in german
    Store.open(copy).close()  # and it is free again


def test_one_game_cannot_be_opened_twice_in_one_process(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    with Store.open(copy) as store:
        with Table.open(store, played[1]), pytest.raises(InUse):
            Table.open(store, played[1])
        Table.open(store, played[1]).close()


def test_a_clock_that_jumps_back_years_changes_nothing_but_the_remark(
    copy: Path, played: tuple[Path, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    import referee.store.store as store_module

    monkeypatch.setattr(store_module, "utc_now", lambda: "1970-01-01T00:00:12.000Z")
    monkeypatch.setattr("referee.hall.table.utc_now", lambda: "1970-01-01T00:00:11.000Z")
    with Store.open(copy) as store:
        with Table.open(store, played[1]) as table:
            assert any("clock" in str(text) for text in table.recovery)
            table_bot.play(table, Random(3), 4)
            digest = table.play.digest()
        with Table.open(store, played[1]) as table:
            assert table.play.digest() == digest
            assert [event.hash for event in table.events()][: len(played[2])] == played[2]
            assert [event.number for event in table.events()] == list(range(1, table.revision + 1))


def test_an_older_store_is_upgraded_in_the_middle_of_a_game_with_a_backup_first(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("DROP INDEX events_by_hash")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("brought up to date (0001 to 0002)" in one for one in remarks)
    backups = list(copy.parent.glob("games-before-*.sqlite"))
    assert len(backups) == 1
    with closing(sqlite3.connect(backups[0])) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert connection.execute("SELECT count(*) FROM events WHERE game='toy-now'").fetchone() == (
            len(played[2]),
        )


def test_a_store_of_a_newer_program_is_left_alone(copy: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer program"):
        Store.open(copy)
    # the lock was given back, so it is the same answer again
    with pytest.raises(StoreError, match="newer program"):
        Store.open(copy)


def test_the_migrations_give_the_schema_that_the_program_uses(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlalchemy import create_engine

    from referee.store.schema import HEAD, metadata
    from referee.store.upgrade import revision_of

    engine = create_engine(f"sqlite:///{tmp_path / 'y.sqlite'}")
    upgrade_from_nothing(engine)
    assert revision_of(engine) == HEAD
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def upgrade_from_nothing(engine: object) -> None:
    from alembic import command
    from alembic.config import Config

    from referee.store.upgrade import MIGRATIONS

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:  # type: ignore[attr-defined]
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def test_a_file_that_is_no_record_is_not_touched(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="something else"):
        Store.open(path)
    assert path.read_bytes()[:4096] == before[:4096] or path.stat().st_size >= len(before)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


@pytest.mark.parametrize("write", [True, False])
def test_a_file_that_is_no_database_is_refused_and_nothing_is_put_aside(tmp_path: Path, write: bool) -> None:
    """`referee position --start notes.txt` moved the notes away as a damaged record."""
    path = tmp_path / "notes.txt"
    path.write_text("Buy dice.\n")
    with pytest.raises(StoreError, match="no record of games"):
        Store.open(path, write=write)
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]
    assert path.read_text() == "Buy dice.\n"
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        Store.open(folder, write=write)


def test_a_position_is_not_started_in_somebody_elses_file(tmp_path: Path) -> None:
    game = load_game("five_armies")
    file, notes = tmp_path / "position.yaml", tmp_path / "notes.txt"
    state = Play(game, game.new_state({})).state
    file.write_text(game.write_position(state, "Anfang"), encoding="utf-8")  # type: ignore[attr-defined]
    notes.write_text("Buy dice.\n")
    said = CliRunner().invoke(main, ["position", str(file), "--start", str(notes)])
    assert said.exit_code != 0 and "no record of games" in said.output
    assert notes.read_text() == "Buy dice.\n" and not list(tmp_path.glob("notes.txt.*"))


def test_an_empty_file_becomes_a_record(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.touch()
    with Store.open(path) as store:
        assert store.game_ids() == [] and store.remarks == []


def test_a_missing_store_cannot_be_looked_at_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no record"):
        Store.open(tmp_path / "nothing.sqlite", write=False)


def test_hashes_are_what_the_format_says() -> None:
    # computed with: printf '{"a":[1,null],"b":"ü"}' | sha256sum
    assert (
        digest_of({"b": "ü", "a": [1, None]})
        == "99d384bcceb172977f6eaf4ef3a0327d9228fb58de31d042ba9c21853129253a"
    )


def test_a_store_opened_twice_in_one_process_is_in_use_too(copy: Path) -> None:
    with Store.open(copy, port=8001) as store:
        store.note_port(8002)
        with pytest.raises(InUse, match="8002"):
            Store.open(copy)
        lock = copy.with_name(copy.name + ".lock")
        lock.write_text("rubbish")  # whoever holds it is not known then, but it is held
        with pytest.raises(InUse, match=r"process \?"):
            Store.open(copy)

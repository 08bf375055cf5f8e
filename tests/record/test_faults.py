"""Damaged files, full and read-only disks, two processes, wrong clocks: nothing is lost, and it is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game

from referee.hall.errors import InUse, StoreError
from referee.record.events import digest_of, first_break
from referee.record.store import Store
from referee.table import Table

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Path, str, list[str]]]:
    """A folder with a store of two games, the id of the one in the middle, and the hashes of its events."""
    toy_game.register()
    folder = table_bot.quick_folder()
    with Store.open(folder / "games.sqlite") as store:
        with Table.create(store, toy_game.GAME, options={"turns": 5}, game_id="toy-old") as old:
            table_bot.play(old, Random(1))
        with Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-now") as now:
            table_bot.play(now, Random(2), 150)
            hashes = [event.hash for event in now.events()]
    yield folder, "toy-now", hashes
    shutil.rmtree(folder)


@pytest.fixture
def copy(played: tuple[Path, str, list[str]]) -> Iterator[Path]:
    """The store's file in a fresh copy of the folder."""
    folder = table_bot.quick_folder()
    shutil.copytree(played[0], folder / "copy")
    yield folder / "copy" / "games.sqlite"
    shutil.rmtree(folder)


def hashes_after(path: Path, game_id: str) -> tuple[list[str], list[str]]:
    """Open the store and the table; gives the hashes found and the English remarks."""
    with Store.open(path) as store, Table.open(store, game_id) as table:
        assert first_break(table.header, table.events()) is None
        table_bot.one_answer(table, Random(5))  # it can be played on
        return [one.hash for one in table.events()], [english for english, _ in table.recovery]


def flip(path: Path, place: int, bit: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1 << bit
    path.write_bytes(raw)


def test_a_sound_store_opens_without_remarks(copy: Path, played: tuple[Path, str, list[str]]) -> None:
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert remarks == []


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_bit_in_the_database_loses_nothing(
    copy: Path, played: tuple[Path, str, list[str]], seed: int
) -> None:
    rng = Random(seed)
    for _ in range(3):
        flip(copy, rng.randrange(copy.stat().st_size), rng.randrange(8))
    found, _ = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]


def test_a_changed_event_in_the_database_is_noticed_mended_and_told(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    raw = copy.read_bytes()
    place = raw.index(played[2][20].encode())
    flip(copy, place + 3, 0)
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("from the mirror" in one for one in remarks)
    # once mended it stays mended
    assert hashes_after(copy, played[1])[1] == []


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.7, 0.95])
def test_a_truncated_database_is_made_anew_and_told(
    copy: Path, played: tuple[Path, str, list[str]], share: float
) -> None:
    size = copy.stat().st_size
    os.truncate(copy, int(size * share))
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("made anew" in one for one in remarks)


@pytest.mark.parametrize("page", [0, 1, 4, -1])
def test_a_torn_page_loses_nothing(copy: Path, played: tuple[Path, str, list[str]], page: int) -> None:
    raw = bytearray(copy.read_bytes())
    pages = len(raw) // 4096
    start = (page % pages) * 4096
    raw[start + 2048 : start + 4096] = b"\0" * 2048
    copy.write_bytes(raw)
    found, _ = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]


def test_a_database_that_is_gone_is_made_anew_from_the_mirror(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    copy.unlink()
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("2 games" in one for one in remarks)


def test_a_mirror_that_is_gone_is_written_anew(copy: Path, played: tuple[Path, str, list[str]]) -> None:
    shutil.rmtree(copy.with_name("games.sqlite.mirror"))
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("150 events behind" in one or "behind" in one for one in remarks)
    copy.unlink()
    assert hashes_after(copy, played[1])[0][: len(played[2])] == played[2]


@pytest.mark.parametrize("cut", [1, 7, 100, 3000])
def test_a_torn_last_line_of_the_mirror_is_completed(
    copy: Path, played: tuple[Path, str, list[str]], cut: int
) -> None:
    lines = copy.with_name("games.sqlite.mirror") / "toy-now.lines"
    os.truncate(lines, lines.stat().st_size - cut)
    found, remarks = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]
    assert any("No answer is missing" in one for one in remarks)


def test_database_and_mirror_damaged_in_different_places_still_give_everything(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    lines = copy.with_name("games.sqlite.mirror") / "toy-now.lines"
    raw = lines.read_bytes()
    flip(lines, raw.index(played[2][30].encode()), 1)
    flip(copy, copy.read_bytes().index(played[2][90].encode()), 1)
    found, _ = hashes_after(copy, played[1])
    assert found[: len(played[2])] == played[2]


def test_what_no_longer_joins_is_kept_aside_and_told(copy: Path, played: tuple[Path, str, list[str]]) -> None:
    lines = copy.with_name("games.sqlite.mirror") / "toy-now.lines"
    for path in (lines, copy):
        flip(path, path.read_bytes().index(b'"previous":' if path == lines else played[2][40].encode()), 1)
    raw = lines.read_bytes().replace(played[2][40].encode(), b"0" * 64)
    lines.write_bytes(raw)
    with Store.open(copy) as store, Table.open(store, played[1]) as table:
        assert table.revision == 40
        assert any("kept aside" in english for english, _ in table.recovery)
    assert list(lines.parent.glob("toy-now.lost-*"))


def test_a_game_whose_header_was_changed_in_the_database_gets_it_back(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    raw = copy.read_bytes()
    assert raw.count(b'"id":"toy-now"') == 1
    copy.write_bytes(raw.replace(b'"id":"toy-now"', b'"id":"toy-NOW"'))
    assert hashes_after(copy, played[1])[0][: len(played[2])] == played[2]


DAMAGES = ("flip", "flips", "page", "cut", "zero")


def damaged(raw: bytearray, how: str, rng: Random) -> bytes:
    """A file's bytes after something happened to the disk."""
    place = rng.randrange(len(raw))
    if how == "flip":
        raw[place] ^= 1 << rng.randrange(8)
    elif how == "flips":
        for _ in range(30):
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    elif how == "page":
        start = place // 4096 * 4096
        raw[start : start + 4096] = rng.randbytes(len(raw[start : start + 4096]))
    elif how == "cut":
        del raw[place:]
    else:
        raw[place : place + 500] = bytes(len(raw[place : place + 500]))
    return bytes(raw)


@pytest.fixture(scope="module")
def cut_off() -> Iterator[tuple[Path, list[str]]]:
    """A folder as a power cut leaves it, with its write-ahead log, and the hashes of its game."""
    toy_game.register()
    folder = table_bot.quick_folder()
    (folder / "a").mkdir()
    with (
        Store.open(folder / "a" / "games.sqlite") as store,
        Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-now") as table,
    ):
        table_bot.play(table, Random(2), 90)
        shutil.copytree(folder / "a", folder / "cut")
        hashes = [event.hash for event in table.events()]
    yield folder / "cut", hashes
    shutil.rmtree(folder)


@pytest.mark.parametrize("seed", range(30))
def test_damage_of_any_kind_to_any_file_of_the_database_loses_nothing(
    cut_off: tuple[Path, list[str]], seed: int
) -> None:
    rng = Random(seed)
    folder = table_bot.quick_folder() / "copy"
    shutil.copytree(cut_off[0], folder)
    path = folder / rng.choice(["games.sqlite", "games.sqlite-wal", "games.sqlite-shm"])
    path.write_bytes(damaged(bytearray(path.read_bytes()), DAMAGES[seed % len(DAMAGES)], rng))
    with Store.open(folder / "games.sqlite") as store, Table.open(store, "toy-now") as table:
        assert [event.hash for event in table.events()] == cut_off[1]
        table_bot.play(table, rng, 3)
    with Store.open(folder / "games.sqlite") as store, Table.open(store, "toy-now") as table:
        assert table.recovery == [] and table.revision >= len(cut_off[1]) + 3
    shutil.rmtree(folder.parent)


# -- disks -----------------------------------------------------------------------------------------------

FULL_DISK = """
import json, resource, signal, sys
sys.path.insert(0, {tests!r})
from random import Random
import table_bot, toy_game
from referee.hall.errors import StoreUnwritable
from referee.record.store import Store
from referee.table import Table
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
from referee.hall.errors import StoreUnwritable
from referee.record.store import Store
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

        monkeypatch.setattr("referee.record.mirror.os.write", refuse)
        table_bot.play(table, Random(8), 3)
        assert store.mirror is not None and store.mirror.behind
        monkeypatch.setattr("referee.record.mirror.os.write", real)
        table_bot.play(table, Random(9), 1)
        assert not store.mirror.behind
        assert sorted(store.mirror.read(played[1]).events) == [event.number for event in table.events()]


# -- processes, clocks, upgrades -------------------------------------------------------------------------


def test_two_processes_on_one_store_the_second_names_the_first(copy: Path) -> None:
    code = f"""
import sys
from referee.record.store import Store
from referee.hall.errors import InUse
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
    import referee.record.store as store_module

    monkeypatch.setattr(store_module, "utc_now", lambda: "1970-01-01T00:00:12.000Z")
    monkeypatch.setattr("referee.table.utc_now", lambda: "1970-01-01T00:00:11.000Z")
    with Store.open(copy) as store:
        with Table.open(store, played[1]) as table:
            assert any("clock" in english for english, _ in table.recovery)
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

    from referee.record.schema import HEAD, metadata
    from referee.record.upgrade import revision_of

    engine = create_engine(f"sqlite:///{tmp_path / 'y.sqlite'}")
    upgrade_from_nothing(engine)
    assert revision_of(engine) == HEAD
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def upgrade_from_nothing(engine: object) -> None:
    from alembic import command
    from alembic.config import Config

    from referee.record.upgrade import MIGRATIONS

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


def test_a_game_whose_header_is_lost_everywhere_is_told_and_the_others_open(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    lines = copy.with_name("games.sqlite.mirror") / "toy-old.lines"
    lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[1:]))
    raw = copy.read_bytes()
    assert raw.count(b'"id":"toy-old"') == 1
    copy.write_bytes(raw.replace(b'"id":"toy-old"', b'"id":"toy-OLD"'))
    with Store.open(copy) as store:
        with pytest.raises(StoreError, match="Restore a backup"):
            Table.open(store, "toy-old")
        Table.open(store, played[1]).close()
    copy.unlink()
    with Store.open(copy) as store:
        assert any("toy-old" in english for english, _ in store.remarks)
        assert store.game_ids() == [played[1]]

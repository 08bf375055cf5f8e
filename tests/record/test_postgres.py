"""Records that earlier programs kept on PostgreSQL: read and copied, no longer written.  Needs the server's
programs and psycopg."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from click.testing import CliRunner
from sqlalchemy import text

from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import StoreError
from referee.store.engine import connect_server, make_schema
from referee.store.store import Store

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), Path("/nowhere"))


def as_server(*words: str) -> subprocess.CompletedProcess[str]:
    """Run one of the server's programs; it refuses to be root."""
    before = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    return subprocess.run([*before, *words], capture_output=True, text=True, check=True, timeout=60)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if not (BINARIES / "initdb").exists() or (os.getuid() == 0 and shutil.which("runuser") is None):
        pytest.skip("PostgreSQL's server is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    folder.chmod(0o700)
    as_server(str(BINARIES / "initdb"), "-D", str(folder / "data"), "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    control = [str(BINARIES / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    as_server(*control, "-o", options, "-l", str(folder / "log"), "start")
    folder.chmod(0o755)
    try:
        user = "postgres" if os.getuid() == 0 else os.environ.get("USER", "postgres")
        yield f"postgresql+psycopg://{user}@/postgres?host={folder}"
    finally:
        as_server(*control, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def games(url: str) -> dict[str, list[str]]:
    """Two games that an earlier program recorded on the server, one of them damaged since; hashes by game."""
    toy_game.register()
    engine = connect_server(url)
    make_schema(engine)
    found = {}
    with Store(engine, None, None, True) as store:
        for game_id, count in (("toy-pg", 60), ("toy-bad", 10)):
            with Table.create(store, toy_game.GAME, options={"turns": 30}, game_id=game_id) as table:
                table_bot.play(table, Random(3), count)
                table.note("white", "Umlaute: äöüß, und 'Anführung' \"auch\"")
                found[game_id] = [event.hash for event in table.events()]
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET seat='black' WHERE game='toy-bad' AND number=3"))
    return found


def test_a_table_on_a_server_had_no_mirror_and_a_second_writer_after_a_restart(
    url: str, tmp_path: Path, games: dict[str, list[str]]
) -> None:
    with pytest.raises(StoreError, match="no longer written to"):
        Store.open(url)
    (tmp_path / "table.toml").write_text(f"[record]\nstore = '{url}'\nfolder = '{tmp_path}'\n")
    refused = CliRunner().invoke(main, ["serve", "--config", str(tmp_path / "table.toml")])
    assert refused.exit_code == 2 and "referee backup ORDNER" in refused.output


def test_nothing_that_a_server_recorded_is_lost(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games: dict[str, list[str]]
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    made = CliRunner().invoke(main, ["backup", str(tmp_path / "stick"), "--store", url])
    assert made.exit_code == 2 and "toy-bad" in made.output, "what is damaged there is named"
    (copy,) = (tmp_path / "stick").glob("games-*.sqlite")
    assert str(copy) in made.output and [path.name for path in (tmp_path / "stick").iterdir()] == [copy.name]
    put = CliRunner().invoke(main, ["restore", str(copy)])
    assert put.exit_code == 0, put.output
    with (
        Store.open(tmp_path / "data" / "games.sqlite") as store,
        Table.open(store, "toy-pg") as table,
    ):
        assert [event.hash for event in table.events()] == games["toy-pg"] and table.recovery == []
        table_bot.one_answer(table, Random(4))


def test_what_is_on_a_server_can_be_looked_at(url: str, games: dict[str, list[str]]) -> None:
    listed = CliRunner().invoke(main, ["games", "--store", url])
    assert listed.exit_code == 0 and "toy-pg" in listed.output
    shown = CliRunner().invoke(main, ["export", "toy-pg", "-o", "-", "--store", url])
    assert shown.exit_code == 0 and games["toy-pg"][-1] in shown.output


def test_a_server_that_is_not_there_is_told_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Store.open("postgresql+psycopg://table:s3cr3t@/postgres?host=/nowhere", write=False)
    assert "s3cr3t" not in str(caught.value)

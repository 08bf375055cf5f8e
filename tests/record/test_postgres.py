"""The same record on PostgreSQL, as at a tournament.  Needs the server's programs and psycopg."""

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
from sqlalchemy import text

from referee.hall.table import Table
from referee.journal.errors import InUse, StoreError
from referee.journal.events import first_break
from referee.journal.line import line_of, replay
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


def test_a_game_on_postgresql_is_the_same_game(url: str) -> None:
    toy_game.register()
    with Store.open(url) as store:
        with Table.create(store, toy_game.GAME, options={"turns": 30}, game_id="toy-pg") as table:
            table_bot.play(table, Random(3), 60)
            table.note("white", "Umlaute: äöüß, und 'Anführung' \"auch\"")
            digest = table.play.digest()
        with Table.open(store, "toy-pg") as table:
            assert table.play.digest() == digest and table.recovery == []
            assert table.live_game.resumed_from > 0
            table_bot.play(table, Random(4))
            assert first_break(table.header, table.events()) is None
            afresh, _ = replay(toy_game.GAME, {"turns": 30}, line_of(table.events()), {})  # type: ignore[arg-type]
            assert afresh.digest() == table.play.digest()
    with Store.open(url, write=False) as store:
        assert store.game_ids() == ["toy-pg"]


def test_one_game_has_one_writer_on_a_server_too(url: str) -> None:
    toy_game.register()
    with Store.open(url) as here, Store.open(url) as there:
        table = Table.create(here, toy_game.GAME, options={"turns": 30}, game_id="toy-two")
        with pytest.raises(InUse, match="another table"):
            Table.open(there, "toy-two")
        table.close()
        Table.open(there, "toy-two").close()


def test_a_changed_event_on_a_server_is_refused(url: str) -> None:
    toy_game.register()
    with Store.open(url) as store:
        with Table.create(store, toy_game.GAME, options={"turns": 30}, game_id="toy-bad") as table:
            table_bot.play(table, Random(3), 10)
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET seat='black' WHERE game='toy-bad' AND number=3"))
        with pytest.raises(StoreError, match="does not join together"):
            Table.open(store, "toy-bad")


def test_an_older_server_is_upgraded(url: str) -> None:
    with Store.open(url) as store, store.engine.begin() as connection:
        connection.execute(text("DROP INDEX events_by_hash"))
        connection.execute(text("UPDATE alembic_version SET version_num='0001'"))
    with Store.open(url) as store, store.engine.connect() as connection:
        found = connection.execute(
            text("SELECT indexname FROM pg_indexes WHERE tablename='events'")
        ).scalars()
        assert "events_by_hash" in set(found)


def test_a_server_that_is_not_there_is_told_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Store.open("postgresql+psycopg://table:s3cr3t@/postgres?host=/nowhere")
    assert "s3cr3t" not in str(caught.value)

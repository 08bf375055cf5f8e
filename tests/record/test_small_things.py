"""Corners of the record: commands in both languages, broken chains, moments on a slip, unreadable mirrors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from given_text import given

from referee.archive.results import outcome_of
from referee.archive.slip import make_slip
from referee.archive.summary import summarise
from referee.cli import main
from referee.commands import verify as commands
from referee.hall.table import Table
from referee.journal import events
from referee.journal.errors import StoreError, StoreUnwritable
from referee.journal.events import first_break
from referee.journal.signing import TableKey, is_signed, load_or_make
from referee.store import mirror
from referee.store.mending import load_game, rebuild
from referee.store.store import Store


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A record of one finished game in the folder that commands look into."""
    toy_game.register()
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "C")
    monkeypatch.chdir(tmp_path)
    with Store.open(tmp_path / "games.sqlite") as store:
        with Table.create(store, toy_game.GAME, options={"turns": 9}, game_id="toy-done") as table:
            table_bot.play(table, Random(1))
            table.confirm_result("white")
        yield store  # type: ignore[misc]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


# -- commands --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "fr_FR", "LC_ALL": "de_CH"}, "de"),
    ],
)
def test_the_terminals_language(
    names: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    assert commands.language() == language


def test_installed_games_are_listed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"id": "toy", "title": {"de": "Übungsspiel", "en": "Toy game"}} in json.loads(
        run("games", "--installed", "--json").output
    )
    assert "Toy game" in run("games", "--installed").output
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "Übungsspiel" in run("games", "--installed").output


def test_an_export_to_the_terminal_with_another_key_is_verified_under_that_key(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = load_or_make(tmp_path / "arbiter.pem")
    said = run("export", "last", "-o", "-", "--key", str(tmp_path / "arbiter.pem"))
    assert said.exit_code == 0
    lines = [json.loads(line) for line in said.output.splitlines()]
    assert lines[-1]["signature"]["key"] == key.public
    (tmp_path / "one.jsonl").write_text(said.output, encoding="utf-8")
    assert run("verify", "one.jsonl", "--key", key.public).exit_code == 0
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    german = run("verify", "one.jsonl")
    assert german.exit_code == 0 and "in Ordnung" in german.output and "1 Partie geprüft" in german.output
    (tmp_path / "two.jsonl").write_text(said.output, encoding="utf-8")
    both = run("verify", "one.jsonl", "two.jsonl", "--jobs", "1")
    assert "2 Partien geprüft, 0 mit Fehlern" in both.output


def test_a_bar_is_drawn_where_somebody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(commands._with_bar(iter("abc"), 3, True)) == ["a", "b", "c"]  # type: ignore[arg-type]
    assert "verify" in capsys.readouterr().err
    assert list(commands._with_bar(iter("abc"), 3, False)) == ["a", "b", "c"]  # type: ignore[arg-type]
    assert capsys.readouterr().err == ""


def test_a_file_that_cannot_be_written_names_the_way_out(store: Store, tmp_path: Path) -> None:
    for what in ("export", "slip"):
        refused = run(what, "last", "-o", str(tmp_path / "none" / "file"))
        assert refused.exit_code == 2 and "Name another file with -o" in refused.output


def test_trusted_keys_come_from_words_and_files(tmp_path: Path) -> None:
    (tmp_path / "keys.txt").write_text(f"the club: {'A' * 64}\nthe cup: {'b' * 64}\n")
    assert commands.trusted_keys([str(tmp_path / "keys.txt"), "c" * 64]) == {"a" * 64, "b" * 64, "c" * 64}
    for wrong in ("nothing", str(tmp_path)):
        with pytest.raises(StoreError, match="no public key"):
            commands.trusted_keys([wrong])


# -- the chain -------------------------------------------------------------------------------------------


def test_each_way_in_which_a_chain_can_break_is_told(store: Store) -> None:
    loaded = store.load("toy-done")
    header, chain = loaded.header, loaded.events
    assert first_break(header, chain) is None
    cases: list[tuple[int, str, Callable[[], tuple[dict[str, Any], list[Any]]]]] = [
        (3, "stands where event 3 belongs", lambda: (header, [*chain[:2], *chain[3:]])),
        (2, "belongs to game 'other'", lambda: (header, [chain[0], replace(chain[1], game="other")])),
        (1, "the header was changed", lambda: ({**header, "table": "x"}, chain)),
        (4, "event 3 is not the one it followed",
         lambda: (header, [*chain[:3], replace(chain[3], previous="0" * 64)])),
        (5, "was changed: its content", lambda: (header, [*chain[:4], replace(chain[4], seat="nobody")])),
    ]  # fmt: skip
    for place, words, made in cases:
        found = first_break(*made())
        assert found is not None and found[0] == place and words in found[1]


def test_a_machine_without_a_boot_id_gets_one_for_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: Path, *_: Any, **__: Any) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(events.Path, "read_text", missing)
    events.boot_id.cache_clear()
    try:
        made = events.boot_id()
        assert len(made) == 32 and events.boot_id() == made
    finally:
        events.boot_id.cache_clear()


def test_what_is_no_signature_is_none() -> None:
    key = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    good = key.sign(b"x")
    assert is_signed(key.public, good, b"x")
    for public, signature, message in (
        (key.public, good, b"y"), (key.public, "zz", b"x"), ("12", good, b"x"), (key.public, good[:-2], b"x"),
    ):  # fmt: skip
        assert not is_signed(public, signature, message)


def test_a_late_request_opened_the_record_again_without_its_lock(store: Store, tmp_path: Path) -> None:
    """The thread of a request may outlive the server: the record that it finds is closed, and stays so."""
    store.close()
    with pytest.raises(StoreError, match="record is closed"):
        store.game_ids()
    with pytest.raises(StoreUnwritable, match="record is closed"):
        Table.create(store, toy_game.GAME, options={"turns": 9}, game_id="late")
    with Store.open(tmp_path / "games.sqlite") as anew:
        assert anew.game_ids() == ["toy-done"]


def test_two_that_make_the_key_at_once_get_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_or_make(tmp_path / "key.pem")
    # as if the other had made it between the look and the making
    from referee.journal import signing

    assert signing._make(tmp_path / "key.pem").public == first.public
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be read"):
        load_or_make(tmp_path / "file" / "key.pem")
    with pytest.raises(StoreUnwritable, match="cannot be kept"):
        load_or_make(Path("/proc/none/key.pem"))


# -- mending ---------------------------------------------------------------------------------------------


def test_an_id_that_cannot_be_one_and_a_game_that_is_not_there(store: Store) -> None:
    for name in ("../../etc/passwd", "", "toy-none"):
        with pytest.raises(StoreError, match="There is no game"):
            load_game(store, name)


def test_what_does_not_join_is_told_and_not_written_where_one_only_looks(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "games.sqlite"
    one_hash = store.load("toy-done").events[10].hash
    store.close()
    lines = path.with_name("games.sqlite.mirror") / "toy-done.lines"
    for file in (path, lines):
        file.write_bytes(file.read_bytes().replace(one_hash.encode(), b"0" * 64))
    with Store.open(path, write=False) as looking:
        loaded = looking.load("toy-done")
    assert len(loaded.events) == 10
    assert any("kept aside in -" in str(text) for text in loaded.remarks)
    assert any("the database was damaged" in str(text) for text in loaded.remarks)
    assert not list(lines.parent.glob("*.lost-*"))


def test_a_database_that_cannot_be_read_through_is_salvaged(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(store.load("toy-done").events)
    real = Store.found
    calls: list[str] = []

    def refuses_once(self: Store, game_id: str) -> Any:
        calls.append(game_id)
        if len(calls) == 1:
            raise StoreError(given("malformed", "beschädigt"))
        return real(self, game_id)

    monkeypatch.setattr(Store, "found", refuses_once)
    loaded = store.load("toy-done")
    assert len(loaded.events) == count
    assert any("made anew" in str(text) for text in store.remarks)


def test_a_mirror_that_cannot_be_mended_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.mirror is not None
    store.mirror.close()
    store.mirror.path("toy-done").unlink()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mirror.os, "fsync", full)
    with pytest.raises(StoreUnwritable, match="Make room on the disk"):
        store.load("toy-done")


def test_a_mirror_that_cannot_be_read_counts_as_damaged(store: Store, tmp_path: Path) -> None:
    assert store.mirror is not None
    lines = store.mirror.path("toy-done")
    store.mirror.close()
    whole = lines.read_bytes()
    lines.unlink()
    lines.mkdir()
    assert store.mirror.read("toy-done").damaged == 1
    lines.rmdir()
    # lines whose checksum holds, but which are no line of ours
    assert mirror._read_line(mirror._line([1])) is None  # type: ignore[arg-type]
    assert not mirror._sound(b"zzzzzzzz {}xx\\n")
    text = b"{"
    assert mirror._read_line(b"%08x %s\\n" % (mirror.zlib.crc32(text), text)) is None
    lines.write_bytes(whole + b"torn")
    found = store.mirror.read("toy-done")
    assert found.damaged == 1 and found.sound == len(whole)


def test_a_store_is_made_anew_even_where_nothing_is_wrong(store: Store) -> None:
    before = [event.hash for event in store.load("toy-done").events]
    rebuild(store, "a wish")
    assert [event.hash for event in store.load("toy-done").events] == before
    assert store.remarks and "a wish" in str(store.remarks[-1])


# -- slips -----------------------------------------------------------------------------------------------


def scored(view: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The toy's view with its points as scores, a track with one marker, and one with two."""

    def with_scores(self: Any, state: Any, seat: str | None, language: str) -> dict[str, Any]:
        shown = view(self, state, seat, language)
        points = state.points
        shown["scores"] = [{"id": one, "name": f"Punkte {one}", "value": points[one]} for one in points]
        men = [{"name": one, "at": left["men"]} for one, left in state.tokens.items()]
        shown["tracks"] = [
            {"id": "turn", "name": "Zug", "length": 99, "marker": state.turn, "marks": []},
            {
                "id": "men",
                "name": "Leute",
                "markers": men,
            },
            {"id": "odd", "name": "Ohne", "marker": None},
        ]
        return shown

    return with_scores


def test_a_slip_shows_the_latest_moments_and_says_how_many_came_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy_game.ToyGame, "view", scored(toy_game.ToyGame.view))
    loaded = store.load("toy-done")
    summary = summarise(loaded, "de")
    names = {moment.name for moment in summary.moments}
    assert names == {"Punkte white", "Punkte black", "Zug", "white", "black"}
    for moment in summary.moments:
        assert moment.before != moment.after
    whites = [(one.before, one.after) for one in summary.moments if one.name == "Punkte white"]
    assert all(a[1] == b[0] for a, b in pairwise(whites)), "one leads to the next"
    pdf = make_slip(loaded, outcome_of(loaded), load_or_make(store.path.with_name("k.pem")), "de").pdf  # type: ignore[union-attr]
    assert pdf.startswith(b"%PDF") and len(pdf) > 5000


def test_pauses_restarts_and_clocks_that_went_back_are_no_time_of_play(store: Store) -> None:
    loaded = store.load("toy-done")
    times = ["2026-11-28T10:00:00.000Z", "2026-11-28T10:10:00.000Z", "2026-11-28T12:00:00.000Z",
             "2026-11-28T11:00:00.000Z", "2026-11-28T11:20:00.000Z", "not a time"]  # fmt: skip
    boots = ["a", "a", "a", "a", "b", "b"]
    few = [
        replace(event, at=at, boot=boot) for event, at, boot in zip(loaded.events, times, boots, strict=False)
    ]
    assert summarise(replace(loaded, events=few), "en").minutes == 10

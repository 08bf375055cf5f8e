"""Damaged files: nothing is lost, and it is told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from click.testing import CliRunner
from damaging import flip, hashes_after
from exporting import KEY

from referee.archive.exchange import write
from referee.archive.verify import verify_file
from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import GameStopped, StoreError
from referee.journal.events import event_hash
from referee.store.recover import Loaded
from referee.store.store import Store


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
    flip(lines, lines.read_bytes().index(b'"previous":'), 1)
    for path in (lines, copy):  # wherever a page holds the hash: the event, the next one, the index
        path.write_bytes(path.read_bytes().replace(played[2][40].encode(), b"0" * 64))
    with Store.open(copy) as store, Table.open(store, played[1]) as table:
        assert table.revision == 40
        assert any("kept aside" in str(text) for text in table.recovery)
    assert list(lines.parent.glob("toy-now.lost-*"))


def forged(copy: Path, game_id: str, number: int) -> list[str]:
    """The database made anew with another, sound chain from event ``number`` on; the mirror is as it was."""
    with Store.open(copy) as store:
        game = store.load(game_id)
        events = game.events[: number - 1]
        for event in game.events[number - 1 :]:
            moved = replace(event, at="2030-01-01T00:00:00.000Z", previous=events[-1].hash)
            events.append(replace(moved, hash=event_hash(moved)))
        store.replace(Loaded(game.header, events, game.openings))
        return [event.hash for event in events]


@pytest.mark.parametrize("cut", [0, 20], ids=["as long", "the mirror is shorter"])
def test_a_rebuilt_database_beat_the_honest_mirror(
    copy: Path, played: tuple[Path, str, list[str]], cut: int
) -> None:
    _, game_id, honest = played
    lines = copy.with_name("games.sqlite.mirror") / f"{game_id}.lines"
    if cut:
        lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:-cut]))
        honest = honest[:-cut]
    other = forged(copy, game_id, 40)
    if cut:  # opening it completed the mirror
        lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[: len(honest) + 1]))
    command = CliRunner().invoke(main, ["export", game_id, "-o", "-", "--store", str(copy)])
    assert command.exit_code == 2 and "nobody has decided" in command.output, "nothing is signed silently"
    with Store.open(copy) as store, Table.open(store, game_id) as table:
        assert [event.hash for event in table.events()][: len(honest)] == honest
        *_, stopped = table.events()
        assert stopped.kind == "stopped" and stopped.answer["fork"] == {"after": 39, "other": other[39]}
        assert sum("was changed" in str(text) for text in [*store.remarks, *table.recovery]) == 1
        with pytest.raises(GameStopped):
            table_bot.one_answer(table, Random(5))
        revision = table.revision
    (kept,) = lines.parent.glob(f"{game_id}.fork-*")
    assert kept.read_text().count("\n") == len(other) - 39
    for _ in range(2):  # said once, marked once, and no new file at each start
        with Store.open(copy) as store, Table.open(store, game_id) as table:
            assert table.revision == revision and [str(text) for text in table.recovery] == []
            assert list(lines.parent.glob(f"{game_id}.*-*")) == [kept]
    with Store.open(copy) as store, Table.open(store, game_id) as table:
        table.rule("Compared with the slip: the mirror is right.")
        table_bot.one_answer(table, Random(5))
        text = write(table.header, table.events(), None, KEY)
    (copy.parent / "game.jsonl").write_text(text)
    assert verify_file(copy.parent / "game.jsonl").ok


def test_a_fork_is_marked_even_where_power_goes_before_it_is(
    copy: Path, played: tuple[Path, str, list[str]]
) -> None:
    _, game_id, honest = played
    forged(copy, game_id, 40)
    with Store.open(copy) as store:
        store.load(game_id)  # mended, and nobody has marked it yet
    with Store.open(copy) as store, Table.open(store, game_id) as table:
        assert [event.hash for event in table.events()][:-1] == honest
        assert table.standing.stopped is not None and "fork" in table.standing.stopped.answer


def test_what_does_not_join_is_kept_aside_once(copy: Path, played: tuple[Path, str, list[str]]) -> None:
    lines = copy.with_name("games.sqlite.mirror") / "toy-now.lines"
    flip(lines, lines.read_bytes().index(b'"previous":'), 1)
    for path in (lines, copy):
        path.write_bytes(path.read_bytes().replace(played[2][40].encode(), b"0" * 64))
    for number in range(3):
        with Store.open(copy) as store, Table.open(store, played[1]) as table:
            assert bool(table.recovery) == (number == 0)
    assert len(list(lines.parent.glob("toy-now.lost-*"))) == 1


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
    cut_off: tuple[Path, list[str]], tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    folder = tmp_path / "copy"
    shutil.copytree(cut_off[0], folder)
    path = folder / rng.choice(["games.sqlite", "games.sqlite-wal", "games.sqlite-shm"])
    path.write_bytes(damaged(bytearray(path.read_bytes()), DAMAGES[seed % len(DAMAGES)], rng))
    with Store.open(folder / "games.sqlite") as store, Table.open(store, "toy-now") as table:
        assert [event.hash for event in table.events()] == cut_off[1]
        table_bot.play(table, rng, 3)
    with Store.open(folder / "games.sqlite") as store, Table.open(store, "toy-now") as table:
        assert table.recovery == [] and table.revision >= len(cut_off[1]) + 3
    shutil.rmtree(folder.parent)


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
        assert any("toy-old" in str(text) for text in store.remarks)
        assert store.game_ids() == [played[1]]

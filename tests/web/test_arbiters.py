"""Arbiters have names and links of their own; every event says who; the head arbiter decides appeals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from exported_lines import lines_of, verdict_of
from fake_hall import FakeHall
from flask import Flask
from screens import Screen

from referee.archive.show import events_in_words
from referee.cli import main
from referee.commands.install.bundle import anonymous
from referee.hall.base import Acting
from referee.hall.table import Table
from referee.journal.errors import NotAllowed, NotPossible, StoreError
from referee.serving.arbiters import MOST, ArbiterBook

sys.path.insert(0, str(Path(__file__).parent.parent / "record"))

from exporting import reseal


def entered(app: Flask, hall: FakeHall, name: str, head: bool = False) -> Screen:
    """A device that came in by the link of ``name``."""
    screen = Screen(app)
    token = ArbiterBook(hall.folder).add(name, head)
    assert screen.post("/api/arbiter/by_link", {"token": token}).status_code == 200
    return screen


def events(hall: FakeHall) -> list[Any]:
    assert hall.table is not None
    return list(hall.table.events())


def test_nobody_could_tell_which_arbiter_had_decided(
    hall: FakeHall, app: Flask, white: Screen, tmp_path: Path
) -> None:
    berta, carl = entered(app, hall, "Berta"), entered(app, hall, "Carl", head=True)
    white.post("/api/seat/white/object", {"text": "schief"})
    assert berta.post("/api/arbiter/rule", {"reason": "Der Wurf gilt."}).status_code == 200
    note = {"kind": "penalty", "about": "black", "value": 1, "text": "zu spät"}
    assert carl.post("/api/arbiter/note", note).status_code == 200
    said = [one.evidence for one in events(hall) if one.seat == "arbiter"]
    assert said == [{"arbiter": "Berta"}, {"arbiter": "Carl", "head": True}]
    log = [one["text"] for one in white.state("white")["table"]["log"]]
    assert log[0].startswith("Carl · ") and any(text.startswith("Berta · ") for text in log)
    assert hall.table is not None
    loaded = hall.table.live_game.store.load(hall.table.id)
    assert any("Berta" in line and "Der Wurf gilt" in line for line in events_in_words(loaded, "de"))
    lines = lines_of(hall.table, tmp_path)
    assert verdict_of(lines, tmp_path).ok
    forged = json.loads(json.dumps(lines))
    forged[1]["evidence"] = {"arbiter": "Berta"}  # a seat's event
    assert [one.code for one in verdict_of(reseal(forged), tmp_path).findings] == ["illegal"], (
        "no seat's event"
    )


def test_an_arbiters_link_opens_the_door_once(hall: FakeHall, app: Flask) -> None:
    token = ArbiterBook(hall.folder).add("Berta", False)
    assert token not in (hall.folder / "arbiters.json").read_text()
    assert (hall.folder / "arbiters.json").stat().st_mode & 0o077 == 0
    first, second = Screen(app), Screen(app)
    assert second.post("/api/arbiter/by_link", {"token": token[:-1] + "x"}).status_code == 403
    assert second.post("/api/arbiter/by_link", {"token": ""}).status_code == 403
    assert first.post("/api/arbiter/by_link", {"token": token}).status_code == 200
    assert second.post("/api/arbiter/by_link", {"token": token}).status_code == 403
    assert second.client.get("/api/arbiter/state").status_code == 403
    assert first.client.get("/api/arbiter/state").status_code == 200


def test_a_revoked_arbiter_is_out_at_once(hall: FakeHall, app: Flask) -> None:
    berta = entered(app, hall, "Berta")
    web = app.extensions["table"]
    session = next(one for one in web.seats.devices.values() if one.arbiter)
    ArbiterBook(hall.folder).revoke("berta")
    assert not web.seats.may_judge(session), "an open stream ends, too"
    assert berta.post("/api/arbiter/rule", {"reason": "doch"}).status_code == 403
    ArbiterBook(hall.folder).add("Berta", True)
    assert berta.client.get("/api/arbiter/state").status_code == 403, "the new Berta is another one"


def test_the_tables_key_and_the_names_do_not_shut_each_other_out(hall: FakeHall, app: Flask) -> None:
    berta, owner = entered(app, hall, "Berta"), Screen(app)
    owner.post("/api/arbiter/enter", {"key": app.extensions["table"].seats.new_arbiter_key()})
    assert berta.client.get("/api/arbiter/state").status_code == 200
    ArbiterBook(hall.folder).revoke("Berta")
    assert owner.client.get("/api/arbiter/state").status_code == 200


def test_a_damaged_list_of_arbiters_lets_nobody_in_by_name(hall: FakeHall, app: Flask) -> None:
    book = ArbiterBook(hall.folder)
    token = book.add("Berta", False)
    path, rng = hall.folder / "arbiters.json", Random(3)
    whole = path.read_text()
    screen = Screen(app)
    for text in (
        "",
        "[",
        "{}",
        "[1]",
        '[{"id": 1}]',
        *(whole[: rng.randrange(1, len(whole))] for _ in range(20)),
    ):
        path.write_text(text)
        assert screen.post("/api/arbiter/by_link", {"token": token}).status_code >= 400, text
        assert book.find(book_id(whole)) is None
        with pytest.raises(StoreError):
            ArbiterBook(hall.folder).add("Carl", True)
        assert path.read_text() == text, "what is damaged is not written over"
    path.write_text(whole)
    assert screen.post("/api/arbiter/by_link", {"token": token}).status_code == 200


def book_id(whole: str) -> str:
    return str(json.loads(whole)[0]["id"])


def test_names_are_checked_and_one_link_is_one_arbiter(tmp_path: Path) -> None:
    book = ArbiterBook(tmp_path)
    book.add("Änne  Berg\n", False)
    for name in ("", "  ", "x" * 41, "änne berg"):
        with pytest.raises(NotPossible):
            book.add(name, False)
    assert [one.name for one in book.known()] == ["Änne Berg"]
    with pytest.raises(NotPossible):
        book.revoke("Carl")
    for number in range(MOST - 1):
        book.add(f"Arbiter {number}", False)
    with pytest.raises(NotPossible):
        book.add("one more", False)


def test_the_command_adds_lists_and_revokes(tmp_path: Path) -> None:
    def run(*words: str) -> Any:
        return CliRunner().invoke(
            main, ["arbiter", *words, "--data", str(tmp_path)], env={"LANG": "en_GB.UTF-8"}
        )

    added = run("add", "Berta", "--head")
    assert added.exit_code == 0 and "/arbiter#" in added.output
    assert run("add", "berta").exit_code == 2
    assert run("list").output.strip() == "Berta  (head)  (link not opened yet)"
    token = added.output.strip().split("#")[1]
    assert ArbiterBook(tmp_path / "seats").trade(token) is not None
    assert ArbiterBook(tmp_path / "seats").trade(token) is None
    assert run("list").output.strip() == "Berta  (head)"
    assert run("revoke", "Berta").exit_code == 0 and run("list").output == ""
    assert run("revoke", "Berta").exit_code == 2


def test_a_bundle_names_no_arbiter(hall: FakeHall, app: Flask) -> None:
    entered(app, hall, "Berta").post("/api/arbiter/rule", {"reason": "So bleibt es."})
    assert hall.table is not None
    text = json.dumps(anonymous(hall.table.live_game.store.load(hall.table.id)), ensure_ascii=False)
    assert "Berta" not in text and "So bleibt" not in text and '"ruling"' in text


# -- the head arbiter --------------------------------------------------------------------------------------


@pytest.fixture
def table(hall: FakeHall) -> Table:
    assert hall.table is not None
    return hall.table


BERTA, CARL = Acting("Berta", False), Acting("Carl", True)


def test_a_decision_could_not_be_put_to_anybody_else(table: Table, tmp_path: Path) -> None:
    table.raise_objection("white", "schief")
    with table.acting(BERTA):
        first = table.rule("Der Wurf gilt.")
    with pytest.raises(NotPossible):
        table.appeal("black", "nein", about=1)
    appeal = table.appeal("black", "Er lag auf Kante.", about=first.number)
    points = [{"do": "points", "seat": "white", "value": 3}]
    with table.acting(BERTA):
        for way in (
            lambda: table.rule("Ich bleibe dabei."),
            lambda: table.correct(points, "so", revision=table.revision),
            lambda: table.end_game("time", [], "so", revision=table.revision),
            lambda: table.note("arbiter", "x", kind="penalty", about="black", value=1),
        ):
            with pytest.raises(NotAllowed):
                way()
    with table.acting(CARL):
        second = table.rule("Der Wurf wird wiederholt.")
    assert second.answer["settles"] == appeal.number and second.answer["beside"] == first.number
    assert second.evidence == {"arbiter": "Carl", "head": True}
    assert table.standing.objection is None
    with pytest.raises(NotPossible):
        table.appeal("black", "noch einmal", about=first.number)
    with pytest.raises(NotPossible):
        table.appeal("black", "auch das", about=second.number)
    lines = lines_of(table, tmp_path)
    verdict = verdict_of(lines, tmp_path)
    assert verdict.ok, verdict.findings
    by_berta = json.loads(json.dumps(lines))
    by_berta[-2]["evidence"] = {"arbiter": "Berta"}
    alone = json.loads(json.dumps(lines))
    del alone[-2]["answer"]["beside"]
    of_nothing = json.loads(json.dumps(lines))
    of_nothing[-3]["answer"]["about"] = 1
    for forged in (by_berta, alone, of_nothing):
        assert [one.code for one in verdict_of(reseal(forged), tmp_path).findings] == ["illegal"]


def test_an_appeal_is_put_and_withdrawn_on_the_screens(
    hall: FakeHall, app: Flask, white: Screen, black: Screen
) -> None:
    berta = entered(app, hall, "Berta")
    berta.post("/api/arbiter/rule", {"reason": "So bleibt es."})
    about = black.state("black")["table"]["standing"]["appealable"]
    assert about == events(hall)[-1].number
    assert white.post("/api/seat/black/appeal", {"text": "x", "about": about}).status_code == 403
    assert black.post("/api/seat/black/appeal", {"text": "x", "about": about}).status_code == 200
    standing = white.state("white")["table"]["standing"]
    assert standing["objection"] == {"seat": "black", "text": "x", "appeal": about}
    assert berta.post("/api/arbiter/rule", {"reason": "Nein."}).status_code == 409
    assert black.post("/api/seat/black/withdraw", {}).status_code == 200
    assert white.state("white")["table"]["standing"]["objection"] is None

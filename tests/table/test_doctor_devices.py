"""The doctor's look at devices, disk and record, each with its way out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import table_bot
import toy_game

from referee.config.settings import CameraSection, Config, RecordSection
from referee.hall.table import Table
from referee.serving import health
from referee.store.store import Store
from vision.sources.base import Frame


@dataclass
class Camera:
    """Gives one frame, or none."""

    given: Frame | None

    def frame(self, deadline_s: float) -> Frame | None:
        return self.given

    def close(self) -> None: ...


def one(found: Any) -> health.HealthCheck:
    (check,) = list(found)
    return check


def test_a_camera_without_pictures_fails_and_one_with_pictures_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera = Camera(None)
    monkeypatch.setattr("vision.sources.opening.open_camera", lambda source, types: camera)
    config = Config(camera=CameraSection(source="v4l2:0"))
    nothing = one(health.camera(config))
    assert (
        nothing.verdict == "fail"
        and "no picture" in nothing.text.in_words("en")
        and "Kabel" in nothing.do.in_words("de")
    )
    camera.given = Frame(np.zeros((480, 640, 3), np.uint8), 1, 0.0)
    seen, *tray = health.camera(config)
    assert seen.verdict == "ok" and "640 x 480" in seen.text.in_words("en")
    assert tray and all(check.id.startswith("tray.") for check in tray)
    assert any(check.verdict == "warn" for check in tray), "a black picture shows no tray"
    photo = Config(camera=CameraSection(source="v4l2:0", reader="photo"))
    assert len(list(health.camera(photo))) == 1


def test_a_slow_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "SLOW_SYNC_S", 0.0)
    slow = one(health.writing(tmp_path))
    assert slow.verdict == "warn" and "SSD" in slow.do.in_words("en")
    monkeypatch.setattr(health, "SLOW_SYNC_S", 1e9)
    assert one(health.writing(tmp_path)).verdict == "ok"


def test_devices_that_may_not_be_used_name_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        health.Path, "glob", lambda path, pattern: [Path(f"/dev/{pattern.replace('*', '0')}")]
    )
    monkeypatch.setattr(health.os, "access", lambda path, mode: "video" not in str(path))
    refused = one(health.permissions(Config()))
    assert refused.verdict == "fail" and "usermod -aG video" in refused.do.in_words("en")


@pytest.mark.parametrize(
    ("who", "verdict"), [("", "ok"), ("referee (process 7)", "ok"), ("nginx (process 9)", "fail")]
)
def test_who_holds_the_port(who: str, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "holder_of", lambda port: who)
    assert one(health.port(Config())).verdict == verdict


def test_a_card_that_is_hardly_worn_is_not_mentioned(tmp_path: Path) -> None:
    life = tmp_path / "sys/block/mmcblk0/device/life_time"
    life.parent.mkdir(parents=True)
    for text, verdicts in (("0x02 0x03\n", []), ("0x02 0x09\n", ["warn"]), ("nonsense\n", [])):
        life.write_text(text)
        assert [check.verdict for check in health.card(tmp_path)] == verdicts


def test_an_empty_a_missing_and_a_damaged_record(tmp_path: Path) -> None:
    toy_game.register()
    config = Config(record=RecordSection(folder=str(tmp_path)))
    assert "no record" in one(health.record(config)).text.in_words("en")
    with Store.open(tmp_path / "games.sqlite") as store:
        assert "is empty" in one(health.record(config)).text.in_words("en")
        with Table.create(store, toy_game.GAME, options={"turns": 9}) as table:
            table_bot.play(table, Random(1), 9)
            lines = tmp_path / "games.sqlite.mirror" / f"{table.id}.lines"
    assert one(health.record(config)).verdict == "ok"
    lines.write_bytes(lines.read_bytes()[:-20])
    behind = one(health.record(config))
    assert behind.verdict == "warn" and "mirror" in behind.text.in_words("en")
    (tmp_path / "games.sqlite").write_bytes(b"rubbish" * 900)
    broken = one(health.record(config))
    assert broken.verdict == "fail" and "mends it" in broken.do.in_words("en")


def test_checks_that_board_and_record_differ_are_answered_in_words(table: Table) -> None:
    from referee.journal.errors import NotPossible
    from referee.kernel.errors import InvalidAnswer

    table.offer_board_check()
    assert not table.holding.offered, "nothing was played yet"
    with pytest.raises(NotPossible, match="No check"):
        table.end_board_check("white")
    table.begin_board_check("white")
    with pytest.raises(InvalidAnswer, match="no answer here"):
        table.answer_board_check("white", "north", "perhaps")
    table.end_board_check("white")
    assert table.proposed_view("en") == {}
    put: list[dict[str, Any]] = [{"do": "put", "seat": "white", "place": "south"}]
    table.propose_correction("white", put, "it fell over", revision=table.revision)
    assert table.proposed_view("en")["places"]["south"]["pieces"]
    table.consent("black", True, revision=table.revision)
    assert table.play.state.at["white"] == "south"
    assert table.live_game.line[-1].kind == "correction"

"""The main job on real input: photographs of real dice are the camera, the combat comes out as labelled."""

from __future__ import annotations

import csv
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import vision.sources.opening as opening
from referee.config.settings import CameraSection
from referee.games.five_armies import GAME
from referee.hall.dice import Offer
from referee.hall.dicehall import DiceHall
from referee.hall.table import Table
from referee.serving.cameradice import CameraDice
from referee.store.store import Store

DICE = Path(__file__).parents[3] / "shared" / "dice"
POSITION = """
turn: 3
phase: 5
to_act: shadow
pools: {free: 5, shadow: 6}
unused_dice: {free: [character], shadow: [army]}
regions:
  v_dale_west_plain: {side: free, units: {dwarf_regulars: 2, elven_archers: 3}}
  v_dale_south_plain: {side: shadow, units: {orcs: 5}}
"""
TARGET = 5
WAIT_S = 60


def five_dice() -> list[tuple[Path, list[str]]]:
    """Photographs of exactly five dice, with their faces by label, in the order of the label file."""
    if not (DICE / "labels.csv").exists():
        if os.environ.get("REFEREE_REQUIRE_SHARED") == "1":
            pytest.fail(f"the labelled photographs are missing: {DICE}")
        pytest.skip("the labelled photographs of dice are not beside this checkout")
    with (DICE / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["n_dice"] == "5" and row["exact_scoring"] == "1"]
    return [(DICE / row["file"], row["values"].split()) for row in rows]


@dataclass
class Desk:
    """A table whose camera looks at a folder of photographs."""

    table: Table
    hall: DiceHall
    cameras: list[Any]
    changed: threading.Condition = field(default_factory=threading.Condition)

    def offer(self) -> Offer:
        """The reading of the picture that lies there now; waits for it."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.table.offer is not None, WAIT_S), self.hall.state
        offer = self.table.offer
        assert offer is not None
        return offer

    def next_picture(self) -> None:
        self.cameras[-1].advance()

    def answer(self, *values: Any) -> None:
        for value in values:
            request = self.table.request
            assert request is not None
            self.table.answer(request.seat, value, revision=self.table.revision)
            self.hall.follow(self.table)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    photographs = chosen()
    folder = tmp_path / "camera"
    folder.mkdir()
    for number, (path, _) in enumerate(photographs):
        shutil.copy(path, folder / f"{number}{path.suffix}")
    cameras: list[Any] = []
    really_open = opening.open_camera

    def open_and_keep(*arguments: Any) -> Any:
        cameras.append(really_open(*arguments))
        return cameras[-1]

    monkeypatch.setattr(opening, "open_camera", open_and_keep)
    camera = CameraDice(
        CameraSection(source=f"files:{folder}", reader="photo"), lambda heard: hall.hear(heard)
    )
    hall = DiceHall(camera)
    store = Store.open(tmp_path / "record.sqlite")
    table = Table.create(store, GAME, options={"position": POSITION})
    desk = Desk(table, hall, cameras)

    def told() -> None:
        with desk.changed:
            desk.changed.notify_all()

    hall.subscribe(told)
    camera.prepare(tuple(GAME.dice.values()))
    yield desk
    hall.follow(None)
    camera.close()
    table.close()
    store.close()


def chosen() -> list[tuple[Path, list[str]]]:
    """Two photographs, for the attacker's and the defender's roll."""
    found = five_dice()
    return [found[0], found[len(found) // 2]]


def accept(desk: Desk, label: list[str]) -> None:
    """Accept the reading as a player would: as it stands where it is sure, else corrected die by die."""
    offer = desk.offer()
    request = desk.table.request
    assert request is not None
    corrections: list[dict[str, Any]] = []
    read = sorted(str(die.face) for die in offer.reading.dice)
    if offer.reading.status == "ok":
        assert read == label, "a silent misread"
    elif read != label:
        corrections = [{"die": n, "remove": True} for n in range(len(offer.reading.dice))]
        corrections += [{"add": {"type": "combat_white", "face": face}} for face in label]
    desk.table.accept_dice(
        request.seat, revision=desk.table.revision, corrections=corrections, offer=offer.number
    )
    desk.next_picture()
    desk.hall.accepted(desk.table.events()[-1].evidence)
    desk.hall.follow(desk.table)


@pytest.mark.photographs
def test_a_combat_on_photographs_comes_out_as_the_labels_say(desk: Desk) -> None:
    attacker, defender = (sorted(label) for _, label in chosen())
    while desk.table.request is not None and desk.table.request.prompt.startswith("prompt.ask_entry"):
        desk.answer("any" if "any" in desk.table.request.options else "any_region")
    desk.answer("attack", "v_dale_south_plain", "stay", "v_dale_west_plain")
    for seat in ("free", "shadow"):
        desk.table.answer(seat, "regroup", revision=desk.table.revision)
    desk.hall.follow(desk.table)
    accept(desk, attacker)
    accept(desk, defender)
    view = GAME.view(desk.table.play.state, None, "en")["focus"]["sides"]
    assert sorted(die["face"] for die in view["shadow"]["rolled"]) == attacker
    assert sorted(die["face"] for die in view["free"]["rolled"]) == defender
    assert view["free"]["damage"] == sum(int(face) >= TARGET for face in attacker)
    assert view["shadow"]["damage"] == sum(int(face) >= TARGET for face in defender)
    rolls = [event for event in desk.table.events() if event.source == "camera"]
    assert len(rolls) == 2 and all(event.evidence and event.evidence["picture"] for event in rolls)

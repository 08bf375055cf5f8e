"""The rulings: each has a test that bears its id, and the page that lists them is up to date."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from card_driving import barred, play, table

from referee.games.war_of_the_ring.box.editions import DIFFERENCES, Edition
from referee.games.war_of_the_ring.catalogue.loading import FILES
from referee.games.war_of_the_ring.catalogue.rulings import document

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "docs" / "war_of_the_ring_rulings.md"


def test_every_ruling_has_a_test_with_its_id() -> None:
    assert len(FILES.rulings) == 51
    marked: set[str] = set()
    for path in HERE.glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for found in re.findall(r"def test_ruling_\w+|@pytest\.mark\.ruling\([^)]*\)", text):
            marked |= set(re.findall(r"r\d\d", found))
    assert set(FILES.rulings) == marked


def test_the_page_of_rulings_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_every_difference_between_the_editions_is_listed() -> None:
    assert set(DIFFERENCES) | {"id"} == {field.name for field in fields(Edition)}


@pytest.mark.ruling("r13")
def test_ruling_r13_settlements_on_cards_are_meant_by_origin() -> None:
    taken = table(ring="dale", captured="dale")
    assert barred(taken, "orc_patrol").startswith("cards.requirement")
    moria = table(ring="moria", captured="moria")
    assert barred(moria, "orc_patrol") == ""


@pytest.mark.ruling("r52")
def test_ruling_r52_cards_strengthen_a_siege_but_eomer_needs_a_free_region() -> None:
    places = {"helms_deep_siege": {"rohan_regular": 1}, "helms_deep": {"isengard_regular": 2}}
    state = table(company="gimli", places=places, chars={"legolas": "helms_deep_siege"})
    assert "helms_deep" in play(state, "riders_of_theoden").options
    state = table(company="gimli", places=places)
    assert "helms_deep" not in play(state, "eomer_son_of_eomund").options

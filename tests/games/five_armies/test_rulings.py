"""Every open point of the books is decided in both languages and listed in the documentation."""

from __future__ import annotations

from pathlib import Path

from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.catalogue.loading import CATALOGUE, FILES
from referee.games.five_armies.catalogue.rulings import document

DOCUMENT = Path(__file__).parents[3] / "docs" / "five_armies_rulings.md"


def test_every_ruling_is_complete() -> None:
    assert len(FILES.rulings) == 64
    for ruling_id, entry in FILES.rulings.items():
        for key in ("topic", "ruling", "why"):
            assert entry[f"{key}_en"] and entry[f"{key}_de"], ruling_id
        assert ("other_en" in entry) == ("other_de" in entry), ruling_id
        assert entry["rules"], ruling_id
        for rule in entry["rules"]:
            assert rule in CATALOGUE, ruling_id


def test_the_document_is_written_from_the_data() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_a_house_rule_switches_where_the_catalogue_says_so() -> None:
    entries = (*FILES.entries.values(), *FILES.rulings.values())
    switched = {entry["option"] for entry in entries if "option" in entry}
    assert switched == set(HOUSE_RULES)

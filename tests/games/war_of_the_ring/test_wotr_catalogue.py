"""The rule catalogue is complete and bilingual, and the code names no rule that it lacks."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from referee.games.war_of_the_ring.catalogue.loading import CATALOGUE, FILES
from referee.games.war_of_the_ring.game import GAME
from referee.kernel.at_table import at_table

PLACES = GAME.rule_places

KINDS = {"procedure", "permission", "prohibition", "obligation", "limit", "timing", "value"}
PREFIXES = (
    *("setup", "turn", "dice", "ring", "politics", "recruit", "move", "stack", "battle", "siege", "retreat"),
    *("casualty", "combat_card", "fellowship", "hunt", "mordor", "char", "nazgul", "minion", "cards"),
    "victory",
)
# keys of position files look alike
_RULE = re.compile(rf'(?<!file=)"((?:{"|".join(PREFIXES)})\.[a-z_]+)"')


@pytest.mark.parametrize("chapter", FILES.chapters)
def test_every_rule_has_titles_sentences_and_a_page(chapter: str) -> None:
    rules = [rule for rule in CATALOGUE.values() if rule.chapter == chapter]
    assert rules
    for rule in rules:
        for text in (rule.title_en, rule.title_de, rule.sentence_en, rule.sentence_de):
            assert text.strip() == text and text, rule.id
        assert len(rule.title_en) <= 60 and len(rule.title_de) <= 70, rule.id
        assert rule.sentence_en.endswith(".") and rule.sentence_de.endswith("."), rule.id
        entry = FILES.entries[rule.id]
        assert entry["kind"] in KINDS, rule.id
        assert isinstance(entry["section"], str), rule.id
        assert set(entry.get("editions", ["first"])) <= {"first", "second"}, rule.id
        assert rule.id.partition(".")[0] in PREFIXES, rule.id


def test_titles_tell_rules_apart() -> None:
    titles = Counter(rule.title_en for rule in CATALOGUE.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_rules_seen_as_another_lead_to_a_rule_of_its_own() -> None:
    shown = FILES.seen_as
    for rule_id, target in shown.items():
        assert shown[target] == target, rule_id
        assert rule_id in CATALOGUE[target].atoms


def test_the_code_names_no_rule_that_is_not_there() -> None:
    missing = set()
    for path in FILES.folder.parent.rglob("*.py"):
        if path.parent.name == "position":
            continue
        for rule in _RULE.findall(path.read_text(encoding="utf-8")):
            if rule not in CATALOGUE:
                missing.add(f"{path.name}: {rule}")
    assert sorted(missing) == []


def test_no_rule_is_a_dead_letter() -> None:
    """Every rule is asked by, refused by, or carried out by a function that is named."""
    named = {
        rule for path in FILES.folder.parent.rglob("*.py") for rule in _RULE.findall(Path(path).read_text())
    }
    assert [rule for rule in CATALOGUE if rule not in named and rule not in PLACES] == []


def test_rules_name_functions_that_exist() -> None:
    for rule in PLACES:
        assert rule in CATALOGUE and PLACES[rule], rule


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_game_of_the_first_edition_cites_its_own_sheet_or_nothing(language: str) -> None:
    first, second = (at_table(GAME, {"edition": edition}) for edition in ("first", "second"))
    assert second.catalogue is CATALOGUE and first.catalogue.keys() == CATALOGUE.keys()
    headings = Counter(entry["section"] for entry in FILES.entries.values())
    for rule in first.catalogue.values():
        assert rule.heading in headings and not rule.page(language), rule.id
        assert "2. Ausgabe" not in rule.where(language) and "second" not in rule.where(language), rule.id
        assert bool(rule.where(language)) == bool(FILES.entries[rule.id]["section"]), rule.id
        assert rule.sentence(language) == CATALOGUE[rule.id].sentence(language)
    position = {"position": "position: {edition: first}"}
    assert at_table(GAME, position).catalogue is first.catalogue

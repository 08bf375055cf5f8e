"""The rule catalogue is complete, bilingual and tells of every conflict which source stands."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from referee.games.five_armies.catalogue.loading import CATALOGUE, FILES, FOLDER

KINDS = {"procedure", "permission", "prohibition", "obligation", "limit", "timing", "value"}


def test_all_atomic_rules_are_there() -> None:
    assert len(CATALOGUE) == 473
    first = Counter(rule.chapter <= "08_characters" for rule in CATALOGUE.values())
    assert first == {True: 189, False: 284}
    assert sum(rule.refusable for rule in CATALOGUE.values()) == 242


@pytest.mark.parametrize("chapter", FILES.chapters)
def test_every_rule_has_titles_sentences_and_a_page(chapter: str) -> None:
    rules = [rule for rule in CATALOGUE.values() if rule.chapter == chapter]
    assert rules
    for rule in rules:
        for text in (rule.title_en, rule.title_de, rule.sentence_en, rule.sentence_de):
            assert text.strip() == text and text, rule.id
        assert len(rule.title_en) <= 50 and len(rule.title_de) <= 55, rule.id
        assert rule.sentence_en.endswith(".") and rule.sentence_de.endswith("."), rule.id
        assert rule.page_de[0].isdigit(), rule.id
        assert FILES.entries[rule.id]["kind"] in KINDS, rule.id


def test_titles_tell_rules_apart() -> None:
    titles = Counter(rule.title_en for rule in CATALOGUE.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_conflicts_say_in_both_languages_which_source_stands() -> None:
    noted = [rule for rule in CATALOGUE.values() if rule.note_en or rule.note_de]
    assert len(noted) == 31  # thirty conflicts of the sources, and the set-up list with its two readings
    for rule in noted:
        assert rule.note_en and rule.note_de, rule.id


def test_rules_seen_as_another_lead_to_a_rule_of_its_own() -> None:
    shown = FILES.seen_as
    for rule_id, target in shown.items():
        assert shown[target] == target, rule_id
        assert rule_id in CATALOGUE[target].atoms
        if CATALOGUE[rule_id].refusable:
            assert CATALOGUE[target].refusable, rule_id
    assert sum(len(rule.atoms) for rule in CATALOGUE.values()) == len(CATALOGUE)


def test_a_rule_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        CATALOGUE["move.by_boat"]


def test_rules_name_functions_that_exist() -> None:
    from referee.games.five_armies import GAME

    assert len(GAME.rule_places) > 150
    for rule, functions in GAME.rule_places.items():
        assert rule in CATALOGUE and functions, rule


def test_every_reason_of_an_explanation_has_its_words() -> None:
    from referee.games.five_armies import GAME

    reasons = set()
    for path in (FOLDER.parent / "words").glob("explaining*.py"):
        text = path.read_text(encoding="utf-8")
        reasons.update(re.findall(r'Refusal\([^()]*?, "([a-z_]+)"', text))
    table = (FOLDER.parent / "words" / "refusals.yaml").read_text(encoding="utf-8")
    reasons.update(re.findall(r"reason: ([a-z_]+)", table))
    find = GAME.messages.find
    missing = [r for r in sorted(reasons) for lang in ("de", "en") if not find(f"reason.{r}", lang)]
    assert len(reasons) > 40
    assert missing == []

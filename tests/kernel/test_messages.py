"""Message catalogues: plural forms, forms of names, languages that are discovered, texts passed about."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from message_checks import missing, missing_forms

from referee.kernel import messages as catalogues
from referee.kernel.messages import Messages, Text, languages, registered
from referee.kernel.registry import load_game

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
TWO = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
POLISH = (
    '"Plural-Forms: nplurals=3; plural='
    '(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"\n\n'
)

ENGLISH = """
msgid "log.draw"
msgid_plural "{count}"
msgstr[0] "draws a card"
msgstr[1] "draws {count} cards"

msgid "hits"
msgstr "{dice} {dice:die|dice} and {hits} {hits:hit|hits}"

msgid "fight"
msgstr "Battle for {place}"

msgid "only_english"
msgstr "As it is"

msgid "place.hill"
msgstr "Rough Hill"

msgid "wait"
msgstr "{seat} {seat:has|have} time."

msgid "seat.free"
msgstr "Free Peoples"

msgid "seat.free.number"
msgstr "plural"

msgid "seat.shadow"
msgstr "Shadow"
"""
GERMAN = """
msgid "log.draw"
msgid_plural "{count}"
msgstr[0] "zieht eine Karte"
msgstr[1] "zieht {count} Karten"

msgid "hits"
msgstr "{dice} Würfel und {hits} Treffer"

msgid "fight"
msgstr "Kampf um {place:acc}"

msgid "wait"
msgstr "{seat:Nom} {seat:hat|haben} Zeit."

msgid "place.hill"
msgstr "Zerklüfteter Hügel"

msgid "place.hill.acc"
msgstr "den Zerklüfteten Hügel"

msgid "place.lake"
msgstr "See"

msgid "place.lake.nom"
msgstr "der See"

msgid "place.town"
msgstr "Seestadt"

msgid "seat.free"
msgstr "Freie Völker"

msgid "seat.free.nom"
msgstr "die Freien Völker"

msgid "seat.free.number"
msgstr "plural"

msgid "seat.shadow"
msgstr "Schatten"

msgid "seat.shadow.nom"
msgstr "der Schatten"
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Messages:
    (tmp_path / "room").mkdir()
    (tmp_path / "room/en.po").write_text(HEADER + TWO + ENGLISH, "utf-8")
    (tmp_path / "room/de.po").write_text(HEADER + TWO + GERMAN, "utf-8")
    monkeypatch.setattr(catalogues, "_ROOMS", dict(catalogues._ROOMS))
    return catalogues.register("room", tmp_path / "room")


@pytest.mark.parametrize(
    ("count", "english", "german"),
    [
        (0, "draws 0 cards", "zieht 0 Karten"),
        (1, "draws a card", "zieht eine Karte"),
        (2, "draws 2 cards", "zieht 2 Karten"),
        ("1", "draws a card", "zieht eine Karte"),
    ],
)
def test_a_number_takes_its_plural_form(room: Messages, count: object, english: str, german: str) -> None:
    assert room.text("log.draw", "en", {"count": count}) == english
    assert room.text("log.draw", "de", {"count": count}) == german


def test_two_numbers_take_a_form_each(room: Messages) -> None:
    assert room.text("hits", "en", {"dice": 1, "hits": 3}) == "1 die and 3 hits"
    assert room.text("hits", "en", {"dice": 5, "hits": 1}) == "5 dice and 1 hit"


def test_a_language_with_three_forms_uses_its_own_rule(room: Messages) -> None:
    text = '\nmsgid "log.draw"\nmsgid_plural "{count}"\nmsgstr[0] "{count} karta"\n'
    text += 'msgstr[1] "{count} karty"\nmsgstr[2] "{count} kart"\n'
    (room.folder / "pl.po").write_text(HEADER + POLISH + text, "utf-8")
    said = [room.text("log.draw", "pl", {"count": n}) for n in (1, 2, 5, 12, 22)]
    assert said == ["1 karta", "2 karty", "5 kart", "12 kart", "22 karty"]


def test_a_name_is_said_in_the_form_that_the_sentence_asks_for(room: Messages) -> None:
    hill = room.name("place.hill", "de")
    assert hill == "Zerklüfteter Hügel"
    assert room.text("fight", "de", {"place": hill}) == "Kampf um den Zerklüfteten Hügel"
    assert room.text("fight", "en", {"place": room.name("place.hill", "en")}) == "Battle for Rough Hill"


def test_a_form_that_is_missing_falls_back_to_the_nominative_then_to_the_name(room: Messages) -> None:
    names = [room.name(f"place.{one}", "de") for one in ("lake", "town")]
    fights = [room.text("fight", "de", {"place": name}) for name in names]
    assert fights == ["Kampf um der See", "Kampf um Seestadt"]


def test_the_check_names_the_forms_that_sentences_ask_for_and_nobody_wrote(room: Messages) -> None:
    assert missing_forms(room, "de", {}) == ["place.lake.acc", "place.town.acc"]
    assert missing_forms(room, "en", {}) == []


def test_verbs_agree_with_names(room: Messages) -> None:
    def wait(seat: str, language: str) -> str:
        return room.text("wait", language, {"seat": room.name(f"seat.{seat}", language)})

    assert [wait(seat, "de") for seat in ("free", "shadow")] == [
        "Die Freien Völker haben Zeit.",
        "Der Schatten hat Zeit.",
    ]
    assert wait("free", "en") == "Free Peoples have time." and wait("shadow", "en") == "Shadow has time."


def test_a_sentence_said_again_keeps_the_forms_of_its_names(room: Messages) -> None:
    """A name and the same word without forms, a number and a truth that equals it, are kept apart."""
    hill = room.name("place.hill", "de")
    for place in (hill, str(hill), hill):
        fields = {"place": place}
        assert room.text_again("fight", "de", fields) == room.text("fight", "de", fields)
    for count in (1, True, 1.0, "1", 1):
        fields = {"dice": count, "hits": 2}
        assert room.text_again("hits", "de", fields) == room.text("hits", "de", fields)


def test_a_text_is_put_into_words_where_it_is_shown(room: Messages) -> None:
    said = room.say("wait", seat=room.say("seat.free"))
    assert said.in_words("de") == "Die Freien Völker haben Zeit."
    assert str(said) == "Free Peoples have time."
    assert said == room.say("wait", seat=room.say("seat.free")) != room.say("wait", seat=1)


def test_lists_of_texts_are_said_one_after_the_other(room: Messages) -> None:
    both = [room.name("place.hill", "de"), room.say("place.town")]
    assert room.text("fight", "de", {"place": both}) == "Kampf um den Zerklüfteten Hügel, Seestadt"


def test_a_text_names_the_catalogue_of_its_room(room: Messages) -> None:
    with (room.folder / "en.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgid "room.full"\nmsgstr "{name} is full."\n')
    text = Text("room.full", name="x.db")
    assert text.in_words("en") == "x.db is full."
    assert pickle.loads(pickle.dumps(text)) == text
    with pytest.raises(KeyError):
        Text("nowhere.full").in_words("en")


def test_what_a_language_leaves_out_is_said_in_english(room: Messages) -> None:
    assert room.text("only_english", "de") == "As it is"
    assert "de: only_english" in missing(room)


def test_a_folder_of_catalogues_is_a_language(
    room: Messages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages() == ("de", "en")
    more = tmp_path / "more"
    for folder, text in (
        ("referee/kernel/texts", 'msgid "kernel.language"\nmsgstr "Français"\n'),
        ("room", 'msgid "fight"\nmsgstr "La bataille de {place}"\n'),
    ):
        (more / folder).mkdir(parents=True)
        (more / folder / "fr.po").write_text(HEADER + "\n" + text, "utf-8")
    monkeypatch.setenv(catalogues.FOLDERS, str(more))
    assert languages() == ("de", "en", "fr")
    assert Text("kernel.language").in_words("fr") == "Français"
    assert room.text("fight", "fr", {"place": "X"}) == "La bataille de X"


def test_browsers_get_all_forms_and_the_rule_of_plurals(room: Messages) -> None:
    sent = room.for_scripts("de")
    assert sent["texts"]["fight"] == "Kampf um {place:acc}"
    assert sent["texts"]["log.draw"] == {
        "counted": "count",
        "forms": ("zieht eine Karte", "zieht {count} Karten"),
    }
    assert sent["texts"]["only_english"] == "As it is"
    assert sent["plurals"][:4] == [1, 0, 1, 1] and len(sent["plurals"]) == 200


def test_names_of_places_take_the_form_of_the_sentence_in_a_real_game() -> None:
    game = load_game("five_armies")
    assert missing_forms(game.messages, "de", {}) == []
    hill = {"place": game.messages.name("place.bl_east_hill_north", "de")}
    assert game.messages.text("combat.title", "de", hill) == "Kampf um den Nördlichen Zerklüfteten Hügel"
    have = Text.of(game.messages, "seat.free", {})
    assert have.form("nom", "de") == "die Freien Völker" and have.is_plural("de")


def test_the_catalogues_of_all_rooms_are_complete() -> None:
    for name, messages in registered().items():
        assert missing(messages) == [], name

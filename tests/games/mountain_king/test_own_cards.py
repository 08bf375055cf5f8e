"""The printed cards, typed into the box book: what is no card is told, what is one is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.mountain_king.box.box import practice_data
from referee.games.mountain_king.box.components import CHAMPIONS, DECKS, SEATS
from referee.games.mountain_king.cards import own_cards as own
from referee.games.mountain_king.cards.by_hand import BY_HAND
from referee.games.mountain_king.game import GAME
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import check_value
from referee.kernel.messages import languages
from referee.kernel.naming import namer
from referee.kernel.play import Play, canonical_json

CARD = {"do": "card", "deck": "deck_1", "clan": "moss", "votes": 3}


def typed() -> dict[str, Any]:
    """The practice cards as an owner would type them, one of them with an ability by hand."""
    found: dict[str, Any] = {own.USED: "printed", own.DESPERATION: ["2", "4", "6", "8"]}
    found |= dict(zip(own.START_CELLS, ("A", "B", "I2", "."), strict=True))
    found |= dict(zip(own.SUPPLY.values(), ("5", "4"), strict=True))
    found[own.VOTE_TILES] = [
        {"do": "tile", "first": a, "second": b, "third": c} for a, b, c in practice_data()["vote_tiles"]
    ]
    for name, card in practice_data()["champions"].items():
        steps: list[dict[str, Any]] = [
            {"do": "card", "deck": own.DECKS[DECKS.index(card["deck"])], "clan": card["clan"]}
        ]
        steps[0]["votes"] = card["votes"]
        steps[0] |= {key: card[key] for key in ("claws", "letter") if card.get(key)}
        steps += [{"do": "line", "after": line[0]} for line in card.get("yellow_lines", ())]
        steps += [{"do": "symbol", "symbol": word} for word in card.get("ancestry", ())]
        for moment in own.POWERS:
            for power, amount in card.get(moment, {}).items():
                steps.append({"do": moment, "power": power, "amount": amount})
        found[own.champion_key(name)] = steps
    found[own.champion_key("c19")][-1]["power"] = BY_HAND
    return found


def test_every_entry_of_the_form_takes_what_it_offers_and_has_its_words() -> None:
    form, values = GAME.box_book_form(), typed()
    for key, value in values.items():
        check_value(form, key, value)
    assert GAME.box_book_problems(values) == []
    for language in languages():
        names = namer(GAME, language)
        for field in form:
            label = GAME.messages.text(field.label, language, {k: "x" for k in field.params})
            assert "{" not in label and field.label not in label
            told = [names.option("", one, field.domain) for one in field.options if field.domain]
            for kind in field.steps:
                assert kind.text.in_words(language)
                for slot in kind.slots:
                    assert GAME.messages.text(slot.label, language) != slot.label
                    told += [names.option("", str(one), slot.domain) for one in slot.options]
            assert not [one for one in told if "_" in one or "{" in one], field.key


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (own.champion_key("c01"), []),
        (own.champion_key("c01"), [{**CARD, "clan": "orcs"}]),
        (own.champion_key("c01"), [{**CARD, "votes": 99}]),
        (own.champion_key("c01"), [CARD, {"do": "line", "after": 8}]),
        (own.champion_key("c01"), [CARD, {"do": "symbol", "symbol": "Q"}]),
        (own.champion_key("c01"), [CARD, {"do": "passive", "power": "honour", "amount": 1}]),
        (own.champion_key("c01"), [CARD, *[{"do": "instant", "power": "honour", "amount": 1}] * 2]),
        (own.champion_key("c01"), [CARD, {"do": "ability", "power": "look_at_gnomes", "amount": 1}]),
        (own.champion_key("c01"), [{**CARD, "claws": 1}]),
        (own.champion_key("c01"), [CARD, {"do": "star", "power": "hall_value", "amount": 2}]),
        (own.champion_key("c99"), [CARD]),
        (own.VOTE_TILES, [{"do": "tile", "first": 9, "second": 5, "third": 3}]),
        (own.VOTE_TILES, [{"do": "tile", "first": 3, "second": 5, "third": 9}] * 7),
        (own.VOTE_TILES, [{"do": "tile", "first": 3}] * 7),
        (own.VOTE_TILES, "9 / 5 / 3"),
        (own.START_CELLS[0], "Q"),
        (own.DESPERATION, ["9"]),
    ],
)
def test_what_is_no_entry_is_told(key: str, value: Any) -> None:
    with pytest.raises(InvalidAnswer) as told:
        check_value(GAME.box_book_form(), key, value)
    assert all(told.value.sentence(language) for language in languages())


def test_entries_that_contradict_each_other_are_told() -> None:
    values = typed()
    values[own.VOTE_TILES][0]["first"] = 10
    assert [one.id for one in own.problems(values)] == ["mountain_king.known_tile"]
    assert [one.id for one in own.problems({own.TRACKS[0]: "ice"})] == ["mountain_king.clan_twice"]
    assert not own.problems({own.TRACKS[0]: "ice", own.TRACKS[1]: "moss"})


@pytest.mark.parametrize(
    ("left_out", "told"),
    [
        (own.START_CELLS[2], "start card"),
        (own.SUPPLY[3], "supply track"),
        (own.DESPERATION, "supply track"),
        (own.VOTE_TILES, "vote tiles"),
    ],
)
def test_a_game_without_what_it_needs_is_refused_with_what_is_lacking(left_out: str, told: str) -> None:
    values = typed()
    del values[left_out]
    with pytest.raises(InvalidAnswer, match=told):
        GAME.new_state({"seats": list(SEATS), "box": values})
    GAME.new_state({"seats": list(SEATS), "box": {**values, own.USED: "practice"}})


def test_few_champions_are_enough_for_few_players() -> None:
    values = typed()
    for name in ("c01", "c02", "c31", "c32", "c33"):
        del values[own.champion_key(name)]
    with pytest.raises(InvalidAnswer, match="2 champions of deck 0, 1 champion of deck III"):
        GAME.new_state({"seats": list(SEATS), "box": values})
    assert len(GAME.new_state({"seats": list(SEATS[:3]), "box": values}).box.decks[0]) == 8


def test_more_symbols_than_an_ancestry_holds_are_refused() -> None:
    values = typed()
    for name in CHAMPIONS:
        values.get(own.champion_key(name), []).extend([{"do": "symbol", "symbol": "A"}] * 2)
    with pytest.raises(InvalidAnswer, match="at most 12 symbols"):
        GAME.new_state({"seats": list(SEATS), "box": values})


@pytest.mark.parametrize(("seats", "seed"), [(2, 5), (5, 6)])
def test_whole_games_are_played_with_typed_cards(seats: int, seed: int) -> None:
    """On the board as it is drawn without them, audited, with a position file and a restart on the way."""
    options = {"seats": list(SEATS[:seats]), "box": typed()}
    rng, asked = Random(seed), set()
    play: Play[Any] = Play(GAME, GAME.new_state(options))
    assert play.state.box.champions[CHAMPIONS.index("c19")].power == BY_HAND
    assert play.state.box.desperation == sum(1 << int(one) for one in options["box"][own.DESPERATION])
    assert GAME.board(options).digest == GAME.board({}).digest, "lights and screens go on"
    while play.request is not None:
        asked.add(play.request.prompt)
        play.answer(play.request.sample(rng))
        if play.answered % 200 == 199 and not play.since:
            told = GAME.read_position(GAME.write_position(play.state)).state
            assert canonical_json(GAME.to_json(told)) == canonical_json(GAME.to_json(play.state))
    assert {"prompt.draft", "prompt.display", "prompt.start_champions"} <= asked
    assert play.state.winner >= 0

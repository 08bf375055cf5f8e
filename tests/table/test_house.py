"""The house: games, virtual tray, lights, devices, backups in one process, as ``referee serve`` runs it."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import five_game
import pytest
import table_bot
import toy_game
from sqlalchemy import update

from firmware_bridge.led_map import LedMap
from referee.config.settings import CameraSection, Config, RecordSection
from referee.hall.table import Table
from referee.journal.errors import Frozen, NotPossible
from referee.kernel.lights import PALETTE, Meaning, Selection, lit_places
from referee.kernel.play import Play
from referee.kernel.requests import RollDice
from referee.serving import saved
from referee.serving.cameradice import CameraDice
from referee.serving.hosting import NewGame
from referee.serving.runtime import TableRuntime
from referee.serving.saved import SavedGames
from referee.store.schema import events
from referee.store.store import Store


def new_toy(options: Mapping[str, Any] | None = None, **other: Any) -> NewGame:
    """What the start page asks for."""
    players = {"white": "Änne", "black": "José"}
    return NewGame("toy", players, options={"turns": 30} if options is None else options, **other)


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def open_house() -> Iterator[Callable[..., TableRuntime]]:
    """Opens houses on one folder, one after the other."""
    toy_game.register()
    folder = table_bot.quick_folder()
    houses: list[TableRuntime] = []

    def opened(camera: str = "none", lights: dict[str, Any] | None = None, **more: Any) -> TableRuntime:
        config = Config(
            record=RecordSection(folder=str(folder), **more),
            camera=CameraSection(source=camera),
            lights=lights or {"driver": "none"},
        )
        house = TableRuntime(config, Store.open(config.store))
        houses.append(house)
        return house

    yield opened
    for house in houses:
        house.close()
    shutil.rmtree(folder)


def test_a_game_is_started_left_and_resumed(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    told: list[Any] = []
    leave = house.subscribe(lambda: told.append(house.table))
    assert {game.id for game in house.games()} >= {"toy", "five_armies"}
    assert house.saved() == [] and house.resume_latest() is False
    house.start(new_toy())
    assert house.table is not None and told[-1] is house.table
    first = house.table.id
    table_bot.play(house.table, Random(1), 5)
    digest = house.table.play.digest()
    house.start(new_toy(table_name="Tisch 2"))
    assert house.table is not None and house.table.id != first
    assert [one.id for one in house.saved()] == [house.table.id, first]
    house.resume(first)
    assert house.table is not None and house.table.play.digest() == digest
    same = house.table
    house.resume(first)  # already here
    assert house.table is same
    leave()
    leave()
    house.close()
    again = open_house()
    assert again.resume_latest() is True
    # the one that was on the table last, not the newest
    assert again.table is not None and again.table.id == first
    again.close()
    again.close()


def test_while_a_game_starts_nobody_sees_it_saved_beside_the_one_that_ran(
    open_house: Callable[..., TableRuntime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tap at that moment would put the games the wrong way round."""
    house = open_house()
    house.start(new_toy())
    assert house.table is not None
    first, seen, create = house.table.id, [], Table.create
    screen = threading.Thread(target=lambda: seen.append(house.running_and_saved()))

    def half_way(*given: Any, **named: Any) -> Table:
        table = create(*given, **named)
        screen.start()
        screen.join(0.5)  # time enough to look, were it allowed to
        return table

    monkeypatch.setattr(Table, "create", half_way)
    house.start(new_toy())
    screen.join(30)
    ((running, others),) = seen
    assert running is house.table and [one.id for one in others] == [first]


def test_saved_games_are_told_by_their_turn_and_who_is_to_act(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house()
    asked = []
    for answers in (9, 5, 0):
        house.start(new_toy())
        assert house.table is not None
        table_bot.play(house.table, Random(1), answers)
        asked.append((house.table.play.state.turn + 1, house.table.asked_seats))
    assert asked[0] != asked[1]

    def stands(one: TableRuntime) -> list[Any]:
        return [game.stand and (game.stand.turn, game.stand.asked) for game in reversed(one.saved())]

    assert stands(house) == [*asked[:2], None], "remembered where they were left"
    running = house.table.id
    house.close()
    again = open_house()
    until(lambda: None not in stands(again))  # reckoned from the record
    assert stands(again) == asked
    again.resume(running)
    table_bot.play(again.table, Random(2), 1)
    assert stands(again) == [*asked[:2], None], "what is no longer so is not told"


def test_where_a_damaged_game_stands_is_not_guessed(open_house: Callable[..., TableRuntime]) -> None:
    """Nor is it mended in passing: that is done, and said, when somebody continues it."""
    house = open_house()
    for _ in range(2):
        house.start(new_toy())
        assert house.table is not None
        table_bot.play(house.table, Random(1), 5)
    damaged, sound = (one.id for one in house.saved())
    with house.store.engine.begin() as connection:
        connection.execute(
            update(events).where(events.c.game == damaged, events.c.number == 2).values(answer='"x"')
        )
    house.close()
    again = open_house()

    def stand(of: str) -> Any:
        return next(one.stand for one in again.saved() if one.id == of)

    until(lambda: stand(sound) is not None)
    assert stand(damaged) is None
    again.resume(damaged)
    assert again.table is not None and again.table.recovery


def test_where_todays_rules_lead_elsewhere_nothing_is_said_of_a_saved_game(
    open_house: Callable[..., TableRuntime], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None
    table_bot.play(house.table, Random(1), 5)
    key, store = house.table.id, house.store
    monkeypatch.setattr(saved, "replay", lambda game, options, *_: (Play(game, game.new_state(options)), 0))
    games = SavedGames(store)
    assert games.look("another") is False and games.all()[0].stand is None
    monkeypatch.undo()
    games = SavedGames(store)
    assert games.look("another") is True and games.all()[0].id == key and games.all()[0].stand is not None
    assert games.look("another") is False, "there is no more"


def test_a_game_that_cannot_be_started_leaves_the_running_one(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house()
    house.start(new_toy())
    running = house.table
    with pytest.raises(ValueError):
        house.start(new_toy(options={"turns": "many"}))
    assert house.table is running and running is not None
    table_bot.play(running, Random(1), 2)


def test_a_finished_game_is_not_resumed_by_itself(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None
    house.table.resign("white")
    assert house.saved()[0].finished
    house.close()
    assert open_house().resume_latest() is False


def test_after_a_restart_a_tournament_table_is_closed_until_its_slip_was_handed_over(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house()
    house.start(new_toy(tournament=True))
    assert house.table is not None
    house.table.end_game("time", [], "Schluss", revision=house.table.revision)
    house.table.note("white", "a remark does not open it")
    assert house.saved()[0].finished and house.saved()[0].closed
    house.close()
    again = open_house()
    assert again.resume_latest() is True and again.table is not None and again.table.is_closed
    again.table.hand_over("slip")
    again.close()
    assert open_house().resume_latest() is False


def test_how_hands_are_followed_belongs_to_the_table(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None and house.table.hands_way == "listed"
    house.table.answer("white", "west", revision=0)
    assert house.table.hands_hold
    house.table.set_hands_way("black", "line")
    assert not house.table.hands_hold
    house.start(new_toy())
    assert house.table.hands_way == "line", "the next evening, too"


def test_the_virtual_tray_throws_and_is_read(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house(camera="virtual:3")
    house.start(new_toy())
    table = house.table
    assert table is not None and house.dice.virtual
    while not isinstance(table.request, RollDice):
        table_bot.one_answer(table, Random(1))
    assert house.devices()[0].health == "ok"
    event = None
    for _ in range(6):  # a cocked or hidden die is asked about: then it is thrown again
        house.dice.throw()
        until(lambda: table.offer is not None)
        if table.offer is not None and table.offer.reading.status == "ok":
            corrected: list[Any] = []
            house._camera.accepted = corrected.append  # type: ignore[method-assign]
            event = table.accept_dice(table.request.seat, revision=table.revision)
            assert corrected == [event.evidence], "corrections are learned from"
            break
        table.withdraw_reading()
    assert event is not None and event.source == "camera"
    assert event.evidence is not None and table.pictures is not None
    picture = table.pictures.read(event.evidence["picture"])
    assert picture is not None and picture.startswith(b"\xff\xd8\xff")
    assert table.offer is None


def test_drafts_and_answers_reach_the_lights(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    assert house.shown_lights() == {}
    house.start(new_toy())
    table = house.table
    assert table is not None
    assert house.shown_lights()["east"] == PALETTE[Meaning.TARGET]
    house.show_draft(Selection(("east",)), None)
    assert house.shown_lights()["east"] == PALETTE[Meaning.SELECTED]
    table.answer("white", "west", revision=0)  # an answer ends the draft
    assert house.shown_lights().get("east") != PALETTE[Meaning.SELECTED]
    until(lambda: house.lights.sink is not None)
    until(lambda: house.lights.sink.status().wanted > 0)


def test_the_board_is_compared_with_the_record_by_lights(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    house.start(new_toy())
    table = house.table
    assert table is not None
    until(lambda: house.lights.sink is not None)
    table.begin_board_check("white")
    house.show_draft(None, None)
    assert house.shown_lights()["north"] == PALETTE[Meaning.AUDIT]
    assert house.shown_lights()["south"] == PALETTE[Meaning.CONTROL_B], "who holds what stays lit"
    assert set(house.shown_lights()) == {"north", "south"}
    table.answer_board_check("white", "north", "right")
    assert house.shown_lights()["south"] == PALETTE[Meaning.AUDIT]
    table.answer_board_check("black", "south", "right")
    assert PALETTE[Meaning.AUDIT] not in house.shown_lights().values()


def test_a_board_of_tiles_is_offered_to_be_laid_by_light_and_its_answers_are_kept(
    open_house: Callable[..., TableRuntime],
) -> None:
    """Before a new game of such a board; what the table then tells of the box needs no telling again."""
    house = open_house()
    house.start(NewGame("battlelore", {}))
    table = house.table
    assert table is not None and table.holding.laying
    table.end_board_check("south")
    assert table.request is not None and table.request.prompt == "prompt.ask_sections"
    table.answer("south", "fourth", revision=table.revision)
    house.start(NewGame("battlelore", {}))
    assert house.table is not None and house.table.header["options"]["box"] == {"sections": "fourth"}
    house.start(new_toy())
    assert not house.table.holding.offered


def test_after_a_restart_the_board_is_compared_before_the_game_goes_on(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None and not house.table.holding.offered, "a new game has nothing to compare"
    table_bot.play(house.table, Random(1), 6)
    house.close()
    again = open_house()
    assert again.resume_latest()
    table = again.table
    assert table is not None and table.holding.offered
    with pytest.raises(Frozen) as refused:
        table_bot.one_answer(table, Random(1))
    assert "verglichen" in refused.value.sentence_de
    event = table.end_board_check("white")
    assert event.answer["skipped"] and not event.answer["complete"]
    table_bot.one_answer(table, Random(1))


def test_devices_say_how_they_are(open_house: Callable[..., TableRuntime], tmp_path: Path) -> None:
    house = open_house(camera="none", lights={"driver": "none"})
    house.start(new_toy())
    until(lambda: house.lights.sink is not None)
    found = {one.id: one for one in house.devices()}
    assert found["camera"].health == "away" and "eingetippt" in found["camera"].text.in_words("de")
    assert found["lights"].health == "ok"
    house.close()
    broken = open_house(lights={"driver": "own", "map": "nowhere.toml"})
    broken.start(new_toy())
    until(lambda: any(one.id == "lights" and one.health == "away" for one in broken.devices()))
    assert broken.table is not None
    table_bot.play(broken.table, Random(1), 3)  # the game goes on without lights


def test_what_was_mended_is_shown_as_a_device(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None
    table_bot.play(house.table, Random(1), 8)
    digest, path = house.table.play.digest(), house.store.path
    house.close()
    assert path is not None
    path.write_bytes(b"rubbish" * 3000)
    again = open_house()
    again.resume_latest()
    assert again.table is not None and again.table.play.digest() == digest
    assert any(one.id == "record" and "made anew" in one.text.in_words("en") for one in again.devices())


def test_a_backup_is_made_at_the_end(open_house: Callable[..., TableRuntime], tmp_path: Path) -> None:
    house = open_house(backup_folder=str(tmp_path / "stick"), picture_megabytes=3)
    house.start(new_toy())
    assert house.table is not None
    table_bot.play(house.table, Random(1), 2)
    assert house.table.pictures is not None
    assert house.table.pictures.limit_bytes == 3_000_000
    digest = house.table.pictures.keep(b"\xff\xd8\xff picture")
    house.close()
    assert list((tmp_path / "stick" / "games.sqlite.pictures").glob(f"*/{digest}.jpg"))
    (made,) = (tmp_path / "stick").glob("games-*.sqlite")
    with Store.open(made, write=False) as store:
        assert len(store.game_ids()) == 1


def test_a_reader_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = CameraDice(CameraSection(source="virtual:"), lambda heard: None)

    def broken() -> None:
        raise ValueError("the model is spoiled")

    monkeypatch.setattr(dice, "_reader", broken)
    dice.prepare(tuple(toy_game.DICE.values()))
    until(lambda: not dice.state()[0])
    assert "the model is spoiled" in str(dice.state()[1]) and "eingetippt" in dice.state()[1].in_words("de")
    dice.close()
    dice.close()


def test_nothing_is_thrown_on_a_tray_that_is_not_there(open_house: Callable[..., TableRuntime]) -> None:
    house = open_house()
    house.start(new_toy())
    with pytest.raises(NotPossible):
        house.dice.throw()


def test_what_is_wrong_with_record_and_backup_is_shown_among_the_devices(
    open_house: Callable[..., TableRuntime], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    house = open_house(backup_folder=str(tmp_path / "file" / "stick"))
    house.start(new_toy())
    assert house.table is not None and house.store.mirror is not None
    house.store.mirror.behind["toy"] = [b"a line"]
    house.backups.changed()
    house.backups.last()
    found = {one.id: one for one in house.devices()}
    assert found["record"].health == "warn" and "mirror cannot be written" in found["record"].text.in_words(
        "en"
    )
    assert found["backup"].health == "warn" and "Sicherung" in found["backup"].text.in_words("de")
    house.store.mirror.behind.clear()


def test_games_of_rules_that_are_not_installed_are_not_offered(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house()
    house.start(new_toy())
    assert house.table is not None
    house.store.create({**house.table.header, "id": "chess-1", "game": "chess"})
    assert [one.id for one in house.saved()] == [house.table.id]


def test_each_board_of_a_game_has_its_own_led_map(open_house: Callable[..., TableRuntime]) -> None:
    """The usual board keeps the name that maps have always had; scenarios of one layout share theirs."""
    five_game.register()
    house = open_house(lights={"driver": "terminal"})
    paths = []
    for caverns in (6, 8, 6):
        house.start(NewGame("five", {}, options={"caverns": caverns}, seats=("green", "blue")))
        assert house.table is not None and house.table.board is not None
        paths.append(house.led_map_path().name)
        until(lambda: house.lights.sink is not None)
    assert paths[0] == paths[2] == "led_map-five.toml"
    assert paths[1] == f"led_map-five-{five_game.five_board(8).layout_digest[:12]}.toml"


def test_a_boards_names_and_terrain_do_not_ask_for_another_led_map() -> None:
    board = five_game.five_board(6)
    first = board.places["cavern_0"]
    renamed = replace(first, name_en="Hall", terrain="hill")
    other = replace(board, places={**board.places, "cavern_0": renamed})
    assert other.layout_digest == board.layout_digest and other.digest != board.digest
    moved = replace(board, places={**board.places, "cavern_0": replace(first, label=(1.0, 1.0))})
    assert moved.layout_digest != board.layout_digest


def test_lights_that_were_lent_come_back_and_a_table_that_left_is_not_heard(
    open_house: Callable[..., TableRuntime],
) -> None:
    house = open_house(lights={"driver": "terminal"})
    house.return_lights()  # nothing was lent, no game is on the table
    house.start(new_toy())
    first = house.table
    assert first is not None
    until(lambda: house.lights.sink is not None)
    led_map = LedMap.identity(lit_places(first.game))
    for _ in range(2):  # lent anew: the first loan ends
        assert callable(house.lend_lights(led_map))
    assert house.lights.sink is None
    house.return_lights()
    until(lambda: house.lights.sink is not None)
    shown = house.shown_lights()
    event = table_bot.one_answer(first, Random(1))[0]
    house.start(new_toy())
    house._on_event(first, event)  # it says something late
    assert house.table is not first and house.shown_lights() != {} and shown != {}

"""Position files read and written, and what is shown of a position: board, tracks, notes, lights, battle."""

from __future__ import annotations

import pytest
from battle_driving import ground

from referee.games.war_of_the_ring.box.components import CHARACTER
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import ELIMINATED, State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import PALETTE, Meaning, lights_for
from referee.kernel.located import FileProblems
from referee.kernel.naming import namer
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne


def read(lines: str) -> State:
    """The state of a position with these lines."""
    body = "".join(f"  {line}\n" for line in lines.splitlines())
    state: State = GAME.read_position(f"position:\n{body}").state
    return state


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("regions:\n  edoras: {units: {ents: 1}}", 3, "ents"),
        ("regions: {edoras: {characters: [tom]}}", 2, "tom"),
        ("regions: {helms_deep: {characters: [gimli]}, edoras: {characters: [gimli]}}", 2, "two places"),
        ("politics: {numenor: at_war}", 2, "numenor"),
        ("politics: {rohan: sleeping}", 2, "sleeping"),
        ("politics: {sauron: passive 1}", 2, "always active"),
        ("fellowship: {guide: saruman}", 2, "saruman"),
        ("fellowship: {companions: [gollum]}", 2, "gollum"),
        ("fellowship: {companions: [strider, gimli], guide: gimli}", 1, "highest level"),
        ("fallen: {nazgul: 1}", 2, "reinforcements"),
        ("pools: {elrond: 3}", 2, "elrond"),
        ("unused_dice: {free: [lidless_eye]}", 2, "lidless_eye"),
        ("rings: {free: 2, shadow: 2}", 2, "Elven rings only"),
        ("ring_used: [sauron]", 2, "sauron"),
        ("hands: {free: {wild: 2}}", 2, "wild"),
        ("played_cards: [the_grail]", 2, "the_grail"),
        ("tiles: {lost: ['1']}", 2, "lost"),
        ("tiles: {out: [nothing_like_it]}", 2, "nothing_like_it"),
        ("edition: third", 2, "third"),
        ("to_act: sauron", 2, "sauron"),
        ("details: {weather: fine}", 2, "weather"),
        ("regions: {osgiliath: {control: shadow}}", 2, "no settlement"),
        ("regions: {helms_deep: {besieged: {units: {rohan_regular: 1}}}}", 2, "garrison inside"),
    ],
)
def test_each_mistake_is_told_with_its_line_in_both_languages(lines: str, line: int, words: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read(lines)
    told = next(problem for problem in caught.value.problems if words in problem.text.in_words("en"))
    assert told.line == line and told.text.in_words("de") != told.text.in_words("en")


def test_a_position_that_is_no_table_of_keys_is_refused() -> None:
    with pytest.raises(FileProblems, match="a position is wanted"):
        GAME.read_position("position: soon\n")


def test_the_heading_names_the_game_and_nothing_unknown() -> None:
    with pytest.raises(FileProblems, match="weather"):
        GAME.read_position("game: war_of_the_ring\nweather: fine\nposition: {}\n")
    with pytest.raises(FileProblems, match="five_armies"):
        GAME.read_position("game: five_armies\nposition: {}\n")


def test_cards_may_go_by_their_printed_titles() -> None:
    titles = "[Wizard's Staff, Mithril Coat and Sting]\nplayed_cards: [Éomer Son of Éomund, elven_rope]"
    state = read(f"table_cards: {titles}")
    assert set(state.table_cards) == {"wizards_staff", "mithril_coat_and_sting"}
    assert sum(map(int.bit_count, state.shown)) == 4 and GAME.audit(state) == []


def test_eyes_among_the_rolled_dice_lie_in_the_hunt_box() -> None:
    state = read("unused_dice: {shadow: [lidless_eye, army, lidless_eye]}\nhunt_box: {free: 1, shadow: 1}")
    assert state.hunt_dice == [1, 3] and sum(state.unused[1]) == 1
    assert state.pool[1] >= 4, "no more dice may lie there than the Shadow has"


def test_whoever_is_not_named_in_the_fellowship_is_out_and_gollum_guides_the_lonely() -> None:
    alone = read("fellowship: {companions: []}")
    assert alone.where[CHARACTER["strider"]] == ELIMINATED and alone.guide == CHARACTER["gollum"]
    assert "Gollum" in " ".join(GAME.view(alone, None, "en")["notes"])
    two = read("fellowship: {companions: [gimli, legolas]}")
    assert any("Gimli" in note and "Legolas" in note for note in GAME.view(two, None, "en")["notes"])


def test_moved_declared_and_the_ring_used_are_kept_in_a_position() -> None:
    lines = (
        "fellowship: {at: moria, moved: true, declared: true, hidden: false, progress: 2}\n"
        "ring_used: [free]\nfree_die_was_in_hunt_box: true\nrings: {free: 2, shadow: 1}"
    )
    state = read(lines)
    assert (state.ring_moved, state.declared, state.hidden, state.progress) == (True, True, False, 2)
    assert state.ring_used == [True, False] and state.free_die_in_box
    again = GAME.read_position(GAME.write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)


def test_on_the_mordor_track_there_is_no_progress_and_the_track_is_shown() -> None:
    state = read("fellowship: {at: morannon, mordor: 2, progress: 3, corruption: 4}")
    assert state.mordor == 2 and state.progress == 0
    tracks = {track["id"]: track for track in GAME.view(state, None, "en")["tracks"]}
    assert tracks["mordor"]["marker"] == 2
    again = GAME.read_position(GAME.write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)


def test_waiting_tiles_losses_and_house_rules_are_told_beside_the_board() -> None:
    before = GAME.view(read("turn: 2"), None, "de")["notes"]
    state = read("fallen: {gondor_regular: 3}\nhouse_rules: {die_change: at_once}")
    state.tiles_ready[-1] = 1
    notes = [note for note in GAME.view(state, None, "de")["notes"] if note not in before]
    assert len(notes) == 3 and any("3" in note for note in notes)


# -- the game itself ----------------------------------------------------------------------------------------


def test_an_edition_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidAnswer, match="first or second"):
        GAME.new_state({"edition": "third"})


def test_captured_settlements_shine_and_after_the_end_tell_who_won_them() -> None:
    state = read("regions: {osgiliath: {units: {sauron_regular: 1}}}")
    state.captured = 1 << PLACE["minas_tirith"] | 1 << PLACE["orthanc"]
    lights = lights_for(GAME, state, None)
    assert lights == {
        "minas_tirith": PALETTE[Meaning.CONTROL_B],
        "orthanc": PALETTE[Meaning.CONTROL_A],
    }
    state.winner = 1
    assert GAME.markers(state) == {
        "minas_tirith": Meaning.OBJECTIVE_WON,
        "orthanc": Meaning.OBJECTIVE_LOST,
    }


def test_nothing_is_asked_of_a_game_that_is_over() -> None:
    state = read("turn: 3")
    state.winner, state.winning_rule = 0, "victory.ring"
    play: Play[State] = Play(GAME, state, audit=False)
    assert play.request is None and play.outcome is not None
    assert (play.outcome.winner, play.outcome.rule) == ("free", "victory.ring")


def test_a_figure_in_a_place_is_called_by_both_names() -> None:
    asked = ChooseOne("free", "prompt.stormcrow_loss", ("rohan_regular@edoras",), domain="figure")
    english, german = (namer(GAME, lang).name("rohan_regular@edoras", asked.domain) for lang in ("en", "de"))
    assert english is not None and "Edoras" in english and english != german
    assert GAME.composite_name(asked.domain, "edoras", "en") is None


def test_what_changes_a_battle_is_noted_beside_it() -> None:
    state = ground({"minas_tirith_siege": {"gondor_regular": 2}, "minas_tirith": {"sauron_regular": 4}})
    state.battle = Battle(attacker=1, start=PLACE["minas_tirith"], target=PLACE["minas_tirith_siege"])
    plain = GAME.view(state, None, "en")["focus"]["notes"]
    state.battle.negated = state.battle.no_cease = True
    state.battle.rounds, state.battle.shadow_dice_less = 3, 2
    assert plain == [] and len(GAME.view(state, None, "en")["focus"]["notes"]) == 4
    assert GAME.markers(state) == {"minas_tirith": Meaning.FIGHT}

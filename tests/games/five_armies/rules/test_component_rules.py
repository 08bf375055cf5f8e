"""Rules that are values printed on components or in the parts list: the box data has them."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.five_armies import GAME
from referee.games.five_armies.box.components import (
    BATS_IN_BOX,
    CHARACTERS,
    DICE,
    EAGLES_IN_BOX,
    EVENT_CARDS,
    FATE_CARDS,
    FATE_SPACE,
    FIGURES,
    GENERALS,
    SEAT_OF_CHARACTER,
    SHADOW,
    STANDARD_TILES,
    STORY_CARDS,
    TOKEN_GROUPS,
    TOKENS_IN_BOX,
    UNITS,
)
from referee.games.five_armies.catalogue.loading import FILES
from referee.games.five_armies.state.state import State
from referee.kernel.play import Play

_SINGULAR = {
    "dwarf_regular": "dwarf_regulars",
    "dwarf_veteran": "dwarf_veterans",
    "elven_archer": "elven_archers",
    "elven_spearman": "elven_spearmen",
    "lake_man": "lake_men",
    "goblin": "goblins",
    "great_orc": "great_orcs",
    "orc": "orcs",
    "warg": "wargs",
}


def numbers(rule: str) -> dict[str, int]:
    """The numbers of a rule in the catalogue."""
    found: dict[str, int] = FILES.entries[rule]["numbers"]
    return found


@pytest.mark.rule("setup.component_totals")
def test_cards_tiles_and_tokens_of_the_box() -> None:
    wanted = numbers("setup.component_totals")
    assert wanted["event_cards"] == EVENT_CARDS
    assert wanted["story_cards_each"] == STORY_CARDS
    assert wanted["fate_cards"] == FATE_CARDS
    assert wanted["fate_tiles"] == STANDARD_TILES + 2
    tokens = dict(zip(TOKEN_GROUPS, TOKENS_IN_BOX, strict=True))
    assert tokens == {
        "dwarves_and_men": wanted["recruitment_dwarves_men"],
        "elves": wanted["recruitment_elves"],
        "shadow": wanted["recruitment_shadow"],
    }


@pytest.mark.rule("setup.figure_totals")
def test_figures_of_the_box() -> None:
    wanted = numbers("setup.figure_totals")
    figures = dict(zip(UNITS, FIGURES, strict=True))
    for name, unit in _SINGULAR.items():
        assert figures[unit] == wanted[name]
    assert (wanted["eagles"], wanted["great_bats"]) == (EAGLES_IN_BOX, BATS_IN_BOX)


@pytest.mark.rule("setup.fate_marker_zero", "setup.starting_dice")
def test_a_game_starts_on_space_zero_with_five_and_six_dice() -> None:
    state = State()
    assert state.fate == numbers("setup.fate_marker_zero")["start_space"]
    wanted = numbers("setup.starting_dice")
    assert state.pool == [wanted["free"], wanted["shadow"]]


@pytest.mark.rule("setup.fate_track_characters")
def test_four_characters_wait_on_the_fate_track() -> None:
    wanted = numbers("setup.fate_track_characters")
    waiting = {CHARACTERS[c]: space for c, space in enumerate(FATE_SPACE) if space >= 0}
    assert waiting == {key.removesuffix("_from_component"): space for key, space in wanted.items()}
    play = Play(GAME, GAME.new_state({"setup": "suggested"}))
    assert all(play.state.where[CHARACTERS.index(name)] == -1 for name in waiting)


@pytest.mark.rule("dice.faces_free", "dice.faces_shadow", "dice.free_army_combined_only")
def test_faces_of_the_action_dice() -> None:
    free, shadow = Counter(DICE["free_action"].faces), Counter(DICE["shadow_action"].faces)
    assert free == {"character": 2, "muster": 1, "muster_army": 1, "event": 1, "will_of_the_west": 1}
    assert set(shadow) == {"character", "army", "muster", "muster_army", "event", "lidless_eye"}
    assert set(shadow.values()) == {1}
    assert "army" not in free


@pytest.mark.rule("char.roster")
def test_eight_characters_against_bolg() -> None:
    sides = Counter(SEAT_OF_CHARACTER)
    wanted = numbers("char.roster")
    assert (sides[0], sides[SHADOW]) == (wanted["free"], wanted["shadow"])
    assert CHARACTERS[SEAT_OF_CHARACTER.index(SHADOW)] == "bolg"
    assert len(GENERALS) == numbers("general.roster")["generals"]

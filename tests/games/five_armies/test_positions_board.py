"""What a position file may say of the board, of characters and of cards, and which mistakes are told."""

from __future__ import annotations

import pytest

from referee.games.five_armies.box.components import BATS_IN_BOX, BEORN, CHARACTER, FIGURES, LORD, UNIT
from referee.games.five_armies.box.map import EYRIE, PASS_WEST, PLACE, PLACES, POINTS, TERRITORIES
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state.card_data import CARDS
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State
from referee.kernel.located import FileProblems


def read(lines: str) -> State:
    """The state of a position with these lines."""
    body = "".join(f"  {line}\n" for line in lines.splitlines())
    state: State = GAME.read_position(f"position:\n{body}").state
    return state


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("regions: {camp: {side: shadow, units: {lake_men: 1}}}", "do not belong to this side (Shadow)"),
        ("regions: {camp: {side: sauron, units: {lake_men: 1}}}", "sauron"),
        ("regions: {camp: {characters: [tom]}}", "tom"),
        ("regions: {camp: {characters: [bard]}, ravenhill: {characters: [bard]}}", "two places"),
        ("regions: {v_west_plain: {control: shadow}}", "neither settlement"),
        ("regions: {camp: {tokens: {ents: 1}}}", "ents"),
        ("regions: {camp: {units: {lake_men: 1}, control: shadow}}", "does not control"),
        ("regions: {camp: {leadership: 2}}", "leadership tokens need an army"),
        ("control_shadow: [erebor_gate]", "erebor_gate"),
        ("fort_damage: {camp_gate: 1}", "camp_gate"),
        ("passes: {east: open}", "east"),
        ("passes: {west: ajar}", "ajar"),
        ("bats: {shire: 1}", "shire"),
        (f"bats: {{valley: {BATS_IN_BOX}, eastern_bank: 1}}", "figures only"),
        ("eyrie: {bats: 1}", "bats"),
        ("lord_of_the_eagles: shire", "shire"),
        ("beorn: {region: shire}", "shire"),
        ("bolg: {region: shire}", "shire"),
        ("activation_tokens: [beorn]", "beorn"),
        ("eliminated: [tom]", "tom"),
        ("in_play: [bard]", "stands nowhere"),
        ("regions: {camp: {characters: [bard]}}\nin_play_not: [bard]", "stands on the board"),
        ("movement: {tom: 3}", "tom"),
        ("supply_tokens: {ents: 1}", "ents"),
        ("special_tiles: {tom: out}", "tom"),
        ("track: {tom: 4}", "tom"),
        ("vp: 1", "points, not 1"),
        ("unused_dice: {tom: [muster]}", "tom"),
        ("details: {weather: fine}", "weather"),
        ("to_act: tom", "tom"),
    ],
)
def test_each_mistake_is_told_in_both_languages(lines: str, words: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read(lines)
    told = next(problem for problem in caught.value.problems if words in problem.text.in_words("en"))
    assert told.line >= 2 and told.text.in_words("de") != told.text.in_words("en")


def test_more_tokens_than_there_are_cannot_lie_out() -> None:
    most = State().token_pool[1]
    lines = f"regions: {{camp: {{tokens: {{elves: {most}}}}}, ravenhill: {{tokens: {{elves: {most}}}}}}}"
    with pytest.raises(FileProblems, match="Elves: more recruitment tokens"):
        read(lines)


def test_a_position_that_is_no_table_of_keys_is_refused() -> None:
    with pytest.raises(FileProblems, match=r"position"):
        GAME.read_position("position: soon\n")


def test_the_heading_names_the_game_and_nothing_unknown() -> None:
    assert GAME.read_position("id: x\nwhy: because\ntitle: A\nposition: {}\n").title == "A"
    for heading, words in (("weather: fine", "weather"), ("game: chess", "chess")):
        with pytest.raises(FileProblems, match=words):
            GAME.read_position(f"{heading}\nposition: {{}}\n")


def test_labels_and_notes_are_given_back_and_no_part_of_the_state() -> None:
    found = GAME.read_position("position:\n  note: Test\n  regions: {camp: {label: A}}\n")
    assert found.labels == {"A": "camp"} and found.given == {"note": "Test"}
    assert GAME.to_json(found.state) == GAME.to_json(read("regions: {}"))


def test_eagles_and_their_lord_may_stand_in_the_eyrie_or_over_a_territory() -> None:
    home = read("eyrie: {eagles: 2, lord_of_the_eagles: 1}")
    assert home.eagles[-1] == 2 and home.where[LORD] == EYRIE
    assert read("lord_of_the_eagles: eyrie").where[LORD] == EYRIE
    assert read("eyrie: {lord_of_the_eagles: 0}").where[LORD] == State().where[LORD]
    out = read("lord_of_the_eagles: valley\neagles: {valley: 2}")
    assert out.where[LORD] == IN_TERRITORY_OF + TERRITORIES.index("valley")
    assert out.eagles[TERRITORIES.index("valley")] == 2


def test_beorn_and_bolg_have_keys_of_their_own() -> None:
    beorn = "beorn: {region: camp, movement: 3, space: 4, in_play: true}"
    state = read(f"{beorn}\nbolg: {{region: v_west_plain, bodyguards: 2}}")
    assert state.where[BEORN] == PLACE["camp"] and state.values["movement.beorn"] == 3
    assert state.fate_space[BEORN] == 4 and state.wrath > 0, "wrath as he enters"
    assert state.where[CHARACTER["bolg"]] == PLACE["v_west_plain"] and state.bodyguards == 2
    assert read("beorn: {region: camp, wrath: 1}").wrath == 1


def test_activated_generals_are_counted_unless_the_number_is_told() -> None:
    camp = "regions: {camp: {characters: [bard, dain]}}\n"
    assert read(f"{camp}activation_tokens: [bard, dain]").generals_count == 2
    assert read(f"{camp}generals_activated: 3\nactivation_tokens: [bard]").generals_count == 3
    with pytest.raises(FileProblems, match="bard is activated but not in play"):
        read("activation_tokens: [bard]")


def test_who_is_out_stands_nowhere_and_units_open_their_pass() -> None:
    state = read("eliminated: [bard]\nregions: {pass_west: {units: {goblins: 1}}}")
    assert state.where[CHARACTER["bard"]] == ELIMINATED
    assert not state.closed_passes >> PASS_WEST & 1
    assert not read("passes: {west: open}").closed_passes >> PASS_WEST & 1
    assert read("passes: {west: closed}").closed_passes >> PASS_WEST & 1


def test_points_are_reached_with_the_cheapest_places() -> None:
    state = read("vp: 4")
    held = [place for place in POINTS if state.control >> place & 1]
    assert sum(POINTS[place] for place in held) == 4
    assert max(POINTS[place] for place in held) <= min(
        POINTS[place] for place in POINTS if place not in held and PLACES[place] != "front_gate"
    )
    assert not state.control >> PLACE["front_gate"] & 1


def test_hands_may_be_numbers_or_names_of_cards() -> None:
    assert read("hands: {free: {event: 3}, shadow: 2}").hand_event == [3, 2]
    named = read("hand_free: [Battle Fury, Lucky Number (C)]\nhand_shadow: [dense_fog]")
    assert (named.hand_event, named.hand_story) == ([1, 1], [1, 0])
    for wrong in (
        "hand_free: [Somebody's Tale (M)]",
        "hand_shadow: [Lucky Number]",
        "hands: {free: {tale: 1}}",
    ):
        with pytest.raises(FileProblems):
            read(wrong)


FATE_IN_PLAY = ("giant_size", "roaring_voice", "mighty_strokes", "shining_armour", "fury_of_the_dwarves")


@pytest.mark.parametrize("title", ["lucky_number", "Lucky Number", "Lucky Number (C)", "Howling Orcs"])
def test_a_story_card_in_play_is_known_by_its_title_and_lies_in_no_deck(title: str) -> None:
    before, state = read("turn: 2"), read(f"turn: 2\ntable_cards: [{title}]")
    seat = 0 if title.startswith(("l", "L")) else 1
    assert len(state.table_cards) == 1 and GAME.audit(state) == []
    assert before.story_deck[seat] - state.story_deck[seat] == 1
    assert state.story_deck[1 - seat] == before.story_deck[1 - seat]
    (card,) = state.table_cards
    assert state.story_shown[seat] == 1 << CARDS[card].number, "it cannot be played again"


@pytest.mark.parametrize("card", FATE_IN_PLAY)
def test_a_fate_card_in_play_was_drawn_and_has_done_what_it_does(card: str) -> None:
    before = read("turn: 2")
    for key in ("table_cards", "beorn: {fate_cards"):
        state = read(f"turn: 2\n{key}: [{card}]" + "}" * key.count("{"))
        assert state.table_cards == {card: {}} and GAME.audit(state) == []
        assert before.fate_deck - state.fate_deck == 1 and state.fate_shown.bit_count() == 1
        raised = [after - rating for rating, after in zip(before.ratings, state.ratings, strict=True)]
        assert sum(raised) == raised[CHARACTER["thorin"]] == 2 * (card == "fury_of_the_dwarves")
        again = GAME.new_state({"position": GAME.write_position(state), "box": {"leadership.thorin": "4"}})
        assert again.ratings[CHARACTER["thorin"]] == 4 + sum(raised), "the box book's number, raised"


def test_what_a_card_in_play_remembers_stands_beside_it() -> None:
    state = read("table_cards: {Troubled Mind: {general: dain}, flying_arrows_and_wild_spears: {orcs: 2}}")
    assert state.table_cards["troubled_mind"] == {"general": "dain"}
    assert (
        read("table_cards: [flying_arrows_and_wild_spears]").supply[UNIT["orcs"]] == FIGURES[UNIT["orcs"]] - 6
    )
    assert state.supply[UNIT["orcs"]] == FIGURES[UNIT["orcs"]] - 2
    again = GAME.read_position(GAME.write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("[The Grail]", "the_grail"),
        ("[dense_fog]", "dense_fog"),
        ("[redoubled_in_wrath]", "redoubled_in_wrath"),
        ("[troubled_mind]", "which general"),
        ("{troubled_mind: {general: bolg}}", "bolg"),
        ("{lucky_number: {orcs: 2}}", "orcs"),
        ("{flying_arrows_and_wild_spears: {orcs: many}}", "many"),
    ],
)
def test_a_card_that_does_not_stay_in_play_or_remembers_otherwise_is_named(cards: str, words: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read(f"turn: 2\ntable_cards: {cards}")
    told = next(problem for problem in caught.value.problems if words in problem.text.in_words("en"))
    assert told.line == 3 and told.text.in_words("de") != told.text.in_words("en")


def test_tiles_and_tracks_are_where_they_are_said_to_be() -> None:
    state = read("fate_marker: 5\nfate_pool_tiles: 2\nsupply_tokens: {elves: 1}\ntrack: {beorn: 3}")
    assert (state.fate, state.fate_tiles, state.token_pool[1]) == (5, 2, 1)
    assert sum(state.fate_tiles_out.values()) > 0 and state.fate_space[BEORN] == 3


def test_values_of_the_box_reach_the_characters() -> None:
    state = read("values: {leadership.gandalf: 3, entry_die.beorn: muster}\nmovement: {bard: 2}")
    assert state.ratings[CHARACTER["gandalf"]] == 3
    assert state.values["entry_die.beorn"] == "muster" and state.values["movement.bard"] == 2


# -- a place as a form ---------------------------------------------------------------------------------------


def changed(state: State, place: str, **wanted: int) -> State:
    """The state after the form of a place was filled in so."""
    form = {item.key: item.count for item in GAME.correction_form(state, place)}
    form |= {key.replace("__", "."): value for key, value in wanted.items()}
    for primitive in GAME.corrections(state, place, form):
        GAME.correct(state, primitive)
    assert GAME.audit(state) == []
    return state


def test_a_form_filled_in_makes_the_place_so() -> None:
    board = "regions: {camp: {units: {lake_men: 2}}, v_west_plain: {units: {orcs: 1}}}"
    state = changed(read(board), "camp", unit__lake_men=1, damage=1, character__bard=1, token__elves=2)
    found = GAME.to_json(state)["places"]["camp"]
    assert found["units"] == {"lake_men": 1} and found["damage"] == 1 and found["tokens"] == {"elves": 2}
    assert state.where[CHARACTER["bard"]] == PLACE["camp"]
    state = changed(state, "v_west_plain", unit__orcs=0, unit__goblins=2, leadership=1)
    assert GAME.to_json(state)["places"]["v_west_plain"]["units"] == {"goblins": 2}
    assert state.supply[UNIT["orcs"]] == read("regions: {}").supply[UNIT["orcs"]]


def test_control_walls_and_passes_are_part_of_the_form_where_there_are_any() -> None:
    state = read("regions: {}")
    keys = {place: {item.key for item in GAME.correction_form(state, place)} for place in PLACES}
    assert "control" in keys["camp"] and "control" not in keys["v_west_plain"]
    assert "fortification" in keys["front_gate"] and "fortification" not in keys["camp"]
    assert {place for place, found in keys.items() if "closed_pass" in found} == {"pass_north", "pass_west"}
    assert changed(state, "camp", control=1).control == 1 << PLACE["camp"]
    assert not changed(state, "pass_west", closed_pass=0).closed_passes >> PASS_WEST & 1
    assert GAME.to_json(changed(state, "front_gate", fortification=1))["fortifications"]
    assert list(GAME.correction_form(state, "shire")) == []


def test_everything_beside_the_board_can_be_set_by_its_form() -> None:
    state = read("unused_dice: {free: [muster], shadow: [army, army]}\nregions: {camp: {characters: [dain]}}")
    off = ("bats__valley", "eagles__eyrie", "activated__dain", "hand__free__event", "to_act")
    wanted = dict.fromkeys(off, 1) | {"fate": 6, "wrath": 2, "character__bard": 0}
    wanted |= {"dice__shadow__unused__army": 0, "dice__shadow__used__army": 2}
    state = changed(state, "", **wanted)
    after = {item.key: item.count for item in GAME.correction_form(state, "")}
    assert {key: after[key.replace("__", ".")] for key in wanted} == wanted
    over = changed(read("lord_of_the_eagles: valley"), "", fate=3)
    assert over.where[LORD] == IN_TERRITORY_OF + TERRITORIES.index("valley"), "nothing else was touched"


# -- a combat under way --------------------------------------------------------------------------------------

FIGHT = "regions: {v_west_plain: {units: {orcs: 3}}, fallen_bridge: {units: {lake_men: 1}}}"
SIDES = "attacker: v_west_plain, defender: fallen_bridge"


@pytest.mark.parametrize(
    ("combat", "words"),
    [
        ("{attacker: v_west_plain}", "defender is missing"),
        ("{defender: fallen_bridge}", "attacker is missing"),
        ("{attacker: beorn, defender: fallen_bridge}", "Beorn should be in play"),
        ("{attacker: shire, defender: fallen_bridge}", "shire"),
        (f"{{{SIDES}, also: [shire]}}", "shire"),
        (f"{{{SIDES}, weather: fine}}", "weather"),
        (f"{{{SIDES}, free_card: ace of spades}}", "ace_of_spades"),
        (f"{{{SIDES}, round: none}}", "none"),
        (f"{{{SIDES}, step: after tea}}", "end of round"),
    ],
)
def test_mistakes_in_a_combat_are_told(combat: str, words: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read(f"{FIGHT}\ncombat: {combat}")
    assert any(words in problem.text.in_words("en") for problem in caught.value.problems), str(caught.value)


def test_a_combat_goes_on_in_the_round_that_is_told() -> None:
    first = read(f"{FIGHT}\ncombat: {{{SIDES}}}").combat
    third = read(f"{FIGHT}\ncombat: {{{SIDES}, round: 3, also: [eb_north_plain]}}").combat
    assert first is not None and third is not None
    assert (first.round, third.round) == (1, 3)
    assert third.armies == first.armies | 1 << PLACE["eb_north_plain"] == third.fought

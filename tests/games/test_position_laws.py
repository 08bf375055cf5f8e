"""Position files of all games: any moment is written and given back, and what is wrongly shaped is named."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import game_laws
import pytest
from click.testing import CliRunner

from referee.commands.position import position as command
from referee.games.kit.bots import Player
from referee.games.mountain_king.play.bots import options_of
from referee.games.war_of_the_ring.play.bots import PLAYERS
from referee.kernel import positions
from referee.kernel.located import FileProblems
from referee.kernel.play import Play
from referee.kernel.registry import load_game

FIVE, RING, LORE, KING = "five_armies", "war_of_the_ring", "battlelore", "mountain_king"
EVERY_KEY = {
    FIVE: """\
position:
  turn: 3
  phase: 5
  to_act: shadow
  unused_dice: {free: [muster, event], shadow: [army, army, eye]}
  used_dice: {free: [west], shadow: [muster]}
  pools: {free: 5, shadow: 6}
  house_rules: {seventh_die: settlements_or_fortifications}
  regions:
    v_west_plain: {side: shadow, units: {orcs: 2}, leadership: 1, damage: 1, characters: [bolg]}
    fallen_bridge: {tokens: {dwarves_and_men: 1}, label: A}
    camp: {side: free, units: {lake_men: 2}, characters: [bard, dain]}
    ruins_of_dale: {control: shadow}
  control_shadow: [ruins_of_dale]
  fort_damage: {ravenhill: 2}
  passes: {north: open, west: closed}
  beorn: {region: eb_south_hill, wrath: 8, movement: 3, fate_cards: [giant_size]}
  bolg: {bodyguards: 1}
  bats: {valley: 2}
  eagles: {eyrie: 2, valley: 1}
  lord_of_the_eagles: eyrie
  activation_tokens: [bard]
  generals_activated: 2
  movement: {gandalf: 2}
  values: {leadership.gandalf: 3, entry_die.bilbo: any, reach.camp.ravenhill: 'yes'}
  eliminated: [thorin]
  hands: {free: 4, shadow: {event: 2, story: 3}}
  table_cards: {Howling Orcs: {}, troubled_mind: {general: dain}}
  fate_marker: 5
  fate_pool_tiles: 9
  track: {bilbo: 3}
  supply_tokens: {elves: 4}
  vp: 2
  details: {ability_used: true}
  answers: [army, skip]
""",
    RING: """\
position:
  edition: second
  start: true
  turn: 4
  phase: 5
  to_act: free
  fellowship: {at: moria, progress: 2, hidden: true, corruption: 3, companions: [gimli, strider],
               guide: strider, moved: true, declared: true}
  politics: {rohan: at_war, gondor: active 1, north: passive 2}
  unused_dice: {free: [muster_army, event], shadow: [army, muster]}
  used_dice: {free: [character], shadow: [event]}
  hunt_box: {free: 1, shadow: 2}
  pools: {free: 5, shadow: 8}
  rings: {free: 2, shadow: 1}
  ring_used: [free]
  mouth_used: false
  free_die_was_in_hunt_box: true
  fallen: {gondor_regular: 1}
  eliminated: [boromir]
  hands: {free: {character: 2, strategy: 1}, shadow: {character: 3}}
  discarded: {free: {character: 1}}
  played_cards: [elven_rope]
  table_cards: [wizards_staff]
  tiles: {out: ['three'], gone: [two], ready: [elven_cloaks]}
  values: {setup.erebor.dwarves_regular: '1'}
  house_rules: {die_change: at_once}
  regions:
    edoras: {units: {rohan_regular: 2, rohan_leader: 1}}
    helms_deep: {units: {isengard_elite: 2}, besieged: {units: {rohan_regular: 1}}}
    pelargir: {control: shadow}
    westemnet: {units: {isengard_regular: 2}}
  battle: {attacker: shadow, from: westemnet, target: edoras, round: 0,
           rearguard: {units: {isengard_regular: 1}}}
""",
}


def game(name: str) -> Any:
    return load_game(name)


def options(name: str, seed: int) -> dict[str, Any]:
    if name == FIVE:
        return {"setup": ("ask", "suggested")[seed % 2]}
    if name == KING:
        return options_of(seed)
    return {"edition": ("second", "first")[seed % 2]} if name == RING else {}


@pytest.mark.parametrize(
    ("name", "seed"),
    [*((name, n) for n in range(3) for name in (FIVE, RING)), (LORE, 0), *((KING, n) for n in range(4))],
)
def test_every_moment_of_a_game_is_given_back_by_its_position_file(name: str, seed: int) -> None:
    """In the middle of an action and of a combat, before the set-up and after the end."""
    shadow: dict[str, Player[Any]] = {"shadow": PLAYERS["eager"]} if name == RING and seed else {}
    tried = game_laws.every_moment_is_given_back_by_its_position_file(
        game(name),
        options(name, seed),
        seed,
        0.03 if name in (FIVE, KING) else 0.015,
        12 if seed else 6,
        shadow,
    )
    assert tried > 5


def a_moment(name: str, seed: int) -> str:
    """The position file of some moment of a random game."""
    rng = Random(seed)
    play: Play[Any] = Play(game(name), game(name).new_state(options(name, seed)), audit=False)
    stop = int(rng.random() * 700)
    while play.request is not None and play.answered < stop:
        play.answer(play.request.sample(rng))
    return positions.write(game(name), play)


@pytest.mark.parametrize("name", [FIVE, RING, LORE, KING])
def test_every_wrong_shape_is_named_with_its_line(name: str) -> None:
    rng = Random(6)
    by_hand = [EVERY_KEY[name]] if name in EVERY_KEY else []
    texts = by_hand * 2 + [a_moment(name, seed) for seed in range(3)]
    assert all(positions.check(game(name), text).problems == () for text in by_hand)
    refused = game_laws.wrong_shapes_are_named_with_their_line(game(name), texts, rng, 10)
    assert refused > 25


@pytest.mark.parametrize(
    ("name", "lines", "line"),
    [
        (FIVE, "details: {story_deck: [20, 15]}", 2),
        (FIVE, "details:\n  token_pool: {elves: 3}", 3),
        (FIVE, "details:\n  pending: [[march]]", 3),
        (FIVE, "details:\n  places: {camp: {units: {trolls: 1}}}", 3),
        (FIVE, "details: {step: fight}", 2),
        (FIVE, "details: story_deck", 2),
        (FIVE, "values: {movement.bard: [3]}", 2),
        (FIVE, "values: {weather: fine}", 2),
        (FIVE, "turn: 2\nanswers: 7", 3),
        (FIVE, "turn: 2\nphase: 3\nanswers:\n- tile_9", 5),
        (FIVE, "turn: !strange 3", 2),
        (FIVE, "turn: 2020-13-45", 2),
        (FIVE, "turn: !!int many", 2),
        (FIVE, "{[turn]: 3}", 2),
        (RING, "details: {deck: [20, 15]}", 2),
        (RING, "details:\n  where: {}", 3),
        (RING, "details:\n  table_cards: {the_grail: {}}", 3),
        (RING, "details:\n  battle: {round: many}", 3),
        (RING, "details: {step: fight}", 2),
        (RING, "values: {setup.erebor.dwarves_regular: many}", 2),
        (RING, "turn: 2\nanswers: [{free: 1}]", 3),
        (RING, "battle: {attacker: shadow, from: edoras, target: helms_deep}", 2),
    ],
)
def test_what_is_wrongly_shaped_is_named_and_no_traceback_is_shown(name: str, lines: str, line: int) -> None:
    body = "".join(f"  {one}\n" for one in lines.splitlines())
    with pytest.raises(FileProblems) as caught:
        game(name).read_position(f"position:\n{body}")
    assert line in {problem.line for problem in caught.value.problems}, caught.value.problems
    for problem in caught.value.problems:
        assert problem.sentence("de") != problem.sentence("en")


def run(tmp_path: Path, text: str, *words: str) -> Any:
    file = tmp_path / "position.yaml"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(command, [str(file), *words])


GIVEN_BACK = {
    "phase 1 of Five Armies": (FIVE, "turn: 3\n  phase: 1", {"turn": 3, "phase": 1}),
    "phase 1 of War of the Ring": (RING, "turn: 3\n  phase: 1", {"turn": 3, "phase": 1}),
    "the last die of a side": (FIVE, "unused_dice: {shadow: [army]}", {"unused_dice": {"shadow": ["army"]}}),
    "the last dice": (
        RING,
        "unused_dice: {free: [event], shadow: [army]}",
        {"unused_dice": {"free": ["event"], "shadow": ["army"]}},
    ),
}


@pytest.mark.parametrize("name", GIVEN_BACK)
def test_write_gives_back_what_was_read(name: str, tmp_path: Path) -> None:
    import yaml

    which, lines, wanted = GIVEN_BACK[name]
    text = f"game: {which}\nposition:\n  {lines}\n"
    written = run(tmp_path, text, "--write").output
    found = yaml.safe_load(written)["position"]
    assert {key: found[key] for key in wanted} == wanted
    assert run(tmp_path, written, "--write").output == written
    asked = [json.loads(run(tmp_path, one, "--json").output) for one in (text, written)]
    assert asked[0] == asked[1] and asked[0]["asked"]


def test_write_gives_back_a_combat_at_the_end_of_its_round(tmp_path: Path) -> None:
    text = """\
game: five_armies
position:
  regions:
    v_northeast_plain: {side: shadow, units: {orcs: 4}}
    v_north_swamp: {side: free, units: {lake_men: 2}, damage: 1}
  combat: {attacker: v_northeast_plain, defender: v_north_swamp, step: end of round 2, free_card: lake_men}
"""
    written = run(tmp_path, text, "--write").output
    assert run(tmp_path, written, "--write").output == written
    for one in (text, written):
        found = positions.check(game(FIVE), one).play
        assert found is not None and found.request is not None
        assert (found.request.prompt, found.request.about["round"]) == ("prompt.break_off", 2)
        assert found.state.combat.sides[0].used, "the card of the round lies open"


WON = {
    "the Fate track's end": (FIVE, "fate_marker: 15", "free", "victory.fp_fate_end"),
    "Bolg is out": (FIVE, "eliminated: [bolg]", "free", "victory.fp_bolg_eliminated"),
    "ten points with Front Gate": (
        FIVE,
        "control_shadow: [front_gate, ravenhill, eastern_spur, camp, lower_slopes, ruins_of_dale]",
        "shadow",
        "victory.shadow_immediate_front_gate",
    ),
    "corruption": (RING, "fellowship: {corruption: 12}", "shadow", "victory.corruption"),
    "the Crack of Doom": (RING, "fellowship: {at: morannon, mordor: 5}", "free", "victory.ring_destroyed"),
}


@pytest.mark.parametrize("name", WON)
def test_a_position_that_is_won_is_over_and_plays_on_no_more(name: str, tmp_path: Path) -> None:
    which, lines, winner, rule = WON[name]
    text = f"game: {which}\nposition:\n  {lines}\n"
    told = run(tmp_path, text)
    assert told.exit_code == 0 and "is over" in told.output
    facts = json.loads(run(tmp_path, text, "--json").output)
    assert facts["outcome"] == {"winner": winner, "rule": rule} and facts["asked"] is None
    refused = run(tmp_path, text, "--start", str(tmp_path / "games.db"), "--lang", "de")
    assert refused.exit_code == 1 and "zu Ende" in refused.output
    assert not (tmp_path / "games.db").exists()
    written = run(tmp_path, text, "--write").output
    assert run(tmp_path, written, "--write").output == written

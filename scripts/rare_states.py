"""Rare positions of both games, played on for a while: has every request an answer, do the invariants hold?

A moment between two actions of a random game is changed into what whole games hardly ever come to: nations
that are not At War, sieges everywhere, nothing in the supply, decks run out, few dice or many.  Then the game
goes on at random.

rules.rare_states, rules.rare_answers
    positions of Five Armies and of War of the Ring, and the requests answered in them
rules.rare_failures
    those in which a request had no answer, an invariant broke or the program failed (0)

``python scripts/rare_states.py [STATES]`` plays more of them (RARE_STATES in the environment, in the bench).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.games.five_armies.box import components as five_box
from referee.games.five_armies.box import map as five_map
from referee.games.five_armies.rules import pieces as five_pieces
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.armies import ONE as FIVE_ONE
from referee.games.kit.fuzzing import FAILURES, has_an_answer
from referee.games.kit.places import places_in
from referee.games.war_of_the_ring.box import components as ring_box
from referee.games.war_of_the_ring.box import map as ring_map
from referee.games.war_of_the_ring.rules import pieces as ring_pieces
from referee.games.war_of_the_ring.state.armies import ONE as RING_ONE
from referee.games.war_of_the_ring.state.state import FURTHEST, MOST_DICE
from referee.kernel.play import Game, Play
from referee.kernel.registry import load_game

FIVE, RING = "five_armies", "war_of_the_ring"
PLAYED_ON = 60
"""Answers in each position: several actions."""
FIRST_SEED = 700_000


@dataclass(slots=True)
class Rare:
    """What came of some positions."""

    states: int = 0
    answers: int = 0
    failures: list[str] = field(default_factory=list)


def play_rare(name: str, first: int, states: int) -> Rare:
    """Play on from ``states`` rare positions of a game, one a seed."""
    found = Rare()
    game = load_game(name)
    for seed in range(first, first + states):
        rng = Random(seed)
        play: Play[Any] | None = None
        asked = ""
        try:
            state = rare_state(game, rng)
            if state is None:
                continue
            found.states += 1
            play = Play(game, state)
            for _ in range(PLAYED_ON):
                if play.request is None:
                    break
                asked = play.request.prompt
                if not has_an_answer(play.request, rng):
                    raise LookupError("no answer")
                play.answer(play.request.sample(rng))
                found.answers += 1
        except FAILURES as error:
            found.failures.append(f"{name}, seed {seed}, {asked}: {type(error).__name__}: {error}")
    return found


def rare_state(game: Game[Any], rng: Random) -> Any:
    """A moment before an action, changed; None where the game is over before, or nothing can be changed."""
    options = {"setup": "suggested"} if game.id == FIVE else {"edition": rng.choice(("second", "first"))}
    play: Play[Any] = Play(game, game.new_state({**options, "setup": "suggested"}), audit=False)
    wanted = int(rng.random() * 500)
    while play.request is not None and (play.answered < wanted or play.since or play.kept.step != "act"):
        play.answer_unchecked(play.request.sample(rng))
    if play.request is None or play.kept is None:
        return None
    state = game.copy(play.kept)
    for change in CHANGES[game.id]:
        if rng.random() < 0.5:
            change(state, rng)
    return state if not game.audit(state) else None


# --- both games --------------------------------------------------------------------------------------


def _dice(state: Any, rng: Random, box: Any, most: int) -> None:
    """Other dice: few or many, of all faces or of one."""
    for seat, die in enumerate(box.ACTION_DIE):
        faces = [face for face in box.DICE[die].distinct_faces if (box, face) != (ring_box, "lidless_eye")]
        faces = rng.choice((faces, [rng.choice(faces)]))
        state.unused[seat], state.used[seat] = [0] * len(box.FACES), [0] * len(box.FACES)
        for _ in range(rng.randint(0 if seat != state.active else 1, most)):
            state.unused[seat][box.FACE[rng.choice(faces)]] += 1
        state.pool[seat] = max(state.pool[seat], sum(state.unused[seat]))


# --- Five Armies -------------------------------------------------------------------------------------


def _empty_supply(state: Any, rng: Random) -> None:
    """Units of some types all stand on the board: the Shadow's in its boxes, others in armies of five."""
    rooms = places_in(five_map.GOBLIN_MUSTERS), places_in(state.armies[five_box.FREE])
    for unit, left in enumerate(list(state.supply)):
        if left and rng.random() < 0.6:
            seat = five_box.SEAT_OF_UNIT[unit]
            for place in rooms[1 - seat]:
                room = state.supply[unit] if seat else 5 - ARMY[state.units[place]].size
                number = min(room, state.supply[unit])
                if number > 0:
                    five_pieces.add_units(state, place, FIVE_ONE[unit] * number)


def _empty_decks(state: Any, rng: Random) -> None:
    state.event_discard, state.event_deck = state.event_discard + state.event_deck, 0
    for seat in (five_box.FREE, five_box.SHADOW):
        state.story_gone[seat], state.story_deck[seat] = state.story_gone[seat] + state.story_deck[seat], 0


def _tired(state: Any, rng: Random) -> None:
    """Damage wherever it can lie, no leadership, the last Wrath."""
    for place, units in enumerate(state.units):
        state.damage[place] = rng.randint(0, ARMY[units].size) if units else 0
        state.leaders[place] = 0
    state.wrath = min(state.wrath, 1)


# --- War of the Ring ---------------------------------------------------------------------------------


def _at_peace(state: Any, rng: Random) -> None:
    """Nations anywhere on the political track."""
    for nation, seat in enumerate(ring_box.SEAT_OF_NATION):
        state.steps[nation] = rng.randint(0, FURTHEST)
        if seat == ring_box.FREE and state.steps[nation] and rng.random() < 0.5:
            state.awake &= ~(1 << nation)
        else:
            state.awake |= 1 << nation


def _sieges(state: Any, rng: Random) -> None:
    """Garrisons in strongholds of either side, each with besiegers round it."""
    for region, box in ring_map.SIEGE_BOX.items():
        empty = not state.figures[region] | state.figures[box] | state.chars[region] | state.chars[box]
        seat = ring_box.FREE if ring_map.OF_SEAT[ring_box.FREE] >> region & 1 else ring_box.SHADOW
        if empty and not state.captured >> region & 1 and region != state.ring and rng.random() < 0.4:
            inside, outside = _units(state, rng, seat, 3), _units(state, rng, 1 - seat, 5)
            if inside and outside:
                ring_pieces.add_figures(state, box, inside)
                ring_pieces.add_figures(state, region, outside)


def _mixed(state: Any, rng: Random) -> None:
    """Armies of two nations, of which one may not be At War."""
    for seat in range(2):
        for region in places_in(state.armies[seat] & ring_map.ALL_REGIONS):
            more = _units(state, rng, seat, 2) if rng.random() < 0.5 else 0
            if more and ring_pieces.units_at(state, region) <= ring_box.ARMY_LIMIT - 2:
                ring_pieces.add_figures(state, region, more)


def _units(state: Any, rng: Random, seat: int, most: int) -> int:
    """Some units of one kind from the reinforcements of a seat, packed; 0 where there are none."""
    kinds = [
        figure
        for figure in range(ring_box.UNIT_COUNT)
        if ring_box.SEAT_OF[figure] == seat and state.supply[figure]
    ]
    if not kinds:
        return 0
    figure = rng.choice(kinds)
    return RING_ONE[figure] * rng.randint(1, min(most, state.supply[figure]))


def _no_reinforcements(state: Any, rng: Random) -> None:
    """Figures of the Free Peoples fell; the Shadow's stand in armies of ten."""
    for figure, left in enumerate(list(state.supply)):
        if rng.random() < 0.4:
            continue
        if ring_box.SEAT_OF[figure] == ring_box.FREE:
            state.fallen[figure] += left
            state.supply[figure] = 0
        elif figure < ring_box.UNIT_COUNT:
            for place in places_in(state.armies[ring_box.SHADOW] & ring_map.ALL_REGIONS):
                room = ring_box.ARMY_LIMIT - ring_pieces.units_at(state, place)
                number = min(room, state.supply[figure])
                if number > 0:
                    ring_pieces.add_figures(state, place, RING_ONE[figure] * number)


def _no_decks(state: Any, rng: Random) -> None:
    for seat in range(2):
        for deck in range(2):
            state.unseen_discards[seat][deck] += state.deck[seat][deck]
            state.deck[seat][deck] = 0


Change = Callable[[Any, Random], None]
CHANGES: Mapping[str, tuple[Change, ...]] = {
    FIVE: (_empty_supply, _empty_decks, _tired, lambda state, rng: _dice(state, rng, five_box, 7)),
    RING: (
        _at_peace,
        _sieges,
        _mixed,
        _no_reinforcements,
        _no_decks,
        lambda state, rng: _dice(state, rng, ring_box, MOST_DICE - 4),
    ),
}


def figures(states: int = 0) -> dict[str, float]:
    """All figures of this module; about a minute."""
    number = states or int(os.environ.get("RARE_STATES", "600"))
    found = [play_rare(name, FIRST_SEED, number) for name in (FIVE, RING)]
    for failure in (failure for one in found for failure in one.failures):
        print(f"FAILED {failure}", file=sys.stderr)
    return {
        "rules.rare_states": sum(one.states for one in found),
        "rules.rare_answers": sum(one.answers for one in found),
        "rules.rare_failures": sum(len(one.failures) for one in found),
    }


if __name__ == "__main__":
    for key, value in figures(int(sys.argv[1]) if len(sys.argv) > 1 else 0).items():
        print(f"{key:36} {value:14.0f}")

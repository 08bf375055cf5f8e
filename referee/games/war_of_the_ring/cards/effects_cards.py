"""Primitives that deal with dice, cards, tiles and nations."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACE, region_of
from referee.games.war_of_the_ring.cards.effects import RULE, Running, Step, primitive, run_program
from referee.games.war_of_the_ring.rules import decks, politics
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose
from referee.games.war_of_the_ring.rules.tiles import put_special_in_play
from referee.games.war_of_the_ring.state.state import State


@primitive("add_tile")
def add_tile(state: State, run: Running, step: Step) -> Ask:
    """A special Hunt tile is put in play: into the pool once the Fellowship is on the Mordor track."""
    tile = box.TILE[step["tile"]]
    if not state.tiles[tile] + state.tiles_out[tile] + state.tiles_gone[tile] + state.tiles_ready[tile]:
        put_special_in_play(state, tile)
    return
    yield


@primitive("draw")
def draw(state: State, run: Running, step: Step) -> Ask:
    """Draw cards from one own deck."""
    decks.draw(state, run.seat, box.DECKS.index(step["deck"]), step["cards"])
    yield from decks.enforce_hand_limit(state, run.seat)


@primitive("turn_die")
def turn_die(state: State, run: Running, step: Step) -> Ask:
    """One unused own die with a face is turned to another."""
    old, new = box.FACE[step["from"]], box.FACE[step["to"]]
    dice = state.unused[run.seat]
    if dice[old]:
        dice[old] -= 1
        dice[new] += 1
    return
    yield


@primitive("dice_to_eye")
def dice_to_eye(state: State, run: Running, step: Step) -> Ask:
    """Up to so many unused Shadow dice become Eyes and go to the Hunt Box."""
    unused = state.unused[box.SHADOW]
    limits = {box.FACES[face]: number for face, number in enumerate(unused) if number}
    if not limits:
        return
    chosen = yield ChooseWithDefault(
        box.SEATS[box.SHADOW],
        "prompt.dice_to_eye",
        limits,
        maximum=min(step["dice"], sum(limits.values())),
        default={},
        domain="die",
        about={"card": run.card},
        rule=RULE,
    )
    for name, number in chosen.items():
        unused[box.FACE[name]] -= number
        state.hunt_dice[box.SHADOW] += number


@primitive("discard_dice")
def discard_dice(state: State, run: Running, step: Step) -> Ask:
    """All unused enemy dice with a face are put aside."""
    face = box.FACE[step["face"]]
    enemy = 1 - run.seat
    state.used[enemy][face] += state.unused[enemy][face]
    state.unused[enemy][face] = 0
    return
    yield


# --- nations ----------------------------------------------------------------------------------------


@primitive("advance")
def advance(state: State, run: Running, step: Step) -> Ask:
    """A nation advances one step on the political track."""
    politics.advance(state, box.NATION[step["nation"]], cause="card")
    return
    yield


@primitive("counsel")
def counsel(state: State, run: Running, step: Step) -> Ask:
    """One Free Peoples nation becomes active and advances one step."""
    options = tuple(
        box.NATIONS[nation]
        for nation in box.FREE_NATIONS
        if state.steps[nation] or not state.awake >> nation & 1
    )
    if not options:
        return
    chosen = yield from choose(
        box.FREE, "prompt.counsel", options, rule=RULE, domain="nation", about={"card": run.card}
    )
    politics.activate(state, box.NATION[chosen], cause="card")
    politics.advance(state, box.NATION[chosen], cause="card")


@primitive("rouse")
def rouse(state: State, run: Running, step: Step) -> Ask:
    """Nations wake, advance or go to war if a companion (of ``with``, if named) is in a region of ``at``."""
    names = step.get("with") or [name for name, c in box.CHARACTER.items() if c < box.CHARACTER["gollum"]]
    regions = {PLACE[name] for name in step["at"]}
    wheres = (state.where[box.CHARACTER[name]] for name in names)
    if not any(where >= 0 and region_of(where) in regions for where in wheres):
        return
    for name in step.get("activate", ()):
        politics.activate(state, box.NATION[name], cause="card")
    for name in step.get("advance", ()):
        politics.advance(state, box.NATION[name], cause="card")
    if "war" in step:
        nation = box.NATION[step["war"]]
        politics.activate(state, nation, cause="card")
        politics.advance(state, nation, state.steps[nation], cause="card")
    return
    yield


@primitive("either")
def either(state: State, run: Running, step: Step) -> Ask:
    """One of two ways, as the player likes."""
    chosen = yield from choose(
        run.seat, "prompt.either", tuple(step["options"]), rule=RULE, about={"card": run.card}
    )
    if chosen == "recruit_nazgul":
        yield from run_program(state, run, (step["recruit"],))
    else:
        yield from run_program(state, run, ({"do": chosen},))

"""Primitives that deal with the Ring-bearers, the Hunt, and characters."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import NEIGHBOURS, PLACE, PLACES
from referee.games.war_of_the_ring.cards.cards_in_play import draw_for_card
from referee.games.war_of_the_ring.cards.conditions import king
from referee.games.war_of_the_ring.cards.effects import RULE, Running, Step, primitive
from referee.games.war_of_the_ring.cards.effects_armies import roll
from referee.games.war_of_the_ring.rules import characters, fellowship, minions, separation
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose, choose_place
from referee.games.war_of_the_ring.rules.company import (
    CHARACTER_OPTIONS,
    companions_in,
    corrupt,
    heal,
    random_companion,
)
from referee.games.war_of_the_ring.rules.decks import from_table
from referee.games.war_of_the_ring.rules.hunt import hunt, resolve, reveal
from referee.games.war_of_the_ring.rules.pieces import eliminate
from referee.games.war_of_the_ring.rules.tiles import EYES, draw, put_back, remove_for_good
from referee.games.war_of_the_ring.state.armies import NAZGUL_BITS
from referee.games.war_of_the_ring.state.card_data import CARDS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal


@primitive("heal")
def heal_points(state: State, run: Running, step: Step) -> Ask:
    """The corruption falls; ``at``: only where the figure is in that unconquered region."""
    place = PLACE[step["at"]] if "at" in step else -1
    if place >= 0 and (state.mordor >= 0 or state.ring != place or state.captured >> place & 1):
        return
    points = step.get("with_gollum", step["points"]) if state.guide == box.GOLLUM else step["points"]
    heal(state, points)
    return
    yield


@primitive("heal_by_dice")
def heal_by_dice(state: State, run: Running, step: Step) -> Ask:
    """Each success heals one point; Strider as guide succeeds more easily."""
    success = step["success_with_strider"] if state.guide == box.STRIDER else step["success"]
    number = yield from roll(state, run, step["dice"], success)
    heal(state, number)


@primitive("corrupt")
def corrupt_points(state: State, run: Running, step: Step) -> Ask:
    """The corruption rises; ``up_to_three`` is by how much where it is three or less."""
    points = step["points"]
    if "up_to_three" in step and state.corruption <= 3:
        points = step["up_to_three"]
    corrupt(state, points)
    return
    yield


@primitive("corrupt_by_dice")
def corrupt_by_dice(state: State, run: Running, step: Step) -> Ask:
    """Each success adds a point of corruption; with Gollum as guide it is harder."""
    success = step["success_with_gollum"] if state.guide == box.GOLLUM else step["success"]
    number = yield from roll(state, run, step["dice"], success)
    corrupt(state, number)


@primitive("gollum_leads")
def gollum_leads(state: State, run: Running, step: Step) -> Ask:
    """With Gollum as guide the Fellowship may hide or move by the usual rules."""
    if state.guide == box.GOLLUM:
        yield from fellowship.hide_or_move(state)


@primitive("separate")
def separate(state: State, run: Running, step: Step) -> Ask:
    """A companion or a group leaves the Fellowship, by so many regions more."""
    if companions_in(state):
        yield from separation.separate(state, bonus=step.get("bonus", 0), rule=RULE)


@primitive("separate_or_move")
def separate_or_move(state: State, run: Running, step: Step) -> Ask:
    """A companion or a group leaves the Fellowship, or moves on the map, faster than usual."""
    ways = []
    if companions_in(state):
        ways.append("separate")
    if characters.can_move_companions(state):
        ways.append("move_companions")
    if not ways:
        return
    way = yield from choose(
        box.FREE, "prompt.separate_or_move", tuple(ways), rule=RULE, about={"card": run.card}
    )
    bonus, level, into_siege = step.get("bonus", 0), step.get("level"), step.get("into_siege", False)
    if way == "separate":
        yield from separation.separate(state, bonus=bonus, level=level, into_siege=into_siege, rule=RULE)
    else:
        yield from characters.move_one_group(
            state, bonus=bonus, level=level, into_siege=into_siege, rule=RULE
        )


@primitive("move_companions")
def move_companions(state: State, run: Running, step: Step) -> Ask:
    """Any companions on the map move."""
    if characters.can_move_companions(state):
        yield from characters.move_companions(state, optional=True, rule=RULE)


@primitive("challenge")
def challenge(state: State, run: Running, step: Step) -> Ask:
    """Tiles are drawn: if all are Eyes the heir is lost; else the Eyes leave the game, the rest goes back."""
    drawn = []
    for _ in range(min(step["tiles"], sum(state.tiles))):
        drawn.append((yield from draw(state, source=run.card)))
    eyes = [tile for tile in drawn if tile in EYES]
    lost = len(eyes) == step["tiles"]
    for tile in drawn:
        if tile in EYES and not lost:
            remove_for_good(state, tile)
        else:
            put_back(state, tile)
    if lost:
        where = king(state)
        heir = box.CHARACTER["aragorn"] if state.where[box.CHARACTER["aragorn"]] == where else box.STRIDER
        eliminate(state, heir)


# --- the Shadow hunts by card ----------------------------------------------------------------------


def _no_effect(tile: int) -> bool:
    """Whether a card of the Shadow does nothing: no tile (-1), an Eye, or one of the Free Peoples."""
    return tile < 0 or box.TILES[tile].value == "eye" or box.TILES[tile].seat == box.FREE


@primitive("hunt_tile")
def hunt_tile(state: State, run: Running, step: Step) -> Ask:
    """A tile as by a successful Hunt; an Eye or a tile of the Free Peoples is discarded."""
    reduction = step.get("reduction", "")
    yield from _card_tile(state, run.card, may_reduce=reduction != "none", must_lose=reduction == "random")


def _card_tile(
    state: State, card: str, *, may_reduce: bool = True, must_lose: bool = False, heed_reveal: bool = True
) -> Ask:
    tile = yield from draw_for_card(state, card)
    if not _no_effect(tile):
        yield from resolve(state, tile, may_reduce=may_reduce, must_lose=must_lose, heed_reveal=heed_reveal)


@primitive("push_fellowship")
def push_fellowship(state: State, run: Running, step: Step) -> Ask:
    """The Shadow moves the Ring-bearers' figure to a region next to it."""
    state.ring = yield from choose_place(
        box.SHADOW,
        "prompt.push_fellowship",
        NEIGHBOURS[state.ring],
        rule=RULE,
        about={"card": run.card, "from": PLACES[state.ring]},
    )


@primitive("move_nazgul")
def move_nazgul(state: State, run: Running, step: Step) -> Ask:
    """Any Nazgul move."""
    yield from minions.move_nazgul(state, rule=RULE)


def _nazgul_with_ring(state: State) -> bool:
    here = state.ring
    return bool(state.figures[here] & NAZGUL_BITS) or state.where[box.WITCH_KING] == here


@primitive("nazgul_reveal")
def nazgul_reveal(state: State, run: Running, step: Step) -> Ask:
    """A Nazgul with the Fellowship reveals it."""
    if _nazgul_with_ring(state):
        yield from reveal(state)


@primitive("nazgul_strike")
def nazgul_strike(state: State, run: Running, step: Step) -> Ask:
    """A Nazgul with the Fellowship: a Character card of the Free Peoples goes, or the Hunt is rolled."""
    if not _nazgul_with_ring(state):
        return
    laid = tuple(
        card
        for card in state.table_cards
        if CARDS[card].seat == box.FREE and CARDS[card].deck == box.CHARACTER_DECK
    )
    ways = ("discard_card", "hunt") if laid else ("hunt",)
    way = yield from choose(box.SHADOW, "prompt.nazgul_strike", ways, rule=RULE, about={"card": run.card})
    if way == "hunt":
        yield from hunt(state)
        return
    card = yield from choose(box.SHADOW, "prompt.strike_card", laid, rule=RULE, domain="card")
    from_table(state, card)


@primitive("lure")
def lure(state: State, run: Running, step: Step) -> Ask:
    """A random companion is lost, or his level is taken as corruption; Gollum as guide costs one point."""
    if state.guide == box.GOLLUM:
        corrupt(state, 1)
        return
    companion = yield from random_companion(state, rule=RULE)
    if companion < 0:
        return
    way = yield from choose(
        box.FREE,
        "prompt.lure",
        ("take_corruption", "lose_companion"),
        rule=RULE,
        about={"character": box.CHARACTERS[companion], "level": box.LEVEL[companion]},
    )
    if way == "take_corruption":
        corrupt(state, box.LEVEL[companion])
    else:
        yield from separation.eliminate_companion(state, companion)


@primitive("breaking")
def breaking(state: State, run: Running, step: Step) -> Ask:
    """A tile's number of companions separates where the figure is; Gollum as guide costs one point."""
    if state.guide == box.GOLLUM:
        corrupt(state, 1)
        return
    tile = yield from draw_for_card(state, run.card)
    if _no_effect(tile):
        return
    value = box.TILES[tile].value
    if value == "die":
        number = yield from roll(state, run, 1, 1)
    else:
        number = max(0, int(value))
    companions = companions_in(state)
    number = min(number, companions.bit_count())
    if not number:
        return
    names = CHARACTER_OPTIONS[companions]
    chosen = yield ChooseWithDefault(
        box.SEATS[box.FREE],
        "prompt.breaking",
        dict.fromkeys(names, 1),
        minimum=number,
        maximum=number,
        default=dict.fromkeys(names[-number:], 1),
        domain="character",
        about={"card": run.card, "count": number},
        rule=RULE,
        too_few=Refusal(RULE, "too_few", {"minimum": number}),
    )
    group = sum(1 << box.CHARACTER[name] for name in chosen)
    yield from separation.separate_here(state, group)

"""Chapter IX: the Hunt for the Ring, from the dice in the Hunt Box to what a tile does to the Fellowship."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.asking import Ask, choose, choose_place, roll_combat_dice
from referee.games.war_of_the_ring.rules.company import (
    companions_in,
    corrupt,
    heal,
    hobbit_guides,
    random_companion,
)
from referee.games.war_of_the_ring.rules.pieces import controlled
from referee.games.war_of_the_ring.rules.separation import leave_fellowship, lose, set_out
from referee.games.war_of_the_ring.rules.tiles import damage_of, draw, relief_of
from referee.games.war_of_the_ring.state.armies import NAZGUL_BITS
from referee.games.war_of_the_ring.state.routes import destinations, way_id, ways
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

NUMBERS = tuple(str(n) for n in range(16))
SUCCESS = 6
"""What a die must show, with what is added, to find the Fellowship."""

# --- phase 3: dice are put in the Hunt Box --------------------------------------------------------


def allocation_bounds(state: State) -> tuple[int, int]:
    """The fewest and the most dice that the Shadow may put in the Hunt Box now."""
    most = max(1, companions_in(state).bit_count())
    most = min(most, state.edition.most_allocated, state.pool[box.SHADOW])
    fewest = 1 if state.edition.hunt_minimum_after_move and state.free_die_in_box else 0
    return fewest, most


def hunt_allocation(state: State) -> Ask:
    """Phase 3: the Shadow puts dice in the Hunt Box, which are not rolled this turn."""
    fewest, most = allocation_bounds(state)
    number = yield from choose(
        box.SHADOW,
        "prompt.allocate_hunt_dice",
        NUMBERS[fewest : most + 1],
        rule="hunt.allocation",
        domain="count",
        about={"minimum": fewest, "maximum": most},
        refused=lambda: _why_not_allocate(state, fewest, most),
    )
    state.hunt_dice[box.SHADOW] = int(number)


def _why_not_allocate(state: State, fewest: int, most: int) -> list[tuple[str, Refusal]]:
    found = []
    about = {"minimum": fewest, "maximum": most}
    if fewest:
        found.append(("0", Refusal("hunt.allocation_minimum", "die_was_in_box", about)))
    for number in range(most + 1, state.pool[box.SHADOW] + 1):
        rule, reason = "hunt.allocation_maximum", "more_than_companions"
        if number > state.edition.most_allocated:
            rule, reason = "hunt.allocation_five", "too_many_dice"
        found.append((NUMBERS[number], Refusal(rule, reason, about)))
    return found


# --- the roll ------------------------------------------------------------------------------------------


def reroll_conditions(state: State) -> int:
    """How many failed dice may be rolled again: one each for a stronghold, an army, Nazgul of the Shadow."""
    if state.mordor >= 0:
        return 0
    region = state.ring
    places = [region, board.SIEGE_BOX[region]] if region in board.SIEGE_BOX else [region]
    fort = bool(board.STRONGHOLD_MASK & controlled(state, box.SHADOW) & 1 << region)
    army = any(state.armies[box.SHADOW] >> place & 1 for place in places)
    nazgul = any(
        state.figures[place] & NAZGUL_BITS or state.chars[place] >> box.WITCH_KING & 1 for place in places
    )
    return fort + army + nazgul


def finds(pips: int, bonus: int) -> bool:
    """Whether a Hunt die succeeds: six or more with what is added, but never a rolled 1."""
    return pips > 1 and pips + bonus >= SUCCESS


def hunt(state: State) -> Ask:
    """The Shadow rolls for the Hunt after the Fellowship moved, and draws a tile on a success."""
    level = state.hunt_dice[box.SHADOW]
    if not level:
        return
    added = yield from occasions.before_hunt_roll(state)
    bonus = state.hunt_dice[box.FREE] + added
    about = {"level": level, "bonus": bonus, "target": max(2, SUCCESS - bonus)}
    pips = yield from roll_combat_dice(
        box.SHADOW, "prompt.roll_hunt", min(level, box.MOST_COMBAT_DICE), rule="hunt.roll", about=about
    )
    successes = sum(1 for pip in pips if finds(pip, bonus))
    again = yield from _choose_rerolls(state, len(pips) - successes, about)
    if again:
        pips = yield from roll_combat_dice(
            box.SHADOW, "prompt.reroll_hunt", again, rule="hunt.reroll", about=about
        )
        successes += sum(1 for pip in pips if finds(pip, bonus))
    if successes:
        yield from draw_tile(state, source="hunt", eye=successes)


def _choose_rerolls(state: State, failed: int, about: dict[str, int]) -> Ask:
    conditions = reroll_conditions(state) if failed else 0
    most = min(failed, conditions)
    number = yield from choose(
        box.SHADOW,
        "prompt.choose_hunt_rerolls",
        NUMBERS[most::-1],
        rule="hunt.reroll",
        domain="count",
        about={**about, "failed": failed, "maximum": most},
        refused=lambda: [
            (NUMBERS[n], Refusal("hunt.reroll", "so_many_rerolls", {"maximum": most, "failed": failed}))
            for n in range(most + 1, 4)
        ],
    )
    return int(number)


# --- a tile ---------------------------------------------------------------------------------------------


def draw_tile(
    state: State,
    *,
    source: str,
    eye: int = 0,
    heed_reveal: bool = True,
    may_reduce: bool = True,
    must_lose: bool = False,
) -> Ask:
    """Draw a tile and apply it; returns the tile that counted, -1 where a card prevented the draw.

    ``source``: ``"hunt"``, ``"stronghold"``, ``"mordor"`` or a card's id.
    ``eye`` is the damage of an Eye.  For cards: ``heed_reveal`` False ignores
    the icon, see :func:`resolve` for the others.
    """
    prevented = yield from occasions.prevents_tile(state)
    if prevented:
        return -1
    tile = yield from draw(state, source=source)
    tile = yield from resolve(
        state, tile, eye=eye, heed_reveal=heed_reveal, may_reduce=may_reduce, must_lose=must_lose
    )
    return tile


def resolve(
    state: State,
    tile: int,
    *,
    eye: int = 0,
    heed_reveal: bool = True,
    may_reduce: bool = True,
    must_lose: bool = False,
) -> Ask:
    """Apply a drawn tile as a successful Hunt; returns the tile that counted in the end.

    ``may_reduce`` False: the damage goes to the Ring whole.  ``must_lose``: a
    random companion has to be lost before the Ring is used.
    """
    tile, damage = yield from _what_counts(state, tile, eye, may_reduce)
    first = state.edition.reveal_before_damage
    way: tuple[int, int] | None = None
    drawn: list[int] = []
    if first and heed_reveal and reveals(state, tile):
        way = yield from _uncover(state)
        drawn = yield from _tiles_of_the_way(state, *way, settle=False)
    if relief_of(tile):
        heal(state, relief_of(tile))
    gollum = False
    if damage:
        icon = tile if heed_reveal and not first else -1
        gollum = yield from _suffer(state, damage, may_reduce, must_lose, icon)
    if way is None and (gollum or (not first and heed_reveal and reveals(state, tile))):
        way = yield from _uncover(state)
        yield from _tiles_of_the_way(state, *way)
    for further in drawn:
        yield from resolve(state, further)
    return tile


def _what_counts(state: State, tile: int, eye: int, may_reduce: bool) -> Ask:
    """The tile and its damage after the cards of the Free Peoples in play."""
    damage = yield from damage_of(state, tile, eye)
    tile, told = yield from occasions.after_tile(state, tile, damage, may_reduce=may_reduce)
    if told is None:
        told = yield from damage_of(state, tile, eye)
    return tile, told


def reveals(state: State, tile: int) -> bool:
    """Whether a tile's icon reveals the Fellowship now.  Gollum as guide ignores it on standard numbers."""
    kind = box.TILES[tile]
    if not kind.reveal or not state.hidden:
        return False
    return state.guide != box.GOLLUM or kind.seat >= 0 or kind.value == "eye"


# --- the damage ------------------------------------------------------------------------------------------

USE_RING, SEPARATE_GUIDE, REVEAL, LOSE_GUIDE, LOSE_RANDOM = (
    "use_ring",
    "separate_guide",
    "reveal_by_gollum",
    "lose_guide",
    "lose_random",
)
WAYS_TO_SUFFER = (SEPARATE_GUIDE, REVEAL, LOSE_GUIDE, LOSE_RANDOM, USE_RING)


def _suffer(state: State, damage: int, may_reduce: bool, must_lose: bool, icon: int) -> Ask:
    """The Free Peoples deal with Hunt damage; returns whether Gollum is to reveal the Fellowship.

    ``icon``: the tile whose icon is still to be heeded, -1 for none.  Hobbits
    who left because of this tile set out together in the end.
    """
    lost = gollum = False
    leaving = 0
    while damage > 0:
        revealed = gollum or (icon >= 0 and reveals(state, icon))
        refused = _refused_ways(state, lost, must_lose, revealed) if may_reduce else _only_ring()
        options = tuple([way for way in WAYS_TO_SUFFER if way not in refused])
        way = yield from choose(
            box.FREE,
            "prompt.suffer_hunt",
            options,
            rule="hunt.effects_order",
            about={"damage": damage, "corruption": state.corruption, "guide": box.CHARACTERS[state.guide]},
            refused=lambda refused=refused: refused.items(),  # type: ignore[misc]
        )
        if way == USE_RING:
            corrupt(state, damage)
            break
        if way == SEPARATE_GUIDE:
            damage -= 1
            leaving |= yield from _separate_guide(state)
        elif way == REVEAL:
            damage -= 1
            gollum = True
        else:
            lost = True
            level, alive = yield from _casualty(state, way)
            damage -= level
            leaving |= alive
    if leaving:
        yield from set_out(state, leaving)
    return gollum


def _separate_guide(state: State) -> Ask:
    """A hobbit who guides is separated to reduce the damage; on the Mordor track he is removed instead."""
    hobbit = 1 << state.guide
    yield from leave_fellowship(state, hobbit)
    return hobbit if state.mordor < 0 else 0


def _casualty(state: State, way: str) -> Ask:
    """The guide or a random companion is lost; returns his level, and his bit if he is taken alive."""
    companion = state.guide
    if way == LOSE_RANDOM:
        companion = yield from random_companion(state, rule="hunt.random_casualty")
    alive = yield from lose(state, companion)
    yield from occasions.companion_casualty(state, companion)
    return box.LEVEL[companion], alive


def _only_ring() -> dict[str, Refusal]:
    return {way: Refusal("hunt.use_ring", "not_reducible") for way in WAYS_TO_SUFFER if way != USE_RING}


def _refused_ways(state: State, lost: bool, must_lose: bool, revealed: bool) -> dict[str, Refusal]:
    """The ways to deal with damage that are not open now, with the reason."""
    refused: dict[str, Refusal] = {}
    companions = companions_in(state).bit_count()
    guide = {"guide": box.CHARACTERS[state.guide]}
    if not hobbit_guides(state):
        refused[SEPARATE_GUIDE] = Refusal("hunt.hobbit_guide", "guide_is_no_hobbit", guide)
    if state.guide != box.GOLLUM:
        refused[REVEAL] = Refusal("hunt.gollum_guide", "guide_is_not_gollum", guide)
    elif revealed or not state.hidden:
        refused[REVEAL] = Refusal("hunt.gollum_guide", "revealed_anyway", guide)
    if lost:
        refused[LOSE_GUIDE] = refused[LOSE_RANDOM] = Refusal("hunt.one_casualty", "one_lost_already")
    elif not companions:
        refused[LOSE_GUIDE] = refused[LOSE_RANDOM] = Refusal("hunt.casualty", "gollum_no_casualty")
    elif must_lose:
        refused[LOSE_GUIDE] = Refusal("hunt.casualty", "random_by_card")
        refused[USE_RING] = Refusal("hunt.use_ring", "companion_first")
    elif companions == 1:
        refused[LOSE_RANDOM] = Refusal("hunt.random_casualty", "only_the_guide")
    return refused


# --- being revealed -----------------------------------------------------------------------------------------


def havens(state: State) -> int:
    """Mask of the cities and strongholds of the Free Peoples that they control."""
    return (board.CITIES | board.STRONGHOLD_MASK) & board.OF_SEAT[box.FREE] & ~state.captured


def shadow_strongholds(state: State) -> int:
    """Mask of the strongholds of the Shadow that it still controls."""
    return board.STRONGHOLD_MASK & board.OF_SEAT[box.SHADOW] & ~state.captured


def reveal(state: State) -> Ask:
    """The Fellowship is revealed: its figure moves, and strongholds on its way let the Shadow draw tiles."""
    if state.hidden:
        way = yield from _uncover(state)
        yield from _tiles_of_the_way(state, *way)


def _uncover(state: State) -> Ask:
    """Turn the marker and move the figure; returns the watched regions of its way, and its strongholds."""
    state.hidden = False
    if state.mordor >= 0:
        occasions.happened(state, "revealed")
        return 0, 0
    reached = 1 << state.ring
    if state.progress:
        reached = destinations(state.ring, min(state.progress, box.PROGRESS_END)) & ~havens(state) or reached
    strongholds = shadow_strongholds(state)
    passed = yield from move_figure(
        state,
        reached,
        strongholds | occasions.watched_regions(state),
        prompt="prompt.move_revealed",
        rule="fellowship.reveal_moves",
        forbidden=havens(state),
    )
    occasions.happened(state, "revealed", region=state.ring)
    return passed, passed & strongholds


def _tiles_of_the_way(state: State, passed: int, strongholds: int, *, settle: bool = True) -> Ask:
    """The tiles that the way of a revealed Fellowship costs: those of cards first, then the strongholds'.

    Returns those that are drawn now and settled later, where ``settle`` is False.
    """
    drawn: list[int] = []
    if state.mordor >= 0:
        return drawn
    if passed.bit_count() > 1:  # the figure moved
        yield from occasions.ring_path(state, passed, "revealed")
    number = strongholds.bit_count()
    if state.edition.one_stronghold_tile:
        number = min(1, number)
    for _ in range(number):
        if settle:
            yield from draw_tile(state, source="stronghold")
        else:
            drawn.append((yield from draw(state, source="stronghold")))
    return drawn


def move_figure(
    state: State, reached: int, watched: int, *, prompt: str, rule: str, forbidden: int = 0
) -> Ask:
    """The Free Peoples move the Ring-bearers' figure; returns the mask of its start, end and watched regions.

    The progress goes back to 0.
    """
    start, most = state.ring, state.progress
    end = yield from choose_place(
        box.FREE,
        prompt,
        reached,
        rule=rule,
        about={"from": board.PLACES[start], "progress": most},
        refused=lambda: _why_not_there(start, most, reached, forbidden),
    )
    passed = 1 << start | 1 << end
    if watched and start != end:
        passed |= yield from _choose_way(start, end, most, watched)
    state.ring = end
    state.progress = 0
    return passed


def _choose_way(start: int, end: int, most: int, watched: int) -> Ask:
    found = ways(start, end, most, watched)
    options = tuple([way_id(passed) for passed in found])
    chosen = yield from choose(
        box.FREE,
        "prompt.choose_way",
        options,
        domain="way",
        about={"from": board.PLACES[start], "place": board.PLACES[end], "progress": most},
        rule="fellowship.stronghold_tile",
    )
    return found[options.index(chosen)]


def _why_not_there(start: int, most: int, reached: int, forbidden: int) -> list[tuple[str, Refusal]]:
    found = []
    forbidden &= destinations(start, most)
    for region in places_in(board.ALL_REGIONS & ~reached):
        about = {"place": board.PLACES[region], "from": board.PLACES[start], "progress": most}
        if most and forbidden >> region & 1:
            refusal = Refusal("fellowship.reveal_end", "haven_not_revealed", about)
        elif not most:
            refusal = Refusal("fellowship.stays_at_zero", "progress_zero", about)
        else:
            refusal = Refusal("fellowship.progress_is_range", "too_far", about)
        found.append((board.PLACES[region], refusal))
    return found

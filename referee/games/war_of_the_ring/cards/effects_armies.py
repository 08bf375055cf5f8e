"""Primitives that hurt armies without a battle."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import mask_of, places_in, region_of
from referee.games.war_of_the_ring.cards.cards_in_play import closed_to_shadow
from referee.games.war_of_the_ring.cards.conditions import (
    FANGORN,
    free_armies_near_nazgul,
    king,
    nations_for_stormcrow,
    nazgul_armies_near,
    near_regions,
    places_with,
)
from referee.games.war_of_the_ring.cards.effects import RULE, Running, Step, choose_place, primitive, where
from referee.games.war_of_the_ring.rules import casualties, occasions, politics
from referee.games.war_of_the_ring.rules.asking import (
    Ask,
    ChooseWithDefault,
    ask_whether,
    choose,
    roll_combat_dice,
)
from referee.games.war_of_the_ring.rules.asking import choose_place as ask_place
from referee.games.war_of_the_ring.rules.marching import IMMOBILE
from referee.games.war_of_the_ring.rules.movement import enter, march
from referee.games.war_of_the_ring.rules.pieces import (
    eliminate,
    free_for,
    lift,
    remove_figures,
    set_down,
    settle,
)
from referee.games.war_of_the_ring.rules.recruiting import recruit
from referee.games.war_of_the_ring.rules.walking import arrive
from referee.games.war_of_the_ring.state.armies import (
    GROUP,
    NATION_BITS,
    NAZGUL_BITS,
    ONE,
    SEAT_BITS,
    UNIT_BITS,
    count,
)
from referee.games.war_of_the_ring.state.state import State


def roll(state: State, run: Running, dice: int, success: int, place: int = -1) -> Ask:
    """Roll combat dice for a card; returns how many reach ``success``."""
    about = {"card": run.card, "target": success}
    if place >= 0:
        about["place"] = board.PLACES[place]
    pips = yield from roll_combat_dice(run.seat, "prompt.card_roll", dice, rule=RULE, about=about)
    return sum(1 for pip in pips if pip >= success)


def hit(state: State, run: Running, place: int, seat: int, hits: int, *, perish: bool = False) -> Ask:
    """An army suffers hits; ``perish``: Nazgul and characters go with a destroyed army."""
    if hits and state.armies[seat] >> place & 1:
        yield from casualties.suffer(state, place, seat, hits, about={"card": run.card}, like_battle=perish)


@primitive("hits")
def hits(state: State, run: Running, step: Step) -> Ask:
    """Dice against one enemy army; each success is a hit."""
    mask = where(state, run.seat, step) & state.armies[1 - run.seat]
    place = yield from choose_place(state, run, mask, "prompt.card_target")
    if place < 0:
        return
    number = yield from roll(state, run, step["dice"], step["success"], place)
    yield from hit(state, run, place, 1 - run.seat, number)


@primitive("spells")
def spells(state: State, run: Running, step: Step) -> Ask:
    """Nazgul with an army hurt an army next to them: a die for each Nazgul."""
    place = yield from choose_place(state, run, free_armies_near_nazgul(state), "prompt.card_target")
    if place < 0:
        return
    near = near_regions(1 << place)
    dice = max(
        (
            _nazgul_in(state, source)
            for source in places_in(places_with(state, box.SHADOW, nazgul=True))
            if near >> region_of(source) & 1
        ),
        default=0,
    )
    number = yield from roll(state, run, min(dice, box.MOST_COMBAT_DICE), step["success"], place)
    yield from hit(state, run, place, box.FREE, number)


def _nazgul_in(state: State, place: int) -> int:
    """How many Nazgul are with an army; the Witch-king is one."""
    return count(state.figures[place], box.NAZGUL) + (state.chars[place] >> box.CHARACTER["witch_king"] & 1)


@primitive("valinor")
def valinor(state: State, run: Running, step: Step) -> Ask:
    """Each Elven stronghold region that is not under siege: a die for each Elven unit there."""
    for place in places_in(where(state, run.seat, {"where": "elven_armies"})):
        elves = GROUP[state.figures[place] & NATION_BITS[box.ELVES] & UNIT_BITS].units
        if elves:
            number = yield from roll(state, run, min(elves, box.MOST_COMBAT_DICE), step["success"], place)
            yield from hit(state, run, place, box.FREE, number)


@primitive("eagles")
def eagles(state: State, run: Running, step: Step) -> Ask:
    """A die for each Nazgul of one army: a success eliminates one, the rest flee to a stronghold."""
    mask = nazgul_armies_near(state)
    mask = sum(1 << place for place in places_in(mask) if state.figures[place] & NAZGUL_BITS)
    place = yield from choose_place(state, run, mask, "prompt.eagles_army")
    if place < 0:
        return
    nazgul = count(state.figures[place], box.NAZGUL)
    number = yield from roll(state, run, min(nazgul, box.MOST_COMBAT_DICE), step["success"], place)
    remove_figures(state, place, ONE[box.NAZGUL] * min(number, nazgul))
    left = nazgul - min(number, nazgul)
    refuge = board.IN_NATION[box.SAURON] & board.STRONGHOLD_MASK & ~state.captured
    if left and refuge:
        end = yield from choose_place(state, run, refuge, "prompt.eagles_to", seat=box.SHADOW)
        lift(state, place, ONE[box.NAZGUL] * left)
        set_down(state, end, ONE[box.NAZGUL] * left)


# --- the Ents ----------------------------------------------------------------------------------------

_ORTHANC = board.PLACE["orthanc"]


@primitive("ents")
def ents(state: State, run: Running, step: Step) -> Ask:
    """The Ents fall upon Orthanc: a battle in which the Shadow cannot fight back."""
    places = [p for p in (_ORTHANC, board.SIEGE_BOX[_ORTHANC]) if state.armies[box.SHADOW] >> p & 1]
    if places:
        politics.army_attacked(state, state.figures[places[0]], _ORTHANC)
        number = yield from roll(state, run, step["dice"], step["success"], places[0])
        yield from hit(state, run, places[0], box.SHADOW, number, perish=True)
    saruman = state.where[box.SARUMAN]
    if saruman >= 0 and not state.armies[box.SHADOW] >> saruman & 1:
        eliminate(state, box.SARUMAN)
    gandalf = state.where[box.GANDALF_WHITE]
    near = gandalf == FANGORN or (gandalf >= 0 and board.IN_NATION[box.ROHAN] >> region_of(gandalf) & 1)
    if not near or not state.edition.known_cards or not occasions.can_play(state, box.FREE, occasions.NO_DIE):
        return
    if (yield from ask_whether(box.FREE, "prompt.ents_card", rule=RULE)):
        yield from occasions.play_card(state, box.FREE, occasions.NO_DIE)


# --- the Dead ----------------------------------------------------------------------------------------


@primitive("dead_men")
def dead_men(state: State, run: Running, step: Step) -> Ask:
    """The heir of Isildur leads the Dead to the coast: hits there, then Gondor's regulars join him."""
    start = king(state)
    heir = box.ARAGORN if state.where[box.ARAGORN] == start else box.STRIDER
    with_him = yield from _followers(state, start, heir)
    mask = mask_of(*(board.PLACE[name] for name in step["to"]))
    end = yield from choose_place(state, run, mask, "prompt.dead_men_to")
    arrive(state, 1 << heir | with_him, end)
    settle(state, start)
    if state.armies[box.SHADOW] >> end & 1:
        politics.army_attacked(state, state.figures[end], end)
        pips = yield from roll_combat_dice(
            box.FREE, "prompt.card_roll", 1, rule=RULE, about={"card": run.card, "target": 1}
        )
        yield from hit(state, run, end, box.SHADOW, pips[0], perish=True)
        if state.armies[box.SHADOW] >> end & 1:
            yield from _flee(state, end)
    if state.armies[box.SHADOW] >> end & 1:
        return
    most = min(step["regulars"], state.supply[box.REGULAR[box.GONDOR]])
    if most:
        chosen = yield from choose(
            box.FREE,
            "prompt.dead_men_recruits",
            tuple(str(number) for number in range(most + 1)),
            rule=RULE,
            domain="number",
        )
        if recruit(state, box.REGULAR[box.GONDOR], end, int(chosen)):
            enter(state, end, box.FREE)


def _flee(state: State, region: int) -> Ask:
    """The Shadow army there retreats to a free region next to it, or is destroyed with all in it."""
    figures = state.figures[region] & SEAT_BITS[box.SHADOW]
    chars = state.chars[region] & box.MINIONS & ~IMMOBILE
    ways = board.NEIGHBOURS[region] & free_for(state, box.SHADOW) & ~closed_to_shadow(state)
    if not ways:
        for character in places_in(chars):
            eliminate(state, character)
        remove_figures(state, region, figures)
        settle(state, region)
        return
    end = yield from ask_place(
        box.SHADOW,
        "prompt.choose_retreat",
        ways,
        rule="retreat.free_region",
        about={"from": board.PLACES[region]},
    )
    march(state, region, end, figures, chars)


def _followers(state: State, start: int, heir: int) -> Ask:
    """Which of the companions in the same place go with the heir; returns their mask."""
    others = state.chars[start] & box.COMPANIONS & ~(1 << heir)
    if not others:
        return 0
    limits = {box.CHARACTERS[character]: 1 for character in places_in(others)}
    chosen = yield ChooseWithDefault(
        box.SEATS[box.FREE],
        "prompt.dead_men_with",
        limits,
        default=dict(limits),
        proposes=True,
        domain="character",
        rule=RULE,
    )
    return mask_of(*(box.CHARACTER[name] for name in chosen))


# --- Stormcrow --------------------------------------------------------------------------------------


@primitive("stormcrow")
def stormcrow(state: State, run: Running, step: Step) -> Ask:
    """A nation that is not At War steps back, and loses a leader or unit of the Free Peoples' choice."""
    nations = nations_for_stormcrow(state)
    options = tuple(name for nation, name in enumerate(box.NATIONS) if nations >> nation & 1)
    if not options:
        return
    name = yield from choose(box.SHADOW, "prompt.stormcrow_nation", options, rule=RULE, domain="nation")
    nation = box.NATION[name]
    politics.retreat_step(state, nation)
    losses = {
        f"{box.FIGURES[figure]}@{board.PLACES[place]}": (figure, place)
        for place, figures in enumerate(state.figures)
        if figures
        for figure in GROUP[figures].kinds
        if box.NATION_OF[figure] == nation and figure != box.NAZGUL
    }
    if losses:
        lost = yield from choose(box.FREE, "prompt.stormcrow_loss", tuple(losses), rule=RULE, domain="figure")
        figure, place = losses[lost]
        remove_figures(state, place, ONE[figure])
        if not state.armies[box.FREE] >> place & 1:
            casualties.army_gone(state, place, box.FREE, with_characters=False)
        settle(state, place)

"""Card primitives that move armies and fight (the others are in :mod:`effects`).

Moves and attacks that a card grants are optional, each by itself (p. 15).  An
attack is always the last step of a program.
"""

from __future__ import annotations

from typing import Any

from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import BEORN, CHARACTER, F_WEST, FREE, SEATS, WALKERS
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, mask_of, places_in
from referee.games.five_armies.cards import effects
from referee.games.five_armies.cards.effects import PRIMITIVES, RULE, SELECTORS, Running, Step
from referee.games.five_armies.rules import beorn, combat, ranged
from referee.games.five_armies.rules.asking import Ask, choose, roll_dice
from referee.games.five_armies.rules.attacks import choose_target, combined_attack_action, combined_targets
from referee.games.five_armies.rules.damage import damage_outside_combat
from referee.games.five_armies.rules.marchers import (
    ANY,
    GOBLIN,
    LED,
    NOBODY,
    Held,
    choose_marchers,
    whole_army,
)
from referee.games.five_armies.rules.movement import (
    ATTACKER,
    armies_fit_for,
    choose_army,
    choose_path,
    march,
    moved_before,
    prospects,
    reduce_to_limit,
)
from referee.games.five_armies.rules.pieces import RATING_SUMS
from referee.games.five_armies.state.armies import ARMY, GOBLIN_BITS
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne


def move(state: State, run: Running, step: Step) -> Ask:
    """Several armies move, each up to so many regions; no unit moves twice, merging comes last."""
    seat, need, steps = run.seat, step.get("need", ANY), step.get("steps", 1)
    within = board.IN_TERRITORY[board.TERRITORIES.index(step["within"])] if "within" in step else -1
    arrived: dict[int, Held] = {}

    def barred(place: int) -> Refusal | None:
        return effects.out_of_bounds(run, place) or moved_before(arrived)(place)

    for _ in range(step["armies"]):
        fit = armies_fit_for(state, seat, need) & within
        for place, held in arrived.items():
            if not _others_can(state, seat, held, need):
                fit &= ~(1 << place)
        movers, _ = prospects(state, seat, fit)
        origin = yield from choose_army(state, seat, movers, need, RULE, done=True, why_not=barred)
        if origin < 0:
            break
        held = arrived.get(origin, NOBODY)
        path = yield from choose_path(state, seat, origin, steps, RULE, held)
        units, chars, leaders, damage = yield from choose_marchers(state, seat, origin, need, held)
        march(state, seat, path, units, chars, leaders, damage)
        _arrive(arrived, Held(path[-1], units, chars, leaders, damage))
    for place in sorted(arrived):
        yield from reduce_to_limit(state, seat, place)


def _arrive(arrived: dict[int, Held], new: Held) -> None:
    before = arrived.get(new.place, NOBODY)
    arrived[new.place] = Held(
        new.place,
        before.units + new.units,
        before.chars | new.chars,
        before.leaders + new.leaders,
        before.damage + new.damage,
    )


def _others_can(state: State, seat: int, held: Held, need: str) -> bool:
    """Whether somebody stands where units have arrived who has not moved yet and fits the need."""
    others = state.units[held.place] - held.units
    if not others:
        return False
    if need == LED:
        chars = state.chars[held.place] & WALKERS[seat] & ~held.chars
        return bool(state.leaders[held.place] - held.leaders or RATING_SUMS[state.ratings][chars])
    if need == GOBLIN:
        return bool(others & GOBLIN_BITS)
    return need == ANY or need in ARMY[others].peoples


def _army_of(state: State, run: Running, step: Step) -> int:
    """Mask of the armies that a step may use."""
    if step.get("army") == "it":
        mask = 1 << run.it if run.it >= 0 else 0
    else:
        mask = SELECTORS[step["army"]](state, run.seat) if "army" in step else state.armies[run.seat]
    return mask & armies_fit_for(state, run.seat, step.get("need", ANY))


def march_and_attack(state: State, run: Running, step: Step) -> Ask:
    """One army may move up to so many regions and may then attack."""
    seat, need = run.seat, step.get("need", ANY)
    mask = _army_of(state, run, step)
    movers, strikers = prospects(state, seat, mask)
    origin = yield from choose_army(
        state,
        seat,
        movers | strikers,
        need,
        RULE,
        done=True,
        prompt=ATTACKER,
        why_not=lambda p: None if mask >> p & 1 else effects.why_not_there(run, p),
    )
    if origin < 0:
        return
    place = origin
    ways = ("move",) * (movers >> origin & 1) + ("no_move",) * (strikers >> origin & 1)
    way = yield from _ask_way(run, origin, ways)
    if way == "move":
        place = yield from _move_one(state, run, origin, step.get("steps", 1), need)
    else:
        yield whole_army(state, seat, origin)
    yield from attack_with(state, run, place, step)


def _ask_way(run: Running, place: int, ways: tuple[str, ...]) -> Ask:
    return choose(
        run.seat,
        "prompt.card_move_or_attack",
        ways,
        about={"place": PLACES[place], "card": run.card},
        rule="cards.move_attack_optional",
        refused=lambda: [("move_and_attack", Refusal(RULE, "move_or_attack"))],
    )


def _move_one(state: State, run: Running, origin: int, steps: int, need: str) -> Ask:
    path = yield from choose_path(state, run.seat, origin, steps, RULE)
    units, chars, leaders, damage = yield from choose_marchers(state, run.seat, origin, need)
    march(state, run.seat, path, units, chars, leaders, damage)
    yield from reduce_to_limit(state, run.seat, path[-1])
    return path[-1]


def attack_with(state: State, run: Running, place: int, step: Step) -> Ask:
    """The army in a place may attack, with what the card grants for this combat."""
    if not state.armies[run.seat] >> place & 1:
        return
    chosen = yield from choose_target(state, run.seat, place, RULE, card=run.card)
    if chosen == "no_attack":
        return
    granted: dict[str, Any] = {
        name: step[name] for name in ("superiority", "leadership", "no_retreat_in_round") if name in step
    }
    state.step = "fight"
    yield from combat.attack(state, run.seat, place, PLACE[chosen], **granted)


def move_or_attack(state: State, run: Running, step: Step) -> Ask:
    """The army of the step before may move one region or attack, not both."""
    place = run.it
    if place < 0 or not ARMY[state.units[place]].size:
        return
    movers, strikers = prospects(state, run.seat, 1 << place & state.armies[run.seat])
    ways = [way for way, can in (("move", movers), ("attack", strikers)) if can]
    way = yield from _ask_way(run, place, (*ways, "neither"))
    if way == "move":
        yield from _move_one(state, run, place, 1, ANY)
    elif way == "attack":
        yield from attack_with(state, run, place, step)


def combined_attack(state: State, run: Running, step: Step) -> Ask:
    """Armies around one enemy army may attack it together."""
    options = ("combined_attack",) * bool(combined_targets(state, run.seat)) + ("no_attack",)
    answer = yield from choose(
        run.seat,
        "prompt.card_combined_attack",
        options,
        about={"card": run.card},
        rule=RULE,
        refused=lambda: (
            [("combined_attack", Refusal("combined.all_must_border", "no_combined"))]
            if len(options) == 1
            else []
        ),
    )
    if answer == "combined_attack":
        yield from combined_attack_action(state, run.seat)


def move_beorn(state: State, run: Running, step: Step) -> Ask:
    """Beorn may move and attack, at no cost of Wrath."""
    if state.where[BEORN] < 0:
        return
    answer = yield ChooseOne(
        SEATS[FREE], "prompt.card_beorn", ("move_beorn", "done"), about={"card": run.card}, rule=RULE
    )
    if answer == "move_beorn":
        yield from beorn.act(state, F_WEST)


REACHES = ("ruler", "next", "any")
"""How far a ``shoot`` step reaches: by the ruler, to neighbouring regions, anywhere."""


def shoot(state: State, run: Running, step: Step) -> Ask:
    """Dice against one enemy army within reach of a character (or anywhere)."""
    other = 1 - run.seat
    origin = state.where[CHARACTER[step["by"]]] if "by" in step else -1
    reach = step.get("reach", "any")
    mask = state.armies[other] & board.ALL_REGIONS
    if reach != "any":
        if not 0 <= origin < board.REGION_COUNT:
            return
        if reach == "next":
            mask &= board.NEIGHBOURS[origin]
        else:
            unreached = (p for p in places_in(mask) if state.values.get(ranged.reach_key(origin, p)) == "no")
            mask &= ~mask_of(*unreached)
    chosen = yield from choose(
        run.seat,
        "prompt.card_shoot",
        (*OPTIONS[mask], "no_attack"),
        domain="place",
        about={"card": run.card},
        rule=RULE,
        refused=lambda: [
            (PLACES[p], Refusal("general.ruler_target", "out_of_reach", {"place": PLACES[p]}))
            for p in places_in(state.armies[other] & ~mask)
        ],
    )
    if chosen == "no_attack":
        return
    place = PLACE[chosen]
    if reach == "ruler" and not (yield from ranged.in_reach(state, origin, place)):
        return
    about = {"card": run.card, "place": chosen, "target": step["target"]}
    pips = yield from roll_dice(run.seat, "prompt.card_roll", step["dice"], about, RULE)
    hits = sum(1 for pip in pips if pip >= step["target"])
    yield from damage_outside_combat(state, other, place, hits, attack=True)


PRIMITIVES.update(
    {
        "shoot": shoot,
        "move": move,
        "march_and_attack": march_and_attack,
        "move_or_attack": move_or_attack,
        "combined_attack": combined_attack,
        "beorn": move_beorn,
    }
)

"""What champions do, by the name of the ability in the data of their box; each lifts only the rule it names.

A card has one ability and its number: ``honour_when_it_falls: 2``.  The rules announce occasions; what
answers them looks up who has an ability for it.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.box import Box, NoBoard
from referee.games.mountain_king.box.components import (
    CHAMPION,
    CHAMPIONS,
    CLANS,
    FIRST_LAIR,
    HALLS,
    OPTIONS,
    PLACES,
    SEATS,
)
from referee.games.mountain_king.cards import by_hand
from referee.games.mountain_king.cards.by_hand import BY_HAND
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.asking import ask_whether, choose_place, of_another
from referee.games.mountain_king.rules.caverns import controller, dominated
from referee.games.mountain_king.rules.pieces import (
    TROLL,
    add_trolls,
    figures,
    gain_honour,
    gain_votes,
    move,
)
from referee.games.mountain_king.rules.wheel import look_at_gnome
from referee.games.mountain_king.state.state import FRAY, State, holds
from referee.kernel.messages import Text
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

RULE = "champion.passive"
ATTACK = "counts_as_when_attacking_gnomes"
CONTROL = "counts_as_for_control"
SAFE = "does_not_fall_while_an_own_troll_is_there"
PASSES = "may_pass_overrun_caverns_when_advancing"
FALLS = "honour_when_it_falls"
BREACH = "honour_for_each_own_fallen_in_a_breach"
AFTER_ADVANCE = "weak_action_after_strong_advance"
WEAK_BONUS, STRONG_BONUS = "weak_action_bonus", "strong_action_bonus"
WALK, LOOK = "move_own_troll_to_adjacent_trolled_cavern", "look_at_gnomes"
HALL, CAVERN, TRACK = "hall_value", "cavern_trolls", "clan_votes"
IN_TURN = (WALK, LOOK, BY_HAND)
USE = "use_"


def _standing(state: State, power: str, seat: int, place: int) -> int:
    """What a seat's figures with an ability add in a place, over the one that each counts anyhow."""
    here = holds(state, power, seat)
    return sum(amount - 1 for champion, amount in here if state.figure_at[champion] == place)


@occasions.attack_strength.answered_by
def attack_strength(state: State, seat: int, place: int) -> int:
    """A figure that counts as several when it attacks gnomes."""
    return _standing(state, ATTACK, seat, place)


@occasions.control_strength.answered_by
def control_strength(state: State, place: int, numbers: list[int]) -> None:
    """A figure that counts as several for control, and star tags on caverns."""
    for seat, champion, amount in state.powers.get(CONTROL, ()):
        if state.figure_at[champion] == place:
            numbers[seat] += amount - 1
    if state.stars:
        for seat, champion, amount in state.powers.get(CAVERN, ()):
            numbers[seat] += amount * (state.stars.get(CHAMPIONS[champion]) == PLACES[place])


@occasions.hall_value.answered_by
def hall_value(state: State, hall: int) -> int:
    """Star tags on a great hall."""
    holders = state.powers.get(HALL, ())
    return sum(
        amount for _, champion, amount in holders if state.stars.get(CHAMPIONS[champion]) == HALLS[hall]
    )


@occasions.cannot_fall.answered_by
def cannot_fall(state: State, seat: int, place: int) -> list[int]:
    """A figure that does not fall while a normal troll of its owner is with it."""
    if not state.trolls[seat][place]:
        return []
    here = figures(state, seat, place)
    return [champion for champion, _ in holds(state, SAFE, seat) if champion in here]


@occasions.passes_overrun.answered_by
def passes_overrun(state: State, seat: int) -> list[int]:
    """A figure that passes overrun caverns when advancing."""
    return [champion for champion, _ in holds(state, PASSES, seat) if state.figure_at[champion] >= 0]


@occasions.fell.answered_by
def fell(state: State, seat: int, unit: int, place: int) -> None:
    """Honour for a figure that fell, and for own units that fall in a breach."""
    if not state.powers:
        return
    for champion, amount in holds(state, FALLS, seat):
        if champion == unit:
            gain_honour(state, seat, amount, RULE, CHAMPIONS[champion])
    if state.phase == FRAY:
        for champion, amount in holds(state, BREACH, seat):
            gain_honour(state, seat, amount, RULE, CHAMPIONS[champion])


# --- abilities that cover a claw ------------------------------------------------------------------------


def has_claw(state: State, champion: int) -> bool:
    """Whether an ability can still be used in this wave."""
    return state.claws[champion] < state.box.champions[champion].claws


@occasions.raised.answered_by
def raised(state: State, seat: int, weak: bool) -> Ask:
    """More strength for an action, for a claw."""
    added = 0
    for champion, amount in holds(state, WEAK_BONUS if weak else STRONG_BONUS, seat):
        if has_claw(state, champion):
            about = {"champion": CHAMPIONS[champion], "count": amount}
            if (yield from ask_whether(seat, "prompt.use_claw", rule="champion.claws", about=about)):
                state.claws[champion] += 1
                added += amount
    return added


@occasions.in_turn.answered_by
def in_turn(state: State, seat: int) -> tuple[str, ...]:
    """Abilities that may be used between actions."""
    found: list[str] = []
    if not state.powers.keys() & IN_TURN:
        return ()
    for power in IN_TURN:
        for champion, _ in holds(state, power, seat):
            if power == BY_HAND:
                if state.box.champions[champion].when == "passive" or has_claw(state, champion):
                    found.append(USE + CHAMPIONS[champion])
                continue
            if has_claw(state, champion) and (power == LOOK or walkers(state, seat)):
                found.append(USE + CHAMPIONS[champion])
    return tuple(found)


@occasions.use.answered_by
def use(state: State, seat: int, option: str) -> Ask:
    """Cover a claw, where there are any, and carry the ability out."""
    champion = CHAMPION[option.removeprefix(USE)]
    card = state.box.champions[champion]
    state.claws[champion] += card.claws > 0
    if card.power == BY_HAND:
        yield from by_hand.carry_out(state, seat, champion)
    elif card.power == LOOK:
        for _ in range(card.amount):
            yield from look_at_gnome(state, seat, "champion.claws")
    else:
        for _ in range(card.amount):
            yield from _walk(state, seat)


def walkers(state: State, seat: int) -> int:
    """The mask of places with a normal troll that stands beside another trolled place."""
    near = state.box.neighbours
    there = state.there[seat]
    return sum(1 << place for place in places_in(there) if state.trolls[seat][place] and near[place] & there)


def _walk(state: State, seat: int) -> Ask:
    """One normal troll into a trolled place beside."""
    origin = yield from choose_place(
        seat, "prompt.walk_from", walkers(state, seat), rule="champion.claws", ask_forced=True
    )
    ways = state.box.neighbours[origin] & state.there[seat]
    target = yield from choose_place(
        seat, "prompt.walk_to", ways, rule="champion.claws", about={"from": PLACES[origin]}
    )
    move(state, seat, TROLL, origin, target)


@occasions.after_strong_advance.answered_by
def after_strong_advance(state: State, seat: int, took_part: list[int]) -> Ask:
    """Weak actions that follow a strong advance in which a figure took part."""
    yield from ()
    return sum(amount for champion, amount in holds(state, AFTER_ADVANCE, seat) if champion in took_part)


# --- at once, and at the end of a wave ------------------------------------------------------------------


@occasions.instant.answered_by
def instant(state: State, seat: int, champion: int) -> Ask:
    """The instant ability of a champion just won, or where its star tag goes."""
    card = state.box.champions[champion]
    carry_out = INSTANT.get(card.power) if card.when in ("instant", "star") else None
    if carry_out is not None and not state.left >> seat & 1:
        yield from carry_out(state, seat, champion, card.amount)


def _by_hand(state: State, seat: int, champion: int, amount: int) -> Ask:
    return by_hand.carry_out(state, seat, champion)


def _honour(state: State, seat: int, champion: int, amount: int) -> Ask:
    gain_honour(state, seat, amount, "champion.instant", CHAMPIONS[champion])
    yield from ()


def _honour_for_champions(state: State, seat: int, champion: int, amount: int) -> Ask:
    yield from _honour(state, seat, champion, amount * len(state.won[seat]))


def _votes(state: State, seat: int, champion: int, amount: int) -> Ask:
    clan = yield from _clan(state, seat, champion, "prompt.instant_votes", amount)
    gain_votes(state, seat, clan, amount)


def _clan(state: State, seat: int, champion: int, prompt: str, amount: int) -> Ask:
    request = ChooseOne(
        SEATS[seat],
        prompt,
        CLANS,
        domain="clan",
        about={"champion": CHAMPIONS[champion], "count": amount},
        rule="champion.instant",
    )
    chosen = yield from of_another(state, seat, request, CLANS[0])
    return CLANS.index(chosen)


def _trolls(state: State, seat: int, champion: int, amount: int) -> Ask:
    """Trolls from the stock to a dominated cavern."""
    mask = dominated(state, seat) & state.box.caverns
    most = min(amount, state.stock[seat])
    if not mask or not most:
        return
    options = OPTIONS[mask]
    request = ChooseOne(
        SEATS[seat],
        "prompt.instant_trolls",
        options,
        domain="place",
        about={"champion": CHAMPIONS[champion], "count": most},
        rule="champion.instant",
        refused=lambda: [
            (PLACES[place], Refusal("reinforce.target", "not_dominated", {"place": PLACES[place]}))
            for place in places_in(state.box.caverns & ~mask)
        ],
    )
    chosen = yield from of_another(state, seat, request, options[0])
    add_trolls(state, seat, PLACES.index(chosen), most)


def _star_on(prompt: str, domain: str, options: Callable[[State], tuple[str, ...]]) -> Callable[..., Ask]:
    """A star tag goes on one of some things of the board."""

    def place(state: State, seat: int, champion: int, amount: int) -> Ask:
        offered = options(state)
        request = ChooseOne(
            SEATS[seat],
            prompt,
            offered,
            domain=domain,
            about={"champion": CHAMPIONS[champion], "count": amount},
            rule="champion.wave3_no_figure",
        )
        state.stars[CHAMPIONS[champion]] = yield from of_another(state, seat, request, offered[0])

    return place


def _star_on_track(state: State, seat: int, champion: int, amount: int) -> Ask:
    clan = yield from _clan(state, seat, champion, "prompt.star_track", amount)
    state.stars[CHAMPIONS[champion]] = CLANS[clan]
    gain_votes(state, seat, clan, amount)


INSTANT: dict[str, Callable[[State, int, int, int], Ask]] = {
    BY_HAND: _by_hand,
    "honour": _honour,
    "honour_for_each_own_champion": _honour_for_champions,
    "votes_of_one_clan": _votes,
    "trolls_from_stock_to_a_dominated_cavern": _trolls,
    HALL: _star_on("prompt.star_hall", "hall", lambda state: HALLS[: len(state.box.halls)]),
    CAVERN: _star_on("prompt.star_cavern", "place", lambda state: OPTIONS[state.box.caverns]),
    TRACK: _star_on_track,
}


@occasions.end_of_wave.answered_by
def end_of_wave(state: State, seat: int) -> Ask:
    """Honour at the end of each wave, before anything is scored."""
    yield from ()
    for champion in state.won[seat]:
        card = state.box.champions[champion]
        if card.when != "end_of_wave":
            continue
        if card.power == BY_HAND:
            yield from by_hand.carry_out(state, seat, champion)
            continue
        number = len(state.won[seat])
        if card.power == "honour_for_each_domain_with_an_own_controlled_cavern":
            number = domains_held(state, seat)
        gain_honour(state, seat, card.amount * number, "champion.end_of_wave", CHAMPIONS[champion])


def domains_held(state: State, seat: int) -> int:
    """Domains in which a seat controls a cavern."""
    held = 0
    for domain in state.box.domains:
        caverns = state.there[seat] & domain & (1 << FIRST_LAIR) - 1 & ~state.overrun
        held += any(controller(state, place) == seat for place in places_in(caverns))
    return held


KNOWN_POWERS = frozenset(
    {
        *INSTANT,
        ATTACK,
        CONTROL,
        SAFE,
        PASSES,
        FALLS,
        BREACH,
        AFTER_ADVANCE,
        WEAK_BONUS,
        STRONG_BONUS,
        WALK,
        LOOK,
    }
    | {"honour_for_each_domain_with_an_own_controlled_cavern"}
)
"""Abilities that can be carried out."""


def check(side: Box) -> None:
    """Raises :class:`NoBoard` where a champion of a box has an ability that nothing here carries out."""
    for card in side.champions.values():
        if card.power and card.power not in KNOWN_POWERS:
            raise NoBoard(
                Text("mountain_king.no_ability", champion=CHAMPIONS[card.index], ability=card.power)
            )

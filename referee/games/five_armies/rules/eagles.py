"""Chapter XII: the Lord of the Eagles and the Eagles of the Misty Mountains."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import EAGLES_IN_BOX, FREE, LORD, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules.asking import (
    NUMBERS,
    Ask,
    ChooseWithDefault,
    box_value,
    choose,
    refuse_all,
    roll_dice,
)
from referee.games.five_armies.rules.damage import damage_outside_combat
from referee.games.five_armies.rules.fate import place_eagles
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.state import IN_TERRITORY_OF, State
from referee.games.five_armies.state.table_cards import NOT_KINDLY_BIRDS
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

AT_HOME = 4
"""``state.eagles[AT_HOME]``: Eagles in the Eyrie."""
DICE, TARGET = 3, 4
LORD_NAME = "lord_of_the_eagles"


def can_use_ability(state: State) -> bool:
    """Whether the Lord's general ability would do anything: there is somebody to move or to muster."""
    return state.where[LORD] == board.EYRIE or state.eagles[AT_HOME] > 0 or sum(state.eagles) < EAGLES_IN_BOX


def use_ability(state: State) -> Ask:
    """Either all Eagles and the Lord fly out from the Eyrie, or Eagles are mustered into it."""
    fly = state.where[LORD] == board.EYRIE or state.eagles[AT_HOME]
    muster = sum(state.eagles) < EAGLES_IN_BOX
    ways = ("fly",) * bool(fly) + ("muster_eagles",) * muster
    way = yield from choose(FREE, "prompt.eagles_fly_or_muster", ways, rule="eagles.muster_by_lord")
    if way == "muster_eagles":
        number = yield from box_value(
            state,
            "eagles_mustered",
            FREE,
            "prompt.ask_eagles_mustered",
            NUMBERS[1 : EAGLES_IN_BOX + 1],
            {},
            "eagles.muster_by_lord",
        )
        place_eagles(state, int(number))
        return
    yield from _fly_out(state)


def _fly_out(state: State) -> Ask:
    """Each goes over a territory; only the territory matters."""
    lord = state.where[LORD] == board.EYRIE
    number = state.eagles[AT_HOME]
    if number:
        chosen = yield Spread(
            "free",
            "prompt.eagles_fly",
            dict.fromkeys(board.TERRITORIES, number),
            minimum=number,
            maximum=number,
            domain="territory",
            about={"count": number},
            rule="eagles.lord_moves_all",
        )
        state.eagles[AT_HOME] = 0
        for territory, count in chosen.items():
            state.eagles[board.TERRITORIES.index(territory)] += count
    if lord:
        territory = yield ChooseOne(
            "free", "prompt.lord_flies", board.TERRITORIES, domain="territory", rule="eagles.lord_moves_all"
        )
        put_character(state, LORD, IN_TERRITORY_OF + board.TERRITORIES.index(territory))


class Spread(ChooseWithDefault):
    """Figures spread over territories; at random all over one of them or one by one."""

    __slots__ = ()

    def sample(self, rng: object) -> dict[str, int]:
        counts: dict[str, int] = {}
        random = rng.random  # type: ignore[attr-defined]
        items = tuple(self.limits)
        for _ in range(self.minimum):
            item = items[int(random() * len(items))]
            counts[item] = counts.get(item, 0) + 1
        return counts


# --- Strong and Noble-hearted ------------------------------------------------------------------


def over(state: State) -> list[int]:
    """Attackers over each territory: Eagles, and the Lord where he is."""
    there = state.eagles[:4]
    where = state.where[LORD]
    if where >= IN_TERRITORY_OF:
        there[where - IN_TERRITORY_OF] += 1
    return there


def can_attack(state: State) -> bool:
    """Whether a Muster symbol may send Eagles home to attack: some are over a Shadow army's territory."""
    if state.where[LORD] < 0:
        return False
    return any(
        number and state.armies[SHADOW] & board.IN_TERRITORY[territory]
        for territory, number in enumerate(over(state))
    )


def why_not_attack(state: State) -> Refusal:
    """Why no Eagle can attack now."""
    if state.where[LORD] < 0:
        return Refusal("eagles.unusable_before_lord", "not_in_play", {"character": LORD_NAME})
    if not any(over(state)):
        return Refusal("eagles.must_have_left_eyrie", "eagles_at_home")
    return Refusal("eagles.attack_in_left_territory", "no_army_there")


def attack(state: State) -> Ask:
    """Any number of Eagles (the Lord too) go home, each attacking another Shadow army of its territory."""
    targets: list[int] = []
    for territory, number in enumerate(over(state)):
        mask = state.armies[SHADOW] & board.IN_TERRITORY[territory]
        if number and mask:
            chosen = yield ChooseWithDefault(
                "free",
                "prompt.eagle_targets",
                dict.fromkeys(OPTIONS[mask], 1),
                maximum=min(number, mask.bit_count()),
                default=dict.fromkeys(OPTIONS[mask][:number], 1),
                domain="place",
                about={"territory": board.TERRITORIES[territory], "count": number},
                rule="eagles.attack_in_left_territory",
                refused=_why_not_targets(state, mask),
                too_many=Refusal("eagles.different_targets", "too_many", {"maximum": number}),
            )
            yield from _go_home(state, territory, len(chosen))
            targets += [PLACE[name] for name in chosen]
    for place in targets:
        yield from _strike(state, place)


def _why_not_targets(state: State, mask: int):  # type: ignore[no-untyped-def]
    def why_not(place: int) -> Refusal | None:
        if mask >> place & 1 or not state.armies[SHADOW] >> place & 1:
            return None
        return Refusal("eagles.attack_in_left_territory", "other_territory", {"place": PLACES[place]})

    return lambda: refuse_all(PLACES, why_not)


def _go_home(state: State, territory: int, number: int) -> Ask:
    """Of those over a territory ``number`` return; where it matters the player says if the Lord is one."""
    here = state.where[LORD] == IN_TERRITORY_OF + territory
    eagles = state.eagles[territory]
    options = ("eagles_only",) * (number <= eagles) + ("lord_too",) * (here and number > 0)
    answer = yield from choose(
        FREE,
        "prompt.lord_attacks",
        options,
        about={"territory": board.TERRITORIES[territory]},
        rule="eagles.muster_die_attack",
    )
    if answer == "lord_too":
        put_character(state, LORD, board.EYRIE)
        number -= 1
    state.eagles[territory] -= number
    state.eagles[AT_HOME] += number


def _strike(state: State, place: int, dice: int = DICE) -> Ask:
    about: Mapping[str, object] = {"place": PLACES[place], "target": TARGET}
    pips = yield from roll_dice(FREE, "prompt.eagle_roll", dice, about, "eagles.attack_dice")
    hits = sum(1 for pip in pips if pip >= TARGET)
    if hits < dice:
        pips = yield from roll_dice(FREE, "prompt.eagle_again", dice - hits, about, "eagles.attack_reroll")
        hits += sum(1 for pip in pips if pip >= TARGET)
    yield from damage_outside_combat(state, SHADOW, place, hits, attack=True)


# --- the Fate card Eagles are not kindly birds ---------------------------------------------------

DICE_ON_MOUNTAIN = 4


def why_not_on_mountain(state: State) -> Refusal | None:
    """Why no Eagles can attack one army on a mountain together; None where they can."""
    if NOT_KINDLY_BIRDS not in state.table_cards:
        return Refusal("cards.stay_in_play", "card_not_in_play", {"card": NOT_KINDLY_BIRDS})
    if state.where[LORD] < 0:
        return Refusal("eagles.unusable_before_lord", "not_in_play", {"character": LORD_NAME})
    if not sum(state.eagles[:AT_HOME]):
        return Refusal("eagles.must_have_left_eyrie", "eagles_at_home")
    if not _on_mountain(state):
        return Refusal("cards.stay_in_play", "no_army_on_mountain")
    return None


def _on_mountain(state: State) -> int:
    return state.armies[SHADOW] & board.MOUNTAINS


def attack_on_mountain(state: State) -> Ask:
    """One or more Eagles go home, each making an attack on the same Shadow army on a mountain."""
    mask = _on_mountain(state)
    chosen = yield from choose(
        FREE, "prompt.eagle_mountain_target", OPTIONS[mask], domain="place", rule="cards.stay_in_play"
    )
    there = {t: n for t, n in zip(board.TERRITORIES, state.eagles[:AT_HOME], strict=True) if n}
    sent = yield ChooseWithDefault(
        "free",
        "prompt.eagles_sent",
        there,
        minimum=1,
        default=there,
        domain="territory",
        about={"place": chosen},
        rule="cards.stay_in_play",
    )
    number = sum(sent.values())
    for territory, count in sent.items():
        state.eagles[board.TERRITORIES.index(territory)] -= count
    state.eagles[AT_HOME] += number
    for _ in range(number):
        yield from _strike(state, PLACE[chosen], DICE_ON_MOUNTAIN)

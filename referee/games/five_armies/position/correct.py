"""What an arbiter may correct in a position, and the forms for it; see :mod:`referee.games.kit.corrections`.

Supplies, pools and decks follow by themselves, so that figures, tokens and cards
stay what the box holds.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, SEATS
from referee.games.five_armies.box.map import OPTIONS, PASSES, PLACE, PLACES, STRONGHOLDS, TERRITORIES
from referee.games.five_armies.rules.characters import set_rating
from referee.games.five_armies.state.armies import ARMY, pack
from referee.games.five_armies.state.state import (
    ELIMINATED,
    FORTS,
    NOT_IN_PLAY,
    OVER_TERRITORY,
    WITH_EYRIE,
    State,
    reckon,
)
from referee.games.kit import corrections as kit
from referee.games.kit.corrections import (
    EACH,
    VALUE,
    Amount,
    Amounts,
    Choice,
    Corrections,
    PlaceMark,
    Primitive,
)
from referee.kernel.corrections import number_of

MOST_DICE, MOST_DAMAGE, MOST_LEADERSHIP = 9, 99, 20
WHERE = {
    "not_in_play": NOT_IN_PLAY,
    "eliminated": ELIMINATED,
    **PLACE,
    **{name: number for number, name in OVER_TERRITORY.items()},
}


def _stand(state: State, place: int, counts: Mapping[str, int]) -> None:
    units = state.units[place] = pack(counts)
    for seat in range(len(SEATS)):
        there = bool(units) and ARMY[units].seat == seat
        state.armies[seat] = state.armies[seat] & ~(1 << place) | there << place
    if not units:
        state.damage[place] = state.leaders[place] = 0


def _put(state: State, character: int, where: int) -> None:
    state.where[character] = where
    if where < 0:
        state.activated &= ~(1 << character)
    reckon(state)


def _learn(state: State, key: str, primitive: Primitive) -> None:
    """A leadership rating is a part of the state too."""
    kind, _, name = key.partition(".")
    if kind == "leadership" and name in CHARACTER:
        set_rating(state, name, number_of(primitive, "value", 9))


def _one(name: str, most: int, label: str) -> Amounts[State]:
    """A single number of the state."""
    return Amounts(name, {VALUE: Amount((name,), most)}, label)


def _flying(name: str, ids: tuple[str, ...], most: int, of: str) -> Amounts[State]:
    """Figures over the territories."""
    return Amounts(
        name, {VALUE: Amount((name, EACH), most)}, "territory.{id}", arg="territory", ids=ids, of=(of,)
    )


def _at_place(do: str, amount: Amount, ids: tuple[str, ...] = PLACES) -> Amounts[State]:
    """Markers that lie at places."""
    return Amounts(do, {VALUE: amount}, f"marker.{do}", arg="place", ids=ids, places=PLACES)


CORRECTIONS: Corrections[State] = Corrections(
    PLACES,
    Choice("to_act", "seat", "active", SEATS, "correction.label.to_act", "seat"),
    _one("fate", box.FATE_END - 1, "track.fate"),
    _one("wrath", box.WRATH_MOST, "counter.wrath"),
    _one("bodyguards", box.BODYGUARDS_WITH_DALE, "counter.bodyguards"),
    Amounts(
        "hand",
        {
            "event": Amount(("hand_event", EACH), rest=("event_deck",)),
            "story": Amount(("hand_story", EACH), rest=("story_deck", EACH)),
        },
        "counter.hand_{part}",
        arg="seat",
        ids=SEATS,
        of=("seat.{id}",),
    ),
    _flying("eagles", WITH_EYRIE, box.EAGLES_IN_BOX, "special.eagles"),
    _flying("bats", TERRITORIES, box.BATS_IN_BOX, "special.great_bats"),
    kit.Figures(
        "army",
        "units",
        PLACES,
        box.UNITS,
        box.SEAT_OF_UNIT,
        "supply",
        lambda state, place: ARMY[state.units[place]].counts,
        _stand,
    ),
    kit.Whereabouts("character", CHARACTERS, "where", WHERE, _put),
    Amounts(
        "activated",
        {VALUE: Amount(("activated", EACH))},
        "marker.activation",
        arg="character",
        ids=CHARACTERS,
        of=("character.{id}",),
    ),
    _at_place("damage", Amount(("damage", EACH), MOST_DAMAGE)),
    _at_place("leadership", Amount(("leaders", EACH), MOST_LEADERSHIP)),
    PlaceMark("control", "control", "seat", SEATS, "control", OPTIONS[STRONGHOLDS], PLACES, "marker.control"),
    kit.Tokens(
        "tokens",
        "token",
        "group",
        box.TOKEN_GROUPS,
        PLACES,
        "tokens",
        "token_pool",
        "token_group.{id}",
        ("marker.token",),
    ),
    _at_place("fortification", Amount(("fort_damage", EACH), bound=("fort_values", EACH)), FORTS),
    PlaceMark(
        "pass",
        "closed_pass",
        "open",
        (True, False),
        "closed_passes",
        OPTIONS[PASSES],
        PLACES,
        "marker.closed_pass",
    ),
    kit.Dice(
        SEATS, box.FACES, box.ACTION_DIE, [box.DICE[die].distinct_faces for die in box.ACTION_DIE], MOST_DICE
    ),
    kit.BoxValue(_learn),
)

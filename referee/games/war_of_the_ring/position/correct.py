"""What an arbiter may correct in a position, and the forms for it; see :mod:`referee.games.kit.corrections`.

Reinforcements, pools and decks follow by themselves, so that figures, tiles and
cards stay what the box holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.games.kit import corrections as kit
from referee.games.kit.corrections import EACH, VALUE, Amount, Amounts, Choice, Corrections, Primitive
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import OF_SEAT, PLACE, PLACES, REGIONS, SETTLEMENTS, places_in
from referee.games.war_of_the_ring.position.position import stance, steps_and_active
from referee.games.war_of_the_ring.rules.pieces import lift, put_character, set_down
from referee.games.war_of_the_ring.state.armies import GROUP, pack
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS
from referee.games.war_of_the_ring.state.state import (
    ELIMINATED,
    FURTHEST,
    GUIDES,
    IN_FELLOWSHIP,
    MOST_DICE,
    NOT_IN_PLAY,
    TILE_IDS,
    State,
)
from referee.kernel.corrections import Item, no_correction, number_of, one_of

OFF_BOARD = {"fellowship": IN_FELLOWSHIP, "not_in_play": NOT_IN_PLAY, "eliminated": ELIMINATED}
SETTLEMENT_IDS = tuple(PLACES[place] for place in places_in(SETTLEMENTS))
FALLEN = tuple(name for figure, name in enumerate(box.FIGURES) if box.SEAT_OF[figure] == box.FREE)
"""Figures that can be out of the game: those of the Free Peoples."""
TILE_PARTS = {"pool": "tiles", "out": "tiles_out", "gone": "tiles_gone", "ready": "tiles_ready"}
CARD_PLACES = ("unknown", "discarded", "table")


def _stand(state: State, place: int, counts: Mapping[str, int]) -> None:
    lift(state, place, state.figures[place])
    set_down(state, place, pack(counts))


class _Control(kit.Correction[State]):
    """``{"do": "control", "place": a settlement, "seat": who controls it}``."""

    do = "control"

    def apply(self, state: State, primitive: Primitive) -> None:
        bit = 1 << PLACE[SETTLEMENT_IDS[one_of(primitive, "place", SETTLEMENT_IDS)]]
        mine = OF_SEAT[one_of(primitive, "seat", box.SEATS)] & bit
        state.captured = state.captured & ~bit if mine else state.captured | bit

    def rows_at(self, state: State, place: int) -> Iterator[Item]:
        if SETTLEMENTS >> place & 1:
            yield Item("control", "marker.control", state.captured >> place & 1, 1)

    def primitives(
        self, state: State, place: str, counts: kit.Counts, changed: Sequence[str]
    ) -> Iterator[Primitive]:
        if "control" in changed:
            owner = box.FREE if OF_SEAT[box.FREE] >> PLACE[place] & 1 else box.SHADOW
            yield {
                "do": "control",
                "place": place,
                "seat": box.SEATS[1 - owner if counts["control"] else owner],
            }


class _Politics(kit.Correction[State]):
    """``{"do": "politics", "nation", "steps": from At War (0), "active": 0 or 1}``."""

    do = "politics"

    @staticmethod
    def _stances(nation: int) -> tuple[str, ...]:
        sides = ("active",) if box.SEAT_OF_NATION[nation] == box.SHADOW else ("active", "passive")
        return (*(f"{side}_{n}" for side in sides for n in range(FURTHEST, 0, -1)), "at_war")

    def apply(self, state: State, primitive: Primitive) -> None:
        nation = one_of(primitive, "nation", box.NATIONS)
        active = number_of(primitive, "active", 1, 1 if box.SEAT_OF_NATION[nation] == box.SHADOW else 0)
        state.steps[nation] = number_of(primitive, "steps", FURTHEST)
        state.awake = state.awake & ~(1 << nation) | active << nation

    def rows(self, state: State) -> Iterator[Item]:
        for nation, name in enumerate(box.NATIONS):
            options = self._stances(nation)
            now, most = options.index(stance(state, nation).replace(" ", "_")), len(options) - 1
            label = f"nation.{name}"
            yield Item(f"politics.{name}", label, now, most, options=options, domain="correction.politics")

    def primitives(
        self, state: State, place: str, counts: kit.Counts, changed: Sequence[str]
    ) -> Iterator[Primitive]:
        for nation, name in enumerate(box.NATIONS):
            if f"politics.{name}" in changed:
                steps, active = steps_and_active(self._stances(nation)[counts[f"politics.{name}"]])
                yield {"do": "politics", "nation": name, "steps": steps, "active": active}


class _Card(kit.BoxValue[State]):
    """``{"do": "card", "card", "value"}``: on the ``table``, ``discarded`` (seen), or ``unknown``."""

    def apply(self, state: State, primitive: Primitive) -> None:
        """A card that is unknown lies in its deck, or in a hand."""
        card = CARDS[tuple(CARDS)[one_of(primitive, "card", tuple(CARDS))]]
        to = CARD_PLACES[one_of(primitive, "value", CARD_PLACES)]
        seen, bit, deck = to != "unknown", CARD_BIT[card.id], state.deck[card.seat]
        was_seen = bool(state.shown[card.seat] & bit)
        if seen and not was_seen and not deck[card.deck]:
            raise no_correction(f"card: {card.id!r}", ["-"])
        deck[card.deck] += was_seen - seen
        state.shown[card.seat] = state.shown[card.seat] & ~bit | seen * bit
        state.table_cards.pop(card.id, None)
        if to == "table":
            state.table_cards[card.id] = {}


def _check_tiles(state: State, index: int, numbers: list[int]) -> None:
    tile = box.TILES[index]
    kit.refuse_sum(tile.id, numbers, tile.count if tile.seat < 0 else 0, tile.count)


def _one(name: str, most: int, label: str, **more: Any) -> Amounts[State]:
    """A single number of the state."""
    return Amounts(name, {VALUE: Amount((name,), most, more.pop("least", 0))}, label, **more)


CORRECTIONS: Corrections[State] = Corrections(
    PLACES,
    Choice("to_act", "seat", "active", box.SEATS, "correction.label.to_act", "seat"),
    kit.Figures(
        "figures",
        "figures",
        PLACES,
        box.FIGURES,
        [seat if figure < box.UNIT_COUNT else -1 for figure, seat in enumerate(box.SEAT_OF)],
        "supply",
        lambda state, place: GROUP[state.figures[place]].counts,
        _stand,
    ),
    Choice("ring_bearers", "place", "ring", REGIONS, "character.ring_bearers", "place"),
    _one("progress", box.PROGRESS_END, "correction.label.progress"),
    _one("corruption", box.CORRUPTION_LIMIT - 1, "track.corruption"),
    _one(
        "mordor",
        box.CRACK_OF_DOOM - 1,
        "track.mordor",
        least=-1,
        options=("outside", *map(str, range(box.CRACK_OF_DOOM))),
        domain="correction.mordor",
    ),
    _one("hidden", 1, "track.fellowship", options=("revealed", "hidden"), domain="correction.fellowship"),
    _one("ring_moved", 1, "correction.label.ring_moved"),
    Choice("guide", "character", "guide", box.CHARACTERS, "correction.label.guide", "character", GUIDES),
    kit.Whereabouts("character", box.CHARACTERS, "where", {**OFF_BOARD, **PLACE}, put_character),
    _Control(),
    _Politics(),
    Amounts(
        "rings",
        {VALUE: Amount(("rings", EACH), box.RINGS_AT_START)},
        "counter.rings",
        arg="seat",
        ids=box.SEATS,
        of=("seat.{id}",),
    ),
    Amounts(
        "hand",
        {name: Amount(("hand", EACH, n), rest=("deck", EACH, n)) for n, name in enumerate(box.DECKS)},
        "counter.hand_{part}",
        arg="seat",
        ids=box.SEATS,
        of=("seat.{id}",),
    ),
    kit.Dice(
        box.SEATS,
        box.FACES,
        box.ACTION_DIE,
        [box.DICE[die].distinct_faces for die in box.ACTION_DIE],
        MOST_DICE,
        {"hunt_box": (Amount(("hunt_dice", EACH)), "counter.hunt_dice")},
    ),
    Amounts(
        "fallen",
        {VALUE: Amount(("fallen", EACH), rest=("supply", EACH))},
        "unit.{id}",
        arg="figure",
        ids=FALLEN,
        among=box.FIGURES,
        of=("correction.label.fallen",),
    ),
    Amounts(
        "tile",
        {part: Amount((name, EACH), [tile.count for tile in box.TILES]) for part, name in TILE_PARTS.items()},
        "tile.{id}",
        arg="tile",
        ids=TILE_IDS,
        of=("correction.label.tile_{part}",),
        check=_check_tiles,
    ),
    _Card(do="card"),
    kit.BoxValue(),
)

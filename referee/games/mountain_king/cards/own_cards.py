"""The owner's printed cards, tracks and tiles, typed into the box book: what no picture of the board tells.

Where they are played with, ancestry cards are told as they are laid, and the decks of champions are those
that were typed.  An ability that is none of :mod:`abilities` is typed as one that is carried out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.games.kit.typed_cards import CARD, PRINTED, checked, step_problems
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS
from referee.games.mountain_king.box.symbols import PRINTED as SYMBOLS
from referee.games.mountain_king.cards import abilities as powers
from referee.games.mountain_king.cards.by_hand import BY_HAND
from referee.games.mountain_king.state.grid import FROM_CHAMPIONS
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import Slot, StepKind
from referee.kernel.messages import Text, joined

USED = "cards.used"
"""Which cards lie on the table."""
DECKS = ("deck_0", "deck_1", "deck_2")
OUTSIDER = "outsider"
LINE, SYMBOL, TILE = "line", "symbol", "tile"
DOMAIN = "typed"
MOST_VOTES, MOST_CLAWS, MOST_AMOUNT, MOST_TILE = 9, 4, 12, 30
POWERS: Mapping[str, tuple[str, ...]] = {
    "passive": (
        powers.ATTACK, powers.CONTROL, powers.SAFE, powers.PASSES, powers.FALLS, powers.BREACH,
        powers.AFTER_ADVANCE,
    ),
    "ability": (powers.WEAK_BONUS, powers.STRONG_BONUS, powers.WALK, powers.LOOK, BY_HAND),
    "instant": (
        "honour", "honour_for_each_own_champion", "votes_of_one_clan",
        "trolls_from_stock_to_a_dominated_cavern", BY_HAND,
    ),
    "end_of_wave": (
        "honour_for_each_domain_with_an_own_controlled_cavern", "honour_for_each_own_champion", BY_HAND,
    ),
    "star": (powers.HALL, powers.CAVERN, powers.TRACK),
}  # fmt: skip
"""The abilities that can be typed, by their moment."""
LATER_WAVES = (2, 3)
NUMBERS = tuple(map(str, range(1, box.MOST_SUPPLY + 1)))
START_CELLS = tuple(f"start_card.{number}" for number in range(1, 5))
TRACKS = tuple(f"tracks.{number}" for number in range(1, len(CLANS) + 1))
SUPPLY = {wave: f"supply.{wave}" for wave in LATER_WAVES}
DESPERATION, VOTE_TILES = "desperation", "vote_tiles"
KNOWN_TILE = (9, 5, 3)
"""Of the seven vote tiles the rulebook shows one."""
Told = Mapping[str, Any]


def champion_key(champion: str) -> str:
    """The key of a champion's card."""
    return f"champion.{champion}"


# --- what a screen offers ----------------------------------------------------------------------------


def _kind(step: str, *slots: Slot) -> StepKind:
    return StepKind(step, Text(f"mountain_king.step_{step}"), slots, begins=step == CARD)


def _choice(name: str, options: tuple[str, ...], domain: str = DOMAIN) -> Slot:
    return Slot(name, "choice", f"typed.slot_{name}", True, options, domain)


def _number(name: str, least: int, most: int, required: bool = True) -> Slot:
    return Slot(name, "number", f"typed.slot_{name}", required, least=least, most=most)


def champion_steps() -> tuple[StepKind, ...]:
    """Steps of a champion's card: itself, its yellow lines, its symbols, its ability."""
    card = _kind(
        CARD,
        _choice("deck", DECKS),
        _choice("clan", (*CLANS, OUTSIDER)),
        _number("votes", 0, MOST_VOTES),
        _number("claws", 1, MOST_CLAWS, False),
        Slot("letter", "flag", "typed.slot_letter", False),
    )
    moments = (
        _kind(moment, _choice("power", names), _number("amount", 1, MOST_AMOUNT))
        for moment, names in POWERS.items()
    )
    line = _kind(LINE, _number("after", 1, box.LAP - 1))
    return (card, line, _kind(SYMBOL, _choice("symbol", SYMBOLS, SYMBOL)), *moments)


def tile_steps() -> tuple[StepKind, ...]:
    """A vote tile: its values from the first place down."""
    return (_kind(TILE, *(_number(place, 0, MOST_TILE) for place in ("first", "second", "third"))),)


def champion_check(steps: tuple[StepKind, ...]) -> Callable[[Any], list[Text]]:
    """What says what is wrong with a typed champion."""
    form = checked(steps)

    def problems(value: Any) -> list[Text]:
        return form(value) or list(_contradictions(value))

    return problems


def _contradictions(steps: Sequence[Told]) -> Iterator[Text]:
    """What the parts of one card say against each other."""
    abilities = [step["do"] for step in steps if step["do"] in POWERS]
    if len(abilities) > 1:
        yield Text("mountain_king.one_ability")
    if ("ability" in abilities) != ("claws" in steps[0]):
        yield Text("mountain_king.ability_with_claws")
    if "star" in abilities and not (steps[0]["deck"] == DECKS[2] and steps[0].get("letter")):
        yield Text("mountain_king.star_of_deck_3")


def tiles_check(steps: tuple[StepKind, ...]) -> Callable[[Any], list[Text]]:
    """What says what is wrong with the vote tiles."""
    kinds = {kind.id: kind for kind in steps}

    def problems(value: Any) -> list[Text]:
        if not isinstance(value, list) or not all(isinstance(step, dict) for step in value):
            return [Text("mountain_king.tiles_wanted", count=len(CLANS))]
        wrong = [problem for step in value for problem in step_problems(step, kinds)]
        if not wrong and len(value) != len(CLANS):
            wrong = [Text("mountain_king.tiles_wanted", count=len(CLANS))]
        if not wrong and any(sorted(_tile(step), reverse=True) != _tile(step) for step in value):
            wrong = [Text("mountain_king.tile_order")]
        return wrong

    return problems


# --- what was typed ----------------------------------------------------------------------------------


def told(values: Told, players: int) -> dict[str, Any]:
    """Sections of a box's data, in the form of the practice set's file; none where its cards are played with.

    Raises :class:`InvalidAnswer` where the box book lacks something without which ``players`` cannot play.
    """
    if values.get(USED) != PRINTED:
        return {}
    champions = {
        name: _champion(values[champion_key(name)]) for name in CHAMPIONS if champion_key(name) in values
    }
    lacks = [*_lacking(values), *_few_champions(champions, players)]
    if lacks:
        raise InvalidAnswer(Text("mountain_king.box_lacks", what=joined(lacks, ", ")))
    if _many_symbols(champions, players):
        raise InvalidAnswer(Text("mountain_king.many_symbols", most=FROM_CHAMPIONS))
    return {
        "champions": champions,
        "ancestry_cards": {"copies_each": 1, "fronts": {}},
        "start_card": {"cells": [values[key] for key in START_CELLS], "same_for_all": True},
        "supply_track": {
            "spaces": box.MOST_SUPPLY,
            "base": {"1": box.FIRST_SUPPLY, **{str(wave): int(values[key]) for wave, key in SUPPLY.items()}},
            "desperation_on": [int(one) for one in values[DESPERATION]],
        },
        "clan_board": {"tracks_top_to_bottom": tracks_told(values), "length": box.LAP},
        "vote_tiles": [_tile(step) for step in values[VOTE_TILES]],
    }


def tracks_told(values: Told) -> list[str]:
    """The clans from the top of the clan board down: as told, and where nothing is, as on the ring."""
    return [values.get(key, clan) for key, clan in zip(TRACKS, CLANS, strict=True)]


def _lacking(values: Told) -> Iterator[Text]:
    if not set(START_CELLS) <= set(values):
        yield Text("mountain_king.lacks_start_card")
    if not set(SUPPLY.values()) <= set(values) or not values.get(DESPERATION):
        yield Text("mountain_king.lacks_supply")
    if VOTE_TILES not in values:
        yield Text("mountain_king.lacks_tiles")


def _few_champions(champions: Told, players: int) -> Iterator[Text]:
    """Two start champions each, and a full display in each wave."""
    wanted = (2 * players, 2 * (players + 1), players + 1)
    for deck, (name, least) in enumerate(zip(box.DECKS, wanted, strict=True)):
        typed = sum(one["deck"] == name for one in champions.values())
        if typed < least:
            yield Text("mountain_king.lacks_champions", deck=box.DECKS[deck], count=least - typed)


def _many_symbols(champions: Told, players: int) -> bool:
    """Whether one seat could win more symbols than an ancestry has room for beside its cards."""
    most_won = 1 + box.WAVES * (players + 1)
    numbers = sorted((len(one["ancestry"]) for one in champions.values()), reverse=True)
    return sum(numbers[:most_won]) > FROM_CHAMPIONS


def _champion(steps: Sequence[Told]) -> dict[str, Any]:
    card = steps[0]
    found: dict[str, Any] = {
        "deck": box.DECKS[DECKS.index(card["deck"])],
        "clan": card["clan"],
        "votes": card["votes"],
        "claws": card.get("claws", 0),
        "letter": bool(card.get("letter")),
        "yellow_lines": sorted([one["after"], one["after"] + 1] for one in steps if one["do"] == LINE),
        "ancestry": [one["symbol"] for one in steps if one["do"] == SYMBOL],
    }
    for step in steps:
        if step["do"] in POWERS:
            found[step["do"]] = {step["power"]: step["amount"]}
    return found


def _tile(step: Told) -> list[int]:
    return [step["first"], step["second"], step["third"]]


def problems(values: Told) -> list[Text]:
    """What entries cannot stand together: a clan on two tracks, ..."""
    found = []
    tracks = tracks_told(values)
    if any(key in values for key in TRACKS) and len(set(tracks)) < len(tracks):
        found.append(Text("mountain_king.clan_twice"))
    if VOTE_TILES in values and list(KNOWN_TILE) not in map(_tile, values[VOTE_TILES]):
        found.append(Text("mountain_king.known_tile", values=" / ".join(map(str, KNOWN_TILE))))
    return found

"""The war council: levels shared out, and what they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.battlelore.box.components import (
    COUNCIL,
    DECK_BY_COUNCILS,
    HAND_OF_COMMANDER,
    HIGHEST_LEVEL,
    LEVELS_SHARED,
    LORE_CLASSES,
    SEATS,
)
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSecretly, ChooseSome, Counts, Request

COMMANDER, CREATURE = COUNCIL.index("commander"), COUNCIL.index("creature")
MASTERS = tuple(COUNCIL.index(name) for name in LORE_CLASSES)


def level(state: State, seat: int, of: str) -> int:
    """The level of a class's master in a seat's council, 0 where none sits there."""
    return state.council[seat][COUNCIL.index(of)]


def highest_master(state: State, seat: int) -> int:
    """The level of a seat's strongest master."""
    return max(state.council[seat][master] for master in MASTERS)


def lore_limit(state: State, seat: int) -> int:
    """The most lore cards that a seat may hold."""
    highest = highest_master(state, seat)
    return highest + 1 if highest or state.house["lore_without_master"] == "one_card" else 0


def start_cards(state: State, seat: int) -> int:
    """Lore cards that a seat keeps of the four that it draws, and tokens that it begins with."""
    return highest_master(state, seat)


def command_hand(state: State, seat: int) -> int:
    """Command cards that a seat holds by its commander."""
    return HAND_OF_COMMANDER[state.council[seat][COMMANDER]]


def neutral_discs(state: State, seat: int) -> dict[str, int]:
    """Discs that lie under each disc of a council: one less than its level."""
    return {name: most - 1 for name, most in zip(COUNCIL, state.council[seat], strict=True) if most}


def lore_deck(state: State) -> dict[str, int]:
    """How many cards of each class make up the lore deck."""
    return {of: DECK_BY_COUNCILS[sum(level(state, seat, of) > 0 for seat in (0, 1))] for of in LORE_CLASSES}


def special_places(state: State, seat: int) -> list[str]:
    """The masters whose special place a seat may set: of level three, where the other's is not."""
    return [of for of in LORE_CLASSES if level(state, seat, of) == HIGHEST_LEVEL > level(state, 1 - seat, of)]


# --- making it ---------------------------------------------------------------------------------------


def make_councils(state: State) -> Ask:
    """The councils as the scenario prints them, or as both seats share them out in secret."""
    told = state.field.council
    if told.get("made") == "printed":
        for seat, name in enumerate(SEATS):
            state.council[seat] = [int(told[name].get(one, 0)) for one in COUNCIL]
        return
    parts: dict[str, Request] = {name: _share(state, seat) for seat, name in enumerate(SEATS)}
    about = {"count": max(part.about["count"] for part in parts.values())}
    shared = yield ChooseSecretly("prompt.council", parts, about=about, rule="council.six_levels")
    for seat, name in enumerate(SEATS):
        state.council[seat] = [shared[name].get(one, 0) for one in COUNCIL]


def _share(state: State, seat: int) -> ChooseSome:
    """A seat's part of the secret choice: so many levels, none above three, a creature where the scenario
    asks."""
    told, name = state.field.council, SEATS[seat]
    levels = int(told.get("levels", {}).get(name, LEVELS_SHARED))
    must: Mapping[str, int] = told.get("must_spend", {}).get(name, {})
    limits = {one: must.get(one, 0) if one == "creature" else HIGHEST_LEVEL for one in COUNCIL}
    return ChooseSome(
        name,
        "prompt.council",
        {one: most for one, most in limits.items() if most},
        minimum=levels,
        maximum=levels,
        refuses=lambda counts: why_not_council(counts, must),
        examples=lambda: usual_councils(levels, must),
        domain="council",
        about={"count": levels},
        rule="council.six_levels",
        too_many=Refusal("council.six_levels", "levels_given", {"count": levels}),
        too_few=Refusal("council.six_levels", "levels_given", {"count": levels}),
    )


def why_not_council(counts: Counts, must: Mapping[str, int]) -> Refusal | None:
    """What is wrong with a council."""
    for one, most in must.items():
        if counts.get(one, 0) < most:
            return Refusal("council.creature_costs_level", "must_spend", {"council": one, "count": most})
    return None


def usual_councils(levels: int, must: Mapping[str, int]) -> Sequence[Counts]:
    """Some councils that can stand, for computer players."""
    found = []
    free = levels - sum(must.values())
    for master in LORE_CLASSES:
        for commander in range(min(free, HIGHEST_LEVEL) + 1):
            council, left = {**must}, free
            for one, wanted in (
                ("commander", commander),
                *((other, HIGHEST_LEVEL) for other in _from(master)),
            ):
                given = min(wanted, left)
                if given:
                    council[one] = given
                left -= given
            found.append(council)
    return found


def _from(master: str) -> tuple[str, ...]:
    at = LORE_CLASSES.index(master)
    return LORE_CLASSES[at:] + LORE_CLASSES[:at]

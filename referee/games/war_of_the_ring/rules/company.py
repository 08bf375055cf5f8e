"""Chapter VIII: who travels with the Ring-bearers, who guides them, and the burden of the Ring."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.rules.pieces import put_character
from referee.games.war_of_the_ring.rules.victory import check_corruption
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, STARTING_COMPANIONS, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Report, unless_forced

# --- looking ------------------------------------------------------------------------------------


def companions_in(state: State) -> int:
    """Mask of the companions in the Fellowship; Gollum is none."""
    mask = 0
    where = state.where
    for character in STARTING_COMPANIONS:
        if where[character] == IN_FELLOWSHIP:
            mask |= 1 << character
    return mask


class _Names(dict[int, tuple[str, ...]]):
    """Mask of characters to the tuple of their ids."""

    def __missing__(self, mask: int) -> tuple[str, ...]:
        self[mask] = tuple(box.CHARACTERS[character] for character in places_in(mask))
        return self[mask]


CHARACTER_OPTIONS = _Names()
"""``CHARACTER_OPTIONS[mask]``: the ids of the characters in the mask, ready for a request."""


class _Leaders(dict[int, int]):
    """Mask of characters to the mask of those with the highest level among them."""

    def __missing__(self, mask: int) -> int:
        highest = max(box.LEVEL[character] for character in places_in(mask))
        self[mask] = sum(1 << character for character in places_in(mask) if box.LEVEL[character] == highest)
        return self[mask]


_LEADERS = _Leaders()


def fit_to_guide(state: State) -> int:
    """Mask of the companions in the Fellowship with the highest level, any of whom may guide it."""
    companions = companions_in(state)
    return _LEADERS[companions] if companions else 0


def hobbit_guides(state: State) -> bool:
    """Whether Meriadoc or Peregrin guides the Fellowship."""
    return bool(box.HOBBITS >> state.guide & 1)


# --- the guide ------------------------------------------------------------------------------------


def stand_in(state: State) -> None:
    """When the guide has left, one who is fit guides until the player has chosen; without any, Gollum."""
    fit = fit_to_guide(state)
    if not fit:
        gollum_guides(state)
    elif not fit >> state.guide & 1:
        state.guide = (fit & -fit).bit_length() - 1


def choose_guide(state: State) -> Ask:
    """The Free Peoples name a guide among the companions of the highest level, if there is a choice."""
    fit = fit_to_guide(state)
    if not fit:
        return
    chosen = yield from choose(
        box.FREE,
        "prompt.choose_guide",
        CHARACTER_OPTIONS[fit],
        rule="fellowship.guide_highest",
        domain="character",
        about={"guide": box.CHARACTERS[state.guide]},
        refused=lambda: why_not_guide(state, fit),
    )
    state.guide = box.CHARACTER[chosen]


def gollum_guides(state: State) -> None:
    """The Ring-bearers are alone, so Gollum guides them."""
    state.guide = box.GOLLUM
    put_character(state, box.GOLLUM, IN_FELLOWSHIP)


def why_not_guide(state: State, fit: int) -> list[tuple[str, Refusal]]:
    """The companions and Gollum who may not guide now, with the reason."""
    found = []
    for character in places_in((box.COMPANIONS | 1 << box.GOLLUM) & ~fit):
        name = box.CHARACTERS[character]
        about = {"character": name}
        if character == box.GOLLUM:
            refusal = Refusal("fellowship.gollum_guide", "companions_left", about)
        elif state.where[character] == IN_FELLOWSHIP:
            refusal = Refusal("fellowship.guide_highest", "level_too_low", about)
        else:
            refusal = Refusal("fellowship.guide_highest", "not_in_fellowship", about)
        found.append((name, refusal))
    return found


# --- drawing one ----------------------------------------------------------------------------------------


def random_companion(state: State, *, rule: str) -> Ask:
    """The Shadow player draws one companion's counter; returns him, -1 where nobody is left."""
    companions = companions_in(state)
    if not companions:
        return -1
    drawn = yield unless_forced(
        Report(
            box.SEATS[box.SHADOW],
            "prompt.draw_companion",
            CHARACTER_OPTIONS[companions],
            domain="character",
            rule=rule,
            refused=lambda: [
                (name, Refusal("hunt.random_casualty", "not_in_fellowship", {"character": name}))
                for name in CHARACTER_OPTIONS[(box.COMPANIONS | 1 << box.GOLLUM) & ~companions]
            ],
        )
    )
    return box.CHARACTER[drawn]


# --- corruption ---------------------------------------------------------------------------------------


def corrupt(state: State, points: int) -> None:
    """Add corruption; at twelve the Shadow wins at once."""
    state.corruption = min(box.CORRUPTION_LIMIT, state.corruption + points)
    check_corruption(state)


def heal(state: State, points: int) -> int:
    """Take corruption away, not below zero; returns how much went."""
    gone = min(points, state.corruption)
    state.corruption -= gone
    return gone

"""Chapter VI: companions on the map, how the greater ones come into play, and what they can do.

The Shadow's characters are in :mod:`minions`; what the other chapters need of
them can be had here too.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import mask_of, places_in, region_of
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.asking import (
    Ask,
    ChooseWithDefault,
    ask_whether,
    choose,
    choose_place,
)
from referee.games.war_of_the_ring.rules.company import CHARACTER_OPTIONS
from referee.games.war_of_the_ring.rules.decks import draw, enforce_hand_limit
from referee.games.war_of_the_ring.rules.dice_pools import join_dice
from referee.games.war_of_the_ring.rules.minions import why_not_enter_minion
from referee.games.war_of_the_ring.rules.pieces import eliminate, put_character
from referee.games.war_of_the_ring.rules.politics import advance, companion_arrived, may_advance
from referee.games.war_of_the_ring.rules.walking import (
    arrive,
    besieged_of,
    companion_walk,
    group_about,
    group_level,
    why_not_walk,
)
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, NOT_IN_PLAY, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts

DONE = "done"

# --- moving companions on the map -------------------------------------------------------------------


def movable_companions(state: State, *, steps: int = 1, into_siege: bool = False) -> int:
    """Mask of the companions on the map who can go anywhere."""
    found = 0
    shut = besieged_of(state, box.FREE)
    where = state.where
    for character in places_in(box.COMPANIONS):
        place = where[character]
        if 0 <= place < board.REGION_COUNT and not shut >> place & 1:
            reached = companion_walk(state, place, steps, into_siege=into_siege)
            if reached & ~(1 << place):
                found |= 1 << character
    return found


def can_move_companions(state: State) -> bool:
    """Whether a Character die can move a companion."""
    return bool(movable_companions(state))


def why_not_move_companions(state: State) -> Refusal | None:
    """Why no companion can be moved."""
    if can_move_companions(state):
        return None
    if any(state.where[character] >= 0 for character in places_in(box.COMPANIONS)):
        return Refusal("char.no_siege_crossing", "all_companions_besieged")
    return Refusal("char.die_moves_all", "no_companion_on_map")


def move_companions(
    state: State,
    *,
    bonus: int = 0,
    level: int | None = None,
    into_siege: bool = False,
    one_group: bool = False,
    optional: bool = False,
    rule: str = "char.die_moves_all",
) -> Ask:
    """The Free Peoples move companions on the map, group by group, none twice; returns the mask of the moved.

    ``level`` (by a card) stands for the level of the group, ``bonus`` adds to it;
    ``into_siege`` lets them end in a besieged stronghold; ``one_group``: only one
    group moves; ``optional``: none need move.
    """
    moved = 0
    while True:
        able = movable_companions(state, into_siege=into_siege) & ~moved
        if one_group and moved:
            return moved
        may_stop = optional or bool(moved) or not able
        first = yield from _choose_companion(state, able, moved, may_stop, rule)
        if first < 0:
            return moved
        group = 1 << first
        others = state.chars[state.where[first]] & able & ~group
        if others:
            group |= yield from _choose_company(first, others)
        yield from _move_group(state, group, bonus=bonus, level=level, into_siege=into_siege)
        moved |= group


def move_one_group(
    state: State, *, bonus: int = 0, level: int | None = None, into_siege: bool = False, rule: str
) -> Ask:
    """A card moves one companion or group on the map."""
    yield from move_companions(
        state, bonus=bonus, level=level, into_siege=into_siege, one_group=True, rule=rule
    )


def _choose_companion(state: State, able: int, moved: int, may_stop: bool, rule: str) -> Ask:
    options = CHARACTER_OPTIONS[able]
    if may_stop:
        options = (*options, DONE)
    chosen = yield from choose(
        box.FREE,
        "prompt.move_companion",
        options,
        domain="character",
        rule=rule,
        refused=lambda: _why_not_companion(state, able, moved),
        ask_forced=bool(able),
    )
    return -1 if chosen == DONE else box.CHARACTER[chosen]


def _choose_company(first: int, others: int) -> Ask:
    chosen: Counts = yield ChooseWithDefault(
        box.SEATS[box.FREE],
        "prompt.companion_company",
        dict.fromkeys(CHARACTER_OPTIONS[others], 1),
        default={},
        domain="character",
        about={"character": box.CHARACTERS[first]},
        rule="char.groups",
    )
    return sum(1 << box.CHARACTER[name] for name in chosen)


def _move_group(state: State, group: int, *, bonus: int, level: int | None, into_siege: bool) -> Ask:
    start = state.where[group.bit_length() - 1]
    steps = (group_level(group) if level is None else max(level, group_level(group))) + bonus
    reached = companion_walk(state, start, steps, into_siege=into_siege)
    region = yield from choose_place(
        box.FREE,
        "prompt.companions_to",
        reached & ~(1 << start),
        rule="char.level_is_range",
        about={**group_about(group), "from": board.PLACES[start], "level": steps},
        refused=lambda: why_not_walk(state, start, steps, reached, into_siege=into_siege),
    )
    arrive(state, group, region)


def _why_not_companion(state: State, able: int, moved: int) -> Iterator[tuple[str, Refusal]]:
    for character in places_in((box.COMPANIONS | 1 << box.GOLLUM) & ~able):
        name, where = box.CHARACTERS[character], state.where[character]
        about = {"character": name}
        if moved >> character & 1:
            yield name, Refusal("char.die_moves_all", "moved_already", about)
        elif where == IN_FELLOWSHIP:
            rule, reason = "char.only_on_map", "in_fellowship"
            if character == box.GOLLUM:
                rule, reason = "char.level_zero", "gollum_stays"
            yield name, Refusal(rule, reason, about)
        elif where == ELIMINATED:
            yield name, Refusal("char.only_on_map", "eliminated", about)
        elif where == NOT_IN_PLAY:
            yield name, Refusal("char.only_on_map", "not_in_play", about)
        else:
            yield name, Refusal("char.no_siege_crossing", "besieged", about | {"place": board.PLACES[where]})


# --- Aragorn and Gandalf the White ------------------------------------------------------------------

_KINGS_SEATS = mask_of(*(board.PLACE[name] for name in ("minas_tirith", "dol_amroth", "pelargir")))
_FANGORN = 1 << board.PLACE["fangorn"]
_ELVEN_STRONGHOLDS = board.STRONGHOLD_MASK & board.IN_NATION[box.ELVES]


def can_enter(state: State, character: int) -> bool:
    """Whether a character who waits can be brought in now, as far as the die is none of the question."""
    return state.where[character] == NOT_IN_PLAY and why_not_enter(state, character) is None


def why_not_enter(state: State, character: int) -> Refusal | None:
    """Why a character cannot be brought into play; None where the conditions on the card are met."""
    if box.MINIONS >> character & 1:
        return why_not_enter_minion(state, character)
    about = {"character": box.CHARACTERS[character]}
    rule = "char.aragorn_enters" if character == box.ARAGORN else "char.gandalf_white_enters"
    if state.where[character] != NOT_IN_PLAY:
        reason = "eliminated" if state.where[character] == ELIMINATED else "in_play_already"
        return Refusal(rule, reason, about)
    if character == box.ARAGORN:
        return _why_not_aragorn(state, about)
    if state.where[box.GANDALF_GREY] == IN_FELLOWSHIP:
        return Refusal(rule, "grey_in_fellowship", about)
    if not _minion_seen(state):
        return Refusal(rule, "no_minion_yet", about)
    if state.where[box.GANDALF_GREY] < 0 and not white_places(state):
        return Refusal(rule, "no_place_left", about)
    return None


def _why_not_aragorn(state: State, about: dict[str, str]) -> Refusal | None:
    place = state.where[box.STRIDER]
    if place < 0:
        reason = "strider_in_fellowship" if place == IN_FELLOWSHIP else "strider_gone"
        return Refusal("char.aragorn_enters", reason, about)
    region = region_of(place)
    if not _KINGS_SEATS >> region & 1:
        return Refusal("char.aragorn_enters", "strider_elsewhere", {**about, "place": board.PLACES[region]})
    if state.captured >> region & 1:
        return Refusal("char.aragorn_enters", "conquered", {**about, "place": board.PLACES[region]})
    return None


def _minion_seen(state: State) -> bool:
    """Whether a minion is or has been in play."""
    return any(state.where[minion] != NOT_IN_PLAY for minion in (box.WITCH_KING, box.SARUMAN, box.MOUTH))


def white_places(state: State) -> int:
    """Mask of the regions where Gandalf the White appears when the Grey is gone: he may come into a siege."""
    return _FANGORN | _ELVEN_STRONGHOLDS & ~state.captured


def enter_aragorn(state: State) -> Ask:
    """Strider becomes Aragorn where he stands, which may wake the nation there."""
    place = state.where[box.STRIDER]
    eliminate(state, box.STRIDER)
    put_character(state, box.ARAGORN, place)
    companion_arrived(state, box.ARAGORN, place)
    yield from join_dice(state, box.FREE)


def enter_gandalf_white(state: State) -> Ask:
    """Gandalf the White takes the place of the Grey, or appears in Fangorn or an Elven stronghold."""
    place = state.where[box.GANDALF_GREY]
    if place >= 0:
        eliminate(state, box.GANDALF_GREY)
        put_character(state, box.GANDALF_WHITE, place)
        companion_arrived(state, box.GANDALF_WHITE, place)
    else:
        open_ones = white_places(state)
        region = yield from choose_place(
            box.FREE,
            "prompt.gandalf_white_to",
            open_ones,
            rule="char.gandalf_white_enters",
            refused=lambda: _why_not_white_place(state, open_ones),
        )
        arrive(state, 1 << box.GANDALF_WHITE, region)
    yield from join_dice(state, box.FREE)


def _why_not_white_place(state: State, open_ones: int) -> Iterator[tuple[str, Refusal]]:
    for region in places_in(board.ALL_REGIONS & ~open_ones):
        reason = "conquered" if _ELVEN_STRONGHOLDS >> region & 1 else "not_his_place"
        yield (
            board.PLACES[region],
            Refusal("char.gandalf_white_enters", reason, {"place": board.PLACES[region]}),
        )


# --- Boromir, Legolas and Gimli -------------------------------------------------------------------------

_HOMES: dict[int, tuple[int, int]] = {
    box.BOROMIR: (box.GONDOR, board.IN_NATION[box.GONDOR] & (board.CITIES | board.STRONGHOLD_MASK)),
    box.LEGOLAS: (box.ELVES, _ELVEN_STRONGHOLDS),
    box.GIMLI: (box.DWARVES, 1 << board.PLACE["erebor"]),
}
"""Companion to the nation that he rouses and the regions where he does."""


def can_rouse(state: State, character: int) -> bool:
    """Whether a companion may let any die advance his nation."""
    place = state.where[character]
    if place < 0:
        return False
    nation, homes = _HOMES[character]
    return bool(homes & ~state.captured & 1 << region_of(place)) and may_advance(state, nation)


def why_not_rouse(state: State, character: int) -> Refusal | None:
    """Why a companion does not let any die advance his nation now."""
    if can_rouse(state, character):
        return None
    nation, homes = _HOMES[character]
    about = {"character": box.CHARACTERS[character], "nation": box.NATIONS[nation]}
    place = state.where[character]
    if place < 0:
        return Refusal("char.rouses_nation", "not_on_map", about)
    region = region_of(place)
    if not homes >> region & 1:
        return Refusal("char.rouses_nation", "not_at_home", {**about, "place": board.PLACES[region]})
    if state.captured >> region & 1:
        return Refusal("char.rouses_nation", "conquered", {**about, "place": board.PLACES[region]})
    if not state.steps[nation]:
        return Refusal("politics.at_war", "already_at_war", about)
    return Refusal("politics.passive", "passive_nation", about)


def rouse(state: State, character: int) -> Ask:
    """A companion at home lets any die advance his nation one step."""
    nation = _HOMES[character][0]
    advance(state, nation, cause="ability")
    occasions.happened(state, "advanced_by_ability", nation=nation)
    return
    yield


# --- Gandalf the Grey as guide ----------------------------------------------------------------------------


def guide_draws(state: State, deck: int) -> Ask:
    """After an Event card was played with an Event die: Gandalf the Grey as guide may draw one of its kind.

    In the first edition only after a Character card.
    """
    if state.guide != box.GANDALF_GREY or not state.deck[box.FREE][deck]:
        return
    if state.edition.gandalf_guide_character_only and box.DECKS[deck] != "character":
        return
    drawn = yield from ask_whether(
        box.FREE, "prompt.guide_draws", rule="char.gandalf_guide", about={"deck": box.DECKS[deck]}
    )
    if drawn:
        draw(state, box.FREE, deck)
        yield from enforce_hand_limit(state, box.FREE)

"""Chapter VI: Nazgul and minions: how they come into play, how they move, and what Saruman recruits."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in, region_of
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose, choose_place
from referee.games.war_of_the_ring.rules.dice_pools import join_dice
from referee.games.war_of_the_ring.rules.pieces import (
    add_figures,
    controlled,
    lift,
    put_character,
    remove_figures,
    set_down,
)
from referee.games.war_of_the_ring.rules.politics import activate, all_free_at_war
from referee.games.war_of_the_ring.rules.recruiting import open_settlements, recruit
from referee.games.war_of_the_ring.rules.walking import WALKS, besieged_of, standing_place
from referee.games.war_of_the_ring.state.armies import NATION_BITS, ONE, UNIT_BITS, count
from referee.games.war_of_the_ring.state.state import ELIMINATED, NOT_IN_PLAY, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Counts, Forced

ORTHANC = board.PLACE["orthanc"]
DONE = "done"

# --- coming into play ---------------------------------------------------------------------------------

_ENTRY_RULE = {
    box.WITCH_KING: "minion.witch_king_enters",
    box.SARUMAN: "minion.saruman_enters",
    box.MOUTH: "minion.mouth_enters",
}


def entry_places(state: State, minion: int) -> int:
    """Mask of the regions where a minion may come into play."""
    if minion == box.WITCH_KING:
        mask = 0
        for place in places_in(state.armies[box.SHADOW]):
            if state.figures[place] & NATION_BITS[box.SAURON] & UNIT_BITS:
                mask |= 1 << region_of(place)
        return mask
    if minion == box.SARUMAN:
        return 1 << ORTHANC & ~state.captured
    return board.STRONGHOLD_MASK & board.IN_NATION[box.SAURON] & ~state.captured


def why_not_enter_minion(state: State, minion: int) -> Refusal | None:
    """Why a minion cannot be brought into play by a Muster die; None where he can."""
    rule = _ENTRY_RULE[minion]
    about = {"character": box.CHARACTERS[minion]}
    where = state.where[minion]
    if where != NOT_IN_PLAY:
        return Refusal(rule, "eliminated" if where == ELIMINATED else "in_play_already", about)
    if minion == box.WITCH_KING:
        if state.steps[box.SAURON]:
            return Refusal(rule, "sauron_not_at_war", about)
        if state.edition.witch_king_needs_free_at_war and all(state.steps[n] for n in box.FREE_NATIONS):
            return Refusal(rule, "no_free_nation_at_war", about)
    elif minion == box.SARUMAN:
        if state.steps[box.ISENGARD]:
            return Refusal(rule, "isengard_not_at_war", about)
    elif state.mordor < 0 and not all_free_at_war(state):
        return Refusal(rule, "neither_mordor_nor_war", about)
    if not entry_places(state, minion):
        return Refusal(rule, "no_place_left", about)
    return None


def enter_minion(state: State, minion: int) -> Ask:
    """A minion comes into play; with the Witch-king all nations of the Free Peoples wake."""
    open_ones = entry_places(state, minion)
    region = yield from choose_place(
        box.SHADOW,
        "prompt.minion_enters",
        open_ones,
        rule=_ENTRY_RULE[minion],
        about={"character": box.CHARACTERS[minion]},
        refused=lambda: _why_not_entry_place(minion, open_ones),
    )
    put_character(state, minion, standing_place(state, region, box.SHADOW))
    if minion == box.WITCH_KING:
        for nation in box.FREE_NATIONS:
            activate(state, nation, cause="witch_king")
    yield from join_dice(state, box.SHADOW)


def _why_not_entry_place(minion: int, open_ones: int) -> Iterator[tuple[str, Refusal]]:
    about = {"character": box.CHARACTERS[minion]}
    for region in places_in(board.ALL_REGIONS & ~open_ones):
        yield (
            board.PLACES[region],
            Refusal(_ENTRY_RULE[minion], "not_his_place", {**about, "place": board.PLACES[region]}),
        )


# --- where they can go --------------------------------------------------------------------------------


def shut_to_minions(state: State) -> int:
    """Mask of the strongholds that the Free Peoples control and no army of the Shadow besieges."""
    return board.STRONGHOLD_MASK & controlled(state, box.FREE) & ~besieged_of(state, box.FREE)


def mouth_walk(state: State, start: int) -> int:
    """Mask of the regions that the Mouth of Sauron reaches from ``start``, which counts."""
    closed = besieged_of(state, box.SHADOW)
    if closed >> start & 1:
        return 1 << start
    shut = shut_to_minions(state) | closed
    stops = besieged_of(state, box.FREE) if state.edition.mouth_stops_at_strongholds else 0
    return WALKS[start, box.LEVEL[box.MOUTH], shut, stops]


def flight(state: State) -> int:
    """Mask of the regions that Nazgul may fly to."""
    return board.ALL_REGIONS & ~shut_to_minions(state)


def can_mouth_walk(state: State) -> bool:
    """Whether the Mouth of Sauron can go anywhere."""
    place = state.where[box.MOUTH]
    return 0 <= place < board.REGION_COUNT and bool(mouth_walk(state, place) & ~(1 << place))


def fliers(state: State) -> bool:
    """Whether a Nazgul or the Witch-king is on the map."""
    return state.where[box.WITCH_KING] >= 0 or bool(sum(state.figures) & NATION_BITS[box.SAURON] & ~UNIT_BITS)


# --- moving them ---------------------------------------------------------------------------------------


def can_move_minions(state: State) -> bool:
    """Whether a Character die of the Shadow can move a Nazgul or a minion."""
    return fliers(state) or can_mouth_walk(state)


def why_not_move_minions(state: State) -> Refusal | None:
    """Why no Nazgul and no minion can be moved."""
    if can_move_minions(state):
        return None
    if state.where[box.MOUTH] >= 0:
        return Refusal("minion.mouth_moves", "mouth_shut_in")
    if state.where[box.SARUMAN] >= 0:
        return Refusal("minion.saruman_stays", "only_saruman")
    return Refusal("nazgul.die_moves_all", "no_nazgul_on_map")


Waiting = dict[int, list[int]]
"""Who has not moved yet: place to [number of Nazgul, mask of characters]."""


def move_minions(state: State) -> Ask:
    """A Character die moves any Nazgul and minions of the Shadow, each of them once."""
    yield from _move(state, mouth=True, optional=False, rule="nazgul.die_moves_all")


def move_nazgul(
    state: State, *, optional: bool = True, within: int = board.ALL_REGIONS, rule: str = "nazgul.flies"
) -> Ask:
    """A card moves any Nazgul, the Witch-king among them; ``within`` bounds where they may go."""
    yield from _move(state, mouth=False, optional=optional, rule=rule, within=within)


def _waiting(state: State, mouth: bool) -> Waiting:
    found: Waiting = {}
    for place, figures in enumerate(state.figures):
        number = count(figures, box.NAZGUL)
        if number:
            found[place] = [number, 0]
    who = [box.WITCH_KING] if state.where[box.WITCH_KING] >= 0 else []
    if mouth and can_mouth_walk(state):
        who.append(box.MOUTH)
    for character in who:
        found.setdefault(state.where[character], [0, 0])[1] |= 1 << character
    return found


def _move(state: State, *, mouth: bool, optional: bool, rule: str, within: int = board.ALL_REGIONS) -> Ask:
    waiting = _waiting(state, mouth)
    moved = False
    while waiting:
        start = yield from _choose_start(state, waiting, optional or moved, rule)
        if start < 0:
            return
        number, chars = yield from _choose_movers(state, waiting, start)
        yield from _fly(state, start, number, chars, within)
        moved = True
        waiting[start][0] -= number
        waiting[start][1] &= ~chars
        if waiting[start] == [0, 0]:
            del waiting[start]


def _choose_start(state: State, waiting: Waiting, may_stop: bool, rule: str) -> Ask:
    options = tuple([board.PLACES[place] for place in sorted(waiting)])
    if may_stop:
        options = (*options, DONE)
    chosen = yield ChooseOne(
        box.SEATS[box.SHADOW],
        "prompt.move_minions_from",
        options,
        domain="place",
        rule=rule,
        refused=lambda: _why_not_start(state, waiting),
    )
    return -1 if chosen == DONE else board.PLACE[chosen]


def _why_not_start(state: State, waiting: Waiting) -> Iterator[tuple[str, Refusal]]:
    for place, name in enumerate(board.PLACES):
        if place in waiting:
            continue
        about = {"place": name}
        if count(state.figures[place], box.NAZGUL) or state.chars[place] >> box.WITCH_KING & 1:
            yield name, Refusal("nazgul.die_moves_all", "moved_already_here", about)
        elif state.chars[place] >> box.MOUTH & 1:
            yield name, Refusal("minion.mouth_moves", "mouth_not_now", about)
        elif state.chars[place] >> box.SARUMAN & 1:
            yield name, Refusal("minion.saruman_stays", "only_saruman", about)
        else:
            yield name, Refusal("nazgul.die_moves_all", "nobody_here", about)


def _choose_movers(state: State, waiting: Waiting, start: int) -> Ask:
    """Who of those who wait in a place goes on together; returns (number of Nazgul, mask of characters)."""
    number, chars = waiting[start]
    limits: Counts = {"nazgul": number} if number else {}
    for character in places_in(chars):
        limits[box.CHARACTERS[character]] = 1
    fliers = {name: most for name, most in limits.items() if name != box.CHARACTERS[box.MOUTH]}
    request = ChooseWithDefault(
        box.SEATS[box.SHADOW],
        "prompt.choose_fliers",
        limits,
        minimum=1,
        default=fliers or dict(limits),
        domain="unit",
        about={"from": board.PLACES[start]},
        rule="nazgul.flies",
        too_few=Refusal("nazgul.flies", "choose_somebody"),
        refused=lambda: _why_not_mover(state, start),
    )
    chosen: Counts = yield request if sum(limits.values()) > 1 else Forced(request, limits)
    who = sum(1 << box.CHARACTER[name] for name in chosen if name != "nazgul")
    return chosen.get("nazgul", 0), who


def _why_not_mover(state: State, start: int) -> Iterator[tuple[str, Refusal]]:
    if state.chars[start] >> box.SARUMAN & 1:
        yield (
            box.CHARACTERS[box.SARUMAN],
            Refusal("minion.saruman_stays", "only_saruman", {"place": board.PLACES[start]}),
        )


def _fly(state: State, start: int, number: int, chars: int, within: int) -> Ask:
    """Some who stand together go to one region; with the Mouth among them it is one that he can reach."""
    home = region_of(start)
    reached = flight(state) & within & ~(1 << home)
    walks = bool(chars >> box.MOUTH & 1)
    if walks:
        reached &= mouth_walk(state, home)
    if not reached:
        return
    region = yield from choose_place(
        box.SHADOW,
        "prompt.minions_to",
        reached,
        rule="minion.mouth_moves" if walks else "nazgul.flies",
        about={
            "from": board.PLACES[start],
            "count": number,
            "characters": [box.CHARACTERS[character] for character in places_in(chars)],
        },
        refused=lambda: _why_not_there(state, home, reached, walks),
    )
    place = standing_place(state, region, box.SHADOW)
    if number:
        lift(state, start, ONE[box.NAZGUL] * number)
        set_down(state, place, ONE[box.NAZGUL] * number)
    for character in places_in(chars):
        put_character(state, character, place)


def _why_not_there(state: State, home: int, reached: int, walks: bool) -> Iterator[tuple[str, Refusal]]:
    shut, closed = shut_to_minions(state), besieged_of(state, box.SHADOW)
    for region in places_in(board.ALL_REGIONS & ~reached & ~(1 << home)):
        about = {"place": board.PLACES[region], "from": board.PLACES[home]}
        if shut >> region & 1:
            yield board.PLACES[region], Refusal("minion.no_free_stronghold", "stronghold_shut", about)
        elif walks and closed >> region & 1:
            yield board.PLACES[region], Refusal("minion.mouth_moves", "siege_closed", about)
        elif walks:
            yield (
                board.PLACES[region],
                Refusal("minion.mouth_moves", "too_far", {**about, "level": box.LEVEL[box.MOUTH]}),
            )
        else:
            yield board.PLACES[region], Refusal("nazgul.flies", "outside_card", about)


# --- Saruman recruits -------------------------------------------------------------------------------------

RECRUIT_REGULARS, MAKE_ELITES = "regulars_everywhere", "elites_in_orthanc"


def _voice_heard(state: State) -> bool:
    """Whether Saruman's ability works: he is in play, Orthanc is the Shadow's and not besieged."""
    return (
        state.where[box.SARUMAN] >= 0
        and not state.captured >> ORTHANC & 1
        and not state.armies[box.SHADOW] >> board.SIEGE_BOX[ORTHANC] & 1
    )


def isengard_settlements(state: State) -> int:
    """Mask of the free settlements of Isengard."""
    return open_settlements(state, box.SHADOW, box.ISENGARD)


def elites_to_make(state: State) -> int:
    """How many regulars of Isengard in Orthanc can be replaced by elites: two at most."""
    standing = count(state.figures[ORTHANC], box.REGULAR[box.ISENGARD])
    return min(2, standing, state.supply[box.ELITE[box.ISENGARD]])


def can_saruman_muster(state: State) -> bool:
    """Whether a Muster die can be used for Saruman's ability."""
    if not _voice_heard(state):
        return False
    regulars = state.supply[box.REGULAR[box.ISENGARD]] and isengard_settlements(state)
    return bool(regulars) or bool(elites_to_make(state))


def why_not_saruman_muster(state: State) -> Refusal | None:
    """Why Saruman's ability cannot be used."""
    if can_saruman_muster(state):
        return None
    if state.where[box.SARUMAN] < 0:
        return Refusal("minion.voice_of_saruman", "no_saruman")
    if not _voice_heard(state):
        return Refusal("minion.voice_of_saruman", "orthanc_not_safe")
    return Refusal("minion.voice_of_saruman", "nobody_to_recruit")


def saruman_muster(state: State) -> Ask:
    """A regular in every settlement of Isengard, or two regulars in Orthanc become elites."""
    regular = box.REGULAR[box.ISENGARD]
    ways = []
    if state.supply[regular] and isengard_settlements(state):
        ways.append(RECRUIT_REGULARS)
    if elites_to_make(state):
        ways.append(MAKE_ELITES)
    way = yield from choose(
        box.SHADOW,
        "prompt.voice_of_saruman",
        tuple(ways),
        rule="minion.voice_of_saruman",
        refused=lambda: _why_not_voice(ways),
    )
    if way == MAKE_ELITES:
        number = elites_to_make(state)
        remove_figures(state, ORTHANC, ONE[regular] * number)
        add_figures(state, ORTHANC, ONE[box.ELITE[box.ISENGARD]] * number)
        return
    left = isengard_settlements(state)
    while left and state.supply[regular]:
        place = left.bit_length() - 1
        if state.supply[regular] < left.bit_count():
            place = yield from choose_place(
                box.SHADOW, "prompt.choose_settlement", left, rule="minion.voice_of_saruman"
            )
        recruit(state, regular, place, 1)
        left &= ~(1 << place)


def _why_not_voice(ways: list[str]) -> list[tuple[str, Refusal]]:
    return [
        (way, Refusal("minion.voice_of_saruman", "nobody_to_recruit"))
        for way in (RECRUIT_REGULARS, MAKE_ELITES)
        if way not in ways
    ]

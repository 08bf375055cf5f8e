"""Chapter VII: the political track."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import region_of
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.state import FURTHEST, State
from referee.kernel.refusals import Refusal

# --- looking ------------------------------------------------------------------------------------


def at_war(state: State, nation: int) -> bool:
    """Whether a nation is At War."""
    return not state.steps[nation]


def wars(state: State) -> int:
    """Mask of the nations At War."""
    mask = 0
    bit = 1
    for steps in state.steps:
        if not steps:
            mask |= bit
        bit <<= 1
    return mask


def active(state: State, nation: int) -> bool:
    """Whether a nation is active (those of the Shadow always are)."""
    return bool(state.awake >> nation & 1)


def may_advance(state: State, nation: int) -> bool:
    """Whether the marker of a nation could go one step further: a passive one stops before At War."""
    steps = state.steps[nation]
    return steps > 1 or (steps == 1 and bool(state.awake >> nation & 1))


# --- moving the markers ---------------------------------------------------------------------------


def activate(state: State, nation: int, *, cause: str = "") -> None:
    """Turn a nation to its active side, unless a card in play bars this cause."""
    if state.awake >> nation & 1 or occasions.activation_barred(state, nation, cause):
        return
    state.awake |= 1 << nation
    if state.table_cards:
        occasions.happened(state, "activated", nation=nation)


def advance(state: State, nation: int, steps: int = 1, *, cause: str = "") -> int:
    """Move a nation up to ``steps`` steps towards At War; returns how many it went."""
    gone = 0
    while gone < steps and may_advance(state, nation):
        state.steps[nation] -= 1
        gone += 1
    if gone and state.table_cards:
        occasions.happened(state, "advanced", nation=nation, cause=cause)
    return gone


def retreat_step(state: State, nation: int) -> bool:
    """Move a nation one step away from At War (a card); False where it stands at the top or is At War."""
    if not 0 < state.steps[nation] < FURTHEST:
        return False
    state.steps[nation] += 1
    return True


def army_attacked(state: State, figures: int, region: int = -1) -> None:
    """Each nation with units in an army attacked in a region becomes active and advances one step."""
    at_home = region >= 0 and (board.CITIES | board.STRONGHOLD_MASK) >> region & 1
    for nation in range(8):
        if GROUP[figures].unit_nations >> nation & 1:
            home = at_home and board.NATION_OF_REGION[region] == nation
            activate(state, nation, cause="attacked_at_home" if home else "attacked")
            advance(state, nation, cause="attacked")


def captured(state: State, region: int) -> None:
    """A settlement of a nation was captured by its enemy: the nation advances one step."""
    nation = board.NATION_OF_REGION[region]
    if nation >= 0 and board.SETTLEMENTS >> region & 1:
        advance(state, nation, cause="captured")


def entered(state: State, region: int, seat: int) -> None:
    """An army of ``seat`` entered a region: an enemy nation whose region it is becomes active."""
    nation = board.NATION_OF_REGION[region]
    if nation >= 0 and box.SEAT_OF_NATION[nation] != seat:
        activate(state, nation, cause="entered")


def companion_arrived(state: State, character: int, place: int) -> None:
    """A companion ended a move or came into play here: he may wake the nation of a city or stronghold."""
    region = region_of(place)
    nation = board.NATION_OF_REGION[region]
    if nation not in box.FREE_NATIONS or state.awake >> nation & 1:
        return
    if not (board.CITIES | board.STRONGHOLD_MASK) >> region & 1 or state.captured >> region & 1:
        return
    if box.ACTIVATES[character] in (box.ANY_NATION, nation):
        activate(state, nation, cause="companion")


# --- the diplomatic action -----------------------------------------------------------------------


def can_negotiate(state: State, seat: int) -> tuple[str, ...]:
    """The nations that a Muster die of ``seat`` may advance, by id."""
    return tuple(box.NATIONS[n] for n in box.NATIONS_OF_SEAT[seat] if _why_not(state, seat, n) is None)


def _why_not(state: State, seat: int, nation: int) -> Refusal | None:
    about = {"nation": box.NATIONS[nation]}
    if not state.steps[nation]:
        return Refusal("politics.at_war", "already_at_war", about)
    if not may_advance(state, nation):
        return Refusal("politics.passive", "passive_nation", about)
    if seat == box.FREE and not state.awake >> nation & 1 and occasions.passive_advance_barred(state):
        return Refusal("politics.diplomacy", "card_bars_passive", about)
    return None


def why_not_negotiate(state: State, seat: int) -> list[tuple[str, Refusal]]:
    """The nations that may not be advanced now, with the reason."""
    found = []
    for nation, name in enumerate(box.NATIONS):
        if box.SEAT_OF_NATION[nation] != seat:
            found.append((name, Refusal("politics.diplomacy", "not_your_nation", {"nation": name})))
        else:
            refusal = _why_not(state, seat, nation)
            if refusal is not None:
                found.append((name, refusal))
    return found


def negotiate(state: State, seat: int) -> Ask:
    """A Muster die advances one own nation one step."""
    chosen = yield from choose(
        seat,
        "prompt.choose_nation",
        can_negotiate(state, seat),
        rule="politics.diplomacy",
        domain="nation",
        refused=lambda: why_not_negotiate(state, seat),
    )
    advance(state, box.NATION[chosen], cause="diplomacy")


def all_free_at_war(state: State) -> bool:
    """Whether every nation of the Free Peoples is At War."""
    return not any(state.steps[nation] for nation in box.FREE_NATIONS)

"""Chapter VIII: the Fellowship's phase, its moves and its hiding.

What the other chapters use of the Fellowship is gathered here.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import NATION_OF_REGION, PLACES
from referee.games.war_of_the_ring.rules import mordor, occasions
from referee.games.war_of_the_ring.rules.asking import NO, Ask, ask_whether, choose
from referee.games.war_of_the_ring.rules.company import choose_guide, companions_in, heal
from referee.games.war_of_the_ring.rules.hunt import havens, hunt, move_figure
from referee.games.war_of_the_ring.rules.politics import activate
from referee.games.war_of_the_ring.state.routes import destinations
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

DECLARE, ENTER_MORDOR = "declare", "enter_mordor"

# --- phase 2 ----------------------------------------------------------------------------------------


def fellowship_phase(state: State) -> Ask:
    """Phase 2: the Free Peoples may declare the Fellowship, enter Mordor, and name another guide."""
    state.ring_moved = False
    state.declared = False
    while True:
        step = yield from _choose_step(state)
        if step == NO:
            break
        if step == DECLARE:
            yield from declare(state)
        else:
            mordor.enter(state)
    if companions_in(state):
        yield from choose_guide(state)


def _choose_step(state: State) -> Ask:
    """Declaring, entering Mordor or neither; nothing is asked where neither is possible."""
    options = [NO]
    if why_not_declare(state) is None:
        options.append(DECLARE)
    if mordor.can_enter(state) and not state.edition.mordor_by_declaring:
        options.append(ENTER_MORDOR)
    chosen = yield from choose(
        box.FREE,
        "prompt.fellowship_phase",
        tuple(options),
        about={"place": PLACES[state.ring], "progress": state.progress},
        rule="fellowship.declare" if DECLARE in options else "mordor.enter",
        refused=lambda: _why_not_step(state),
        obvious=None if ENTER_MORDOR in options or _declaring_does_something(state) else NO,
    )
    return chosen


def _declaring_does_something(state: State) -> bool:
    """Whether it moves the figure, heals, wakes a nation, opens Mordor, or a card in play may hear of it."""
    if state.progress or state.table_cards or mordor.GATES >> state.ring & 1:
        return True
    nation = NATION_OF_REGION[state.ring]
    return bool(havens(state) >> state.ring & 1) and bool(state.corruption or not state.awake >> nation & 1)


def _why_not_step(state: State) -> list[tuple[str, Refusal]]:
    reasons = ((DECLARE, why_not_declare(state)), (ENTER_MORDOR, mordor.why_not_enter(state)))
    return [(step, refusal) for step, refusal in reasons if refusal is not None]


def why_not_declare(state: State) -> Refusal | None:
    """Why the Fellowship's position cannot be declared; None where it can."""
    if state.mordor >= 0:
        return Refusal("mordor.not_in_a_region", "on_mordor_track")
    if not state.hidden:
        return Refusal("fellowship.declare_hidden", "is_revealed")
    if state.declared:
        return Refusal("fellowship.declare_once", "declared_already")
    return None


def declare(state: State) -> Ask:
    """The Free Peoples move the figure as far as the progress allows; a haven heals and its nation wakes."""
    state.declared = True
    passed = yield from move_figure(
        state,
        destinations(state.ring, state.progress),
        occasions.watched_regions(state),
        prompt="prompt.move_declared",
        rule="fellowship.progress_is_range",
    )
    if havens(state) >> state.ring & 1:
        activate(state, NATION_OF_REGION[state.ring], cause="declared")
        heal(state, 1)
    occasions.happened(state, "declared", region=state.ring)
    if passed.bit_count() > 1:  # the figure moved
        yield from occasions.ring_path(state, passed, "declared")
    if state.edition.mordor_by_declaring and mordor.can_enter(state):
        mordor.enter(state)


# --- moving ---------------------------------------------------------------------------------------------


def can_move(state: State) -> bool:
    """Whether the Fellowship can be moved."""
    return state.hidden and (state.mordor >= 0 or state.progress < box.PROGRESS_END)


def why_not_move(state: State) -> Refusal | None:
    """Why the Fellowship cannot be moved; None where it can."""
    if not state.hidden:
        rule = "fellowship.move_needs_hidden" if state.mordor < 0 else "mordor.needs_hidden"
        return Refusal(rule, "is_revealed")
    if not can_move(state):
        return Refusal("fellowship.track_end", "track_ends", {"progress": state.progress})
    return None


def move_fellowship(state: State, face: int | None = None) -> Ask:
    """The Fellowship moves one step and is hunted; then the die, if one was used, goes to the Hunt Box.

    ``face`` is the used die's; None where a card moves the Fellowship.
    """
    state.ring_moved = True
    if state.mordor >= 0:
        yield from mordor.move(state)
    else:
        state.progress += 1
        yield from hunt(state)
    if face is not None:
        put_die_in_hunt_box(state, face)


def put_die_in_hunt_box(state: State, face: int) -> None:
    """The die that moved the Fellowship makes the next Hunt of this turn easier (unless a card spares it)."""
    if occasions.dice_stay_out_of_hunt_box(state):
        return
    state.used[box.FREE][face] -= 1
    state.hunt_dice[box.FREE] += 1


# --- hiding ------------------------------------------------------------------------------------------------


def can_hide(state: State, *, any_die: bool = False) -> bool:
    """Whether the Fellowship can be hidden; ``any_die``: by a die without the Character symbol."""
    return not state.hidden and (not any_die or state.guide == box.STRIDER)


def why_not_hide(state: State, *, face: int | None = None) -> Refusal | None:
    """Why the Fellowship cannot be hidden; with ``face``, by a die without the Character symbol."""
    if state.hidden:
        return Refusal("fellowship.hide", "is_hidden")
    if face is not None and state.guide != box.STRIDER:
        about = {"face": box.FACES[face], "guide": box.CHARACTERS[state.guide]}
        return Refusal("fellowship.strider_guide", "guide_is_not_strider", about)
    return None


def hide(state: State) -> Ask:
    """A revealed Fellowship is hidden again; on the Mordor track that counts as an attempt of this turn."""
    state.hidden = True
    state.ring_moved = True
    return
    yield


def hide_or_move(state: State) -> Ask:
    """A card lets the Fellowship hide or move by the usual rules, if the player likes; it costs no die."""
    if not state.hidden:
        if (yield from ask_whether(box.FREE, "prompt.hide_by_card", rule="fellowship.hide")):
            yield from hide(state)
    elif can_move(state) and (
        yield from ask_whether(box.FREE, "prompt.move_by_card", rule="fellowship.card_spares_die")
    ):
        yield from move_fellowship(state)

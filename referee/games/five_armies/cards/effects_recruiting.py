"""Card primitives that recruit: units, recruitment tokens."""

from collections.abc import Callable

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import FREE
from referee.games.five_armies.box.map import PLACES
from referee.games.five_armies.cards.effects import PRIMITIVES, RULE, SELECTORS, Running, Step, choose_place
from referee.games.five_armies.rules import recruiting
from referee.games.five_armies.rules.asking import Ask, choose, roll_dice
from referee.games.five_armies.rules.pieces import add_units, enemies, enter, remove_tokens
from referee.games.five_armies.state.armies import ONE
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal


def recruit(state: State, run: Running, step: Step) -> Ask:
    """Units from the supply, and leadership tokens, into one place; never units of the other side."""
    mask = SELECTORS[step["where"]](state, run.seat) & ~_closed(state, run.seat)
    place = yield from choose_place(state, run, mask, "prompt.card_recruit")
    if place < 0:
        return
    units = 0
    for name, number in step["units"].items():
        unit = box.UNIT[name]
        if unit not in box.UNITS_OF_SEAT[run.seat]:
            continue
        units += ONE[unit] * min(number, state.supply[unit])
    run.it = place
    if units:
        add_units(state, place, units)
        if place < board.REGION_COUNT:
            enter(state, place, run.seat)
    if state.armies[run.seat] >> place & 1:
        state.leaders[place] += step.get("leadership", 0)
    yield from recruiting.remove_overflow(state, run.seat, place)


def _closed(state: State, seat: int) -> int:
    """Where units of ``seat`` cannot appear: with an enemy army, and Free Peoples with Beorn."""
    return enemies(state, seat) | _beorns_region(state, seat)


def place_token(state: State, run: Running, step: Step) -> Ask:
    """A face-down token into each of some regions, and it is turned up (``flip`` "or": either, not both)."""
    seat, done, either = run.seat, 0, step.get("flip") == "or"
    regions = step.get("regions", 1)
    for turn in range(regions):
        among = SELECTORS[step["where"]](state, seat) & ~done
        mask = recruiting.laying_places(state, seat, among)
        if either:
            mask |= recruiting.token_places(state, seat) & among
        mask &= ~_beorns_region(state, seat)
        place = yield from choose_place(
            state,
            run,
            mask,
            "prompt.card_token_place",
            may_stop=turn > 0 or regions > 1,
            why_not=_why_not_token(state, seat, done),
        )
        if place < 0:
            return
        done |= 1 << place
        run.it = place
        if either:
            yield from _lay_or_flip(state, run, place, among)
        else:
            yield from _lay_and_flip(state, run, place)


def _beorns_region(state: State, seat: int) -> int:
    """Free Peoples units do not appear where Beorn stands."""
    return 1 << state.where[box.BEORN] if seat == FREE and state.where[box.BEORN] >= 0 else 0


def _why_not_token(state: State, seat: int, done: int) -> Callable[[int], Refusal | None]:
    def why_not(place: int) -> Refusal | None:
        about = {"place": PLACES[place]}
        if done >> place & 1:
            return Refusal("muster.die_regions_must_differ", "same_region", about)
        if _beorns_region(state, seat) >> place & 1:
            return Refusal("beorn.never_ends_with_units", "beorn_there", about)
        refusal = recruiting.why_not_lay_token(state, seat, place, box.GROUPS_OF_SEAT[seat][0])
        if refusal is None and place == board.FRONT_GATE:
            return Refusal("board.front_gate_not_settlement", "no_settlement", about)
        return refusal

    return why_not


def _lay_or_flip(state: State, run: Running, place: int, among: int) -> Ask:
    flip = recruiting.token_places(state, run.seat) >> place & 1
    lay = recruiting.laying_places(state, run.seat, among) >> place & 1
    way = yield from choose(
        run.seat,
        "prompt.card_flip_or_place",
        ("flip_token",) * flip + ("place_token",) * lay,
        about={"place": PLACES[place], "card": run.card},
        rule=RULE,
    )
    if way == "flip_token":
        yield from recruiting.turn_up(state, run.seat, place)
    else:
        yield from _lay(state, run, place)


def _lay(state: State, run: Running, place: int) -> Ask:
    """Lay one token; returns its group."""
    groups = [group for group in box.GROUPS_OF_SEAT[run.seat] if state.token_pool[group]]
    group = yield from recruiting.choose_group(run.seat, groups, place)
    recruiting.lay_tokens(state, group, place)
    return group


def _lay_and_flip(state: State, run: Running, place: int) -> Ask:
    group = yield from _lay(state, run, place)
    yield from recruiting.turn_up(state, run.seat, place, group)


def flip_tokens(state: State, run: Running, step: Step) -> Ask:
    """Tokens are turned up: in different ``regions``, or so many ``tokens`` wherever they lie ``within``."""
    if "regions" in step:
        yield from recruiting.recruit(state, run.seat, step["regions"], RULE)
        return
    among = board.IN_TERRITORY[board.TERRITORIES.index(step["within"])] if "within" in step else -1
    for turn in range(step.get("tokens", 1)):
        mask = recruiting.flip_places(state, run.seat) & among
        place = yield from choose_place(state, run, mask, "prompt.choose_token", may_stop=turn > 0)
        if place < 0:
            return
        yield from recruiting.turn_up(state, run.seat, place)


def orcs_on_card(state: State, run: Running, step: Step) -> Ask:
    """Orcs from the supply lie on the card, to come one by one."""
    orcs = min(step["number"], state.supply[box.UNIT["orcs"]])
    state.supply[box.UNIT["orcs"]] -= orcs
    state.table_cards[run.card] = {"orcs": orcs}
    yield from ()


def remove_enemy_tokens(state: State, run: Running, step: Step) -> Ask:
    """Roll dice; each success takes an enemy recruitment token off the board."""
    about = {"card": run.card, "target": step["success"]}
    pips = yield from roll_dice(run.seat, "prompt.card_roll", step["dice"], about, RULE)
    for pip in pips:
        if pip >= step["success"]:
            yield from remove_token(state, run)


def remove_token(state: State, run: Running) -> Ask:
    """An enemy recruitment token of the player's choice goes back to its supply, unseen."""
    other = 1 - run.seat
    place = yield from choose_place(
        state, run, recruiting.token_places(state, other), "prompt.card_remove_token"
    )
    if place < 0:
        return
    groups = [group for group in box.GROUPS_OF_SEAT[other] if place in state.tokens[group]]
    group = yield from recruiting.choose_group(run.seat, groups, place)
    remove_tokens(state, group, place, 1)


def lay_token(state: State, run: Running, step: Step) -> Ask:
    """A face-down token is laid in the ``place`` (a number) of the step."""
    yield from _lay(state, run, step["place"])


PRIMITIVES.update(
    {
        "recruit": recruit,
        "place_token": place_token,
        "lay_token": lay_token,
        "flip_tokens": flip_tokens,
        "orcs_on_card": orcs_on_card,
        "remove_tokens": remove_enemy_tokens,
    }
)

"""Card primitives for armies: leadership, dice, bats, damage and what takes it off."""

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.cards.effects import PRIMITIVES, RULE, SELECTORS, Running, Step, choose_place
from referee.games.five_armies.cards.effects_recruiting import remove_token
from referee.games.five_armies.rules import ranged, recruiting
from referee.games.five_armies.rules.asking import Ask, ChooseWithDefault, choose, refuse_all
from referee.games.five_armies.rules.damage import damage_outside_combat
from referee.games.five_armies.rules.fortification import repair
from referee.games.five_armies.rules.generals import why_not_here
from referee.games.five_armies.rules.rally import damaged_armies, rally, rally_army
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Forced

# --- leadership and dice -------------------------------------------------------------------------


def leadership(state: State, run: Running, step: Step) -> Ask:
    """Leadership tokens to one army, or one each to several different armies."""
    number = step.get("armies", 1)
    mask = state.armies[run.seat]
    if number == 1:
        place = yield from choose_place(state, run, mask, "prompt.card_leadership")
        if place >= 0:
            by_west = run.face == box.F_WEST
            state.leaders[place] += (
                step["tokens_by_west"] if by_west and "tokens_by_west" in step else step["tokens"]
            )
            run.it = place
        return
    options = OPTIONS[mask]
    request = ChooseWithDefault(
        SEATS[run.seat],
        "prompt.place_leadership",
        dict.fromkeys(options, 1),
        maximum=min(number, len(options)),
        default=dict.fromkeys(options[:number], 1),
        domain="place",
        about={"card": run.card, "count": number},
        rule=RULE,
        too_many=Refusal(RULE, "too_many", {"maximum": number}),
        refused=lambda: refuse_all(PLACES, lambda p: why_not_here(state, run.seat, p)),
    )
    for name in (yield request if mask else Forced(request, {})):
        state.leaders[PLACE[name]] += step["tokens"]


def strip_leadership(state: State, run: Running, step: Step) -> Ask:
    """All leadership tokens of an enemy army go."""
    mask = SELECTORS[step["where"]](state, run.seat)
    place = yield from choose_place(state, run, mask, "prompt.card_strip_leadership")
    if place >= 0:
        state.leaders[place] = 0


def discard_die(state: State, run: Running, step: Step) -> Ask:
    """An unused action die of the opponent with this face is put aside."""
    face, other = box.FACE[step["face"]], 1 - run.seat
    if state.unused[other][face]:
        state.unused[other][face] -= 1
        state.used[other][face] += 1
    yield from ()


def send_bats(state: State, run: Running, step: Step) -> Ask:
    """Up to so many Great Bats leave; each takes an enemy leadership token or recruitment token along."""
    for turn in range(step["bats"]):
        token = step["against"] == "token"
        foes = recruiting.token_places(state, FREE) if token else _leaders(state, FREE)
        over = [board.TERRITORIES[t] for t, number in enumerate(state.bats) if number]
        if not foes:
            over = []
        chosen = yield from choose(
            SHADOW,
            "prompt.card_send_bat",
            (*over, "done") if turn or not over else tuple(over),
            domain="territory",
            about={"card": run.card},
            rule=RULE,
            refused=lambda over=over: [  # type: ignore[misc]
                (name, Refusal("bats.cloud_same_territory", "no_bat_over", {"place": name}))
                for name in board.TERRITORIES
                if name not in over
            ],
            ask_forced=bool(over),
        )
        if chosen == "done":
            return
        state.bats[board.TERRITORIES.index(chosen)] -= 1
        if token:
            yield from remove_token(state, run)
        else:
            place = yield from choose_place(state, run, foes, "prompt.card_strip_leadership")
            state.leaders[place] -= 1


def _leaders(state: State, seat: int) -> int:
    return sum(1 << place for place in places_in(state.armies[seat]) if state.leaders[place])


# --- damage --------------------------------------------------------------------------------------


def heal(state: State, run: Running, step: Step) -> Ask:
    """Damage tokens are taken off one own army."""
    mask = SELECTORS[step["army"]](state, run.seat)
    place = yield from choose_place(state, run, mask, "prompt.card_heal")
    if place >= 0:
        run.it = place
        state.damage[place] -= min(step["damage"], state.damage[place])


def rally_armies(state: State, run: Running, step: Step) -> Ask:
    """Armies rally as with a Muster symbol, with another number for a success."""
    yield from rally(state, run.seat, step["success"], RULE)


def rally_it(state: State, run: Running, step: Step) -> Ask:
    """The army of the step before may rally once."""
    if run.it < 0 or not damaged_armies(state, run.seat) >> run.it & 1:
        return
    answer = yield ChooseOne(
        SEATS[run.seat],
        "prompt.card_rally",
        ("rally", "done"),
        about={"place": PLACES[run.it], "card": run.card},
        rule=RULE,
    )
    if answer == "rally":
        yield from rally_army(state, run.seat, run.it, step["success"])


def repair_fortification(state: State, run: Running, step: Step) -> Ask:
    """A fortification loses as much damage as the army in it has combat strength."""
    mask = state.armies[run.seat] & board.FORTIFICATION_MASK
    damaged = sum(1 << p for p in places_in(mask) if state.fort_damage[board.FORTIFICATION_INDEX[p]])
    place = yield from choose_place(state, run, damaged, "prompt.card_repair")
    if place >= 0:
        repair(state, place, ARMY[state.units[place]].strength)


def damage_armies(state: State, run: Running, step: Step) -> Ask:
    """Damage on some enemy armies that have none; no fortification absorbs what a card places."""
    other = 1 - run.seat
    mask = sum(1 << place for place in places_in(state.armies[other]) if not state.damage[place])
    options = OPTIONS[mask]
    request = ChooseWithDefault(
        SEATS[run.seat],
        "prompt.card_damage",
        dict.fromkeys(options, 1),
        maximum=min(step["armies"], len(options)),
        default=dict.fromkeys(options[: step["armies"]], 1),
        domain="place",
        about={"card": run.card, "count": step["armies"]},
        rule=RULE,
        too_many=Refusal(RULE, "too_many", {"maximum": step["armies"]}),
        refused=lambda: refuse_all(PLACES, lambda p: _why_not_damage(state, other, p)),
    )
    for name in (yield request if mask else Forced(request, {})):
        yield from damage_outside_combat(state, other, PLACE[name], step["tokens"], attack=False)


def _why_not_damage(state: State, seat: int, place: int) -> Refusal | None:
    reason = "damaged_already" if state.armies[seat] >> place & 1 else "no_enemy_army"
    if reason == "damaged_already" and not state.damage[place]:
        return None
    return Refusal(RULE, reason, {"place": PLACES[place]})


def archery(state: State, run: Running, step: Step) -> Ask:
    """An attack by the rules of Thranduil's ability, with another number for a hit."""
    yield from ranged.archery(state, target=step["target"])


PRIMITIVES.update(
    {
        "leadership": leadership,
        "strip_leadership": strip_leadership,
        "discard_die": discard_die,
        "send_bats": send_bats,
        "heal": heal,
        "rally": rally_armies,
        "rally_it": rally_it,
        "repair": repair_fortification,
        "damage": damage_armies,
        "archery": archery,
    }
)

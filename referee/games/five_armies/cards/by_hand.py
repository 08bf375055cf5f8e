"""Cards and abilities that nobody has described, resolved by hand with the same primitives.

The player declares a step, the referee checks it, the opponent agrees, then it
is carried out under the ordinary rules.  An attack with an army comes last, as
the combat ends the action.
"""

from __future__ import annotations

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, UNITS
from referee.games.five_armies.box.map import OPTIONS, PLACES, places_in
from referee.games.five_armies.cards.primitives import PRIMITIVES, Running
from referee.games.five_armies.rules import decks, fate, occasions, recruiting
from referee.games.five_armies.rules.asking import Ask, ChooseExactly, roll_dice
from referee.games.five_armies.rules.characters import movable_characters
from referee.games.five_armies.rules.damage import casualties, damage_outside_combat
from referee.games.five_armies.rules.pieces import add_units, enter, put_character, remove_units
from referee.games.five_armies.state.armies import ARMY, ONE, pack
from referee.games.five_armies.state.state import State
from referee.games.kit import by_hand as common
from referee.games.kit.by_hand import Declaration, Declared, at_once
from referee.kernel.refusals import Refusal

RULE = "cards.rules_still_apply"


class Hand(common.Hand[State]):
    """Who resolves what by hand."""

    SEATS, PLACES, OPTIONS, RULE = SEATS, PLACES, OPTIONS, RULE

    # --- the steps -------------------------------------------------------------------------------

    def move_armies(self) -> Declaration:
        armies = yield from self.number("prompt.by_hand_armies", 1, 4)
        steps = yield from self.number("prompt.by_hand_regions", 1, 3)
        step = {"armies": armies, "steps": steps}
        return Declared(step, lambda: PRIMITIVES["move"](self.state, self.running(), step))

    def attack_dice(self) -> Declaration:
        place = yield from self.place(self.state.armies[1 - self.seat] & board.ALL_REGIONS, _NO_ENEMY)
        dice = yield from self.number("prompt.by_hand_dice", 1, 10)
        target = yield from self.number("prompt.by_hand_target", 2, 6)
        about = {"place": PLACES[place], "dice": dice, "target": target}
        return Declared(about, lambda: self._roll_attack(place, dice, target))

    def _roll_attack(self, place: int, dice: int, target: int) -> Ask:
        about = {"card": self.what, "place": PLACES[place], "target": target}
        pips = yield from roll_dice(self.seat, "prompt.card_roll", dice, about, RULE)
        hits = sum(1 for pip in pips if pip >= target)
        yield from damage_outside_combat(self.state, 1 - self.seat, place, hits, attack=True)

    def damage(self) -> Declaration:
        place = yield from self.place(self.state.armies[1 - self.seat], _NO_ENEMY)
        tokens = yield from self.number("prompt.by_hand_tokens", 1, 5)
        return Declared(
            {"place": PLACES[place], "count": tokens},
            lambda: damage_outside_combat(self.state, 1 - self.seat, place, tokens, attack=False),
        )

    def heal(self) -> Declaration:
        place = yield from self.place(_with(self.state, self.seat, self.state.damage), _NO_OWN)
        tokens = yield from self.number("prompt.by_hand_tokens", 1, self.state.damage[place])
        return self._tokens(self.state.damage, place, -tokens)

    def place_units(self) -> Declaration:
        state, seat = self.state, self.seat
        unit_names = tuple(UNITS[u] for u in box.UNITS_OF_SEAT[seat] if state.supply[u])
        if not unit_names:
            return None
        name = yield from self.option(
            "prompt.by_hand_unit",
            unit_names,
            "unit",
            lambda: [
                (UNITS[u], Refusal("muster.direct_no_figure_no_unit", "no_figure", {"unit": UNITS[u]}))
                for u in box.UNITS_OF_SEAT[seat]
                if not state.supply[u]
            ],
        )
        number = yield from self.number("prompt.by_hand_units", 1, min(5, state.supply[box.UNIT[name]]))
        place = yield from self.place(_room(state, seat), _ENEMY_THERE)

        def apply() -> Ask:
            add_units(state, place, ONE[box.UNIT[name]] * number)
            if place < board.REGION_COUNT:
                enter(state, place, seat)
            yield from recruiting.remove_overflow(state, seat, place)

        return Declared({"place": PLACES[place], "unit": name, "count": number}, apply)

    def remove_units(self) -> Declaration:
        state = self.state
        place = yield from self.place(state.armies[0] | state.armies[1], _NO_OWN)
        army = ARMY[state.units[place]]
        number = yield from self.number("prompt.by_hand_units", 1, army.size)
        owner = SEATS[army.seat]

        def apply() -> Ask:
            chosen = yield ChooseExactly(
                owner,
                "prompt.overflow",
                army.counts,
                minimum=number,
                maximum=number,
                about={"place": PLACES[place], "count": number},
                rule=RULE,
            )
            remove_units(state, place, pack(chosen))
            yield from casualties(state, army.seat, place, only_duty=True)

        return Declared({"place": PLACES[place], "count": number}, apply)

    def add_leadership(self) -> Declaration:
        place = yield from self.place(self.state.armies[self.seat], _NO_OWN)
        tokens = yield from self.number("prompt.by_hand_tokens", 1, 3)
        return self._tokens(self.state.leaders, place, tokens)

    @staticmethod
    def _tokens(lying: list[int], place: int, more: int) -> Declared:
        """Tokens come to an army, or leave it."""
        about = {"place": PLACES[place], "count": abs(more)}
        return at_once(about, lambda: lying.__setitem__(place, lying[place] + more))

    def remove_leadership(self) -> Declaration:
        state = self.state
        mask = _with(state, 0, state.leaders) | _with(state, 1, state.leaders)
        place = yield from self.place(mask, _NO_OWN)
        tokens = yield from self.number("prompt.by_hand_tokens", 1, state.leaders[place])
        return self._tokens(state.leaders, place, -tokens)

    def place_token(self) -> Declaration:
        mask = recruiting.laying_places(self.state, self.seat, _room(self.state, self.seat))
        place = yield from self.place(mask, _ENEMY_THERE)
        run = self.running()

        def apply() -> Ask:
            yield from PRIMITIVES["lay_token"](self.state, run, {"place": place})

        return Declared({"place": PLACES[place]}, apply)

    def flip_token(self) -> Declaration:
        place = yield from self.place(recruiting.flip_places(self.state, self.seat), _NO_TOKEN)
        return Declared({"place": PLACES[place]}, lambda: recruiting.turn_up(self.state, self.seat, place))

    def move_character(self) -> Declaration:
        state = self.state
        names = tuple(CHARACTERS[c] for c in places_in(movable_characters(state, self.seat)))
        name = yield from self.option("prompt.choose_character", names, "character")
        place = yield from self.place(board.ALL_REGIONS & ~(1 << state.where[box.CHARACTER[name]]), _NO_OWN)
        about = {"character": name, "place": PLACES[place]}
        return at_once(about, lambda: put_character(state, box.CHARACTER[name], place))

    def draw_event(self) -> Declaration:
        yield from ()
        return Declared({}, lambda: decks.draw_event(self.state, self.seat))

    def shift_fate(self) -> Declaration:
        spaces = yield from self.number("prompt.by_hand_spaces", -3, 3)
        return at_once({"count": spaces}, lambda: fate.move_marker(self.state, spaces))

    def muster_eagles(self) -> Declaration:
        number = yield from self.number("prompt.by_hand_units", 1, box.EAGLES_IN_BOX - sum(self.state.eagles))
        return at_once({"count": number}, lambda: fate.place_eagles(self.state, number))

    def attack(self) -> Declaration:
        yield from ()
        return Declared({}, lambda: PRIMITIVES["march_and_attack"](self.state, self.running(), {}))

    def running(self) -> Running:
        """The card or ability as the primitives want it."""
        return Running(self.seat, self.what, -1)


_NO_ENEMY = Refusal("cards.rules_still_apply", "no_enemy_army")
_NO_OWN = Refusal("cards.rules_still_apply", "no_own_army_here")
_ENEMY_THERE = Refusal("muster.token_not_with_enemy_army", "enemy_army_here")
_NO_TOKEN = Refusal("muster.flip_matching_group", "no_token")


def _with(state: State, seat: int, numbers: list[int]) -> int:
    return sum(1 << place for place in places_in(state.armies[seat]) if numbers[place])


def _room(state: State, seat: int) -> int:
    """Where units of a seat may be put: regions without the enemy or Beorn, and boxes of the Shadow's."""
    barred = 1 << state.where[box.BEORN] if state.where[box.BEORN] >= 0 else 0
    boxes = 0 if seat == FREE else board.GOBLIN_MUSTERS | board.PASSES & state.armies[seat]
    foreign = state.armies[1 - seat] | recruiting.token_places(state, 1 - seat)
    return (board.ALL_REGIONS | boxes) & ~barred & ~foreign


def steps(state: State, seat: int, *, may_fight: bool) -> tuple[str, ...]:
    """The steps that can be declared now."""
    found = ["add_leadership"] if state.armies[seat] else []
    foes = state.armies[1 - seat]
    able = {
        "move_armies": state.armies[seat],
        "attack": state.armies[seat] if may_fight else 0,
        "attack_dice": foes & board.ALL_REGIONS,
        "damage": foes,
        "heal": _with(state, seat, state.damage),
        "place_units": any(state.supply[unit] for unit in box.UNITS_OF_SEAT[seat]),
        "remove_units": foes | state.armies[seat],
        "remove_leadership": _with(state, 0, state.leaders) | _with(state, 1, state.leaders),
        "place_token": recruiting.laying_places(state, seat, _room(state, seat)),
        "flip_token": recruiting.flip_places(state, seat),
        "move_character": movable_characters(state, seat),
        "draw_event": True,
        "shift_fate": True,
        "muster_eagles": seat == FREE and sum(state.eagles) < box.EAGLES_IN_BOX,
    }
    found.extend(name for name, can in able.items() if can)
    return tuple(found)


def resolve(state: State, seat: int, what: str, *, may_fight: bool) -> Ask:
    """Resolve a card or an ability step by step: declared, checked, agreed to, carried out."""
    hand = Hand(state, seat, what)
    return common.resolve(hand, lambda: steps(state, seat, may_fight=may_fight))


@occasions.by_hand.answered_by
def resolve_by_rule(state: State, seat: int, what: str) -> Ask:
    """Resolve by hand an ability that nobody described; it may end in a fight."""
    return resolve(state, seat, what, may_fight=True)

"""A running battle in a position file: who attacks whom from where, the round, and what was done in it.

A game goes on from the beginning of the round that ``round`` names (0: before
the first); what the sides did in it is part of the state all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.war_of_the_ring.box.components import CHARACTER, CHARACTERS, DECKS, FIGURES, SEATS
from referee.games.war_of_the_ring.box.map import COASTAL, NEIGHBOURS, PLACE, PLACES, places_in, region_of
from referee.games.war_of_the_ring.cards.combat_cards import EITHER_DECK
from referee.games.war_of_the_ring.rules.aftermath import BEATEN, CEASED, DESTROYED, RETREATED, WITHDREW
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS, pack
from referee.games.war_of_the_ring.state.battle import BY_HAND, MOST_DICE, SIDE, Battle, Side
from referee.games.war_of_the_ring.state.card_data import CARDS, COMBAT_EFFECTS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.located import Spot

STEPS = ("card", "roll", "reroll", "casualties", "end")
ENDS = (CEASED, RETREATED, WITHDREW, DESTROYED, BEATEN)
DRAWS = (*DECKS, "either")
"""What the Witch-king's side draws from; the last is :data:`EITHER_DECK`."""
MOST_ROUNDS = 99
_FLAGS = {
    "no_cease": "no_cease",
    "free_card_needs_companion": "free_card_needs_companion",
    "nazgul_negated": "negated",
}
"""Key of the file to the field of the battle, for what is true or not."""
_MASKS = ("silent", "blank")
_HANDLED = ("card", "deck", "effect", "steps", "rolled", "target_rule", *_MASKS)
_IDLE = Side()

assert DRAWS[EITHER_DECK] == "either"


# --- writing ----------------------------------------------------------------------------------


def battle_data(battle: Battle) -> dict[str, Any]:
    """The ``battle`` entry of a position file; only what differs from a battle that has just begun."""
    found: dict[str, Any] = {
        "attacker": SEATS[battle.attacker],
        "from": PLACES[battle.start],
        "target": PLACES[battle.target],
        "round": battle.round,
    }
    if battle.step:
        found["step"] = battle.step
    if battle.rear or battle.rear_chars:
        found["rearguard"] = {
            "units": dict(GROUP[battle.rear].counts),
            "characters": [CHARACTERS[c] for c in places_in(battle.rear_chars)],
        }
    if battle.rounds != 1:
        found["rounds"] = battle.rounds
    found |= {key: True for key, name in _FLAGS.items() if getattr(battle, name)}
    if battle.shadow_dice_less:
        found["shadow_dice_less"] = battle.shadow_dice_less
    if battle.witch_king_draws >= 0:
        found["witch_king_draws"] = DRAWS[battle.witch_king_draws]
    if battle.ended:
        found["ended"] = battle.ended
    for seat, side in zip(SEATS, battle.sides, strict=True):
        done = _side_data(side)
        if done:
            found[seat] = done
    return found


def _side_data(side: Side) -> dict[str, Any]:
    found = SIDE.to_json(side)
    if "deck" in found:
        found["deck"] = DECKS[side.deck]
    for key in _MASKS:
        if key in found:
            found[key] = [CHARACTERS[c] for c in places_in(getattr(side, key))]
    return found


# --- reading ----------------------------------------------------------------------------------


def embattled(spot: Spot | None) -> frozenset[int]:
    """The regions that a ``battle`` entry names: there an army may be gone already."""
    if spot is None:
        return frozenset()
    named = (spot.get(key) for key in ("from", "target"))
    names = [entry.value for entry in named if entry is not None and isinstance(entry.value, str)]
    return frozenset(region_of(PLACE[name]) for name in names if name in PLACE)


def _over(battle: Battle) -> bool:
    """Whether an army may be gone already."""
    return bool(battle.ended) or battle.step in ("casualties", "end")


class BattleReader:
    """Reads a ``battle`` entry.  Methods named ``on_<key>`` take the value of that key."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.battle = Battle()

    def read(self, spot: Spot) -> None:
        """Set ``state.battle`` up; what cannot be fought is noted as a problem."""
        for key in ("attacker", "from", "target"):
            if spot.get(key) is None:
                spot.wrong(f"battle: {key} is missing.", f"battle: {key} fehlt.")
                return
        spot.read_by(self)
        self._check(spot)
        state = self.state
        state.phase, state.step, state.battle = 5, "fight", self.battle

    def _check(self, spot: Spot) -> None:
        battle, armies = self.battle, self.state.armies
        for seat, place in ((battle.attacker, battle.start), (battle.defender, battle.target)):
            if not armies[seat] >> place & 1 and not _over(battle):
                spot.wrong(
                    f"battle: {SEATS[seat]} has no army at {PLACES[place]}.",
                    f"battle: {SEATS[seat]} hat keine Armee in {PLACES[place]}.",
                )
        start, target = region_of(battle.start), region_of(battle.target)
        by_sea = COASTAL >> start & 1 and COASTAL >> target & 1  # a card lets corsairs do so
        if start != target and not NEIGHBOURS[start] >> target & 1 and not by_sea:
            spot.wrong(
                f"battle: {PLACES[start]} is not next to {PLACES[target]}.",
                f"battle: {PLACES[start]} grenzt nicht an {PLACES[target]}.",
            )
        there = self.state.figures[battle.start] & SEAT_BITS[battle.attacker]
        counts, rear = GROUP[there].counts, GROUP[battle.rear].counts
        nobody_attacks = there & UNIT_BITS == battle.rear & UNIT_BITS and not _over(battle)
        if nobody_attacks or any(number > counts.get(name, 0) for name, number in rear.items()):
            spot.wrong(
                "battle: the rearguard is a part of the army, and leaves a unit to attack.",
                "battle: Die Nachhut ist ein Teil der Armee und lässt eine Einheit zum Angriff übrig.",
            )

    # --- the battle ------------------------------------------------------------------------------

    def on_attacker(self, spot: Spot) -> None:
        """The seat that attacks."""
        seat = spot.word(SEATS)
        if seat is not None:
            self.battle.attacker = SEATS.index(seat)

    def on_from(self, spot: Spot) -> None:
        """Where the attacking army stands."""
        name = spot.word(PLACES)
        self.battle.start = PLACE[name] if name is not None else 0

    def on_target(self, spot: Spot) -> None:
        """Where the defending army stands: a region, or ``<region>_siege`` for a garrison."""
        name = spot.word(PLACES)
        self.battle.target = PLACE[name] if name is not None else 0

    def on_round(self, spot: Spot) -> None:
        """The combat round, 0 before the first."""
        self.battle.round = spot.number(0, MOST_ROUNDS)

    def on_rounds(self, spot: Spot) -> None:
        """How many rounds a siege battle has without an elite being reduced."""
        self.battle.rounds = spot.number(1, MOST_ROUNDS)

    def on_step(self, spot: Spot) -> None:
        """The step of the round."""
        self.battle.step = spot.word(STEPS) or ""

    def on_ended(self, spot: Spot) -> None:
        """How the battle ended, where only its end is still to be carried out."""
        self.battle.ended = spot.word(ENDS) or ""

    def on_rearguard(self, spot: Spot) -> None:
        """Who stays out of the battle."""
        for key, entry in spot.entries():
            what = key.word(("units", "characters"))
            if what == "units":
                counts = {}
                for name, number in entry.entries():
                    figure = name.word(FIGURES)
                    if figure is not None:
                        counts[figure] = number.number(0, MOST_ROUNDS)
                self.battle.rear = pack(counts)
            elif what == "characters":
                self.battle.rear_chars = _mask(entry)

    def on_no_cease(self, spot: Spot) -> None:
        """A card does not let the attacker cease."""
        self.battle.no_cease = spot.flag()

    def on_free_card_needs_companion(self, spot: Spot) -> None:
        """A card asks for a companion in the first round's battle."""
        self.battle.free_card_needs_companion = spot.flag()

    def on_nazgul_negated(self, spot: Spot) -> None:
        """Gandalf the White negates all Nazgul leadership."""
        self.battle.negated = spot.flag()

    def on_shadow_dice_less(self, spot: Spot) -> None:
        """Dice that a card takes from the Shadow's combat rolls."""
        self.battle.shadow_dice_less = spot.number(0, MOST_DICE)

    def on_witch_king_draws(self, spot: Spot) -> None:
        """The deck that the Shadow draws from after this round."""
        name = spot.word(DRAWS)
        self.battle.witch_king_draws = DRAWS.index(name) if name is not None else -1

    def on_free(self, spot: Spot) -> None:
        """What the Free Peoples did in this round."""
        _read_side(spot, self.battle.sides[0])

    def on_shadow(self, spot: Spot) -> None:
        """What the Shadow did in this round."""
        _read_side(spot, self.battle.sides[1])


def _mask(spot: Spot) -> int:
    mask = 0
    for item in spot.items():
        name = item.word(CHARACTERS)
        if name is not None:
            mask |= 1 << CHARACTER[name]
    return mask


def _read_side(spot: Spot, side: Side) -> None:
    """What a side did in the round: the fields of :class:`Side`, with decks and characters by name."""
    readers: Mapping[str, Callable[[Spot], Any]] = {
        "card": lambda entry: entry.word((*CARDS, BY_HAND)) or "",
        "deck": lambda entry: DECKS.index(entry.word(DECKS) or DECKS[0]),
        "effect": lambda entry: entry.word(COMBAT_EFFECTS) or "",
        "steps": _steps,
        "rolled": lambda entry: [_die(item) for item in entry.items()],
        "target_rule": lambda entry: entry.text(),
        **dict.fromkeys(_MASKS, _mask),
    }
    known = [name for name in Side.__slots__ if name not in _HANDLED] + list(readers)
    for key, entry in spot.entries():
        name = key.word(known)
        if name is None:
            continue
        if name in readers:
            value = readers[name](entry)
        elif isinstance(getattr(_IDLE, name), bool):
            value = entry.flag()
        else:
            value = entry.number(-MOST_ROUNDS, MOST_ROUNDS)
        setattr(side, name, value)


def _die(spot: Spot) -> list[int]:
    """``[pips, 1 where it hit, 1 where it was rolled again and 2 where it shows that roll]``."""
    found = [item.number(0, 6) for item in spot.items()]
    if len(found) != 3:
        spot.wrong(
            f"{spot.path}: a die is [pips, hit, rolled again].",
            f"{spot.path}: Ein Würfel ist [Augen, Treffer, erneut gewürfelt].",
        )
        return [1, 0, 0]
    return found


def _steps(spot: Spot) -> list[dict[str, Any]]:
    """The declared effect of a card by hand: steps of the same primitives that known cards use."""
    from referee.games.war_of_the_ring.cards.combat_effects import EFFECTS

    found = []
    for item in spot.items():
        do = item.get("do")
        if do is None or do.word(EFFECTS) is None:
            item.wrong(
                f"{item.path}: a step needs its primitive, `do`.",
                f"{item.path}: Ein Schritt braucht sein Element, `do`.",
            )
        else:
            found.append(dict(item.plain()))
    return found

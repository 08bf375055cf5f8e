"""Cards and powers that nobody has described: declared step by step, checked, and agreed to by the
opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from referee.games.battlelore.box.components import OPTIONS, PLACES, SEATS
from referee.games.battlelore.cards.effects import PRIMITIVES, Running
from referee.games.battlelore.state.state import State
from referee.games.kit import by_hand
from referee.games.kit.asking import Ask
from referee.games.kit.by_hand import Declaration, Declared, Simple
from referee.kernel.refusals import Refusal

COMMAND_STEPS = ("order_this", "dice", "hexes", "stand", "attacks")
POWER_STEPS = ("figures_off", "flee", "no_battle_back")
LORE_STEPS = ("dice_for", "hexes_for", "heal", "figures_off", "flee", "tokens")


class Hand(by_hand.Hand[State]):
    """Who resolves what by hand."""

    SEATS = SEATS
    PLACES = PLACES
    OPTIONS = OPTIONS
    RULE = "lore.tokens_pay_cards"
    SIMPLE: ClassVar[dict[str, Simple]] = {
        "dice": Simple("dice", {}, "number", "prompt.by_hand_number", 1, 4),
        "hexes": Simple("hexes", {}, "number", "prompt.by_hand_number", 1, 3),
        "stand": Simple("stand"),
        "attacks": Simple("attacks", {}, "number", "prompt.by_hand_number", 0, 2),
        "tokens": Simple("tokens", {}, "number", "prompt.by_hand_number", 1, 4),
    }

    def primitive(self, name: str, **step: Any) -> Declared:
        """A step that is one primitive of the cards."""
        return Declared(
            {"number": step["number"]} if "number" in step else {},
            lambda: PRIMITIVES[name](self.state, Running(self.seat, self.what), {"do": name, **step}),
        )

    def _on_unit(
        self, name: str, mask: int, reason: str, numbers: tuple[int, int] | None = None
    ) -> Declaration:
        """A primitive on one unit, with a number that is asked for."""
        if not mask:
            return None
        place = yield from self.place(mask, Refusal(self.RULE, reason))
        number = 1 if numbers is None else (yield from self.number("prompt.by_hand_number", *numbers))
        run = Running(self.seat, self.what, unit=self.state.unit_at[place])
        about = {"place": PLACES[place], "number": number}
        return Declared(about, lambda: PRIMITIVES[name](self.state, run, {"do": name, "number": number}))

    def _own(self) -> int:
        return self.state.stand[self.seat]

    def _enemies(self) -> int:
        return self.state.stand[1 - self.seat]

    def order_this(self) -> Declaration:
        """A unit is ordered."""
        own = sum(
            1 << place
            for place in range(len(PLACES))
            if self._own() >> place & 1 and not self.state.ordered >> self.state.unit_at[place] & 1
        )
        return (yield from self._on_unit("order_this", own, "no_own_unit"))

    def dice_for(self) -> Declaration:
        """A unit has more dice."""
        return (yield from self._on_unit("dice", self._own(), "no_own_unit", (1, 4)))

    def hexes_for(self) -> Declaration:
        """A unit may go farther."""
        return (yield from self._on_unit("hexes", self._own(), "no_own_unit", (1, 3)))

    def heal(self) -> Declaration:
        """Figures come back."""
        return (yield from self._on_unit("heal", self._own(), "no_own_unit", (1, 3)))

    def figures_off(self) -> Declaration:
        """Figures of an enemy are taken off; a creature's are not."""
        creatures = sum(
            1 << at for n, at in enumerate(self.state.at) if at >= 0 and self.state.field.creatures >> n & 1
        )
        return (yield from self._on_unit("figures_off", self._enemies() & ~creatures, "no_enemy", (1, 3)))

    def flee(self) -> Declaration:
        """An enemy retreats."""
        return (yield from self._on_unit("flee", self._enemies(), "no_enemy", (1, 4)))

    def no_battle_back(self) -> Declaration:
        """An enemy may not battle back this turn."""
        return (yield from self._on_unit("no_battle_back", self._enemies(), "no_enemy"))


def resolve(state: State, seat: int, what: str, steps: Sequence[str]) -> Ask:
    """Resolve a card or a power by hand."""
    yield from by_hand.resolve(Hand(state, seat, what), lambda: steps)

"""Chapter IX: armies rally, that is they lose damage tokens by dice."""

from __future__ import annotations

from referee.games.five_armies.box.components import BEORN, SEATS
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACES
from referee.games.five_armies.rules.asking import NUMBERS, Ask, place_or_stop, roll_dice
from referee.games.five_armies.rules.damage import casualties
from referee.games.five_armies.rules.pieces import leadership
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

SUCCESS = 5


def damaged_armies(state: State, seat: int) -> int:
    """Mask of own armies with damage tokens."""
    mask, damage, found = state.armies[seat], state.damage, 0
    while mask:
        low = mask & -mask
        if damage[low.bit_length() - 1]:
            found |= low
        mask ^= low
    return found


def rally(state: State, seat: int, success: int = SUCCESS, rule: str = "rally.two_armies") -> Ask:
    """Rally up to two different armies."""
    done = 0
    for turn in range(2):
        mask = damaged_armies(state, seat) & ~done
        place = yield from _choose_army(state, seat, mask, done, rule, may_stop=turn > 0 or not mask)
        if place < 0:
            return
        done |= 1 << place
        yield from rally_army(state, seat, place, success)


def _choose_army(state: State, seat: int, mask: int, done: int, rule: str, *, may_stop: bool) -> Ask:

    def why_not(place: int) -> Refusal | None:
        about = {"place": PLACES[place]}
        if done >> place & 1:
            return Refusal("rally.two_armies", "same_army", about)
        if state.where[BEORN] == place:
            return Refusal("beorn.no_rally", "beorn_there", about)
        if place in FORTIFICATION_INDEX and state.fort_damage[FORTIFICATION_INDEX[place]]:
            return Refusal("rally.not_fortification", "walls_stay_broken", about)
        if state.armies[seat] >> place & 1:
            return Refusal("rally.die", "no_damage", about)
        return Refusal("rally.die", "no_own_army", about)

    return (
        yield from place_or_stop(
            seat, "prompt.choose_rally", mask, rule=rule, why_not=why_not, may_stop=may_stop
        )
    )


def rally_army(state: State, seat: int, place: int, success: int = SUCCESS) -> Ask:
    """One die a unit; re-rolls up to the leadership; then casualties if the owner likes."""
    about = {"place": PLACES[place], "target": success}
    size = ARMY[state.units[place]].size
    pips = yield from roll_dice(seat, "prompt.rally_roll", size, about, "rally.dice_per_unit")
    healed = sum(1 for pip in pips if pip >= success)
    again = min(leadership(state, place, seat), size - healed)
    if again and healed < state.damage[place]:
        number = int(
            (
                yield ChooseOne(
                    SEATS[seat],
                    "prompt.rally_reroll",
                    NUMBERS[again::-1],
                    domain="number",
                    about={**about, "rolled": pips},
                    rule="rally.reroll_leadership",
                    refused=lambda: [
                        (NUMBERS[n], Refusal("rally.reroll_leadership", "too_many", {"maximum": again}))
                        for n in range(again + 1, size + 1)
                    ],
                )
            )
        )
        pips = yield from roll_dice(seat, "prompt.rally_again", number, about, "rally.reroll_final")
        healed += sum(1 for pip in pips if pip >= success)
    state.damage[place] -= min(healed, state.damage[place])
    yield from casualties(state, seat, place)

"""Chapter VI: attacking with armies: who may attack whom, and with which part of an army.

An action calls :func:`attack_action`, a card that names its armies
:func:`attack_from` or :func:`begin`; each sets ``state.battle`` up and fights.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in, region_of
from referee.games.war_of_the_ring.rules import combat, occasions, politics
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose_place
from referee.games.war_of_the_ring.rules.marching import LED, leads
from referee.games.war_of_the_ring.rules.movement import counted, most_of, unpack
from referee.games.war_of_the_ring.state.armies import GROUP, NATION_BITS, NAZGUL_BITS, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts, Forced

ANY, NAZGUL_LED, WITCH_KING_LED, COMPANION_LED, ISENGARD_UNIT = (
    "",
    "nazgul",
    "witch_king",
    "companion",
    "isengard",
)
"""``need`` of the attacking army; :data:`movement.LED` is a leader or character of any kind."""
EVERYWHERE = (1 << board.PLACE_COUNT) - 1


# --- which figures may attack -------------------------------------------------------------------


class _Belligerent(dict[int, int]):
    """Mask of the nations At War to the packed mask of the figures that may attack."""

    def __missing__(self, at_war: int) -> int:
        bits = NAZGUL_BITS
        for nation in range(8):
            if at_war >> nation & 1:
                bits |= NATION_BITS[nation]
        self[at_war] = bits
        return bits


_BELLIGERENT = _Belligerent()


def attackers(state: State, seat: int, place: int) -> tuple[int, int]:
    """The figures of ``seat`` in a place that may attack (At War; Nazgul always), and its characters."""
    figures = state.figures[place] & SEAT_BITS[seat] & _BELLIGERENT[politics.wars(state)]
    return figures, state.chars[place] & box.CHARACTERS_OF_SEAT[seat]


def fits(state: State, need: str, figures: int, chars: int) -> bool:
    """Whether figures and characters include whom an attack of this kind needs."""
    if not need:
        return True
    if need == LED:
        return leads(state, figures, chars)
    if need == COMPANION_LED:
        return bool(chars & box.COMPANIONS)
    if need == ISENGARD_UNIT:
        return bool(figures & NATION_BITS[box.ISENGARD] & UNIT_BITS)
    if chars >> box.WITCH_KING & 1:
        return True
    return need == NAZGUL_LED and bool(figures & NAZGUL_BITS)


def _can_form(state: State, seat: int, place: int, need: str) -> bool:
    """Whether an attacking army can be formed here: a unit At War, and a unit with those who must stay."""
    figures, chars = attackers(state, seat, place)
    if not figures & UNIT_BITS or not fits(state, need, figures, chars):
        return False
    behind = (state.figures[place] & SEAT_BITS[seat]) - figures
    return not behind or bool(behind & UNIT_BITS) or GROUP[figures & UNIT_BITS].units > 1


# --- who may attack whom --------------------------------------------------------------------------


def targets(state: State, seat: int, place: int) -> int:
    """Mask of the places whose armies the army in ``place`` may attack."""
    region = region_of(place)
    closed = occasions.closed_to_shadow(state) if seat == box.SHADOW and state.table_cards else 0
    enemies = state.armies[1 - seat]
    if place in board.REGION_OF_BOX:
        return 1 << region & enemies & ~closed
    mask = board.NEIGHBOURS[place] & enemies & ~closed
    if region in board.SIEGE_BOX and not closed >> region & 1:
        mask |= 1 << board.SIEGE_BOX[region] & enemies
    return mask


def can_attack(state: State, seat: int, need: str = ANY) -> int:
    """Mask of the places from which an army of ``seat`` may attack, siege battles and sorties included."""
    mine, enemies = state.armies[seat], state.armies[1 - seat]
    able = mine & (board.NEAR[enemies & board.ALL_REGIONS] | board.BOXES)
    for siege_box in places_in(enemies & board.BOXES):
        able |= 1 << board.REGION_OF_BOX[siege_box] & mine
    for place in places_in(able):
        if not _can_form(state, seat, place, need) or not targets(state, seat, place):
            able &= ~(1 << place)
    return able


# --- attacking ------------------------------------------------------------------------------------


def attack_action(state: State, seat: int, need: str, rule: str, *, within: int = EVERYWHERE) -> Ask:
    """One army attacks: choose where it stands, whom it attacks, who takes part; then the battle."""
    able = can_attack(state, seat, need) & within
    start = yield from choose_place(
        seat,
        "prompt.choose_attacker",
        able,
        rule=rule,
        nowhere=True,
        refused=lambda able=able: why_not_starts(state, seat, need, able),  # type: ignore[misc]
    )
    if start < 0:
        return
    able = targets(state, seat, start)
    target = yield from choose_place(
        seat,
        "prompt.choose_target",
        able,
        rule="battle.adjacent",
        about={"from": board.PLACES[start]},
        refused=lambda: why_not_targets(state, seat, start, able),
    )
    yield from attack_from(state, seat, start, target, need)


def attack_from(
    state: State, seat: int, start: int, target: int, need: str = ANY, **battle_fields: Any
) -> Ask:
    """The army in ``start`` attacks: its player says who takes part, then the battle is fought.

    Nothing happens where no attacking army can be formed there.
    """
    if not _can_form(state, seat, start, need):
        return
    figures, chars = yield from choose_force(state, seat, start, target, need)
    yield from begin(state, seat, start, target, figures, chars, **battle_fields)


def begin(
    state: State, seat: int, start: int, target: int, figures: int, chars: int, **battle_fields: Any
) -> Ask:
    """A battle of these figures and characters, fought to its end; who is not At War stays behind.

    ``battle_fields`` set fields of :class:`Battle`: ``rounds`` of a siege battle,
    ``no_cease``, ``free_card_needs_companion``, ``shadow_dice_less``.
    """
    figures &= _BELLIGERENT[politics.wars(state)]
    if not figures & UNIT_BITS:
        return
    battle = Battle(attacker=seat, start=start, target=target, **battle_fields)
    battle.rear = (state.figures[start] & SEAT_BITS[seat]) - figures
    battle.rear_chars = state.chars[start] & box.CHARACTERS_OF_SEAT[seat] & ~chars
    politics.army_attacked(state, state.figures[target] & SEAT_BITS[1 - seat], battle.region)
    state.battle = battle
    yield from combat.fight(state)


# --- splitting the army ---------------------------------------------------------------------------


def choose_force(state: State, seat: int, start: int, target: int, need: str) -> Ask:
    """The attacker divides his figures into attacking army and rearguard.  Returns (figures, characters)."""
    figures, chars = attackers(state, seat, start)
    behind = (state.figures[start] & SEAT_BITS[seat]) - figures
    size = GROUP[figures & UNIT_BITS].units
    others = figures & ~UNIT_BITS or chars
    limits = counted(figures, chars)
    refuses = partial(why_not_force, state, seat, start, need)
    request = ChooseWithDefault(
        box.SEATS[seat],
        "prompt.choose_attackers",
        limits,
        minimum=1,
        default=most_of(limits, refuses),
        proposes=True,
        refuses=refuses,
        domain="unit",
        about={"from": board.PLACES[start], "to": board.PLACES[target]},
        rule="battle.rearguard",
        refused=lambda: _not_at_war(behind),
    )
    whole = size == 1 and not (others and behind & UNIT_BITS)
    return unpack((yield Forced(request, limits) if whole else request))


def proposed_force(state: State, seat: int, start: int, need: str = ANY) -> tuple[int, int]:
    """The figures and characters that a screen proposes for an attack: as many as may."""
    refuses = partial(why_not_force, state, seat, start, need)
    return unpack(most_of(counted(*attackers(state, seat, start)), refuses))


def why_not_force(state: State, seat: int, start: int, need: str, counts: Counts) -> Refusal | None:
    """Why this part of an army may not attack; None where it may."""
    figures, chars = unpack(counts)
    about = {"place": board.PLACES[start]}
    if not figures & UNIT_BITS:
        return Refusal("battle.rearguard", "attack_without_unit", about)
    behind = (state.figures[start] & SEAT_BITS[seat]) - figures
    stay = state.chars[start] & box.CHARACTERS_OF_SEAT[seat] & ~chars
    if (behind or stay) and not behind & UNIT_BITS:
        return Refusal("battle.rearguard", "rearguard_without_unit", about)
    if not fits(state, need, figures, chars):
        return Refusal("battle.led_by_character_die", f"attack_needs_{need}", about)
    return None


def _not_at_war(behind: int) -> list[tuple[str, Refusal]]:
    return [
        (name, Refusal("battle.at_war", "figure_not_at_war", {"figure": name}))
        for name in GROUP[behind].counts
    ]


# --- why not --------------------------------------------------------------------------------------


def why_not_attack(state: State, seat: int, need: str = ANY) -> Refusal:
    """Why no army of ``seat`` may attack now."""
    if need and can_attack(state, seat):
        return Refusal("battle.led_by_character_die", "no_led_attacker")
    if any(targets(state, seat, place) for place in places_in(state.armies[seat])):
        return Refusal("battle.at_war", "nobody_at_war_attacks")
    return Refusal("battle.adjacent", "no_enemy_adjacent")


def why_not_starts(state: State, seat: int, need: str, able: int) -> list[tuple[str, Refusal]]:
    """The places of own armies and characters from which no attack can start, and why."""
    found = []
    for place in range(board.PLACE_COUNT):
        if able >> place & 1:
            continue
        mine = state.figures[place] & SEAT_BITS[seat] or state.chars[place] & box.CHARACTERS_OF_SEAT[seat]
        if mine:
            found.append((board.PLACES[place], _why_not_start(state, seat, need, place)))
    return found


def _why_not_start(state: State, seat: int, need: str, place: int) -> Refusal:
    about = {"place": board.PLACES[place]}
    if not state.armies[seat] >> place & 1:
        return Refusal("battle.needs_army", "", about)
    if not targets(state, seat, place):
        return Refusal("battle.adjacent", "no_enemy_near", about)
    figures, chars = attackers(state, seat, place)
    if not figures & UNIT_BITS:
        return Refusal("battle.at_war", "no_unit_at_war", about)
    if not fits(state, need, figures, chars):
        return Refusal("battle.led_by_character_die", f"attack_needs_{need}", about)
    if not _can_form(state, seat, place, need):
        return Refusal("battle.rearguard", "rearguard_without_unit", about)
    return Refusal("battle.army_die", "army_not_of_card", about)


def why_not_targets(state: State, seat: int, start: int, able: int) -> list[tuple[str, Refusal]]:
    """The other places with something of the enemy, and why they cannot be attacked from here."""
    enemy = 1 - seat
    found = []
    for place in range(board.PLACE_COUNT):
        if able >> place & 1:
            continue
        about = {"place": board.PLACES[place], "from": board.PLACES[start]}
        if state.armies[enemy] >> place & 1:
            found.append((board.PLACES[place], _why_not_target(state, seat, start, place, about)))
        elif state.figures[place] & SEAT_BITS[enemy] or state.chars[place] & box.CHARACTERS_OF_SEAT[enemy]:
            found.append((board.PLACES[place], Refusal("battle.characters_alone", "", about)))
        elif place == state.ring and seat == box.SHADOW and state.mordor < 0:
            found.append((board.PLACES[place], Refusal("battle.not_the_fellowship", "", about)))
    return found


def _why_not_target(state: State, seat: int, start: int, place: int, about: dict[str, str]) -> Refusal:
    closed = occasions.closed_to_shadow(state) if seat == box.SHADOW else 0
    if closed >> region_of(place) & 1:
        return Refusal("battle.closed_by_card", "", about)
    if place in board.REGION_OF_BOX:
        return Refusal("siege.only_besiegers", "", about)
    if start in board.REGION_OF_BOX:
        return Refusal("siege.sortie", "sortie_only_besiegers", about)
    return Refusal("battle.adjacent", "not_adjacent", about)

"""Reads a position file (``docs/position_file.md``) into a state, naming the line of every mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.games.five_armies.armies import ARMY, pack
from referee.games.five_armies.components import (
    ARMY_LIMIT,
    BATS_IN_BOX,
    BEORN,
    BODYGUARDS_WITH_DALE,
    CHARACTER,
    CHARACTERS,
    EAGLES_IN_BOX,
    FACE,
    FATE_END,
    FIGURES,
    FREE,
    GENERALS,
    LORD,
    SEAT_OF_GROUP,
    SEAT_OF_UNIT,
    SEATS,
    SHADOW,
    SPECIAL_TILES,
    STANDARD_TILE_FACES,
    STANDARD_TILES,
    TOKEN_GROUPS,
    TOKENS_IN_BOX,
    UNIT,
    UNITS,
    WRATH_AT_ENTRY,
    WRATH_MOST,
)
from referee.games.five_armies.house import house_rules
from referee.games.five_armies.map import (
    ARMY_PLACES,
    EYRIE,
    FORTIFICATION_INDEX,
    FORTIFICATIONS,
    PASS_NORTH,
    PASS_WEST,
    PLACE,
    PLACES,
    POINTS,
    REGION_COUNT,
    STRONGHOLDS,
    TERRITORIES,
    UNLIMITED,
)
from referee.games.five_armies.pieces import open_passes
from referee.games.five_armies.position_combat import Entry, lead_in, read_combat
from referee.games.five_armies.state import ELIMINATED, IN_TERRITORY_OF, NOT_IN_PLAY, State
from referee.games.five_armies.state_json import from_json, to_json
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import Spot, read_yaml
from referee.kernel.play import Play

FACE_ALIASES = {
    "eye": "lidless_eye",
    "west": "will_of_the_west",
    "muster/army": "muster_army",
    "char": "character",
}
UNIT_ALIASES = {
    "warg": "wargs",
    "goblin": "goblins",
    "orc": "orcs",
    "great_orc": "great_orcs",
    "elven_spearman": "elven_spearmen",
    "elven_archer": "elven_archers",
    "lake_man": "lake_men",
    "dwarf_veteran": "dwarf_veterans",
    "dwarf_regular": "dwarf_regulars",
}
CARDS_NOT_TOLD = 2
"""Cards of each kind that a hand is taken to hold where the position does not tell."""


@dataclass(slots=True)
class Position:
    """A position as read from a file.

    ``labels`` names places (``A: v_northeast_plain``); ``given`` keeps remarks
    that are no part of the state (``note``, dice that will be rolled...).
    """

    state: State
    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    entry: Entry | None = None
    """How far a running combat is to be played before the position is reached."""

    def lead_in(self, play: Play[State]) -> list[Any]:
        """Play from ``state`` up to the moment the file describes; returns the answers given."""
        return [] if self.entry is None else lead_in(play, self.entry)


def read_position(text: str) -> Position:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    reader = _Reader(whole)
    position = reader.read()
    whole.problems.check()
    return position


class _Reader:
    """Reads one file.  Methods named ``on_<key>`` take the value of that key."""

    def __init__(self, whole: Spot) -> None:
        self.whole = whole
        self.state = State()
        self.position = Position(self.state)
        self.standing: dict[int, Spot] = {}
        self.hands_told = False
        self.told: set[str] = set()

    def read(self) -> Position:
        body = self.whole
        inner = self.whole.get("position")
        if inner is not None:
            self._heading()
            body = inner
        if not isinstance(body.value, dict):
            body.wrong("a position is wanted.", "hier gehört eine Stellung hin.")
            return self.position
        later = []
        for key, entry in body.entries():
            handler: Callable[[Spot], None] | None = getattr(self, f"on_{key.value}", None)
            if handler is None:
                known = [name[3:] for name in dir(self) if name.startswith("on_")]
                key.word(known)
                continue
            self.told.add(key.value)
            if key.value in _LATE:
                later.append((_LATE.index(key.value), handler, entry))
            else:
                handler(entry)
        self._finish_board(body)
        self._finish_step()
        for _, handler, entry in sorted(later, key=lambda item: item[0]):
            handler(entry)
        return self.position

    def _heading(self) -> None:
        for key, entry in self.whole.entries():
            if key.value == "title":
                self.position.title = entry.text()
            elif key.value == "game":
                entry.word(("five_armies",))
            elif key.value not in ("position", "id", "rules", "map_facts", "act", "expect", "why", "options"):
                key.word(("game", "title", "position", "options"))
        options = self.whole.get("options")
        if options is not None:
            self.on_house_rules(options)

    # --- where the game stands ---------------------------------------------------------------

    def on_title(self, spot: Spot) -> None:
        self.position.title = spot.text()

    def on_game(self, spot: Spot) -> None:
        spot.word(("five_armies",))

    def on_note(self, spot: Spot) -> None:
        self.position.given["note"] = spot.plain()

    def on_dice_rolled_in_phase_5(self, spot: Spot) -> None:
        self.position.given["dice_rolled_in_phase_5"] = spot.plain()

    def on_ruler_answers_given_as_input(self, spot: Spot) -> None:
        self.position.given["ruler_answers_given_as_input"] = spot.plain()

    def on_turn(self, spot: Spot) -> None:
        self.state.turn = spot.number(1, 999)

    def on_phase(self, spot: Spot) -> None:
        self.state.phase = spot.number(1, 6)

    def on_to_act(self, spot: Spot) -> None:
        seat = spot.word(SEATS)
        if seat is not None:
            self.state.active = SEATS.index(seat)

    def on_house_rules(self, spot: Spot) -> None:
        chosen = {str(key.value): str(entry.value) for key, entry in spot.entries()}
        try:
            self.state.house = house_rules(chosen)
        except InvalidAnswer as error:
            spot.wrong(error.sentence_en, error.sentence_de)

    # --- dice and cards ----------------------------------------------------------------------

    def _by_seat(self, spot: Spot) -> list[tuple[int, Spot]]:
        found = []
        for key, entry in spot.entries():
            seat = key.word(SEATS)
            if seat is not None:
                found.append((SEATS.index(seat), entry))
        return found

    def on_pools(self, spot: Spot) -> None:
        for seat, entry in self._by_seat(spot):
            self.state.pool[seat] = entry.number(0, 7)

    def _dice(self, spot: Spot, dice: list[list[int]]) -> None:
        for seat, entry in self._by_seat(spot):
            for item in entry.items():
                face = item.word([f for f in FACE if f in _FACES_OF[seat]], FACE_ALIASES)
                if face is not None:
                    dice[seat][FACE[face]] += 1

    def on_unused_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.unused)

    def on_used_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.used)

    def on_hands(self, spot: Spot) -> None:
        self.hands_told = True
        for seat, entry in self._by_seat(spot):
            if isinstance(entry.value, dict):
                event, story = entry.get("event"), entry.get("story")
                self.state.hand_event[seat] = event.number(0, 30) if event else 0
                self.state.hand_story[seat] = story.number(0, 20) if story else 0
            else:
                self.state.hand_event[seat] = entry.number(0, 30)

    def on_hand_free(self, spot: Spot) -> None:
        self._hand(spot, FREE)

    def on_hand_shadow(self, spot: Spot) -> None:
        self._hand(spot, SHADOW)

    def _hand(self, spot: Spot, seat: int) -> None:
        self.hands_told = True
        for item in spot.items():
            if card_slug(item.text()) in _EVENT_CARDS:
                self.state.hand_event[seat] += 1
            else:
                self.state.hand_story[seat] += 1

    def on_table_cards(self, spot: Spot) -> None:
        for item in spot.items():
            self.state.table_cards[item.text()] = {}

    # --- fate --------------------------------------------------------------------------------

    def on_fate_marker(self, spot: Spot) -> None:
        self.state.fate = spot.number(0, FATE_END)

    def on_fate_pool_tiles(self, spot: Spot) -> None:
        tiles = spot.number(0, STANDARD_TILES)
        self.state.fate_tiles = tiles
        if tiles < STANDARD_TILES:
            self.state.fate_tiles_out = {STANDARD_TILE_FACES[0]: STANDARD_TILES - tiles}

    def on_special_tiles(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            tile = key.word(SPECIAL_TILES)
            where = entry.word(("aside", "pool", "out"))
            if tile is not None and where is not None:
                self.state.special_tiles[SPECIAL_TILES.index(tile)] = ("aside", "pool", "out").index(where)

    def on_track(self, spot: Spot) -> None:
        spaces = list(self.state.fate_space)
        for key, entry in spot.entries():
            name = key.word([n for n in CHARACTERS if self.state.fate_space[CHARACTER[n]] >= 0])
            if name is not None:
                spaces[CHARACTER[name]] = entry.number(0, FATE_END)
        self.state.fate_space = tuple(spaces)

    # --- the board ---------------------------------------------------------------------------

    def on_regions(self, spot: Spot) -> None:
        for key, there in spot.entries():
            place = key.word(PLACES[:ARMY_PLACES])
            if place is not None:
                self._place(PLACE[place], there)

    def _place(self, place: int, spot: Spot) -> None:
        state = self.state
        self.standing[place] = spot
        for key, entry in spot.entries():
            what = key.word(
                ("side", "units", "damage", "leadership", "characters", "control", "tokens", "label")
            )
            if what == "units":
                state.units[place] = self._units(entry)
            elif what == "damage":
                state.damage[place] = entry.number(0, 99)
            elif what == "leadership":
                state.leaders[place] = entry.number(0, 20)
            elif what == "characters":
                for item in entry.items():
                    self._character(item, place)
            elif what == "control":
                self._control(entry, place)
            elif what == "tokens":
                self._tokens(entry, place)
            elif what == "label":
                self.position.labels[entry.text()] = PLACES[place]
        self._check_side(place, spot)

    def _units(self, spot: Spot) -> int:
        counts: dict[str, int] = {}
        for key, entry in spot.entries():
            name = key.word(UNITS, UNIT_ALIASES)
            if name is not None:
                counts[name] = entry.number(0, FIGURES[UNIT[name]])
        return pack(counts)

    def _check_side(self, place: int, spot: Spot) -> None:
        units = self.state.units[place]
        seats = {SEAT_OF_UNIT[unit] for unit in ARMY[units].types}
        if len(seats) > 1:
            spot.wrong(
                f"{PLACES[place]}: units of both sides cannot stand together.",
                f"{PLACES[place]}: Einheiten beider Seiten können nicht zusammen stehen.",
            )
        side = spot.get("side")
        if side is not None:
            seat = side.word(SEATS)
            if seat is not None and seats and seats != {SEATS.index(seat)}:
                side.wrong(
                    f"{PLACES[place]}: these units do not belong to {seat}.",
                    f"{PLACES[place]}: diese Einheiten gehören nicht zu {seat}.",
                )

    def _character(self, spot: Spot, place: int) -> None:
        name = spot.word(CHARACTERS)
        if name is None:
            return
        character = CHARACTER[name]
        if self.state.where[character] != NOT_IN_PLAY:
            spot.wrong(f"{name} stands in two places.", f"{name} steht an zwei Orten.")
        self.state.where[character] = place
        self.state.chars[place] |= 1 << character

    def _control(self, spot: Spot, place: int) -> None:
        seat = spot.word(SEATS)
        if not STRONGHOLDS >> place & 1:
            spot.wrong(
                f"{PLACES[place]} is neither settlement nor fortification: nobody controls it.",
                f"{PLACES[place]} ist weder Siedlung noch Wehranlage: Kontrolle gibt es dort nicht.",
            )
        elif seat == "shadow":
            self.state.control |= 1 << place

    def on_control_shadow(self, spot: Spot) -> None:
        for item in spot.items():
            place = item.word(PLACES[:REGION_COUNT])
            if place is not None:
                self._control(Spot("shadow", item.line, item.path, item.problems), PLACE[place])

    def _tokens(self, spot: Spot, place: int) -> None:
        for key, entry in spot.entries():
            name = key.word(TOKEN_GROUPS)
            if name is None:
                continue
            group = TOKEN_GROUPS.index(name)
            number = entry.number(0, TOKENS_IN_BOX[group])
            if number:
                self.state.tokens[group][place] = number
                self.state.token_pool[group] -= number

    def on_fort_damage(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word([PLACES[p] for p in FORTIFICATIONS])
            if name is not None:
                index = FORTIFICATION_INDEX[PLACE[name]]
                self.state.fort_damage[index] = entry.number(0, self.state.fort_values[index])

    def on_passes(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(("north", "west"))
            how = entry.word(("open", "closed"))
            if name is not None and how == "open":
                self.state.closed_passes &= ~(1 << (PASS_NORTH if name == "north" else PASS_WEST))

    def on_bats(self, spot: Spot) -> None:
        self._by_territory(spot, self.state.bats, BATS_IN_BOX, TERRITORIES)

    def on_eagles(self, spot: Spot) -> None:
        self._by_territory(spot, self.state.eagles, EAGLES_IN_BOX, (*TERRITORIES, "eyrie"))

    def _by_territory(self, spot: Spot, counts: list[int], most: int, names: tuple[str, ...]) -> None:
        for key, entry in spot.entries():
            name = key.word(names)
            if name is not None:
                counts[names.index(name)] = entry.number(0, most)
        if sum(counts) > most:
            spot.wrong(
                f"{spot.path}: there are {most} figures only.", f"{spot.path}: es gibt nur {most} Figuren."
            )

    def on_eyrie(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(("eagles", "lord_of_the_eagles"))
            if name == "eagles":
                self.state.eagles[-1] = entry.number(0, EAGLES_IN_BOX)
            elif name is not None and entry.number(0, 1):
                self._character(Spot(name, entry.line, entry.path, entry.problems), EYRIE)

    def on_lord_of_the_eagles(self, spot: Spot) -> None:
        name = spot.word((*TERRITORIES, "eyrie"))
        if name == "eyrie":
            self._character(Spot("lord_of_the_eagles", spot.line, spot.path, spot.problems), EYRIE)
        elif name is not None:
            self.state.where[LORD] = IN_TERRITORY_OF + TERRITORIES.index(name)

    # --- characters --------------------------------------------------------------------------

    def on_beorn(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            what = key.word(("region", "wrath", "movement", "space", "in_play", "fate_cards"))
            if what == "region":
                name = entry.word(PLACES[:REGION_COUNT])
                if name is not None:
                    self._character(Spot("beorn", entry.line, entry.path, entry.problems), PLACE[name])
            elif what == "wrath":
                self.state.wrath = entry.number(0, WRATH_MOST)
            elif what == "movement":
                self.state.values["movement.beorn"] = entry.number(0, 9)
            elif what == "space":
                spaces = list(self.state.fate_space)
                spaces[BEORN] = entry.number(0, FATE_END)
                self.state.fate_space = tuple(spaces)
            elif what == "fate_cards":
                self.on_table_cards(entry)
        if self.state.where[BEORN] >= 0 and spot.get("wrath") is None:
            self.state.wrath = WRATH_AT_ENTRY

    def on_bolg(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            what = key.word(("bodyguards", "region"))
            if what == "bodyguards":
                self.state.bodyguards = entry.number(0, BODYGUARDS_WITH_DALE)
            elif what == "region":
                name = entry.word(PLACES[:ARMY_PLACES])
                if name is not None:
                    self._character(Spot("bolg", entry.line, entry.path, entry.problems), PLACE[name])

    def on_activation_tokens(self, spot: Spot) -> None:
        for item in spot.items():
            name = item.word([CHARACTERS[c] for c in GENERALS])
            if name is not None:
                self.state.activated |= 1 << CHARACTER[name]
        if "generals_activated" not in self.told:
            self.state.generals_count = self.state.activated.bit_count()

    def on_generals_activated(self, spot: Spot) -> None:
        self.state.generals_count = spot.number(0, 3)

    def on_eliminated(self, spot: Spot) -> None:
        for item in spot.items():
            name = item.word(CHARACTERS)
            if name is not None:
                self.state.where[CHARACTER[name]] = ELIMINATED

    def on_in_play(self, spot: Spot) -> None:
        for item in spot.items():
            name = item.word(CHARACTERS)
            if name is not None and self.state.where[CHARACTER[name]] < 0:
                item.wrong(
                    f"{name} is in play, but stands nowhere.", f"{name} ist im Spiel, steht aber nirgends."
                )

    def on_in_play_not(self, spot: Spot) -> None:
        for item in spot.items():
            name = item.word(CHARACTERS)
            if name is not None and self.state.where[CHARACTER[name]] >= 0:
                item.wrong(f"{name} stands on the board.", f"{name} steht auf dem Plan.")

    def on_values(self, spot: Spot) -> None:
        """What the box book would tell: ``entry_die.beorn``, ``leadership.gandalf``..."""
        for key, entry in spot.entries():
            self.state.values[str(key.value)] = entry.plain()
            what, _, name = str(key.value).partition(".")
            if what == "leadership" and name in CHARACTER:
                ratings = list(self.state.ratings)
                ratings[CHARACTER[name]] = entry.number(0, 9)
                self.state.ratings = tuple(ratings)

    def on_movement(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(CHARACTERS)
            if name is not None:
                self.state.values[f"movement.{name}"] = entry.number(0, 9)

    # --- what needs the board first ----------------------------------------------------------

    def on_supply_tokens(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(TOKEN_GROUPS)
            if name is not None:
                group = TOKEN_GROUPS.index(name)
                left = entry.number(0, self.state.token_pool[group])
                self.state.tokens_shown[f"{name}:unknown"] = self.state.token_pool[group] - left
                self.state.token_pool[group] = left

    def on_vp(self, spot: Spot) -> None:
        wanted = spot.number(0, 20)
        if not self.state.control:
            for place in sorted(POINTS, key=lambda p: (POINTS[p], p)):
                if self._points() < wanted and PLACES[place] != "front_gate":
                    self.state.control |= 1 << place
        if self._points() != wanted:
            spot.wrong(
                f"the places under Shadow control give {self._points()} points, not {wanted}.",
                f"die Orte unter Schattenkontrolle ergeben {self._points()} Punkte, nicht {wanted}.",
            )

    def _points(self) -> int:
        return sum(value for place, value in POINTS.items() if self.state.control >> place & 1)

    def on_combat(self, spot: Spot) -> None:
        self.position.entry = read_combat(spot, self.state)

    def on_details(self, spot: Spot) -> None:
        data = to_json(self.state)
        for key, entry in spot.entries():
            name = key.word(data)
            if name is not None:
                data[name] = entry.plain()
        self.position.state = self.state = from_json(data)

    def _finish_step(self) -> None:
        """Where the flow goes on: with the dice as they lie, or with rolling them."""
        state = self.state
        if "turn" not in self.told:
            state.turn = 1
        if "phase" not in self.told:
            state.phase = 5
        for seat in (FREE, SHADOW):
            dice = sum(state.unused[seat]) + sum(state.used[seat])
            state.pool[seat] = max(state.pool[seat], dice)
        rolled = any(any(dice) for dice in (*state.unused, *state.used))
        state.step = "act" if state.phase == 5 and rolled else ""

    # --- whole-board checks ------------------------------------------------------------------

    def _finish_board(self, body: Spot) -> None:
        state = self.state
        for place, spot in self.standing.items():
            self._check_army(place, spot)
        standing = [0] * len(UNITS)
        for units in state.units:
            for name, number in ARMY[units].counts.items():
                standing[UNIT[name]] += number
        for unit, number in enumerate(standing):
            if number > FIGURES[unit]:
                body.wrong(
                    f"there are {FIGURES[unit]} figures of {UNITS[unit]}, and {number} stand on the board.",
                    f"von {UNITS[unit]} gibt es {FIGURES[unit]} Figuren, auf dem Plan stehen {number}.",
                )
            state.supply[unit] = max(FIGURES[unit] - number, 0)
        for group, number in enumerate(state.token_pool):
            if number < 0:
                body.wrong(
                    f"more tokens of {TOKEN_GROUPS[group]} lie out than there are.",
                    f"von {TOKEN_GROUPS[group]} liegen mehr Marker aus, als es gibt.",
                )
        for its_pass in (PASS_NORTH, PASS_WEST):
            if state.units[its_pass]:
                state.closed_passes &= ~(1 << its_pass)
        open_passes(state)
        if not self.hands_told:
            state.hand_event = [CARDS_NOT_TOLD, CARDS_NOT_TOLD]
            state.hand_story = [CARDS_NOT_TOLD, CARDS_NOT_TOLD]
        state.event_deck -= sum(state.hand_event)
        for seat in (FREE, SHADOW):
            state.story_deck[seat] -= state.hand_story[seat]

    def _check_army(self, place: int, spot: Spot) -> None:
        state = self.state
        army = ARMY[state.units[place]]
        name = PLACES[place]
        if army.size:
            state.armies[army.seat] |= 1 << place
            if army.seat == SHADOW and STRONGHOLDS >> place & 1:
                state.control |= 1 << place
            if army.seat == FREE and state.control >> place & 1:
                spot.wrong(
                    f"{name}: Free Peoples units stand here, so the Shadow does not control it.",
                    f"{name}: Hier stehen Freie Völker, also hat der Schatten keine Kontrolle.",
                )
        limit = 99 if army.seat == SHADOW and UNLIMITED >> place & 1 else ARMY_LIMIT
        if army.size > limit:
            spot.wrong(
                f"{name}: an army has {limit} units at most, not {army.size}.",
                f"{name}: Eine Armee hat höchstens {limit} Einheiten, nicht {army.size}.",
            )
        if state.damage[place] > army.size:
            spot.wrong(
                f"{name}: {state.damage[place]} damage on {army.size} units cannot stand.",
                f"{name}: {state.damage[place]} Schaden auf {army.size} Einheiten kann nicht bleiben.",
            )
        if state.leaders[place] and not army.size:
            spot.wrong(
                f"{name}: leadership tokens need an army.", f"{name}: Führungsmarker brauchen eine Armee."
            )
        for group, places in enumerate(state.tokens):
            if place in places and army.size and army.seat != SEAT_OF_GROUP[group]:
                spot.wrong(
                    f"{name}: recruitment tokens cannot lie under an enemy army.",
                    f"{name}: Rekrutierungsmarker können nicht unter einer gegnerischen Armee liegen.",
                )


_PLACE_KEYS = ("side", "units", "damage", "leadership", "characters", "control", "tokens", "label")
_EVENT_CARDS = (
    "blow_the_horns",
    "call_to_arms",
    "encirclement",
    "gather_and_marshal",
    "marching_companies",
    "move_to_strike",
    "mustering_for_battle",
    "sudden_assault",
    "troop_leader",
    "battle_fury",
    "captain_of_war",
    "commanding_voice",
    "dense_fog",
    "determined_attack",
    "fierce_defence",
    "great_confusion",
    "no_quarter",
    "overmastered",
    "stand_and_fight",
)
"""Event cards go by the name of their order effect or of their combat effect; all others are Story cards."""
_LATE = ("in_play", "in_play_not", "supply_tokens", "vp", "combat", "details")
"""Keys that need the board first, in the order they are taken."""
_FACES_OF = (
    ("character", "muster", "muster_army", "event", "will_of_the_west"),
    ("character", "army", "muster", "muster_army", "event", "lidless_eye"),
)


def card_slug(name: str) -> str:
    """The id form of a card's name: ``Redoubled Force (M)`` to ``redoubled_force``."""
    name = re.sub(r"\s*\([A-Z]\)\s*$", "", name)
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")

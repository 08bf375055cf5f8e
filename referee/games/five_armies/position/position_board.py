"""Reads what a position file says of the board: regions, pieces, characters; and checks it as a whole."""

from __future__ import annotations

from referee.games.five_armies.box.components import (
    ARMY_LIMIT,
    BATS_IN_BOX,
    BEORN,
    BODYGUARDS_WITH_DALE,
    CHARACTER,
    CHARACTERS,
    EAGLES_IN_BOX,
    FATE_END,
    FIGURES,
    FREE,
    GENERALS,
    LORD,
    SEAT_OF_GROUP,
    SEAT_OF_UNIT,
    SEATS,
    SHADOW,
    TOKEN_GROUPS,
    TOKENS_IN_BOX,
    UNIT,
    UNIT_ALIASES,
    UNITS,
    WRATH_AT_ENTRY,
    WRATH_MOST,
)
from referee.games.five_armies.box.map import (
    ARMY_PLACES,
    EYRIE,
    FORTIFICATION_INDEX,
    FORTIFICATIONS,
    PASS_NORTH,
    PASS_WEST,
    PLACE,
    PLACES,
    REGION_COUNT,
    STRONGHOLDS,
    TERRITORIES,
    UNLIMITED,
)
from referee.games.five_armies.position.position_parts import Part
from referee.games.five_armies.rules.pieces import open_passes
from referee.games.five_armies.state.armies import ARMY, pack
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, NOT_IN_PLAY
from referee.kernel.located import Spot

CARDS_NOT_TOLD = 2
"""Cards of each kind that a hand is taken to hold where the position does not tell."""


class BoardPart(Part):
    """Regions, pieces, characters, and what must hold on the board as a whole."""

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

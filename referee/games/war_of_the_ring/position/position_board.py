"""Reads what a position file says of the board: regions, figures, characters, sieges; checks the whole."""

from __future__ import annotations

from referee.games.war_of_the_ring.box.components import (
    ARMY_LIMIT,
    CHARACTER,
    CHARACTERS,
    CORRUPTION_LIMIT,
    CRACK_OF_DOOM,
    FIGURE,
    FIGURES,
    FIGURES_IN_BOX,
    FREE,
    GOLLUM,
    NATION,
    NATIONS,
    PROGRESS_END,
    SEAT_OF,
    SEATS,
    SHADOW,
    SIEGE_LIMIT,
)
from referee.games.war_of_the_ring.box.map import (
    OF_SEAT,
    PLACE,
    PLACES,
    REGION_COUNT,
    REGION_OF_BOX,
    SETTLEMENTS,
    SIEGE_BOX,
    places_in,
)
from referee.games.war_of_the_ring.position.position_parts import Part
from referee.games.war_of_the_ring.rules.company import fit_to_guide
from referee.games.war_of_the_ring.rules.pieces import LEADER_BITS, lift, put_character, seat_at, set_down
from referee.games.war_of_the_ring.rules.politics import FURTHEST
from referee.games.war_of_the_ring.state.armies import GROUP, UNIT_BITS, count, pack
from referee.games.war_of_the_ring.state.state import (
    ELIMINATED,
    IN_FELLOWSHIP,
    STARTING_COMPANIONS,
)
from referee.kernel.located import Spot


class BoardPart(Part):
    """Methods ``on_<key>`` take that key's value."""

    # --- regions -----------------------------------------------------------------------------

    def on_regions(self, spot: Spot) -> None:
        for key, there in spot.entries():
            name = key.word(PLACES[:REGION_COUNT])
            if name is not None:
                self._region(PLACE[name], there)

    def _region(self, place: int, spot: Spot) -> None:
        self._clear(place)
        self.standing[place] = spot
        for key, entry in spot.entries():
            known = ("units", "characters", "control", "besieged") if place in SIEGE_BOX else _ORDINARY
            what = key.word(known)
            if what == "control":
                self._control(entry, place)
            elif what == "besieged":
                self._clear(SIEGE_BOX[place])
                self.standing[SIEGE_BOX[place]] = entry
                for inner, value in entry.entries():
                    self._stand(inner.word(("units", "characters")), value, SIEGE_BOX[place])
            else:
                self._stand(what, entry, place)

    def _stand(self, what: str | None, spot: Spot, place: int) -> None:
        if what == "units":
            set_down(self.state, place, self._figures(spot))
        elif what == "characters":
            for item in spot.items():
                self._character(item, place)

    def _clear(self, place: int) -> None:
        lift(self.state, place, self.state.figures[place])

    def _figures(self, spot: Spot) -> int:
        counts: dict[str, int] = {}
        for key, entry in spot.entries():
            name = key.word(FIGURES)
            if name is not None:
                counts[name] = entry.number(0, FIGURES_IN_BOX[FIGURE[name]])
        return pack(counts)

    def _character(self, spot: Spot, place: int) -> None:
        name = spot.word(CHARACTERS)
        if name is None:
            return
        character = CHARACTER[name]
        if character in self.placed:
            spot.wrong(f"{name} stands in two places.", f"{name} steht an zwei Orten.")
        self.placed.add(character)
        put_character(self.state, character, place)

    def _control(self, spot: Spot, place: int) -> None:
        seat = spot.word(SEATS)
        if not SETTLEMENTS >> place & 1:
            spot.wrong(
                f"{PLACES[place]} is no settlement: nobody controls it.",
                f"{PLACES[place]} ist keine Siedlung: Kontrolle gibt es dort nicht.",
            )
        elif seat is not None and not OF_SEAT[SEATS.index(seat)] >> place & 1:
            self.state.captured |= 1 << place

    # --- characters, politics, losses ------------------------------------------------------------

    def on_eliminated(self, spot: Spot) -> None:
        for item in spot.items():
            self._character(item, ELIMINATED)

    def on_fallen(self, spot: Spot) -> None:
        figures = self._figures(spot)
        for figure in GROUP[figures].kinds:
            if SEAT_OF[figure] == SHADOW:
                spot.wrong(
                    f"{FIGURES[figure]}: what the Shadow loses returns to its reinforcements.",
                    f"{FIGURES[figure]}: Verluste des Schattens kehren in den Vorrat zurück.",
                )
            self.state.fallen[figure] = count(figures, figure)

    def on_politics(self, spot: Spot) -> None:
        """``gondor: at_war`` or ``gondor: active 2`` (steps from At War)."""
        for key, entry in spot.entries():
            name = key.word(NATIONS)
            if name is None:
                continue
            nation = NATION[name]
            words = [f"{side} {n}" for side in ("active", "passive") for n in range(1, FURTHEST + 1)]
            word = entry.word(("at_war", *words))
            if word is None:
                continue
            passive = word.startswith("passive")
            if passive and nation in _SHADOWS:
                entry.wrong(f"{name} is always active.", f"{name} ist immer aktiv.")
            self.state.awake = self.state.awake & ~(1 << nation) | (0 if passive else 1 << nation)
            self.state.steps[nation] = 0 if word == "at_war" else int(word[-1])

    # --- the Fellowship -------------------------------------------------------------------------------

    def on_fellowship(self, spot: Spot) -> None:
        state = self.state
        for key, entry in spot.entries():
            what = key.word(_FELLOWSHIP)
            if what == "at":
                name = entry.word(PLACES[:REGION_COUNT])
                state.ring = PLACE[name] if name is not None else state.ring
            elif what == "mordor":
                state.mordor = entry.number(0, CRACK_OF_DOOM)
            elif what == "progress":
                state.progress = entry.number(0, PROGRESS_END)
            elif what == "corruption":
                state.corruption = entry.number(0, CORRUPTION_LIMIT)
            elif what == "hidden":
                state.hidden = entry.flag()
            elif what == "moved":
                state.ring_moved = entry.flag()
            elif what == "declared":
                state.declared = entry.flag()
            elif what == "guide":
                self._guide(entry)
            elif what == "companions":
                self.company_told = True
                for item in entry.items():
                    self._companion(item)

    def _guide(self, spot: Spot) -> None:
        name = spot.word(CHARACTERS[: GOLLUM + 1])
        if name is not None:
            self.state.guide = CHARACTER[name]
            self.guide_told = True

    def _companion(self, spot: Spot) -> None:
        name = spot.word([CHARACTERS[c] for c in STARTING_COMPANIONS])
        if name is not None:
            self._character(Spot(name, spot.line, spot.path, spot.problems), IN_FELLOWSHIP)

    def _finish_company(self, body: Spot) -> None:
        """Whoever is not named travels along; with a named company he is out of the game."""
        state = self.state
        for character in STARTING_COMPANIONS:
            if character not in self.placed:
                put_character(state, character, ELIMINATED if self.company_told else IN_FELLOWSHIP)
        fit = fit_to_guide(state)
        if not fit:
            state.guide = GOLLUM
            put_character(state, GOLLUM, IN_FELLOWSHIP)
        elif not self.guide_told:
            state.guide = next(places_in(fit))
        elif not fit >> state.guide & 1:
            body.wrong(
                f"{CHARACTERS[state.guide]} is not the companion of the highest level in the Fellowship.",
                f"{CHARACTERS[state.guide]} ist nicht der höchste Gefährte in der Gemeinschaft.",
            )

    # --- whole-board checks ------------------------------------------------------------------------------

    def finish_board(self, body: Spot) -> None:
        """What must hold for the board as a whole; counts the reinforcements."""
        state = self.state
        self._finish_company(body)
        for place, spot in self.standing.items():
            self._check_place(place, spot)
        standing = sum(state.figures)
        for figure, number in enumerate(FIGURES_IN_BOX):
            there = count(standing, figure) + state.fallen[figure]
            if there > number:
                body.wrong(
                    f"there are {number} figures of {FIGURES[figure]}, and {there} stand or have fallen.",
                    f"von {FIGURES[figure]} gibt es {number} Figuren, {there} stehen oder sind gefallen.",
                )
            state.supply[figure] = max(number - there, 0)
        if state.mordor >= 0 and state.progress:
            state.progress = 0

    def _check_place(self, place: int, spot: Spot) -> None:
        state = self.state
        name = PLACES[place]
        if state.armies[FREE] & state.armies[SHADOW] & 1 << place:
            spot.wrong(
                f"{name}: units of both sides cannot stand together; a garrison stands under `besieged`.",
                f"{name}: Einheiten beider Seiten können nicht zusammen stehen; "
                "eine Besatzung gehört unter `besieged`.",
            )
        units = GROUP[state.figures[place] & UNIT_BITS].units
        limit = ARMY_LIMIT if place < REGION_COUNT else SIEGE_LIMIT
        if units > limit:
            spot.wrong(
                f"{name}: at most {limit} units stand here, not {units}.",
                f"{name}: Hier stehen höchstens {limit} Einheiten, nicht {units}.",
            )
        if state.figures[place] & LEADER_BITS and not state.armies[FREE] >> place & 1:
            spot.wrong(f"{name}: leaders need an army.", f"{name}: Anführer brauchen eine Armee.")
        if place >= REGION_COUNT:
            self._check_siege(place, spot)

    def _check_siege(self, box: int, spot: Spot) -> None:
        seat, region = seat_at(self.state, box), REGION_OF_BOX[box]
        if region in self.embattled:
            return
        if seat < 0 or seat_at(self.state, region) != 1 - seat:
            spot.wrong(
                f"{PLACES[region]}: a siege needs a garrison inside and an enemy army outside.",
                f"{PLACES[region]}: Eine Belagerung braucht eine Besatzung und feindliche Einheiten davor.",
            )


_ORDINARY = ("units", "characters", "control")
_FELLOWSHIP = (
    "at",
    "mordor",
    "progress",
    "hidden",
    "corruption",
    "companions",
    "guide",
    "moved",
    "declared",
)
_SHADOWS = tuple(n for n in range(len(NATIONS)) if SEAT_OF[2 * n] == SHADOW)

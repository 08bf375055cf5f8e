"""Chapter VIII: characters become ready, enter play and move."""

from __future__ import annotations

from functools import cache

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.rules.asking import NUMBERS, Ask, box_value, choose, refuse_all
from referee.games.five_armies.rules.fate import add_wrath
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.rules.victory import beorn_entered
from referee.games.five_armies.state.state import ELIMINATED, NOT_IN_PLAY, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

# --- being ready -------------------------------------------------------------------------------


def is_ready(state: State, character: int) -> bool:
    """Whether a character who has not entered play may be brought in now."""
    if state.where[character] != NOT_IN_PLAY:
        return False
    if character == box.BOLG:
        if state.armies[SHADOW] & board.IN_TERRITORY[board.VALLEY]:
            return True
        return state.house["bolg_ready"] != "army_in_valley" and bool(
            state.control & board.IN_TERRITORY[board.VALLEY]
        )
    space = state.fate_space[character]
    return 0 <= space <= state.fate


def why_not_ready(state: State, character: int) -> Refusal | None:
    """Why a character is not ready."""
    about = {"character": CHARACTERS[character]}
    where = state.where[character]
    if where >= 0:
        return Refusal("char.must_be_ready", "in_play_already", about)
    if where == ELIMINATED:
        return Refusal("char.must_be_ready", "eliminated", about)
    if is_ready(state, character):
        return None
    if character == box.BOLG:
        return Refusal("bolg.ready_condition", "no_army_in_valley", about)
    return Refusal("char.must_be_ready", "fate_not_there", {**about, "space": state.fate_space[character]})


# --- entering play -----------------------------------------------------------------------------

ENTRY_PLACES: tuple[str, ...] = (
    *board.REGIONS,
    "own_army",
    "own_settlement",
    *(f"territory.{territory}" for territory in board.TERRITORIES),
    "any_region",
)
"""What a character's card can say about where he enters."""
DIE_OF_SEAT = (
    ("character", "muster", "muster_army", "event", "will_of_the_west", "any"),
    ("character", "army", "muster", "muster_army", "event", "lidless_eye", "any"),
)


def learn_entry(state: State, character: int, *, die: bool = True) -> Ask:
    """Ask once for the entry die and region on a character's card, where the box book does not tell.

    Where a card brings him in, no ``die`` is needed.
    """
    seat = box.SEAT_OF_CHARACTER[character]
    name = CHARACTERS[character]
    about = {"character": name}
    if die:
        yield from box_value(
            state,
            f"entry_die.{name}",
            seat,
            "prompt.ask_entry_die",
            DIE_OF_SEAT[seat],
            about,
            "char.entry_by_die",
        )
    if character != box.LORD:
        yield from box_value(
            state,
            f"entry_place.{name}",
            seat,
            "prompt.ask_entry_place",
            ENTRY_PLACES,
            about,
            "char.entry_extra_terms",
        )


def set_rating(state: State, character: str, rating: int) -> None:
    """A character's leadership from now on."""
    ratings = list(state.ratings)
    ratings[box.CHARACTER[character]] = rating
    state.ratings = tuple(ratings)


def raise_rating(state: State, character: str, by: int) -> None:
    """A character's leadership rises for the rest of the game."""
    set_rating(state, character, state.ratings[box.CHARACTER[character]] + by)


def die_fits_entry(state: State, character: int, face: int) -> bool:
    """Whether a die face brings a ready character in, by the card's terms (any, while they are unknown)."""
    wanted = state.values.get(f"entry_die.{CHARACTERS[character]}", "any")
    faces = wanted if isinstance(wanted, list) else [wanted]
    shown = box.FACES[face]
    if "any" in faces or shown in faces:
        return True
    if face == box.F_WEST:
        return any(name != "lidless_eye" for name in faces)
    return face != box.F_EYE and shown == "muster_army" and ("muster" in faces or "army" in faces)


def entry_places(state: State, character: int) -> int:
    """Mask of the places where a character may enter now."""
    if character == box.LORD:
        return 1 << board.EYRIE
    seat = box.SEAT_OF_CHARACTER[character]
    barred = state.control if seat == FREE else board.STRONGHOLDS & ~state.control
    barred |= state.armies[1 - seat] | (state.armies[FREE] if character == box.BEORN else 0)
    return _entry_mask(state, seat, _entry_by_card(state, character)) & ~barred


def _entry_by_card(state: State, character: int) -> str:
    return str(state.values.get(f"entry_place.{CHARACTERS[character]}", "any_region"))


def _entry_mask(state: State, seat: int, wanted: str) -> int:
    if wanted in PLACE:
        return 1 << PLACE[wanted]
    if wanted == "own_army":
        return state.armies[seat] & board.ALL_REGIONS
    if wanted == "own_settlement":
        return board.SETTLEMENTS & (~state.control if seat == FREE else state.control)
    if wanted.startswith("territory."):
        return board.IN_TERRITORY[board.TERRITORIES.index(wanted.removeprefix("territory."))]
    return board.ALL_REGIONS


def why_not_enter(state: State, character: int, face: int) -> Refusal | None:
    """Why a character cannot be brought in with a die face now."""
    if (refusal := why_not_ready(state, character)) is not None:
        return refusal
    about = {"character": CHARACTERS[character], "face": box.FACES[face]}
    if not die_fits_entry(state, character, face):
        return Refusal("char.entry_by_die", "other_die", about)
    if entry_places(state, character):
        return None
    seat, said = box.SEAT_OF_CHARACTER[character], _entry_by_card(state, character)
    wanted = _entry_mask(state, seat, said)
    if not wanted:  # no army, no settlement of one's own
        return Refusal("char.entry_extra_terms", "entry_elsewhere", {**about, "entry_place": said})
    if wanted & state.armies[1 - seat]:
        return Refusal("char.entry_blocked_units", "entry_occupied", about)
    if character == box.BEORN and (joined := wanted & state.armies[FREE]):
        return Refusal("beorn.never_ends_with_units", "army_there", {**about, "place": OPTIONS[joined][0]})
    return Refusal("char.entry_blocked_control", "entry_controlled", about)


def enter_play(state: State, character: int) -> Ask:
    """Bring a ready character into play, where his card says; Beorn's entry may end the game."""
    seat = box.SEAT_OF_CHARACTER[character]
    mask = entry_places(state, character)
    if not mask:
        return  # a card may make him ready where he cannot come
    chosen = yield from choose(
        seat,
        "prompt.entry_place",
        OPTIONS[mask],
        domain="place",
        about={"character": CHARACTERS[character]},
        rule="char.entry_extra_terms",
        refused=lambda: refuse_all(PLACES, lambda p: _why_not_entry_place(state, character, p, mask)),
    )
    put_in_play(state, character, PLACE[chosen])


def _why_not_entry_place(state: State, character: int, place: int, mask: int) -> Refusal | None:
    if mask >> place & 1:
        return None
    seat = box.SEAT_OF_CHARACTER[character]
    about = {"character": CHARACTERS[character], "place": PLACES[place]}
    if state.armies[1 - seat] >> place & 1:
        return Refusal("char.entry_blocked_units", "enemy_army_there", about)
    if seat == FREE and state.control >> place & 1:
        return Refusal("char.entry_blocked_control", "enemy_control", about)
    if character == box.BEORN and state.armies[FREE] >> place & 1:
        return Refusal("beorn.never_ends_with_units", "army_there", about)
    about["entry_place"] = _entry_by_card(state, character)
    return Refusal("char.entry_extra_terms", "entry_elsewhere", about)


def put_in_play(state: State, character: int, place: int) -> None:
    """Stand a character on the board with what he enters with."""
    put_character(state, character, place)
    if character == box.BOLG:
        held = state.control >> board.RUINS_OF_DALE & 1
        state.bodyguards = box.BODYGUARDS_WITH_DALE if held else box.BODYGUARDS_AT_ENTRY
    elif character == box.BEORN:
        add_wrath(state, box.WRATH_AT_ENTRY)
        beorn_entered(state)


# --- moving ------------------------------------------------------------------------------------


@cache
def reach(place: int, steps: int, open_passes: int) -> int:
    """Mask of the places a character gets to in up to ``steps`` regions; armies do not hinder him."""
    mask = edge = 1 << place
    for _ in range(steps):
        near = 0
        for here in places_in(edge):
            near |= board.STEPS[here]
        near &= board.ALL_REGIONS | open_passes
        edge = near & ~mask
        mask |= near
    return mask & ~(1 << place)


def movable_characters(state: State, seat: int) -> int:
    """Mask of the own characters on the board who move by the rules for characters."""
    found, walkers, where = 0, box.WALKERS[seat], state.where
    for character in range(len(CHARACTERS)):
        if walkers >> character & 1 and where[character] >= 0:
            found |= 1 << character
    return found


def move_characters(state: State, seat: int) -> Ask:
    """Any number of own characters go, each at most as far as his card says."""
    moved = 0
    while True:
        character = yield from _choose_character(state, seat, moved)
        if character < 0:
            return
        moved |= 1 << character
        yield from _walk(state, seat, character)


def _choose_character(state: State, seat: int, moved: int) -> Ask:
    left = movable_characters(state, seat) & ~moved
    options = tuple(CHARACTERS[c] for c in places_in(left))
    chosen = yield from choose(
        seat,
        "prompt.choose_character",
        (*options, "done") if moved else options,
        domain="character",
        rule="char.move_any_number",
        refused=lambda: refuse_all(CHARACTERS, lambda c: why_not_move(state, seat, c, moved)),
        ask_forced=bool(left),
    )
    return -1 if chosen == "done" else box.CHARACTER[chosen]


def _walk(state: State, seat: int, character: int) -> Ask:
    steps = yield from movement_rating(state, seat, character)
    origin = state.where[character]
    mask = reach(origin, steps, board.PASSES & ~state.closed_passes)
    if not mask:
        return
    to = yield ChooseOne(
        SEATS[seat],
        "prompt.character_destination",
        OPTIONS[mask],
        domain="place",
        about={"character": CHARACTERS[character], "from": PLACES[origin], "steps": steps},
        rule="char.move_rating",
        refused=lambda: refuse_all(PLACES, lambda p: _why_not_walk(origin, p, mask, steps)),
    )
    put_character(state, character, PLACE[to])


def movement_rating(state: State, seat: int, character: int) -> Ask:
    """The printed movement of a character; asked once where the box book does not tell."""
    known = box.MOVEMENT[character]
    name = CHARACTERS[character]
    if known is not None and f"movement.{name}" not in state.values:
        return known
    value = yield from box_value(
        state,
        f"movement.{name}",
        seat,
        "prompt.ask_movement",
        NUMBERS[:9],
        {"character": name},
        "char.printed_values",
    )
    return int(value)


def why_not_move(state: State, seat: int, character: int, moved: int) -> Refusal | None:
    """Why a character cannot go in this action."""
    about = {"character": CHARACTERS[character]}
    if box.SEAT_OF_CHARACTER[character] != seat:
        return Refusal("char.move_any_number", "not_yours", about)
    if moved >> character & 1:
        return Refusal("char.move_rating", "moved_already", about)
    if state.where[character] < 0:
        return Refusal("char.must_be_ready", "not_in_play", about)
    if character == box.BEORN:
        return Refusal("beorn.move_is_not_character_move", "own_rules", about)
    if character == box.LORD:
        return Refusal("eagles.outside_normal_rules", "own_rules", about)
    return None


def _why_not_walk(origin: int, place: int, mask: int, steps: int) -> Refusal | None:
    if mask >> place & 1 or place == origin:
        return None
    about = {"from": PLACES[origin], "place": PLACES[place], "steps": steps}
    if place >= board.REGION_COUNT:
        return Refusal("board.goblin_boxes_not_regions", "no_region", about)
    return Refusal("char.move_rating", "too_far", about)

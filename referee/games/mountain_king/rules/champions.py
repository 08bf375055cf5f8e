"""Chapter "Champions vergeben": from left to right, winner, consolations, figures, outsiders."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS, OUTSIDER, SEATS
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.asking import choose_place, of_another, report, why_each
from referee.games.mountain_king.rules.caverns import dominated
from referee.games.mountain_king.rules.pieces import gain_honour, gain_votes, place_figure
from referee.games.mountain_king.state.grid import with_symbols
from referee.games.mountain_king.state.state import State, playing, reckon_powers
from referee.games.mountain_king.state.tracks import Track
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

VOTE, HONOUR = "vote", "honour"


def fill_display(state: State, deck: int) -> Ask:
    """A champion more than there are players, from left to right as they are drawn."""
    while len(state.display) < len(playing(state)) + 1:
        left = [one for one in state.box.decks[deck] if not state.gone >> one & 1]
        if not left:
            return
        drawn = yield from draw_champion(state, deck, "prompt.display", "setup.champion_display")
        state.display.append(drawn)
        state.influence.append([])


def draw_champion(state: State, deck: int, prompt: str, rule: str, seat: int = -1) -> Ask:
    """The next card of a deck, as the table tells it."""
    left = [CHAMPIONS[one] for one in state.box.decks[deck] if not state.gone >> one & 1]
    about = {"deck": f"deck_{deck}"} if seat < 0 else {"deck": f"deck_{deck}", "seat": SEATS[seat]}
    drawn = yield from report(state, prompt, left, rule=rule, domain="champion", about=about)
    champion = box.CHAMPION[drawn]
    state.gone |= 1 << champion
    return champion


# --- the end of a wave ----------------------------------------------------------------------------------


def award_next(state: State) -> Ask:
    """The first champion of the display goes to whoever leads on its track, or out of the game."""
    champion, track = state.display[0], state.influence[0]
    track = [row for row in track if not state.left >> row[0] & 1]
    if track:
        winner = track[0][0]
        clan = yield from winners_clan(state, winner, champion)
        choices = yield from consolations(state, champion, track[1:])
        place = yield from figure_place(state, winner, champion)
        remove_from_display(state)
        win(state, winner, champion, clan)
        for seat, votes_of, honour in choices:
            if votes_of != OUTSIDER:
                gain_votes(state, seat, votes_of, 1)
            gain_honour(state, seat, honour, "champion.consolation", CHAMPIONS[champion])
        if place >= 0:
            place_figure(state, winner, champion, place)
        yield from occasions.instant(state, winner, champion)
    else:
        remove_from_display(state)


def remove_from_display(state: State) -> None:
    """The card leaves the display, and all discs on it go back to their owners."""
    del state.display[0], state.influence[0]


def win(state: State, seat: int, champion: int, clan: int) -> None:
    """The card is a seat's now: its votes, symbols and abilities."""
    card = state.box.champions[champion]
    state.won[seat].append(champion)
    gain_votes(state, seat, clan, card.votes)
    if card.symbols:
        state.grids[seat] = with_symbols(state.grids[seat], card.symbols)
    reckon_powers(state)


def winners_clan(state: State, seat: int, champion: int) -> Ask:
    """Whose votes a champion brings: of an outsider those of one clan of choice."""
    clan = state.box.champions[champion].clan
    if clan != OUTSIDER:
        return clan
    chosen = yield from of_another(
        state,
        seat,
        ChooseOne(
            SEATS[seat],
            "prompt.outsider_clan",
            CLANS,
            domain="clan",
            about={"champion": CHAMPIONS[champion], "count": state.box.champions[champion].votes},
            rule="champion.outsider",
        ),
        CLANS[0],
    )
    return CLANS.index(chosen)


def consolations(state: State, champion: int, track: Track) -> Ask:
    """Each of the others, from the most influence down: a vote, or honour for the yellow lines passed.

    Returns for each the seat, the clan of its vote (-1: none) and its honour.
    """
    card, found = state.box.champions[champion], []
    for seat, influence in track:
        lines = card.lines_passed(influence)
        about = {"champion": CHAMPIONS[champion], "count": lines}
        request = ChooseOne(
            SEATS[seat], "prompt.consolation", (VOTE, HONOUR), about=about, rule="champion.consolation"
        )
        chosen = yield from of_another(state, seat, request, HONOUR)
        if chosen == HONOUR:
            found.append((seat, OUTSIDER, lines))
            continue
        clan = card.clan
        if clan == OUTSIDER:
            clan = yield from _vote_of_choice(state, seat, champion)
        found.append((seat, clan, 0))
    return found


def _vote_of_choice(state: State, seat: int, champion: int) -> Ask:
    about = {"champion": CHAMPIONS[champion], "count": 1}
    request = ChooseOne(
        SEATS[seat], "prompt.outsider_clan", CLANS, domain="clan", about=about, rule="champion.outsider"
    )
    chosen = yield from of_another(state, seat, request, CLANS[0])
    return CLANS.index(chosen)


def figure_place(state: State, seat: int, champion: int) -> Ask:
    """Where a won lettered champion's figure stands; -1 where there is none."""
    if not state.box.champions[champion].is_figure or state.left >> seat & 1:
        return -1
    mask = dominated(state, seat)
    place = yield from choose_place(
        seat,
        "prompt.figure",
        mask,
        rule="champion.figure",
        about={"champion": CHAMPIONS[champion]},
        refused=why_each(
            (state.box.caverns | state.box.lairs) & ~mask,
            lambda place: Refusal("champion.figure", "not_dominated", {"place": box.PLACES[place]}),
        ),
    )
    return place

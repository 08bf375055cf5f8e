"""How a recorded game ended, and saying so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.archive import TEXTS
from referee.archive.exchange import OF_THE_TABLE
from referee.journal.endings import DRAW
from referee.journal.line import line_of, replay
from referee.journal.pending import PendingMatters
from referee.kernel.at_table import game_of
from referee.kernel.naming import namer
from referee.kernel.play import Game, Outcome
from referee.kernel.seats import seats_of
from referee.store.recover import Loaded


def outcome_of(loaded: Loaded, snapshots: Mapping[int, tuple[str, str]] | None = None) -> Outcome | None:
    """The outcome of a game as recorded (None: it still runs); ``snapshots`` spare playing all of it."""
    game = game_of(loaded.header)
    resigned = PendingMatters.of(loaded.events).outcome(seats_of(game, loaded.header), None)
    if resigned is not None:
        return resigned
    return replay(game, loaded.header["options"], line_of(loaded.events), snapshots or {})[0].outcome


def told_result(game: Game[Any], header: Mapping[str, Any], outcome: Outcome | None, language: str) -> str:
    """The result in one sentence, with the players' names."""

    def t(message: str, **params: Any) -> str:
        return TEXTS.text(f"slip.{message}", language, params)

    if outcome is None:
        return t("unfinished")
    if outcome.rule.startswith(OF_THE_TABLE) and outcome.rule != "table.resignation":
        return _told_ending(game, header, outcome, language)
    if not outcome.winners:
        return t("draw")
    rule = game.catalogue.get(outcome.rule)
    title = rule.title(language) if rule else outcome.rule
    names = [player_of(game, header, seat, language) for seat in outcome.winners]
    if len(names) > 1:
        winners = t("and", first=", ".join(names[:-1]), last=names[-1])
        return t("shared", winners=winners, rule=title)
    if outcome.rule == "table.resignation":
        return t("won_by_resignation", winner=names[0])
    return t("won", winner=names[0], rule=title)


def _told_ending(game: Game[Any], header: Mapping[str, Any], outcome: Outcome, language: str) -> str:
    """That people ended the game, who won, and why."""
    params = outcome.params
    seat = player_of(game, header, str(params["seat"]), language) if params.get("seat") else ""
    how = outcome.rule.removeprefix(OF_THE_TABLE)
    said = TEXTS.text(f"happened.ended_{how}", language, {"seat": seat})
    names = ", ".join(player_of(game, header, one, language) for one in outcome.winners)
    won = "no_winner" if not names else "winner" if len(outcome.winners) == 1 else "winners"
    parts = [said] if how == DRAW else [said, TEXTS.text(f"happened.{won}", language, {"names": names})]
    reason = str(params.get("reason") or "")
    return ": ".join(filter(None, ("; ".join(parts), reason)))


def player_of(game: Game[Any], header: Mapping[str, Any], seat: str, language: str) -> str:
    """The name of who plays ``seat``; the seat's own where none was given."""
    return str(header["players"].get(seat) or namer(game, language).name(seat, "seat"))


def told_players(game: Game[Any], header: Mapping[str, Any], language: str) -> str:
    """Who played what, in the game's order."""
    names = namer(game, language)
    return ", ".join(
        f"{names.name(seat, 'seat')}: {header['players'].get(seat) or '–'}" for seat in seats_of(game, header)
    )

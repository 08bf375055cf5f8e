"""What every piece, symbol, track and card does, in both languages."""

from __future__ import annotations

import re

import pytest

from referee.games.war_of_the_ring.game import GAME

UNFILLED = re.compile(r"\{|help\.|[a-z]_[a-z]")


@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_is_explained_in_words_and_leads_to_a_rule(language: str) -> None:
    for kind, name in GAME.explained():
        told = GAME.explain_piece(kind, name, language)
        assert told is not None, (kind, name)
        assert told["rule"] in GAME.catalogue, (kind, name)
        for part in ("title", "text"):
            assert told[part] and not UNFILLED.search(told[part]), (kind, name, told[part])


def test_what_does_not_exist_is_not_explained() -> None:
    assert GAME.explain_piece("card", "no_such_card", "en") is None


def test_every_hunt_tile_has_a_picture_of_our_own() -> None:
    from referee.games.war_of_the_ring.box.components import TILES

    drawn = [GAME.token_picture("tile", tile.id) for tile in TILES]
    assert all(picture and (picture.get("text") or picture.get("shape")) for picture in drawn)
    looks = [str(picture) for picture in drawn]
    assert len(set(looks)) == len(looks) - 1  # two of the Free Peoples' tiles show the same nought
    assert GAME.token_picture("place", "moria") is None

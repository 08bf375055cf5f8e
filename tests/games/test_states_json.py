"""The JSON of states, to the byte: what a state was written as when it was written by hand.

The digests were taken from 2,500 positions of random games before any state was
declared by a schema.  They stand while ``rules_version`` stands; where a rule
changes, the positions of the same seeds are others, and the digest is taken anew.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import pytest

from referee.kernel.play import Play, canonical_json
from referee.kernel.registry import load_game

POSITIONS = 2_500
SEED = 5
WRITTEN = {
    ("five_armies", ""): "399151f70b7f7b7ff1442d4631bab6cd2841b445c08eb59d5b843c5358344e71",
    ("war_of_the_ring", "second"): "6a56d24d53843e64c5d7ceee770e621ea09dc365393578d508f2a28fd98adc87",
    ("war_of_the_ring", "first"): "17c26b0752186afa09231637632ab2aa7ef69c9df8a60a99e1f3194a129934f8",
}


def json_of_a_random_walk(game: Any, options: dict[str, Any]) -> str:
    """The digest of the positions' JSON, one a line; each is copied and read back on the way."""
    rng = Random(SEED)
    digest = hashlib.sha256()
    looked_at = 0
    while looked_at < POSITIONS:
        play: Play[Any] = Play(game, game.new_state(options), audit=False, keep=False)
        while play.request is not None and looked_at < POSITIONS:
            data = game.to_json(play.state)
            digest.update(canonical_json(data).encode() + b"\n")
            if looked_at % 25 == 0:
                again = game.from_json(data)
                for other in (again, game.copy(play.state)):
                    assert game.to_json(other) == data
                    for name in type(other).__slots__:
                        kept, found = getattr(play.state, name), getattr(other, name)
                        assert kept == found or type(kept).__eq__ is object.__eq__, name
            play.answer_unchecked(play.request.sample(rng))
            looked_at += 1
    return digest.hexdigest()


@pytest.mark.parametrize(("name", "edition"), WRITTEN)
def test_states_are_written_to_the_byte_as_they_were(name: str, edition: str) -> None:
    options = {"edition": edition} if edition else {}
    assert json_of_a_random_walk(load_game(name), options) == WRITTEN[name, edition]

"""Rare positions (nations at peace, sieges, nothing left in the supply): no request without an answer."""

from __future__ import annotations

import pytest
import rare_states


@pytest.mark.parametrize(("name", "states"), [(rare_states.FIVE, 25), (rare_states.RING, 10)])
def test_no_request_of_a_rare_position_is_without_an_answer(name: str, states: int) -> None:
    found = rare_states.play_rare(name, 1, states)
    assert found.failures == []
    assert found.states > states / 2 and found.answers > 20 * found.states

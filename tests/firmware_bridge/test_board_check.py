"""Check the board by light: every change is visited, nothing else, and nothing is decided here."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.hall.board_check import BoardCheck, contents
from referee.kernel.lights import PALETTE, Light, Meaning
from referee.kernel.registry import load_game

ORDER = ["gate", "hill", "vale", "camp"]


def _place(*pieces: tuple[str, int], markers: tuple[tuple[str, int], ...] = ()) -> dict[str, Any]:
    def items(some: tuple[tuple[str, int], ...]) -> list[dict[str, Any]]:
        return [{"id": i, "name": i.upper(), "seat": "a", "count": n, "short": ""} for i, n in some]

    return {"owner": "a", "pieces": items(pieces), "markers": items(markers)}


def test_only_what_changed_is_visited_in_the_order_of_the_board() -> None:
    before = contents({"gate": _place(("elf", 2)), "vale": _place(("orc", 1)), "camp": _place(("wolf", 1))})
    now = contents({"gate": _place(("elf", 2)), "vale": _place(("orc", 2)), "hill": _place(("wolf", 1))})
    check = BoardCheck.since(before, now, ORDER)
    assert check.places == ("hill", "vale", "camp"), "new, changed, and left empty"
    assert BoardCheck.since(None, now, ORDER).places == ("gate", "hill", "vale")
    assert BoardCheck.since(now, now, ORDER).current is None


def test_markers_count_and_names_do_not() -> None:
    plain, damaged = _place(("elf", 2)), _place(("elf", 2), markers=(("damage", 1),))
    renamed = _place(("elf", 2))
    renamed["pieces"][0]["name"] = "Elb"
    assert contents({"gate": plain}) == contents({"gate": renamed}) != contents({"gate": damaged})


def test_figures_listed_one_by_one_are_counted() -> None:
    one, two = _place(("elf", 1)), _place(("elf", 1), ("elf", 1))
    assert contents({"gate": one}) != contents({"gate": two}) == contents({"gate": _place(("elf", 2))})


def test_a_walk_with_a_difference_and_a_step_back() -> None:
    control, fight = PALETTE[Meaning.CONTROL_A], PALETTE[Meaning.FIGHT]
    usual = {"gate": control, "vale": fight, "camp": Light(9, 9, 9)}
    check = BoardCheck(("hill", "gate"))
    assert check.lights(usual) == {"gate": control, "hill": PALETTE[Meaning.AUDIT]}
    check.answer(True)
    assert check.lights(usual) == {"gate": PALETTE[Meaning.AUDIT]}
    check.answer(False)
    assert check.current is None and check.differing == ("gate",) and check.lights(usual) == usual
    check.back()
    check.answer(True)
    check.answer(True)
    assert check.differing == ()


@given(
    st.dictionaries(st.sampled_from(ORDER), st.integers(0, 3)),
    st.dictionaries(st.sampled_from(ORDER), st.integers(0, 3)),
)
def test_no_change_is_missed(before: dict[str, int], now: dict[str, int]) -> None:
    def seen(some: dict[str, int]) -> dict[str, Any]:
        return contents({place: _place(*[("elf", n)] if n else []) for place, n in some.items()})

    check = BoardCheck.since(seen(before), seen(now), ORDER)
    assert set(check.places) == {p for p in ORDER if before.get(p, 0) != now.get(p, 0)}


POSITION = """
regions:
  v_dale_west_plain: {units: {orcs: ORCS}, damage: 1}
  camp: {units: {lake_men: 2}, characters: [bard]}
"""


def test_it_reads_the_view_of_a_real_game() -> None:
    game: Any = load_game("five_armies")

    def seen(orcs: int, language: str) -> dict[str, Any]:
        state = game.new_state({"position": POSITION.replace("ORCS", str(orcs))})
        return contents(game.view(state, None, language)["places"])

    assert seen(2, "de") == seen(2, "en")
    check = BoardCheck.since(seen(2, "de"), seen(3, "de"), list(game.board().places))
    assert check.places == ("v_dale_west_plain",)
    assert "camp" in BoardCheck.since(None, seen(2, "de"), list(game.board().places)).places

"""What the owner may tell of his box, and where tables may choose: as forms for screens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.kit.house import form_of_ways
from referee.games.war_of_the_ring.box.components import FIGURE, FIGURES_IN_BOX, NATIONS, UNIT_COUNT
from referee.games.war_of_the_ring.box.editions import EDITIONS, SECOND
from referee.games.war_of_the_ring.box.house import HOUSE_RULES
from referee.games.war_of_the_ring.rules.setup import UNKNOWN_STARTS, start_limits, starting_figures
from referee.kernel.forms import Field
from referee.kernel.messages import Text


def box_book_form() -> tuple[Field, ...]:
    """All entries of the box book: where the first edition's set-up may differ from the second's."""
    return tuple(_set_up())


def _set_up() -> Iterator[Field]:
    for region, nation in UNKNOWN_STARTS.items():
        shipped = starting_figures(nation)[region]
        for figure, most in start_limits(region, nation).items():
            yield Field(
                f"setup.{region}.{figure}",
                tuple(map(str, range(most + 1))),
                "form.setup_figure",
                "form.group.setup",
                {"place": region, "figure": figure},
                shipped=str(shipped.get(figure, 0)),
                source="rulebook of the second edition",
                certainty="low",
            )


def box_book_problems(values: Mapping[str, str]) -> list[Text]:
    """What entries of the box book cannot stand together, in English and German."""
    problems = []
    for nation in NATIONS:
        placed = dict.fromkeys(starting_figures(nation), 0)
        for region, counts in starting_figures(nation).items():
            told = {
                name: int(values.get(f"setup.{region}.{name}", number)) for name, number in counts.items()
            }
            placed[region] = sum(n for name, n in told.items() if FIGURE[name] < UNIT_COUNT)
            leaders = told.get(f"{nation}_leader", 0)
            if leaders and not placed[region]:
                problems.append(Text("war_of_the_ring.leader_would_start_without", region=region))
    for figure, number in FIGURE.items():
        total = _total(figure, values)
        if total > FIGURES_IN_BOX[number]:
            problems.append(
                Text(
                    "war_of_the_ring.would_start",
                    figure=figure,
                    total=total,
                    there=FIGURES_IN_BOX[number],
                )
            )
    return problems


def _total(figure: str, values: Mapping[str, str]) -> int:
    return sum(
        int(values.get(f"setup.{region}.{figure}", counts[figure]))
        for nation in NATIONS
        for region, counts in starting_figures(nation).items()
        if figure in counts
    )


def house_rules_form() -> tuple[Field, ...]:
    """The edition, then each house rule; its first way is the ruling that stands."""
    edition = Field(
        "edition",
        tuple(EDITIONS)[::-1],
        "house.edition",
        "form.group.house",
        domain="edition",
        shipped=SECOND.id,
    )
    return (edition, *form_of_ways(HOUSE_RULES))

"""The committed cross-validated figures: both ways of leaving out, and how they are printed."""

from __future__ import annotations

from vision.bench import Label, cross_validated, report_cross_validated
from vision.training.calibrate import unseen


def _label(file: str, source: str) -> Label:
    return Label(file, source, (1,), (), True)


LABELS = [_label(f"{s}/{i}", s) for s in ("a", "b", "never") for i in range(4)]
LEARNT = {x.file: x.source for x in LABELS if x.source != "never"}


def test_a_source_left_out_is_all_of_it_also_what_could_not_be_learnt() -> None:
    assert {x.file for x in unseen(LABELS, LEARNT, "a,never")} == {x.file for x in LABELS if x.source != "b"}


def test_a_third_is_left_out_with_what_was_never_learnt() -> None:
    files = {x.file for x in unseen(LABELS, LEARNT, "third:0")}
    assert files == {"a/0", "a/3", "b/0", "b/3", *(f"never/{i}" for i in range(4))}


def test_both_tables_and_the_curves_are_printed() -> None:
    figures = cross_validated()
    sources = figures["sources_left_out"]
    assert sources["all"]["pictures"] == sum(s["pictures"] for s in sources["sources"].values()) == 183
    text = report_cross_validated(figures)
    for name, shares in sources["committed"]["sources"].items():
        assert any(line.startswith(name) and f"{shares['ask']:.1%}" in line for line in text.splitlines())
    assert text.count("for each threshold of confidence") == 3

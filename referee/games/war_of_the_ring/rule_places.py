"""Where in the code a rule is carried out: rule to functions, for coverage.

The files ``catalogue/code*.yaml`` map rule ids to ``module:function`` inside
this package.  Rules that a request asks by or a refusal cites need no entry.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.war_of_the_ring.catalogue import CODE, FOLDER, entries, read_yaml
from referee.kernel.code_places import CodePlaces


def _names() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob(f"{CODE}*.yaml")):
        for rule, names in (read_yaml(path.stem) or {}).items():
            found.setdefault(rule, []).extend(names)
    return found


PLACES = CodePlaces(__name__.rpartition(".")[0], _names)


def traceable(rule: str) -> bool:
    """Whether play can meet a rule in a way that is noticed: all but what is printed on components."""
    return rule in PLACES or bool(entries()[rule]["refusable"])

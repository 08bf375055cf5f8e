"""Where in the code a rule is carried out: rule to functions, for coverage.

``catalogue/code.yaml`` maps rule ids to ``module:function`` (or
``module:Class.method``) inside this package.  Rules that a request asks by or a
refusal cites need no entry.
"""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from referee.games.five_armies.catalogue import FOLDER, entries
from referee.kernel.code_places import CodePlaces


def _names() -> Mapping[str, list[str]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, list[str]] = yaml.load((FOLDER / "code.yaml").read_text(encoding="utf-8"), Loader=loader)
    return data


PLACES = CodePlaces(__name__.rpartition(".")[0], _names)


def traceable(rule: str) -> bool:
    """Whether play can meet a rule in a way that is noticed: all but what is printed on components."""
    return rule in PLACES or bool(entries()[rule]["refusable"])

"""Where in the code a rule is carried out: rule to functions, for coverage.

The files ``catalogue/code*.yaml`` map rule ids to ``module:function`` inside
this package.  Rules that a request asks by or a refusal cites need no entry.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.catalogue.loading import FILES

PLACES = FILES.code_places(__name__.rsplit(".", 2)[0])


def traceable(rule: str) -> bool:
    """Whether play can meet a rule in a way that is noticed: all but what is printed on components."""
    return FILES.traceable(rule, PLACES)

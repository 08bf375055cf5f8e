"""Which silhouette each piece and marker has: units that of their nation, elite ones with a bar."""

from __future__ import annotations

from referee.kernel.figures import figures

_NATIONS = {
    "dwarves": "dwarf-face",
    "elves": "elf-helmet",
    "gondor": "holy-oak",
    "north": "checked-shield",
    "rohan": "horse-head",
    "isengard": "hand",
    "sauron": "orc-head",
    "southrons_easterlings": "elephant-head",
}

FIGURES = figures(
    {
        **{f"{nation}_{rank}": sign for nation, sign in _NATIONS.items() for rank in ("regular", "elite")},
        **{f"{nation}_leader": "knight-banner" for nation in _NATIONS},
        "nazgul": "cowled",
        "ring_bearers": "ring",
        "gandalf_the_grey": "wizard-face",
        "gandalf_the_white": "pointy-hat",
        "strider": "hooded-figure",
        "aragorn": "crown",
        "boromir": "hunting-horn",
        "legolas": "bow-arrow",
        "gimli": "battle-axe",
        "meriadoc": "smoking-pipe",
        "peregrin": "knapsack",
        "gollum": "half-body-crawling",
        "witch_king": "overlord-helm",
        "saruman": "wizard-staff",
        "mouth_of_sauron": "visored-helm",
        "siege": "defensive-wall",
    },
    elite=[f"{nation}_elite" for nation in _NATIONS],
)

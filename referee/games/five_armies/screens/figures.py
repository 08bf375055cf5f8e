"""Which silhouette each piece and marker has."""

from __future__ import annotations

from referee.kernel.figures import figures

FIGURES = figures(
    {
        "dwarf_regulars": "dwarf-face",
        "dwarf_veterans": "dwarf-helmet",
        "elven_archers": "high-shot",
        "elven_spearmen": "spears",
        "lake_men": "drakkar",
        "eagles": "eagle-emblem",
        "goblins": "goblin-head",
        "orcs": "orc-head",
        "great_orcs": "brutal-helm",
        "wargs": "wolf-head",
        "great_bats": "evil-bat",
        "bard": "bowman",
        "dain": "warhammer",
        "gandalf": "wizard-face",
        "thranduil": "deer-head",
        "thorin": "oak",
        "bilbo": "hobbit-door",
        "beorn": "bear-head",
        "lord_of_the_eagles": "eagle-head",
        "bolg": "spiked-mace",
        "token": "hunting-horn",
        "closed_pass": "falling-rocks",
        "fortification": "stone-wall",
        "wrath": "claw-slashes",
        "bodyguard": "guards",
    }
)

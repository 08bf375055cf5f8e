"""Which silhouette each unit and marker has: by class and race, with the banner of its colour."""

from __future__ import annotations

from referee.kernel.figures import Figure, figures

_CLASSES = {
    "foot": "swordman",
    "foot_dwarf": "dwarf-face",
    "foot_goblin": "goblin-head",
    "mounted": "cavalry",
    "mounted_dwarf": "cavalry",
    "mounted_goblin": "hyena-head",
    "creature": "giant",
}
_COLOURS = ("green", "blue", "red")


def _unit(name: str, colour: str) -> str:
    """``foot_dwarf`` and ``blue`` are ``foot_blue_dwarf``."""
    kind, _, race = name.partition("_")
    return "_".join(filter(None, (kind, colour, race)))


FIGURES = {
    **{
        _unit(name, colour): Figure(sign, banner=colour)
        for name, sign in _CLASSES.items()
        for colour in _COLOURS
    },
    **figures(
        {
            "spider": "spider-alt",
            "weapon_bow": "archer",
            "weapon_crossbow": "archer",
            "weapon_spear": "pikeman",
            "weapon_lance": "pikeman",
            "weapon_long": "broadsword",
            "lair": "cave-entrance",
            "pentacle": "wizard-staff",
            "training_camp": "guards",
            "healing_pool": "droplets",
            "rogues_den": "hooded-figure",
            "ordered": "rally-the-troops",
            "spent": "walk",
        }
    ),
}

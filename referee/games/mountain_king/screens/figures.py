"""Which silhouette each piece and marker has; champions and known gnomes are told by their numbers."""

from __future__ import annotations

from referee.kernel.figures import figures

FIGURES = figures(
    {
        "troll": "ogre",
        "gnome": "bad-gnome",
        "hall": "throne-king",
        "swarm": "primitive-torch",
        "looked": "surrounded-eye",
        # symbols of the ancestry; a wild one and a blank have none
        "symbol_A": "walk",
        "symbol_B": "checked-shield",
        "symbol_I": "crown",
        "symbol_G": "pointy-hat",
        "symbol_S": "knapsack",
        "symbol_E": "wizard-face",
    }
)
SYMBOL = "symbol_"
WILD = "★"


def symbol_sign(word: str) -> tuple[str, str]:
    """How a symbol of the ancestry is drawn: its silhouette, and the number or letter beside or instead."""
    letter, number = word[:1], word[1:]
    if SYMBOL + letter in FIGURES:
        return SYMBOL + letter, number
    return "", WILD if letter == "W" else ""

"""What lies in the box: dice, units, weapons, terrain, creatures, decks, scenarios; the hexes of the board.

Data in TOML and YAML and what reads it.  The kit is all that it imports; every room of the game may enter.
"""

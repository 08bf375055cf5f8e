"""Written moves and their explanation: notation, attempts at the wrong moment, pieces.

It imports box, state, rules and cards.  Only ``game.py`` enters.
"""

"""Bots and fuzzing of this game.

It imports every other room of the game.  Scripts and tests enter.
"""

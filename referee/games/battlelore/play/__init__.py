"""Computer players and fuzzing.

Nothing of the game imports it.
"""

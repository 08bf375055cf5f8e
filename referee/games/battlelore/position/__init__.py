"""Position files and corrections.

It imports state and rules; only the game object enters.
"""

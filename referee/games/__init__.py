"""The games: the kit that all of them share, and one package a game, found by the registry.

They import the kernel only.  No other room imports them: a game is plugged in.
"""

"""The kernel: requests, candidates, refusals, flows, play, audit, names of ids, notation, positions, lights.

What every game shares and nothing about any game.  It imports no other room.
Every room may enter.
"""

"""Positions as pictures: the board as SVG, with its labels.

It imports the kernel only and knows no game.
Archive, web and the commands may enter.
"""

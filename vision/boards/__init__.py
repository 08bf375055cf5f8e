"""Boards in photographs: squared up by their corners, cut into areas, with what touches what.

Knows no game: areas have numbers and colours.  Calibration may enter.
"""

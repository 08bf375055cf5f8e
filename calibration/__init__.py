"""Calibration: what is true of this table and this box (camera, tray, dice faces, LED map, box book).

It imports vision, firmware bridge, journal and kernel; the demo does not need it.
Serving, web and the commands may enter.
"""

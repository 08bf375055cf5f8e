"""Serving: what a running table puts together (camera, lights, health, backups, certificates).

It imports every room below it, and is with the commands the only one that joins rooms by name.
Web and the commands may enter.
"""

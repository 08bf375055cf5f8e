"""Faces of dice: finding dice on the tray, describing a face, and faces that a table was taught."""

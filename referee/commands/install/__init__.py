"""Putting the table on a Pi: service, user, rules, hotspot; and the support bundle."""

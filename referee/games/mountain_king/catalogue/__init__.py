"""The rule catalogue: every rule with its page, rulings, and where in the code a rule is carried out.

Data in YAML and what reads it.  The kit is all that it imports; every room of the game may enter.
"""

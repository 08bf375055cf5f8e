"""The rules, one module a chapter of the rule text.

They know no card: they announce occasions (:mod:`occasions`), which the cards room answers.
"""

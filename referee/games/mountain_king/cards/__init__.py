"""What champions do: their abilities as data, and the functions that answer the rules' occasions.

They import box, state and rules.  Words, position, play and screens may enter.
"""

"""The rules proper: a module for each chapter of the rulebook, in its words.

They import box and state.  Cards, words, position, play and screens may enter.
"""

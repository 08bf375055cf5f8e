"""Positions of The Battle of Five Armies that tests of several rooms start from."""

BRIDGE = """\
game: five_armies
title: The bridge
position:
  turn: 3
  phase: 5
  to_act: shadow
  unused_dice: {free: [muster, event], shadow: [army, army, eye]}
  regions:
    v_west_plain:  {side: shadow, units: {orcs: 2}, leadership: 1, damage: 1}
    fallen_bridge: {tokens: {dwarves_and_men: 1}}
    camp:          {side: free, units: {lake_men: 2}, characters: [bard]}
"""
"""A file: the Shadow is to act at the river."""
CAMP = """
turn: 3
phase: 5
to_act: shadow
unused_dice: {free: [muster, event], shadow: [army, army, army]}
regions:
  v_dale_west_plain: {units: {orcs: 2}, leadership: 1}
  ruins_of_dale: {units: {goblins: 3}}
  camp: {units: {lake_men: 2}, characters: [bard]}
"""
"""A position alone: Bard's camp between two armies of the Shadow."""

"""Where cards speak in War of the Ring; the cards room registers what answers each occasion."""

from __future__ import annotations

from referee.games.kit.occasions import Occasion
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

# --- event cards: played and ended by a die -----------------------------------------------------

NO_DIE = -1
"""In place of a face: a card lets another be played without a die."""
can_play: Occasion[[State, int, int], bool] = Occasion("can_play")
"""(state, seat, face): whether the die may play a card."""
why_not_play: Occasion[[State, int, int], Refusal] = Occasion("why_not_play")
play_card: Occasion[[State, int, int], Ask] = Occasion("play_card")
resume_card: Occasion[[State], Ask] = Occasion("resume_card")
"""(state): what a card has still to do after the battle that it brought about."""
can_end_card: Occasion[[State, int, int], bool] = Occasion("can_end_card")
"""(state, seat, face): whether the die may end a card in play."""
why_not_end_card: Occasion[[State, int, int], Refusal] = Occasion("why_not_end_card")
end_card: Occasion[[State, int, int], Ask] = Occasion("end_card")

# --- cards in play: what they forbid and lift -----------------------------------------------------

closed_to_shadow: Occasion[[State], int] = Occasion("closed_to_shadow")
"""(state): mask of the regions that Shadow armies may neither enter nor attack."""
dice_stay_out_of_hunt_box: Occasion[[State], bool] = Occasion("dice_stay_out_of_hunt_box")
"""(state): whether dice that move the Fellowship stay out of the Hunt Box."""
activation_barred: Occasion[[State, int, str], bool] = Occasion("activation_barred")
"""(state, nation, cause): whether a card keeps a nation passive."""
passive_advance_barred: Occasion[[State], bool] = Occasion("passive_advance_barred")
"""(state): whether Muster dice of the Free Peoples may not advance passive nations."""
watched_regions: Occasion[[State], int] = Occasion("watched_regions")
"""(state): mask of the regions whose passing by the Ring-bearers matters to a card."""

# --- cards in play: where they speak while the game goes on ---------------------------------------

before_hunt_roll: Occasion[[State], Ask] = Occasion("before_hunt_roll")
"""(state): what cards add to each die of a Hunt roll."""
prevents_tile: Occasion[[State], Ask] = Occasion("prevents_tile")
"""(state): whether the Free Peoples prevent the drawing of a Hunt tile."""
companion_casualty: Occasion[[State, int], Ask] = Occasion("companion_casualty")
"""(state, character): a companion was taken as a casualty of the Hunt."""
ring_path: Occasion[[State, int, str], Ask] = Occasion("ring_path")
"""(state, regions, how): the Ring-bearers' figure was moved over these regions (declared or revealed)."""
expire: Occasion[[State], None] = Occasion("expire")
"""(state): the moment at which cards whose condition ended are discarded."""


after_tile: Occasion[..., Ask] = Occasion("after_tile")
"""(state, tile, damage, may_reduce): the tile that counts and its damage (None: its own)."""
happened: Occasion[..., None] = Occasion("happened")
"""(state, what, ...): something happened that may end a card in play."""

# --- combat cards --------------------------------------------------------------------------------

choose_combat_cards: Occasion[[State, Battle], Ask] = Occasion("choose_combat_cards")
any_combat_card: Occasion[[Battle], bool] = Occasion("any_combat_card")
apply_combat_cards: Occasion[[State, Battle, int], Ask] = Occasion("apply_combat_cards")
"""(state, battle, timing): the cards of one step of the combat round."""
draws_for_combat_card: Occasion[[State, Battle], Ask] = Occasion("draws_for_combat_card")
"""(state, battle): a round is over in which somebody draws for a combat card."""

"""Thresholds of the reader of pip dice in photographs, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Thresholds of the reader; chosen on the trade-off that ``referee dice bench`` prints."""

    heat: float = 0.08  # heat from which a candidate is looked at
    die: float = 0.6  # probability of being a die from which a candidate is counted
    doubtful: float = 0.2  # probability from which a candidate that is not counted is asked about
    # "not a pip face" under which the same is asked about whatever kind of die the detector sees
    doubtful_face: float = 0.1
    sure: float = 0.8  # probability of being a die under which a counted one is asked about
    no_face: float = 0.5  # "not a pip face" from which a candidate is no pip die, however die-like
    other: float = 0.5  # heat from which something that shows no pip face is named as not understood
    other_sure: float = 0.37  # the same where the detector itself calls it another kind of die
    # heat of dice of either kind from which something of the size of the dice beside it is so named, if its
    # likeliest face is less probable than this
    strange: float = 0.4
    strange_face: float = 0.7
    # heat of dice of either kind from which it is so named where no pip die was found
    other_alone: float = 0.6
    # edges from the centre to the border of the picture under which a die is asked about, even if it can be
    # read: whether it belongs to the roll cannot be seen
    cut_off: float = 0.5
    half_seen: float = 0.3  # the same under which its face is not read
    alone: float = 0.22  # heat from which something is asked about where no die was found at all,
    alone_face: float = 0.7  # if it is less surely no pip face than this,
    alone_clear: float = 0.3  # or, from this heat, less surely than the next
    alone_none: float = 0.93
    outline: float = 50.0  # and has an outline: summed slopes of L, a, b (3 of 1,156 dice have less),
    outline_share: float = 0.33  # or this share of the slopes inside
    face: float = 0.85  # confidence in the face under which a die is asked about
    faint: float = 0.3  # heat under which a die is asked about, however plain its face
    turned: float = 0.65  # heat under which a die is looked for in the picture turned by quarters, too,
    turned_sure: float = 0.7  # and asked about where its face is less probable there,
    # unless the classifiers were so sure of it at first, of a find of this heat: then it is not looked for
    turned_plain: float = 0.99
    turned_plain_heat: float = 0.52
    # probability of its face by the classifiers alone under which a die is asked about that is fainter than
    # ``strict_faint``, however well the other readings agree
    faint_face: float = 0.9
    plain_new: float = 0.95  # probability from which a face that only a further look finds is plain
    # the same two in pictures that are asked about anyhow: what disturbed one die may have disturbed others
    strict_face: float = 0.98
    strict_faint: float = 0.45
    rival: float = 0.75  # relative heat of a second face: the die leans
    weak: float = 0.65  # heat under which it is looked whether the die has another face above this one
    shaky: float = 0.5  # heat under which a find is also read a little higher in the picture
    above: float = 0.6  # probability of a pip face there from which this one may be a side
    smallest: float = 15.5  # pixels of the picture under which dice are asked about: others may be missed
    # median edge in pixels (smaller dice are seen too large) under which a die is asked about unless the
    # classifiers give its face this probability, and so is what is as hot as this as a die of either kind
    few_pixels: float = 22.0
    few_face: float = 0.985
    lost: float = 0.45
    part_heat: float = 0.4  # heat from which a part of a near face may be a die of a group
    group_heat: float = 0.8  # heat relative to its hottest part under which its pips are counted
    plain_part: float = 0.95  # probability from which a face found inside of a near die is plain
    # heat under which a near face may be several dice or one of another kind, if a part of it is so many
    # times as hot as a die of either kind
    near_plain: float = 0.62
    near_other: float = 1.2
    odd_size: float = 2.6  # ratio to the median edge that is no longer believed
    no_size: float = 1.8  # ratio from which what is not even surely a die is no die of this roll
    near_size: float = 1.25  # the same beyond the least or the greatest of at least three dice plainly found
    odd_heat: float = 0.45  # heat under which that holds also for what shows a plain face

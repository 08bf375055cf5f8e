"""Dice of a training scene put so that telling level from cocked is hard: tilted with nothing to lean on, put
on others, leant against a wall or a neighbour, or level and pressed against one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.virtual.scene import TRAY_MM, Scene, ThrownDie

PILES, ASIDE = 3, 0.5  # dice a scene that are put on others, and by how much of an edge at most beside them
SLIGHT_DEG, STEEP_DEG = (13.0, 25.0), (25.0, 45.0)  # tilts of leant dice
SLIGHT = 0.8  # share of leant dice that are but slightly tilted: these are taken for level ones
LEANT, PRESSED = 0.3, 0.35  # shares of the level dice that are leant, and that are pressed level
SQUARE = 0.6  # share of these that stand nearly square to what they touch, as dice that slide there do
OWN_EDGE = 0.75  # share of leant dice that stand on one of their edges; the rest stand on a corner
HALVINGS, APART_MM = 12, 48.0  # steps to where dice touch, from so far apart
REACH_MM = 60.0  # how far away a wall or a neighbour may be against which a die is put


def level(die: ThrownDie) -> bool:
    """Whether a die lies level on the floor."""
    return die.tilt_deg < 1 and bool(die.position[2] < 0.6 * die.edge)


def lean(die: ThrownDie, degrees: float, way: float) -> ThrownDie:
    """A level die tilted by so much, the side towards ``way`` (radians) raised, its lowest corner on the
    floor."""
    axis = np.array([np.sin(way), -np.cos(way), 0.0]) * np.radians(degrees)
    turn = cv2.Rodrigues(axis)[0] @ die.rotation
    low = die.edge / 2 * np.abs(turn[2]).sum()
    return replace(die, rotation=turn, position=np.array([die.position[0], die.position[1], low]))


def leaning(scene: Scene, rng: np.random.Generator) -> Scene:
    """Some dice on the floor at any tilt: cocked with nothing to lean on, or level but for a few degrees."""
    cocked, tilts = rng.random() < 0.4, []
    for die in scene.dice:
        flat = level(die)
        if flat and cocked and rng.random() < 0.35:
            die = lean(die, float(rng.uniform(13, 45)), float(rng.uniform(0, 2 * np.pi)))
        elif flat and rng.random() < 0.2:
            die = lean(die, float(rng.uniform(0, 5)), float(rng.uniform(0, 2 * np.pi)))
        tilts.append(die)
    return replace(scene, dice=tuple(tilts))


def piled(scene: Scene, rng: np.random.Generator) -> Scene:
    """Some level dice put on others, as far aside as they still rest there, at any angle."""
    dice = list(scene.dice)
    floor = [k for k, d in enumerate(dice) if level(d)]
    order = [int(k) for k in rng.permutation(floor)]
    for upper, lower in zip(order[0::2][:PILES], order[1::2], strict=False):
        die, below = dice[upper], dice[lower]
        way, turn = rng.uniform(0, 2 * np.pi), cv2.Rodrigues(np.array([0, 0, rng.uniform(0, 2 * np.pi)]))[0]
        aside = below.edge * rng.uniform(0, ASIDE) * np.array([np.cos(way), np.sin(way)])
        place = np.array([*(below.position[:2] + aside), below.position[2] + (below.edge + die.edge) / 2])
        if all(np.linalg.norm(place - d.position) > 1.1 * d.edge for k, d in enumerate(dice) if k != lower):
            dice[upper] = replace(die, rotation=turn @ die.rotation, position=place)
    return replace(scene, dice=tuple(dice))


def supported(scene: Scene, rng: np.random.Generator) -> Scene:
    """Some level dice put against the nearest wall or a neighbour: leant on it, or level.

    Both kinds touch, so that touching tells nothing: what is seen of the die's own sides has to.
    """
    dice = list(scene.dice)
    for k in (int(k) for k in rng.permutation(len(dice))):
        if not level(dice[k]):
            continue
        draw = rng.random()
        if draw > LEANT + PRESSED:
            continue
        degrees = 0.0 if rng.random() < 0.8 else float(rng.uniform(0, 5))
        if draw < LEANT:
            degrees = float(rng.uniform(*(SLIGHT_DEG if rng.random() < SLIGHT else STEEP_DEG)))
        others = [d for j, d in enumerate(dice) if j != k]
        put = against(dice[k], others, degrees, rng)
        if put is not None:
            dice[k] = put
    return replace(scene, dice=tuple(dice))


def against(
    die: ThrownDie, others: list[ThrownDie], degrees: float, rng: np.random.Generator
) -> ThrownDie | None:
    """The die tilted by so much and slid until it touches a wall or a neighbour; None where none is near or
    there is no room."""
    near = [o for o in others if np.linalg.norm(o.position[:2] - die.position[:2]) < REACH_MM]
    gaps = np.array(TRAY_MM) / 2 - np.abs(die.position[:2])
    if near and rng.random() < 0.5:
        target = near[int(rng.integers(len(near)))]
        to = target.position[:2] - die.position[:2]
        way = float(np.arctan2(to[1], to[0]))
        put = slid_to(target, _tilted(die, degrees, way, rng), way)
    elif gaps.min() < REACH_MM:
        axis = int(gaps.argmin())
        side = 1.0 if die.position[axis] > 0 else -1.0
        way = float(np.arctan2(*((side, 0.0) if axis else (0.0, side))))
        put = _tilted(die, degrees, way, rng)
        place = put.position.copy()
        place[axis] += side * TRAY_MM[axis] / 2 - side * (side * put.corners()[:, axis]).max()
        put = replace(put, position=place)
    else:
        return None
    outside = (np.abs(put.corners()[:, :2]) > np.array(TRAY_MM) / 2 + 1e-6).any()
    return None if outside or any(overlap(put, o, 0.05) for o in others) else put


def _tilted(die: ThrownDie, degrees: float, way: float, rng: np.random.Generator) -> ThrownDie:
    """The die turned square to ``way`` or not, and that side raised."""
    yaw = np.arctan2(*die.rotation[1::-1, int(np.abs(die.rotation[2]).argmin())])
    off = (yaw - way + np.pi / 4) % (np.pi / 2) - np.pi / 4  # from the nearest square
    if rng.random() < SQUARE:
        wanted = rng.normal(0, np.radians(6))
        turn = cv2.Rodrigues(np.array([0, 0, wanted - off]))[0]
        die, off = replace(die, rotation=turn @ die.rotation), wanted
    return lean(die, degrees, way + off if rng.random() < OWN_EDGE else way)


def slid_to(target: ThrownDie, die: ThrownDie, way: float) -> ThrownDie:
    """The die where it first touches ``target``, coming from afar towards ``way``."""
    ahead = np.array([np.cos(way), np.sin(way), 0.0])
    start = target.position - APART_MM * ahead
    start[2] = die.position[2]
    free, taken = 0.0, APART_MM
    for _ in range(HALVINGS):
        middle = (free + taken) / 2
        if overlap(replace(die, position=start + middle * ahead), target):
            taken = middle
        else:
            free = middle
    return replace(die, position=start + free * ahead)


def overlap(a: ThrownDie, b: ThrownDie, allowed: float = 0.0) -> bool:
    """Whether two dice are in each other by more than ``allowed`` mm, as cubes with sharp edges.

    They are not where some plane parts them: one along a side of either, or along an edge of both.
    """
    if np.linalg.norm(a.position - b.position) > 0.87 * (a.edge + b.edge):
        return False
    across = np.cross(a.rotation.T[:, None], b.rotation.T[None]).reshape(-1, 3)
    length = np.linalg.norm(across, axis=1)
    across = across[length > 1e-6] / length[length > 1e-6, None]
    axes = np.concatenate([a.rotation.T, b.rotation.T, across])
    reach = sum(d.edge / 2 * np.abs(axes @ d.rotation).sum(axis=1) for d in (a, b))
    return bool((np.abs(axes @ (a.position - b.position)) < reach - allowed).all())

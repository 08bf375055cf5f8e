"""Random tables for training: dice, cloths, lamps and cameras far more varied than any real one.

Nothing in here is taken from a photograph.  Dice bodies, inks and drawings are drawn at random, so that what
is learned is what a die is, not what one game's dice look like.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.virtual.cloth import CLOTHS, PLAIN, cloth_texture
from vision.virtual.drawings import BLANK, DRAWINGS
from vision.virtual.scene import WALL_HEIGHT_MM, DieLook, Lamp, Photo, Scene, ThrownDie, camera_at, poses
from vision.virtual.tray import BODIES, LIGHTINGS, exposure, lay_out, lighting

BARE = 0.08  # share of the sorts of dice that are cubes without drawings
CAMOUFLAGE = 0.3  # share of plain cloths on which some dice have the cloth's colour
BESIDE_DEG = (6.0, 38.0)  # angles at which a camera beside the tray stands
SYMBOLS = 1600  # different made-up drawings; a face's name is "x<number>"


def random_body(rng: np.random.Generator) -> tuple[float, float, float]:
    """A body colour: half of the time a usual one, else anything."""
    if rng.random() < 0.6:
        base = np.array(list(BODIES.values())[int(rng.integers(len(BODIES)))])
        r, g, b = np.clip(base * rng.uniform(0.8, 1.2) + rng.normal(0, 0.02, 3), 0.03, 0.97)
        return (float(r), float(g), float(b))
    h, s, v = rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.08, 0.97)
    return colorsys.hsv_to_rgb(h, s, v)


def random_ink(body: tuple[float, float, float], rng: np.random.Generator) -> tuple[float, float, float]:
    """An ink that stands out from the body."""
    weight = np.array([0.3, 0.6, 0.1])
    for _ in range(50):
        if rng.random() < 0.5:
            v = float(rng.choice([rng.uniform(0.02, 0.15), rng.uniform(0.85, 0.97)]))
            ink = np.array([v, v, v])
        else:
            ink = np.array(
                colorsys.hsv_to_rgb(rng.uniform(0, 1), rng.uniform(0.3, 1), rng.uniform(0.2, 0.95))
            )
        difference = np.abs(ink - np.array(body))
        if difference @ weight > 0.3 or difference.max() > 0.55:
            return (float(ink[0]), float(ink[1]), float(ink[2]))
    return (0.95, 0.95, 0.95) if np.array(body) @ weight < 0.5 else (0.05, 0.05, 0.05)


def random_look(rng: np.random.Generator) -> DieLook:
    """A kind of die."""
    body = random_body(rng)
    return DieLook(
        body,
        random_ink(body, rng),
        rounding_mm=float(rng.uniform(1.0, 2.8)),
        gloss=float(rng.choice([0.0, rng.uniform(0.05, 0.6)])),
        drawing_scale=float(rng.uniform(0.55, 0.86)),
        pip_radius=float(rng.uniform(0.075, 0.135)),
        pip_spread=float(rng.uniform(0.23, 0.31)),
        marble=float(rng.choice([0.0, 0.0, rng.uniform(0.05, 0.5)])),
    )


def from_beside(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same table with the camera farther beside it, and the markers on plates as high as the walls."""
    camera = camera_at(
        float(rng.uniform(540, 760)),
        float(rng.uniform(*BESIDE_DEG)),
        float(rng.uniform(0, 360)),
        float(rng.normal(0, 2)),
        float(rng.uniform(0.52, 0.64)),
        scene.camera.width,
    )
    return replace(scene, camera=camera, marker_plane_mm=WALL_HEIGHT_MM)


def camouflaged(scene: Scene, rng: np.random.Generator, share: float = CAMOUFLAGE) -> Scene:
    """The same table, where (in so large a share) some kinds of dice have nearly the colour of the cloth."""
    if scene.cloth not in PLAIN or rng.random() > share:
        return scene
    swaps: dict[DieLook, DieLook] = {}
    for look in sorted({die.look for die in scene.dice}, key=lambda v: v.body):
        if rng.random() < 0.6:
            near = np.array(PLAIN[scene.cloth]) * rng.uniform(0.7, 1.4) + rng.normal(0, 0.02, 3)
            near = np.clip(near, 0.03, 0.97)
            body = (float(near[0]), float(near[1]), float(near[2]))
            swaps[look] = replace(look, body=body, ink=random_ink(body, rng))
    return scene.with_dice(tuple(replace(d, look=swaps.get(d.look, d.look)) for d in scene.dice))


def harder(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same table where dice are harder to tell from the cloth: plain black and white pip dice, bodies of
    the cloth's colour, less light and more noise, mirrored lamps, blur."""
    if rng.random() < 0.5:
        scene = _black_and_white(scene, rng)
    if rng.random() < 0.35:
        scene = _like_the_cloth(scene, rng)
    photo, unit = scene.photo, scene.camera.width / 1280
    if rng.random() < 0.4:
        photo = replace(
            photo,
            exposure=photo.exposure * float(2 ** -rng.uniform(0.3, 2.2)),
            shot_noise=float(rng.uniform(0.0002, 0.0012)),
            read_noise=float(rng.uniform(0.002, 0.007)),
        )
    if rng.random() < 0.2:
        photo = replace(photo, defocus_px=float(rng.uniform(1.6, 3.2)) * unit)
    if rng.random() < 0.2:
        gloss = float(rng.uniform(0.4, 1.0))
        scene = scene.with_dice(tuple(replace(d, look=replace(d.look, gloss=gloss)) for d in scene.dice))
    return replace(scene, photo=photo)


def _black_and_white(scene: Scene, rng: np.random.Generator) -> Scene:
    """The dice of some kinds as black dice with light pips, or light ones with dark pips."""
    swaps: dict[DieLook, DieLook] = {}
    for look in sorted({die.look for die in scene.dice}, key=lambda v: v.body):
        if rng.random() < 0.7:
            dark, light = float(rng.uniform(0.03, 0.14)), float(rng.uniform(0.75, 0.97))
            body, ink = (dark, light) if rng.random() < 0.75 else (light, dark)
            swaps[look] = replace(look, body=(body, body, body), ink=(ink, ink, ink), marble=0.0)
    dice = []
    for die in scene.dice:
        if die.look in swaps:
            sides = lay_out(("1", "2", "3", "4", "5", "6"), bool(rng.random() < 0.5))
            die = replace(die, look=swaps[die.look], faces=sides)
        dice.append(die)
    return scene.with_dice(tuple(dice))


def _like_the_cloth(scene: Scene, rng: np.random.Generator) -> Scene:
    """Some kinds of dice in the middle colour of the cloth, whatever that is."""
    cloth = cloth_texture(scene.cloth, (60, 80), 0.33, scene.cloth_seed)
    colour = np.quantile(cloth.reshape(-1, 3), float(rng.uniform(0.2, 0.8)), axis=0)
    colour = np.where(colour <= 0.0031308, 12.92 * colour, 1.055 * colour ** (1 / 2.4) - 0.055)
    swaps: dict[DieLook, DieLook] = {}
    for look in sorted({die.look for die in scene.dice}, key=lambda v: v.body):
        if rng.random() < 0.6:
            near = np.clip(colour * rng.uniform(0.75, 1.33) + rng.normal(0, 0.02, 3), 0.03, 0.97)
            body = (float(near[0]), float(near[1]), float(near[2]))
            swaps[look] = replace(look, body=body, ink=random_ink(body, rng))
    return scene.with_dice(tuple(replace(d, look=swaps.get(d.look, d.look)) for d in scene.dice))


def random_faces(rng: np.random.Generator) -> tuple[str, ...]:
    """Six faces: pips, our own drawings, or made-up ones."""
    roll = rng.random()
    if roll < 0.4:
        return ("1", "2", "3", "4", "5", "6")
    if roll < 0.5:
        return tuple(str(f) for f in rng.permutation(list(DRAWINGS))[:6])
    return tuple(f"x{int(k)}" for k in rng.integers(0, SYMBOLS, 6))


def random_light(rng: np.random.Generator) -> tuple[tuple[Lamp, ...], tuple[float, float, float], Photo]:
    """Lamps, ambient light and photographic settings."""
    kind = str(rng.choice(LIGHTINGS))
    lamps, ambient = lighting(kind, rng)
    photo = exposure(kind, rng)
    if rng.random() < 0.3:
        photo = replace(photo, exposure=photo.exposure * float(2 ** rng.normal(0, 0.5)))
    gains = np.exp(rng.normal(0, 0.06, 3))
    photo = replace(
        photo, gains_rgb=(float(gains[0]), 1.0, float(gains[2])), defocus_px=float(rng.uniform(0.4, 1.8))
    )
    return lamps, ambient, photo


def random_scene(seed: int, width: int = 1280, kinds: Sequence[str] = ()) -> Scene:
    """A table with dice as they came to rest (or, rarely, still rolling), from a seed.

    ``kinds`` restricts the throws to some of ``vision.virtual.scene.poses``'s kinds.
    """
    rng = np.random.default_rng([seed, 21])
    lamps, ambient, photo = random_light(rng)
    camera = camera_at(
        float(rng.uniform(540, 760)),
        float(abs(rng.normal(0, 3.0)) if rng.random() < 0.5 else rng.uniform(0, 11)),
        float(rng.uniform(0, 360)),
        float(rng.normal(0, 2)),
        float(rng.uniform(0.58, 0.69)),
        width,
    )
    photo = replace(photo, defocus_px=photo.defocus_px * width / 1280)
    cloth = str(rng.choice([*CLOTHS, "any", "any", "any"]))
    tables = ((0.55, 0.55, 0.57), (0.78, 0.77, 0.74), (0.20, 0.19, 0.19), (0.55, 0.42, 0.29))
    frame = tuple(
        float(v) for v in np.clip(np.array(tables[int(rng.integers(4))]) * rng.uniform(0.3, 1.1), 0.03, 0.9)
    )
    count = int(rng.integers(1, 14)) if rng.random() > 0.04 else 0
    kind = rng.choice(
        np.array([None, "plain", "cocked", "stacked", "touching", "wall"], dtype=object),
        p=(0.35, 0.1, 0.2, 0.13, 0.17, 0.05),
    )
    if kinds:
        count, kind = int(rng.integers(3, 14)), str(rng.choice(list(kinds)))
    place, turn = poses(count, rng, kind)
    sorts = [(random_look(rng), random_faces(rng)) for _ in range(int(rng.integers(1, 5)))]
    sorts = [(look, (BLANK,) * 6 if rng.random() < BARE else faces) for look, faces in sorts]
    dice = []
    for k in range(count):
        look, faces = sorts[int(rng.integers(len(sorts)))]
        sides = lay_out(faces, bool(rng.random() < 0.5))
        dice.append(ThrownDie("die", "any", look, sides, place[k], turn[k]))
    scene = Scene(
        camera, lamps, ambient, cloth, int(rng.integers(1 << 30)), (frame[0], frame[1], frame[2]),
        tables[int(rng.integers(4))], tuple(dice), photo, seed,
    )  # fmt: skip
    return _mishap(camouflaged(scene, rng), rng)


def _mishap(scene: Scene, rng: np.random.Generator) -> Scene:
    unit = scene.camera.width / 1280
    roll = rng.random()
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    if roll < 0.07:
        still = rng.random((len(scene.dice), 1)) < 0.4
        motion = (
            rng.uniform(8, 40, (len(scene.dice), 1)) * unit * (way + rng.normal(0, 0.4, (len(scene.dice), 2)))
        )
        motion = np.where(still, 0.0, motion)
        return replace(scene, motion_px=tuple((float(a), float(b)) for a, b in motion))
    if roll < 0.10:
        x, y = way * rng.uniform(8, 20) * unit
        return replace(scene, photo=replace(scene.photo, shake_px=(float(x), float(y))))
    if roll < 0.12:
        return replace(scene, photo=replace(scene.photo, defocus_px=float(rng.uniform(4.5, 9)) * unit))
    if roll < 0.19:
        return replace(scene, hand=float(rng.uniform(0.25, 0.95)))
    return scene

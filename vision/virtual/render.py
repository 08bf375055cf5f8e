"""A quick renderer for the virtual tray: cubes with shaded faces over a warped floor, in linear light.

Not a ray tracer.  Faces are shaded as small textures (diffuse, ambient, gloss, mirrored lamp panels, shadows
of the tray wall and of the other dice) and warped into the picture; edges are rounded by bending the normals
near the rim and by the outline (an inner cube's hull grown by the rounding radius, which is exact for a
rounded cube seen from afar).
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import floats
from vision.virtual.cloth import TABLE_HALF_MM, cloth_texture, linear, plates, table
from vision.virtual.drawings import drawing_of, pips, raster
from vision.virtual.scene import (
    EDGE_MM,
    INWARD,
    MARKER_PLANE_MM,
    TRAY_MM,
    WALL_HEIGHT_MM,
    WALL_WIDTH_MM,
    CameraPose,
    DieLook,
    Lamp,
    Scene,
    ThrownDie,
    painted,
    stands_before,
)

TEXELS = 56
SHIFT = 4  # sub-pixel bits of the drawing functions
FLOOR_PX_PER_MM = 3.0


@lru_cache(maxsize=128)
def _floor(cloth: str, seed: int) -> np.ndarray:
    shape = (int(TRAY_MM[1] * FLOOR_PX_PER_MM), int(TRAY_MM[0] * FLOOR_PX_PER_MM))
    return cloth_texture(cloth, shape, FLOOR_PX_PER_MM, seed)


@lru_cache(maxsize=512)
def face_albedo(face: str, look: DieLook, size: int = TEXELS) -> np.ndarray:
    """Linear RGB albedo of one side of a die."""
    if face in "123456" and len(face) == 1:
        image = raster(pips(face, look.pip_radius, look.pip_spread), look.body, look.ink, size, 1.0)
    else:
        image = raster(drawing_of(face), look.body, look.ink, size, look.drawing_scale)
    return linear(image)


@lru_cache(maxsize=512)
def _engraving(face: str, look: DieLook, size: int) -> np.ndarray:
    """Slopes along x and y (size x size x 2) of a side whose drawing is cut into it."""
    albedo = face_albedo(face, look, size)
    drawn = np.abs(albedo - linear(np.array(look.body, np.float32))).max(axis=2)
    cut = cv2.GaussianBlur(drawn / max(float(drawn.max()), 1e-3), (0, 0), 0.7)
    depth = -look.engraved_mm * np.sqrt(np.clip(cut, 0, 1))  # a faint ink is cut as deep
    per_texel = EDGE_MM / size
    return np.stack(np.gradient(depth, per_texel)[::-1], -1).astype(np.float32)


@lru_cache(maxsize=32)
def _bevel(size: int, edge: float, rounding: float) -> tuple[np.ndarray, np.ndarray]:
    """Texel offsets on the face (size x size x 2, mm) and normals (x, y, out) with bent rims."""
    at = (np.arange(size, dtype=np.float32) + 0.5) / size * edge - edge / 2
    u, v = np.meshgrid(at, at)
    inner = edge / 2 - rounding
    bend = [np.sign(c) * np.clip(np.abs(c) - inner, 0, None) / rounding for c in (u, v)]
    length = np.sqrt(bend[0] ** 2 + bend[1] ** 2)
    scale = np.where(length > 0.98, 0.98 / np.maximum(length, 1e-6), 1.0)
    nx, ny = bend[0] * scale, bend[1] * scale
    normal = np.stack([nx, ny, np.sqrt(1 - nx**2 - ny**2)], -1)
    return np.stack([u, v], -1).astype(np.float32), normal.astype(np.float32)


def _polygon(points: np.ndarray) -> np.ndarray:
    return np.round(points * (1 << SHIFT)).astype(np.int32)


def _fill(mask: np.ndarray, points: np.ndarray, value: float, smooth: bool = True) -> None:
    cv2.fillConvexPoly(mask, _polygon(points), value, cv2.LINE_AA if smooth else cv2.LINE_8, SHIFT)


def _hull(points: np.ndarray) -> np.ndarray:
    return cv2.convexHull(points.astype(np.float32))[:, 0, :]


def _cast(points: np.ndarray, lamp: np.ndarray, plane: float) -> np.ndarray:
    """Where the shadow of points (N x 3) falls on the plane z = ``plane``."""
    t = (lamp[2] - plane) / np.maximum(lamp[2] - points[:, 2], 1e-3)
    out: np.ndarray = lamp + t[:, None] * (points - lamp)
    out[:, 2] = plane
    return out


def _rect(half_x: float, half_y: float, z: float) -> np.ndarray:
    return np.array([[-half_x, half_y, z], [half_x, half_y, z], [half_x, -half_y, z], [-half_x, -half_y, z]])


def _warp_plane(texture: np.ndarray, half: tuple[float, float], z: float, camera: CameraPose) -> np.ndarray:
    h, w = texture.shape[:2]
    source = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    target = camera.project(_rect(half[0], half[1], z)).astype(np.float32)
    m = cv2.getPerspectiveTransform(source, target)
    return cv2.warpPerspective(
        texture, m, (camera.width, camera.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _lamp_shadow(scene: Scene, lamp: Lamp, half: CameraPose) -> np.ndarray:
    """Share of the lamp's light that reaches floor and table, at half the picture's size."""
    mask = np.ones((half.height, half.width), np.float32)
    at = np.array(lamp.position)
    hx, hy = TRAY_MM[0] / 2, TRAY_MM[1] / 2
    outer = np.concatenate(
        [_rect(hx + WALL_WIDTH_MM, hy + WALL_WIDTH_MM, z) for z in (MARKER_PLANE_MM, WALL_HEIGHT_MM)]
    )
    _fill(mask, _hull(half.project(_cast(outer, at, MARKER_PLANE_MM))), 0.0)
    _fill(mask, half.project(_rect(hx, hy, 0)), 0.0)
    lit = _cast(_rect(hx, hy, WALL_HEIGHT_MM), at, 0.0)
    lit[:, 0] = np.clip(lit[:, 0], -hx, hx)
    lit[:, 1] = np.clip(lit[:, 1], -hy, hy)
    _fill(mask, half.project(lit), 1.0)
    for die in scene.dice:
        _fill(mask, _hull(half.project(_cast(die.corners(0.6), at, 0.0))), 0.0)
    sigma = lamp.radius / max(at[2], 100.0) * 10.0 * half.focal_px / half.position[2]
    if sigma > 0.4:
        return floats(cv2.GaussianBlur(mask, (0, 0), sigma))
    return mask


def _floor_light(scene: Scene, half: CameraPose) -> np.ndarray:
    """Linear RGB light on floor and table at half the picture's size."""
    shade = np.zeros((half.height, half.width), np.float32)
    for die in scene.dice:
        _fill(shade, _hull(half.project(die.corners(-0.5)[:, :] * [1, 1, 0.3])), 1.0, False)
    shade = floats(cv2.GaussianBlur(shade, (0, 0), 4.0 * half.focal_px / half.position[2]))
    light = (1.0 - 0.5 * shade)[..., None] * np.array(scene.ambient, np.float32)
    step = 16
    ys, xs = np.mgrid[0 : half.height + step : step, 0 : half.width + step : step].astype(np.float32)
    per_mm = half.focal_px / half.position[2]
    px = (xs - half.principal[0]) / per_mm
    py = -(ys - half.principal[1]) / per_mm
    for lamp in scene.lamps:
        lx, ly, lz = lamp.position
        near = (lz * lz) / ((px - lx) ** 2 + (py - ly) ** 2 + lz * lz)
        far = (
            near**1.5 * (lx * lx + ly * ly + lz * lz) / (lz * lz)
        )  # power is what reaches the middle of the floor
        fall = cv2.resize(far, (half.width, half.height), interpolation=cv2.INTER_LINEAR)
        cosine = lz / np.sqrt(lx * lx + ly * ly + lz * lz)
        light += (fall * _lamp_shadow(scene, lamp, half) * cosine)[..., None] * np.array(
            lamp.power, np.float32
        )
    return light


def _walls(image: np.ndarray, scene: Scene, before: bool = False) -> None:
    """Draw the tray's walls; ``before``: only those that stand between the camera and the floor."""
    camera = scene.camera
    base = linear(scene.frame_rgb)
    hx, hy = TRAY_MM[0] / 2, TRAY_MM[1] / 2
    low, high = _rect(hx, hy, 0.0), _rect(hx, hy, WALL_HEIGHT_MM)
    foot, outer = (_rect(hx + WALL_WIDTH_MM, hy + WALL_WIDTH_MM, z) for z in (0.0, WALL_HEIGHT_MM))
    for k, inward in enumerate(INWARD):
        n = (k + 1) % 4
        if before and not stands_before(camera, k):
            continue
        side = (foot[k], foot[n], outer[n], outer[k]) if before else (low[k], low[n], high[n], high[k])
        for quad, normal, dim in (
            (np.stack(side), (-1 if before else 1) * np.array(inward, float), 0.7),
            (np.stack([high[k], high[n], outer[n], outer[k]]), np.array([0, 0, 1.0]), 1.0),
        ):
            middle = quad.mean(axis=0)
            light = dim * np.array(scene.ambient)
            for lamp in scene.lamps:
                to = np.array(lamp.position) - middle
                light = light + np.array(lamp.power) * max(
                    0.0, float(normal @ to) / float(np.linalg.norm(to))
                )
            colour = tuple(float(c) for c in base * light)
            cv2.fillConvexPoly(image, _polygon(camera.project(quad)), colour, cv2.LINE_AA, SHIFT)


def _visibility(points: np.ndarray, lamp: Lamp, die: ThrownDie, others: list[ThrownDie]) -> np.ndarray:
    """1 where the lamp is seen from points (N x 3) of ``die``, 0 where the wall or another die is between."""
    at = np.array(lamp.position)
    t = np.clip((WALL_HEIGHT_MM - points[:, 2]) / np.maximum(at[2] - points[:, 2], 1e-3), 0, 1)
    over = points + t[:, None] * (at - points)
    free = (np.abs(over[:, 0]) <= TRAY_MM[0] / 2) & (np.abs(over[:, 1]) <= TRAY_MM[1] / 2)
    for other in others:
        start = (points - other.position) @ other.rotation
        ray = (at - points) @ other.rotation
        ray = np.where(np.abs(ray) < 1e-6, 1e-6, ray)
        h = other.edge / 2 - 0.7
        a, b = (-h - start) / ray, (h - start) / ray
        enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        free &= ~((leave > np.maximum(enter, 0.0)) & (enter < 1.0))
    found: np.ndarray = free.astype(np.float32)
    return found


def _shadow_map(
    die: ThrownDie,
    side: tuple[np.ndarray, np.ndarray, np.ndarray],
    lamp: Lamp,
    others: list[ThrownDie],
    size: int,
) -> np.ndarray:
    coarse = 18
    normal, right, down = side
    at = (np.arange(coarse) + 0.5) / coarse * die.edge - die.edge / 2
    u, v = np.meshgrid(at, at)
    points = (
        die.position + (die.edge / 2 + 0.05) * normal + u.reshape(-1, 1) * right + v.reshape(-1, 1) * down
    )
    free = _visibility(points, lamp, die, others).reshape(coarse, coarse)
    if free.min() == free.max():
        return np.full((size, size), free[0, 0], np.float32)
    return cv2.resize(free, (size, size), interpolation=cv2.INTER_LINEAR)


def shade_side(
    scene: Scene, die: ThrownDie, axis: int, sign: int, others: list[ThrownDie], size: int
) -> np.ndarray:
    """Light that leaves one side of a die towards the camera: linear RGB, size x size x 3."""
    side = die.side(axis, sign)
    normal, right, down = side
    offset, bent = _bevel(size, die.edge, die.look.rounding_mm)
    face = die.faces[2 * axis + (0 if sign > 0 else 1)]
    if die.look.engraved_mm > 0:
        bent = bent.copy()
        bent[..., :2] -= _engraving(face, die.look, size)
        bent /= np.linalg.norm(bent, axis=-1, keepdims=True)
    basis = np.stack([right, down, normal]).astype(np.float32)
    n = bent @ basis
    points = (die.position + die.edge / 2 * normal).astype(np.float32) + offset @ basis[:2]
    albedo = face_albedo(face, die.look, size)
    if die.look.marble > 0:
        place = int(abs(die.position[0] * 7 + die.position[1] * 13 + 31 * axis + 17 * sign)) % 190
        albedo = albedo * (1 + die.look.marble * _veins()[place : place + size, place : place + size, None])
    depth = np.clip(points[..., 2:3] / 40.0, 0, 1)
    ambient = (0.55 + 0.45 * n[..., 2:3]) * (0.65 + 0.35 * depth**0.5) * np.array(scene.ambient, np.float32)
    out = albedo * ambient
    view = scene.camera.position.astype(np.float32) - points
    view /= np.linalg.norm(view, axis=-1, keepdims=True)
    facing = (n * view).sum(-1, keepdims=True)
    mirror = 2 * facing * n - view
    fresnel = 0.04 + 0.96 * np.clip(1 - facing, 0, 1) ** 5
    for lamp in scene.lamps:
        at = np.array(lamp.position, np.float32)
        to = at - points
        distance = np.linalg.norm(to, axis=-1, keepdims=True)
        free = _shadow_map(die, side, lamp, others, size)[..., None]
        fall = float(at @ at) / distance**2
        power = np.array(lamp.power, np.float32)
        out += albedo * power * np.clip((n * to).sum(-1, keepdims=True) / distance, 0, None) * fall * free
        shine = np.clip((mirror * to).sum(-1, keepdims=True) / distance, 0, 1) ** 120
        out += die.look.gloss * 2.0 * fresnel / 0.04 * 0.25 * shine * power * free
        if lamp.panel[2] > 0:
            out += _panel(points, mirror, lamp) * fresnel * die.look.gloss * power * free
    return out


def _panel(points: np.ndarray, mirror: np.ndarray, lamp: Lamp) -> np.ndarray:
    """Brightness of the lamp's rectangle as mirrored at each texel."""
    at = np.array(lamp.position, np.float32)
    up = np.maximum(mirror[..., 2:3], 1e-3)
    hit = points + (at[2] - points[..., 2:3]) / up * mirror - at
    wide, deep, bright = lamp.panel
    soft = 25.0
    inside = np.clip((wide - np.abs(hit[..., 0:1])) / soft + 0.5, 0, 1) * np.clip(
        (deep - np.abs(hit[..., 1:2])) / soft + 0.5, 0, 1
    )
    found: np.ndarray = inside * bright * (mirror[..., 2:3] > 0.05)
    return found


def _motion_kernel(dx: float, dy: float) -> np.ndarray:
    reach = int(np.ceil(max(abs(dx), abs(dy)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for t in np.linspace(-0.5, 0.5, 4 * reach + 1):
        kernel[round(reach + t * dy), round(reach + t * dx)] += 1
    found: np.ndarray = kernel / kernel.sum()
    return found


def _draw_die(image: np.ndarray, scene: Scene, number: int) -> None:
    die, camera = scene.dice[number], scene.camera
    outline = camera.project(die.corners())
    motion = scene.motion_px[number] if number < len(scene.motion_px) else (0.0, 0.0)
    pad = 3 + int(max(abs(motion[0]), abs(motion[1])))
    x0, y0 = np.maximum(np.floor(outline.min(axis=0)).astype(int) - pad, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + pad, [camera.width, camera.height])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    size = (int(x1 - x0), int(y1 - y0))
    patch = np.zeros((size[1], size[0], 3), np.float32)
    others = [o for o in scene.dice if o is not die and np.linalg.norm(o.position - die.position) < 70]
    visible = []
    for axis in range(3):
        for sign in (1, -1):
            normal = sign * die.rotation[:, axis]
            middle = die.position + die.edge / 2 * normal
            facing = float(normal @ (camera.position - middle)) / float(
                np.linalg.norm(camera.position - middle)
            )
            if facing > 0.01:
                visible.append((facing, axis, sign))
    for facing, axis, sign in sorted(visible):
        texels = TEXELS if facing > 0.5 else TEXELS // 2
        lit = shade_side(scene, die, axis, sign, others, texels)
        quad = camera.project(die.quad(axis, sign)) - [x0, y0]
        end = texels - 0.5
        source = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
        m = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
        warped = cv2.warpPerspective(lit, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros(size[::-1], np.uint8)
        grown = quad + (quad - quad.mean(axis=0)) * (0.6 / max(8.0, np.ptp(quad, axis=0).max()))
        _fill(mask, grown, 255, False)
        cv2.copyTo(warped, mask, patch)
    alpha = _silhouette(die, camera, np.array([x0, y0]), size)
    if max(abs(motion[0]), abs(motion[1])) > 1:
        kernel = _motion_kernel(*motion)
        patch = floats(cv2.filter2D(patch * alpha[..., None], -1, kernel, borderType=cv2.BORDER_CONSTANT))
        alpha = cv2.filter2D(alpha, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - alpha[..., None]) + patch
        return
    target = image[y0:y1, x0:x1]
    target += (patch - target) * alpha[..., None]


def _silhouette(die: ThrownDie, camera: CameraPose, origin: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Coverage 0..1 of a rounded cube, drawn at twice the size."""
    per_mm = camera.focal_px / float((die.position - camera.position) @ camera.rotation[2])
    radius = die.look.rounding_mm
    hull = (_hull(camera.project(die.corners(radius))) - origin) * 2 + 0.5
    mask = np.zeros((size[1] * 2, size[0] * 2), np.uint8)
    points = _polygon(hull)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_8, SHIFT)
    width = max(1, round(4 * radius * per_mm))
    cv2.polylines(mask, [points], True, 255, width, cv2.LINE_8, SHIFT)
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def hand_layers(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A hand that reaches in from an edge: its light, its coverage and its shadow; ``scene.hand`` is how
    far."""
    rng = np.random.default_rng(scene.seed + 77)
    w, h = scene.camera.width, scene.camera.height
    side = rng.uniform(0, 2 * np.pi)
    inward = -np.array([np.cos(side), np.sin(side)])
    across = np.array([-inward[1], inward[0]])
    start = np.array([w / 2, h / 2]) - inward * max(w, h) * 0.75
    palm = start + inward * (max(w, h) * 0.75 * (0.25 + 0.75 * scene.hand))
    unit = w / 1280
    light = np.array(scene.ambient) + sum((np.array(lamp.power) for lamp in scene.lamps), np.zeros(3)) * 0.7
    skin = linear(np.clip(np.array([0.78, 0.58, 0.48]) * rng.uniform(0.45, 1.15), 0, 1)) * light
    layer, mask = np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.uint8)

    def stroke(a: np.ndarray, b: np.ndarray, width: float, shade: float) -> None:
        ends = [tuple(int(v) for v in p) for p in (a, b)]
        cv2.line(mask, ends[0], ends[1], 255, int(width), cv2.LINE_AA)
        cv2.line(layer, ends[0], ends[1], tuple(float(c) for c in skin * shade), int(width), cv2.LINE_AA)

    stroke(start, palm, 150 * unit, 0.9)
    stroke(palm - inward * 40 * unit, palm + inward * 50 * unit, 210 * unit, 1.0)
    for k, (reach, offset) in enumerate(((150, -85), (200, -30), (195, 25), (160, 75))):
        base = palm + across * offset * unit
        tip = base + (inward + across * rng.uniform(-0.25, 0.25)) * (reach + 40) * unit
        stroke(base, tip, 46 * unit, 0.95 + 0.03 * k)
    soft = cv2.GaussianBlur(mask, (0, 0), 3 * unit).astype(np.float32) / 255
    moved = np.roll(mask, (int(30 * unit), int(25 * unit)), (0, 1))
    shadow = cv2.GaussianBlur(moved, (0, 0), 14 * unit).astype(np.float32) / 255
    grain = rng.standard_normal((24, 32)).astype(np.float32)
    texture = 1 + 0.05 * cv2.resize(grain, (w, h), interpolation=cv2.INTER_CUBIC)
    return cv2.GaussianBlur(layer, (0, 0), 2 * unit) * texture[..., None], soft, shadow


def _hand(image: np.ndarray, scene: Scene) -> None:
    layer, soft, shadow = hand_layers(scene)
    image *= (1 - 0.5 * shadow)[..., None]
    image += (layer - image) * soft[..., None]


@lru_cache(maxsize=1)
def _veins() -> np.ndarray:
    """Swirls of two tones, between -1 and 1, for marbled bodies."""
    rng = np.random.default_rng(9)
    swirl = cv2.resize(
        rng.standard_normal((12, 12)).astype(np.float32), (256, 256), interpolation=cv2.INTER_CUBIC
    )
    return np.tanh(3 * swirl)


@lru_cache(maxsize=1)
def _grain() -> np.ndarray:
    return np.random.default_rng(5).standard_normal((1100, 1400, 3)).astype(np.float32)


@lru_cache(maxsize=1)
def _gamma() -> np.ndarray:
    x = np.arange(4096) / 4095.0
    return np.round(255 * np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)).astype(
        np.uint8
    )


def develop(light: np.ndarray, scene: Scene) -> np.ndarray:
    """Linear RGB light to the 8-bit BGR picture: blur, exposure, white balance, noise, sRGB curve."""
    photo = scene.photo
    if max(abs(photo.shake_px[0]), abs(photo.shake_px[1])) > 1:
        light = cv2.filter2D(light, -1, _motion_kernel(*photo.shake_px))
    if photo.defocus_px > 0.3:
        light = cv2.GaussianBlur(light, (0, 0), photo.defocus_px)
    value = light * (np.array(photo.gains_rgb, np.float32) * photo.exposure)
    h, w = value.shape[:2]
    rng = np.random.default_rng(scene.seed + 3)
    grain = _grain()
    if h > grain.shape[0] or w > grain.shape[1]:
        grain = np.tile(grain, (h // grain.shape[0] + 1, w // grain.shape[1] + 1, 1))
    y, x = int(rng.integers(0, grain.shape[0] - h + 1)), int(rng.integers(0, grain.shape[1] - w + 1))
    deviation = cv2.sqrt(np.maximum(value, 0) * photo.shot_noise + photo.read_noise**2)
    value += deviation * grain[y : y + h, x : x + w]
    index = np.clip(value * 4095, 0, 4095).astype(np.uint16)
    return np.ascontiguousarray(_gamma()[index][..., ::-1])


def render(scene: Scene) -> np.ndarray:
    """The picture of a scene: height x width x 3, uint8, BGR as in OpenCV."""
    camera = scene.camera
    raised = scene.marker_plane_mm > MARKER_PLANE_MM
    image = _warp_plane(
        table(scene.table_rgb, scene.cloth_seed % 2, (0, 1, 2, 3) if raised else scene.hidden_markers),
        TABLE_HALF_MM,
        MARKER_PLANE_MM,
        camera,
    )
    floor = _warp_plane(_floor(scene.cloth, scene.cloth_seed), (TRAY_MM[0] / 2, TRAY_MM[1] / 2), 0.0, camera)
    mask = np.zeros((camera.height, camera.width), np.uint8)
    _fill(mask, camera.project(_rect(TRAY_MM[0] / 2, TRAY_MM[1] / 2, 0)), 255, False)
    cv2.copyTo(floor, mask, image)
    cx, cy = camera.principal
    half = CameraPose(
        camera.position,
        camera.rotation,
        camera.focal_px / 2,
        camera.width // 2,
        camera.height // 2,
        ((cx - 0.5) / 2, (cy - 0.5) / 2),
    )
    light = cv2.resize(
        _floor_light(scene, half), (camera.width, camera.height), interpolation=cv2.INTER_LINEAR
    )
    image *= light
    _walls(image, scene)
    for number in painted(camera, scene.dice):
        _draw_die(image, scene, number)
    _walls(image, scene, before=True)
    if raised:
        paper = _warp_plane(plates(scene.hidden_markers), TABLE_HALF_MM, scene.marker_plane_mm, camera)
        np.copyto(image, paper * light, where=paper > 0)
    if scene.hand > 0:
        _hand(image, scene)
    return develop(image, scene)

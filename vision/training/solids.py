"""Ray-traced dice for training pictures: rounded cubes and other polyhedra with drawn faces.

A solid is a smooth maximum of half-spaces cut by a sphere; it is sphere-traced
on the pixels of its own bounding box, so a die of 60 pixels takes some
milliseconds.  Units: the edge of a die is 1; the table is the plane z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F = NDArray[np.float32]
TEX = 96  # pixels of a face drawing, edge to edge


@dataclass
class PinholeCamera:
    """A pinhole camera: ``x_cam = R @ (x - origin)``, focal length in pixels, principal point."""

    rotation: F
    origin: F
    focal: float
    centre: tuple[float, float]

    def project(self, points: F) -> F:
        """(n, 3) world -> (n, 2) pixels."""
        p = (points - self.origin) @ self.rotation.T
        return np.stack(
            [
                self.focal * p[:, 0] / p[:, 2] + self.centre[0],
                self.focal * p[:, 1] / p[:, 2] + self.centre[1],
            ],
            1,
        ).astype(np.float32)

    def rays(self, xs: F, ys: F) -> F:
        """Unit directions in the world of the given pixels, shape (n, 3)."""
        d = np.stack(
            [(xs - self.centre[0]) / self.focal, (ys - self.centre[1]) / self.focal, np.ones_like(xs)], 1
        )
        d = d @ self.rotation
        return (d / np.linalg.norm(d, axis=1, keepdims=True)).astype(np.float32)


@dataclass
class Solid:
    """A die: face normals (m, 3) and inner radii (m,), its drawings, pose, material."""

    normals: F
    inner: float
    sphere: float
    edge_round: float
    textures: list[F]  # one alpha map (TEX, TEX) per face
    pose: F  # rotation, body -> world
    position: F  # centre in the world
    body: F  # BGR 0..1
    ink: F
    gloss: float
    translucency: float
    engraved: float
    marble: F | None = None  # second body colour of a marbled die
    inks: F | None = None  # (faces, 3): an ink for each face, where they differ
    # direction of an area lamp that the surface mirrors, the cosine of its size, and that of its dark middle
    lamp: F | None = None
    bulge: float = 0.0  # how much the faces are domed: change of the normal per edge
    size: float = 1.0  # its edge in usual ones; radii, drawings and points of the body are in its own edges

    def distance(self, p: F) -> F:
        """Signed distance bound of body-frame points (n, 3)."""
        k = max(self.edge_round, 1e-3)
        s = p @ self.normals.T - (self.inner - k)
        if len(self.normals) == 6:  # exact rounded box: far quicker than a smooth maximum
            q = np.maximum(np.abs(p) - (self.inner - k), 0)
            d = np.sqrt((q * q).sum(1)) - k
        else:
            m = s.max(1, keepdims=True)
            d = (m[:, 0] + np.log(np.exp((s - m) / (0.35 * k)).sum(1)) * 0.35 * k) - k
        return np.maximum(d, np.sqrt((p * p).sum(1)) - self.sphere).astype(np.float32)


def _frames(normals: F) -> list[tuple[F, F]]:
    out = []
    for n in normals:
        a = np.eye(3, dtype=np.float32)[int(np.argmin(np.abs(n)))]
        u = np.cross(n, a)
        u /= np.linalg.norm(u)
        out.append((u, np.cross(n, u)))
    return out


def _trace(solid: Solid, origin: F, rays: F) -> tuple[NDArray[np.bool_], F]:
    """Body-frame hits of rays: which hit, and where (n, 3)."""
    o = (origin - solid.position) @ solid.pose / solid.size
    d = rays @ solid.pose
    b = d @ o
    reach = solid.sphere
    disc = b * b - (o @ o - reach * reach)
    hit = disc > 0
    t = np.where(hit, -b - np.sqrt(np.maximum(disc, 0)), 0).astype(np.float32)
    idx = np.nonzero(hit)[0]
    p = o + t[idx, None] * d[idx]
    tt = t[idx]
    for _ in range(14):
        s = solid.distance(p)
        tt = tt + s
        p = o + tt[:, None] * d[idx]
    good = np.abs(solid.distance(p)) < 0.02
    mask = np.zeros(len(rays), bool)
    mask[idx[good]] = True
    points = np.zeros((len(rays), 3), np.float32)
    points[idx] = p
    return mask, points


def _normal(solid: Solid, p: F) -> F:
    e = 0.004
    g = np.stack(
        [
            solid.distance(p + np.eye(3, dtype=np.float32)[i] * e)
            - solid.distance(p - np.eye(3, dtype=np.float32)[i] * e)
            for i in range(3)
        ],
        1,
    )
    return (g / (np.linalg.norm(g, axis=1, keepdims=True) + 1e-6)).astype(np.float32)


def _sample(tex: F, x: F, y: F) -> F:
    """Bilinear samples at n points; cv2.remap wants fewer than 2^15 columns, so they are folded."""
    n, wide = len(x), 256
    rows = -(-n // wide)
    grid = np.zeros((2, rows * wide), np.float32)
    grid[0, :n], grid[1, :n] = x, y
    grid = grid.reshape(2, rows, wide)
    return cv2.remap(tex, grid[0], grid[1], cv2.INTER_LINEAR).ravel()[:n]


def _ink(solid: Solid, p: F, n: F) -> tuple[F, F]:
    """Ink coverage 0..1 and the normals bent by engraved drawings."""
    face = np.argmax(p @ solid.normals.T, axis=1)
    cover = np.zeros(len(p), np.float32)
    bent = n.copy()
    for i, (u, v) in enumerate(_frames(solid.normals)):
        m = face == i
        if not m.any():
            continue
        tex = solid.textures[i]
        x = ((p[m] @ u) + 0.5) * (TEX - 1)
        y = ((p[m] @ v) + 0.5) * (TEX - 1)
        cover[m] = _sample(tex, x, y)
        soft = cv2.GaussianBlur(tex, (0, 0), 2.2)
        gx = _sample(cv2.Sobel(soft, cv2.CV_32F, 1, 0), x, y)
        gy = _sample(cv2.Sobel(soft, cv2.CV_32F, 0, 1), x, y)
        bent[m] += solid.engraved * (gx[:, None] * u + gy[:, None] * v)
        bent[m] += solid.bulge * ((p[m] @ u)[:, None] * u + (p[m] @ v)[:, None] * v)
    return cover, bent / np.linalg.norm(bent, axis=1, keepdims=True)


def _marble(solid: Solid, p: F) -> F:
    if solid.marble is None:
        return np.broadcast_to(solid.body, (len(p), 3)).astype(np.float32)
    seed = float(solid.body.sum() * 17 + solid.marble.sum() * 7)
    w = (
        np.sin(p[:, 0] * 5 + seed + 2 * np.sin(p[:, 1] * 6 + seed))
        + np.sin(p[:, 1] * 4 - seed + 2 * np.sin(p[:, 2] * 7))
        + np.sin(p[:, 2] * 6 + 3 * p[:, 0])
    )
    w = 1 / (1 + np.exp(-2.5 * w))
    return (solid.body * (1 - w[:, None]) + solid.marble * w[:, None]).astype(np.float32)


def draw(image: F, solid: Solid, camera: PinholeCamera, light: F, ambient: float, scale: int = 2) -> F | None:
    """Draw a solid into a float BGR picture; returns its coverage mask, or None if it is outside."""
    h, w = image.shape[:2]
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    px = camera.project(solid.position + corners * min(solid.sphere, solid.inner * 1.75) * 0.8 * solid.size)
    x0, y0 = np.floor(px.min(0)).astype(int) - 3
    x1, y1 = np.ceil(px.max(0)).astype(int) + 3
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    if max(x1 - x0, y1 - y0) > 110:  # large dice need no oversampling
        scale = 1
    bw, bh = (x1 - x0) * scale, (y1 - y0) * scale
    gx, gy = np.meshgrid((np.arange(bw) + 0.5) / scale + x0 - 0.5, (np.arange(bh) + 0.5) / scale + y0 - 0.5)
    rays = camera.rays(gx.ravel().astype(np.float32), gy.ravel().astype(np.float32))
    mask, points = _trace(solid, camera.origin, rays)
    p = points[mask]
    if len(p) < 8:
        return None
    colour = _shade(solid, p, rays[mask], light, ambient)
    under = cv2.resize(image[y0:y1, x0:x1], (bw, bh), interpolation=cv2.INTER_LINEAR).reshape(-1, 3)
    out = under.copy()
    t = solid.translucency
    out[mask] = colour * (1 - t) + under[mask] * solid.body * t * 1.2
    small = cv2.resize(out.reshape(bh, bw, 3), (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(
        mask.reshape(bh, bw).astype(np.float32), (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA
    )
    image[y0:y1, x0:x1] = small
    full = np.zeros((h, w), np.float32)
    full[y0:y1, x0:x1] = cover
    return full


def _shade(solid: Solid, p: F, rays: F, light: F, ambient: float) -> F:
    n = _normal(solid, p)
    cover, bent = _ink(solid, p, n)
    cover, bent = cover[:, None], bent
    world = bent @ solid.pose.T
    diffuse = np.clip(world @ light, 0, None)[:, None]
    sky = (0.5 + 0.5 * world[:, 2])[:, None]
    half = light - rays
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    spec = np.clip((world * half).sum(1), 0, 1)[:, None] ** 60
    ink = solid.ink if solid.inks is None else solid.inks[np.argmax(p @ solid.normals.T, axis=1)]
    base = _marble(solid, p) * (1 - cover) + ink * cover
    # contact shadow: the sides darken towards the table
    z = (p @ solid.pose.T)[:, 2:3] + solid.position[2] / solid.size
    occlusion = np.clip(0.55 + 0.6 * z, 0, 1)
    shade = ambient * sky * occlusion + (1 - ambient) * 1.25 * diffuse
    colour = base * shade + solid.gloss * spec
    if solid.lamp is not None:  # an area lamp mirrored with a sharp edge: rings on rounded edges and in pips
        mirrored = rays - 2 * (rays * world).sum(1, keepdims=True) * world
        colour = colour + (0.85 - 0.3 * base) * (solid.gloss / 1.2) * _in_lamp(solid.lamp, mirrored)[:, None]
    return colour.astype(np.float32)


def _in_lamp(lamp: F, rays: F) -> F:
    """How much of a round or ring lamp the unit directions (n, 3) hit, 0..1."""
    along = rays @ lamp[:3]
    sharp = 120.0 if lamp[4] >= 1 else 800.0
    outer = 1 / (1 + np.exp(np.clip((lamp[3] - along) * sharp, -30, 30)))
    inner = 0.0 if lamp[4] >= 1 else 1 / (1 + np.exp(np.clip((lamp[4] - along) * sharp, -30, 30)))
    return (outer - inner).clip(0, 1).astype(np.float32)


def shadow(shape: tuple[int, int], solid: Solid, camera: PinholeCamera, light: F, softness: float) -> F:
    """Shadow of a solid on the table: 0..1 per pixel."""
    r = solid.inner * 0.93 * solid.size
    c = np.array([[x, y, z] for x in (-r, r) for y in (-r, r) for z in (-r, r)], np.float32)
    c = c @ solid.pose.T + solid.position
    c[:, 2] = np.maximum(c[:, 2], 0)
    ground = c - light * (c[:, 2:3] / max(light[2], 0.25))
    ground[:, 2] = 0
    hull = cv2.convexHull(camera.project(ground.astype(np.float32)).astype(np.float32))
    m = np.zeros(shape, np.float32)
    cv2.fillConvexPoly(m, np.round(hull * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    return cv2.GaussianBlur(m, (0, 0), max(0.5, softness))

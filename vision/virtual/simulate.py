"""Throw dice with a rigid body engine and keep the poses they come to rest in.

A development script: ``python -m vision.virtual.simulate --count 3000`` needs
``pybullet`` and writes ``throws.npz``, which the virtual tray samples at run
time, so that the table itself needs no physics engine.

Units inside the engine are centimetres and seconds; what is stored is in
millimetres, in the frame of ``vision.reading`` (origin in the middle of the
tray floor, x to the right, y up in the picture, z towards the camera).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

EDGE_CM = 1.6
TRAY_CM = (24.0, 18.0)
STEP_S = 1.0 / 480.0
# Truth never holds a die between 6 and 14 degrees: nobody can say whether it is cocked.
DOUBTFUL_TILT_DEG = (6.0, 14.0)
MAX_DICE = 16


def tilt_deg(quaternion: np.ndarray) -> np.ndarray:
    """Angle between the most upright axis of each cube and the vertical; quaternion N x 4 (x, y, z, w)."""
    x, y, z, w = (quaternion[..., i] for i in range(4))
    row = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=-1)
    return np.degrees(np.arccos(np.clip(np.abs(row).max(axis=-1), -1.0, 1.0)))


class ThrowEngine:
    """A tray with dice in pybullet's direct mode; one instance may throw many times."""

    def __init__(self) -> None:
        import pybullet  # only this development script needs it

        self.p: Any = pybullet
        self.client = self.p.connect(self.p.DIRECT)
        self.p.setGravity(0, 0, -981.0)
        self.p.setTimeStep(STEP_S)
        self.p.setPhysicsEngineParameter(numSolverIterations=60)
        self._static()
        shape = self.p.createCollisionShape(self.p.GEOM_BOX, halfExtents=[EDGE_CM / 2] * 3)
        self.dice = [self.p.createMultiBody(0.0045, shape, -1, [0, 0, -50 - 5 * i]) for i in range(MAX_DICE)]

    def _static(self) -> None:
        w, h = TRAY_CM
        boxes = [((w, h, 1.0), (0, 0, -1.0))]
        for sx in (-1, 1):
            boxes.append(((1.0, h, 10.0), (sx * (w / 2 + 1.0), 0, 10.0)))
            boxes.append(((w, 1.0, 10.0), (0, sx * (h / 2 + 1.0), 10.0)))
        for half, centre in boxes:
            shape = self.p.createCollisionShape(self.p.GEOM_BOX, halfExtents=list(half))
            body = self.p.createMultiBody(0, shape, -1, list(centre))
            self.p.changeDynamics(body, -1, lateralFriction=1.0, restitution=0.4)

    def throw(
        self, count: int, rng: np.random.Generator, crowded: bool
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Positions (count x 3, mm) and quaternions (count x 4); None where the dice did not come to rest
        well."""
        p = self.p
        friction = float(rng.uniform(0.35, 1.0))
        spread = rng.uniform(1.5, 3.0) if crowded else rng.uniform(3.0, 7.0)
        middle = np.array([rng.uniform(-9, 9), rng.uniform(-6, 6)])
        for i, body in enumerate(self.dice):
            p.changeDynamics(body, -1, lateralFriction=friction, restitution=0.25, rollingFriction=0.0)
            if i >= count:
                p.resetBasePositionAndOrientation(body, [100 + 5 * i, 0, -0.2], [0, 0, 0, 1])
                p.resetBaseVelocity(body, [0, 0, 0], [0, 0, 0])
                continue
            place = np.clip(middle + rng.normal(0, spread, 2), [-10.5, -7.5], [10.5, 7.5])
            quaternion = rng.normal(size=4)
            height = rng.uniform(3, 9) + 1.2 * i * rng.uniform(0.4, 1.0)
            p.resetBasePositionAndOrientation(
                body, [*place, height], (quaternion / np.linalg.norm(quaternion)).tolist()
            )
            p.resetBaseVelocity(
                body, rng.normal(0, 12 if crowded else 45, 3).tolist(), rng.normal(0, 18, 3).tolist()
            )
        return self._settle(count)

    def _settle(self, count: int) -> tuple[np.ndarray, np.ndarray] | None:
        p = self.p
        quiet = 0
        for _ in range(60):
            for _ in range(24):
                p.stepSimulation()
            speed = 0.0
            for body in self.dice[:count]:
                linear, angular = p.getBaseVelocity(body)
                speed = max(speed, float(np.linalg.norm(linear)), 0.5 * float(np.linalg.norm(angular)))
            quiet = quiet + 1 if speed < 0.25 else 0
            if quiet >= 4:
                break
        else:
            return None
        poses = [p.getBasePositionAndOrientation(body) for body in self.dice[:count]]
        position = 10.0 * np.array([pose[0] for pose in poses])
        quaternion = np.array([pose[1] for pose in poses])
        inside = (np.abs(position[:, 0]) < 121).all() and (np.abs(position[:, 1]) < 91).all()
        tilt = tilt_deg(quaternion)
        doubtful = ((tilt > DOUBTFUL_TILT_DEG[0]) & (tilt < DOUBTFUL_TILT_DEG[1])).any()
        if not inside or doubtful or position[:, 2].min() < 7.0 or position[:, 2].max() > 60:
            return None
        return position, quaternion


def build(count: int, seed: int, path: Path) -> dict[str, int]:
    """Throw ``count`` times and write the library; returns how many throws hold what."""
    engine = ThrowEngine()
    rng = np.random.default_rng(seed)
    sizes: list[int] = []
    positions: list[np.ndarray] = []
    quaternions: list[np.ndarray] = []
    tally = {"plain": 0, "cocked": 0, "stacked": 0}
    while sum(tally.values()) < count:
        n = int(rng.integers(1, 14))
        crowded = bool(rng.random() < 0.4)
        result = engine.throw(n, rng, crowded)
        if result is None:
            continue
        position, quaternion = result
        cocked = bool((tilt_deg(quaternion) > 12).any())
        stacked = bool((position[:, 2] > 13).any())
        kind = "cocked" if cocked else "stacked" if stacked else "plain"
        if kind != "plain" and tally[kind] > 0.3 * count:
            continue
        tally[kind] += 1
        sizes.append(n)
        positions.append(position)
        quaternions.append(quaternion)
    np.savez_compressed(
        path,
        sizes=np.array(sizes, dtype=np.uint8),
        position_mm=np.round(np.concatenate(positions), 2).astype(np.float32),
        quaternion=np.round(np.concatenate(quaternions) * 32000).astype(np.int16),
    )
    return tally


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("throws.npz"))
    options = parser.parse_args()
    print(build(options.count, options.seed, options.out))


if __name__ == "__main__":
    main()

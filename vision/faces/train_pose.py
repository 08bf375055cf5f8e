"""Train the pose network on rendered trays:
``python -m vision.faces.train_pose SCENES WINDOWS OUT.onnx``.

A development script (needs ``torch``); DIR holds what ``make_scenes`` wrote.  Dice are cut out a little
beside
their true place and angle, as the finder would, and the network must say by how much.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from vision.faces.pose import SHIFT_PX, SIDE, STATES, TURN_RAD, halve, planes, towards, upright
from vision.faces.train_faces import conv
from vision.faces.world import random_scene
from vision.tray import DEFAULT

BATCH = 64


class Pose(nn.Module):
    """About 8 million multiplications a die."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            conv(5, 24),
            conv(24, 32, 2),
            conv(32, 32),
            conv(32, 48, 2),
            conv(48, 48),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(48 * 64, 96),
            nn.ReLU(inplace=True),
            nn.Linear(96, 7),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def recolour(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other colours for the same shapes: channels mixed and swapped, light and dark exchanged; grain."""
    mix = np.eye(3, dtype=np.float32)[:, rng.permutation(3)] + rng.normal(0, 0.2, (3, 3)).astype(np.float32)
    if rng.random() < 0.2:
        mix = np.eye(3, dtype=np.float32)
    x = crop.astype(np.float32) @ (
        mix / np.maximum(0.3, mix.sum(axis=0)) * np.float32(np.exp(rng.normal(0, 0.15)))
    )
    if rng.random() < 0.2:
        x = float(x.max()) - x
    x += rng.normal(0, rng.uniform(0, 4), (*x.shape[:2], 1)).astype(np.float32)
    return np.clip(x, 0, 255).astype(np.uint8)


def load_windows(path: Path) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Crop, row and point below the camera of each window that ``make_poses`` wrote to one file."""
    with np.load(path) as data:
        return list(zip(data["crops"], data["rows"], data["nadir"], strict=True))


def load(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Picture, rows, hand and the point below the camera (pixels of the rectified picture) of one file."""
    with np.load(path) as data:
        image = cv2.imdecode(data["jpeg"], cv2.IMREAD_COLOR)
        rows, hand = data["rows"], data["hand"]
    camera = random_scene(int(path.stem), 1024).camera
    w, h = DEFAULT.rectified_size
    x, y = camera.position[:2] * 650.0 / camera.position[2]
    scale = DEFAULT.px_per_mm
    return halve(image), rows, hand, np.array([x * scale + (w - 1) / 2, (h - 1) / 2 - y * scale])


class Pool:
    """Dice of many pictures in memory, cocked and odd ones drawn more often."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.known: set[str] = set()
        self.pictures: list[tuple[np.ndarray, np.ndarray]] = []
        self.dice: list[tuple[int, np.ndarray]] = []
        self.weights = np.zeros(0)

    def refresh(self) -> None:
        """Take in files that appeared."""
        for path in sorted(
            p for folder in self.folders for p in folder.glob("*.npz") if ".tmp" not in p.name
        ):
            if path.name in self.known:
                continue
            self.known.add(path.name)
            if path.parent != self.folders[0]:
                for crop, row, nadir in load_windows(path):
                    self.pictures.append((halve(crop), nadir))
                    self.dice.append((len(self.pictures) - 1, row))
                continue
            image, rows, hand, nadir = load(path)
            self.pictures.append((image, nadir))
            for row in rows:
                i, j = (int(np.clip(v / 4, 0, s - 1)) for v, s in zip(row[1::-1], hand.shape, strict=True))
                if hand[i, j] < 20 and row[5] < 0.8:
                    self.dice.append((len(self.pictures) - 1, row))
        odd = np.array([1 + 10 * r[3] + 8 * r[4] + 8 * (r[5] > 0.25) - 0.5 * r[6] for _, r in self.dice])
        self.weights = odd / odd.sum()

    def batch(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Input, wanted states, wanted corrections (nan where none is asked)."""
        inputs, states, shifts = [], [], []
        for k in rng.choice(len(self.dice), BATCH, p=self.weights):
            number, row = self.dice[int(k)]
            image, nadir = self.pictures[number]
            x, state, shift = _example(image, nadir, row, rng)
            inputs.append(x)
            states.append(state)
            shifts.append(shift)
        return tuple(torch.from_numpy(np.stack(part).astype(np.float32)) for part in (inputs, states, shifts))  # type: ignore[return-value]


def _example(
    image: np.ndarray, nadir: np.ndarray, row: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    angle = float(row[2]) + rng.integers(4) * np.pi / 2
    off = rng.normal(0, 3.0 if row[3] or row[5] > 0.25 else 1.6, 2)
    turn = float(rng.normal(0, 0.07))
    if row[3] or row[6]:
        turn = float(rng.uniform(-0.8, 0.8))
    c, s = np.cos(angle - turn), np.sin(angle - turn)
    x, y = row[0] - (c * off[0] - s * off[1]), row[1] - (s * off[0] + c * off[1])
    crop = upright(image, x, y, angle - turn)
    direction = towards(x, y, angle - turn, nadir + rng.normal(0, 25, 2))
    if rng.random() < 0.5:  # a mirrored die is a die as well
        crop, direction, off, turn = crop[:, ::-1], direction * [-1, 1], off * [-1, 1], -turn
    pixels = recolour(np.ascontiguousarray(crop), rng)
    wanted = np.array([row[3], row[4], row[5] > 0.25, row[6]])
    shift = np.array([off[0] / SHIFT_PX, off[1] / SHIFT_PX, turn / TURN_RAD])
    if row[3] or row[6]:
        shift[:] = np.nan
    return planes(pixels, direction), wanted, shift


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="written by make_scenes")
    parser.add_argument("windows", type=Path, help="written by make_poses")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(3)
    net = Pose()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    train(net, Pool([options.folder, options.windows]), options.out, options.minutes, options.rate)


def train(net: Pose, pool: Pool, out: Path, minutes: float, rate: float) -> None:
    """Train for so many minutes; files that appear meanwhile are used too."""
    rng = np.random.default_rng(3)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    start, step = time.monotonic(), 0
    mean = np.zeros(3)
    weight = torch.tensor([1.5, 1.5, 1.5, 1.0])  # a miss is worse than a question
    while (spent := (time.monotonic() - start) / (60 * minutes)) < 1:
        if step % 200 == 0:
            pool.refresh()
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        x, states, shifts = pool.batch(rng)
        net.train()
        y = net(x)
        asked = ~torch.isnan(shifts)
        loss_states = F.binary_cross_entropy_with_logits(y[:, :4], states, pos_weight=weight) * len(STATES)
        loss_shift = F.smooth_l1_loss(y[:, 4:][asked], shifts[asked], beta=0.1)
        loss = loss_states + 3 * loss_shift
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        wrong = float(((y[:, 0] > 0) != (states[:, 0] > 0.5)).float().mean())
        mean = 0.98 * mean + 0.02 * np.array([loss_states.item(), loss_shift.item(), wrong])
        step += 1
        if step % 100 == 0:
            told = mean / (1 - 0.98**step)
            seen = f"states {told[0]:.3f}, shift {told[1]:.3f}, cocked wrong {told[2]:.4f}"
            print(f"{step} steps, {len(pool.dice)} dice, {spent:.0%}, {seen}", flush=True)
        if step % 200 == 0:
            export(net, out)
    export(net, out)


def export(net: Pose, out: Path) -> None:
    """Write the weights and an ONNX file for cv2.dnn."""
    net.eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    partial = out.with_suffix(".partial.onnx")
    torch.onnx.export(
        net, (torch.zeros(1, 5, SIDE, SIDE),), str(partial), input_names=["dice"], output_names=["poses"],
        dynamic_axes={"dice": {0: "n"}, "poses": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

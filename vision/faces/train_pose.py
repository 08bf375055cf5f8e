"""Train the pose network on rendered windows: ``python -m vision.faces.train_pose WINDOWS OUT.onnx``.

A development script (needs ``torch``); WINDOWS is what ``make_poses`` wrote.  Dice are cut out a little
beside their true place and angle, as the finder would, and the network must say by how much.  It must also
name the upper side's normal: telling how a die is tilted teaches whether it is.
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

from vision.faces.pose import HALF_EDGE_PX, NORMAL, SHIFT_PX, SIDE, STATES, Foot, planes, towards, upright
from vision.faces.train_faces import conv
from vision.faces.unfold import read_weights
from vision.training.nets import HALF

BATCH = 64
PLANES = 7
IMPORTANCE = torch.tensor([1.6, 1.0, 0.8, 0.6, 1.0])  # of STATES: a cocked die taken for level is a misread
SLIGHT = 0.4  # sine of tilts that are hard to see: drawn more often
STEEP, RIDGE = 0.5, 0.35  # sine of tilts and share of looks that see the edge between two sides instead
MEASURED = 20  # batches by which the weights of a file are made fit to be trained on
KEEP = 0.998  # share of the mean weights that a step keeps
HELD = 0.6  # share of a window's remembered loss that another look keeps
HARDER = 0.4, 3.0  # how often windows that are learnt well, and ill, are drawn beside the usual


class Pose(nn.Module):
    """About 24 million multiplications a die."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(PLANES, 24, 2), conv(24, 32), conv(32, 48, 2))
        self.first = conv(48, 48)
        self.down = conv(48, 64, 2)
        self.body = nn.ModuleList([conv(64, 64), conv(64, 64)])
        self.out = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.25), nn.Linear(64 * 64, 128), nn.ReLU(inplace=True), nn.Linear(128, 11)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.stem(x)
        y = self.down(y + self.first(y))
        for block in self.body:
            y = y + block(y)
        return self.out(y)


def shadow(rng: np.random.Generator) -> np.ndarray:
    """A straight shadow or reflection across the crop, or stripes of it: factors (64 x 64)."""
    at = np.arange(SIDE, dtype=np.float32) - SIDE / 2
    way = rng.uniform(0, 2 * np.pi)
    across = np.float32(np.cos(way)) * at[None] + np.float32(np.sin(way)) * at[:, None]
    if rng.random() < 0.2:
        period = rng.uniform(3, 9)
        across = np.abs((across / period) % 2 - 1) * period - period / 2
    else:
        across -= np.float32(rng.uniform(-16, 16))
        if rng.random() < 0.4:
            across = np.float32(rng.uniform(3, 12)) - np.abs(across)
    share = np.clip(across / rng.uniform(0.5, 3) + 0.5, 0, 1)
    factor = rng.uniform(0.35, 0.85) if rng.random() < 0.7 else rng.uniform(1.15, 1.8)
    return (1 + share * np.float32(factor - 1)).astype(np.float32)


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
    if rng.random() < 0.4:  # another curve of brightness
        top = float(x.max()) + 1.0
        x = top * np.clip(x / top, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.3:  # light that falls off to one side
        ramp = np.linspace(-1, 1, SIDE, dtype=np.float32)
        across = rng.uniform(-0.25, 0.25) * ramp[:, None] + rng.uniform(-0.25, 0.25) * ramp[None]
        x *= (1 + across)[..., None]
    if rng.random() < 0.35:
        x *= shadow(rng)[..., None]
    if rng.random() < 0.15:
        x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.4, 0.9)))
    x += rng.normal(0, rng.uniform(0, 4), (*x.shape[:2], 1)).astype(np.float32)
    return np.clip(x, 0, 255).astype(np.uint8)


class Pool:
    """Windows of many files in memory; odd dice are drawn more often, and what is learnt worst."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: set[str] = set()
        self.windows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.weights = np.zeros(0)
        self.losses = np.zeros(0)  # of each window when it was looked at last; nan before

    def refresh(self) -> None:
        """Take in files that appeared."""
        for path in sorted(p for p in self.folder.glob("*.npz") if ".tmp" not in p.name):
            if path.name in self.known:
                continue
            self.known.add(path.name)
            with np.load(path) as data:
                self.windows += list(zip(data["crops"], data["rows"], data["foot"], strict=True))
        r = np.stack([row for _, row, _ in self.windows])
        odd = 1 + 1.2 * r[:, 3] + 2 * r[:, 4] + 2 * (r[:, 5] > 0.25) - 0.5 * r[:, 6] + 0.5 * (1 - r[:, 9])
        odd += 1.5 * r[:, 3] * (np.hypot(r[:, 7], r[:, 8]) < SLIGHT)
        new = len(self.windows) - len(self.losses)
        self.losses = np.concatenate([self.losses, np.full(new, np.nan)])
        if not np.isnan(self.losses).all():
            mean = max(float(np.nanmean(self.losses)), 1e-6)
            odd *= np.clip(np.where(np.isnan(self.losses), 1.0, self.losses / mean), *HARDER)
        self.weights = odd / odd.sum()

    def choose(self, rng: np.random.Generator) -> np.ndarray:
        """Numbers of the windows of one batch."""
        return rng.choice(len(self.weights), BATCH, p=self.weights)

    def learnt(self, chosen: np.ndarray, losses: np.ndarray) -> None:
        """Remember how well these windows were told."""
        before = np.where(np.isnan(self.losses[chosen]), losses, self.losses[chosen])
        self.losses[chosen] = HELD * before + (1 - HELD) * losses

    def batch(
        self, chosen: np.ndarray, rng: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Input, wanted states, wanted corrections and normal (nan where none is asked)."""
        parts = [_example(*self.windows[int(k)], rng) for k in chosen]
        x, states, shifts = (
            torch.from_numpy(np.stack(part).astype(np.float32)) for part in zip(*parts, strict=True)
        )
        return x, states, shifts


def _example(
    image: np.ndarray, row: np.ndarray, foot: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    odd = bool(row[3] or row[6] or row[5] > 0.25)
    lost = rng.random() < (0.5 if odd else 0.2)  # the finder's place and angle are far off
    off = rng.normal(0, 3.2 if lost else 1.3, 2)
    turn = float(rng.uniform(-np.pi / 4, np.pi / 4) if lost else rng.normal(0, 0.06))
    angle = float(row[2]) + rng.integers(4) * np.pi / 2
    c, s = np.cos(angle - turn), np.sin(angle - turn)
    x, y = row[0] - (c * off[0] - s * off[1]), row[1] - (s * off[0] + c * off[1])
    ridge = bool(row[3]) and np.hypot(row[7], row[8]) > STEEP and rng.random() < RIDGE
    if ridge:
        x, y = row[:2] - HALF_EDGE_PX * row[7:9] + rng.normal(0, 2, 2)
    crop = upright(image, x, y, angle - turn)
    direction = towards(x, y, angle - turn, Foot(*foot))
    normal = np.array([c * row[7] + s * row[8], -s * row[7] + c * row[8]])
    if rng.random() < 0.5:  # a mirrored die is a die as well
        flip = np.array([-1, 1])
        crop, direction, off, normal, turn = crop[:, ::-1], direction * flip, off * flip, normal * flip, -turn
    pixels = recolour(np.ascontiguousarray(crop), rng)
    wanted = np.array([row[3], row[4], row[5] > 0.25, row[6], row[9]])
    shift = np.array([*(off / SHIFT_PX), np.cos(4 * turn), np.sin(4 * turn), *(NORMAL * normal)])
    if row[3]:
        shift[2:4] = np.nan
    if ridge:
        shift[:2] = np.nan
    if row[6] or not row[9]:
        shift[:] = np.nan
    if not row[9]:
        wanted[:4] = np.nan
    return planes(pixels[None], direction[None])[0], wanted, shift


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("windows", type=Path, help="written by make_poses")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30, help="of the processor")
    parser.add_argument("--clock", type=float, default=np.inf, help="at most so many minutes by the clock")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="go on from the weights of this .onnx file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(3)
    net, pool = Pose(), Pool(options.windows)
    if options.resume:
        pool.refresh()
        rng = np.random.default_rng(4)
        read_weights(net, options.resume, (pool.batch(pool.choose(rng), rng)[0] for _ in range(MEASURED)))
    train(net, pool, options.out, (options.minutes, options.clock), options.rate)


def train(net: Pose, pool: Pool, out: Path, minutes: tuple[float, float], rate: float) -> None:
    """Train for so many minutes of the processor, or by the clock where these are over first; files that
    appear meanwhile are used too."""
    rng = np.random.default_rng(3)
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    smooth = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEP), use_buffers=True
    )
    start, step = np.array([time.process_time(), time.monotonic()]), 0
    mean = np.zeros(3)
    weight = torch.tensor([1.5, 1.5, 1.5, 1.0, 1.0])  # a miss is worse than a question
    while (spent := _share(start, minutes)) < 1:
        if step % 200 == 0:
            pool.refresh()
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        chosen = pool.choose(rng)
        x, states, shifts = pool.batch(chosen, rng)
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            y = net(x.contiguous(memory_format=torch.channels_last)).float()
        asked = ~torch.isnan(shifts)
        known = ~torch.isnan(states)
        each = F.binary_cross_entropy_with_logits(
            y[:, :5], torch.nan_to_num(states), pos_weight=weight, reduction="none"
        )
        loss_states = (each * IMPORTANCE)[known].mean() * len(STATES)
        told_ill = torch.where(known, each, 0.0).detach().sum(dim=1)
        pool.learnt(chosen, told_ill.numpy().astype(float))
        loss_shift = F.smooth_l1_loss(y[:, 5:][asked], shifts[asked], beta=0.1)
        loss = loss_states + 3 * loss_shift
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        smooth.update_parameters(net)
        wrong = float(((y[:, 0] > 0) != (states[:, 0] > 0.5))[known[:, 0]].float().mean())
        mean = 0.98 * mean + 0.02 * np.array([loss_states.item(), loss_shift.item(), wrong])
        step += 1
        if step % 100 == 0:
            told = mean / (1 - 0.98**step)
            seen = f"states {told[0]:.3f}, shift {told[1]:.3f}, cocked wrong {told[2]:.4f}"
            print(f"{step} steps, {len(pool.windows)} dice, {spent:.0%}, {seen}", flush=True)
        if step % 400 == 0:
            export(smooth.module, out)
    export(smooth.module, out)


def _share(start: np.ndarray, minutes: tuple[float, float]) -> float:
    """Share of the time that is over, of the processor's or of the clock's."""
    now = np.array([time.process_time(), time.monotonic()])
    return float(((now - start) / (60 * np.array(minutes))).max())


def export(net: Pose, out: Path) -> None:
    """Write the weights and an ONNX file for the reader."""
    net.eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    partial = out.with_suffix(".partial.onnx")
    torch.onnx.export(
        net, (torch.zeros(1, PLANES, SIDE, SIDE),), str(partial),
        input_names=["dice"], output_names=["poses"],
        dynamic_axes={"dice": {0: "n"}, "poses": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

"""Train the pose network on rendered windows: ``python -m vision.faces.train_pose WINDOWS OUT.onnx``.

A development script (needs ``torch``); WINDOWS is what ``make_poses`` wrote.  Dice are cut out a little
beside their true place and angle, as the finder would, and the network must say by how much.  It must also
name the upper side's normal: telling how a die is tilted teaches whether it is.

With ``--wide`` the network sees dice as from beside the tray.  With ``--teacher WIDE.onnx`` a small one
begins with the weights of such a network and learns its answers, too ("knowledge distillation", Hinton et al.
2015, arXiv:1503.02531).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from vision.faces.pose import (
    ABOVE,
    BESIDE,
    HALF_EDGE_PX,
    NORMAL,
    SHIFT_PX,
    STATES,
    Foot,
    Sight,
    planes,
    towards,
    upright,
)
from vision.faces.train_faces import conv
from vision.faces.unfold import read_weights, shrunk
from vision.training.nets import HALF

BATCH = 64
PLANES, LAST = 7, 64  # channels of the input, and of the last map
IMPORTANCE = torch.tensor([1.6, 1.0, 0.8, 0.6, 1.0])  # of STATES: a cocked die taken for level is a misread
MISSED = torch.tensor([1.5, 1.5, 1.5, 1.0, 1.0])  # of STATES: a miss is worse than a question
TAUGHT = 3.0  # weight of a teacher's answers beside what is true
SLIGHT = 0.4  # sine of tilts that are hard to see: drawn more often
STEEP, RIDGE = 0.5, 0.35  # sine of tilts and share of looks that see the edge between two sides instead
MEASURED = 20  # batches by which the weights of a file are made fit to be trained on
KEEP = 0.998  # share of the mean weights that a step keeps
HELD = 0.6  # share of a window's remembered loss that another look keeps
HARDER = 0.4, 3.0  # how often windows that are learnt well, and ill, are drawn beside the usual


class Pose(nn.Module):
    """About 8 million multiplications a die; 24 million for a wide sight, whose layers that halve the picture
    look at three pixels instead of two."""

    def __init__(self, sight: Sight = ABOVE) -> None:
        super().__init__()
        self.sight = sight
        halving = 3 if sight == BESIDE else 2
        self.stem = nn.Sequential(conv(PLANES, 24, 2), conv(24, 32), conv(32, 48, 2, halving))
        self.first = conv(48, 48)
        self.down = conv(48, LAST, 2, halving)
        self.body = nn.ModuleList([conv(LAST, LAST), conv(LAST, LAST)])
        cells = sight.side // 8
        self.out = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(LAST * cells * cells, 128),
            nn.ReLU(inplace=True),
            nn.Linear(128, 11),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.stem(x)
        y = self.down(y + self.first(y))
        for block in self.body:
            y = y + block(y)
        return self.out(y)


def shadow(rng: np.random.Generator, side: int) -> np.ndarray:
    """A straight shadow or reflection across a window, or stripes of it: factors (side x side)."""
    at = np.arange(side, dtype=np.float32) - side / 2
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


def recolour(window: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other colours for the same shapes: channels mixed and swapped, light and dark exchanged; grain."""
    mix = np.eye(3, dtype=np.float32)[:, rng.permutation(3)] + rng.normal(0, 0.2, (3, 3)).astype(np.float32)
    if rng.random() < 0.2:
        mix = np.eye(3, dtype=np.float32)
    x = window.astype(np.float32) @ (
        mix / np.maximum(0.3, mix.sum(axis=0)) * np.float32(np.exp(rng.normal(0, 0.15)))
    )
    if rng.random() < 0.2:
        x = float(x.max()) - x
    if rng.random() < 0.4:  # another curve of brightness
        top = float(x.max()) + 1.0
        x = top * np.clip(x / top, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.3:  # light that falls off to one side
        ramp = np.linspace(-1, 1, len(x), dtype=np.float32)
        across = rng.uniform(-0.25, 0.25) * ramp[:, None] + rng.uniform(-0.25, 0.25) * ramp[None]
        x *= (1 + across)[..., None]
    if rng.random() < 0.35:
        x *= shadow(rng, len(x))[..., None]
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
        self, chosen: np.ndarray, rng: np.random.Generator, sights: Sequence[Sight]
    ) -> tuple[list[torch.Tensor], torch.Tensor, torch.Tensor]:
        """Input of each sight, wanted states, wanted corrections and normal (nan where none is asked)."""
        parts = [_example(*self.windows[int(k)], rng, sights) for k in chosen]
        *xs, states, shifts = (
            torch.from_numpy(np.stack(part).astype(np.float32)) for part in zip(*parts, strict=True)
        )
        return [x.contiguous(memory_format=torch.channels_last) for x in xs], states, shifts


def _example(
    image: np.ndarray, row: np.ndarray, foot: np.ndarray, rng: np.random.Generator, sights: Sequence[Sight]
) -> list[np.ndarray]:
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
    pixels = recolour(image, rng)
    crops = [upright(pixels, x, y, angle - turn, sight) for sight in sights]
    direction = towards(x, y, angle - turn, Foot(*foot))
    normal = np.array([c * row[7] + s * row[8], -s * row[7] + c * row[8]])
    if rng.random() < 0.5:  # a mirrored die is a die as well
        flip = np.array([-1, 1])
        crops = [crop[:, ::-1] for crop in crops]
        direction, off, normal, turn = direction * flip, off * flip, normal * flip, -turn
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
    shown = [planes(v[None], direction[None], sight)[0] for v, sight in zip(crops, sights, strict=True)]
    return [*shown, wanted, shift]


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("windows", type=Path, help="written by make_poses")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30, help="of the processor")
    parser.add_argument("--clock", type=float, default=np.inf, help="at most so many minutes by the clock")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="go on from the weights of this .onnx file")
    parser.add_argument("--wide", action="store_true", help="the network for cameras beside the tray")
    parser.add_argument("--teacher", type=Path, help="a wide network whose answers are learnt, too")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(3)
    net, pool = Pose(BESIDE if options.wide else ABOVE), Pool(options.windows)
    teacher = known(Pose(BESIDE), options.teacher, pool) if options.teacher else None
    if options.resume:
        known(net, options.resume, pool)
    elif teacher is not None:
        shrunk(teacher, net, LAST)
    Training(net, pool, teacher, options.rate).run(options.out, (options.minutes, options.clock))


def known(net: Pose, path: Path, pool: Pool) -> Pose:
    """The net with the weights of a file."""
    pool.refresh()
    rng = np.random.default_rng(4)
    read_weights(net, path, (pool.batch(pool.choose(rng), rng, [net.sight])[0][0] for _ in range(MEASURED)))
    return net


def loss_of(
    y: torch.Tensor, states: torch.Tensor, shifts: torch.Tensor, missed: torch.Tensor | None = MISSED
) -> tuple[torch.Tensor, ...]:
    """Losses of the states and of the corrections, and the first of each example alone.

    What is wanted is nan where nothing is asked; states may be chances.
    """
    asked, told = ~torch.isnan(shifts), ~torch.isnan(states)
    each = F.binary_cross_entropy_with_logits(
        y[:, :5], torch.nan_to_num(states), pos_weight=missed, reduction="none"
    )
    loss_shift = F.smooth_l1_loss(y[:, 5:][asked], shifts[asked], beta=0.1)
    alone = torch.where(told, each, 0.0).detach().sum(dim=1)
    return (each * IMPORTANCE)[told].mean() * len(STATES), loss_shift, alone


class Training:
    """A net, its running mean, the windows that it learns, and the net whose answers it learns, if any."""

    def __init__(self, net: Pose, pool: Pool, teacher: Pose | None, rate: float) -> None:
        self.pool, self.rate = pool, rate
        self.net = net.to(memory_format=torch.channels_last)
        self.teacher = teacher.to(memory_format=torch.channels_last).eval() if teacher is not None else None
        self.sights = [net.sight] if teacher is None else [net.sight, teacher.sight]
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
        self.smooth = torch.optim.swa_utils.AveragedModel(
            net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEP), use_buffers=True
        )
        self.rng = np.random.default_rng(3)

    def run(self, out: Path, minutes: tuple[float, float]) -> None:
        """Train for so many minutes of the processor, or by the clock where these are over first; files that
        appear meanwhile are used too."""
        start, step = np.array([time.process_time(), time.monotonic()]), 0
        mean = np.zeros(3)
        while (spent := _share(start, minutes)) < 1:
            if step % 200 == 0:
                self.pool.refresh()
            rate = self.rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent))
            for group in self.optimiser.param_groups:
                group["lr"] = rate + 1e-5
            mean = 0.98 * mean + 0.02 * self._step()
            step += 1
            if step % 100 == 0:
                told = mean / (1 - 0.98**step)
                seen = f"states {told[0]:.3f}, shift {told[1]:.3f}, cocked wrong {told[2]:.4f}"
                print(f"{step} steps, {len(self.pool.windows)} dice, {spent:.0%}, {seen}", flush=True)
            if step % 400 == 0:
                export(self.smooth.module, out)
        export(self.smooth.module, out)

    def _step(self) -> np.ndarray:
        chosen = self.pool.choose(self.rng)
        xs, states, shifts = self.pool.batch(chosen, self.rng, self.sights)
        self.net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            y = self.net(xs[0]).float()
        loss_states, loss_shift, alone = loss_of(y, states, shifts)
        self.pool.learnt(chosen, alone.numpy().astype(float))
        loss = loss_states + 3 * loss_shift
        if self.teacher is not None:
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=HALF):
                told = self.teacher(xs[1]).float()
            chances, moved = told[:, :5].sigmoid(), told[:, 5:]
            taught = loss_of(y, torch.where(torch.isnan(states), torch.nan, chances), moved, missed=None)
            loss = loss + TAUGHT * (taught[0] + 3 * taught[1])
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.smooth.update_parameters(self.net)
        known = ~torch.isnan(states[:, 0])
        wrong = float(((y[:, 0] > 0) != (states[:, 0] > 0.5))[known].float().mean())
        return np.array([loss_states.item(), loss_shift.item(), wrong])


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
        net, (torch.zeros(1, PLANES, net.sight.side, net.sight.side),), str(partial),
        input_names=["dice"], output_names=["poses"],
        dynamic_axes={"dice": {0: "n"}, "poses": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

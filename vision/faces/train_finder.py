"""Train the dice finder on rendered trays: ``python -m vision.faces.train_finder DIR OUT.onnx --minutes 40``.

A development script (needs ``torch``).  Input: the rectified picture, 1 x 3 x H x W, BGR in 0..1.  Output:
one
map of ``CHANNELS`` at a quarter of the size: heat of the upper face's centre, offset x and y (cells), cosine
and sine of four times the angle, then logits of cocked, raised, covered and blurred at the centre, and of a
hand (or anything else that is no die) anywhere.
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

STRIDE = 4
CHANNELS = ("heat", "dx", "dy", "cos4", "sin4", "cocked", "raised", "covered", "blurred", "hand")


def conv(a: int, b: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Convolution, batch norm, rectifier."""
    return nn.Sequential(
        nn.Conv2d(a, b, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


class Finder(nn.Module):
    """A small encoder with one skip: 0.6 billion multiplications for the default tray."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2))
        self.down = conv(32, 48, 2)
        self.body = nn.ModuleList([conv(48, 48, 1, d) for d in (1, 2, 1, 2, 1)])
        self.up = nn.Sequential(nn.Conv2d(48, 32, 1, bias=False), nn.BatchNorm2d(32))
        self.merge = conv(32, 32)
        self.head = nn.Conv2d(32, len(CHANNELS), 1)
        with torch.no_grad():
            self.head.bias.zero_()
            self.head.bias[0] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.stem(x)
        y = self.down(fine)
        for block in self.body:
            y = y + block(y)
        y = F.interpolate(self.up(y), scale_factor=2, mode="nearest")
        return self.head(self.merge(torch.relu(fine + y)))


def augment(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Colour, contrast and grain, BGR in 0..1."""
    x = image.astype(np.float32) / 255
    x = x ** float(np.exp(rng.normal(0, 0.15)))
    x *= np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    if rng.random() < 0.15:
        x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.4, 1.0)))
    if rng.random() < 0.3:
        x += rng.normal(0, rng.uniform(0.003, 0.02), x.shape).astype(np.float32)
    return np.clip(x, 0, 1)


def flip(
    image: np.ndarray, rows: np.ndarray, hand: np.ndarray, how: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mirror left-right (bit 0) and top-bottom (bit 1)."""
    rows = rows.copy()
    h, w = image.shape[:2]
    if how & 1:
        image, hand = image[:, ::-1], hand[:, ::-1]
        rows[:, 0], rows[:, 2] = w - 1 - rows[:, 0], np.pi - rows[:, 2]
    if how & 2:
        image, hand = image[::-1], hand[::-1]
        rows[:, 1], rows[:, 2] = h - 1 - rows[:, 1], -rows[:, 2]
    return image, rows, hand


def targets(rows: np.ndarray, hand: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wanted output (channels x h x w) and weights (same shape; 0 where nothing is asked)."""
    h, w = hand.shape
    want = np.zeros((len(CHANNELS), h, w), np.float32)
    weight = np.zeros_like(want)
    weight[0] = 1
    weight[-1] = 1
    want[-1] = hand > 127
    weight[-1][(hand > 20) & (hand < 235)] = 0
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    for x, y, angle, cocked, raised, covered, blurred in rows:
        cx, cy = (x - 1.5) / STRIDE, (y - 1.5) / STRIDE
        ix, iy = round(float(cx)), round(float(cy))
        if not (0 <= ix < w and 0 <= iy < h):
            continue
        distance = (xs - cx) ** 2 + (ys - cy) ** 2
        if covered > 0.6 or hand[iy, ix] > 60:
            weight[0][distance < 9] = 0
            if covered > 0.6:
                continue
        else:
            want[0] = np.maximum(want[0], np.exp(-distance / (2 * 0.9**2)))
        near = (abs(ys - iy) <= 1) & (abs(xs - ix) <= 1)
        values = (
            cx - xs,
            cy - ys,
            np.cos(4 * angle),
            np.sin(4 * angle),
            cocked,
            raised,
            covered > 0.25,
            blurred,
        )
        for k, value in enumerate(values):
            want[k + 1][near] = (np.broadcast_to(value, xs.shape))[near]
            weight[k + 1][near] = 1
        if cocked or blurred:
            weight[3][near] = weight[4][near] = 0
    return want, weight


def loss_of(out: torch.Tensor, want: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Focal loss for the heat, L1 for geometry, cross-entropy for the states and the hand."""
    heat = torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    goal = want[:, 0]
    peak = (goal > 0.85).float()
    gain = peak * (1 - heat) ** 2 * torch.log(heat) + (1 - peak) * (1 - goal) ** 4 * heat**2 * torch.log(
        1 - heat
    )
    count = peak.sum().clamp(min=1)
    total = -(gain * weight[:, 0]).sum() / count
    geometry = (
        F.smooth_l1_loss(out[:, 1:5], want[:, 1:5], reduction="none", beta=0.1) * weight[:, 1:5]
    ).sum()
    states = F.binary_cross_entropy_with_logits(out[:, 5:9], want[:, 5:9], reduction="none") * weight[:, 5:9]
    hand = F.binary_cross_entropy_with_logits(out[:, 9], want[:, 9], reduction="none") * weight[:, 9]
    total = total + geometry / weight[:, 1:5].sum().clamp(min=1) * 4
    return total + 1.5 * states.sum() / weight[:, 5].sum().clamp(min=1) + 3 * hand.mean()


def load(path: Path, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One augmented example."""
    with np.load(path) as data:
        image = cv2.imdecode(data["jpeg"], cv2.IMREAD_COLOR)
        image, rows, hand = flip(image, data["rows"], data["hand"], int(rng.integers(4)))
    want, weight = targets(rows, np.ascontiguousarray(hand))
    return augment(image, rng).transpose(2, 0, 1), want, weight


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--resume", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = Finder()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    train(net, options.folder, options.out, options.minutes, options.batch, rng)


def train(net: Finder, folder: Path, out: Path, minutes: float, batch: int, rng: np.random.Generator) -> None:
    """Train for so many minutes; files that appear meanwhile are used too."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    start, step, mean = time.monotonic(), 0, 0.0
    files: list[Path] = []
    while (spent := (time.monotonic() - start) / (60 * minutes)) < 1:
        if step % 100 == 0:
            files = sorted(p for p in folder.glob("*.npz") if ".tmp" not in p.name)
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        parts = [load(files[int(k)], rng) for k in rng.integers(0, len(files), batch)]
        x, want, weight = (torch.from_numpy(np.stack(part)) for part in zip(*parts, strict=True))
        net.train()
        loss = loss_of(net(x), want, weight)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        mean = 0.98 * mean + 0.02 * loss.item()
        if step % 50 == 0:
            scale = 1 - 0.98**step
            print(f"{step} steps, {len(files)} files, {spent:.0%}, loss {mean / scale:.3f}", flush=True)
        if step % 300 == 0:
            export(net, out)
    export(net, out)


def export(net: Finder, out: Path) -> None:
    """Write the weights and an ONNX file for cv2.dnn."""
    net.eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    partial = out.with_suffix(".partial.onnx")
    torch.onnx.export(
        net, (torch.zeros(1, 3, 408, 528),), str(partial), input_names=["picture"], output_names=["maps"],
        opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

"""Train the dice finder on rendered trays: ``python -m vision.faces.train_finder DIR OUT.onnx --minutes 40``.

A development script (needs ``torch``).  Input: the rectified picture, 1 x 4 x H x W, as ``find.planes`` makes
it.  Output: one map of ``CHANNELS`` at a quarter of the size: heat of the upper face's centre, offset x and y
(cells), cosine and sine of four times the angle, then logits of cocked, raised, covered and blurred at the
centre, and of a hand (or anything else that is no die) anywhere.

With ``--wide`` a network of twice the work is trained, ``--teacher WIDE.onnx`` has a small one learn its
answers, too (see ``train_pose``).
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from vision.faces.find import planes
from vision.faces.unfold import read_weights, shrunk
from vision.training.nets import HALF

STRIDE = 4
CHANNELS = ("heat", "dx", "dy", "cos4", "sin4", "cocked", "raised", "covered", "blurred", "hand")
KEEP = 0.998  # of the running mean of the weights that is exported
RING, RING_WEIGHT = (2.0, 6.5), 3.0  # cells from a die's middle between which its other sides and pips lie
COARSE = 3  # cells of 8 x 8 pixels in a row that are one from afar
PART = (264, 312)  # pixels of a picture that are shown at once
MEASURED = 60  # pictures on which the statistics of weights that are gone on from are measured
AGAIN = 0.35  # share of the examples that are drawn from those with the greatest loss


def conv(a: int, b: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Convolution, batch norm, rectifier."""
    return nn.Sequential(
        nn.Conv2d(a, b, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


def shrinking(a: int, b: int, by: int) -> nn.Sequential:
    """Convolution of kernels that lie beside each other, batch norm, rectifier."""
    return nn.Sequential(nn.Conv2d(a, b, by, by, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class Finder(nn.Module):
    """A small encoder with one skip: 0.2 billion multiplications for the default tray.

    Cells of 4 x 4 pixels at once ("patches"), and no dilated layers: both take ``cv2.dnn`` long.
    """

    fine = 24  # channels of a cell
    dilations: tuple[int, ...] = (1, 1, 1, 1, 1)

    def __init__(self) -> None:
        super().__init__()
        fine = self.fine
        self.cells = self.first()
        self.down = self.half(fine, 48)
        self.body = nn.ModuleList([conv(48, 48, 1, d) for d in self.dilations])
        self.coarse = self.around(48)
        self.up = nn.Sequential(nn.Conv2d(48, fine, 1, bias=False), nn.BatchNorm2d(fine))
        self.merge = conv(fine, fine)
        self.head = nn.Conv2d(fine, len(CHANNELS), 1)
        with torch.no_grad():
            self.head.bias.zero_()
            self.head.bias[0] = -4.0

    def first(self) -> nn.Module:
        """From pixels to cells."""
        return shrinking(4, self.fine, 4)

    def half(self, a: int, b: int) -> nn.Module:
        """From cells to half as many in a row."""
        return shrinking(a, b, 2)

    def around(self, channels: int) -> nn.Module | None:
        """What lies around each cell, coarsely, up to 60 pixels away: a hand is larger than what the blocks
        see."""
        last = nn.BatchNorm2d(channels)
        nn.init.zeros_(last.weight)
        return nn.Sequential(
            nn.AvgPool2d(COARSE),
            conv(channels, channels),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            last,
            nn.Upsample(scale_factor=COARSE, mode="nearest"),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.cells(x)
        y = self.down(fine)
        for k, block in enumerate(self.body):
            y = y + block(y)
            if k == len(self.body) // 2 and self.coarse is not None:
                y = y + self.coarse(y)
        y = F.interpolate(self.up(y), scale_factor=2, mode="nearest")
        return self.head(self.merge(torch.relu(fine + y)))


class WideFinder(Finder):
    """The same with overlapping kernels and dilated layers: 0.6 billion multiplications."""

    fine = 32
    dilations = (1, 2, 1, 2, 1)

    def first(self) -> nn.Module:
        return nn.Sequential(conv(4, 16, 2), conv(16, self.fine, 2))

    def half(self, a: int, b: int) -> nn.Module:
        return conv(a, b, 2)

    def around(self, channels: int) -> nn.Module | None:
        return None


def augment(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Curve of brightness, exposure, tint, contrast, shadow, blur and grain; BGR uint8."""
    x = image.astype(np.float32) / 255
    x = x ** float(np.exp(rng.normal(0, 0.2)))
    x *= np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.08, 3)).astype(np.float32)
    if rng.random() < 0.2:
        middle = x.mean(axis=(0, 1))
        x = middle + (x - middle) * np.float32(rng.uniform(0.3, 1.0))
    if rng.random() < 0.15:
        x = _shadow(x, rng)
    if rng.random() < 0.2:
        x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.4, 1.3)))
    if rng.random() < 0.3:
        x += float(rng.uniform(0.003, 0.03)) * rng.standard_normal(x.shape, np.float32)
    return np.round(np.clip(x, 0, 1) * 255).astype(np.uint8)


def _shadow(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Light that falls off over a line, sharp or soft."""
    h, w = x.shape[:2]
    way = rng.uniform(0, 2 * np.pi)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    across = (xs - rng.uniform(0, w)) * np.cos(way) + (ys - rng.uniform(0, h)) * np.sin(way)
    dark = 1 / (1 + np.exp(-np.clip(across / rng.uniform(1, 60), -20, 20)))
    return (x * (1 - rng.uniform(0.2, 0.75) * dark[..., None])).astype(np.float32)


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
    for row in rows:
        cx, cy = (float(row[0]) - 1.5) / STRIDE, (float(row[1]) - 1.5) / STRIDE
        ix, iy = round(cx), round(cy)
        if 0 <= ix < w and 0 <= iy < h:
            part = np.s_[max(0, iy - 8) : iy + 9, max(0, ix - 8) : ix + 9]
            _one(row, (cx - xs[part], cy - ys[part]), hand[part], want[:, *part], weight[:, *part])
    return want, weight


def _one(
    row: np.ndarray,
    way: tuple[np.ndarray, np.ndarray],
    hand: np.ndarray,
    want: np.ndarray,
    weight: np.ndarray,
) -> None:
    """Write one die into its part of the maps; ``way`` is how far its middle lies from each cell.

    The cell nearest to the middle is wanted in full, wherever in it the middle lies.
    """
    _, _, angle, cocked, raised, covered, blurred = (float(v) for v in row)
    distance = way[0] ** 2 + way[1] ** 2
    nearest = distance == distance.min()
    if covered > 0.6 or hand[nearest][0] > 60:
        weight[0][distance < 9] = 0
        if covered > 0.6:
            return
    else:
        ring = (distance > RING[0] ** 2) & (distance < RING[1] ** 2) & (weight[0] > 0)
        weight[0][ring] = 0 if cocked else RING_WEIGHT  # another side of it may look up as much
        want[0] = np.maximum(want[0], np.exp(-distance / (2 * 0.9**2)))
        want[0][nearest] = 1
    near = (abs(way[0]) <= 1.5) & (abs(way[1]) <= 1.5)
    values = (*way, np.cos(4 * angle), np.sin(4 * angle), cocked, raised, covered > 0.25, blurred)
    for k, value in enumerate(values):
        want[k + 1][near] = np.broadcast_to(value, distance.shape)[near]
        weight[k + 1][near] = 1
    if cocked or blurred:
        weight[3][near] = weight[4][near] = 0


def heat_loss(out: torch.Tensor, want: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat maps (N x h x w), one sum a picture; the ring counts only where no die is."""
    heat = torch.sigmoid(out).clamp(1e-5, 1 - 1e-5)
    peak = (want > 0.999).float()
    gain = peak * (1 - heat) ** 2 * torch.log(heat) * weight.clamp(max=1)
    gain = gain + (1 - peak) * (1 - want) ** 4 * heat**2 * torch.log(1 - heat) * weight
    return -gain.sum(dim=(1, 2))


def loss_of(out: torch.Tensor, want: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Focal loss for the heat, L1 for geometry, cross-entropy for the states and the hand; also the first of
    each picture alone."""
    each = heat_loss(out[:, 0], want[:, 0], weight[:, 0])
    total = each.sum() / (want[:, 0] > 0.999).sum().clamp(min=1)
    geometry = (
        F.smooth_l1_loss(out[:, 1:5], want[:, 1:5], reduction="none", beta=0.1) * weight[:, 1:5]
    ).sum()
    states = F.binary_cross_entropy_with_logits(out[:, 5:9], want[:, 5:9], reduction="none") * weight[:, 5:9]
    hand = F.binary_cross_entropy_with_logits(out[:, 9], want[:, 9], reduction="none") * weight[:, 9]
    total = total + geometry / weight[:, 1:5].sum().clamp(min=1) * 4
    total = total + 0.5 * states.sum() / weight[:, 5].sum().clamp(min=1) + 3 * hand.mean()
    return total, each.detach()


def likeness(out: torch.Tensor, told: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """How far the maps are from those that a teacher gives (both N x channels x h x w, before sigmoids).

    The heat counts by the square of its difference ("quality focal loss", Li et al. 2020, arXiv:2006.04388).
    """
    heat = told[:, 0].sigmoid()
    each = F.binary_cross_entropy_with_logits(out[:, 0], heat, reduction="none")
    total = (each * (heat - out[:, 0].sigmoid()) ** 2).sum() / heat.sum().clamp(min=1)
    geometry = F.smooth_l1_loss(out[:, 1:5], told[:, 1:5], reduction="none", beta=0.1) * weight[:, 1:5]
    total = total + geometry.sum() / weight[:, 1:5].sum().clamp(min=1) * 4
    states = F.binary_cross_entropy_with_logits(out[:, 5:9], told[:, 5:9].sigmoid(), reduction="none")
    total = total + 0.5 * (states * weight[:, 5:9]).sum() / weight[:, 5].sum().clamp(min=1)
    hand = F.binary_cross_entropy_with_logits(out[:, 9], told[:, 9].sigmoid())
    return total + 3 * hand


def cut(
    image: np.ndarray, rows: np.ndarray, hand: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A part of the picture, mostly with a die near its middle: cloth without dice is soon learnt."""
    h, w = PART
    middle = rng.uniform((0, 0), image.shape[:2])
    if len(rows) and rng.random() < 0.8:
        middle = rows[int(rng.integers(len(rows))), 1::-1] + rng.uniform(-60, 60, 2)
    y, x = (
        int(np.clip((m - side / 2) // 24 * 24, 0, whole - side))
        for m, side, whole in zip(middle, PART, image.shape[:2], strict=True)
    )
    rows = rows - np.array([x, y, 0, 0, 0, 0, 0], np.float32)
    part = hand[y // STRIDE : (y + h) // STRIDE, x // STRIDE : (x + w) // STRIDE]
    return image[y : y + h, x : x + w], rows, part


def load(path: Path, rng: np.random.Generator, whole: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One augmented example: a whole picture, or a part of it."""
    with np.load(path) as data:
        image = cv2.imdecode(data["jpeg"], cv2.IMREAD_COLOR)
        image, rows, hand = flip(image, data["rows"], data["hand"], int(rng.integers(4)))
    if not whole:
        image, rows, hand = cut(image, rows, hand, rng)
    want, weight = targets(rows, np.ascontiguousarray(hand))
    return planes(augment(image, rng)), want, weight


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=40, help="of the processor")
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at first")
    parser.add_argument("--resume", type=Path, help="go on from the weights of this .onnx file")
    parser.add_argument("--wide", action="store_true", help="a network of twice the work")
    parser.add_argument("--teacher", type=Path, help="a wide network whose answers are learnt, too")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    net: Finder = WideFinder() if options.wide else Finder()
    teacher = known(WideFinder(), options.teacher, options.folder) if options.teacher else None
    if options.resume:
        known(net, options.resume, options.folder)
    elif teacher is not None:
        shrunk(teacher, net)
    training = Training(net, options.folder, options.seed, options.rate, teacher)
    training.run(options.out, options.minutes, options.batch)


def known(net: Finder, path: Path, folder: Path) -> Finder:
    """The net with the weights of a file."""
    rng, files = np.random.default_rng(4), examples_in(folder)
    pictures = (load(files[int(rng.integers(len(files)))], rng, True)[0] for _ in range(MEASURED))
    read_weights(net, path, (torch.from_numpy(one[None]) for one in pictures))
    return net


def examples_in(folder: Path) -> list[Path]:
    """The files that ``make_scenes`` wrote there."""
    return sorted(p for p in folder.glob("*.npz") if ".tmp" not in p.name)


class Training:
    """A net, its running mean, how well each example was learnt when it was last seen, and the net whose
    answers it learns, if any."""

    def __init__(
        self, net: Finder, folder: Path, seed: int, rate: float, teacher: Finder | None = None
    ) -> None:
        self.rate = rate
        self.teacher = teacher.to(memory_format=torch.channels_last).eval() if teacher is not None else None
        self.net = net.to(memory_format=torch.channels_last)
        self.mean = copy.deepcopy(net)
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
        self.folder, self.rng = folder, np.random.default_rng(seed)
        self.files: list[Path] = []
        self.losses: dict[Path, float] = {}

    def run(self, out: Path, minutes: float, batch: int) -> None:
        """Train for so many minutes of the processor; files that appear meanwhile are used too."""
        start, step, mean = time.process_time(), 0, 0.0
        while (spent := (time.process_time() - start) / (60 * minutes)) < 1:
            if step % 100 == 0:
                self.files = examples_in(self.folder)
            for group in self.optimiser.param_groups:
                group["lr"] = self.rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent))
            whole = step % 2 == 0  # a hand, and cloth of its colour, are told apart in whole pictures only
            mean = 0.98 * mean + 0.02 * self._step(batch * 5 // 12 if whole else batch, whole)
            step += 1
            self._remember(min(KEEP, step / (step + 20)))
            if step % 50 == 0:
                smooth = mean / (1 - 0.98**step)
                print(f"{step} steps, {len(self.files)} files, {spent:.0%}, loss {smooth:.3f}", flush=True)
            if step % 300 == 0:
                export(self.mean, out)
        export(self.mean, out)

    def _step(self, batch: int, whole: bool) -> float:
        worst = sorted(self.losses, key=lambda p: -self.losses[p])[: len(self.losses) // 10]
        chosen = [self._choose(worst) for _ in range(batch)]
        parts = [load(path, self.rng, whole) for path in chosen]
        x, want, weight = (torch.from_numpy(np.stack(part)) for part in zip(*parts, strict=True))
        x = x.contiguous(memory_format=torch.channels_last)
        self.net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            out = self.net(x).float()
        loss, each = loss_of(out, want, weight)
        if self.teacher is not None:
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=HALF):
                told = self.teacher(x).float()
            loss = loss + likeness(out, told, weight)
        self.losses.update(zip(chosen, each.tolist(), strict=True))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        return float(loss.item())

    def _choose(self, worst: list[Path]) -> Path:
        """Any example, or one of the tenth that was learnt worst."""
        pool = worst if worst and self.rng.random() < AGAIN else self.files
        return pool[int(self.rng.integers(len(pool)))]

    def _remember(self, keep: float) -> None:
        with torch.no_grad():
            for a, b in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                if a.is_floating_point():
                    a.lerp_(b, 1 - keep)
                else:
                    a.copy_(b)


def export(net: Finder, out: Path) -> None:
    """Write the weights and an ONNX file for the reader."""
    net = copy.deepcopy(net).to(memory_format=torch.contiguous_format).eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    partial = out.with_suffix(".partial.onnx")
    torch.onnx.export(
        net, (torch.zeros(1, 4, 408, 528),), str(partial), input_names=["picture"], output_names=["maps"],
        dynamic_axes={"picture": {2: "h", 3: "w"}, "maps": {2: "h4", 3: "w4"}},
        opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

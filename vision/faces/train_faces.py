"""Train the face describer: ``python -m vision.faces.train_faces DIR OUT.onnx --minutes 30``.

A development script (needs ``torch``).  Input: N x 3 x 48 x 48, normalised crops of upper faces (see
``vision.faces.describe``).  Output N x 72: an embedding of unit length (64), then logits of pips
0 (no pips) to 6, then a logit of "this is a face that can be read".

Metric learning on episodes: faces of random dice under different lamps, cloths and cameras; a view must lie
nearer to other views of its own face than to any other face, above all of the same die.  Of dice that
``make_faces`` wrote with ``lit``, views in which a lamp is mirrored must lie near to others without.

With ``--wide`` a network of twice the work is trained, ``--teacher WIDE.onnx`` has a small one learn its
answers, too (see ``train_pose``).
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

from vision.faces.describe import SIZE, normalise
from vision.faces.make_faces import CROP, FACE_PX
from vision.faces.unfold import read_weights, shrunk
from vision.training.nets import HALF

WIDTH = 64
ALIKE = 6.0  # weight of the distance of embeddings from a teacher's (squared)
LIT_SHARE = 0.7  # of the faces to be told, where the die was seen in mirrored lamps, too
MEASURED = 40  # batches on which the statistics of weights that are gone on from are measured
KINDS, VIEWS = 6, 4
FACE_SHARE = 0.83  # the face's edge takes this share of the crop


def conv(a: int, b: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, batch norm, rectifier.  With stride 2 size 2 takes ``cv2.dnn`` half as long as size 3."""
    return nn.Sequential(
        nn.Conv2d(a, b, size, stride, size - 2, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


class Describer(nn.Module):
    """11 million multiplications a face, a wide one 22 million."""

    def __init__(self, wide: bool = False) -> None:
        super().__init__()
        broad, last, halving = (64, 96, 3) if wide else (48, 64, 2)
        self.layers = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 40),
            conv(40, broad, 2, halving),
            conv(broad, broad),
            conv(broad, broad),
            conv(broad, last, 2, halving),
            conv(last, 64),
        )
        self.embed = nn.Linear(64 * 36, WIDTH)
        self.states = nn.Linear(64 * 36, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layers(x).flatten(1)
        e = self.embed(y)
        e = e / torch.sqrt((e * e).sum(1, keepdim=True) + 1e-6)
        return torch.cat([e, self.states(y)], 1)


def jitter(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A crop as the reader would cut it: any quarter turn, a little off, other colours, sometimes a glint."""
    angle = 90 * int(rng.integers(4)) + rng.normal(0, 2.5)
    scale = SIZE * FACE_SHARE / FACE_PX * float(np.exp(rng.normal(0, 0.03)))
    m = cv2.getRotationMatrix2D(((CROP - 1) / 2, (CROP - 1) / 2), angle, scale)
    m[:, 2] += (SIZE - 1) / 2 - (CROP - 1) / 2 + rng.normal(0, 1.2, 2)
    x = cv2.warpAffine(crop, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    y = x.astype(np.float32) / 255
    y = y ** float(np.exp(rng.normal(0, 0.1))) * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    if rng.random() < 0.15:
        glint = np.zeros((SIZE, SIZE), np.float32)
        centre = tuple(int(v) for v in rng.integers(0, SIZE, 2))
        axes = tuple(int(v) for v in rng.integers(4, 26, 2))
        cv2.ellipse(glint, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(0.2, 0.7)), -1)
        y += cv2.GaussianBlur(glint, (0, 0), float(rng.uniform(0.5, 4)))[..., None]
    if rng.random() < 0.3:
        y += rng.normal(0, rng.uniform(0.005, 0.03), y.shape).astype(np.float32)
    return normalise(np.clip(y, 0, 1))


def episode(files: list[Path], rng: np.random.Generator) -> tuple[torch.Tensor, np.ndarray, torch.Tensor]:
    """Crops (KINDS * 6 * VIEWS good ones, then bad ones), pips of each face, and how many are good."""
    good, bad, pips = [], [], []
    for k in rng.choice(len(files), KINDS, replace=False):
        with np.load(files[int(k)]) as data:
            crops, spoiled, numbers = data["crops"], data["bad"], data["pips"]
            lit = data["lit"] if "lit" in data and rng.random() < LIT_SHARE else None
        for face in range(6):
            chosen = list(crops[face, rng.choice(crops.shape[1], VIEWS, replace=False)])
            if lit is not None:
                told = VIEWS - VIEWS // 2
                chosen[-told:] = lit[face, rng.choice(lit.shape[1], told, replace=False)]
            good += [jitter(crop, rng) for crop in chosen]
        bad += [jitter(spoiled[int(v)], rng) for v in rng.choice(len(spoiled), 5, replace=False)]
        pips.append(numbers)
    x = torch.from_numpy(np.stack(good + bad).transpose(0, 3, 1, 2).copy())
    return x, np.concatenate(pips), torch.tensor(len(good))


def loss_of(out: torch.Tensor, pips: np.ndarray, good: int) -> tuple[torch.Tensor, float]:
    """Prototype loss, pip loss, legibility loss; and the share of queries nearest to their own face."""
    e = out[:good, :WIDTH].reshape(KINDS * 6, VIEWS, WIDTH)
    prototypes = F.normalize(e[:, : VIEWS // 2].mean(1), dim=1)
    queries = e[:, VIEWS // 2 :].reshape(-1, WIDTH)
    logits = 16.0 * queries @ prototypes.T
    labels = torch.arange(KINDS * 6).repeat_interleave(VIEWS // 2)
    number = torch.from_numpy(pips)
    same = (number[labels][:, None] == number[None, :]) & (number[None, :] > 0)
    same[torch.arange(len(labels)), labels] = False
    margin = torch.zeros_like(logits)
    margin[torch.arange(len(labels)), labels] = 16.0 * 0.15
    metric = F.cross_entropy((logits - margin).masked_fill(same, -1e4), labels)
    exact = float((logits.masked_fill(same, -1e4).argmax(1) == labels).float().mean())
    every = number.repeat_interleave(VIEWS)
    pip = F.cross_entropy(out[:good, WIDTH : WIDTH + 7], every, label_smoothing=0.01)
    legible = torch.cat([torch.ones(good), torch.zeros(len(out) - good)])
    fine = F.binary_cross_entropy_with_logits(out[:, WIDTH + 7], legible)
    return metric + pip + 0.5 * fine, exact


def likeness(out: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    """How far the answers are from a teacher's (both N x 72): directions of embeddings, pips, legibility."""
    turned = (out[:, :WIDTH] - told[:, :WIDTH]).square().sum(dim=1).mean()
    pips = told[:, WIDTH : WIDTH + 7].softmax(dim=1)
    number = F.cross_entropy(out[:, WIDTH : WIDTH + 7], pips)
    fine = F.binary_cross_entropy_with_logits(out[:, WIDTH + 7], told[:, WIDTH + 7].sigmoid())
    return ALIKE * turned + number + 0.5 * fine


def main() -> None:
    """Command line of the development script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="go on from the weights of this .onnx file")
    parser.add_argument("--wide", action="store_true", help="a network of twice the work")
    parser.add_argument("--teacher", type=Path, help="a wide network whose answers are learnt, too")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(2)
    net = Describer(options.wide)
    teacher = known(Describer(wide=True), options.teacher, options.folder) if options.teacher else None
    if options.resume:
        known(net, options.resume, options.folder)
    elif teacher is not None:
        shrunk(teacher, net)
    train(net, options.folder, options.out, options.minutes, options.rate, teacher)


def known(net: Describer, path: Path, folder: Path) -> Describer:
    """The net with the weights of a file."""
    rng, files = np.random.default_rng(4), crops_in(folder)
    read_weights(net, path, (episode(files, rng)[0] for _ in range(MEASURED)))
    return net


def crops_in(folder: Path) -> list[Path]:
    """The files that ``make_faces`` wrote there."""
    return sorted(p for p in folder.glob("*.npz") if ".tmp" not in p.name)


def train(
    net: Describer, folder: Path, out: Path, minutes: float, rate: float, teacher: Describer | None = None
) -> None:
    """Train for so many minutes of the processor; files that appear meanwhile are used too."""
    net = net.to(memory_format=torch.channels_last)
    if teacher is not None:
        teacher = teacher.to(memory_format=torch.channels_last).eval()
    rng = np.random.default_rng(2)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    start, step, mean, hits = time.process_time(), 0, 0.0, 0.0
    files: list[Path] = []
    while (spent := (time.process_time() - start) / (60 * minutes)) < 1:
        if step % 50 == 0:
            files = crops_in(folder)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        x, pips, good = episode(files, rng)
        net.train()
        x = x.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            out_of = net(x).float()
        loss, exact = loss_of(out_of, pips, int(good))
        if teacher is not None:
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=HALF):
                told = teacher(x).float()
            loss = loss + likeness(out_of, told)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        mean, hits = 0.97 * mean + 0.03 * loss.item(), 0.97 * hits + 0.03 * exact
        if step % 50 == 0:
            scale = 1 - 0.97**step
            told = f"loss {mean / scale:.3f}, nearest right {hits / scale:.4f}"
            print(f"{step} steps, {len(files)} kinds, {spent:.0%}, {told}", flush=True)
        if step % 250 == 0:
            export(net, out)
    export(net, out)


def export(net: Describer, out: Path) -> None:
    """Write the weights and an ONNX file for the reader."""
    net.eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    partial = out.with_suffix(".partial.onnx")
    torch.onnx.export(
        net, (torch.zeros(1, 3, SIZE, SIZE),), str(partial), input_names=["crops"], output_names=["faces"],
        dynamic_axes={"crops": {0: "n"}, "faces": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    partial.rename(out)


if __name__ == "__main__":
    main()

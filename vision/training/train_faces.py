"""Train both face classifiers on patches (``patches.py``) at once; one core, no graphics card.

    python -m vision.training.train_faces PATCHES --out base --minutes 15 --share 0
    python -m vision.training.train_faces PATCHES --out faces --start base --minutes 12 --share 0.55

writes ``OUT_near.pt`` and ``OUT_wide.pt``.  For cross-validation photographs are left out by
``--leave-out SOURCE`` (several) or ``--third K`` (the K-th, K+3rd, ... of each source).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as fn

from vision.training.data import left_out
from vision.training.nets import FaceNet, WideNet
from vision.training.patches import Patches
from vision.training.views import batch_view, nearer

VIEWS = {"near": (48, 28.0), "wide": (60, 32.0)}  # pixels of a crop, and of the face's edge in it
NEARER = (VIEWS["near"][0] / VIEWS["near"][1]) / (VIEWS["wide"][0] / VIEWS["wide"][1])
DRAWN = ("synthetic", "renders")
BATCH = 128


def usable(p: Patches, sources: list[str], third: int | None) -> NDArray[np.bool_]:
    """Which patches may be trained on."""
    real = ~np.isin(p.sources, DRAWN)
    names = dict(zip(p.pictures[real].tolist(), p.sources[real].tolist(), strict=True))
    return ~np.isin(p.pictures, sorted(left_out(names, sources, third)))


def batches(
    rng: np.random.Generator, p: Patches, fit: NDArray[np.bool_], share: float
) -> Iterator[NDArray[np.intp]]:
    """Indices of batches: ``share`` of photographs; sources by the square root of their dice."""
    drawn = np.isin(p.sources, DRAWN)
    groups: list[tuple[float, NDArray[np.intp]]] = []
    real = [s for s in sorted(set(p.sources[fit])) if s not in DRAWN]
    size = {s: np.sqrt(np.count_nonzero(fit & (p.sources == s) & (p.faces > 0))) for s in real}
    for s in real:
        for none in (True, False):
            at = np.nonzero(fit & (p.sources == s) & ((p.faces == 0) == none))[0]
            groups.append((share * size[s] / sum(size.values()) * (0.11 if none else 0.89), at))
    rest = 1 - share if real else 1.0
    for none in (True, False):
        at = np.nonzero(fit & drawn & ((p.faces == 0) == none))[0]
        groups.append((rest * (0.15 if none else 0.85), at))
    weights = np.array([g[0] for g in groups])
    while True:
        chosen = rng.choice(len(groups), BATCH, p=weights / weights.sum())
        yield np.sort([groups[c][1][rng.integers(len(groups[c][1]))] for c in chosen])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("patches", type=Path)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.55, help="share of photographs")
    parser.add_argument("--leave-out", action="append", default=[])
    parser.add_argument("--third", type=int)
    parser.add_argument("--only", choices=sorted(VIEWS), help="train one of the two alone")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    patches = Patches.load(args.patches)
    fit = usable(patches, args.leave_out, args.third)
    print(np.count_nonzero(fit), "of", len(fit), "patches", flush=True)
    nets: dict[str, torch.nn.Module] = {"near": FaceNet(), "wide": WideNet()}
    if args.only:
        nets = {args.only: nets[args.only]}
    for name, net in nets.items():
        if args.start:
            net.load_state_dict(torch.load(f"{args.start}_{name}.pt"))
        net.to(memory_format=torch.channels_last)
    opt = torch.optim.AdamW(
        [w for n in nets.values() for w in n.parameters()], lr=args.rate, weight_decay=1e-3
    )
    train(args, rng, patches, batches(rng, patches, fit, args.share), nets, opt)


def train(
    args: argparse.Namespace, rng: np.random.Generator, patches: Patches, order: Iterator[NDArray[np.intp]],
    nets: dict[str, torch.nn.Module], opt: torch.optim.Optimizer,
) -> None:  # fmt: skip
    """Train for a time; the learning rate falls along half a cosine."""
    start, step = time.time(), 0
    hits: dict[str, list[float]] = {name: [] for name in nets}
    while (done := (time.time() - start) / (args.minutes * 60)) < 1:
        for g in opt.param_groups:
            g["lr"] = args.rate * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * done))) * min(1, (step + 1) / 100)
        at = next(order)
        images, target = np.ascontiguousarray(patches.images[at]), torch.from_numpy(patches.faces[at])
        wide = batch_view(rng, images, *VIEWS["wide"])
        opt.zero_grad()
        for name, net in nets.items():
            x = wide if name == "wide" else nearer(wide, VIEWS["near"][0], NEARER)
            x = x.contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16):  # twice as quick where the processor has it
                y = net(x)
            fn.cross_entropy(y.float(), target, label_smoothing=0.02).backward()
            hits[name].append((y.argmax(1) == target).float().mean().item())
        opt.step()
        step += 1
        if step % 200 == 0:
            shares = "  ".join(f"{n} {np.mean(h[-200:]):.4f}" for n, h in hits.items())
            print(f"{time.time() - start:6.0f} s  step {step}  {shares}", flush=True)
            for name, net in nets.items():
                torch.save(net.state_dict(), f"{args.out}_{name}.pt")
    for name, net in nets.items():
        torch.save(net.state_dict(), f"{args.out}_{name}.pt")


if __name__ == "__main__":
    main()

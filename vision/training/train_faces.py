"""Train both face classifiers on patches (``patches.py``) at once; one core, no graphics card.

    python -m vision.training.train_faces PATCHES --out base --minutes 15 --share 0
    python -m vision.training.train_faces PATCHES --out faces --start base --minutes 12 --share 0.55

writes ``OUT_near.pt`` and ``OUT_wide.pt``.  For cross-validation photographs are left out by
``--leave-out SOURCE`` (several) or ``--third K`` (the K-th, K+3rd, ... of each source).
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as fn

from vision.training.data import left_out
from vision.training.nets import HALF, FaceNet, WideNet, follow
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
    rng: np.random.Generator, p: Patches, fit: NDArray[np.bool_], share: float, hard: NDArray[np.float64]
) -> Iterator[NDArray[np.intp]]:
    """Indices of batches: ``share`` of photographs; sources by the square root of their dice.

    ``hard``: (n,) how hard each patch was when last seen; they are chosen by it.
    """
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
        out = []
        for c, n in zip(*np.unique(chosen, return_counts=True), strict=True):
            at = groups[c][1]
            w = hard[at]
            out.append(rng.choice(at, n, p=w / w.sum()))
        yield np.sort(np.concatenate(out))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("patches", type=Path, nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--start")
    parser.add_argument("--minutes", type=float, default=15, help="of the processor, whatever else it does")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.55, help="share of photographs")
    parser.add_argument("--spoil", type=float, default=0.4, help="how often photographs are made worse, 0..1")
    parser.add_argument("--leave-out", action="append", default=[])
    parser.add_argument("--third", type=int)
    parser.add_argument("--only", choices=sorted(VIEWS), help="train one of the two alone")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    patches = Patches.load(*args.patches)
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
    train(args, rng, patches, fit, nets, opt)


def train(
    args: argparse.Namespace, rng: np.random.Generator, patches: Patches, fit: NDArray[np.bool_],
    nets: dict[str, torch.nn.Module], opt: torch.optim.Optimizer,
) -> None:  # fmt: skip
    """Train for a time of the processor.

    The learning rate falls along half a cosine; the mean of the weights is kept.
    """
    busy = time.process_time
    start, step = busy(), 0
    hard = np.full(len(patches.faces), 0.5)
    order = batches(rng, patches, fit, args.share, hard)
    drawn = np.isin(patches.sources, DRAWN)
    mean = {name: copy.deepcopy(net) for name, net in nets.items()}
    hits: dict[str, list[float]] = {name: [] for name in nets}
    while (done := (busy() - start) / (args.minutes * 60)) < 1:
        for g in opt.param_groups:
            g["lr"] = args.rate * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * done))) * min(1, (step + 1) / 100)
        at = next(order)
        images, target = patches.look(at), torch.from_numpy(patches.faces[at])
        wide = batch_view(rng, images, *VIEWS["wide"], np.where(drawn[at], 0.8, args.spoil))
        opt.zero_grad()
        losses = torch.zeros(len(at))
        for name, net in nets.items():
            x = wide if name == "wide" else nearer(wide, VIEWS["near"][0], NEARER)
            x = x.contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
                y = net(x)
            loss = fn.cross_entropy(y.float(), target, reduction="none")
            loss.mean().backward()
            losses += loss.detach() / len(nets)
            hits[name].append((y.argmax(1) == target).float().mean().item())
        opt.step()
        hard[at] = 0.8 * hard[at] + 0.2 * (0.15 + losses.clamp(max=1.5).numpy())
        step += 1
        for name, net in nets.items():
            follow(mean[name], net, step)
        if step % 200 == 0:
            shares = "  ".join(f"{n} {np.mean(h[-200:]):.4f}" for n, h in hits.items())
            print(f"{busy() - start:6.0f} s  step {step}  {shares}", flush=True)
            save(mean, args.out)
    save(mean, args.out)
    worst = np.argsort(-np.where(drawn | ~fit, 0, hard))[:25]
    print("hardest:", *(f"{patches.pictures[i]} {patches.faces[i]} {hard[i]:.2f}" for i in worst), sep="\n")


def save(nets: dict[str, torch.nn.Module], out: str) -> None:
    """Write ``OUT_near.pt`` and ``OUT_wide.pt``."""
    for name, net in nets.items():
        torch.save(net.state_dict(), f"{out}_{name}.pt")


if __name__ == "__main__":
    main()

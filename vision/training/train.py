"""Train the two networks of the dice reader and write them as ONNX files.

    python -m vision.training.scenes CACHE --count 5000 --seed 1      (and more seeds)
    python -m vision.training.train detector --synthetic CACHE --out start.pt --minutes 15
    python -m vision.training.pseudo start.pt --labels LABELS.csv --out pseudo.json
    python -m vision.training.train detector --synthetic CACHE --labels LABELS.csv --pseudo pseudo.json \
        --start start.pt --out detector.pt --minutes 15
    python -m vision.training.train faces ... --out faces.pt
    python -m vision.training.export detector.pt faces.pt vision/models

Everything runs on one core without a graphics card.  ``--leave-out SOURCE``
trains without one source, for cross-validation.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as fn

from vision.training import augment
from vision.training.crops import crop_batch
from vision.training.data import Picture, labelled, renders, synthetic
from vision.training.nets import Detector, FaceNet


def detector_loss(y: Tensor, heat: Tensor, reg: Tensor) -> Tensor:
    """Focal loss of the heat maps, smooth L1 of the size, cross-entropy of the face."""
    p = torch.sigmoid(y[:, :2]).clamp(1e-4, 1 - 1e-4)
    t, w = heat[:, :2], heat[:, 2:3]
    peak = (t > 0.999).float()
    pos = -torch.log(p) * (1 - p) ** 2 * peak
    neg = -torch.log(1 - p) * p**2 * (1 - t) ** 4 * (1 - peak)
    n = peak.sum().clamp(min=1)
    loss = ((pos + neg) * w).sum() / n
    size_w = reg[:, 3]
    loss = loss + 0.5 * (
        fn.smooth_l1_loss(y[:, 2], reg[:, 0], reduction="none", beta=0.1) * size_w
    ).sum() / size_w.sum().clamp(min=1)
    face_w = reg[:, 2]
    ce = fn.cross_entropy(y[:, 3:9], reg[:, 1].long().clamp(min=0), reduction="none", label_smoothing=0.02)
    return loss + (ce * face_w).sum() / face_w.sum().clamp(min=1)


def _mix(args: argparse.Namespace) -> tuple[list[Picture], list[Picture], list[Picture]]:
    real = labelled(args.labels, args.pseudo) if args.labels else []
    real = [p for p in real if p.source not in (args.leave_out or [])]
    drawn = synthetic(args.synthetic)
    table = renders(args.renders) if args.renders else []
    if args.negatives:
        wrong = json.loads(args.negatives.read_text())
        for p in [*real, *drawn, *table]:
            p.negatives = wrong.get(p.name, [])
    print(f"{len(real)} photographs, {len(drawn)} synthetic scenes, {len(table)} renders", flush=True)
    return real, drawn, table


def _pick(
    rng: np.random.Generator, real: list[Picture], drawn: list[Picture], table: list[Picture], share: float
) -> Picture:
    u = rng.random()
    if real and u < share:
        source = rng.choice(sorted({p.source for p in real}), p=_weights(real))
        some = [p for p in real if p.source == source]
        return some[rng.integers(len(some))]
    if table and u > 0.92:
        return table[rng.integers(len(table))]
    return drawn[rng.integers(len(drawn))]


def _weights(real: list[Picture]) -> list[float]:
    """Sources by the square root of their dice: small ones are not drowned."""
    names = sorted({p.source for p in real})
    w = np.sqrt([sum(len(p.dice) for p in real if p.source == s) for s in names])
    return list(w / w.sum())


def train_detector(args: argparse.Namespace) -> None:
    """Train for a time; the learning rate falls along half a cosine."""
    real, drawn, table = _mix(args)
    rng = np.random.default_rng(args.seed)
    net = Detector()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    opt = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    start, step, log = time.time(), 0, []
    while (done := (time.time() - start) / (args.minutes * 60)) < 1:
        for g in opt.param_groups:
            g["lr"] = args.rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * done))) * min(1, (step + 1) / 100)
        xs, hs, rs = [], [], []
        for _ in range(12):
            img, dice = augment.view(rng, _pick(rng, real, drawn, table, args.share), args.size)
            h, r = augment.targets(dice, args.size)
            xs.append(augment.colours(rng, img))
            hs.append(h)
            rs.append(r)
        x = torch.from_numpy(np.stack(xs)).permute(0, 3, 1, 2).float() / 255
        with torch.autocast("cpu", dtype=torch.bfloat16):  # twice as quick where the processor has it
            y = net(x)
        loss = detector_loss(y.float(), torch.from_numpy(np.stack(hs)), torch.from_numpy(np.stack(rs)))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        log.append(loss.item())
        step += 1
        if step % 100 == 0:
            print(f"{time.time() - start:6.0f} s  step {step}  loss {np.mean(log[-100:]):.3f}", flush=True)
            torch.save(net.state_dict(), args.out)
    torch.save(net.state_dict(), args.out)


def train_faces(args: argparse.Namespace) -> None:
    """Train the classifier of single faces."""
    real, drawn, table = _mix(args)
    rng = np.random.default_rng(args.seed)
    net = FaceNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    opt = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    start, step, log, hits = time.time(), 0, [], []
    while (done := (time.time() - start) / (args.minutes * 60)) < 1:
        for g in opt.param_groups:
            g["lr"] = args.rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * done))) * min(1, (step + 1) / 100)
        x, t = crop_batch(rng, lambda: _pick(rng, real, drawn, table, args.share), 64)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = net(torch.from_numpy(x).permute(0, 3, 1, 2).float() / 255)
        y = y.float()
        target = torch.from_numpy(t)
        loss = fn.cross_entropy(y, target, label_smoothing=0.02)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.append(loss.item())
        hits.append((y.argmax(1) == target).float().mean().item())
        step += 1
        if step % 100 == 0:
            means = f"loss {np.mean(log[-100:]):.3f}  hit {np.mean(hits[-100:]):.4f}"
            print(f"{time.time() - start:6.0f} s  step {step}  {means}", flush=True)
            torch.save(net.state_dict(), args.out)
    torch.save(net.state_dict(), args.out)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["detector", "faces"])
    parser.add_argument("--synthetic", type=Path, required=True)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument("--renders", type=Path)
    parser.add_argument("--negatives", type=Path, help="written by negatives.py")
    parser.add_argument("--leave-out", action="append")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.6, help="share of photographs among the pictures")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    (train_detector if args.what == "detector" else train_faces)(args)


if __name__ == "__main__":
    main()

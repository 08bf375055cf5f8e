"""Train the detector of the dice reader; the way to all three networks of it:

    python -m vision.training.scenes CACHE --count 5000 --seed 1      (and more seeds)
    python -m vision.training.train --synthetic CACHE --out start.pt --minutes 15
    python -m vision.training.export --detector start.pt START
    python -m vision.training.pseudo START/detector.onnx --labels LABELS.csv --out pseudo.json
    python -m vision.training.train --synthetic CACHE --labels LABELS.csv --pseudo pseudo.json \
        --start start.pt --out detector.pt --minutes 15
    python -m vision.training.negatives ... ; python -m vision.training.patches ...
    python -m vision.training.train_faces ...
    python -m vision.training.export --detector detector.pt --near f_near.pt --wide f_wide.pt vision/models

Everything runs on one core without a graphics card.  ``--leave-out SOURCE`` and
``--third K`` train without some of the photographs, for cross-validation.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as fn

from vision.training import augment
from vision.training.data import LabelledPicture, labelled, left_out, renders, synthetic
from vision.training.nets import HALF, DetectorNet, follow


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


class Mix:
    """All pictures to train on, and how often each group of them is looked at."""

    def __init__(self, args: argparse.Namespace) -> None:
        real = labelled(args.labels, args.pseudo) if args.labels else []
        names = {p.name: p.source for p in real}
        away = left_out(names, args.leave_out or [], args.third)
        self.real: dict[str, list[LabelledPicture]] = {}
        for p in real:
            if p.name not in away:
                self.real.setdefault(p.source, []).append(p)
        self.drawn = [p for folder in args.synthetic for p in synthetic(folder)]
        self.table = renders(args.renders) if args.renders else []
        self.share = args.share if self.real else 0.0
        # sources by the square root of their dice: small ones are not drowned
        weights = np.sqrt([sum(len(p.dice) for p in some) for some in self.real.values()])
        self.weights = weights / weights.sum() if len(weights) else weights
        count = sum(map(len, self.real.values()))
        print(f"{count} photographs, {len(self.drawn)} scenes, {len(self.table)} renders", flush=True)

    def pick(self, rng: np.random.Generator) -> LabelledPicture:
        """Any picture."""
        u = rng.random()
        group = self.drawn
        if u < self.share:
            group = self.real[str(rng.choice(list(self.real), p=self.weights))]
        elif self.table and u > 0.92:
            group = self.table
        return group[rng.integers(len(group))]


def train_detector(args: argparse.Namespace) -> None:
    """Train for a time of the processor.

    The learning rate falls along half a cosine; the mean of the weights is kept.
    """
    mix = Mix(args)
    rng = np.random.default_rng(args.seed)
    net = DetectorNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    opt = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    busy = time.process_time
    start, step, log = busy(), 0, []
    while (done := (busy() - start) / (args.minutes * 60)) < 1:
        for g in opt.param_groups:
            g["lr"] = args.rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * done))) * min(1, (step + 1) / 100)
        xs, hs, rs = [], [], []
        for _ in range(12):
            img, dice = augment.view(rng, mix.pick(rng), args.size)
            h, r = augment.targets(dice, args.size)
            xs.append(augment.colours(rng, img))
            hs.append(h)
            rs.append(r)
        x = torch.from_numpy(np.stack(xs)).permute(0, 3, 1, 2).float() / 255  # channels last
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            y = net(x)
        loss = detector_loss(y.float(), torch.from_numpy(np.stack(hs)), torch.from_numpy(np.stack(rs)))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        log.append(loss.item())
        step += 1
        follow(mean, net, step)
        if step % 100 == 0:
            print(f"{busy() - start:6.0f} s  step {step}  loss {np.mean(log[-100:]):.3f}", flush=True)
            torch.save(mean.state_dict(), args.out)
    torch.save(mean.state_dict(), args.out)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--synthetic", type=Path, nargs="+", required=True)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument("--renders", type=Path)
    parser.add_argument("--leave-out", action="append", help="a source of photographs not to be learnt")
    parser.add_argument("--third", type=int, help="leave out the photographs K, K + 3, ... of each source")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15, help="of the processor, whatever else it does")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.6, help="share of photographs among the pictures")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    train_detector(args)


if __name__ == "__main__":
    main()

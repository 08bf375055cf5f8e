"""Write trained weights as ONNX files that the reader loads, and check that both give the same numbers."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch

from vision.network import Network
from vision.training.nets import DetectorNet, FaceNet, WideNet
from vision.training.weave import weave


def export(net: torch.nn.Module, shape: tuple[int, int, int, int], path: Path) -> float:
    """Export with batch norms folded in; returns the largest difference of what is read from torch."""
    net.eval()
    x = torch.rand(shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch announces its newer exporter; this one writes plain operators
        axes = {"x": {0: "n", 2: "h", 3: "w"}} if shape[2] > 100 else {"x": {0: "n"}}
        torch.onnx.export(
            net, x, str(path), dynamo=False, input_names=["x"], output_names=["y"], dynamic_axes=axes
        )
    weave(path, path)
    with torch.no_grad():
        return float(np.abs(Network(path).run(x.numpy()) - net(x).numpy()).max())


NETWORKS: dict[str, tuple[type[torch.nn.Module], tuple[int, int, int, int], str]] = {
    "detector": (DetectorNet, (1, 3, 480, 640), "detector.onnx"),
    "near": (FaceNet, (2, 3, 48, 48), "faces.onnx"),
    "wide": (WideNet, (2, 3, 60, 60), "faces_wide.onnx"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in NETWORKS:
        parser.add_argument(f"--{name}", type=Path, help="weights written by train.py or train_faces.py")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, (kind, shape, file) in NETWORKS.items():
        weights = getattr(args, name)
        if weights:
            net = kind()
            net.load_state_dict(torch.load(weights))
            print(f"{name}: what the reader runs differs from torch by", export(net, shape, args.out / file))


if __name__ == "__main__":
    main()

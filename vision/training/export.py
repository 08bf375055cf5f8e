"""Write trained weights as ONNX files that cv2.dnn loads, and check that both give the same numbers."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.training.nets import Detector, FaceNet


def export(net: torch.nn.Module, shape: tuple[int, int, int, int], path: Path) -> float:
    """Export with batch norms folded in; returns the largest difference of cv2.dnn from torch."""
    net.eval()
    x = torch.rand(shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch announces its newer exporter; this one writes plain operators
        axes = {"x": {0: "n", 2: "h", 3: "w"}} if shape[2] > 100 else {"x": {0: "n"}}
        torch.onnx.export(
            net, x, str(path), dynamo=False, input_names=["x"], output_names=["y"], dynamic_axes=axes
        )
    dnn = cv2.dnn.readNetFromONNX(str(path))
    dnn.setInput(x.numpy())
    with torch.no_grad():
        return float(np.abs(dnn.forward() - net(x).numpy()).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--faces", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.detector:
        d = Detector()
        d.load_state_dict(torch.load(args.detector))
        print(
            "detector: cv2.dnn differs from torch by", export(d, (1, 3, 480, 640), args.out / "detector.onnx")
        )
    if args.faces:
        f = FaceNet()
        f.load_state_dict(torch.load(args.faces))
        print("faces: cv2.dnn differs from torch by", export(f, (2, 3, 48, 48), args.out / "faces.onnx"))


if __name__ == "__main__":
    main()

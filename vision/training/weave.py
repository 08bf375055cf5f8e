"""Transposed convolutions become plain ones: ``python -m vision.training.weave DETECTOR.onnx OUT.onnx``.

A development script (needs ``onnx``); ``vision.training.export`` calls it.  A transposed convolution of
2 x 2 pixels and stride 2 gives each input pixel four output pixels of its own, so it is a convolution of
1 x 1 with four times the channels, whose outputs are woven together ("sub-pixel convolution", Shi et al.
2016, arXiv:1609.05158).  ``cv2.dnn``'s older engine takes nearly all its time for the former, and little
for the latter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from vision.training.rewrite import keep, rewrite, run, ways


def _woven(graph: onnx.GraphProto, node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """Nodes instead of a transposed convolution: (n, i, h, w) -> (n, o, 2 h, 2 w), whatever n, h, w are."""
    weight, bias = (next(one for one in graph.initializer if one.name == name) for name in node.input[1:])
    kernel = numpy_helper.to_array(weight)  # i, o, row, column
    inputs, outputs = kernel.shape[:2]
    graph.initializer.remove(weight)
    graph.initializer.remove(bias)

    def kept(part: str, values: np.ndarray) -> str:
        return keep(graph, f"{node.name}/{part}", values)

    def made(kind: str, sources: list[str], part: str, **how: list[int]) -> onnx.NodeProto:
        return helper.make_node(kind, sources, [f"{node.name}/{part}"], **how)

    plain = kept("kernel", kernel.transpose(3, 2, 1, 0).reshape(4 * outputs, inputs, 1, 1))
    four = kept("four", np.tile(numpy_helper.to_array(bias), 4))
    # 0 leaves a dimension as it is, and -1 is what is left: no size of a picture stands in the file
    columns = kept("columns", np.array([0, 0, -1, 2 * outputs], np.int64))
    rows = kept("rows", np.array([0, 0, -1, outputs], np.int64))
    yield made("Conv", [node.input[0], plain, four], "parts", kernel_shape=[1, 1])
    yield made("Transpose", [f"{node.name}/parts"], "last", perm=[0, 2, 3, 1])
    yield made("Reshape", [f"{node.name}/last", columns], "wide")
    yield made("Transpose", [f"{node.name}/wide"], "turned", perm=[0, 2, 1, 3])
    yield made("Reshape", [f"{node.name}/turned", rows], "high")
    yield helper.make_node("Transpose", [f"{node.name}/high"], list(node.output), perm=[0, 3, 2, 1])


def _instead(graph: onnx.GraphProto, node: onnx.NodeProto) -> Iterator[onnx.NodeProto] | None:
    if node.op_type != "ConvTranspose":
        return None
    how = ways(node)
    if how["kernel_shape"] != [2, 2] or how["strides"] != [2, 2] or any(how.get("pads", [])):
        raise ValueError(f"{node.name} is no transposed convolution of 2 x 2 pixels and stride 2")
    return _woven(graph, node)


def weave(source: Path, out: Path) -> None:
    """Write a network without transposed convolutions that gives the same numbers.

    Raises ValueError where one is not of 2 x 2 pixels and stride 2.
    """
    rewrite(source, out, _instead)


if __name__ == "__main__":
    run(__doc__, weave)

"""A finder without dilated convolutions: ``python -m vision.faces.undilate FINDER.onnx OUT.onnx``.

A development script (needs ``onnx``).  ``cv2.dnn`` has Winograd's algorithm (Lavin and Gray 2016,
arXiv:1509.09308) for undilated convolutions only, with which they take a third of the time.  A convolution
of dilation 2 (Yu and Koltun 2016, arXiv:1511.07122) is an undilated one on each of the four pictures of every
second row and column; these become a batch ("space to batch"), and are woven together again.  The numbers of
rows and columns stand in the file, so it is for one size of tray, the default one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

from vision.training.rewrite import keep, rewrite, run, ways

CELL = 8  # pixels of the picture for a cell of the dilated layers


class _Undilated:
    """Writes nodes for one dilated convolution."""

    def __init__(self, graph: onnx.GraphProto, node: onnx.NodeProto, rows: int, columns: int) -> None:
        self.graph, self.node = graph, node
        self.rows, self.columns = rows, columns
        weight = next(one for one in graph.initializer if one.name == node.input[1])
        self.channels = weight.dims[1]

    def _named(self, part: str) -> str:
        return f"{self.node.name}/{part}"

    def _numbers(self, part: str, values: list[int]) -> str:
        return keep(self.graph, self._named(part), np.array(values, np.int64))

    def _shaped(self, source: str, part: str, shape: list[int]) -> onnx.NodeProto:
        numbers = self._numbers(f"{part}_shape", shape)
        return helper.make_node("Reshape", [source, numbers], [self._named(part)])

    def _turned(self, source: str, part: str, axes: list[int]) -> onnx.NodeProto:
        return helper.make_node("Transpose", [self._named(source)], [self._named(part)], perm=axes)

    def nodes(self) -> Iterator[onnx.NodeProto]:
        """Never more than four dimensions are turned round: with five ``cv2.dnn`` takes ten times as long."""
        high, wide = (n + n % 2 for n in (self.rows, self.columns))
        half = [high // 2, wide // 2]
        edge = self._numbers("edge", [0, 0, 0, 0, 0, 0, high - self.rows, wide - self.columns])
        yield helper.make_node("Pad", [self.node.input[0], edge], [self._named("even")], mode="constant")
        rows = self.channels * half[0]
        yield self._shaped(self._named("even"), "cells", [rows, 2, half[1], 2])
        yield self._turned("cells", "turned", [1, 3, 0, 2])
        yield self._shaped(self._named("turned"), "four", [4, self.channels, *half])
        inputs = [self._named("four"), *self.node.input[1:]]
        yield helper.make_node("Conv", inputs, [self._named("done")], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        yield self._shaped(self._named("done"), "parts", [2, 2, rows, half[1]])
        yield self._turned("parts", "woven", [2, 0, 3, 1])
        yield self._shaped(self._named("woven"), "whole", [1, self.channels, high, wide])
        ends, axes = self._numbers("ends", [self.rows, self.columns]), self._numbers("axes", [2, 3])
        begins = self._numbers("begins", [0, 0])
        yield helper.make_node("Slice", [self._named("whole"), begins, ends, axes], list(self.node.output))


def _instead(graph: onnx.GraphProto, node: onnx.NodeProto) -> Iterator[onnx.NodeProto] | None:
    if node.op_type != "Conv" or ways(node)["dilations"] != [2, 2]:
        return None
    high, wide = (one.dim_value for one in graph.input[0].type.tensor_type.shape.dim[2:])
    return _Undilated(graph, node, high // CELL, wide // CELL).nodes()


def undilate(finder: Path, out: Path) -> None:
    """Write a finder that gives the same maps for a picture of the size that stands in ``finder``."""
    rewrite(finder, out, _instead)


if __name__ == "__main__":
    run(__doc__, undilate)

"""Networks in ONNX files written anew, node by node.  For development scripts (needs ``onnx``)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

Instead = Callable[[onnx.GraphProto, onnx.NodeProto], Iterator[onnx.NodeProto] | None]
"""What stands for a node of a graph; None where it stays as it is."""


def ways(node: onnx.NodeProto) -> dict[str, list[int]]:
    """The attributes of a node that are lists of whole numbers."""
    return {one.name: list(one.ints) for one in node.attribute}


def keep(graph: onnx.GraphProto, name: str, values: np.ndarray) -> str:
    """Write numbers into the graph; gives ``name`` back."""
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
    return name


def rewrite(source: Path, out: Path, instead: Instead) -> None:
    """Write the network of ``source`` to ``out``, with other nodes where there are some instead."""
    model = onnx.load(source)
    graph = model.graph
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        others = instead(graph, node)
        nodes += [node] if others is None else others
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, out)


def run(doc: str | None, write: Callable[[Path, Path], None]) -> None:
    """The command of a module that writes one file from another."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("source", type=Path, help="the network as it is")
    parser.add_argument("out", type=Path, help="the network written anew")
    options = parser.parse_args()
    write(options.source, options.out)

"""Go on training from committed weights: an ONNX file has each batch norm folded into its convolution.

A development script's part (needs ``torch`` and ``onnx``).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

LAYERS = {"Conv": nn.Conv2d, "Gemm": nn.Linear}


def read_weights(net: nn.Module, path: Path, examples: Iterable[torch.Tensor]) -> None:
    """Give ``net`` the weights of an ONNX file that was exported from a network of its kind.

    Each convolution gets its folded weights, and the batch norm after it what the outputs for ``examples``
    (batches of the network's input) have for mean and variance, and just undoes them: so the network answers
    as the file does, and goes on answering so when it is trained.
    """
    graph = onnx.load(path).graph
    known = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in LAYERS]
    layers = [m for m in net.modules() if isinstance(m, tuple(LAYERS.values()))]
    biases = []
    for node, layer in zip(nodes, layers, strict=True):
        if not isinstance(layer, LAYERS[node.op_type]):
            raise ValueError(f"{path}: {node.name} is not the layer {layer}")
        weight, bias = (known[name] for name in node.input[1:])
        layer.weight.data.copy_(weight.reshape(layer.weight.shape))
        if layer.bias is not None:
            layer.bias.data.copy_(bias)
        else:
            biases.append(bias)
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm, bias in zip(norms, biases, strict=True):
        norm.reset_parameters()
        norm.bias.data.copy_(bias)
        norm.running_var.fill_(1 - norm.eps)
    _measure(net, norms, examples)


def _measure(net: nn.Module, norms: list[nn.BatchNorm2d], examples: Iterable[torch.Tensor]) -> None:
    """Move into each batch norm's statistics what passes through it."""
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms}

    def count(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor, ...]) -> None:
        x = inputs[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack([torch.full((len(x),), x.shape[1]), x.sum(1), (x * x).sum(1)])

    hooks = [norm.register_forward_pre_hook(count) for norm in norms]
    net.eval()
    with torch.no_grad():
        for batch in examples:
            net(batch)
    for hook in hooks:
        hook.remove()
    for norm, (count_of, total, square) in sums.items():
        mean = total / count_of
        variance = (square / count_of - mean**2).clamp_min(1e-6)
        norm.bias.data += mean.float()
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


def shrunk(large: nn.Module, small: nn.Module, channels: int = 1) -> None:
    """Give ``small`` the weights of a network of its kind, whose last map has so many channels.

    Where there are fewer channels the first ones are kept.  A kernel of 3 x 3 that halves the picture becomes
    one of 2 x 2 that sees nearly the same.  A layer after ``Flatten`` that has fewer cells gets those in the
    middle.  What the large one does not have keeps its weights.
    """
    known = large.state_dict()
    fitted = {n: _fitted(known[n], v, channels) for n, v in small.state_dict().items() if n in known}
    small.load_state_dict(fitted, strict=False)


def _fitted(known: torch.Tensor, wanted: torch.Tensor, channels: int) -> torch.Tensor:
    if known.ndim == 4 and known.shape[2] == 3 and wanted.shape[2] == 2:
        # pixels -1, 0 and 1 beside the middle one become 0 and 1
        known = torch.stack([known[:, :, 0] + known[:, :, 1], known[:, :, 2]], dim=2)
        known = torch.stack([known[..., 0] + known[..., 1], known[..., 2]], dim=3)
    if known.ndim == 2 and known.shape[1] != wanted.shape[1]:
        many = round((known.shape[1] // channels) ** 0.5)
        cells = known.reshape(len(known), channels, many, many)
        return _middle(cells, wanted.shape[1], many).reshape(wanted.shape)
    kept: torch.Tensor = known[tuple(slice(n) for n in wanted.shape)]
    return kept.clone()


def _middle(cells: torch.Tensor, wanted: int, many: int) -> torch.Tensor:
    """The middle of a layer's weights (outputs x channels x many x many), ``wanted`` of each output."""
    for few in range(many, 0, -2):
        if wanted % few**2 == 0 and wanted // few**2 <= cells.shape[1]:
            edge = (many - few) // 2
            return cells[:, : wanted // few**2, edge : edge + few, edge : edge + few]
    raise ValueError(f"no middle of {tuple(cells.shape)} has {wanted} weights an output")

"""The two small networks of the reader.  Plain operators only, which every engine runs."""

from __future__ import annotations

import torch
from torch import Tensor, nn

STRIDE = 4
HALF = torch.cpu._is_avx512_bf16_supported()  # bfloat16 is twice as quick there, elsewhere slower
HEADS = 9  # heat of pip dice, heat of other dice, log2(edge / 32), six face logits


def _conv(i: int, o: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class DetectorNet(nn.Module):
    """Finds the centres of top faces: (n, 3, h, w) in 0..1 -> (n, 9, h/4, w/4), raw logits.

    Centres as a heat map follow "Objects as Points" (Zhou et al., 2019).
    """

    def __init__(self, a: int = 16, b: int = 24, c: int = 48, d: int = 96) -> None:
        super().__init__()
        self.down4 = nn.Sequential(_conv(3, a, 2), _conv(a, b, 2), _conv(b, b))
        self.down8 = nn.Sequential(_conv(b, c, 2), _conv(c, c), _conv(c, c))
        self.down16 = nn.Sequential(_conv(c, d, 2), _conv(d, d), _conv(d, d))
        self.up8 = nn.ConvTranspose2d(d, c, 2, 2)
        self.at8 = _conv(c, c)
        self.up4 = nn.ConvTranspose2d(c, b, 2, 2)
        self.at4 = _conv(b, b)
        self.head = nn.Conv2d(b, HEADS, 1)
        nn.init.constant_(self.head.bias[:2], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        x4 = self.down4(x)
        x8 = self.down8(x4)
        y8 = self.at8(x8 + self.up8(self.down16(x8)))
        return self.head(self.at4(x4 + self.up4(y8)))  # type: ignore[no-any-return]


class FaceNet(nn.Module):
    """What shows on a crop of 48 x 48 pixels (edge 28) -> 7 logits: not a pip face, 1..6."""

    def __init__(self, a: int = 16, b: int = 32, c: int = 64) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, a),
            _conv(a, a, 2),
            _conv(a, b),
            _conv(b, b, 2),
            _conv(b, c),
            _conv(c, c, 2),
            nn.Dropout2d(0.1),
        )
        self.out = nn.Sequential(
            nn.Flatten(), nn.Linear(c * 36, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 7)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.body(x))  # type: ignore[no-any-return]


class WideNet(nn.Module):
    """The second opinion: 60 x 60 pixels (edge 32), coarser at once but with more channels -> 7 logits."""

    def __init__(self, a: int = 24, b: int = 48, c: int = 64, d: int = 96) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, a, 2),
            _conv(a, b),
            _conv(b, c, 2),
            _conv(c, c),
            _conv(c, d, 2),
            _conv(d, d),
            nn.AvgPool2d(2),
            nn.Dropout2d(0.1),
        )
        self.out = nn.Sequential(
            nn.Flatten(), nn.Linear(d * 16, 96), nn.ReLU(), nn.Dropout(0.3), nn.Linear(96, 7)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.body(x))  # type: ignore[no-any-return]


@torch.no_grad()
def follow(mean: nn.Module, net: nn.Module, step: int) -> None:
    """Move the running mean of the weights towards those of ``net`` after a step (0, 1, ...) of training."""
    keep = min(0.998, (step + 1) / (step + 20))
    for m, w in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
        if m.is_floating_point():
            m.lerp_(w, 1 - keep)
        else:
            m.copy_(w)

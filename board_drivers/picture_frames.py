"""Encodes what all lights show as the payloads of `LIGHTS` frames: a few tints, and the tint of each light.

| byte | meaning |
|------|---------|
| 0 | global brightness, 0 to 31; plus 128 in the last frame of the picture |
| 1 | number of tints that follow, 0 to 16 |
| 2, 3 | first light, an even number |
| then | red, green and blue of each tint |
| then | the tints of two lights a byte, the first one in the high four bits |

The chip keeps half a byte a light, so that the largest board fits into 2 KiB. A picture of more than sixteen colours is
shown with fewer: their lowest bits are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from board_drivers.ports import Colour
from board_drivers.scan_protocol import MAX_PAYLOAD

TINTS = 16
LAST_OF_PICTURE = 0x80
HEAD_BYTES = 4
BYTE_BITS = 8


def picture_payloads(colours: Sequence[Colour], brightness: int) -> Iterator[bytes]:
    """The payloads for one colour a light, in the order of the chain; `brightness` is 0 to 31."""
    tints, indexes = _palette(colours)
    packed = _packed(indexes)
    head = bytes(part for tint in tints for part in tint)
    first = 0
    while first < len(packed) or not first:
        space = MAX_PAYLOAD - HEAD_BYTES - len(head)
        pairs = packed[first : first + space]
        is_last = first + space >= len(packed)
        flags = brightness | LAST_OF_PICTURE * is_last
        yield bytes((flags, len(head) // 3)) + (2 * first).to_bytes(2, "big") + head + pairs
        first += space
        head = b""


def _palette(colours: Sequence[Colour]) -> tuple[Sequence[Colour], Sequence[int]]:
    """At most `TINTS` colours, and the number of its colour for each light."""
    for lost_bits in range(BYTE_BITS):
        mask = 0xFF << lost_bits & 0xFF
        kept = [(red & mask, green & mask, blue & mask) for red, green, blue in colours]
        tints = tuple(dict.fromkeys(kept))
        if len(tints) <= TINTS:
            break
    numbers = {tint: number for number, tint in enumerate(tints)}
    return tints, [numbers[tint] for tint in kept]


def _packed(indexes: Sequence[int]) -> bytes:
    """Two lights a byte; an odd last light has a neighbour that is not there."""
    padded = [*indexes, 0] if len(indexes) % 2 else indexes
    return bytes(high << 4 | low for high, low in zip(padded[::2], padded[1::2], strict=True))

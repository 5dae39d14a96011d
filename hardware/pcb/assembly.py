"""The assembly drawing: every part in its position, with reference and pads; pin 1 is marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Pad, Rect

_ZOOM = 5.0
_MARGIN = 3.0
_BOARD = "#dfeadf"
_PAD = "#c9a227"
_FIRST = "#b3261e"
_BODY = "#ffffffb0"
_INK = "#14202b"


def assembly_svg(circuit: Circuit, layout: BoardLayout, pads: Sequence[Pad], bodies: Mapping[str, Rect]) -> str:
    """SVG text of the board from above, five times its true size. `bodies` are the part outlines by reference."""
    title = f"{circuit.title}, seen from above; pin 1 is red"
    width = layout.width_mm + 2 * _MARGIN
    height = layout.height_mm + 2 * _MARGIN + 4
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _ZOOM:g}mm" height="{height * _ZOOM:g}mm" '
            f'viewBox="{-_MARGIN:g} {-_MARGIN - 4:g} {width:g} {height:g}" font-family="sans-serif" fill="{_INK}">',
            f'<text x="0" y="-3" font-size="{min(2.0, 1.7 * layout.width_mm / len(title)):.2g}">{escape(title)}</text>',
            f'<rect width="{layout.width_mm:g}" height="{layout.height_mm:g}" fill="{_BOARD}" stroke="{_INK}" '
            'stroke-width=".1"/>',
            *(_rect(cut, "#fff", "") for cut in layout.cutouts),
            *(
                f'<circle cx="{screw.x:g}" cy="{screw.y:g}" r="{screw.drill / 2:g}" fill="#fff" stroke="{_INK}" '
                'stroke-width=".1"/>'
                for screw in layout.screws
            ),
            *(_copper(pad) for pad in pads),
            *(line for part in circuit.parts for line in _named(part.ref, bodies.get(part.ref), pads)),
            "</svg>",
            "",
        ]
    )


def _copper(pad: Pad) -> str:
    return _rect(pad.rect, _FIRST if pad.number == "1" else _PAD, "")


def _named(ref: str, body: Rect | None, pads: Sequence[Pad]) -> Iterator[str]:
    own = [pad.rect for pad in pads if pad.part == ref]
    box = body or Rect.around(own)
    if body:
        yield _rect(box, _BODY, f' stroke="{_INK}" stroke-width=".08"')
    x = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2
    wide = box.right - box.left
    tall = box.bottom - box.top
    size = max(0.55, min(1.6, 0.8 * min(wide, tall), 1.4 * max(wide, tall) / len(ref)))
    turn = f' transform="rotate(-90 {x:g} {y:g})"' if tall > 1.5 * wide else ""
    yield (
        f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:.2f}" text-anchor="middle" '
        f'font-weight="bold"{turn}>{ref}</text>'
    )


def _rect(rect: Rect, fill: str, more: str) -> str:
    return (
        f'<rect x="{rect.left:g}" y="{rect.top:g}" width="{rect.right - rect.left:.4g}" '
        f'height="{rect.bottom - rect.top:.4g}" fill="{fill}"{more}/>'
    )

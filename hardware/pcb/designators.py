"""Places for the designators on the silkscreen: beside each part, where neither copper, parts nor other print are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware_host.circuits.circuit import Circuit, Part
from firmware_host.circuits.layout import BoardLayout, Label, Pad, Rect, Side

HEIGHT_MM = 1.0
_ADVANCE = 0.95
_TALL = 1.2
"""Width of a letter and height of a line, in units of the font size."""
_GAP_MM = 0.16
_EDGE_MM = 0.3
_SHIFTS_MM = tuple(sign * 0.3 * step for step in range(6) for sign in (1, -1))


def label_box(label: Label) -> Rect:
    """The space of a text; it may be turned by 90 degrees."""
    wide = _ADVANCE * label.height * len(label.text) / 2
    tall = _TALL * label.height / 2
    if label.turn % 180:
        wide, tall = tall, wide
    return Rect(label.x - wide, label.y - tall, label.x + wide, label.y + tall)


def designators(
    circuit: Circuit, layout: BoardLayout, pads: Sequence[Pad], boxes: Mapping[str, Rect]
) -> Mapping[str, Label]:
    """A label for each part that has space for one. Test points have their own legend; `boxes` are the parts' bodies.

    Connectors and chips come first.
    """
    found: dict[str, Label] = {}
    sides = {ref: layout.places[ref].side for ref in boxes}
    legends = {word for label in layout.labels for word in label.text.split()}
    unnamed = [part for part in circuit.parts if not part.kind.is_bare and part.ref not in legends]
    for part in sorted(unnamed, key=_rank):
        side = sides[part.ref]
        taken = [
            label_box(label).grown(_GAP_MM / 2) for label in (*layout.labels, *found.values()) if label.side is side
        ]
        taken += [pad.rect.grown(_GAP_MM) for pad in pads if side in pad.sides]
        taken += [box for ref, box in boxes.items() if sides[ref] is side]
        taken += [Rect(hole.x, hole.y, hole.x, hole.y).grown(hole.clearance) for hole in layout.screws]
        taken += [Rect(dot.x, dot.y, dot.x, dot.y).grown(dot.clearance) for dot in layout.fiducials]
        taken += layout.cutouts
        for label in _candidates(part.ref, boxes[part.ref], side):
            box = label_box(label)
            if _is_on_board(box, layout) and not any(box.overlaps(other) for other in taken):
                found[part.ref] = label
                break
    return found


def _rank(part: Part) -> tuple[int, str]:
    return ("JUQFD".find(part.ref[0]) % 9, part.ref)


def _candidates(ref: str, body: Rect, side: Side) -> Iterator[Label]:
    """Above, below, right and left of a part, and then shifted along it."""
    x = (body.left + body.right) / 2
    y = (body.top + body.bottom) / 2
    flat = _TALL * HEIGHT_MM / 2 + 0.1
    half = _ADVANCE * HEIGHT_MM * len(ref) / 2 + 0.1
    for shift in _SHIFTS_MM:
        yield Label(ref, round(x + shift, 3), round(body.top - flat, 3), side, HEIGHT_MM)
        yield Label(ref, round(x + shift, 3), round(body.bottom + flat, 3), side, HEIGHT_MM)
        yield Label(ref, round(body.right + half, 3), round(y + shift, 3), side, HEIGHT_MM)
        yield Label(ref, round(body.left - half, 3), round(y + shift, 3), side, HEIGHT_MM)
        yield Label(ref, round(body.right + flat, 3), round(y + shift, 3), side, HEIGHT_MM, 90)
        yield Label(ref, round(body.left - flat, 3), round(y + shift, 3), side, HEIGHT_MM, 90)


def _is_on_board(box: Rect, layout: BoardLayout) -> bool:
    inner = Rect(0, 0, layout.width_mm, layout.height_mm).grown(-_EDGE_MM)
    return inner.left <= box.left and inner.top <= box.top and box.right <= inner.right and box.bottom <= inner.bottom

"""What a laser engraves on the plate: the lines and texts of the board's picture, each once."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.drawing.engraved_lines import all_skunk_lines, five_hole_lines, lane_lines, star_outlines
from firmware_host.board.drawing.labels import Label, names, numbers, title
from firmware_host.board.drawing.theme import TEXT_MM, TITLE_MM
from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.shapes import CAP_HEIGHT, Anchor, Layer, Polyline, Shape, Text


def engraving(plan: BoardPlan) -> Iterator[Shape]:
    """All lines and texts of the plate, from its lower left corner."""
    for line in (*lane_lines(plan), *five_hole_lines(plan)):
        yield Polyline(Layer.ENGRAVE, line)
    yield from (Polyline(Layer.ENGRAVE, star, is_closed=True) for star in star_outlines(plan))
    for skunk in all_skunk_lines(plan):
        yield Polyline(Layer.ENGRAVE, skunk.ends)
        yield _text(skunk.name, TEXT_MM)
    yield from (_text(label, TEXT_MM) for label in (*numbers(plan), *names(plan)))
    yield _text(title(plan), TITLE_MM)


def _text(label: Label, height_mm: float) -> Text:
    """A label whose place is its middle. Turned, it runs upward."""
    x_mm, y_mm = label.place
    down_mm = height_mm * CAP_HEIGHT / 2
    place = (x_mm + down_mm, y_mm) if label.is_turned else (x_mm, y_mm - down_mm)
    return Text(
        Layer.ENGRAVE,
        place,
        label.text,
        height_mm,
        Anchor.RIGHT if label.ends_here else Anchor.MIDDLE,
        turn=90.0 if label.is_turned else 0.0,
    )

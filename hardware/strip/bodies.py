"""The room that the strip's parts take above it: measured in KiCad when the board is made, read here without it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from firmware_host.board.strip import StripPattern
from hardware.pcb.layout import Body, Pad, Rect, Sheet
from hardware.strip.netlist import STRIP
from hardware.strip.placement import strip_sheet

FILE = "bodies.csv"
_HEAD = ("ref", "left", "top", "right", "bottom")


def as_table(sheet: Sheet, pads: Sequence[Pad], boxes: Mapping[str, Rect]) -> str:
    """CSV: the box of each part, in mm from its place. What is fitted by hand is wires, so no more than its pads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for part in STRIP.parts:
        own = [pad.rect for pad in pads if pad.part == part.ref]
        own += [] if part.kind.hand_fitted or part.ref not in boxes else [boxes[part.ref]]
        place, box = sheet.places[part.ref], Rect.around(own)
        edges = (box.left - place.x, box.top - place.y, box.right - place.x, box.bottom - place.y)
        writer.writerow((part.ref, *(f"{edge:.2f}" for edge in edges)))
    return out.getvalue()


def bodies(pattern: StripPattern) -> Iterator[Body]:
    """Every part of a strip of this pattern, in mm from its upper left corner, with the height that its kind has."""
    sheet = strip_sheet(pattern)
    for part in STRIP.parts:
        place = sheet.places[part.ref]
        yield Body(part.ref, _boxes()[part.ref].moved(place.x, place.y), part.kind.height_mm)


@cache
def _boxes() -> Mapping[str, Rect]:
    text = files("hardware.strip").joinpath(FILE).read_text(encoding="utf-8")
    return {row["ref"]: Rect(*(float(row[edge]) for edge in _HEAD[1:])) for row in csv.DictReader(text.splitlines())}

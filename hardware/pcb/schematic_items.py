"""The items on a sheet of a schematic as S-expressions: wires, labels, headings, frames and the fields of symbols."""

from __future__ import annotations

from hardware.pcb.sexpr import Node, Text, row, stable_uuid

GRID = 2.54
"""The distance of pins and wires, in mm."""


def snap(value: float) -> float:
    """The nearest multiple of GRID, in mm."""
    return round(round(value / GRID) * GRID, 4)


def wire(x1: float, y1: float, x2: float, y2: float, uuid: Text) -> list[Node]:
    """A straight wire from (x1, y1) to (x2, y2)."""
    return [
        "wire",
        ["pts", row("xy", x1, y1), row("xy", x2, y2)],
        ["stroke", row("width", 0), row("type", "default")],
        row("uuid", uuid),
    ]


def net_label(kind: str, text: str, shape: str, x: float, y: float, angle: int, uuid: Text) -> list[Node]:
    """The name of a net at the end of a wire. `kind` is KiCad's; `shape` is empty for a local label."""
    more: list[Node] = [row("shape", shape)] if shape else []
    side = "right" if angle in (180, 270) else "left"
    return [
        kind,
        Text(text),
        *more,
        row("at", x, y, angle),
        ["effects", ["font", row("size", 1.0, 1.0)], row("justify", side)],
        row("uuid", uuid),
    ]


def heading(text: str, x: float, y: float, uuid: Text) -> list[Node]:
    """A bold text, whose lower left corner is at (x, y)."""
    return [
        "text",
        Text(text),
        row("exclude_from_sim", "no"),
        row("at", x, y, 0),
        ["effects", ["font", row("size", 1.6, 1.6), row("bold", "yes")], row("justify", "left", "bottom")],
        row("uuid", uuid),
    ]


def frame(x: float, y: float, wide: float, high: float, uuid: Text) -> list[Node]:
    """A dashed rectangle."""
    return [
        "rectangle",
        row("start", x, y),
        row("end", x + wide, y + high),
        ["stroke", row("width", 0.15), row("type", "dash")],
        ["fill", row("type", "none")],
        row("uuid", uuid),
    ]


def field_text(key: str, value: str, x: float, y: float, *, justify: str = "", hide: bool = False) -> list[Node]:
    """A field of a symbol or sheet, such as its reference. `justify` is empty for a centred text."""
    style: list[Node] = [row("justify", justify)] if justify else []
    hidden: list[Node] = [row("hide", "yes")] if hide else []
    return [
        "property",
        Text(key),
        Text(value),
        row("at", x, y, 0),
        ["effects", ["font", row("size", 1.27, 1.27)], *style, *hidden],
    ]


def power_flag(project: str, net: str, reference: str, x: float, y: float) -> list[Node]:
    """The flag that tells KiCad's rule check that a net has a supply from outside; at (x, y) in mm. Its label is beside
    it."""
    words = (project, "flag", net)
    root = stable_uuid(project, "file", "")
    path: list[Node] = ["path", Text(f"/{root}"), row("reference", Text(reference)), row("unit", 1)]
    return [
        "symbol",
        row("lib_id", Text("cribboard:PWR_FLAG")),
        row("at", x, y, 0),
        row("unit", 1),
        row("exclude_from_sim", "no"),
        row("in_bom", "no"),
        row("on_board", "no"),
        row("dnp", "no"),
        row("uuid", stable_uuid(*words)),
        field_text("Reference", reference, x, y, hide=True),
        field_text("Value", "PWR_FLAG", x, y - 3.81),
        ["pin", Text("1"), row("uuid", stable_uuid(*words, "pin"))],
        ["instances", ["project", Text(project), path]],
    ]

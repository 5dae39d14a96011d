"""Writes a drawing as SVG; one unit is one millimetre, so at 100 % it prints at true size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from firmware_host.fabrication.shapes import (
    Circle,
    Drawing,
    Layer,
    Point,
    Polyline,
    Rectangle,
    Shape,
    Text,
    format_number,
)

STYLES: Mapping[Layer, str] = {
    Layer.PEG: "fill:none;stroke:#000;stroke-width:.2",
    Layer.LED: "fill:none;stroke:#b5121b;stroke-width:.2",
    Layer.OUTLINE: "fill:none;stroke:#000;stroke-width:.35",
    Layer.SCREWS: "fill:none;stroke:#0a58a8;stroke-width:.25",
    Layer.PILOT: "fill:none;stroke:#8a2be2;stroke-width:.2",
    Layer.POCKET: "fill:none;stroke:#0a7d3c;stroke-width:.25",
    Layer.RECESS: "fill:#8a2be222;stroke:#8a2be2;stroke-width:.25",
    Layer.ENGRAVE: "fill:none;stroke:#7a4a12;stroke-width:.2",
    Layer.NOTES: "fill:none;stroke:#333;stroke-width:.15",
    Layer.STRIP: "fill:#9fd3b0;stroke:#17452b;stroke-width:.2",
    Layer.WIRE: "fill:none;stroke:#c2410c;stroke-width:.7;stroke-linejoin:round",
    Layer.WOOD: "fill:#e2bb80;stroke:#5b3720;stroke-width:.2",
    Layer.SHEET: "fill:#cfe8f5;stroke:#4b8db0;stroke-width:.1",
    Layer.PRINT: "fill:#c9ccd1;stroke:#555;stroke-width:.15",
    Layer.METAL: "fill:#d9a441;stroke:#7a5410;stroke-width:.1",
    Layer.MAGNET: "fill:#b5121b;stroke:#5e0a0f;stroke-width:.1",
    Layer.CHIP: "fill:#26262b;stroke:#000;stroke-width:.1",
    Layer.LIGHT: "fill:#fff4c2;stroke:#8a6d1a;stroke-width:.15",
    Layer.TRACK: "fill:#d8ae73;stroke:none",
    Layer.BORE: "fill:#fff;stroke:#5b3720;stroke-width:.2",
    Layer.CUT: "fill:#d81e2c;stroke:#d81e2c;stroke-width:.6",
    Layer.PART: "fill:#fffffcd0;stroke:#26262b;stroke-width:.35",
    Layer.LEG: "fill:none;stroke:#26262b;stroke-width:.6",
    Layer.GLOW: "fill:#fff4c2c0;stroke:#8a6d1a;stroke-width:.35",
}


def as_svg(drawing: Drawing) -> str:
    """The drawing as SVG text; the class of each element is the name of its layer."""
    used = {shape.layer for shape in drawing.shapes}
    rules = "".join(f".{layer.value}{{{style}}}" for layer, style in STYLES.items() if layer in used)
    width = format_number(drawing.width_mm)
    height = format_number(drawing.height_mm)
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}">',
        f"<title>{escape(drawing.title)}</title>",
        f"<style>{rules}text{{fill:#111;stroke:none;font-family:Helvetica,Arial,sans-serif}}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *(_mark(shape, drawing.height_mm) for shape in drawing.shapes),
        "</svg>",
    )
    return "\n".join(lines) + "\n"


def _mark(shape: Shape, height_mm: float) -> str:
    class_attr = f'class="{shape.layer.value}"'
    match shape:
        case Circle(_, (x_mm, y_mm), diameter_mm):
            x = format_number(x_mm)
            y = format_number(height_mm - y_mm)
            radius = format_number(diameter_mm / 2)
            return f'<circle {class_attr} cx="{x}" cy="{y}" r="{radius}"/>'
        case Polyline(_, places, is_closed):
            points = " ".join(_places(places, height_mm))
            return f'<path {class_attr} d="M{points}{"z" if is_closed else ""}"/>'
        case Rectangle(_, (x_mm, y_mm), wide_mm, high_mm, radius_mm):
            x = format_number(x_mm)
            y = format_number(height_mm - y_mm - high_mm)
            size = f'width="{format_number(wide_mm)}" height="{format_number(high_mm)}" rx="{format_number(radius_mm)}"'
            return f'<rect {class_attr} x="{x}" y="{y}" {size}/>'
        case Text(_, (x_mm, y_mm), text, size_mm, anchor, turn):
            x = format_number(x_mm)
            y = format_number(height_mm - y_mm)
            turned = f' transform="rotate({format_number(-turn)} {x} {y})"' if turn else ""
            where = f'x="{x}" y="{y}" font-size="{format_number(size_mm)}" text-anchor="{anchor.value}"'
            return f"<text {where}{turned}>{escape(text)}</text>"


def _places(places: tuple[Point, ...], height_mm: float) -> Iterator[str]:
    return (f"{format_number(x_mm)} {format_number(height_mm - y_mm)}" for x_mm, y_mm in places)

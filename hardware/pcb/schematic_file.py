"""Writes a sheet of a schematic as KiCad's `.kicad_sch`: parts in blocks under headings, nets by global labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from firmware_host.circuits.circuit import Circuit, Part, Pin
from hardware.pcb.board_file import symbol_uuid
from hardware.pcb.schematic_items import GRID, field_text, frame, heading, net_label, snap, wire
from hardware.pcb.schematic_symbols import box_height, box_pins, is_two_pin, library_symbol, symbol_name
from hardware.pcb.sexpr import Node, Text, row, stable_uuid

VERSION = "20250114"
_BLOCK_GAP = 5.08
_PAGE_TOP = 20.32
_PAGE_LEFT = 20.32
_PAGE_RIGHT = 380.0
_BOX_SPACE = 55.88
_TWO_PIN_SPACE = 15.24
_LETTER_MM = 1.2
"""Of a label, about."""
_PAPERS = (("A4", 297, 210), ("A3", 420, 297), ("A2", 594, 420), ("A1", 841, 594))


class Sheet(Struct):
    """One sheet of the parts of an idea, below the first page.

    `blocks` are headings, and the references of the parts under each; every part must be in one. `facts` gives the
    fields of a symbol that say what to order; `revision` and `title` stand in the title block.
    """

    circuit: Circuit
    parts: Sequence[Part]
    name: str
    blocks: Sequence[tuple[str, Sequence[str]]]
    facts: Callable[[Part], Mapping[str, str]]
    revision: str
    title: str
    items: list[Node] = field(default_factory=list)
    right: float = 0.0
    bottom: float = 0.0

    def document(self) -> list[Node]:
        """The sheet as an S-expression. Raises ValueError if a part is in no block."""
        self._draw()
        paper = next(name for name, wide, high in _PAPERS if self.right + 15 < wide and self.bottom + 45 < high)
        kinds = {part.kind.name: part for part in self.parts}
        return [
            "kicad_sch",
            row("version", VERSION),
            row("generator", Text("cribboard")),
            row("generator_version", Text("9.0")),
            row("uuid", stable_uuid(self.circuit.name, "file", self.name)),
            row("paper", Text(paper)),
            [
                "title_block",
                row("title", Text(self.title)),
                row("rev", Text(self.revision)),
                row("company", Text("cribboard")),
            ],
            ["lib_symbols", *(library_symbol(part) for part in kinds.values())],
            *self.items,
            row("embedded_fonts", "no"),
        ]

    def _draw(self) -> None:
        by_ref = {part.ref: part for part in self.parts}
        x = _PAGE_LEFT
        y = _PAGE_TOP
        tallest = 0.0
        drawn: set[str] = set()
        for title, refs in self.blocks:
            block = [by_ref[ref] for ref in refs if ref in by_ref]
            if not block:
                continue
            wide, high = _block_size(block)
            if x + wide > _PAGE_RIGHT:
                x = _PAGE_LEFT
                y = y + tallest + _BLOCK_GAP
                tallest = 0.0
            self._block(title, block, x, y, wide, high)
            drawn |= {part.ref for part in block}
            self.right = max(self.right, x + wide)
            self.bottom = max(self.bottom, y + high)
            x = x + wide + _BLOCK_GAP
            tallest = max(tallest, high)
        if missing := sorted(set(by_ref) - drawn):
            raise ValueError(f"{self.circuit.name}: expected every part in a block, got none for {missing}")

    def _block(self, title: str, parts: Sequence[Part], x: float, y: float, wide: float, high: float) -> None:
        words = (self.circuit.name, self.name)
        self.items.append(frame(x, y, wide, high, stable_uuid(*words, "frame", title)))
        self.items.append(heading(title, x + 1.27, y + 2.54, stable_uuid(*words, "text", title)))
        left = x
        top = y + 10.16
        for part in (part for part in parts if not is_two_pin(part)):
            self._box(part, snap(left + 22.86), top)
            top += box_height(part) + 7.62
        left += _BOX_SPACE if any(not is_two_pin(part) for part in parts) else 7.62
        for part in (part for part in parts if is_two_pin(part)):
            self._two_pin(part, snap(left), y + _two_pin_mm(parts))
            left += _TWO_PIN_SPACE

    def _box(self, part: Part, x: float, y: float) -> None:
        x = snap(x)
        y = snap(y)
        self._symbol(part, x, y, (x, y - 3.3), (x, y - 1.27))
        for pin, dx, dy, side in box_pins(part):
            self._end(part, pin, x + dx, y + dy, 180 if side < 0 else 0)

    def _two_pin(self, part: Part, x: float, y: float) -> None:
        x = snap(x)
        y = snap(y)
        self._symbol(part, x, y, (x + 2.54, y - 1.27), (x + 2.54, y + 1.27), justify="left")
        first, second = part.kind.pins
        self._end(part, first, x, y - 3.81, 90)
        self._end(part, second, x, y + 3.81, 270)

    def _symbol(
        self,
        part: Part,
        x: float,
        y: float,
        ref_at: tuple[float, float],
        value_at: tuple[float, float],
        justify: str = "",
    ) -> None:
        ids = (stable_uuid(self.circuit.name, *words) for words in (("file", ""), ("sheet", part.sheet)))
        path = "/" + "/".join(ids)
        facts = {} if part.kind.is_bare else self.facts(part)
        self.items.append(
            [
                "symbol",
                row("lib_id", Text(symbol_name(part))),
                row("at", x, y, 0),
                row("unit", 1),
                row("exclude_from_sim", "no"),
                row("in_bom", "no" if part.kind.is_bare else "yes"),
                row("on_board", "yes"),
                row("dnp", "no"),
                row("uuid", symbol_uuid(self.circuit, part)),
                field_text("Reference", part.ref, *ref_at, justify=justify),
                field_text("Value", part.value, *value_at, justify=justify),
                field_text("Footprint", part.kind.footprint, x, y, justify=justify, hide=True),
                *(field_text(key, value, x, y, justify=justify, hide=True) for key, value in facts.items()),
                *(
                    ["pin", Text(pin.number), row("uuid", stable_uuid(self.circuit.name, part.ref, pin.number))]
                    for pin in part.kind.pins
                ),
                [
                    "instances",
                    [
                        "project",
                        Text(self.circuit.name),
                        ["path", Text(path), row("reference", Text(part.ref)), row("unit", 1)],
                    ],
                ],
            ]
        )

    def _end(self, part: Part, pin: Pin, x: float, y: float, angle: int) -> None:
        """A short wire from the pin, and the label of its net at the end."""
        net = part.nets[pin.number]
        words = (self.circuit.name, self.name, part.ref, pin.number)
        if net is None:
            self.items.append(["no_connect", row("at", x, y), row("uuid", stable_uuid(*words, "open"))])
            return
        dx, dy = {0: (GRID, 0.0), 180: (-GRID, 0.0), 90: (0.0, -GRID), 270: (0.0, GRID)}[angle]
        self.items.append(wire(x, y, x + dx, y + dy, stable_uuid(*words, "wire")))
        label = stable_uuid(*words, "label")
        self.items.append(net_label("global_label", net, "passive", x + dx, y + dy, angle, label))


def _label_mm(parts: Sequence[Part], end: int) -> float:
    """About the length of the longest label at one end of the two-pin parts."""
    nets = (part.nets[part.kind.pins[end].number] or "" for part in parts if is_two_pin(part))
    return max((_LETTER_MM * len(net) + 2.54 for net in nets), default=0.0)


def _two_pin_mm(parts: Sequence[Part]) -> float:
    """From the upper edge of a block to its two-pin parts, whose labels are clear of the heading."""
    return snap(max(20.32, _label_mm(parts, 0) + 11.43))


def _block_size(parts: Sequence[Part]) -> tuple[float, float]:
    boxes = [part for part in parts if not is_two_pin(part)]
    small = len(parts) - len(boxes)
    high = 15.24 + sum(box_height(part) + 7.62 for part in boxes)
    wide = (_BOX_SPACE if boxes else 7.62) + small * _TWO_PIN_SPACE
    least = max(40.64, _two_pin_mm(parts) + _label_mm(parts, 1) + 7.62) if small else 20.32
    return snap(wide), snap(max(high, least))

"""Writes the schematic of a circuit as KiCad's `.kicad_sch`: parts in blocks under headings, nets by labels.

Rails are global labels, nets of the board local labels, and ports of a repeated sheet hierarchical labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from firmware_host.circuits.circuit import Circuit, Part, Pin, Role
from firmware_host.circuits.sources import source_of
from hardware.pcb.board_file import sheet_file, sheet_ref, symbol_uuid
from hardware.pcb.schematic_items import GRID, field_text, frame, heading, net_label, power_flag, snap, wire
from hardware.pcb.schematic_symbols import box_height, box_pins, flag_symbol, is_two_pin, library_symbol, symbol_name
from hardware.pcb.sexpr import Node, Text, row, stable_uuid

VERSION = "20250114"
_BLOCK_GAP = 5.08
_PAGE_TOP = 20.32
_PAGE_LEFT = 20.32
_BOX_SPACE = 55.88
_TWO_PIN_SPACE = 15.24
_PAPERS = (("A4", 297, 210), ("A3", 420, 297), ("A2", 594, 420), ("A1", 841, 594))


def order_facts(part: Part) -> Mapping[str, str]:
    """The fields of a symbol that say what to order."""
    source = source_of(part)
    return {"MPN": source.mpn, "LCSC": source.lcsc}


def schematic_files(circuit: Circuit) -> Mapping[str, list[Node]]:
    """The schematic sheets of a circuit as S-expressions, by file name."""
    root = [part for part in circuit.parts if not part.sheet]
    files = {f"{circuit.name}.kicad_sch": Sheet(circuit, root, "").document()}
    if circuit.sheets:
        first = next(iter(circuit.sheets))
        inside = [part for part in circuit.parts if part.sheet == first]
        files[sheet_file(circuit, inside[0])] = Sheet(circuit, inside, first).document()
    return files


class Sheet(Struct):
    """One sheet: `name` is empty for the first, otherwise the name of the repeated sheet that is drawn.

    `facts` gives the fields of a symbol that say what to order; `revision` and `title` stand in the title block.
    """

    circuit: Circuit
    parts: Sequence[Part]
    name: str
    items: list[Node] = field(default_factory=list)
    right: float = 0.0
    bottom: float = 0.0
    facts: Callable[[Part], Mapping[str, str]] = order_facts
    revision: str = "B"
    title: str = ""

    def document(self) -> list[Node]:
        self._draw()
        paper = next(name for name, wide, high in _PAPERS if self.right + 15 < wide and self.bottom + 45 < high)
        kinds = {part.kind.name: part for part in self.parts}
        flags: list[Node] = [] if self.name else [flag_symbol()]
        title = self.title or self.circuit.title + (": one strip of five holes" if self.name else "")
        instances: list[Node] = [] if self.name else [["sheet_instances", ["path", Text("/"), row("page", Text("1"))]]]
        return [
            "kicad_sch",
            row("version", VERSION),
            row("generator", Text("cribboard")),
            row("generator_version", Text("9.0")),
            row("uuid", self._uuid()),
            row("paper", Text(paper)),
            [
                "title_block",
                row("title", Text(title)),
                row("rev", Text(self.revision)),
                row("company", Text("cribboard")),
            ],
            ["lib_symbols", *(library_symbol(part) for part in kinds.values()), *flags],
            *self.items,
            *instances,
            row("embedded_fonts", "no"),
        ]

    def _uuid(self) -> Text:
        return stable_uuid(self.circuit.name, "file", self.name)

    def _ref(self, part: Part) -> str:
        return sheet_ref(part) if self.name in self.circuit.sheets else part.ref

    def blocks(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The headings of the sheet, and the references under each."""
        return self.circuit.sheet_blocks if self.name else self.circuit.blocks

    def label_kind(self, net: str) -> tuple[str, str, str]:
        """How a net is named at the end of a wire: kind of label, text, and shape."""
        ports = {inner: outer for outer, inner in self._ports().items()}
        if net in self.circuit.rails:
            return "global_label", net, "passive"
        if self.name and net in ports:
            return "hierarchical_label", ports[net], "output" if ports[net].endswith("_OUT") else "input"
        return "label", net.removeprefix(f"{self.name}/"), ""

    def _draw(self) -> None:
        by_ref = {self._ref(part): part for part in self.parts}
        x = _PAGE_LEFT
        y = _PAGE_TOP
        tallest = 0.0
        limit = 380.0
        drawn: set[str] = set()
        for title, refs in self.blocks():
            block = [by_ref[ref] for ref in refs if ref in by_ref]
            if not block:
                continue
            wide, high = _block_size(block)
            if x + wide > limit:
                x = _PAGE_LEFT
                y = y + tallest + _BLOCK_GAP
                tallest = 0.0
            self._block(title, block, x, y, wide, high)
            drawn |= {self._ref(part) for part in block}
            self.right = max(self.right, x + wide)
            self.bottom = max(self.bottom, y + high)
            x = x + wide + _BLOCK_GAP
            tallest = max(tallest, high)
        missing = sorted(set(by_ref) - drawn)
        if missing:
            raise ValueError(f"{self.circuit.name}: expected every part in a block, got none for {missing}")
        y += tallest + 2 * _BLOCK_GAP
        if not self.name:
            y = self._sheets(y)
            self._flags(y)

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
            self._two_pin(part, snap(left), y + 20.32)
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
        root = stable_uuid(self.circuit.name, "file", "")
        if self.name:
            own = symbol_uuid(self.circuit, part)
            same = [other for other in self.circuit.parts if other.sheet and symbol_uuid(self.circuit, other) == own]
            paths = [(f"/{root}/{stable_uuid(self.circuit.name, 'sheet', other.sheet)}", other.ref) for other in same]
        else:
            paths = [(f"/{root}", part.ref)]
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
                    ["pin", Text(pin.number), row("uuid", stable_uuid(self.circuit.name, self._ref(part), pin.number))]
                    for pin in part.kind.pins
                ),
                [
                    "instances",
                    [
                        "project",
                        Text(self.circuit.name),
                        *(["path", Text(path), row("reference", Text(ref)), row("unit", 1)] for path, ref in paths),
                    ],
                ],
            ]
        )

    def _end(self, part: Part, pin: Pin, x: float, y: float, angle: int) -> None:
        """A short wire from the pin, and the label of its net at the end."""
        net = part.nets[pin.number]
        words = (self.circuit.name, self.name, self._ref(part), pin.number)
        if net is None:
            self.items.append(["no_connect", row("at", x, y), row("uuid", stable_uuid(*words, "open"))])
            return
        dx, dy = {0: (GRID, 0.0), 180: (-GRID, 0.0), 90: (0.0, -GRID), 270: (0.0, GRID)}[angle]
        self.items.append(wire(x, y, x + dx, y + dy, stable_uuid(*words, "wire")))
        self._net_label(net, x + dx, y + dy, angle, stable_uuid(*words, "label"))

    def _net_label(self, net: str, x: float, y: float, angle: int, uuid: Text) -> None:
        kind, text, shape = self.label_kind(net)
        self.items.append(net_label(kind, text, shape, x, y, angle, uuid))

    def _ports(self) -> Mapping[str, str]:
        return self.circuit.sheets.get(self.name, {})

    def _sheets(self, y: float) -> float:
        """The boxes of the repeated sheets, in a row."""
        left = _PAGE_LEFT
        for page, (name, ports) in enumerate(self.circuit.sheets.items(), start=2):
            x = snap(left + 15.24)
            high = (len(ports) // 2 + 2) * GRID
            inside = next(part for part in self.circuit.parts if part.sheet == name)
            places = _port_places(ports)
            uuid = stable_uuid(self.circuit.name, "sheet", name)
            self.items.append(
                [
                    "sheet",
                    row("at", x, snap(y)),
                    row("size", 38.1, high),
                    row("exclude_from_sim", "no"),
                    row("in_bom", "yes"),
                    row("on_board", "yes"),
                    row("dnp", "no"),
                    ["stroke", row("width", 0.2), row("type", "solid")],
                    ["fill", ["color", "255", "253", "240", "1.0"]],
                    row("uuid", uuid),
                    field_text("Sheetname", name, x, snap(y) - 0.8, justify="left"),
                    field_text("Sheetfile", sheet_file(self.circuit, inside), x, snap(y) + high + 1.8, justify="left"),
                    *(
                        [
                            "pin",
                            Text(port),
                            "output" if port.endswith("_OUT") else "input",
                            row("at", x + dx, snap(y) + dy, 180 if dx == 0 else 0),
                            [
                                "effects",
                                ["font", row("size", 1.0, 1.0)],
                                row("justify", "left" if dx == 0 else "right"),
                            ],
                            row("uuid", stable_uuid(self.circuit.name, name, port)),
                        ]
                        for port, (dx, dy) in places.items()
                    ),
                    [
                        "instances",
                        [
                            "project",
                            Text(self.circuit.name),
                            [
                                "path",
                                Text(f"/{stable_uuid(self.circuit.name, 'file', '')}"),
                                row("page", Text(str(page))),
                            ],
                        ],
                    ],
                ]
            )
            for port, (dx, dy) in places.items():
                px = x + dx
                py = snap(y) + dy
                out = -1 if dx == 0 else 1
                words = (self.circuit.name, name, port)
                self.items.append(wire(px, py, px + out * GRID, py, stable_uuid(*words, "wire")))
                label = stable_uuid(*words, "label")
                self._net_label(ports[port], px + out * GRID, py, 180 if out < 0 else 0, label)
            left += 78.74
            self.right = max(self.right, left)
            self.bottom = max(self.bottom, y + high + 5)
            if left + 78.74 > 390:
                left = _PAGE_LEFT
                y = y + high + 12.7
        return self.bottom + 2 * _BLOCK_GAP

    def _flags(self, y: float) -> None:
        """PWR_FLAG on each rail that comes in through a connector."""
        y = snap(y)
        for n, rail in enumerate(self.circuit.rails):
            if self._has_source(rail):
                continue
            x = snap(_PAGE_LEFT + 5.08 + n * 20.32)
            words = (self.circuit.name, "flag", rail)
            self.items.append(power_flag(self.circuit.name, rail, f"#FLG{n + 1}", x, y))
            self._net_label(rail, x, y, 270, stable_uuid(*words, "label"))
        self.bottom = max(self.bottom, y + 10.16)

    def _has_source(self, rail: str) -> bool:
        """Whether a part, not a connector, gives this rail."""
        nodes = self.circuit.nets.get(rail, ())
        return any(node.pin.role is Role.POWER_OUT for node in nodes)


def _block_size(parts: Sequence[Part]) -> tuple[float, float]:
    boxes = [part for part in parts if not is_two_pin(part)]
    small = len(parts) - len(boxes)
    high = 15.24 + sum(box_height(part) + 7.62 for part in boxes)
    wide = (_BOX_SPACE if boxes else 7.62) + small * _TWO_PIN_SPACE
    return snap(wide), snap(max(high, 40.64 if small else 20.32))


def _port_places(ports: Mapping[str, str]) -> Mapping[str, tuple[float, float]]:
    half = (len(ports) + 1) // 2
    return {
        port: (0.0 if n < half else 38.1, (n % half + 1) * GRID + (GRID if n >= half else 0))
        for n, port in enumerate(ports)
    }

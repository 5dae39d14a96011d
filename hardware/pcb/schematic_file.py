"""Writes the schematic of a circuit as KiCad's `.kicad_sch`: parts in blocks under headings, nets by labels.

A symbol is a box with its inputs and supplies on the left and all other pins on the right; resistors and capacitors
have their usual signs. Rails are global labels, nets of the board local labels, and ports of a repeated sheet
hierarchical labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hardware.pcb.board_file import sheet_file, sheet_ref, symbol_uuid
from hardware.pcb.circuit import Circuit, Part, Pin, Role
from hardware.pcb.sexpr import Node, Text, row, stable_uuid
from hardware.pcb.sources import source_of

VERSION = "20250114"
GRID = 2.54
_WIDTH = 7 * GRID
_BLOCK_GAP, _PAGE_TOP, _PAGE_LEFT = 5.08, 20.32, 20.32
_LEFT_ROLES = (Role.INPUT, Role.POWER_IN)
_TYPES = {
    Role.POWER_IN: "power_in",
    Role.POWER_OUT: "power_out",
    Role.GROUND: "power_in",
    Role.INPUT: "input",
    Role.OUTPUT: "output",
    Role.OPEN_DRAIN: "open_collector",
    Role.TRI_STATE: "tri_state",
    Role.PASSIVE: "passive",
}
_PAPERS = (("A4", 297, 210), ("A3", 420, 297), ("A2", 594, 420), ("A1", 841, 594))


def schematic_files(circuit: Circuit) -> Mapping[str, list[Node]]:
    """The schematic sheets of a circuit as S-expressions, by file name."""
    root = [part for part in circuit.parts if not part.sheet]
    files = {f"{circuit.name}.kicad_sch": _Sheet(circuit, root, "").document()}
    if circuit.sheets:
        first = next(iter(circuit.sheets))
        inside = [part for part in circuit.parts if part.sheet == first]
        files[sheet_file(circuit, inside[0])] = _Sheet(circuit, inside, first).document()
    return files


def is_two_pin(part: Part) -> bool:
    """Whether the part is drawn as a vertical sign: a resistor, capacitor, diode or fuse."""
    return len(part.kind.pins) == 2 and part.kind.name.split()[0] in _SIGNS


@dataclass
class _Sheet:
    """One sheet: `name` is empty for the first, otherwise the name of the repeated sheet that is drawn."""

    circuit: Circuit
    parts: Sequence[Part]
    name: str
    items: list[Node] = field(default_factory=list)
    right: float = 0.0
    bottom: float = 0.0

    def document(self) -> list[Node]:
        self._draw()
        paper = next(name for name, wide, high in _PAPERS if self.right + 15 < wide and self.bottom + 45 < high)
        kinds = {part.kind.name: part for part in self.parts}
        flags: list[Node] = [] if self.name else [_flag_symbol()]
        title = self.circuit.title + (": one strip of five holes" if self.name else "")
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
                row("rev", Text("B")),
                row("company", Text("cribboard")),
            ],
            ["lib_symbols", *(_library_symbol(part) for part in kinds.values()), *flags],
            *self.items,
            *instances,
            row("embedded_fonts", "no"),
        ]

    def _uuid(self) -> Text:
        return stable_uuid(self.circuit.name, "file", self.name)

    def _ref(self, part: Part) -> str:
        return sheet_ref(part) if self.name else part.ref

    def _draw(self) -> None:
        by_ref = {self._ref(part): part for part in self.parts}
        x, y, tallest = _PAGE_LEFT, _PAGE_TOP, 0.0
        limit = 380.0
        drawn: set[str] = set()
        for heading, refs in self.circuit.sheet_blocks if self.name else self.circuit.blocks:
            block = [by_ref[ref] for ref in refs if ref in by_ref]
            if not block:
                continue
            wide, high = _block_size(block)
            if x + wide > limit:
                x, y, tallest = _PAGE_LEFT, y + tallest + _BLOCK_GAP, 0.0
            self._block(heading, block, x, y, wide, high)
            drawn |= {self._ref(part) for part in block}
            self.right, self.bottom = max(self.right, x + wide), max(self.bottom, y + high)
            x, tallest = x + wide + _BLOCK_GAP, max(tallest, high)
        missing = sorted(set(by_ref) - drawn)
        if missing:
            raise ValueError(f"{self.circuit.name}: expected every part in a block, got none for {missing}")
        y += tallest + 2 * _BLOCK_GAP
        if not self.name:
            y = self._sheets(y)
            self._flags(y)

    def _block(self, heading: str, parts: Sequence[Part], x: float, y: float, wide: float, high: float) -> None:
        self.items.append(
            [
                "rectangle",
                row("start", x, y),
                row("end", x + wide, y + high),
                ["stroke", row("width", 0.15), row("type", "dash")],
                ["fill", row("type", "none")],
                row("uuid", stable_uuid(self.circuit.name, self.name, "frame", heading)),
            ]
        )
        self._text(heading, x + 1.27, y + 2.54)
        left, top = x, y + 10.16
        for part in (part for part in parts if not is_two_pin(part)):
            self._box(part, _snap(left + 22.86), top)
            top += _box_height(part) + 7.62
        left += _BOX_SPACE if any(not is_two_pin(part) for part in parts) else 7.62
        for part in (part for part in parts if is_two_pin(part)):
            self._two_pin(part, _snap(left), y + 20.32)
            left += _TWO_PIN_SPACE

    def _text(self, text: str, x: float, y: float) -> None:
        self.items.append(
            [
                "text",
                Text(text),
                row("exclude_from_sim", "no"),
                row("at", x, y, 0),
                ["effects", ["font", row("size", 1.6, 1.6), row("bold", "yes")], row("justify", "left", "bottom")],
                row("uuid", stable_uuid(self.circuit.name, self.name, "text", text)),
            ]
        )

    def _box(self, part: Part, x: float, y: float) -> None:
        x, y = _snap(x), _snap(y)
        self._symbol(part, x, y, (x, y - 3.3), (x, y - 1.27))
        for pin, dx, dy, side in _box_pins(part):
            self._end(part, pin, x + dx, y + dy, 180 if side < 0 else 0)

    def _two_pin(self, part: Part, x: float, y: float) -> None:
        x, y = _snap(x), _snap(y)
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
        style: list[Node] = [row("justify", justify)] if justify else []
        source = None if part.kind.is_bare else source_of(part)

        def shown(key: str, value: str, at: tuple[float, float], *, hide: bool = False) -> list[Node]:
            hidden: list[Node] = [row("hide", "yes")] if hide else []
            return [
                "property",
                Text(key),
                Text(value),
                row("at", *at, 0),
                ["effects", ["font", row("size", 1.27, 1.27)], *style, *hidden],
            ]

        root = stable_uuid(self.circuit.name, "file", "")
        if self.name:
            same = [other for other in self.circuit.parts if other.sheet and sheet_ref(other) == sheet_ref(part)]
            paths = [(f"/{root}/{stable_uuid(self.circuit.name, 'sheet', other.sheet)}", other.ref) for other in same]
        else:
            paths = [(f"/{root}", part.ref)]
        facts = {"MPN": source.mpn, "LCSC": source.lcsc} if source else {}
        self.items.append(
            [
                "symbol",
                row("lib_id", Text(_symbol_name(part))),
                row("at", x, y, 0),
                row("unit", 1),
                row("exclude_from_sim", "no"),
                row("in_bom", "no" if part.kind.is_bare else "yes"),
                row("on_board", "yes"),
                row("dnp", "no"),
                row("uuid", symbol_uuid(self.circuit, part)),
                shown("Reference", part.ref, ref_at),
                shown("Value", part.value, value_at),
                shown("Footprint", part.kind.footprint, (x, y), hide=True),
                *(shown(key, value, (x, y), hide=True) for key, value in facts.items()),
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
        self.items.append(_wire(x, y, x + dx, y + dy, stable_uuid(*words, "wire")))
        self._net_label(net, x + dx, y + dy, angle, stable_uuid(*words, "label"))

    def _net_label(self, net: str, x: float, y: float, angle: int, uuid: Text) -> None:
        ports = {inner: outer for outer, inner in self._ports().items()}
        kind, text, more = "label", net.removeprefix(f"{self.name}/"), []
        if net in self.circuit.rails:
            kind, more = "global_label", [row("shape", "passive")]
        elif self.name and net in ports:
            kind, text = "hierarchical_label", ports[net]
            more = [row("shape", "output" if text == "SENSOR_DATA_OUT" or text.endswith("_OUT") else "input")]
        side = "right" if angle in (180, 270) else "left"
        self.items.append(
            [
                kind,
                Text(text),
                *more,
                row("at", x, y, angle),
                ["effects", ["font", row("size", 1.0, 1.0)], row("justify", side)],
                row("uuid", uuid),
            ]
        )

    def _ports(self) -> Mapping[str, str]:
        return self.circuit.sheets.get(self.name, {})

    def _sheets(self, y: float) -> float:
        """The boxes of the repeated sheets, in a row."""
        left = _PAGE_LEFT
        for page, (name, ports) in enumerate(self.circuit.sheets.items(), start=2):
            x, high = _snap(left + 15.24), (len(ports) // 2 + 2) * GRID
            inside = next(part for part in self.circuit.parts if part.sheet == name)
            places = _port_places(ports)
            uuid = stable_uuid(self.circuit.name, "sheet", name)
            self.items.append(
                [
                    "sheet",
                    row("at", x, _snap(y)),
                    row("size", 38.1, high),
                    row("exclude_from_sim", "no"),
                    row("in_bom", "yes"),
                    row("on_board", "yes"),
                    row("dnp", "no"),
                    ["stroke", row("width", 0.2), row("type", "solid")],
                    ["fill", ["color", "255", "253", "240", "1.0"]],
                    row("uuid", uuid),
                    _sheet_property("Sheetname", name, x, _snap(y) - 0.8),
                    _sheet_property("Sheetfile", sheet_file(self.circuit, inside), x, _snap(y) + high + 1.8),
                    *(
                        [
                            "pin",
                            Text(port),
                            "output" if port.endswith("_OUT") else "input",
                            row("at", x + dx, _snap(y) + dy, 180 if dx == 0 else 0),
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
                px, py, out = x + dx, _snap(y) + dy, -1 if dx == 0 else 1
                words = (self.circuit.name, name, port)
                self.items.append(_wire(px, py, px + out * GRID, py, stable_uuid(*words, "wire")))
                label = stable_uuid(*words, "label")
                self._net_label(ports[port], px + out * GRID, py, 180 if out < 0 else 0, label)
            left += 78.74
            self.right, self.bottom = max(self.right, left), max(self.bottom, y + high + 5)
            if left + 78.74 > 390:
                left, y = _PAGE_LEFT, y + high + 12.7
        return self.bottom + 2 * _BLOCK_GAP

    def _flags(self, y: float) -> None:
        """PWR_FLAG on each rail that comes in through a connector."""
        y = _snap(y)
        root = stable_uuid(self.circuit.name, "file", "")
        for n, rail in enumerate(self.circuit.rails):
            if self._has_source(rail):
                continue
            x = _snap(_PAGE_LEFT + 5.08 + n * 20.32)
            words = (self.circuit.name, "flag", rail)
            self.items.append(
                [
                    "symbol",
                    row("lib_id", Text("cribboard:PWR_FLAG")),
                    row("at", x, y, 0),
                    row("unit", 1),
                    row("exclude_from_sim", "no"),
                    row("in_bom", "no"),
                    row("on_board", "no"),
                    row("dnp", "no"),
                    row("uuid", stable_uuid(*words)),
                    _plain_property("Reference", f"#FLG{n + 1}", x, y, hide=True),
                    _plain_property("Value", "PWR_FLAG", x, y - 3.81, hide=False),
                    ["pin", Text("1"), row("uuid", stable_uuid(*words, "pin"))],
                    [
                        "instances",
                        [
                            "project",
                            Text(self.circuit.name),
                            ["path", Text(f"/{root}"), row("reference", Text(f"#FLG{n + 1}")), row("unit", 1)],
                        ],
                    ],
                ]
            )
            self._net_label(rail, x, y, 270, stable_uuid(*words, "label"))
        self.bottom = max(self.bottom, y + 10.16)

    def _has_source(self, rail: str) -> bool:
        """Whether a part, not a connector, gives this rail."""
        nodes = self.circuit.nets.get(rail, ())
        return any(node.pin.role is Role.POWER_OUT for node in nodes)


def _snap(value: float) -> float:
    return round(round(value / GRID) * GRID, 4)


_BOX_SPACE, _TWO_PIN_SPACE = 55.88, 15.24
_SIGNS = ("resistor", "capacitor", "electrolytic", "diode", "surge", "polyfuse", "Schottky", "Zener")


def _box_sides(part: Part) -> tuple[Sequence[Pin], Sequence[Pin]]:
    left = [pin for pin in part.kind.pins if pin.role in _LEFT_ROLES]
    right = [pin for pin in part.kind.pins if pin not in left]
    if part.kind.volts == (0.0, 0.0):
        half = (len(part.kind.pins) + 1) // 2 if len(part.kind.pins) > 10 else 0
        return part.kind.pins[:half], part.kind.pins[half:]
    return left, right


def _box_height(part: Part) -> float:
    left, right = _box_sides(part)
    return (max(len(left), len(right)) + 1) * GRID


def _box_pins(part: Part) -> Iterator[tuple[Pin, float, float, int]]:
    """The ends of the pins, relative to the middle of the upper edge: the pin, x, y down, and its side."""
    left, right = _box_sides(part)
    reach = _snap(_WIDTH / 2 + GRID)
    for pins, side in ((left, -1), (right, 1)):
        for n, pin in enumerate(pins, start=1):
            yield pin, side * reach, n * GRID, side


def _block_size(parts: Sequence[Part]) -> tuple[float, float]:
    boxes = [part for part in parts if not is_two_pin(part)]
    small = len(parts) - len(boxes)
    high = 15.24 + sum(_box_height(part) + 7.62 for part in boxes)
    wide = (_BOX_SPACE if boxes else 7.62) + small * _TWO_PIN_SPACE
    return _snap(wide), _snap(max(high, 40.64 if small else 20.32))


def _port_places(ports: Mapping[str, str]) -> Mapping[str, tuple[float, float]]:
    half = (len(ports) + 1) // 2
    return {
        port: (0.0 if n < half else 38.1, (n % half + 1) * GRID + (GRID if n >= half else 0))
        for n, port in enumerate(ports)
    }


def _symbol_name(part: Part) -> str:
    return "cribboard:" + part.kind.name.replace(" ", "_").replace("/", "-")


def _library_symbol(part: Part) -> list[Node]:
    """The symbol of a kind of part, drawn from its pins. Library y points up."""
    name = _symbol_name(part)
    plain = name.split(":")[1]
    shapes, pins = _sign(part) if is_two_pin(part) else _box_symbol(part)
    hidden: list[Node] = [row("pin_numbers", row("hide", "yes"))] if is_two_pin(part) else []
    return [
        "symbol",
        Text(name),
        *hidden,
        ["pin_names", row("offset", 0.762), *([row("hide", "yes")] if is_two_pin(part) else [])],
        row("exclude_from_sim", "no"),
        row("in_bom", "yes"),
        row("on_board", "yes"),
        _plain_property("Reference", part.ref.rstrip("0123456789"), 0, 0, hide=False),
        _plain_property("Value", part.kind.name, 0, 0, hide=False),
        _plain_property("Footprint", "", 0, 0, hide=True),
        ["symbol", Text(f"{plain}_0_1"), *shapes],
        ["symbol", Text(f"{plain}_1_1"), *pins],
        row("embedded_fonts", "no"),
    ]


def _pin(pin: Pin, x: float, y: float, angle: int, length: float, kind: str) -> list[Node]:
    font: list[Node] = ["effects", ["font", row("size", 1.0, 1.0)]]
    return [
        "pin",
        kind,
        "line",
        row("at", x, y, angle),
        row("length", length),
        ["name", Text(pin.name if pin.name != pin.number else ""), font],
        ["number", Text(pin.number), font],
    ]


def _box_symbol(part: Part) -> tuple[list[Node], list[Node]]:
    half, high = _snap(_WIDTH / 2), _box_height(part)
    frame: list[Node] = [
        "rectangle",
        row("start", -half, 0),
        row("end", half, -high),
        ["stroke", row("width", 0.254), row("type", "default")],
        ["fill", row("type", "background")],
    ]
    pins: list[Node] = []
    for pin, x, y, side in _box_pins(part):
        kind = "passive" if part.roles or part.kind.hand_fitted or part.kind.is_bare else _TYPES[pin.role]
        pins.append(_pin(pin, x, -y, 0 if side < 0 else 180, GRID, kind))
    return [frame], pins


def _line(*points: tuple[float, float]) -> list[Node]:
    return [
        "polyline",
        ["pts", *(row("xy", x, y) for x, y in points)],
        ["stroke", row("width", 0.254), row("type", "default")],
        ["fill", row("type", "none")],
    ]


def _sign(part: Part) -> tuple[list[Node], list[Node]]:
    first = part.kind.name.split()[0]
    length = 1.27
    if first in ("capacitor", "electrolytic"):
        shapes: list[Node] = [_line((-2.032, 0.762), (2.032, 0.762)), _line((-2.032, -0.762), (2.032, -0.762))]
        length = 3.048
        if first == "electrolytic":
            shapes += [_line((-2.0, 1.8), (-1.0, 1.8)), _line((-1.5, 1.3), (-1.5, 2.3))]
    elif first in ("diode", "surge", "Schottky", "Zener"):
        shapes = [
            _line((-1.27, 1.27), (1.27, 1.27)),
            _line((0, 1.27), (-1.27, -1.27), (1.27, -1.27), (0, 1.27)),
        ]
        length = 2.54
    else:
        shapes = [_line((-1.016, 2.54), (1.016, 2.54), (1.016, -2.54), (-1.016, -2.54), (-1.016, 2.54))]
        if first == "polyfuse":
            shapes.append(_line((0, 2.54), (0, -2.54)))
    one, other = part.kind.pins
    kinds = ("passive", "passive") if Role.POWER_OUT not in (one.role, other.role) else ("passive", "power_out")
    return shapes, [_pin(one, 0, 3.81, 270, length, kinds[0]), _pin(other, 0, -3.81, 90, length, kinds[1])]


def _flag_symbol() -> list[Node]:
    return [
        "symbol",
        Text("cribboard:PWR_FLAG"),
        row("power"),
        row("pin_numbers", row("hide", "yes")),
        ["pin_names", row("offset", 0), row("hide", "yes")],
        row("exclude_from_sim", "no"),
        row("in_bom", "no"),
        row("on_board", "no"),
        _plain_property("Reference", "#FLG", 0, 0, hide=True),
        _plain_property("Value", "PWR_FLAG", 0, 2.54, hide=False),
        _plain_property("Footprint", "", 0, 0, hide=True),
        ["symbol", Text("PWR_FLAG_0_0"), _pin(Pin("1", "1", Role.POWER_OUT), 0, 0, 90, 0, "power_out")],
        [
            "symbol",
            Text("PWR_FLAG_0_1"),
            _line((0, 0), (0, 1.27), (-1.016, 1.905), (0, 2.54), (1.016, 1.905), (0, 1.27)),
        ],
        row("embedded_fonts", "no"),
    ]


def _wire(x1: float, y1: float, x2: float, y2: float, uuid: Text) -> list[Node]:
    return [
        "wire",
        ["pts", row("xy", x1, y1), row("xy", x2, y2)],
        ["stroke", row("width", 0), row("type", "default")],
        row("uuid", uuid),
    ]


def _plain_property(key: str, value: str, x: float, y: float, *, hide: bool) -> list[Node]:
    hidden: list[Node] = [row("hide", "yes")] if hide else []
    return [
        "property",
        Text(key),
        Text(value),
        row("at", x, y, 0),
        ["effects", ["font", row("size", 1.27, 1.27)], *hidden],
    ]


def _sheet_property(key: str, value: str, x: float, y: float) -> list[Node]:
    return [
        "property",
        Text(key),
        Text(value),
        row("at", x, y, 0),
        ["effects", ["font", row("size", 1.27, 1.27)], row("justify", "left")],
    ]

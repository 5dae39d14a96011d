"""Writes a board as KiCad's `.kicad_pcb` and `.kicad_pro`, by their formats; KiCad itself is not needed for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from math import cos, pi, sin

from firmware_host.circuits.circuit import Circuit, Part, Pin
from firmware_host.circuits.layout import (
    CLEARANCE_MM,
    VIA_DRILL_MM,
    VIA_MM,
    BoardLayout,
    Copper,
    Label,
    Placement,
    Side,
    Via,
)
from hardware.pcb.footprints import flipped, library_footprint
from hardware.pcb.outlines import is_print, printed
from hardware.pcb.pours import (
    POUR_CLEARANCE_MM,
    SPOKE_GAP_MM,
    SPOKE_MM,
    THINNEST_MM,
    Pour,
    as_outline,
    board_outline,
    polygons,
)
from hardware.pcb.sexpr import Node, Text, child, row, stable_uuid

VERSION = "20241229"
ORIGIN_MM = 20.0
"""The upper left corner of the board on KiCad's page."""
_LAYERS = """0 F.Cu signal|2 B.Cu signal|9 F.Adhes user|11 B.Adhes user|13 F.Paste user|15 B.Paste user|5 F.SilkS user
7 B.SilkS user|1 F.Mask user|3 B.Mask user|17 Dwgs.User user|19 Cmts.User user|25 Edge.Cuts user|27 Margin user
31 F.CrtYd user|29 B.CrtYd user|35 F.Fab user|33 B.Fab user"""
_SCREW_FOOTPRINTS = {2.2: "MountingHole:MountingHole_2.2mm_M2", 2.7: "MountingHole:MountingHole_2.7mm_M2.5"}
_FIDUCIAL = "Fiducial:Fiducial_1mm_Mask2mm"
_COPPER = {Side.TOP: Text("F.Cu"), Side.BOTTOM: Text("B.Cu")}
_PRINT = {Side.TOP: Text("F.SilkS"), Side.BOTTOM: Text("B.SilkS")}


def kicad_net(net: str, rails: Mapping[str, float]) -> str:
    """The name that KiCad gives a net of the schematic: rails are global, all others begin with a slash."""
    return net if net in rails else f"/{net}"


def board_file(
    circuit: Circuit,
    layout: BoardLayout,
    copper: Copper,
    pours: Sequence[Pour],
    refs: Mapping[str, Label],
    revision: str,
) -> list[Node]:
    """The board as an S-expression. `refs` are the places of the designators on the silkscreen."""
    return _Writer(circuit, layout, refs, revision).board(copper, pours)


class _Writer:
    def __init__(self, circuit: Circuit, layout: BoardLayout, refs: Mapping[str, Label], revision: str) -> None:
        self.circuit = circuit
        self.revision = revision
        self.layout = layout
        self.refs = refs
        names = [kicad_net(net, circuit.rails) for net in circuit.nets]
        self.open_pins = {
            (part.ref, pin.number): _open_net(part.ref, pin)
            for part in circuit.parts
            for pin in part.kind.pins
            if part.nets.get(pin.number) is None
        }
        self.numbers = {name: number for number, name in enumerate([*names, *self.open_pins.values()], start=1)}

    def board(self, copper: Copper, pours: Sequence[Pour]) -> list[Node]:
        layout = self.layout
        return [
            "kicad_pcb",
            row("version", VERSION),
            row("generator", Text("cribboard")),
            row("generator_version", Text("9.0")),
            ["general", row("thickness", 1.6), row("legacy_teardrops", "no")],
            row("paper", Text("A3")),
            [
                "title_block",
                row("title", Text(self.circuit.title)),
                row("rev", Text(self.revision)),
                row("company", Text("cribboard")),
            ],
            ["layers", *(_layer(line) for line in _LAYERS.replace("\n", "|").split("|"))],
            self._setup(),
            row("net", 0, Text("")),
            *(row("net", number, Text(name)) for name, number in self.numbers.items()),
            *(self._part(part) for part in self.circuit.parts),
            *(
                self._mechanical(f"H{n}", _SCREW_FOOTPRINTS[screw.drill], screw.x, screw.y)
                for n, screw in enumerate(layout.screws, start=1)
            ),
            *(self._mechanical(f"FID{n}", _FIDUCIAL, dot.x, dot.y) for n, dot in enumerate(layout.fiducials, start=1)),
            self._outline(),
            *(self._label(label, f"label {n}") for n, label in enumerate(layout.labels)),
            *(self._label(label, f"ref {ref}") for ref, label in self.refs.items()),
            *(self._tracks(copper)),
            *(self._via(via) for via in copper.vias),
            *(self._zone(number, pour) for number, pour in enumerate(pours)),
            *(self._keepout(number, screw.x, screw.y, screw.clearance) for number, screw in enumerate(layout.screws)),
            row("embedded_fonts", "no"),
        ]

    def _setup(self) -> list[Node]:
        return [
            "setup",
            row("pad_to_mask_clearance", 0),
            row("allow_soldermask_bridges_in_footprints", "no"),
            row("tenting", "front", "back"),
            row("aux_axis_origin", ORIGIN_MM, ORIGIN_MM + self.layout.height_mm),
            row("grid_origin", ORIGIN_MM, ORIGIN_MM + self.layout.height_mm),
        ]

    def _net(self, net: str) -> list[Node]:
        return row("net", self.numbers[kicad_net(net, self.circuit.rails)])

    def _pad_net(self, ref: str, number: str, net: str | None) -> list[Node]:
        name = kicad_net(net, self.circuit.rails) if net is not None else self.open_pins[ref, number]
        return row("net", self.numbers[name], Text(name))

    def _part(self, part: Part) -> list[Node]:
        place = self.layout.places[part.ref]
        made = self._footprint(part.ref, part.kind.footprint, place, part.value)
        sheet_id = stable_uuid(self.circuit.name, "sheet", part.sheet)
        made[4:4] = [
            row("path", Text(f"/{sheet_id}/{symbol_uuid(self.circuit, part)}")),
            row("sheetname", Text(f"/{part.sheet}/")),
            row("sheetfile", Text(sheet_file(self.circuit, part))),
        ]
        for pad in made:
            if isinstance(pad, list) and pad and pad[0] == "pad" and str(pad[1]):
                pad.append(self._pad_net(part.ref, str(pad[1]), part.nets.get(str(pad[1]))))
        words = ["smd"] if not part.kind.hand_fitted else ["through_hole"]
        if part.kind.is_bare:
            words += ["exclude_from_pos_files", "exclude_from_bom"]
        return [*_without_attributes(made), row("attr", *words)]

    def _mechanical(self, ref: str, name: str, x: float, y: float) -> list[Node]:
        made = self._footprint(ref, name, Placement(x, y), "")
        return [
            *_without_attributes(made),
            row("attr", "board_only", "exclude_from_pos_files", "exclude_from_bom"),
        ]

    def _footprint(self, ref: str, name: str, place: Placement, value: str) -> list[Node]:
        """A library footprint at its place: angles are those of the board, texts only on the fabrication layer."""
        bottom = place.side is Side.BOTTOM
        made = flipped(library_footprint(name)) if bottom else deepcopy(library_footprint(name))
        owner = (self.circuit.name, ref)
        fab = Text("B.Fab" if bottom else "F.Fab")
        kept: list[Node] = []
        for index, item in enumerate(made[2:]):
            head = item[0] if isinstance(item, list) else ""
            if head in ("pad", "fp_line", "fp_rect", "fp_circle", "fp_arc", "fp_poly"):
                assert isinstance(item, list)
                shape = self._shape(ref, item, place)
                if shape is None:
                    continue
                plain = [part for part in shape if not (isinstance(part, list) and part[0] == "uuid")]
                kept.append([*plain, row("uuid", stable_uuid(*owner, str(index)))])
            elif head == "zone":
                kept.append(item)
        properties: list[Node] = [
            _property("Reference", ref, fab, place.turn, stable_uuid(*owner, "reference"), bottom=bottom),
            _property("Value", value, fab, place.turn, stable_uuid(*owner, "value"), bottom=bottom, hide=True),
        ]
        return [
            "footprint",
            Text(name),
            row("layer", _COPPER[place.side]),
            row("uuid", stable_uuid(*owner)),
            row("at", ORIGIN_MM + place.x, ORIGIN_MM + place.y, place.turn),
            *properties,
            *kept,
        ]

    def _shape(self, ref: str, item: list[Node], place: Placement) -> list[Node] | None:
        """A pad or a line of a footprint; None for print that is left out."""
        if item[0] == "pad":
            return _turned(item, place.turn)
        if not is_print(item):
            return item
        return printed(item, place, self.layout) if ref in self.layout.outlined else None

    def _outline(self) -> list[Node]:
        if self.layout.cutouts:
            (outline,) = polygons(board_outline(self.layout))
            shape: list[Node] = ["gr_poly", _points(as_outline(outline))]
            return [*shape, *self._cut()]
        x = ORIGIN_MM + self.layout.width_mm
        y = ORIGIN_MM + self.layout.height_mm
        return [
            "gr_rect",
            row("start", ORIGIN_MM, ORIGIN_MM),
            row("end", x, y),
            *self._cut(),
        ]

    def _cut(self) -> list[Node]:
        return [
            ["stroke", row("width", 0.1), row("type", "solid")],
            row("fill", "no"),
            row("layer", Text("Edge.Cuts")),
            row("uuid", stable_uuid(self.circuit.name, "outline")),
        ]

    def _label(self, label: Label, name: str) -> list[Node]:
        justify: list[Node] = [row("justify", "mirror")] if label.side is Side.BOTTOM else []
        font: list[Node] = [
            "font",
            row("size", label.height, label.height),
            row("thickness", max(0.15, 0.15 * label.height)),
        ]
        return [
            "gr_text",
            Text(label.text),
            row("at", ORIGIN_MM + label.x, ORIGIN_MM + label.y, label.turn),
            row("layer", _PRINT[label.side]),
            row("uuid", stable_uuid(self.circuit.name, name)),
            ["effects", font, *justify],
        ]

    def _tracks(self, copper: Copper) -> Iterator[Node]:
        for n, track in enumerate(copper.tracks):
            yield [
                "segment",
                row("start", ORIGIN_MM + track.x1, ORIGIN_MM + track.y1),
                row("end", ORIGIN_MM + track.x2, ORIGIN_MM + track.y2),
                row("width", track.width),
                row("layer", _COPPER[track.side]),
                self._net(track.net),
                row("uuid", stable_uuid(self.circuit.name, "track", str(n))),
            ]

    def _via(self, via: Via) -> list[Node]:
        return [
            "via",
            row("at", ORIGIN_MM + via.x, ORIGIN_MM + via.y),
            row("size", VIA_MM),
            row("drill", VIA_DRILL_MM),
            row("layers", Text("F.Cu"), Text("B.Cu")),
            self._net(via.net),
            row("uuid", stable_uuid(self.circuit.name, "via", via.net, f"{via.x:g} {via.y:g}")),
        ]

    def _zone(self, number: int, pour: Pour) -> list[Node]:
        zone = pour.zone
        corners = as_outline(pour.outline)
        fills: list[Node] = [
            ["filled_polygon", row("layer", _COPPER[zone.side]), _points(as_outline(piece))] for piece in pour.pieces
        ]
        return [
            "zone",
            self._net(zone.net),
            row("net_name", Text(kicad_net(zone.net, self.circuit.rails))),
            row("layer", _COPPER[zone.side]),
            row("uuid", stable_uuid(self.circuit.name, "zone", str(number))),
            ["hatch", "edge", "0.5"],
            row("priority", zone.priority),
            ["connect_pads", "thru_hole_only", row("clearance", POUR_CLEARANCE_MM)],
            row("min_thickness", THINNEST_MM),
            row("filled_areas_thickness", "no"),
            ["fill", "yes", row("thermal_gap", SPOKE_GAP_MM), row("thermal_bridge_width", SPOKE_MM)],
            ["polygon", _points(corners)],
            *fills,
        ]

    def _keepout(self, number: int, x: float, y: float, reach: float) -> list[Node]:
        """No tracks, vias or pours under a screw head, on either side."""
        outline = [(x + reach * cos(pi * k / 16), y + reach * sin(pi * k / 16)) for k in range(32)]
        return [
            "zone",
            row("net", 0),
            row("net_name", Text("")),
            ["layers", Text("F.Cu"), Text("B.Cu")],
            row("uuid", stable_uuid(self.circuit.name, "keepout", str(number))),
            row("name", Text(f"screw {number + 1}")),
            ["hatch", "full", "0.5"],
            ["connect_pads", row("clearance", 0)],
            row("min_thickness", 0.2),
            row("filled_areas_thickness", "no"),
            [
                "keepout",
                row("tracks", "not_allowed"),
                row("vias", "not_allowed"),
                row("pads", "allowed"),
                row("copperpour", "not_allowed"),
                row("footprints", "allowed"),
            ],
            ["fill", row("thermal_gap", 0.5), row("thermal_bridge_width", 0.5)],
            ["polygon", _points(outline)],
        ]


def symbol_uuid(circuit: Circuit, part: Part) -> Text:
    """The UUID of a part's symbol."""
    return stable_uuid(circuit.name, "symbol", part.ref)


def sheet_file(circuit: Circuit, part: Part) -> str:
    """The file of the part's sheet."""
    return f"{circuit.name}-{part.sheet}.kicad_sch"


def project_file(circuit: Circuit, layout: BoardLayout, minimums: Mapping[str, float]) -> str:
    """The `.kicad_pro` with these design rules, in mm by KiCad's names."""
    ignored = {"lib_footprint_mismatch": "ignore"}  # most silkscreen is left out; tests compare the pads
    default_class = {
        "name": "Default",
        "clearance": CLEARANCE_MM,
        "track_width": layout.track_mm,
        "via_diameter": VIA_MM,
        "via_drill": VIA_DRILL_MM,
        "priority": 2147483647,
        "bus_width": 12,
        "diff_pair_gap": 0.25,
        "diff_pair_via_gap": 0.25,
        "diff_pair_width": 0.2,
        "line_style": 0,
        "microvia_diameter": 0.3,
        "microvia_drill": 0.1,
        "pcb_color": "rgba(0, 0, 0, 0.000)",
        "schematic_color": "rgba(0, 0, 0, 0.000)",
        "wire_width": 6,
    }
    project = {
        "board": {"design_settings": {"rules": dict(minimums), "rule_severities": ignored}},
        "erc": {"rule_severities": {"lib_symbol_issues": "ignore"}},  # the symbols are in the schematic itself
        "meta": {"filename": f"{circuit.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [default_class], "meta": {"version": 4}, "netclass_patterns": []},
        "sheets": [],
    }
    return json.dumps(project, indent=2, sort_keys=True) + "\n"


def _open_net(ref: str, pin: Pin) -> str:
    """The name that KiCad gives the net of a pin without connection."""
    name = f"-{pin.name}" if pin.name != pin.number else ""
    return f"unconnected-({ref}{name}-Pad{pin.number})"


def _layer(line: str) -> list[Node]:
    number_, name, kind = line.split()
    return [number_, Text(name), kind]


def _points(points: Sequence[tuple[float, float]]) -> list[Node]:
    return ["pts", *(row("xy", ORIGIN_MM + x, ORIGIN_MM + y) for x, y in points)]


def _turned(pad: list[Node], turn: int) -> list[Node]:
    """A pad's angle in the file is that on the board, not that in the footprint."""
    done = deepcopy(pad)
    at = child(done, "at")
    assert at is not None
    own = float(str(at[3])) if len(at) > 3 else 0.0
    angle = (own + turn) % 360
    at[3:] = [f"{angle:g}"] if angle else []
    return done


def _without_attributes(footprint: list[Node]) -> list[Node]:
    return [item for item in footprint if not (isinstance(item, list) and item and item[0] == "attr")]


def _property(
    key: str, value: str, layer: Text, turn: int, uuid: Text, *, bottom: bool, hide: bool = False
) -> list[Node]:
    justify: list[Node] = [row("justify", "mirror")] if bottom else []
    return [
        "property",
        Text(key),
        Text(value),
        row("at", 0, 0, turn),
        row("layer", layer),
        *([row("hide", "yes")] if hide else []),
        row("uuid", uuid),
        ["effects", ["font", row("size", 0.6, 0.6), row("thickness", 0.09)], *justify],
    ]

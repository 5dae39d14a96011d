"""The schematic of a board of revision C: a first page, and a sheet for each idea. All nets have global labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.board.matrix import COLUMNS_PER_REGISTER
from firmware_host.circuits.circuit import Circuit, Part
from firmware_host.circuits.netlist import DAMPERS
from firmware_host.circuits.sources import record_of
from hardware.pcb.board_file import sheet_file
from hardware.pcb.schematic_file import VERSION, Sheet
from hardware.pcb.schematic_items import field_text, heading, net_label, power_flag
from hardware.pcb.schematic_symbols import flag_symbol
from hardware.pcb.sexpr import Node, Text, row, stable_uuid

REVISION = "C"


def _switch_blocks(number: int) -> Sequence[tuple[str, tuple[str, ...]]]:
    """The switches of the columns of a register, with the resistors of their gates."""
    first = COLUMNS_PER_REGISTER * number + 1
    gates = tuple(f"R{39 + first + n}" for n in range(COLUMNS_PER_REGISTER))
    return (
        ("Switches of the columns", tuple(f"Q{first + n}" for n in range(4)) + gates),
        ("", tuple(f"Q{first + n}" for n in range(4, 8))),
    )


def _register_blocks(number: int) -> Sequence[tuple[str, tuple[str, ...]]]:
    """The blocks of a column register behind the first one."""
    reservoirs = (f"C{10 + 2 * number}", f"C{11 + 2 * number}")
    return (
        ("Column register: a low output turns a column on", (f"U{10 + number}", f"C{20 + number}")),
        ("Damper of the plug", reservoirs),
        *_switch_blocks(number),
    )


_BLOCKS = {
    "controller": (
        ("Controller, crystal, reset, pads for a programmer", ("U1", "Y1", "C1", "C2", "C3", "C5", "R1", "J4")),
        ("USB: socket, fuse, protection, what the source can give", ("J1", "U6", "F1", "D900", "R4", "R5", "R6", "R7")),
        ("Bridge from USB to the serial port; it resets the controller", ("U2", "C7", "C8", "C6")),
        ("Keypad and display", ("J2", "J3", "U7", "U8")),
        ("From the keypad to the controller", tuple(f"R{n}" for n in range(80, 88))),
        ("Start and return of the lights", ("R2", "R3", "R8")),
    ),
    "matrix": (
        ("Column register: a low output turns a column on", ("U10", "C20", "R9")),
        ("Row registers: a low input is a peg", ("U15", "U16", "C25", "C26")),
        ("Supply of the switches, measured; damper of the plug", ("R10", *DAMPERS, "C10", "C11")),
        *_switch_blocks(0),
        ("Pull-ups of the rows", tuple(f"R{n}" for n in range(20, 36))),
    ),
    **{f"columns-{number + 1}": _register_blocks(number) for number in range(1, 4)},
}
_TITLES = {"controller": "controller and USB", "matrix": "registers and columns"}
SWITCHES_A_BLOCK = 8
LIGHTS_A_BLOCK = 6


def _blocks(name: str, parts: Sequence[Part]) -> Sequence[tuple[str, Sequence[str]]]:
    """The blocks of a sheet: those of a table, or the holes in their order."""
    if name in _BLOCKS:
        return _BLOCKS[name]
    size = SWITCHES_A_BLOCK if name.startswith("switches") else LIGHTS_A_BLOCK
    big = [part for part in parts if len(part.kind.pins) > 2]
    small = [part for part in parts if len(part.kind.pins) == 2]
    chunks = [big[first : first + size] for first in range(0, len(big), size)]
    blocks = [(_heading(chunk), [part.ref for part in chunk]) for chunk in chunks]
    if small:
        has_resistors = any(part.kind.name == "resistor" for part in small)
        title = "Capacitors, and resistors in long lines" if has_resistors else "Capacitors"
        blocks.append((title, [part.ref for part in small]))
    return blocks


def _heading(chunk: Sequence[Part]) -> str:
    return f"{chunk[0].ref} to {chunk[-1].ref}"


def schematic_files(circuit: Circuit) -> Mapping[str, list[Node]]:
    """The sheets as S-expressions, by file name."""
    names = list(dict.fromkeys(part.sheet for part in circuit.parts))
    files = {f"{circuit.name}.kicad_sch": _first_page(circuit, names)}
    for name in names:
        inside = [part for part in circuit.parts if part.sheet == name]
        title = f"{circuit.title}: {_title(name)}"
        sheet = Sheet(circuit, inside, name, _blocks(name, inside), _facts, REVISION, title)
        files[sheet_file(circuit, inside[0])] = sheet.document()
    return files


def _title(name: str) -> str:
    if name in _TITLES:
        return _TITLES[name]
    what, where = name.split("-")
    if what == "columns":
        return f"columns of register {where}"
    return f"{what} of {'the end row' if where == 'end' else f'street {where}'}"


def _facts(part: Part) -> Mapping[str, str]:
    record = record_of(part)
    return {"MPN": record.mpn, "LCSC": record.lcsc}


def _first_page(circuit: Circuit, names: Sequence[str]) -> list[Node]:
    """The page with a box for each sheet, and the flags of the rails that come in through the socket."""
    uuid = stable_uuid(circuit.name, "file", "")
    flags = ("VBUS", "GND")
    return [
        "kicad_sch",
        row("version", VERSION),
        row("generator", Text("cribboard")),
        row("generator_version", Text("9.0")),
        row("uuid", uuid),
        row("paper", Text("A4")),
        [
            "title_block",
            row("title", Text(circuit.title)),
            row("rev", Text(REVISION)),
            row("company", Text("cribboard")),
        ],
        ["lib_symbols", flag_symbol()],
        heading("One sheet an idea; nets of the same name are one net", 25.4, 22.86, stable_uuid(circuit.name, "head")),
        *(_box(circuit, name, number) for number, name in enumerate(names)),
        *(item for number, net in enumerate(flags) for item in _flag(circuit, net, 40.64 + 30.48 * number)),
        ["sheet_instances", ["path", Text("/"), row("page", Text("1"))]],
        row("embedded_fonts", "no"),
    ]


def _box(circuit: Circuit, name: str, number: int) -> list[Node]:
    x = 25.4 + 63.5 * (number % 4)
    y = 33.02 + 30.48 * (number // 4)
    uuid = stable_uuid(circuit.name, "sheet", name)
    inside = next(part for part in circuit.parts if part.sheet == name)
    page = Text(str(number + 2))
    path: list[Node] = ["path", Text(f"/{stable_uuid(circuit.name, 'file', '')}"), row("page", page)]
    return [
        "sheet",
        row("at", x, y),
        row("size", 50.8, 12.7),
        row("exclude_from_sim", "no"),
        row("in_bom", "yes"),
        row("on_board", "yes"),
        row("dnp", "no"),
        ["stroke", row("width", 0.2), row("type", "solid")],
        ["fill", ["color", "255", "253", "240", "1.0"]],
        row("uuid", uuid),
        field_text("Sheetname", name, x, y - 0.8, justify="left"),
        field_text("Sheetfile", sheet_file(circuit, inside), x, y + 14.5, justify="left"),
        ["instances", ["project", Text(circuit.name), path]],
    ]


def _flag(circuit: Circuit, net: str, x: float) -> Sequence[list[Node]]:
    """A power flag with the label of its net."""
    y = 160.02
    words = (circuit.name, "flag", net)
    symbol = power_flag(circuit.name, net, f"#FLG_{net}", x, y)
    return [symbol, net_label("global_label", net, "passive", x, y, 270, stable_uuid(*words, "label"))]

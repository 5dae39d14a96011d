"""Builds all boards with KiCad: ERC and DRC find nothing, the files for the board house have the netlist intended.

The routes are committed; a test routes the smallest board again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from firmware_host.circuits.circuit import Kind, Role
from firmware_host.circuits.hub_placement import BEYOND_PI_MM
from firmware_host.circuits.layout import CLEARANCE_MM, Copper, Side, Track
from hardware.make_pcb import Design, Made, check, designs, make, publish, read_back
from hardware.pcb.fabrication import DRILLS, LAYERS, order_lists
from hardware.pcb.footprints import body
from hardware.pcb.routes import fingerprint
from hardware.pcb.schematic_file import schematic_files
from hardware.pcb.sexpr import parse, render

pytestmark = pytest.mark.kicad
DESIGNS = designs()
HUB_DESIGN = next(design for design in DESIGNS if design.name == "hub")
SYMBOLS = Path("/usr/share/kicad/symbols")
ALL = pytest.mark.parametrize("design", DESIGNS, ids=[design.name for design in DESIGNS])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def made(folder: Path) -> Mapping[str, Made]:
    """All boards, built from the committed routes."""
    return {design.name: make(design, folder / design.name, folder / "kicad") for design in DESIGNS}


@ALL
def test_erc_drc_and_parity_find_nothing(made: Mapping[str, Made], design: Design) -> None:
    assert made[design.name].erc.findings == ()
    assert made[design.name].drc_findings == ()


@ALL
def test_the_gerber_files_have_the_netlist_intended(made: Mapping[str, Made], design: Design) -> None:
    found = made[design.name].read_back
    assert found.faults == ()
    open_pins = sum(part.nets.get(pin.number) is None for part in design.circuit.parts for pin in part.kind.pins)
    assert found.nets == len(design.circuit.nets) + open_pins
    assert found.clearance_mm >= CLEARANCE_MM - 0.001
    assert found.ring_mm >= 0.13


@ALL
def test_the_committed_routes_belong_to_the_layout(design: Design) -> None:
    """Otherwise `make pcb` would route the board again, which takes minutes."""
    mark = (design.home / f"{design.name}-routes.tsv").read_text(encoding="utf-8").splitlines()[0]
    assert mark == f"layout {fingerprint(design.layout, design.pads())}"


@ALL
def test_the_committed_files_are_up_to_date(made: Mapping[str, Made], folder: Path, design: Design) -> None:
    home = folder / "published" / design.name
    publish(made[design.name], home, folder / "kicad")
    for file in sorted(home.iterdir()):
        committed = design.home / file.name
        assert committed.exists() and committed.read_bytes() == file.read_bytes(), f"{committed} is stale: make pcb"


def drill_hits(text: str) -> Mapping[float, int]:
    """The number of holes of each diameter, in mm, in an Excellon file."""
    sizes = {tool: float(size) for tool, size in re.findall(r"^(T\d+)C([\d.]+)$", text, re.M)}
    hits = dict.fromkeys(sizes, 0)
    tool = ""
    for line in text.splitlines():
        if line in hits:
            tool = line
        elif line.startswith("X"):
            hits[tool] += 1
    return {sizes[tool]: count for tool, count in hits.items()}


@ALL
def test_the_order_zip_is_complete(design: Design) -> None:
    with ZipFile(design.home / f"{design.name}-order.zip") as packed:
        names = set(packed.namelist())
    gerbers = [layer.replace(".", "_").replace("SilkS", "Silkscreen") for layer in LAYERS]
    wanted = {f"{design.name}-{layer}.gbr" for layer in gerbers} | {f"{design.name}-{kind}.drl" for kind in DRILLS}
    assert names == wanted | set(order_lists(design.circuit, design.layout))


@ALL
def test_the_drill_files_have_every_hole(made: Mapping[str, Made], design: Design) -> None:
    """Plated holes are vias and the pins of through-hole parts; the others are for screws."""
    gerber, circuit = made[design.name].file.parent / "gerber", design.circuit
    hits = {kind: drill_hits((gerber / f"{design.name}-{kind}.drl").read_text(encoding="utf-8")) for kind in DRILLS}
    through = sum(len(part.kind.pins) for part in circuit.parts if part.kind.hand_fitted)
    vias = len(made[design.name].copper.vias) + len(made[design.name].copper.stitching)
    assert sum(hits["PTH"].values()) == through + vias
    assert hits["NPTH"] == {design.layout.screws[0].drill: len(design.layout.screws)}


@ALL
def test_no_copper_is_under_a_screw_head(made: Mapping[str, Made], design: Design) -> None:
    """Independently of DRC, from the Gerber files: neither tracks nor pours, on both sides."""
    from shapely.geometry import Point

    from hardware.pcb.gerber_netlist import read_copper

    for side in "FB":
        text = (made[design.name].file.parent / "gerber" / f"{design.name}-{side}_Cu.gbr").read_text(encoding="utf-8")
        pieces = read_copper(text)
        for screw in design.layout.screws:
            head = Point(screw.x, design.layout.height_mm - screw.y)
            assert min(piece.distance(head) for piece in pieces) >= screw.clearance - 0.01


def test_the_hubs_socket_meets_the_pins_of_the_pi() -> None:
    """Seen from above, pin 1 is at the inner left, pin 2 at the edge beside it, pin 40 at the far end of the edge."""
    pads = {pad.number: pad.rect for pad in HUB_DESIGN.pads() if pad.part == "J1"}
    for number, (x, y) in {"1": (8.37, 4.77), "2": (8.37, 2.23), "39": (56.63, 4.77), "40": (56.63, 2.23)}.items():
        rect = pads[number]
        assert ((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2 - BEYOND_PI_MM) == pytest.approx((x, y))


def test_no_part_of_the_hub_touches_another_or_leaves_the_board() -> None:
    """With the bodies of connectors, fuses and jack, which DRC does not compare."""
    layout = HUB_DESIGN.layout
    found = [
        (part.ref, layout.places[part.ref].side, body(part.kind.footprint, layout.places[part.ref]))
        for part in HUB_DESIGN.circuit.parts
    ]
    for number, (ref, side, box) in enumerate(found):
        assert box is not None, ref
        assert box.left >= 0 and box.top >= 0 and box.right <= layout.width_mm and box.bottom <= layout.height_mm, ref
        for other, other_side, far in found[number + 1 :]:
            assert far is not None
            apart = box.right <= far.left or far.right <= box.left or box.bottom <= far.top or far.bottom <= box.top
            assert side is not other_side or apart, f"{ref} touches {other}"


@pytest.mark.parametrize("how", ["cut", "short"])
def test_every_check_detects_a_broken_net(made: Mapping[str, Made], tmp_path: Path, folder: Path, how: str) -> None:
    design = next(design for design in DESIGNS if design.name == "row-1")
    copper = made["row-1"].copper
    if how == "cut":
        tracks = [track for track in copper.tracks if track.net != "SCLK_DRIVEN"]
    else:
        pads = {pad.net: pad.rect for pad in design.pads() if pad.part == "U1"}
        a, b = pads["SCLK_IN"], pads["LATCH_IN"]
        bridge = Track("SCLK_IN", Side.TOP, *_middle(a), *_middle(b), 0.25)
        tracks = [*copper.tracks, bridge]
    broken = check(design, Copper(tracks, copper.vias, copper.stitching), tmp_path, folder / "kicad")
    assert broken.drc_findings and broken.read_back.faults
    assert any("SCLK" in fault for fault in broken.read_back.faults)


def _middle(rect: object) -> tuple[float, float]:
    from firmware_host.circuits.layout import Rect

    assert isinstance(rect, Rect)
    return (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2


def test_parity_detects_a_board_that_differs_from_its_schematic(
    made: Mapping[str, Made], tmp_path: Path, folder: Path
) -> None:
    from hardware.pcb.kicad_cli import check_board

    design = next(design for design in DESIGNS if design.name == "row-1")
    done = check(design, made["row-1"].copper, tmp_path, folder / "kicad")
    swapped = [
        replace(part, nets={**part.nets, "1": part.nets["2"], "2": part.nets["1"]}) if part.ref == "R3" else part
        for part in design.circuit.parts
    ]
    for name, sheet in schematic_files(replace(design.circuit, parts=tuple(swapped))).items():
        (tmp_path / name).write_text(render(sheet) + "\n", encoding="utf-8")
    assert any("net_conflict" in finding for finding in check_board(folder / "kicad", done.file).parity)


def test_an_s_expression_survives_reading_and_writing() -> None:
    for sheet in schematic_files(DESIGNS[0].circuit).values():
        assert parse(render(sheet)) == sheet


@pytest.mark.slow
def test_connections_without_tracks_are_routed_again(made: Mapping[str, Made], folder: Path) -> None:
    """The router knows nothing of pours, so a pin may lose a spoke; the check of the real boards would find it.

    It moves other tracks too, because those that were moved by hand, between its grid points, are not kept.
    """
    design = next(design for design in DESIGNS if design.name == "row-1")
    copper, cut = made["row-1"].copper, ("Strip 1/SHIFT_IN", "SCLK_OUT", "Strip 1/HOLE1")
    earlier = Copper(
        [track for track in copper.tracks if track.net not in cut], [via for via in copper.vias if via.net not in cut]
    )
    routed_again = check(design, design.route(earlier), folder / "again", folder / "kicad")
    assert [finding for finding in routed_again.drc_findings if "starved_thermal" not in finding] == []
    assert read_back(design, folder / "again" / "gerber").faults == ()


def symbol(library: str, name: str) -> Mapping[str, tuple[str, str]]:
    """Name and electrical type of each pin of a KiCad symbol, by pin number."""
    text = (SYMBOLS / f"{library}.kicad_sym").read_text(encoding="utf-8")
    start = text.index(f'(symbol "{name}"')
    following = re.compile(r'\n\t\(symbol "').search(text, start + 1)
    block = text[start : following.start() if following else None]
    if parent := re.search(r'\(extends "([^"]+)"\)', block):
        return symbol(library, parent[1])
    pins = re.findall(r'\(pin (\w+) \w+.*?\(name "([^"]*)".*?\(number "([^"]*)"', block, re.S)
    return {number: (label, kind) for kind, label, number in pins}


KINDS = {part.kind.name: part.kind for design in DESIGNS for part in design.circuit.parts if part.kind.symbol}
ROLES_OF_TYPE = {
    "power_in": (Role.POWER_IN, Role.GROUND),
    "input": (Role.INPUT,),
    "output": (Role.OUTPUT, Role.OPEN_DRAIN),
    "tri_state": (Role.TRI_STATE,),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_pins_agree_with_the_kicad_symbols(kind: Kind) -> None:
    """Pin numbers always; role and name where the symbol defines them."""
    theirs = symbol(*kind.symbol.split(":"))
    assert {pin.number for pin in kind.pins} == set(theirs)
    for pin in kind.pins:
        name, electrical = theirs[pin.number]
        assert pin.role in ROLES_OF_TYPE.get(electrical, tuple(Role)), f"{kind.name}.{pin.number}: {electrical}"
        plain = re.sub(r"~\{(\w+)\}", r"\1", name)
        if len(kind.pins) > 2 and len(plain) > 1 and plain not in {"Q7"} and "." not in plain:
            assert pin.name == plain, f"{kind.name}.{pin.number}"

"""The assembly page: every step is complete, and every part, connector, file, setting and number in it is real."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from board_drivers.pins import header_pins
from firmware_host.board.matrix import column_count
from firmware_host.board.peg_source import PegSource
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.circuits.sources import records
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.kits import LightSource
from firmware_host.config.settings_sources import load_settings
from firmware_host.fabrication.bill import (
    DESK,
    LIGHTS,
    SENSING,
    desk_list,
    kit_circuit,
    other_parts,
    parts_list,
    total_cents,
)
from firmware_host.fabrication.board_space import board_space
from firmware_host.fabrication.costs import hand_joints
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.outputs import board_files, shared_files
from firmware_host.fabrication.power import power_of
from firmware_host.storage.journal import Journal
from hardware.kicad.placement import frame_of
from tests.host.bench import HostBench

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGE = (HARDWARE / "ASSEMBLY.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
STEPS = dict(enumerate(PAGE.split("\n## ")[1:], start=1))
DESK_EVENING = (1, 2, 3)
CLASSIC = load_plan("classic-61")
BOARD = matrix_circuit(CLASSIC)
BOARD_FILE = (HARDWARE / "kicad" / "classic-61" / "classic-61.kicad_pcb").read_text(encoding="utf-8")
REFERENCE = re.compile(r"\b(?:J|F|C|R|Q|U|D|Y)\d+\b")
LOOKS = {"U1": "U1, the square chip", "Y1": "Y1, the metal can"}
"""Parts without room for print beside them, and how a page must introduce them."""
PAGES = ("README.md", "ASSEMBLY.md", "TEST.md", "BENCH.md", "INSTALL.md", "kicad/README.md", "firmware/README.md")


def steps(numbers: Iterable[int] = STEPS) -> list[object]:
    """The texts of these steps as parameters."""
    return [pytest.param(STEPS[number], id=str(number)) for number in numbers]


def parts_of(step: str) -> list[str]:
    """The entries of its line of parts, on one line."""
    found = re.search(r"Parts: (.+?)\.\n", step, re.DOTALL)
    return found[1].replace("\n", " ").split(", ") if found else []


def is_named(entry: str, item: str) -> bool:
    """Whether every word of an entry is in the name of an item."""
    words = re.findall(r"[\w.-]+", item.casefold())
    return all(word in words for word in re.findall(r"[\w.-]+", entry.casefold()))


def printed() -> set[str]:
    """All that is printed on the classic board."""
    return set(re.findall(r'\(gr_text "([^"]+)"', BOARD_FILE))


@pytest.mark.parametrize("step", steps())
def test_every_step_has_a_time_what_can_go_wrong_and_a_test(step: str) -> None:
    assert re.search(r"^Time: ", step, re.MULTILINE), step[:40]
    assert "\n\nWhat can go wrong: " in step, step[:40]
    assert step.rstrip().split("\n\n")[-1].startswith("**Test.**"), step[:40]


def test_the_parts_of_the_evening_with_a_desk_are_its_own_list() -> None:
    bought = [item.name for item in desk_list(CLASSIC, load_case())]
    entries = [entry for number in DESK_EVENING for entry in parts_of(STEPS[number])]
    assert [entry for entry in entries if not any(is_named(entry, item) for item in bought)] == []
    assert [item for item in bought if not any(is_named(entry, item) for entry in entries)] == []
    dollars = total_cents(desk_list(CLASSIC, load_case())) / 100
    assert f"{dollars:.0f} dollars in parts" in " ".join(PAGE.split())


BOARD_STEPS = {LIGHTS: (1, 2, *range(4, 10)), SENSING: (2, *range(4, 9), *range(10, 19))}
"""The steps of each track: the keypad of `lights` is at the Pi, that of `sensing` at the circuit board."""
HOURS = {"a quarter of an hour": 0.25, "half an hour": 0.5, "an hour": 1, "an hour and a half": 1.5, "two hours": 2}


@pytest.mark.parametrize("board", [board for board in plan_ids() if board_space(board)])
def test_every_part_of_a_whole_board_has_its_step_and_no_step_has_others(board: str) -> None:
    entries = [entry for number in BOARD_STEPS[SENSING] for entry in parts_of(STEPS[number])]
    whole = [item.name for item in parts_list(load_plan(board), load_case(), SENSING)]
    assert [entry for entry in entries if not any(is_named(entry, item) for item in whole)] == []
    bought = [item.name for item in other_parts(load_plan(board), load_case(), SENSING)]
    assert [item for item in bought if not any(is_named(entry, item) for entry in entries)] == []


def test_parts_of_kit_lights_have_their_steps() -> None:
    entries = [entry for number in BOARD_STEPS[LIGHTS] for entry in parts_of(STEPS[number])]
    bought = [item.name for item in other_parts(CLASSIC, load_case(), LIGHTS)]
    listed = [item.name for item in parts_list(CLASSIC, load_case(), LIGHTS)]
    assert [entry for entry in entries if not any(is_named(entry, item) for item in listed)] == []
    assert [item for item in bought if not any(is_named(entry, item) for entry in entries)] == []


def test_hours_of_the_kits_are_the_times_of_their_steps() -> None:
    tracks = {DESK: (1, 2), **BOARD_STEPS}
    hours = load_table("parts")["hours"]
    for kit, numbers in tracks.items():
        times = [re.search(r"^Time: (.+?)(?:,| for|\.)", STEPS[number], re.MULTILINE) for number in numbers]
        assert hours[kit] == sum(HOURS[found[1]] for found in times if found), kit
    assert f"| {hours[LIGHTS]:g} hours, " in PAGE and f"| {hours[SENSING]:g} hours, " in PAGE
    more = {3.5: "three and a half hours more"}[hours[LIGHTS] - hours[DESK]]
    assert more in (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_keys_of_the_first_game_bring_the_points_that_the_page_says() -> None:
    """Kit `desk`: nothing reads the pegs."""
    bench = HostBench(Journal.in_memory())
    bench.setup = replace(bench.setup, peg_sources=(PegSource.BY_HAND,))
    bench.switch_on()
    keys = re.findall(r"`([A-Z0-9 ]+)`", STEPS[3].split("**Test.**")[1])
    assert len(keys) == 4
    for typed in keys:
        bench.keys(typed)
    bench.wait(0.1)
    assert (bench.table.names[0], bench.table.scores) == ("Ann", (2, 0))


@pytest.mark.parametrize("page", ["ASSEMBLY.md", "TEST.md", "BENCH.md"])
def test_every_reference_is_a_part_of_the_board(page: str) -> None:
    refs = {part.ref for part in BOARD.parts}
    assert set(REFERENCE.findall((HARDWARE / page).read_text(encoding="utf-8"))) <= refs


def test_what_the_page_says_is_printed_is_printed() -> None:
    words = re.findall(r"`(cribboard classic-61 C|J\d [^`]+)`", STEPS[5])
    assert len(words) == 5
    for text in words:
        assert any(line.startswith(text) for line in printed()), text
    assert {"U101", "U225"} <= printed() and "| 1 |" in f"| {' | '.join(printed())} |"


@pytest.mark.parametrize("page", ["ASSEMBLY.md", "TEST.md", "BENCH.md"])
def test_every_part_that_a_page_names_is_printed_or_described(page: str) -> None:
    text = " ".join((HARDWARE / page).read_text(encoding="utf-8").split())
    described = {ref for ref, look in LOOKS.items() if look in text}
    on_board = {text.split()[0] for text in printed()}
    assert set(REFERENCE.findall(text)) <= on_board | described


def test_pads_of_the_programmer_are_those_of_the_board() -> None:
    nets = BOARD.part("J4").nets
    assert (nets["2"], nets["6"]) == ("5V", "GND")
    pads = re.search(r'PinHeader_2x03_P2\.54mm_Vertical"(.*?)\n\t\(footprint ', BOARD_FILE, re.DOTALL)
    assert pads
    shapes = dict(re.findall(r'\(pad "(\d)" thru_hole (\w+)', pads[1]))
    assert shapes == {"1": "rect", **dict.fromkeys("23456", "circle")}
    found = dict(re.findall(r'\(pad "([26])".*?\(net \d+ "(\w+)"\)', pads[1], re.DOTALL))
    assert found == {"2": "5V", "6": "GND"}


def test_answer_of_the_doctor_is_that_of_the_firmware() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in sorted((HARDWARE / "firmware").glob("*.h")))
    version = [re.search(rf"FIRMWARE_{part} (\d+)", sources) for part in ("MAJOR", "MINOR")]
    major, minor = (found[1] for found in version if found)
    assert f"sensing board, firmware {major}.{minor}, {column_count(CLASSIC)} columns, 0 magnets" in PAGE


def test_parts_that_may_not_be_substituted_are_those_of_the_order() -> None:
    for key in ("DRV5023AJ", "SK9822-EC20"):
        assert key in records() and key in STEPS[4]
    switches = [part.ref for part in BOARD.parts if part.kind.name == "DRV5023AJ"]
    assert (switches[0], switches[-1]) == ("U101", "U225") and "DRV5023AJ, U101 to U225" in PAGE
    frame = frame_of(CLASSIC)
    assert f"{frame.width_mm:.0f} x {frame.height_mm:g} mm" in STEPS[4]


def test_files_of_the_order_are_in_its_zip() -> None:
    with ZipFile(HARDWARE / "kicad" / "classic-61-order.zip") as order:
        names = order.namelist()
        lines = order.read("classic-61-bom.csv").decode().splitlines()
    assert set(re.findall(r"`(classic-61-[\w-]+\.csv)`", PAGE)) == {name for name in names if name.endswith(".csv")}
    states = ("by hand", "left empty")
    fitted = {line.split(",")[1]: state for line in lines for state in states if f",{state}," in line}
    assert fitted == {"J2": "by hand", "J3": "left empty"} and "J2, J3 and J4 are not assembled" in PAGE


def test_only_kit_sensing_is_soldered_and_j3_is_in_no_list() -> None:
    joints = {kit: hand_joints(kit_circuit(CLASSIC, kit)) for kit in BOARD_STEPS}
    assert joints == {LIGHTS: 0, SENSING: 8} and "the 8 pins of the keypad's header" in PAGE
    for kit in BOARD_STEPS:
        assert not [item.name for item in parts_list(CLASSIC, load_case(), kit) if "JST" in item.name]
    irons = [tool["kits"] for tool in load_table("parts")["tool"] if "soldering iron" in tool["name"]]
    assert irons == [[SENSING]]


def test_current_of_the_first_power_is_above_that_of_dark_lights() -> None:
    """At J4 of the classic board, where a programmer feeds it; the larger ones need a bench supply."""
    dark = {board: power_of(load_plan(board)).dark_ma + 30 for board in plan_ids()}
    assert dark["classic-61"] < 200
    assert {board for board, ma in dark.items() if 350 < ma < 700} == {"continuous-121-3", "continuous-121-4"}


def test_every_file_that_a_page_names_is_made() -> None:
    case, plans = load_case(), [load_plan(board) for board in plan_ids()]
    made = {*board_files(plans[0], case), *shared_files(plans, case, header_pins())}
    for page in ("ASSEMBLY.md", "README.md"):
        text = (HARDWARE / page).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w-]+\.(?:pdf|svg|dxf|scad|csv|toml|webp))`", text):
            exists = (HARDWARE / name).exists() or (HARDWARE / "generated" / name).exists()
            own = name.startswith("classic-61-") or name in ("cribboard.toml", "lights.toml", "sensing.toml")
            assert name in made or exists or own, (page, name)


@pytest.mark.parametrize("page", PAGES)
def test_every_step_that_a_page_refers_to_exists(page: str) -> None:
    text = (HARDWARE / page).read_text(encoding="utf-8")
    rows = len(re.findall(r"^\| +\d+ \|", (HARDWARE / "TEST.md").read_text(encoding="utf-8"), re.MULTILINE))
    limit = rows if page == "TEST.md" else len(STEPS)
    for number in re.findall(r"\bsteps? (\d+)", text):
        assert 1 <= int(number) <= max(limit, len(STEPS)), number
    for number, anchor in re.findall(r"assembly step (\d+)\]\(ASSEMBLY\.md#(\d+)", text):
        assert number == anchor


def settings_on_the_page() -> list[object]:
    """The settings in code blocks, each with the kit of its step."""
    blocks = re.findall(r"```\n((?:# .*\n)?(?:\w+ = .*\n)+)```", PAGE)
    return [pytest.param(block if "kit" in block else f'kit = "sensing"\n{block}', id=block[:12]) for block in blocks]


@pytest.mark.parametrize("block", settings_on_the_page())
def test_settings_on_the_page_are_accepted(block: str) -> None:
    settings = load_settings(None, {}, tomllib.loads(block))
    parts = settings.parts
    assert load_plan(settings.board) and parts.has_scanner and parts.lights is LightSource.USB
    assert parts.has_sensors is (settings.kit == "sensing")


def test_there_are_settings_for_each_way() -> None:
    assert len(settings_on_the_page()) == 3


def test_lengths_on_the_page_are_those_of_the_parts() -> None:
    case = load_case()
    pilot = case.pilot
    assert f"needs their {case.leg.length_mm:g} mm" in FLAT
    assert f"the violet holes, {pilot.hole_mm:g} mm wide and **{pilot.depth_mm:g} mm deep" in FLAT
    assert f"it stands {pilot.depth_mm:g} mm deep" in FLAT
    assert f"box **{case.recess.depth_mm:g} mm deep**" in FLAT


def test_nothing_refers_to_a_board_on_stripboard() -> None:
    pages = [*HARDWARE.rglob("*.md"), *HARDWARE.rglob("*.toml"), *HARDWARE.rglob("*.csv"), *HARDWARE.rglob("*.py")]
    assert not [page for page in pages if "stripboard" in page.read_text(encoding="utf-8").casefold()]


def ohms(circuit: Circuit, one: str, other: str) -> float:
    """The resistance between two nets through the resistors of a circuit alone; infinite without a path."""
    links: list[tuple[str, str, float]] = []
    for part in circuit.parts:
        if part.kind.name.startswith("resistor"):
            low, high = sorted(str(net) for net in part.nets.values())
            links.append((low, high, in_ohms(part.value)))
    reached, found = {one}, 0
    while len(reached) != found:
        found = len(reached)
        reached |= {net for low, high, _ in links for net in (low, high) if {low, high} & reached}
    if other not in reached:
        return math.inf
    inner = [net for net in sorted(reached) if net not in (one, other)]
    volts = dict.fromkeys(inner, 0.5) | {one: 1.0, other: 0.0}
    for _ in range(2000):  # each inner net takes the mean of its neighbours, weighted by conductance
        for net in inner:
            near = [(high if low == net else low, 1 / ohm) for low, high, ohm in links if net in (low, high)]
            volts[net] = sum(volts[end] * weight for end, weight in near) / sum(weight for _, weight in near)
    flow = sum((1.0 - volts[high if low == one else low]) / ohm for low, high, ohm in links if one in (low, high))
    return 1 / flow if flow else math.inf


def in_ohms(value: str) -> float:
    whole, letter, rest = re.fullmatch(r"(\d+)([kMR]?)(\d*)", value).groups()  # type: ignore[union-attr]
    return float(f"{whole}.{rest or 0}") * {"": 1, "R": 1, "k": 1e3, "M": 1e6}[letter]


def test_the_resistances_to_measure_are_those_of_the_circuit() -> None:
    """Over 1 kohm from each signal of J4 to ground, over 100 kohm from the keys, and 5.1 kohm from CC."""
    for pin in "1345":
        assert ohms(BOARD, str(BOARD.part("J4").nets[pin]), "GND") > 1000, pin
    for net in BOARD.part("J2").nets.values():
        assert ohms(BOARD, str(net), "GND") > 100e3
    assert ohms(BOARD, "CC1", "GND") == pytest.approx(5100, rel=0.05)


def test_the_measuring_of_resistances_finds_a_bridge() -> None:
    bridge = replace(BOARD.part("R4"), ref="R99", value="100", nets={"1": "LIGHT_DATA_OUT", "2": "GND"})
    bridged = replace(BOARD, parts=(*BOARD.parts, bridge))
    assert ohms(bridged, "LIGHT_DATA_OUT", "GND") == pytest.approx(100)

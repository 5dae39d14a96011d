"""The assembly page: every step is complete, and every part, connector, file and number in it is real."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Set
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from board_drivers.pins import header_pins
from firmware_host.board.peg_source import PegSource
from firmware_host.circuits.cables import cable_counts
from firmware_host.circuits.catalogue import RESISTOR
from firmware_host.circuits.circuit import Circuit, wired
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.config.board_plans import demo_plan, load_plan, plan_ids
from firmware_host.config.settings_checks import board_plan
from firmware_host.fabrication.bill import DEMO, desk_list, parts_list, total_cents
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.first_evening import USED_PARTS
from firmware_host.fabrication.outputs import board_files, shared_files
from firmware_host.storage.journal import Journal
from tests.host.bench import HostBench

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGE = (HARDWARE / "ASSEMBLY.md").read_text(encoding="utf-8")
STEPS = dict(enumerate(PAGE.split("\n## ")[1:], start=1))
FIRST_EVENING = (1, 2, 3)
DESK_EVENING = (15, 16, 17)
WHOLE_BOARD = tuple(number for number in STEPS if number not in DESK_EVENING)
REFERENCE = re.compile(r"\b(?:J|TP|F|C|R|Q|U|D)\d+\b")
PAGES = ("README.md", "ASSEMBLY.md", "TEST.md", "BENCH.md", "INSTALL.md", "hub/README.md", "row/README.md")


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


def all_refs() -> Set[str]:
    circuits = (HUB, *map(row_circuit, SIZES))
    return {part.ref for circuit in circuits for part in circuit.parts}


def refs_in(text: str) -> set[str]:
    """All references in a text; `J6 to J8` are three."""
    found = set(REFERENCE.findall(text))
    for letter, first, last in re.findall(r"\b([A-Z])(\d+) to \1(\d+)\b", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


@pytest.mark.parametrize("step", steps())
def test_every_step_has_a_time_what_can_go_wrong_and_a_test(step: str) -> None:
    assert re.search(r"^Time: ", step, re.MULTILINE), step[:40]
    assert "\n\nWhat can go wrong: " in step, step[:40]
    assert step.rstrip().split("\n\n")[-1].startswith("**Test.**"), step[:40]


@pytest.mark.parametrize("board", plan_ids())
@pytest.mark.parametrize("step", steps(WHOLE_BOARD))
def test_the_parts_of_every_step_are_in_the_parts_list_of_every_board(step: str, board: str) -> None:
    bought = [item.name for item in parts_list(load_plan(board), load_case(), "smt")]
    for entry in parts_of(step):
        assert any(is_named(entry, item) for item in bought), entry


@pytest.mark.parametrize("step", steps(FIRST_EVENING))
def test_the_parts_of_the_first_evening_are_in_its_own_list(step: str) -> None:
    bought = [item.name for item in parts_list(demo_plan(), load_case(), DEMO)]
    on_own_pi = ("Raspberry Pi", "microSD card")
    for entry in parts_of(step):
        assert entry in on_own_pi or any(is_named(entry, item) for item in bought), entry


def test_the_parts_of_the_evening_with_a_desk_are_its_own_list() -> None:
    bought = [item.name for item in desk_list(demo_plan(), load_case())]
    entries = [entry for number in DESK_EVENING for entry in parts_of(STEPS[number])]
    assert [entry for entry in entries if not any(is_named(entry, item) for item in bought)] == []
    assert [item for item in bought if not any(is_named(entry, item) for entry in entries)] == []
    dollars = total_cents(desk_list(demo_plan(), load_case())) / 100
    assert f"about {round(dollars, -1):.0f} dollars" in PAGE


def test_keys_of_the_first_game_bring_the_points_that_the_page_says() -> None:
    """Kit `desk`: nothing reads the pegs."""
    bench = HostBench(Journal.in_memory())
    bench.setup = replace(bench.setup, peg_sources=(PegSource.BY_HAND,))
    bench.switch_on()
    keys = re.findall(r"`([A-Z0-9 ]+)`", STEPS[17].split("**Test.**")[1])
    assert len(keys) == 4
    for typed in keys:
        bench.keys(typed)
    bench.wait(0.1)
    assert (bench.table.names[0], bench.table.scores) == ("Ann", (2, 0))


@pytest.mark.parametrize("board", plan_ids())
def test_every_part_to_buy_is_used_in_a_step(board: str) -> None:
    """But those that the board house solders."""
    entries = [entry for step in STEPS.values() for entry in parts_of(step)]
    by_machine = {
        part.kind.name
        for circuit in (HUB, *map(row_circuit, SIZES))
        for part in circuit.parts
        if not part.kind.hand_fitted
    }
    for item in parts_list(load_plan(board), load_case(), "smt"):
        if not any(item.name.startswith(kind) for kind in by_machine):
            assert any(is_named(entry, item.name) for entry in entries), item.name


def test_every_reference_exists_on_a_board() -> None:
    assert refs_in(PAGE) <= all_refs()


def test_every_part_that_is_soldered_by_hand_has_its_step() -> None:
    hub = {part.ref for part in HUB.parts if part.kind.hand_fitted}
    first, second = refs_in(STEPS[1]), refs_in(STEPS[10])
    assert {"J1", *USED_PARTS} <= first
    assert hub <= first | second
    rows = {part.ref for size in SIZES for part in row_circuit(size).parts if part.kind.hand_fitted}
    assert rows <= refs_in(STEPS[11])


def test_every_file_that_a_page_names_is_made() -> None:
    case, plans = load_case(), [load_plan(board) for board in plan_ids()]
    made = {*board_files(plans[0], case), *shared_files(plans, demo_plan(), case, header_pins())}
    for page in ("ASSEMBLY.md", "README.md"):
        text = (HARDWARE / page).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w-]+\.(?:pdf|svg|dxf|scad|csv|toml|webp))`", text):
            exists = (HARDWARE / name).exists() or (HARDWARE / "generated" / name).exists()
            assert name in made or exists or name == "cribboard.toml", (page, name)


@pytest.mark.parametrize("page", PAGES)
def test_every_step_that_a_page_refers_to_exists(page: str) -> None:
    text = (HARDWARE / page).read_text(encoding="utf-8")
    source = {"TEST.md": len(re.findall(r"^\| +\d+ \|", (HARDWARE / "TEST.md").read_text(), re.MULTILINE))}
    limit = source.get(page, len(STEPS))
    for number in re.findall(r"\bsteps? (\d+)", text):
        assert 1 <= int(number) <= max(limit, len(STEPS)), number
    for number, anchor in re.findall(r"assembly step (\d+)\]\(ASSEMBLY\.md#(\d+)", text):
        assert number == anchor


def test_settings_on_the_page_are_accepted() -> None:
    for name in re.findall(r'board = "([\w-]+)"', PAGE):
        assert load_plan(board_plan(name))
    for name in re.findall(r"--board ([\w-]+)", PAGE):
        assert load_plan(board_plan(name))
    assert f"lights_ma = {load_table('power')['lights_ma']['one-strip']}`" in PAGE


def test_lengths_on_the_page_are_those_of_the_parts() -> None:
    case, page = load_case(), " ".join(PAGE.split())
    lengths = sorted(cable_counts(load_plan("continuous-121-2")))
    assert f"{lengths[0]} mm where they are neighbours, {lengths[1]} mm where the chain returns" in page
    assert f"need their {case.leg.length_mm:g} mm" in page


def test_test_and_bench_ask_for_the_same_voltage_at_the_far_end() -> None:
    wanted = f"{load_table('power')['light_min_v']:g} V or more"
    for page in ("TEST.md", "BENCH.md"):
        lines = [line for line in (HARDWARE / page).read_text(encoding="utf-8").splitlines() if "far end" in line]
        assert any(wanted in line for line in lines), page
        assert not re.findall(r"4\.[46]\d? V or more", "\n".join(lines))


def test_nothing_refers_to_a_board_on_stripboard() -> None:
    pages = [*HARDWARE.rglob("*.md"), *HARDWARE.rglob("*.toml"), *HARDWARE.rglob("*.csv"), *HARDWARE.rglob("*.py")]
    assert not [page for page in pages if "stripboard" in page.read_text(encoding="utf-8").casefold()]


def ohms(circuit: Circuit, one: str, other: str) -> float:
    """The resistance between two nets through the resistors of a circuit alone; infinite without a path."""
    links: list[tuple[str, str, float]] = []
    for part in circuit.parts:
        if part.kind.name == "resistor":
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
    whole, letter, rest = re.fullmatch(r"(\d+)([kM]?)(\d*)", value).groups()  # type: ignore[union-attr]
    return float(f"{whole}.{rest or 0}") * {"": 1, "k": 1e3, "M": 1e6}[letter]


def test_the_resistances_to_measure_are_those_of_the_circuits() -> None:
    """Over 1 kohm between the test points of a row board, at the outlets of the hub, and between pins of J4."""
    for size in SIZES:
        row = row_circuit(size)
        points = [net for part in row.parts if part.ref.startswith("TP") for net in part.nets.values() if net]
        assert len(set(points)) == 6
        assert all(ohms(row, one, other) > 1000 for one, other in combinations(sorted(set(points)), 2))
    assert all(ohms(HUB, net, "GND") > 1000 for net in ("5V_JACK", "5V_LIGHTS", "3V3"))
    rows = HUB.part("J4").nets
    for pin in range(1, len(rows)):
        assert ohms(HUB, str(rows[str(pin)]), str(rows[str(pin + 1)])) > 1000, pin


def test_the_measuring_of_resistances_finds_a_bridge() -> None:
    bridge = wired("R99", RESISTOR, "100", _1="LIGHT_DATA", _2="LIGHT_CLOCK")
    bridged = Circuit("bridged", "", HUB.rails, HUB.levels, (*HUB.parts, bridge))
    assert ohms(bridged, "LIGHT_DATA", "LIGHT_CLOCK") == pytest.approx(1 / (1 / 100 + 1 / 2066), rel=1e-3)

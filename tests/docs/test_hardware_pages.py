"""The hardware pages: every link has a target, every step has a picture and a test, figures are the ones in use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from board_drivers.scan_protocol import ErrorCode
from board_drivers.scanner_session import LOST
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.fabrication.bill import DESK, SENSING
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.kits_page import KITS, kit_cost
from firmware_host.fabrication.magnets import among_four_mt, magnetics
from hardware.kicad import architectures, layouts

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGES = ("README.md", "ASSEMBLY.md", "TEST.md", "BENCH.md", "INSTALL.md")


def text_of(page: str) -> str:
    return (HARDWARE / page).read_text(encoding="utf-8")


def anchors(page: str) -> set[str]:
    return {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in headings(page)}


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_exists(page: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", text_of(page)):
        name, _, anchor = target.partition("#")
        assert (HARDWARE / (name or page)).exists(), target
        assert not anchor or anchor in anchors(name or page), target


def test_every_step_of_the_assembly_has_a_picture_of_its_own() -> None:
    steps = text_of("ASSEMBLY.md").split("\n## ")[1:]
    assert [step.split(".")[0] for step in steps] == [str(number) for number in range(1, len(steps) + 1)]
    for step in steps:
        assert re.search(r"!\[.+\]\((generated/.+\.svg|kicad/.+\.webp)\)", step), step[:40]


def test_the_readme_names_exactly_the_generated_files() -> None:
    kept = {file.name for file in (HARDWARE / "generated" / plan_ids()[0]).iterdir()}
    shared = {file.name for file in (HARDWARE / "generated").iterdir() if file.is_file()}
    named = set(re.findall(r"`([\w*-]+\.(?:svg|csv|scad|md))`", text_of("README.md")))
    assert {name for name in named if "*" not in name} <= kept | shared
    drawn = {name for name in kept | shared if name.endswith((".svg", ".csv", ".scad", ".md"))}
    assert not drawn - named - {"boards.md"}


def margin(*cells: str) -> list[str]:
    """The cells of the row of `margins.md` that begins with these."""
    start = f"| {' | '.join(cells)} |"
    line = next(line for line in text_of("kicad/margins.md").splitlines() if line.startswith(start))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_figures_of_test_and_bench_are_those_of_the_margins() -> None:
    plugged = float(margin("Zero 2 W", "5.1 V")[5])
    assert f"calculated to fall to {plugged:.1f} V" in text_of("TEST.md")
    assert "at most 5.5 V" in text_of("BENCH.md") and float(margin("classic-61", "fast", "47")[3]) < 5.5
    assert "high again within 10 us" in text_of("BENCH.md") and float(margin("continuous-121-4", "fast", "32")[6]) < 10
    assert "4.3 V or more within 1 us" in text_of("BENCH.md") and float(margin("classic-61", "slow", "16")[4]) > 4.3


def test_levels_of_the_switches_are_those_in_use() -> None:
    switch = load_table("magnets")["switch"]
    among_mt = among_four_mt(load_plan("classic-61"), magnetics(load_case()))
    assert f"a weak peg among four strong ones has {among_mt:.1f} mT" in text_of("TEST.md")
    assert f"on at {switch['operate_mt']:g} mT at most, off at {switch['release_mt']:g} mT at least" in text_of(
        "TEST.md"
    )


def test_messages_of_the_board_are_on_the_page() -> None:
    wiring = matrix_wiring(load_plan("classic-61"), load_plan("classic-61"))
    assert wiring
    fault = wiring.line_fault(ErrorCode.COLUMN_CURRENT, 1, 0)
    assert fault.device.startswith("Sensor column") and "`Sensor column`" in text_of("TEST.md")
    assert f"`{LOST.device}`" in text_of("TEST.md")


def flat(file: str) -> str:
    """The text of a page from the root of the project, on one line."""
    return " ".join((HARDWARE.parent / file).read_text(encoding="utf-8").split())


def test_prices_of_the_kits_are_those_of_the_table() -> None:
    text = (HARDWARE.parent / "README.md").read_text(encoding="utf-8")
    for kit in KITS:
        cost = kit_cost(load_plan("classic-61"), kit)
        assert re.search(rf"^\| `{kit}` \|.*\| {cost.usd:.0f} \|$", text, re.MULTILINE), (kit, cost.usd)
        assert kit == DESK or f"{cost.with_second_usd:.0f} for `{kit}`" in text


def test_price_of_the_circuit_board_is_that_of_its_page() -> None:
    text = flat("hardware/README.md")
    costs = [kit_cost(load_plan(board), SENSING) for board in architectures.BOARDS]
    for board, cost in zip(architectures.BOARDS, costs, strict=True):
        assert re.search(rf"\b{cost.board_usd:.0f} (dollars )?for one `{board}`", text), board
    assert f"two at least adds {' and '.join(f'{cost.second_usd:.0f}' for cost in costs)}" in text


def test_revision_c_names_the_boards_with_compared_costs() -> None:
    priced = [f"`{board}`" for board in architectures.BOARDS]
    assert f"Other ways are compared for {' and '.join(priced)}." in flat("hardware/kicad/README.md")


def test_all_boards_have_margins() -> None:
    for board in layouts.BOARDS:
        assert margin(board, "fast", "16")

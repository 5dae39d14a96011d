"""The hardware pages: every link has a target, every step has a picture and a test, figures are the ones in use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from board_drivers.ports import DriverError
from board_drivers.sensor_chain import SensorChain
from firmware_host.config.board_plans import demo_plan, load_plan, plan_ids
from firmware_host.fabrication.bill import DEMO, LIGHTS, desk_list, total_cents
from firmware_host.fabrication.costs import costs_page, set_usd
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.magnets import among_four_mt, magnetics
from hardware.kicad import architectures, margins

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGES = ("README.md", "ASSEMBLY.md", "TEST.md")


class Latch:
    def on(self) -> None: ...
    def off(self) -> None: ...


class CutAfterTwo:
    """The bus of a chain whose ribbon is cut after its second strip."""

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        return [0xBF] * 2 + [0] * (len(words) - 2)


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
        assert (HARDWARE / (name or page)).is_file(), target
        assert not anchor or anchor in anchors(name or page), target


def test_every_step_of_the_assembly_has_a_picture_of_its_own() -> None:
    steps = text_of("ASSEMBLY.md").split("\n## ")[1:]
    assert [step.split(".")[0] for step in steps] == [str(number) for number in range(1, len(steps) + 1)]
    for step in steps:
        assert re.search(r"!\[.+\]\(generated/.+\.svg\)", step), step[:40]


def test_the_readme_names_exactly_the_generated_files() -> None:
    kept = {file.name for file in (HARDWARE / "generated" / plan_ids()[0]).iterdir()}
    shared = {file.name for file in (HARDWARE / "generated").iterdir() if file.is_file()}
    named = set(re.findall(r"`([\w*-]+\.(?:svg|csv|scad|md))`", text_of("README.md")))
    assert {name for name in named if "*" not in name} <= kept | shared
    drawn = {name for name in kept | shared if name.endswith((".svg", ".csv", ".scad", ".md"))}
    unnamed = drawn - named - {"boards.md", "parts-smt.csv", "parts-lights.csv"}
    assert not unnamed


def test_figures_in_the_pages_are_the_ones_in_use() -> None:
    page = text_of("TEST.md")
    switch = load_table("magnets")["switch"]
    among_mt = among_four_mt(load_plan("classic-61"), magnetics(load_case()))
    assert f"a weak peg among four strong ones has {among_mt:.1f} mT" in page
    assert f"on at {switch['operate_mt']:g} mT at most, off at {switch['release_mt']:g} mT at least" in page
    assert f"{switch['depth_mm']:g} mm assumed" in page
    pilot = load_case().pilot
    assert f"walls of the spacer, {load_case().pocket.wall_mm:g} mm at the thinnest" in page
    assembly = " ".join(text_of("ASSEMBLY.md").split())
    assert f"the violet holes, {pilot.hole_mm:g} mm wide and **{pilot.depth_mm:g} mm deep" in assembly
    assert f"it stands {pilot.depth_mm:g} mm deep" in assembly
    assert f"lights_ma = {load_table('power')['lights_ma']['one-strip']}\n" in text_of("README.md")


def test_the_error_of_a_cut_ribbon_is_on_the_page() -> None:
    with pytest.raises(DriverError, match="Chain fault at strip 3"):
        SensorChain(Latch(), CutAfterTwo(), 5).scan()
    assert "`Chain fault at strip`" in text_of("TEST.md")


def flat(file: str) -> str:
    """The text of a page from the root of the project, on one line."""
    return " ".join((HARDWARE.parent / file).read_text(encoding="utf-8").split())


def test_prices_of_the_kits_are_those_of_the_table() -> None:
    classic = load_plan("classic-61")
    prices = {
        "desk": round(total_cents(desk_list(demo_plan(), load_case())) / 100, -1),
        "lights": set_usd(classic, 1, LIGHTS),
        "sensing": set_usd(classic, 1),
    }
    for kit, usd in prices.items():
        assert re.search(rf"^\| `{kit}` \|.*\| {usd:.0f} \|$", readme(), re.MULTILINE), kit
    row = r"classic-61 \| 4 \| 1 \| " + rf"{prices['sensing']:.0f} \|"
    assert re.search(row, costs_page([classic], demo_plan()))


def readme() -> str:
    return (HARDWARE.parent / "README.md").read_text(encoding="utf-8")


def test_the_demo_set_has_its_whole_price() -> None:
    one, five = (f"{set_usd(demo_plan(), sets, DEMO):.0f}" for sets in (1, 5))
    text = f"{one} dollars for one set"
    assert f"{text} or {five} each for five, without the Pi" in flat("README.md")
    assert f"{text}, {five} each for five, without the Pi" in flat("hardware/README.md")
    assert f"| demo set | {one} | {five} |" in flat("hardware/generated/costs.md")


def test_kit_lights_has_its_price_for_two_boards() -> None:
    classic, long = (f"{set_usd(load_plan(board), 1, LIGHTS):.0f}" for board in architectures.BOARDS)
    text = f"one set costs {classic} dollars for `classic-61` and {long} for `continuous-121-2`"
    assert text in flat("hardware/README.md")


def test_revision_c_is_compared_with_the_figures_of_its_page() -> None:
    text = flat("hardware/README.md")
    for board in architectures.BOARDS:
        ours, theirs = (architectures.figures(way, load_plan(board)).one_usd for way in ("matrix", "chain"))
        words = rf"{ours:.0f} (dollars )?instead of {theirs:.0f} for one `{board}` \({ours / theirs:.0%}\)".replace(
            "%", " %"
        )
        assert re.search(words, text), words


def test_revision_c_names_the_boards_with_costs_and_margins() -> None:
    priced, simulated = ([f"`{board}`" for board in boards] for boards in (architectures.BOARDS, margins.BOARDS))
    text = flat("hardware/kicad/README.md")
    assert f"Costs are calculated for {' and '.join(priced)};" in text
    assert f"margins for {', '.join(simulated[:-1])} and {simulated[-1]}." in text

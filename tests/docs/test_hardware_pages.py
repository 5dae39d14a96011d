"""The pages for makers: every link leads somewhere, every step has its picture and its test."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from board_drivers.ports import DriverFault
from board_drivers.sensor_chain import SensorChain
from firmware_host.drafting.magnets import crosstalk, magnetics
from firmware_host.drafting.truths import the_case, told
from firmware_host.plans import load_plan, plan_ids
from hardware.stripboard.strip import HALL_THICK_MM

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
def test_every_link_and_picture_is_there(page: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", text_of(page)):
        name, _, anchor = target.partition("#")
        assert (HARDWARE / (name or page)).is_file(), target
        assert not anchor or anchor in anchors(name or page), target


def test_every_step_of_the_assembly_has_a_picture_and_ends_with_a_test() -> None:
    steps = text_of("ASSEMBLY.md").split("\n## ")[1:]
    assert [step.split(".")[0] for step in steps] == [str(number) for number in range(1, len(steps) + 1)]
    for step in steps:
        assert re.search(r"!\[.+\]\(generated/.+\.svg\)", step), step[:40]
        assert step.rstrip().split("\n\n")[-1].startswith("**Test.**"), step[:40]


def test_the_files_that_are_told_of_are_those_that_are_drawn() -> None:
    kept = {file.name for file in (HARDWARE / "generated" / plan_ids()[0]).iterdir()}
    shared = {file.name for file in (HARDWARE / "generated").iterdir() if file.is_file()}
    named = set(re.findall(r"`([\w*-]+\.(?:svg|csv|scad|md))`", text_of("README.md")))
    assert {name for name in named if "*" not in name} <= kept | shared
    drawn = {name for name in kept | shared if name.endswith((".svg", ".csv", ".scad", ".md"))}
    untold = drawn - named - {"boards.md", "parts-smt.csv", "parts-stripboard.csv"}
    assert not untold


def test_figures_in_the_pages_are_those_in_use() -> None:
    page = text_of("TEST.md")
    around = crosstalk(load_plan("classic-61"), magnetics(the_case()))[2]
    switch = told("magnets")["switch"]
    assert f"come to {abs(around.worst_mt):.1f} mT" in page
    assert f"{switch['release_mt']:g} mT, from memory" in page and f"{switch['depth_mm']:g} mm assumed" in page
    assert f"({HALL_THICK_MM:g} mm), depth of its element ({switch['depth_mm']:g} mm" in page
    pilot = the_case().pilot
    assert f"walls of the spacer, {the_case().pocket.wall_mm:g} mm at the thinnest" in page
    assert f"the violet holes, {pilot.hole_mm:g} mm\nwide and **{pilot.deep_mm:g} mm deep" in text_of("ASSEMBLY.md")
    assert f"it stands {pilot.deep_mm:g} mm deep" in text_of("ASSEMBLY.md")
    assert f"lights_ma = {told('power')['lights_ma']['one-strip']}\n" in text_of("README.md")


def test_what_the_board_says_of_a_cut_ribbon_is_what_the_page_says() -> None:
    with pytest.raises(DriverFault, match="Chain fault at strip 3"):
        SensorChain(Latch(), CutAfterTwo(), 5).scan()
    assert "`Chain fault at strip`" in text_of("TEST.md")

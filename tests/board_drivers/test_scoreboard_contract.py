"""The contract of every `Scoreboard`: luma's chip drivers show the same picture as the simulated display."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306, ssd1309
from msgspec import Struct

from board_drivers.font import Pixels, glyph
from board_drivers.oled_scoreboard import LumaDevice, OledScoreboard
from board_drivers.ports import TALL, DriverError, Scoreboard
from board_drivers.simulated import SimulatedBoard
from firmware_host.ui.display.rest import SHIFTS_PX
from tests.board_drivers.chips import OledChip

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

PAGE = [("Ann: 3 more, to 36", 1), ("À pone • Łódź", 1), ("47   52", 3), ("Ещё 2♥ ½", 2)]


class Rig(Struct, frozen=True):
    """A scoreboard, its pixels, and a counter of what has been written to it."""

    scoreboard: Scoreboard
    pixels: Callable[[], Pixels]
    cost: Callable[[], int]
    contrast: Callable[[], int]
    """0 while the panel is off."""


def simulated() -> Rig:
    board = SimulatedBoard(sensor_count=1, led_count=1)
    return Rig(board.scoreboard, board.oled_pixels, lambda: board.oled_version, lambda: board.scoreboard.contrast)


def on_chip(device: Callable[..., LumaDevice], first_column: int) -> Rig:
    chip = OledChip(first_column)
    scoreboard = OledScoreboard(device(i2c(bus=chip)))
    return Rig(scoreboard, chip.pixels, lambda: chip.writes, lambda: chip.contrast if chip.is_on else 0)


def on_ssd1306() -> Rig:
    return on_chip(ssd1306, first_column=0)


def on_ssd1309() -> Rig:
    return on_chip(ssd1309, first_column=0)


def on_sh1106() -> Rig:
    return on_chip(sh1106, first_column=2)


@pytest.fixture(params=[simulated, on_ssd1306, on_ssd1309, on_sh1106])
def rig(request: pytest.FixtureRequest) -> Rig:
    made: Rig = request.param()
    return made


def test_every_display_shows_the_same_picture(rig: Rig) -> None:
    reference = simulated()
    for page in (PAGE, [("Łukasz", 3)], []):
        rig.scoreboard.show(page)
        reference.scoreboard.show(page)
        assert rig.pixels() == reference.pixels()


def test_lines_are_drawn_below_each_other_from_the_left_edge(rig: Rig) -> None:
    rig.scoreboard.show([("A", 1), ("B", 2), ("C", 3)])
    for character, scale, top in (("A", 1, 0), ("B", 2, 8), ("C", 3, 24)):
        rows = rig.pixels()[top : top + 8 * scale]
        assert tuple(row[: 6 * scale] for row in rows) == glyph(character, scale)
        assert not any(any(row[6 * scale :]) for row in rows)


def test_new_page_erases_the_old_one(rig: Rig) -> None:
    rig.scoreboard.show([("WWWWWWW", 3), ("MMMMMMM", 3)])
    rig.scoreboard.show([("i", 1)])
    assert not any(any(row) for row in rig.pixels()[8:])


def test_showing_the_same_page_again_writes_nothing(rig: Rig) -> None:
    rig.scoreboard.show(PAGE)
    cost = rig.cost()
    rig.scoreboard.show(list(PAGE))
    assert rig.cost() == cost
    rig.scoreboard.show(PAGE[1:])
    assert rig.cost() > cost


@pytest.mark.parametrize(("scale", "columns"), [(1, 21), (2, 10), (3, 7)])
def test_text_past_the_right_edge_ends_in_an_ellipsis(rig: Rig, scale: int, columns: int) -> None:
    rig.scoreboard.show([("W" * columns, scale)])
    whole = rig.pixels()
    rig.scoreboard.show([("W" * (columns + 1), scale)])
    cut = rig.pixels()
    last = 6 * scale * (columns - 1)
    assert [row[:last] for row in cut] == [row[:last] for row in whole]
    assert tuple(row[last : last + 6 * scale] for row in cut[: 8 * scale]) == glyph("…", scale)


@pytest.mark.parametrize("page", [[("x", 3), ("x", 3), ("x", 3)], [("x", 1)] * 9, [("x", 4)], [("x", 0)]])
def test_impossible_page_is_refused_and_the_old_one_stays(rig: Rig, page: list[tuple[str, int]]) -> None:
    rig.scoreboard.show(PAGE)
    before = rig.pixels()
    with pytest.raises(ValueError):
        rig.scoreboard.show(page)
    assert rig.pixels() == before


def test_contrast_is_set_once_and_zero_turns_the_panel_off(rig: Rig) -> None:
    rig.scoreboard.show(PAGE)
    before = rig.pixels()
    for level in (8, 0, 0x7F):
        rig.scoreboard.set_contrast(level)
        assert rig.contrast() == level
        cost = rig.cost()
        rig.scoreboard.set_contrast(level)
        assert rig.cost() == cost
    assert rig.pixels() == before


@pytest.mark.parametrize("level", [-1, 256])
def test_impossible_contrast_is_refused(rig: Rig, level: int) -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        rig.scoreboard.set_contrast(level)


@pytest.mark.parametrize("scale", [1, 2, 3, TALL])
def test_shifted_page_is_the_same_picture_elsewhere_and_nothing_is_cut_off(rig: Rig, scale: int) -> None:
    page = [("W" * 21, scale)]
    rig.scoreboard.show(page)
    before = rig.pixels()
    for right, down in SHIFTS_PX:
        rig.scoreboard.show(page, shift_px=(right, down))
        moved = [(False,) * right + row[: 128 - right] for row in before]
        assert list(rig.pixels()) == [(False,) * 128] * down + moved[: 64 - down]
        assert sum(map(sum, rig.pixels())) == sum(map(sum, before))


def test_page_of_eight_lines_does_not_move_down(rig: Rig) -> None:
    page = [("gjpqy", 1)] * 8
    rig.scoreboard.show(page)
    before = rig.pixels()
    rig.scoreboard.show(page, shift_px=(0, 1))
    assert rig.pixels() == before


@pytest.mark.parametrize(("modules", "zoom"), [(29, 2), (21, 2), (33, 1), (8, 6)])
def test_picture_is_dark_on_lit_centred_and_as_large_as_fits(rig: Rig, modules: int, zoom: int) -> None:
    picture = [[(x * y + x + y) % 3 == 0 for x in range(modules)] for y in range(modules)]
    rig.scoreboard.show_picture(picture)
    left, top, side = (128 - modules * zoom) // 2, (64 - modules * zoom) // 2, modules * zoom
    inside = [[row[x] for x in range(left, left + side)] for row in rig.pixels()[top : top + side]]
    assert inside == [[not picture[y // zoom][x // zoom] for x in range(side)] for y in range(side)]
    assert sum(not lit for row in rig.pixels() for lit in row) == sum(map(sum, picture)) * zoom**2


def test_picture_with_too_many_modules_is_refused(rig: Rig) -> None:
    with pytest.raises(ValueError, match="got 64 x 64 modules"):
        rig.scoreboard.show_picture([[True] * 64] * 64)


def test_page_can_follow_a_picture(rig: Rig) -> None:
    rig.scoreboard.show(PAGE)
    before = rig.pixels()
    rig.scoreboard.show_picture([[True, False], [False, True]])
    assert rig.pixels() != before
    rig.scoreboard.show(PAGE)
    assert rig.pixels() == before


def test_unplugged_oled_raises_with_a_fix_and_recovers() -> None:
    chip = OledChip(first_column=0)
    scoreboard = OledScoreboard(ssd1306(i2c(bus=chip)))
    scoreboard.show([("Ann", 1)])
    chip.unplug()
    with pytest.raises(DriverError, match="OLED: expected .* 0x3C") as fault:
        scoreboard.show([("Bob", 1)])
    assert "i2cdetect" in fault.value.fix
    chip.plug_in()
    scoreboard.show([("Ann", 1)])
    assert tuple(row[:6] for row in chip.pixels()[:8]) == glyph("A")

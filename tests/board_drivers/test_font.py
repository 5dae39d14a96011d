"""The OLED's font: it has every character that pages use, each within its cell and different from all others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.font import (
    CELL_HEIGHT_PX,
    CELL_WIDTH_PX,
    MISSING,
    SCALES,
    TWINS,
    alphabet,
    enlarged,
    fitted,
    glyph,
)

REPERTOIRE = {
    "typewriter": "".join(map(chr, range(0x20, 0x7F))),
    "French": "àâäçéèêëîïôöùûüÿœæ" + "ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸŒÆ" + "«»’",
    "Polish": "ąćęłńóśźż" + "ĄĆĘŁŃÓŚŹŻ" + "„”",
    "Russian": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя" + "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
    "table": "♠♥♦♣" + "←→↑↓▲▼" + "•…–—½✓×·",
}
ALL = sorted(set("".join(REPERTOIRE.values())))


def art(pixels: Sequence[Sequence[bool]]) -> list[str]:
    return ["".join("#" if lit else "." for lit in row) for row in pixels]


def dots(*rows: str) -> list[list[bool]]:
    return [[dot == "#" for dot in row] for row in rows]


@pytest.mark.parametrize("script", REPERTOIRE)
def test_font_has_every_character(script: str) -> None:
    missing = [character for character in REPERTOIRE[script] if character.translate(TWINS) not in alphabet()]
    assert not missing


def test_no_two_characters_look_alike_except_twins() -> None:
    characters = defaultdict(set)
    for character in (*ALL, MISSING):
        characters[glyph(character)].add(character.translate(TWINS))
    assert [sorted(alike) for alike in characters.values() if len(alike) > 1] == []


def test_twins_share_a_glyph() -> None:
    assert [chr(code) for code in TWINS if chr(code) in alphabet()] == []
    assert glyph("Р") == glyph("P") and glyph("\N{NO-BREAK SPACE}") == glyph(" ")


@pytest.mark.parametrize("character", alphabet())
def test_character_fits_its_cell_with_a_gap_to_the_next(character: str) -> None:
    cell = alphabet()[character]
    assert len(cell) == CELL_HEIGHT_PX and {len(row) for row in cell} == {CELL_WIDTH_PX}
    assert character == "—" or not any(row[-1] for row in cell)
    assert character == " " or any(map(any, cell))


def test_font_file_names_every_cell() -> None:
    _preface, *bands = files("board_drivers").joinpath("font.txt").read_text("utf-8").split("\n\n")
    for names, *rows in map(str.splitlines, bands):
        assert names == (" " * CELL_WIDTH_PX).join(names[:: CELL_WIDTH_PX + 1])
        assert set("".join(rows)) <= set("#. ") and len({len(row) for row in rows}) == 1
    assert len("".join(names[:: CELL_WIDTH_PX + 1] for names, *_ in map(str.splitlines, bands))) == len(alphabet())


@pytest.mark.parametrize("stranger", ["語", "\n", "\u0301", "\U0001f0a1"])
def test_unknown_character_is_a_box(stranger: str) -> None:
    assert glyph(stranger) == alphabet()[MISSING]


def test_unknown_accent_is_left_off_its_letter() -> None:
    assert glyph("Š") == glyph("S") and glyph("ñ") == glyph("n")


def test_diagonals_are_smoothed_and_square_corners_stay() -> None:
    assert art(enlarged(dots("#.", ".#"), 2)) == ["##..", "###.", ".###", "..##"]
    assert art(enlarged(dots(".#", "#."), 3)) == ["...###", "..####", ".#####", "#####.", "####..", "###..."]
    assert art(enlarged(dots("##", "#."), 2)) == ["####", "####", "##..", "##.."]


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=8, max_size=8), st.sampled_from(SCALES))
def test_enlarging_keeps_every_lit_pixel(small: list[list[bool]], scale: int) -> None:
    large = enlarged(small, scale)
    assert (len(large), len(large[0])) == (8 * scale, 6 * scale)
    assert all(lit or not small[y // scale][x // scale] for y, row in enumerate(large) for x, lit in enumerate(row))


@pytest.mark.parametrize("scale", SCALES)
def test_enlarging_never_fills_a_dark_pixel(scale: int) -> None:
    for character, cell in alphabet().items():
        large = glyph(character, scale)
        for y, x in ((y, x) for y, row in enumerate(cell) for x, lit in enumerate(row) if not lit):
            square = [row[x * scale : (x + 1) * scale] for row in large[y * scale : (y + 1) * scale]]
            assert not all(map(all, square)), f"{character} loses the pixel in row {y}, column {x}"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("Ann", 3, "Ann"),
        ("Anna", 3, "An…"),
        ("Anna", 1, "…"),
        ("Ann     ", 3, "Ann"),
        ("e\u0301te\u0301", 3, "été"),
        ("", 5, ""),
    ],
)
def test_long_text_is_cut_with_an_ellipsis(text: str, columns: int, shown: str) -> None:
    assert fitted(text, columns) == shown

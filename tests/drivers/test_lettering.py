"""The lettering: everything a page may say is drawn, in its cell, and like nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.lettering import (
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
def test_every_character_is_drawn(script: str) -> None:
    missing = [character for character in REPERTOIRE[script] if character.translate(TWINS) not in alphabet()]
    assert not missing


def test_no_two_characters_look_alike_but_the_named_twins() -> None:
    seen = defaultdict(set)
    for character in (*ALL, MISSING):
        seen[glyph(character)].add(character.translate(TWINS))
    assert [sorted(alike) for alike in seen.values() if len(alike) > 1] == []


def test_a_twin_is_drawn_once() -> None:
    assert [chr(code) for code in TWINS if chr(code) in alphabet()] == []
    assert glyph("Р") == glyph("P") and glyph("\N{NO-BREAK SPACE}") == glyph(" ")


@pytest.mark.parametrize("character", alphabet())
def test_a_character_fits_its_cell_and_keeps_clear_of_the_next(character: str) -> None:
    cell = alphabet()[character]
    assert len(cell) == CELL_HEIGHT_PX and {len(row) for row in cell} == {CELL_WIDTH_PX}
    assert character == "—" or not any(row[-1] for row in cell)
    assert character == " " or any(map(any, cell))


def test_names_stand_over_their_cells_in_the_drawing() -> None:
    _preface, *bands = files("board_drivers").joinpath("lettering.txt").read_text("utf-8").split("\n\n")
    for names, *rows in map(str.splitlines, bands):
        assert names == (" " * CELL_WIDTH_PX).join(names[:: CELL_WIDTH_PX + 1])
        assert set("".join(rows)) <= set("#. ") and len({len(row) for row in rows}) == 1
    assert len("".join(names[:: CELL_WIDTH_PX + 1] for names, *_ in map(str.splitlines, bands))) == len(alphabet())


@pytest.mark.parametrize("stranger", ["語", "\n", "\u0301", "\U0001f0a1"])
def test_what_nobody_drew_is_a_box(stranger: str) -> None:
    assert glyph(stranger) == alphabet()[MISSING]


def test_an_accent_nobody_drew_is_left_off_its_letter() -> None:
    assert glyph("Š") == glyph("S") and glyph("ñ") == glyph("n")


def test_a_slope_is_smooth_and_a_square_corner_stays() -> None:
    assert art(enlarged(dots("#.", ".#"), 2)) == ["##..", "###.", ".###", "..##"]
    assert art(enlarged(dots(".#", "#."), 3)) == ["...###", "..####", ".#####", "#####.", "####..", "###..."]
    assert art(enlarged(dots("##", "#."), 2)) == ["####", "####", "##..", "##.."]


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=8, max_size=8), st.sampled_from(SCALES))
def test_enlarging_keeps_every_lit_pixel(small: list[list[bool]], scale: int) -> None:
    large = enlarged(small, scale)
    assert (len(large), len(large[0])) == (8 * scale, 6 * scale)
    assert all(lit or not small[y // scale][x // scale] for y, row in enumerate(large) for x, lit in enumerate(row))


@pytest.mark.parametrize("scale", SCALES)
def test_no_eye_of_a_letter_is_closed_by_enlarging(scale: int) -> None:
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
def test_text_is_cut_at_the_last_cell(text: str, columns: int, shown: str) -> None:
    assert fitted(text, columns) == shown

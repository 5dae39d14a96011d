"""Text tables fit 80 columns, and lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.cli.text_table import COLUMNS, blocks_of_columns, text_table

LONG = "Maximiliane von Schwarzenberg-Hohenlohe"
FIGURES = ("Game points", "Won", "Spread", "Plus", "Minus", "Games", "Byes", "Skunks")


def test_a_table_that_fits_has_one_line_a_row() -> None:
    assert list(text_table([("name", "points"), ("Ann", "7"), ("", "12")], 1)) == [
        "name  points",
        "Ann        7",
        "          12",
    ]


def test_headings_are_wrapped_before_names() -> None:
    rows = [("Place", "Player", "Season points", *FIGURES[:-1]), ("1", "Charlotte Ann", "10", *"1234567")]
    first, second, row = text_table(rows, 2)
    assert first.split() == ["Place", "Player", "Season", "Game", "Won", *FIGURES[2:-1]]
    assert second.split() == ["points", "points"] and "Charlotte Ann" in row


def test_scores_are_not_broken() -> None:
    rows = [(LONG, LONG, "121-90", "12-34-56"), ("Ann", "Bob", "90-121", "not played out")]
    text = "\n".join(text_table(rows, 4))
    assert "121-90" in text and "12-34-56" in text and max(map(len, text.splitlines())) <= COLUMNS


def test_a_word_longer_than_its_column_is_broken() -> None:
    lines = list(text_table([("x" * 200, "1")], 1))
    assert max(map(len, lines)) <= COLUMNS and sum(line.count("x") for line in lines) == 200


cells = st.text("ab -", max_size=60)


@example([("", "a" * 90), (" ", "b")])
@example([(" " * 60, " " * 60)])
@given(st.integers(1, 8).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=5)))
def test_no_letter_is_lost_and_no_line_is_too_long(rows: list[tuple[str, ...]]) -> None:
    lines = list(text_table(rows, 2))
    assert max(map(len, lines)) <= COLUMNS
    for letter in "ab-":
        assert sum(line.count(letter) for line in lines) == sum(cell.count(letter) for row in rows for cell in row)


@pytest.mark.parametrize("columns", [1, 2, 9, 40])
def test_many_columns_come_in_blocks_with_the_first_column(columns: int) -> None:
    rows = [("Table", *(f"Round {number}" for number in range(columns))), ("1", *["Ann - Bob"] * columns)]
    blocks = list(blocks_of_columns(rows))
    assert [row[0] for row in map(list, blocks[0])] == ["Table", "1"] and all(block[1][0] == "1" for block in blocks)
    assert [head for block in blocks for head in block[0][1:]] == list(rows[0][1:])
    assert all(len(line) <= COLUMNS for block in blocks for line in text_table(block, len(block[0])))
    assert len(blocks) == -(-columns // 6)
